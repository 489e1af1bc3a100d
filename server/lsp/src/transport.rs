//! How messages come and go: stdin and stdout, or calls within this process.

pub mod frames;
pub mod in_process;
pub mod stdio;
