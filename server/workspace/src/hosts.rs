//! Host files of other languages that hold prompts: code, and configuration.

pub mod app;
pub mod app_names;
pub mod conflict;
pub mod engine;
pub mod found;
pub mod is_code;
mod looked;
mod modules;
pub mod own_output;
mod pack;
pub mod program;
pub mod reader;
pub mod strings;
pub mod unread;
pub mod uses;
pub mod with_uses;
pub mod writing;
