//! The result for any prompt with any inputs, in every dialect and for every engine.

use promptls_fuzz::EXECUTIONS;
use promptls_resolver::{
    Code, Declarations, Dialect, ENGINES, Engine, FileId, Format, Inputs, ResolveContext, RunKind,
    Template, render,
};

use crate::texts::{json, prompts};

/// Those of the documents, and all others in all their versions.
fn engines() -> impl Iterator<Item = Engine> {
    let documented = Dialect::ALL.into_iter().map(Engine::from);
    documented.chain(ENGINES.iter().flat_map(|profile| profile.engines()))
}

fn resolves(prompt: &str, inputs: &str, variables: &str) {
    let read = Inputs::parse(inputs, Format::Json, FileId(1));
    let inputs = read.value.unwrap_or_default();
    let declared = Declarations::parse(variables, Format::Json, FileId(2));
    let declarations = declared.value.unwrap_or_default();
    for engine in engines() {
        let template = Template::compile(engine, prompt);
        let given =
            ResolveContext { max_output: 1 << 16, ..ResolveContext::new(&inputs, &declarations) };
        let resolved = template.resolve(&given);

        // Each byte has one origin, and literal text equals the prompt.
        let mut end = 0;
        for run in &resolved.map.runs {
            assert_eq!(run.output.start, end, "{engine:?}: {run:?}");
            let source = prompt.get(run.source.clone());
            assert!(source.is_some(), "{engine:?}: {run:?}");
            if run.kind == RunKind::Literal && run.via.is_none() {
                assert_eq!(source, resolved.text.get(run.output.clone()), "{engine:?}: {run:?}");
            }
            end = run.output.end;
        }
        assert_eq!(end, resolved.text.len(), "{engine:?}");

        // The fast path gives the same text or error.
        let is_cut = resolved.problems.iter().any(|problem| problem.code == Code::LimitExceeded);
        if !is_cut {
            let expected = match &resolved.error {
                None => Ok(&resolved.text),
                Some(error) => Err(error),
            };
            assert_eq!(template.render(&given).as_ref(), expected, "{engine:?}");
        }
        let alone = template.resolve(&ResolveContext::new(&inputs, &Declarations::default()));
        let expected = match alone.error {
            None => Ok(alone.text),
            Some(error) => Err(error),
        };
        assert_eq!(render(engine, prompt, &inputs), expected, "{engine:?}");
    }
}

#[test]
fn resolve() {
    prompts().each(|prompt| resolves(prompt, r#"{"a": "1", "b": [{"c": 2}, null]}"#, ""));
    bolero::check!()
        .with_iterations(EXECUTIONS)
        .with_generator((prompts().text(), json().text(), json().text()))
        .for_each(|(prompt, inputs, variables)| resolves(prompt, inputs, variables));
}
