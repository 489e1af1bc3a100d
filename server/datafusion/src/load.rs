//! Loads prompts by the paths of their files.

use std::path::{Path, absolute};

use promptls_rows::RowPrompt;
use promptls_workspace::{Configs, DISK, DiskOnce, Overrides, PromptFile, split_name};

/// Loads a prompt by the path of its file, with the settings of `promptls.toml`. In a file with
/// several prompts, its name follows after a `#`. The error is human-readable.
pub fn load(path: &str) -> Result<RowPrompt, String> {
    let (file, name) = match split_name(Path::new(path)) {
        Some((file, name)) => (file, Some(name)),
        None => (Path::new(path).to_owned(), None),
    };
    let text = DISK.read_named(&file).map_err(|error| error.to_string())?;
    let whole = absolute(&file).map_err(|error| format!("{path}: {error}"))?;
    let (disk, configs) = (DiskOnce::default(), Configs::default());
    let project = disk.project(&configs);
    let read = PromptFile::read(project, &whole, text.into(), &Overrides::default(), None);
    let shown = file.display().to_string();
    let index = read.choose(name.as_deref(), &shown).map_err(|error| error.to_string())?;
    Ok(RowPrompt::of(&read.prompts[index].snapshot))
}
