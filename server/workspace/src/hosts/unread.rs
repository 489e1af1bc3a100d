//! The error for a host, or for a string in it, that may hold prompts and cannot be read.

use promptls_hosts::Unread;
use promptls_resolver::{Code, FileId, Location, Problem};

/// The error, with its range in the file.
pub fn unread_problem(unread: &Unread, file: FileId) -> Problem {
    let Unread { range, reason } = unread.clone();
    Problem::new(Code::UnreadableFile, Location { file, range }, reason)
}
