//! Files: which are prompts, what belongs to them, and what `promptls.toml` says.
//!
//! Everything that reads files is here, and reads them through [`Files`], so that
//! the text of an open editor counts before the one on disk.

mod config;
mod files;
mod packs;
mod prompts;
mod sidecars;

pub use config::{CONFIG_NAME, Config, Configs, named_files};
pub use files::{Disk, Files, ReadError, absolute, list_on_disk, read_from_disk, text};
pub use packs::{LoadedPack, PackPrompt, is_pack, load_pack};
pub use prompts::kind_of;
pub use sidecars::{
    LoadedPrompt, Overrides, default_inputs, has_front_matter, inputs_path, is_inputs_file,
    is_variables_file, load, prompts_of, sidecars_beside,
};
