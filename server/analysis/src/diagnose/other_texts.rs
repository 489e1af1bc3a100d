//! Problems in texts of other files that a prompt in code includes.
//!
//! Such a text is checked in its own file, without the inputs of this prompt. So only problems that
//! depend on these are reported here, at the name of the text.

use std::collections::HashSet;

use promptls_resolver::{Code, FileId, Location, Problem};

use super::all_problems;
use crate::snapshot::Snapshot;

/// Cost: twice that of all other problems, only for prompts with such texts and with inputs.
pub(super) fn problems(snapshot: &Snapshot, max: usize) -> Vec<Problem> {
    let Some((filled, with_texts)) = snapshot.with_other_texts() else { return Vec::new() };
    if !with_texts.has_inputs() {
        return Vec::new();
    }
    let without = Snapshot { cases: Vec::new(), has_variables_file: false, ..with_texts.clone() };
    let in_their_files: HashSet<(Code, Location)> = all_problems(&without, max)
        .problems
        .into_iter()
        .map(|problem| (problem.code, problem.location))
        .collect();
    let mut problems = all_problems(&with_texts, max).problems;
    problems.retain(|problem| match problem.location.file {
        FileId::PROMPT => {
            filled.is_in_other_text(&problem.location.range)
                && !in_their_files.contains(&(problem.code, problem.location.clone()))
        }
        // Without the texts, they would be uncertain.
        _ => matches!(problem.code, Code::UnusedInput | Code::UnusedVariable),
    });
    filled.show_problems(&mut problems);
    problems
}
