//! Files that become others: written, or shown as what would change.

use std::collections::BTreeMap;
use std::path::PathBuf;

use promptls_workspace::Rewritten;
use similar::TextDiff;

use crate::errors::CommandError;
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

/// Writes each of them whole or not at all; one that has changed meanwhile is an error.
pub fn write_all(files: &BTreeMap<PathBuf, Rewritten>, paths: &Paths) -> Result<(), CommandError> {
    for (path, Rewritten { before, after }) in files {
        write::replace(path, before, after)
            .map_err(|source| CommandError::NotWritten { path: paths.shown(path), source })?;
    }
    Ok(())
}

/// The lines of a file that are others in another one, or in the same one later.
pub fn diff(old_name: &str, new_name: &str, before: &str, after: &str) -> String {
    let diff = TextDiff::from_lines(before, after);
    let old = format!("a/{}", visible_line(old_name));
    let new = format!("b/{}", visible_line(new_name));
    diff.unified_diff().context_radius(AROUND).header(&old, &new).to_string()
}
