//! The files that a check may depend on, for programs that follow changes.

use std::path::Path;

use promptls_resolver::Format;

use super::walker::IGNORE_FILES;
use crate::config::name::CONFIG_NAME;
use crate::configs::Configs;
use crate::files::paths::folder_of;
use crate::files::regular_file::read_head;
use crate::files::{Disk, Files};
use crate::hosts::is_code::language_of_names;
use crate::hosts::own_output::{HEAD, is_own_output};
use crate::hosts::workspace_folder::is_manifest;
use crate::kind::kind_of;
use crate::lock::LOCK_NAME;
use crate::project::Project;

/// `true` if a new, changed or removed file may change the reported problems: it may be a prompt, or
/// contain values, code or settings. Folders always may.
///
/// A log that another program writes into the folder does not. Each of its lines would start a check.
/// The same is true for data and code that promptls has written, such as its own log through a pipe.
///
/// Cost: reads the head of the file, if it is code or data.
pub fn may_matter(path: &Path, configs: &Configs) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    // A removed path without an extension may have been a folder.
    let is_folder = || Disk.is_folder(path) || path.extension().is_none() && !Disk.is_there(path);
    let is_named = || {
        let config = configs.nearest(&Disk, folder_of(path));
        let project = Project::without_program(&Disk, configs);
        config.as_ref().is_some_and(|it| it.rule_for(path).is_some() || it.shares(path))
            || kind_of(path, config.as_deref(), project).is_some()
    };
    let is_own = || {
        let head = read_head(path, HEAD as u64);
        head.is_ok_and(|head| is_own_output(path, &String::from_utf8_lossy(&head)))
    };
    let is_code_or_data = language_of_names(path).is_some() || Format::from_path(path).is_some();
    name == CONFIG_NAME
        || is_code_or_data && !is_own()
        || is_manifest(path)
        || name == LOCK_NAME
        || IGNORE_FILES.contains(&name)
        || is_folder()
        || is_named()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prompts_values_code_and_settings_are_relevant_and_logs_are_not() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        let config = "[[prompts]]\nfiles = ['texts/*.txt']\ninputs = ['values/*.data']\n";
        std::fs::write(path("promptls.toml"), config).expect("it is written");
        std::fs::write(path("LICENSE"), "").expect("it is written");
        let matters = |name: &str| may_matter(&path(name), &Configs::default());
        for name in [
            "promptls.toml",
            "promptls.lock",
            "a.adk.prompt",
            "a.inputs.json",
            "agent.py",
            "go.mod",
            ".gitignore",
            "texts/a.txt",
            "values/a.data",
            "gone",
        ] {
            assert!(matters(name), "{name}");
        }
        let log = "DEBUG promptls::commands::check::watch: checking\n";
        std::fs::write(path("log.yaml"), log).expect("it is written");
        for name in
            ["log.yaml", "out.log", "a.txt", "values/a.txt", ".a.swp", "LICENSE", "photo.png"]
        {
            assert!(!matters(name), "{name}");
        }
    }
}
