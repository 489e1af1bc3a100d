//! Files of other languages that hold prompts: code, and configuration.

pub mod engine;
pub mod reader;
pub mod strings;
mod writing;
