//! Host files of other languages that hold prompts: code, and configuration.

mod agent_files;
pub mod application;
pub mod broken_data;
pub mod code_index;
mod code_scan;
pub mod conflict;
pub mod data_values;
pub mod engine;
mod factory_names;
pub mod is_code;
pub mod loaded_texts;
mod modules;
pub mod own_output;
mod pack;
mod packages;
pub mod program_facts;
pub mod program_names;
pub mod prompt_cache;
pub mod prompt_uses;
pub mod reader;
pub mod rule_strings;
pub mod state_names;
mod text_files;
pub mod unread;
pub mod unsupported;
pub mod workspace_folder;
pub mod writing;
