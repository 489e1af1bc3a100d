//! Prompts of a commit in cases whose inputs are newer than the commit.
//!
//! Inputs are often written after their prompt was committed, on the first day always. Then the
//! old prompt is resolved with the inputs that the case has at the newer time, and a note says so.

use promptls_analysis::Snapshot;

use super::git_revision::commit_name;

/// The old prompt in one case only: the case of this name of the newer prompt. `None` if the old
/// prompt has such a case itself, or the newer one does not.
pub fn with_newer_inputs(old: &Snapshot, newer: &Snapshot, case: &str) -> Option<Snapshot> {
    let case = newer.case_named(case).filter(|_| old.case_named(case).is_none())?;
    Some(Snapshot { cases: vec![newer.cases[case].clone()], ..old.clone() })
}

/// The note for a text of [`with_newer_inputs`]. `newer` is the revision of the inputs; `None` for
/// the current files.
pub fn newer_inputs_note(case: &str, old: &str, newer: Option<&str>) -> String {
    let newer =
        newer.map_or("today's".to_owned(), |newer| format!("those of {}", commit_name(newer)));
    format!("case `{case}` has no inputs in {}; {newer} are used", commit_name(old))
}
