//! Which prompts are to be checked.

use std::path::{Path, PathBuf};

use crate::paths::Paths;
use promptls_workspace::{
    CONFIG_NAME, Configs, Disk, DiskOnce, by_bytes, find_below, is_inputs_file, is_variables_file,
    kind_of, prompts_in, prompts_of,
};

/// What was found. All paths are absolute.
#[derive(Debug, Default)]
pub struct Walked {
    /// Sorted, each once.
    pub prompts: Vec<PathBuf>,
    /// The configs on the way.
    pub configs: Vec<PathBuf>,
    /// The folders that were searched.
    pub folders: Vec<PathBuf>,
    /// What could not be read, for people.
    pub failures: Vec<String>,
}

/// Finds the prompts that paths on the command line mean: all below a folder, a prompt itself,
/// or those that a sidecar belongs to.
pub fn walk(written: &[PathBuf], paths: &mut Paths, disk: &DiskOnce, configs: &Configs) -> Walked {
    let mut walked = Walked::default();
    for written in written {
        let path = paths.absolute(written);
        match Disk.stamp(&path) {
            Err(error) => {
                walked.failures.push(format!("{} {}", written.display(), error.reason()));
            }
            Ok(stamp) if stamp.is_folder => walked.folders.push(path),
            Ok(_) => file(written, path, disk, configs, &mut walked),
        }
    }
    if !walked.folders.is_empty() {
        let found = find_below(&walked.folders, disk, configs);
        walked.prompts.extend(found.prompts);
        // A config above a folder may be what keeps its prompts from being found.
        walked.configs.extend(found.configs);
        walked.configs.extend(walked.folders.iter().map(|folder| folder.join(CONFIG_NAME)));
        walked.failures.extend(found.failures);
    }
    walked.prompts.sort_unstable_by(|path, other| by_bytes(path, other));
    walked.prompts.dedup();
    walked
}

fn file(written: &Path, path: PathBuf, disk: &DiskOnce, configs: &Configs, walked: &mut Walked) {
    let folder = path.parent().unwrap_or(Path::new("/"));
    let config = configs.nearest(disk, folder);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    if name == CONFIG_NAME {
        walked.configs.push(path);
        return;
    }
    if kind_of(&path, config.as_deref()).is_some() {
        walked.prompts.push(path);
        return;
    }
    let prompts = prompts_of(&path, disk, configs, |folder| prompts_in(folder, disk, configs));
    if !prompts.is_empty() {
        walked.prompts.extend(prompts);
    } else if is_inputs_file(&name) || is_variables_file(&name) {
        walked.failures.push(format!("{} belongs to no prompt", written.display()));
    } else {
        walked.prompts.push(path);
    }
}
