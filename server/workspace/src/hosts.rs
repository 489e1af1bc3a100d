//! Files of other languages that hold prompts: code, and configuration.

pub mod engine;
mod found;
mod modules;
pub mod reader;
pub mod strings;
pub mod uses;
pub mod with_uses;
mod writing;
