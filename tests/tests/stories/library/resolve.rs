//! Resolving never panics, its map covers the output, and it agrees with engines implemented in a
//! few lines of regular expressions, directly from their documents.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use promptls_resolver::{
    Declarations, ErrorKind, FileId, Format, Inputs, Resolution, ResolveContext, Run, RunKind,
    Template, render,
};
use promptls_syntax::Dialect;
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use regex::{Captures, Regex};

const PIECES: &[&str] = &[
    "{",
    "}",
    "{{",
    "}}",
    "{a}",
    "{b}",
    "{{a}}",
    "{{b}}",
    "{a_}",
    "{ a }",
    "{a?}",
    "{b ?}",
    "a",
    "b",
    "_",
    "__",
    " ",
    "\n",
    "é",
    "🎉",
    "x",
    "{{{a}}}",
    "{{a}}_",
    "{app:a}",
    "{artifact.a}",
    "__AGENTENSEMBLE_ESCAPED_",
    "{{#if a}}",
    "{{/if}}",
    "{{#each l}}",
    "{{/each}}",
    "{{this}}",
    "{{this.k}}",
    "{{l[0]}}",
    "{{a.b}}",
    "{A_B}",
    "{task_0.output_0}",
    "{task_0.output_all}",
];

fn text() -> impl Strategy<Value = String> {
    vec(prop::sample::select(PIECES), 0..16).prop_map(|pieces| pieces.concat())
}

/// Inputs whose values may contain placeholders.
fn values() -> impl Strategy<Value = BTreeMap<String, String>> {
    let key = prop::sample::select(vec![
        "a",
        "b",
        "a_",
        "app:a",
        "artifact.a",
        "A_B",
        "xa",
        "__AGENTENSEMBLE_ESCAPED_a__",
    ]);
    btree_map(key.prop_map(str::to_owned), text(), 0..6)
}

fn inputs(values: &BTreeMap<String, String>) -> Inputs {
    let mut object = serde_json::json!({
        "l": [{"k": "v"}, "plain", null],
        "task_0": {"output_0": "out", "output_1": {"text": "t"}},
    });
    for (key, value) in values {
        object[key] = serde_json::Value::from(value.as_str());
    }
    let parsed = Inputs::parse(&object.to_string(), Format::Json, FileId(1));
    parsed.value.expect("the inputs are an object")
}

fn resolve(dialect: Dialect, text: &str, inputs: &Inputs) -> Resolution {
    let declarations = Declarations::default();
    Template::compile(dialect, text).resolve(&ResolveContext::new(inputs, &declarations))
}

/// The runs are in order and contiguous, and literal ones equal the prompt's text.
fn check_map(text: &str, resolution: &Resolution) {
    let mut at = 0;
    for run in &resolution.map.runs {
        assert_eq!(run.output.start, at, "{text:?} {run:?}");
        at = run.output.end;
        check_run(text, &resolution.text, run);
    }
    assert_eq!(at, resolution.text.len(), "{text:?}");
}

fn check_run(text: &str, output: &str, run: &Run) {
    assert!(text.get(run.source.clone()).is_some(), "{text:?} {run:?}");
    assert!(output.get(run.output.clone()).is_some(), "{text:?} {run:?}");
    if run.kind == RunKind::Literal {
        assert_eq!(output[run.output.clone()], text[run.source.clone()], "{text:?} {run:?}");
    }
    assert_eq!(run.kind == RunKind::Mixed, !run.parts.is_empty(), "{text:?} {run:?}");
    for part in &run.parts {
        assert!(text.get(part.source.clone()).is_some(), "{text:?} {part:?}");
        let (inner, outer) = (&part.output, &run.output);
        assert!(outer.start <= inner.start && inner.end <= outer.end, "{text:?} {run:?}");
    }
}

/// A pattern that is compiled once, not for each case.
macro_rules! pattern {
    ($pattern:literal) => {{
        static PATTERN: LazyLock<Regex> =
            LazyLock::new(|| Regex::new($pattern).expect("the pattern is valid"));
        &*PATTERN
    }};
}

