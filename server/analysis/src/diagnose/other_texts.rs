//! Problems in texts of other files that a prompt in code includes.
//!
//! Such a text is checked in its own file, also with the inputs of this prompt. So problems within it
//! that depend on these inputs are found here, at its name, for a view of this prompt alone; a list of
//! all problems has them where the text is written. Problems that only touch it are uncertain without
//! it, and reported here.

use std::collections::HashSet;

use promptls_resolver::{Code, FileId, Location, Problem};

use super::all_problems;
use crate::snapshot::Snapshot;

/// Cost: that of all other problems, for prompts with such texts; with inputs, twice that.
pub(super) fn problems(snapshot: &Snapshot, max: usize) -> Vec<Problem> {
    let Some((filled, with_texts)) = snapshot.with_other_texts() else { return Vec::new() };
    let has_inputs = with_texts.has_inputs();
    let open = snapshot.dialect().spec().open;
    let without =
        || Snapshot { cases: Vec::new(), has_variables_file: false, ..with_texts.clone() };
    let in_their_files: HashSet<(Code, Location)> = match has_inputs {
        true => all_problems(&without(), max).problems.into_iter().map(key).collect(),
        false => HashSet::new(),
    };
    let mut problems = all_problems(&with_texts, max).problems;
    problems.retain(|problem| {
        let range = &problem.location.range;
        match problem.location.file {
            FileId::PROMPT if filled.is_in_other_prompt(range, open) => {
                has_inputs && !in_their_files.contains(&key(problem.clone()))
            }
            FileId::PROMPT => filled.touches_other_text(range),
            // Without the texts, they would be uncertain.
            _ => matches!(problem.code, Code::UnusedInput | Code::UnusedVariable),
        }
    });
    filled.show_problems(&mut problems);
    problems
}

fn key(problem: Problem) -> (Code, Location) {
    (problem.code, problem.location)
}
