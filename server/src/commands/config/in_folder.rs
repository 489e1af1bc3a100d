//! All settings that apply in a folder.

use std::path::Path;

use promptls_protocol::Setting;
use promptls_workspace::{Configs, Disk, DiskOnce};

use super::ConfigContents;
use crate::errors::CommandError;
use crate::output::unread::require_config;
use crate::paths::Paths;

/// The settings of the configs at and above a folder.
pub fn settings(folder: &Path, paths: &mut Paths) -> Result<Vec<Setting>, CommandError> {
    let path = paths.absolute(folder);
    if !Disk.stamp(folder)?.is_folder {
        return Err(CommandError::ShowsFolders(folder.display().to_string()));
    }
    let (disk, configs) = (DiskOnce::default(), Configs::default());
    let config = configs.nearest(&disk, &path);
    if let Some(config) = &config {
        require_config(config, disk.project(&configs))?;
    }
    Ok(ConfigContents::of(config.as_deref(), &disk, &configs, paths).all())
}
