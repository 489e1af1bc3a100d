//! Changed files: written, or shown as a diff.

use std::collections::BTreeMap;
use std::path::PathBuf;

use promptls_analysis::changes_by_line;
use promptls_workspace::Rewritten;
use similar::udiff::UnifiedHunkHeader;
use similar::{DiffTag, group_diff_ops};

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

/// A unified diff of two files, or of two versions of one. Contains their texts unchanged; empty for
/// equal texts.
pub fn diff(old_name: &str, new_name: &str, before: &str, after: &str) -> String {
    let [old, new] = [before, after].map(|text| text.split_inclusive('\n').collect::<Vec<_>>());
    // `TextDiff` would compile six algorithms, half a megabyte of code.
    let hunks = group_diff_ops(changes_by_line(&old, &new), AROUND);
    let mut patch = String::new();
    if !hunks.is_empty() {
        let [old_name, new_name] = [old_name, new_name].map(visible_line);
        patch = format!("--- a/{old_name}\n+++ b/{new_name}\n");
    }
    for hunk in hunks {
        patch += &format!("{}\n", UnifiedHunkHeader::new(&hunk));
        for change in hunk {
            let (tag, in_old, in_new) = change.as_tag_tuple();
            if tag == DiffTag::Equal {
                add_lines(&mut patch, " ", &old[in_old]);
                continue;
            }
            add_lines(&mut patch, "-", &old[in_old]);
            add_lines(&mut patch, "+", &new[in_new]);
        }
    }
    patch
}

/// Adds lines with a sign before each. Only the last line of a file may have no line break.
fn add_lines(patch: &mut String, sign: &str, lines: &[&str]) {
    for line in lines {
        let end = if line.ends_with('\n') { "" } else { "\n\\ No newline at end of file\n" };
        patch.extend([sign, line, end]);
    }
}
