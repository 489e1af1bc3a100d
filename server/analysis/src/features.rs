//! What an editor asks for, a file each.

pub mod completion;
pub mod declaration;
pub mod definition;
pub mod document_highlight;
pub mod hover;
pub mod references;
pub mod rename;
