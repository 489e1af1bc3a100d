//! All requests of an editor, at any position of any prompt.

use std::collections::BTreeMap;
use std::sync::Arc;

use bolero::produce;
use promptls_analysis::{
    DEFAULT_CASE, DEFAULT_HINT_WIDTH, DEFAULT_MAX_PROBLEMS, Snapshot, code_actions, complete,
    complete_inputs, definition, diagnose, document_highlights, document_symbols, folding_ranges,
    hover, inlay_hints, inputs_form, messages, prepare_rename, references, rename, semantic_tokens,
    shown_values, symbol_at,
};
use promptls_fuzz::EXECUTIONS;
use promptls_resolver::{Dialect, FileId, Format, Inputs};

use crate::texts::{json, prompts};

fn every_feature(dialect: Dialect, prompt: &str, inputs: &str, offset: usize) {
    let file = FileId(1);
    let mut snapshot = Snapshot::new(dialect, prompt);
    let text = Arc::<str>::from(inputs);
    snapshot.file_texts = Arc::new(BTreeMap::from([(file, text)]));
    if let Some(inputs) = Inputs::parse(inputs, Format::Json, file).value {
        snapshot = snapshot.with_case(DEFAULT_CASE, inputs);
    }
    let case = snapshot.first_case();
    let whole = 0..prompt.len();
    let problems = diagnose(&snapshot, DEFAULT_MAX_PROBLEMS);
    for problem in &problems {
        let text = if problem.location.file == file { inputs } else { prompt };
        assert!(text.get(problem.location.range.clone()).is_some(), "{problem:?}");
    }
    for (file, text) in [(FileId::PROMPT, prompt), (file, inputs)] {
        let offset = text.floor_char_boundary(offset % (text.len() + 1));
        hover(&snapshot, file, offset);
        definition(&snapshot, file, offset, case);
        references(&snapshot, file, offset);
        let _ = prepare_rename(&snapshot, file, offset);
        if let Some(symbol) = symbol_at(&snapshot, file, offset) {
            let _ = rename(&snapshot, &symbol, "other");
        }
        code_actions(&snapshot, &problems, file, &(offset..offset), case);
    }
    let place = prompt.floor_char_boundary(offset % (prompt.len() + 1));
    complete(&snapshot, place);
    document_highlights(&snapshot, FileId::PROMPT, place);
    let place = inputs.floor_char_boundary(offset % (inputs.len() + 1));
    complete_inputs(&snapshot, inputs, Format::Json, place);
    document_symbols(&snapshot);
    folding_ranges(&snapshot);
    semantic_tokens(&snapshot, whole.clone(), case);
    inlay_hints(&snapshot, whole.clone(), case, DEFAULT_HINT_WIDTH);
    shown_values(&snapshot, whole, case);
    inputs_form(&snapshot, case, &problems);
    messages(dialect, prompt);
}

#[test]
fn features() {
    let dialects = 0..Dialect::ALL.len();
    bolero::check!()
        .with_iterations(EXECUTIONS)
        .with_generator((dialects, prompts().text(), json().text(), produce::<usize>()))
        .for_each(|(dialect, prompt, inputs, offset)| {
            every_feature(Dialect::ALL[*dialect], prompt, inputs, *offset);
        });
}
