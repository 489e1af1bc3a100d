//! Results of both engines.

use proptest::prelude::*;

use super::*;
use crate::declarations::Declarations;
use crate::engine::Engine;
use crate::engines::EngineRef;
use crate::engines::agentle::agentle_python::Python;
use crate::engines::agentle::agentle4j::Java;
use crate::inputs::Inputs;
use crate::lookup::{lookup_at_item, lookup_name};
use promptls_data::Format;

fn engine(id: &str) -> Engine {
    EngineRef::parse(id).expect("it is known").engine()
}

fn inputs(json: &str) -> Inputs {
    Inputs::parse(json, Format::Json, FileId(1)).value.expect("it is an object")
}

/// The result of an engine for a prompt, with the general checks.
fn resolved(id: &str, prompt: &str, inputs: &Inputs) -> Resolution {
    let declarations = Declarations::default();
    let given = ResolveContext { max_output: 4000, ..ResolveContext::new(inputs, &declarations) };
    let template = Template::compile(engine(id), prompt);
    let resolution = template.resolve(&given);
    match template.render(&given) {
        Ok(text) => assert_eq!((&text, &None), (&resolution.text, &resolution.error)),
        Err(error) => assert_eq!(Some(error), resolution.error),
    }
    let mut end = 0;
    for run in &resolution.map.runs {
        assert_eq!(run.output.start, end, "{:?}", resolution.map);
        end = run.output.end;
        assert!(prompt.get(run.source.clone()).is_some(), "{run:?}");
        if run.kind == RunKind::Literal {
            assert_eq!(resolution.text[run.output.clone()], prompt[run.source.clone()]);
        }
    }
    assert_eq!(end, resolution.text.len());
    if resolution.error.is_none() {
        let execution = Execution { template: &template, given: &given };
        let (made, found, _) = match id {
            "agentle4j" => run::<Java>(execution, true),
            _ => run::<Python>(execution, true),
        };
        assert_eq!(made.text, resolution.text, "the quick way is another one");
        let missing = execution.judge(&found).problems.len();
        assert_eq!(missing, resolution.problems.len());
    }
    resolution
}

const INPUTS: &str =
    r#"{"a": "A", "l": ["{{a}}", "y"], "m": {"k": 1.50}, "t": true, "none": null}"#;

#[track_caller]
fn check(prompt: &str, [java, python]: [&str; 2]) {
    let inputs = inputs(INPUTS);
    for (id, expected) in [("agentle4j", java), ("agentle-python", python)] {
        assert_eq!(resolved(id, prompt, &inputs).text, expected, "{id}");
    }
}

#[test]
fn values_are_printed_as_in_their_language() {
    check("{{t}} {{l}} {{m}}", ["true [{{a}}, y] {k=1.5}", "True ['{{a}}', 'y'] {'k': 1.5}"]);
}

#[test]
fn placeholders_in_items_are_resolved_again() {
    check("{{#each l}}{{this}}{{/each}}", ["Ay", "Ay"]);
}

#[test]
fn conditions_do_not_see_items() {
    check("{{#each l}}{{#if this}}x{{/if}}-{{/each}}", ["--", "--"]);
}

#[test]
fn blocks_of_one_kind_nest_only_in_java() {
    check("{{#if a}}1{{#if none}}2{{/if}}3{{/if}}", ["13", "1"]);
    check("{{#each l}}{{#each m}}{{this}}{{/each}}.{{/each}}", ["k=1.5.k=1.5.", "A{{#each m}}y."]);
}

#[test]
fn a_loop_over_a_map_has_entries_or_keys() {
    check("{{#each m}}{{this}}{{this.key}}{{/each}}", ["k=1.5", "k"]);
}

#[test]
fn names_without_a_value_are_kept_if_there_is_no_block() {
    check("{{b}}{{none}}", ["{{b}}{{none}}", "{{b}}{{none}}"]);
    check("{{b}}{{none}}{{#if", ["{{#if", "{{#if"]);
}

