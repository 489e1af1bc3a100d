//! Typing in a long prompt: the rope, the tree, and the problems.

use std::path::Path;

use promptls_analysis::DEFAULT_MAX_PROBLEMS;
use promptls_syntax::{Dialect, Edit, Tree};
use promptls_tests::Workspace;
use promptls_tests::workloads::{long_prompt, places_to_type};
use promptls_workspace::{Configs, Disk, Overrides, Project, PromptFile};
use ropey::Rope;

use crate::allocated::allocated;
use crate::counts::Counts;

const KEYSTROKES: usize = 100;

pub fn count(counts: &mut Counts) {
    for kilobytes in [10, 1_000, 10_000] {
        let (text, inputs) = long_prompt(kilobytes);
        let work = format!("{KEYSTROKES} keystrokes in {kilobytes} KB");
        let folder = Workspace::new(&[("long.agentle.inputs.json", &inputs.to_string())]);
        count_allocations(counts, &work, &text, &folder.path("long.agentle.prompt"));
        count_lexing(counts, &work, &text);
    }
    // With an engine, the server checks whether it rejects the prompt; without one, it looks for
    // differences between engines.
    for (says, keys) in [("for adk-python", "engine = 'adk-python'"), ("in adk", "dialect = 'adk'")]
    {
        let (text, inputs) = long_prompt(10);
        let rule = format!("[[prompts]]\nfiles = ['*.prompt']\n{keys}\n");
        let inputs = inputs.to_string();
        let folder = Workspace::new(&[("promptls.toml", &rule), ("long.inputs.json", &inputs)]);
        let work = format!("{KEYSTROKES} keystrokes in 10 KB {says}");
        count_allocations(counts, &work, &text, &folder.path("long.prompt"));
    }
}

/// Types like the language server.
fn count_allocations(counts: &mut Counts, work: &str, text: &str, path: &Path) {
    let edits = edits(text);
    let mut text = Rope::from_str(text);
    let (configs, overrides) = (Configs::default(), Overrides::default());
    let project = Project::without_program(&Disk, &configs);
    let mut file = PromptFile::read(project, path, text.clone().into(), &overrides, None);
    let allocated = allocated(|| {
        for &edit in &edits {
            type_x(&mut text, edit);
            file.edit(&text, edit);
            assert_eq!(file.problems(DEFAULT_MAX_PROBLEMS), []);
        }
    });
    counts.add_allocated(work, allocated);
}

fn count_lexing(counts: &mut Counts, work: &str, text: &str) {
    let edits = edits(text);
    let mut text = Rope::from_str(text);
    let mut tree = Tree::parse(Dialect::Agentle, &text);
    let (mut lexed, mut recounted) = (0, 0);
    for edit in edits {
        type_x(&mut text, edit);
        let done = tree.edit(&text, edit);
        lexed += done.lexed_bytes;
        recounted += done.recounted_segments;
    }
    counts.add(work, "lexed bytes", lexed as u64);
    counts.add(work, "recounted segments", recounted as u64);
}

fn edits(text: &str) -> Vec<Edit> {
    let places = places_to_type(text, KEYSTROKES).into_iter();
    places.map(|start| Edit { start, removed: 0, inserted: 1 }).collect()
}

fn type_x(text: &mut Rope, edit: Edit) {
    text.insert_char(text.byte_to_char(edit.start), 'x');
}
