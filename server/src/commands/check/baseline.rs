//! Known problems, which are not reported again.
//!
//! A problem is identified by its [`ProblemKey`] and by the number of problems with the same key.
//! Changes to other lines, other cases or the wording of a message do not report it again.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use pathdiff::diff_paths;
use promptls_workspace::{DISK, absolute};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use super::finding::Finding;
use crate::errors::CommandError;
use crate::output::files_read::FilesRead;
use crate::output::problem_key::ProblemKey;
use crate::output::report_root::slashed;
use crate::output::write;
use crate::paths::Paths;

/// The version of the file. Version 1 identified problems by their messages.
const VERSION: u32 = 2;

/// The problems of a baseline file. Their files are relative to its folder, with `/`.
#[derive(Debug, Default)]
pub struct Baseline {
    folder: PathBuf,
    /// The number of problems for each key.
    known: BTreeMap<ProblemKey, usize>,
}

/// The format of the file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BaselineFile {
    version: u32,
    problems: Vec<BaselineEntry>,
}

#[derive(Debug, Serialize, Deserialize)]
struct BaselineEntry {
    #[serde(flatten)]
    key: ProblemKey,
    count: usize,
}

/// A baseline of any version.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct AnyBaseline {
    #[serde(rename = "version")]
    _version: u32,
    #[serde(rename = "problems")]
    _problems: Vec<IgnoredAny>,
}

/// The version of a file, without its other content.
#[derive(Debug, Deserialize)]
struct Versioned {
    version: u32,
}

impl Baseline {
    /// An empty baseline for a file of this name.
    pub fn empty(path: &Path, paths: &Paths) -> Baseline {
        let path = absolute(paths.current(), path);
        Baseline { folder: path.parent().unwrap_or(&path).to_owned(), known: BTreeMap::new() }
    }

    /// Reads a baseline. Fails for other files and other versions.
    pub fn read(path: &Path, paths: &Paths) -> Result<Baseline, CommandError> {
        let text = DISK.read_named(path)?;
        let broken = |reason: String| CommandError::Baseline { path: path.to_owned(), reason };
        let Versioned { version } =
            serde_json::from_str(&text).map_err(|error| broken(error.to_string()))?;
        if version < VERSION {
            return Err(broken(format!("it has version {version}, from an older promptls")));
        }
        if version > VERSION {
            return Err(broken(format!("it has version {version}, from a newer promptls")));
        }
        let written: BaselineFile =
            serde_json::from_str(&text).map_err(|error| broken(error.to_string()))?;
        let known =
            written.problems.into_iter().map(|BaselineEntry { key, count }| (key, count)).collect();
        Ok(Baseline { known, ..Baseline::empty(path, paths) })
    }

    /// Removes known problems from the findings: of several with the same key, the first ones.
    pub fn take_out(&mut self, findings: &mut Vec<Finding>) {
        findings.retain(|finding| {
            let key = self.key(finding);
            match self.known.get_mut(&key) {
                Some(left @ 1..) if !finding.hides_others => {
                    *left -= 1;
                    false
                }
                _ => true,
            }
        });
    }

    /// The number of known problems that no longer exist, after [`Baseline::take_out`]. Problems
    /// that were not checked do not count: `is_checked` takes a key and the absolute path of its
    /// file.
    pub fn left(&self, is_checked: impl Fn(&ProblemKey, &Path) -> bool) -> usize {
        let left = self.known.iter().filter(|(_, count)| **count > 0);
        let left =
            left.filter(|(key, _)| is_checked(key, &absolute(&self.folder, Path::new(&key.file))));
        left.map(|(_, count)| count).sum()
    }

    /// Adds problems, so that later checks do not report them.
    pub fn note(&mut self, findings: &[Finding]) {
        for finding in findings {
            *self.known.entry(self.key(finding)).or_default() += 1;
        }
    }

    /// Writes the file. Replaces only a baseline, of any version, or an empty file.
    pub fn write(self, path: &Path, force: bool, read: &FilesRead) -> Result<(), CommandError> {
        read.keep_from(path, path.display())?;
        if !may_replace(path) {
            let reason = "it is not a baseline; delete it, or name another file";
            return Err(write::failed(path.display())(io::Error::other(reason).into()));
        }
        let problems = self.known.into_iter().map(|(key, count)| BaselineEntry { key, count });
        let written = BaselineFile { version: VERSION, problems: problems.collect() };
        let text = serde_json::to_string_pretty(&written).map_err(io::Error::from)?;
        write::named_output(path, (text + "\n").as_bytes(), force, read)
    }

    fn key(&self, finding: &Finding) -> ProblemKey {
        let relative = diff_paths(&finding.path, &self.folder);
        let file = slashed(relative.as_deref().unwrap_or(&finding.path));
        ProblemKey::new(file, &finding.problem)
    }
}

/// Whether a baseline may be written to a path: it is a baseline, an empty file, missing, or no
/// regular file.
fn may_replace(path: &Path) -> bool {
    match DISK.read(path) {
        Ok(text) => text.trim().is_empty() || serde_json::from_str::<AnyBaseline>(&text).is_ok(),
        // The writer rejects folders and pipes with its own message.
        Err(error) => error.is_missing() || error.is_no_file(),
    }
}
