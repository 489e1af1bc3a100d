//! Every vector through the resolver.

use promptls_analysis::{Settings, Snapshot, diagnose, format_prompt};
use promptls_resolver::{
    Code, Declarations, Engine, EngineRef, FileId, Format, Inputs, Resolution, ResolveContext,
    RunKind, Severity, Template, Workflow, render, render_nullable,
};
use promptls_syntax::{Dialect, Tree};
use promptls_tests::vectors::{Vector, engine_vectors, field_vectors, vectors};
use promptls_workspace::replaced;

/// The inputs and the declarations of a case.
fn given(vector: &Vector) -> (Inputs, Declarations) {
    let inputs = match &vector.inputs {
        None => Inputs::empty(),
        Some(text) => {
            let parsed = Inputs::parse(text, Format::Json, FileId(1));
            parsed.value.unwrap_or_else(|| panic!("{}: {:?}", vector.name, parsed.problems))
        }
    };
    let declarations = match &vector.variables {
        None => Declarations::default(),
        Some(text) => {
            Declarations::parse(text, Format::Json, FileId(2)).value.expect("variables are fine")
        }
    };
    (inputs, declarations)
}

fn workflow(written: &serde_json::Value) -> Workflow {
    let parsed = Inputs::parse(&written.to_string(), Format::Json, FileId(3)).value;
    let root = parsed.expect("what serde_json writes is JSON").root;
    let of = |key: &str| root.get(key).expect("a workflow has it").value.clone();
    let outputs = of("outputs").as_object().cloned().expect("outputs are an object");
    Workflow { input: of("input"), outputs }
}

/// The engine that was run; `None` for the documented behaviour.
fn engine_of_text(vector: &Vector) -> Option<EngineRef> {
    let engine = EngineRef::parse(vector.engine.as_ref()?).expect("the engine is known");
    Some(engine.of_field(vector.field.as_deref().unwrap_or_default()))
}

fn resolve(vector: &Vector, text: &str) -> (Resolution, Result<String, String>, Vec<String>) {
    let (inputs, declarations) = given(vector);
    let engine = match engine_of_text(vector) {
        Some(engine) => engine.engine(),
        None => Engine::from(Dialect::from_id(&vector.dialect).expect("this is a dialect")),
    };
    let template = Template::compile(engine, text);
    let workflow = vector.workflow.as_ref().map(workflow);
    let given = ResolveContext {
        agent: vector.agent.as_deref(),
        workflow: workflow.as_ref(),
        ..ResolveContext::new(&inputs, &declarations)
    };
    let rendered = template.render(&given).map_err(|error| error.message);
    if vector.variables.is_none() && vector.agent.is_none() && workflow.is_none() {
        let at_once = render(engine, text, &inputs).map_err(|error| error.message);
        assert_eq!(at_once, rendered, "{}: one call does the same", vector.name);
    }
    (template.resolve(&given), rendered, template.names())
}

#[test]
fn every_vector_resolves_as_its_engine_does() {
    let (documented, engines) = (vectors(), engine_vectors());
    assert!(documented.len() > 400 && engines.len() > 2_700, "the vectors are there");
    for vector in documented.iter().chain(&engines).chain(&field_vectors()) {
        let Some(text) = &vector.template else {
            let dialect = Dialect::from_id(&vector.dialect).expect("this is a dialect");
            let rendered = render_nullable(dialect, None, Some(&[("a", "b")]));
            vector.check(&rendered.map_err(|error| (error.kind.id().to_owned(), error.names)));
            continue;
        };
        let (resolution, rendered, names) = resolve(vector, text);
        let expected_rendered = match &resolution.error {
            None => Ok(resolution.text.clone()),
            Some(error) => Err(error.message.clone()),
        };
        assert_eq!(rendered, expected_rendered, "{}: both ways agree", vector.name);

        check_map(vector, text, &resolution);
        vector.check_message(resolution.error.as_ref().map(|error| &*error.message));
        vector.check(&match resolution.error {
            None => Ok(Some(resolution.text)),
            Some(error) => Err((error.kind.id().to_owned(), error.names)),
        });
        if let Some(expected) = &vector.names {
            assert_eq!(&names, expected, "{}: {text:?}", vector.name);
        }
    }
}

