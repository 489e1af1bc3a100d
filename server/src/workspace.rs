//! Files: which are prompts, what belongs to them, and what `promptls.toml` says.
//!
//! Everything that reads files is here, and reads them through [`Files`], so that
//! the text of an open editor counts before the one on disk.

mod committed;
mod config;
mod config_edit;
mod files;
mod packs;
mod prompts;
mod sidecars;
mod walk;

pub use committed::{CommitError, Committed};
pub use config::{CONFIG_NAME, Config, Configs, OFF, RULE_KEYS, TABLES, named_files};
pub use config_edit::edit_config;
pub use files::{Disk, Files, ReadError, absolute, list_on_disk, read_from_disk, text};
pub use packs::{LoadedPack, PackPrompt, is_pack, load_pack};
pub use prompts::kind_of;
pub use sidecars::{
    LoadedPrompt, Overrides, config_home, default_inputs, has_front_matter, inputs_path,
    is_inputs_file, is_variables_file, load, prompts_of, sidecars_beside, variables_path,
};
pub use walk::{find_below, prompts_in};
