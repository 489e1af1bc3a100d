//! Printing and writing results: JSON, excerpts of sources, the terminal, files.

pub mod columns;
pub mod counted;
pub mod differences;
pub mod excerpts;
pub mod files_read;
pub mod formats;
pub mod interrupt;
pub mod json;
pub mod log_lines;
pub mod problem_key;
pub mod progress;
pub mod prompt_address;
pub mod report_root;
pub mod rewritten;
pub mod terminal;
pub mod unread;
pub mod visible;
pub mod word_diff;
pub mod write;
