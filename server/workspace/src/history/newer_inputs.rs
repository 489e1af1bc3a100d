//! Prompts of a commit in cases whose inputs are newer than the commit.
//!
//! Inputs are often written after their prompt was committed, always so on the first day. Then the
//! old prompt is resolved with the newer inputs of the case, and a note reports this.

use promptls_analysis::Snapshot;

use super::git_revision::commit_name;

/// The old prompt in one case of the newer prompt only. `None` if the old prompt has a case of this
/// name itself, or the newer one does not.
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
