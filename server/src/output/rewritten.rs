//! Changed files: written, or shown as a diff.

use std::collections::BTreeMap;
use std::path::PathBuf;

use promptls_workspace::Rewritten;
use similar::TextDiff;

use crate::output::visible::visible_line;
use crate::output::write;
use crate::paths::Paths;

/// Context lines around each change.
const AROUND: usize = 3;

/// The changes as a patch.
pub fn diffs(files: &BTreeMap<PathBuf, Rewritten>, paths: &Paths) -> String {
    let diff = |(path, Rewritten { before, after }): (&PathBuf, &Rewritten)| {
        let name = paths.shown(path);
        diff(&name, &name, before, after)
    };
    files.iter().map(diff).collect()
}

/// The result of writing files.
pub struct WriteSummary {
    /// The number of written files.
    pub count: usize,
    /// The errors of the others, a line each.
    pub failures: Vec<String>,
}

/// Writes each file atomically. A file that has changed since it was read is skipped. Removes
/// temporary files of killed processes from the folders of the files in `read`.
pub fn write_all(
    files: &BTreeMap<PathBuf, Rewritten>,
    read: &[PathBuf],
    paths: &Paths,
    force: bool,
) -> WriteSummary {
    let writer = write::writer(force);
    let beside: BTreeMap<_, _> = read.iter().map(|path| (path.parent(), path)).collect();
    beside.values().for_each(|path| writer.sweep_beside(path));
    let replace = |(path, Rewritten { before, after }): (&PathBuf, &Rewritten)| {
        let replaced = writer.replace(path, before.as_bytes(), after.as_bytes());
        Some(write::failed(paths.shown(path))(replaced.err()?).to_string())
    };
    let failures: Vec<String> = files.iter().filter_map(replace).collect();
    WriteSummary { count: files.len() - failures.len(), failures }
}

/// A unified diff of two files, or of two versions of one. Contains their texts unchanged.
pub fn diff(old_name: &str, new_name: &str, before: &str, after: &str) -> String {
    let diff = TextDiff::from_lines(before, after);
    let old = format!("a/{}", visible_line(old_name));
    let new = format!("b/{}", visible_line(new_name));
    diff.unified_diff().context_radius(AROUND).header(&old, &new).to_string()
}
