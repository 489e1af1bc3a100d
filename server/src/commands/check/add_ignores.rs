//! `promptls check --add-ignores`: suppresses the current problems from now on.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use promptls_resolver::Code;
use promptls_workspace::folder_of;
use promptls_workspace::{CONFIG_NAME, DISK, Disk, Files, NewIgnore, add_ignores, config_home};

use super::Check;
use super::finding::Finding;
use crate::errors::CommandError;
use crate::output::counted::counted;
use crate::output::terminal::complain;
use crate::output::write;

/// Problems about the suppression of problems are never suppressed.
const NEVER: [Code; 3] = [Code::InvalidConfig, Code::UnreadableFile, Code::UnusedIgnore];

impl Check<'_> {
    /// Writes an ignore for each problem into the config of its file, or into a new config, and
    /// removes these problems from the findings.
    pub(super) fn add_ignores(
        &self,
        findings: &mut Vec<Finding>,
        reason: &str,
    ) -> Result<(), CommandError> {
        let mut by_config: BTreeMap<PathBuf, Vec<&Finding>> = BTreeMap::new();
        let is_kept =
            |finding: &&Finding| NEVER.iter().all(|code| code.id() != finding.problem.code);
        for finding in findings.iter().filter(is_kept) {
            by_config.entry(self.config_for(&finding.path)).or_default().push(finding);
        }
        let writer = write::writer(self.args.writing.force);
        for (config, findings) in by_config {
            let shown = self.paths.shown(&config);
            let before = match Disk.is_there(&config) {
                true => Some(DISK.read(&config)?),
                false => None,
            };
            let ignores = Self::ignores(&findings);
            let folder = config.parent().unwrap_or(&config);
            let after = add_ignores(before.as_deref().unwrap_or(""), folder, &ignores, reason)
                .ok_or_else(|| CommandError::CannotAddIgnores(shown.clone()))?;
            let written = match before {
                Some(before) => writer.replace(&config, before.as_bytes(), after.as_bytes()),
                None => writer.create(&config, after.as_bytes()),
            };
            written.map_err(write::failed(&shown))?;
            let (problems, ignores) = (counted(findings.len(), "problem"), ignores.len());
            complain(&format!("{problems} kept back by {} in {shown}", counted(ignores, "ignore")));
        }
        findings.retain(|finding| !is_kept(&finding));
        Ok(())
    }

    /// The config that suppresses problems of a file.
    fn config_for(&self, file: &Path) -> PathBuf {
        let folder = folder_of(file);
        match self.configs.nearest(&self.files, folder) {
            Some(config) => config.path.clone(),
            // Without a config, it belongs at the root of the repository or the application, but never
            // below the current folder.
            None => {
                let current = self.paths.current();
                let home = config_home(&self.files, file, [current]);
                let home = if home.starts_with(current) { current } else { &home };
                home.join(CONFIG_NAME)
            }
        }
    }

    /// The ignores, one for each code and set of names, for all files with exactly these.
    fn ignores(findings: &[&Finding]) -> Vec<NewIgnore> {
        let mut names: BTreeMap<(PathBuf, &str), BTreeSet<&str>> = BTreeMap::new();
        let mut nameless: BTreeSet<(PathBuf, &str)> = BTreeSet::new();
        for finding in findings {
            let place = (finding.path.clone(), finding.problem.code);
            if finding.problem.names.is_empty() {
                nameless.insert(place.clone());
            }
            names
                .entry(place)
                .or_default()
                .extend(finding.problem.names.iter().map(String::as_str));
        }
        let mut files: BTreeMap<(&str, BTreeSet<&str>), Vec<PathBuf>> = BTreeMap::new();
        for (place, names) in names {
            // Without a name, the ignore is for all problems of the code.
            let names = if nameless.contains(&place) { BTreeSet::new() } else { names };
            let (file, code) = place;
            files.entry((code, names)).or_default().push(file);
        }
        let ignore = |((code, names), files): ((&str, BTreeSet<&str>), Vec<PathBuf>)| {
            let names = names.into_iter().map(str::to_owned).collect();
            Some(NewIgnore { files, code: Code::from_id(code)?, names })
        };
        files.into_iter().filter_map(ignore).collect()
    }
}
