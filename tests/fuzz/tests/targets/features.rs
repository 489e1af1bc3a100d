//! All requests of an editor, at any position of any prompt.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use bolero::produce;
use promptls_analysis::{
    DEFAULT_CASE, DEFAULT_HINT_WIDTH, DEFAULT_MAX_PROBLEMS, Settings, Snapshot, code_actions,
    complete, complete_inputs, definition, diagnose, document_highlights, document_symbols,
    folding_ranges, hover, inlay_hints, inputs_form, messages, prepare_rename, references, rename,
    semantic_tokens, shown_values, symbol_at,
};
use promptls_fuzz::EXECUTIONS;
use promptls_resolver::{Dialect, ENGINES, EngineRef, FileId, Format, Inputs};
use promptls_syntax::Tree;

use crate::texts::{json, prompts};

/// The dialects as documented, and their engines in their newest versions.
static TARGETS: LazyLock<Vec<(Dialect, Option<EngineRef>)>> = LazyLock::new(|| {
    let engines = ENGINES.iter().map(|profile| {
        let engine = EngineRef::parse(profile.id).expect("the id of an engine is known");
        (profile.dialect(), Some(engine))
    });
    Dialect::ALL.into_iter().map(|dialect| (dialect, None)).chain(engines).collect()
});

fn every_feature(
    (dialect, engine): (Dialect, Option<EngineRef>),
    prompt: &str,
    inputs: &str,
    offset: usize,
) {
    let file = FileId(1);
    let settings = Settings { engines: engine.into_iter().collect(), ..Settings::default() };
    let mut snapshot = Snapshot {
        tree: Tree::parse(settings.engine_of(dialect), prompt).into(),
        settings: settings.into(),
        ..Snapshot::new(dialect, prompt)
    };
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
    messages(dialect, None, prompt);
}

#[test]
fn features() {
    bolero::check!()
        .with_iterations(EXECUTIONS)
        .with_generator((0..TARGETS.len(), prompts().text(), json().text(), produce::<usize>()))
        .for_each(|(target, prompt, inputs, offset)| {
            every_feature(TARGETS[*target], prompt, inputs, *offset);
        });
}
