//! Files: which are prompts, what belongs to them, and what `promptls.toml` says.
//!
//! Everything that reads files is here, and reads them through [`Files`], so that
//! the text of an open editor counts before the one on disk.

mod committed;
mod config;
mod config_edit;
mod drift;
mod files;
mod loading;
mod naming;
mod packs;
mod prompt_file;
mod prompts;
mod readers;
mod text_map;
mod walk;

pub use committed::{CommitError, Committed};
pub use config::{CONFIG_NAME, Config, Configs, OFF, RULE_KEYS, TABLES, named_files};
pub use config_edit::edit_config;
pub use files::{Disk, Files, ReadError, absolute, list_on_disk, read_from_disk, text};
pub use loading::{Overrides, config_home, has_front_matter};
pub use naming::{
    default_inputs, inputs_path, is_inputs_file, is_variables_file, prompts_of, sidecars_beside,
    variables_path,
};
pub use prompt_file::{Prompt, PromptFile, Scope};
pub use prompts::kind_of;
pub use readers::reader_of;
pub use walk::{find_below, prompts_in};
