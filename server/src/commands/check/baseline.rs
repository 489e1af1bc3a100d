//! Problems that were there when somebody began to check: they are not reported again.
//!
//! A problem is known by its file, its code and what it says, and by how many say the same there. So
//! nothing comes back because other lines of a file have changed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use pathdiff::diff_paths;
use promptls_workspace::{Disk, Files, absolute};
use serde::{Deserialize, Serialize};

use super::finding::Finding;
use crate::errors::CommandError;
use crate::output::write;
use crate::paths::Paths;

/// Of the file.
const VERSION: u32 = 1;

/// What is known. Files are relative to the one that says so, with `/`.
#[derive(Debug, Default)]
pub struct Baseline {
    folder: PathBuf,
    /// How many say the same, by file, code and message.
    known: BTreeMap<(String, String, String), usize>,
}

/// As it is written.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    version: u32,
    problems: Vec<Known>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Known {
    file: String,
    code: String,
    message: String,
    count: usize,
}

/// A version alone, of whatever else is written beside it.
#[derive(Debug, Deserialize)]
struct Versioned {
    version: u32,
}

impl Baseline {
    /// One that knows nothing, for a file of this name.
    pub fn empty(path: &Path, paths: &Paths) -> Baseline {
        let path = absolute(paths.current(), path);
        Baseline { folder: path.parent().unwrap_or(&path).to_owned(), known: BTreeMap::new() }
    }

    /// Reads a baseline. Fails if it is none, or one of another version.
    pub fn read(path: &Path, paths: &Paths) -> Result<Baseline, CommandError> {
        let text = Disk.read_named(path)?;
        let broken = |reason: String| CommandError::Baseline { path: path.to_owned(), reason };
        let Versioned { version } =
            serde_json::from_str(&text).map_err(|error| broken(error.to_string()))?;
        if version != VERSION {
            return Err(broken(format!("it has version {version}, and not {VERSION}")));
        }
        let written: Written =
            serde_json::from_str(&text).map_err(|error| broken(error.to_string()))?;
        let known = written.problems.into_iter();
        let known = known.map(|it| ((it.file, it.code, it.message), it.count)).collect();
        Ok(Baseline { known, ..Baseline::empty(path, paths) })
    }

    /// Takes out the problems that are known: of several that say the same, the first ones.
    pub fn take_out(&mut self, findings: &mut Vec<Finding>, paths: &Paths) {
        findings.retain(|finding| {
            let key = self.key(finding, paths);
            match self.known.get_mut(&key) {
                Some(left @ 1..) => {
                    *left -= 1;
                    false
                }
                _ => true,
            }
        });
    }

    /// How many of those that were known are no longer there, once they are taken out.
    pub fn left(&self) -> usize {
        self.known.values().sum()
    }

    /// Notes problems.
    pub fn note(&mut self, findings: &[Finding], paths: &Paths) {
        for finding in findings {
            *self.known.entry(self.key(finding, paths)).or_default() += 1;
        }
    }

    /// Writes it down.
    pub fn write(self, path: &Path) -> Result<(), CommandError> {
        let problems = self.known.into_iter().map(|((file, code, message), count)| Known {
            file,
            code,
            message,
            count,
        });
        let written = Written { version: VERSION, problems: problems.collect() };
        let failed = |source| CommandError::NotWritten { path: path.display().to_string(), source };
        let text = serde_json::to_string_pretty(&written).map_err(|error| failed(error.into()))?;
        write::put(path, &(text + "\n")).map_err(failed)
    }

    fn key(&self, finding: &Finding, paths: &Paths) -> (String, String, String) {
        let problem = &finding.problem;
        let path = absolute(paths.current(), Path::new(&problem.file));
        let file = diff_paths(&path, &self.folder).unwrap_or(path);
        let parts: Vec<_> = file.iter().map(|part| part.to_string_lossy()).collect();
        (parts.join("/"), problem.code.to_owned(), problem.message.clone())
    }
}
