//! What an editor asks for, a file each.

pub mod completion;
pub mod hover;
