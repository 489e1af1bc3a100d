//! What an editor asks for, a file each: convert, ask, convert back.

pub mod references;
pub mod rename;