#[test]
fn members_of_values_are_resolved_only_by_java() {
    check(
        "{{a.length}} {{l.size}} {{m.size}}",
        ["1 2 {{m.size}}", "{{a.length}} {{l.size}} {{m.size}}"],
    );
}

#[test]
fn python_accepts_any_whitespace_after_a_keyword() {
    check("{{#if\ta}}x{{/if}}", ["{{#if\ta}}x{{/if}}", "x"]);
}

#[test]
fn each_error_and_problem_is_reported() {
    let inputs = inputs(INPUTS);
    let found = resolved("agentle4j", r"{{b\c}} {{$x}} {{$2}}", &inputs);
    assert_eq!(found.text, "{{bc}} {{$x}} {{$2}}");
    let error = found.error.expect("it is raised");
    assert_eq!((error.kind, &*error.message), (ErrorKind::Engine, "Illegal group reference"));
    assert_eq!(found.problems.len(), 3);
    let found = resolved("agentle-python", "{{a.upper}}{{b}}", &inputs);
    let codes: Vec<Code> = found.problems.iter().map(|problem| problem.code).collect();
    assert_eq!(codes, [Code::UndefinedPlaceholder, Code::EngineUnpredictable]);
    // One of two items has it, the other has not.
    let found = resolved("agentle-python", "{{#each l}}{{this.upper}}{{/each}}", &inputs);
    assert_eq!(found.problems.len(), 1);
    let prompt = "{{#each all}}{{this.items}}{{/each}}";
    let found = resolved("agentle-python", prompt, &self::inputs(r#"{"all": [1, {}]}"#));
    assert_eq!(found.problems.len(), 2);
}

#[test]
fn runs_record_the_steps_of_their_text() {
    let inputs = inputs(r#"{"l": [["{{a}}"]], "a": "A"}"#);
    let prompt = "{{#each l}}<{{#each this}}{{this}}{{/each}}>{{/each}}";
    let found = resolved("agentle4j", prompt, &inputs);
    let runs = found.map.runs.iter().map(|run| {
        let steps = run.via.as_ref().map_or(0, |via| via.steps().len());
        (&found.text[run.output.clone()], run.kind, &prompt[run.source.clone()], steps)
    });
    let runs: Vec<_> = runs.collect();
    assert_eq!(
        runs,
        [
            ("<", RunKind::Literal, "<", 1),
            ("A", RunKind::Mixed, "{{this}}", 2),
            (">", RunKind::Literal, ">", 1),
        ]
    );
}

#[test]
fn most_prompts_use_the_fast_path() {
    let check = |prompt, expected: [bool; 2]| {
        let is_quick = ["agentle4j", "agentle-python"]
            .map(|id| Template::compile(engine(id), prompt).is_orderly);
        assert_eq!(is_quick, expected, "{prompt}");
    };
    check("Dear {{ user.name }}: {1, 2}", [true; 2]);
    check("{{#if a}}{{#each l}}{{this.x}}{{/each}}{{/if}}", [true; 2]);
    check("{{#if a}}{{#if b}}{{/if}}{{/if}}", [true, false]);
    check("{{#each l}}{{#if this.x}}{{/if}}{{/each}}", [false; 2]);
    check("{{{a}}} {{.}} {{$x}}", [false; 2]);
    check("{{#if a}}", [false; 2]);
    check("{{#if\ta}}{{/if}}", [false; 2]);
}

#[test]
fn endless_resolution_is_a_limit_error() {
    let inputs = inputs(r#"{"l": [1], "e": ["{{#each e}}{{this}}{{/each}}"]}"#);
    let far = "{{#each l}}".repeat(2000) + &"{{/each}}".repeat(2000);
    for (id, prompt) in [("agentle-python", "{{#each e}}{{this}}{{/each}}"), ("agentle4j", &far)] {
        let error = resolved(id, prompt, &inputs).error.expect("it is raised");
        assert_eq!(error.kind, ErrorKind::Limit);
    }
}

#[test]
fn lookup_of_a_name_equals_resolution_of_its_placeholder() {
    let inputs = inputs(INPUTS);
    let declarations = Declarations::default();
    let given = ResolveContext::new(&inputs, &declarations);
    let item = Item::Value(&inputs.root.entries()[2].value);
    let java = engine("agentle4j");
    let text = |name| lookup_name(java, name, &given).text(80);
    assert_eq!(text("a.length").as_deref(), Some("1"));
    assert_eq!(text("m.k").as_deref(), Some("1.5"));
    assert_eq!(text("a.class.simpleName").as_deref(), Some("String"));
    let found = lookup_at_item(java, "this.k.intValue", item, &given);
    assert_eq!(found.text(80).as_deref(), Some("1"));
    let entry = Item::Entry(&inputs.root.entries()[0]);
    assert!(lookup_at_item(java, "this.key", entry, &given).is_missing());
    let found = lookup_at_item(engine("agentle-python"), "this", entry, &given);
    assert_eq!(found.text(80).as_deref(), Some("a"));
}

fn prompt() -> impl Strategy<Value = String> {
    let pieces = [
        "{{a}}",
        "{{this}}",
        "{{l}}",
        "{{.}}",
        "{{a.length}}",
        "{{l.clear}}",
        "{{b}}",
        "{{#if a}}",
        "{{#if t}}",
        "{{/if}}",
        "{{#each l}}",
        "{{#each .}}",
        "{{#each this}}",
        "{{/each}}",
        "{",
        "}",
        "{{",
        "}}",
        "#if",
        "#each ",
        "$1",
        "\\",
        "é",
        "😀",
        " ",
        "\u{85}",
        "\0",
    ];
    proptest::collection::vec(proptest::sample::select(pieces.to_vec()), 0..24)
        .prop_map(|pieces| pieces.concat())
}

/// A prompt with closed blocks.
fn orderly(depth: usize) -> BoxedStrategy<String> {
    let pieces = [
        "{{a}}",
        "{{ this }}",
        "{{this.k}}",
        "{{m.k}}",
        "{{b}}",
        "x",
        "{",
        " }",
        "{{l.size}}",
        "{{m}}",
    ];
    let piece = proptest::sample::select(pieces.to_vec()).prop_map(str::to_owned);
    if depth == 0 {
        return piece.boxed();
    }
    let inside =
        || proptest::collection::vec(orderly(depth - 1), 0..4).prop_map(|pieces| pieces.concat());
    let conditions = proptest::sample::select(vec![
        "this.upper",
        "a.bytes",
        "a",
        "e",
        "b",
        "t",
        "m.k",
        "this",
        "this.k",
        "items",
    ]);
    let loops = proptest::sample::select(vec!["l", "m", "a", "b", "this", "this.l", "items"]);
    prop_oneof![
        piece,
        inside(),
        (conditions, inside())
            .prop_map(|(path, inside)| format!("{{{{#if {path}}}}}{inside}{{{{/if}}}}")),
        (loops, inside())
            .prop_map(|(path, inside)| format!("{{{{#each {path}}}}}{inside}{{{{/each}}}}")),
    ]
    .boxed()
}

proptest! {
    /// The same for realistic prompts.
    #[test]
    fn the_fast_path_has_the_same_result(prompt in orderly(3), brought in "[a-z{}]{0,3}") {
        let json = format!(
            r#"{{"a": "{brought}", "l": ["{brought}", {{"k": 1, "l": [2]}}], "m": {{"k": "x"}}, "e": "", "t": 1e-400, "this": "i"}}"#
        );
        for id in ["agentle4j", "agentle-python"] {
            resolved(id, &prompt, &inputs(&json));
        }
    }

    /// The checks of [`resolved`] hold for any text.
    #[test]
    fn invariants_of_resolution_hold_for_any_text(prompt in prompt(), brought in prompt()) {
        let text = serde_json::Value::from(brought);
        let json = format!(r#"{{"a": {text}, "l": [{text}, [{text}], {{"k": {text}}}], "t": 1}}"#);
        for id in ["agentle4j", "agentle-python"] {
            resolved(id, &prompt, &inputs(&json));
        }
    }
}
