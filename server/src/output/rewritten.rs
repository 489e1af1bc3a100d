//! Files that become others: written, or shown as what would change.

use std::collections::BTreeMap;
use std::path::PathBuf;

use promptls_workspace::Rewritten;
use similar::TextDiff;

use crate::output::visible::visible_line;
use crate::output::write;
use crate::paths::Paths;

/// Lines that are shown around each change.
const AROUND: usize = 3;

/// What would change, as `patch` takes it.
pub fn diffs(files: &BTreeMap<PathBuf, Rewritten>, paths: &Paths) -> String {
    let diff = |(path, Rewritten { before, after }): (&PathBuf, &Rewritten)| {
        let name = paths.shown(path);
        diff(&name, &name, before, after)
    };
    files.iter().map(diff).collect()
}

/// Which files were written.
pub struct Written {
    /// How many were.
    pub count: usize,
    /// Why others were not, a line each.
    pub failures: Vec<String>,
}

/// Writes each of them whole or not at all. One that has changed since it was read is skipped.
/// Beside the files that were `read`, what killed processes have left is removed.
pub fn write_all(
    files: &BTreeMap<PathBuf, Rewritten>,
    read: &[PathBuf],
    paths: &Paths,
    force: bool,
) -> Written {
    let writer = write::writer(force);
    let beside: BTreeMap<_, _> = read.iter().map(|path| (path.parent(), path)).collect();
    beside.values().for_each(|path| writer.sweep_beside(path));
    let replace = |(path, Rewritten { before, after }): (&PathBuf, &Rewritten)| {
        let replaced = writer.replace(path, before.as_bytes(), after.as_bytes());
        Some(write::failed(paths.shown(path))(replaced.err()?).to_string())
    };
    let failures: Vec<String> = files.iter().filter_map(replace).collect();
    Written { count: files.len() - failures.len(), failures }
}

/// The lines of a file that are others in another one, or in the same one later.
pub fn diff(old_name: &str, new_name: &str, before: &str, after: &str) -> String {
    let diff = TextDiff::from_lines(before, after);
    let old = format!("a/{}", visible_line(old_name));
    let new = format!("b/{}", visible_line(new_name));
    diff.unified_diff().context_radius(AROUND).header(&old, &new).to_string()
}