/// AgentEnsemble's document, step by step.
fn agentensemble(text: &str, values: &BTreeMap<String, String>) -> Result<String, Vec<String>> {
    if text.trim().is_empty() {
        return Ok(text.to_owned());
    }
    let mut working = pattern!(r"\{\{([A-Za-z0-9_]+)\}\}")
        .replace_all(text, "__AGENTENSEMBLE_ESCAPED_${1}__")
        .into_owned();
    let mut names: Vec<String> = Vec::new();
    for found in pattern!(r"\{([A-Za-z0-9_]+)\}").captures_iter(&working) {
        if !names.contains(&found[1].to_owned()) {
            names.push(found[1].to_owned());
        }
    }
    let missing: Vec<String> =
        names.iter().filter(|name| !values.contains_key(*name)).cloned().collect();
    if !missing.is_empty() {
        return Err(missing);
    }
    for name in names {
        working = working.replace(&format!("{{{name}}}"), &values[&name]);
    }
    let restored = pattern!(r"__AGENTENSEMBLE_ESCAPED_([A-Za-z0-9_]+)__");
    Ok(restored.replace_all(&working, "{${1}}").into_owned())
}

/// ADK's single pass; the error contains the missing names.
fn adk(text: &str, values: &BTreeMap<String, String>) -> Result<String, Vec<String>> {
    let name = pattern!(
        r"^(?:(?:app|user|temp):)?[\p{L}\p{Nl}\p{Sc}\p{Pc}][\p{L}\p{Nl}\p{Sc}\p{Pc}\p{Nd}\p{M}\p{Cf}]*$"
    );
    let mut missing = Vec::new();
    let replaced = pattern!(r"\{+[^{}]*\}+").replace_all(text, |found: &Captures<'_>| {
        let key = found[0].trim_matches(['{', '}']).trim_matches(|c: char| c <= ' ');
        let (key, optional) = match key.strip_suffix('?') {
            Some(key) => (key, true),
            None => (key, false),
        };
        if !key.starts_with("artifact.") && !name.is_match(key) {
            return found[0].to_owned();
        }
        match values.get(key) {
            Some(value) => value.clone(),
            None if optional => String::new(),
            None => {
                missing.push(key.to_owned());
                found[0].to_owned()
            }
        }
    });
    missing.truncate(1);
    if missing.is_empty() { Ok(replaced.into_owned()) } else { Err(missing) }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]

    #[test]
    fn the_map_covers_the_output_exactly(
        dialect in prop::sample::select(Dialect::ALL.to_vec()),
        text in text(),
        values in values(),
    ) {
        let inputs = inputs(&values);
        let resolution = resolve(dialect, &text, &inputs);
        check_map(&text, &resolution);
        let declarations = Declarations::default();
        let rendered = Template::compile(dialect, &text).render(&ResolveContext::new(&inputs, &declarations));
        prop_assert_eq!(&rendered, &render(dialect, &text, &inputs));
        let expected = resolution.error.map_or(Ok(resolution.text), Err);
        prop_assert_eq!(rendered, expected);
    }

    #[test]
    fn agentensemble_matches_its_document(text in text(), mut values in values()) {
        let resolution = resolve(Dialect::AgentEnsemble, &text, &inputs(&values));
        // Lists cause another kind of error, with its own test.
        prop_assume!(resolution.error.as_ref().is_none_or(|error| error.kind == ErrorKind::Missing));
        for name in ["l", "task_0"] {
            values.insert(name.to_owned(), String::new());
        }
        let actual = match resolution.error {
            None => Ok(resolution.text),
            Some(error) => Err(error.names),
        };
        prop_assert_eq!(actual, agentensemble(&text, &values), "{:?}", text);
    }

    #[test]
    fn adk_matches_its_document(text in text(), values in values()) {
        prop_assume!(!text.contains("{l}") && !text.contains("task_0}"));
        let resolution = resolve(Dialect::Adk, &text, &inputs(&values));
        let actual = match resolution.error {
            None => Ok(resolution.text),
            Some(error) => Err(error.names),
        };
        prop_assert_eq!(actual, adk(&text, &values), "{:?}", text);
    }

    #[test]
    fn output_never_exceeds_its_limit(
        dialect in prop::sample::select(Dialect::ALL.to_vec()),
        text in text(),
        values in values(),
        max_output in 0usize..60,
    ) {
        let (inputs, declarations) = (inputs(&values), Declarations::default());
        let given = ResolveContext { max_output, ..ResolveContext::new(&inputs, &declarations) };
        let resolution = Template::compile(dialect, &text).resolve(&given);
        prop_assert!(resolution.text.len() <= max_output);
        check_map(&text, &resolution);
    }
}