/// The runs of the map are contiguous, and literal runs equal the prompt.
fn check_map(vector: &Vector, prompt: &str, resolution: &Resolution) {
    let mut at = 0;
    for run in &resolution.map.runs {
        assert_eq!(run.output.start, at, "{}: {run:?}", vector.name);
        at = run.output.end;
        if run.kind == RunKind::Literal {
            let written = &prompt[run.source.clone()];
            assert_eq!(resolution.text[run.output.clone()], *written, "{}: {run:?}", vector.name);
        }
    }
    assert_eq!(at, resolution.text.len(), "{}: the map covers the text", vector.name);
}

/// With the existing white space, and with more of it.
#[test]
fn formatting_changes_no_resolution_of_a_vector() {
    let mut formatted = 0;
    for vector in &vectors() {
        let Some(written) = &vector.template else { continue };
        let spread =
            written.replace('{', "{ ").replace("{ {", "{{").replace('}', " }").replace("} }", "}}");
        for text in [written, &spread] {
            let dialect = Dialect::from_id(&vector.dialect).expect("this is a dialect");
            let (inputs, declarations) = given(vector);
            let mut snapshot = Snapshot::new(dialect, text).with_case("default", inputs);
            snapshot.declarations = declarations.into();
            let edits = format_prompt(&snapshot);
            let after = replaced(text, &edits);
            formatted += usize::from(!edits.is_empty());

            let ((was, sent, _), (is, sent_now, _)) =
                (resolve(vector, text), resolve(vector, &after));
            assert_eq!(was.error, is.error, "{}: {text:?}", vector.name);
            assert_eq!(sent, sent_now, "{}: {text:?}", vector.name);
            let again = Snapshot::new(dialect, &after);
            let again =
                Snapshot { cases: snapshot.cases, declarations: snapshot.declarations, ..again };
            assert_eq!(format_prompt(&again), [], "{}: {after:?}", vector.name);
        }
    }
    assert!(formatted > 50, "only {formatted} of them have blanks to lose");
}

/// Texts that are sent but certainly not intended are errors, too.
const NOT_MEANT: [Code; 5] = [
    Code::UndefinedPlaceholder,
    Code::UndeclaredVariable,
    Code::UnclosedBlock,
    Code::StrayCloser,
    Code::MismatchedCloser,
];

/// A check of a prompt reports what its engine rejects, and nothing that it accepts.
#[test]
fn every_vector_has_an_error_if_its_engine_has_one() {
    let mut wrong = Vec::new();
    for vector in vectors().iter().chain(&engine_vectors()).chain(&field_vectors()) {
        let Some(text) = vector.template.as_deref() else { continue };
        let (inputs, declarations) = given(vector);
        let dialect = Dialect::from_id(&vector.dialect).expect("this is a dialect");
        let settings = Settings {
            engines: engine_of_text(vector).into_iter().collect(),
            agent: vector.agent.clone(),
            ..Settings::default()
        };
        let snapshot = Snapshot {
            tree: Tree::parse(settings.engine_of(dialect), text).into(),
            has_variables_file: vector.variables.is_some(),
            declarations: declarations.into(),
            settings: settings.into(),
            ..Snapshot::new(dialect, text).with_case("default", inputs)
        };
        let refused = snapshot.resolve(Some(0)).error;
        let problems = diagnose(&snapshot, 1_000);
        let errors = problems.iter().filter(|problem| {
            let is_error = problem.severity == Severity::Error;
            is_error && (refused.is_some() || !NOT_MEANT.contains(&problem.code))
        });
        let errors: Vec<&str> = errors.map(|problem| &*problem.message).collect();
        if refused.is_some() == errors.is_empty() {
            wrong.push(format!("{}: {text:?} {refused:?} {errors:?}\n", vector.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.concat());
}
