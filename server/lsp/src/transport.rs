//! Transports for messages: stdin and stdout, or calls within this process.

mod frames;
pub mod in_process;
pub mod message;
pub mod prepared;
pub mod serve;
pub mod stdio;
