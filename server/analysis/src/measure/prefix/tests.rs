use expect_test::{Expect, expect};
use promptls_syntax::Dialect;

use super::*;
use crate::snapshot::Settings;
use crate::snapshot::test::Fixture;

/// Checks the prefix in each case, marked by bars, and the source of its end.
#[track_caller]
fn check(dialect: Dialect, text: &str, variables: &str, cases: &[&str], expected: Expect) {
    let names: Vec<String> = (0..cases.len()).map(|case| format!("case{case}")).collect();
    let cases: Vec<(&str, &str)> =
        names.iter().map(String::as_str).zip(cases.iter().copied()).collect();
    let settings =
        Settings { runtime: crate::snapshot::test::names(["now"]), ..Settings::default() };
    let fixture = Fixture::new(dialect, text).cases(&cases).variables(variables);
    let snapshot = fixture.settings(settings).build();
    let template = Template::compile(dialect, text);
    let line = |(case, given): (usize, &ResolveContext<'_>)| {
        let resolution = template.resolve(given);
        let shown = (!cases.is_empty()).then_some(case);
        let prefix = static_prefix(&snapshot, &template, shown, &resolution);
        let (same, rest) = resolution.text.split_at(prefix.end);
        let until = prefix.until.map(|Until { path, source }| {
            format!(" until {} at {}", path.unwrap_or_default(), &text[source])
        });
        assert_eq!(prefix.cases, cases.len());
        format!("|{same}|{rest}{}\n", until.unwrap_or_default())
    };
    let lines: String = snapshot.given().iter().enumerate().map(line).collect();
    expected.assert_eq(&lines);
}

#[track_caller]
fn check_adk(text: &str, cases: &[&str], expected: Expect) {
    check(Dialect::Adk, text, "{}", cases, expected);
}

#[track_caller]
fn check_agentle(text: &str, cases: &[&str], expected: Expect) {
    check(Dialect::Agentle, text, "{}", cases, expected);
}

#[test]
fn the_prefix_includes_the_common_start_of_values() {
    check_adk(
        "To {a}, {b}!",
        &[r#"{"a": "all", "b": "be"}"#, r#"{"a": "all", "b": "bé"}"#],
        expect![[r#"
            |To all, b|e! until b at {b}
            |To all, b|é! until b at {b}
        "#]],
    );
}

#[test]
fn the_prefix_of_equal_texts_has_no_end() {
    let same = r#"{"a": 1}"#;
    check_adk(
        "{a}.",
        &[same, same],
        expect![[r#"
        |1.|
        |1.|
    "#]],
    );
}

#[test]
fn with_at_most_one_case_the_prefix_ends_at_the_first_placeholder() {
    check_adk(
        "Dear {a}, {b}",
        &[r#"{"a": "A", "b": "B"}"#],
        expect![[r#"
        |Dear |A, B until a at {a}
    "#]],
    );
    check_adk(
        "Dear {a}",
        &[r#"{}"#],
        expect![[r#"
        |Dear |{a} until a at {a}
    "#]],
    );
    check_adk(
        "Dear {a}",
        &[],
        expect![[r#"
        |Dear |{a} until a at {a}
    "#]],
    );
    check_adk(
        "Dear {\"json\": 1}",
        &[],
        expect![[r#"
        |Dear {"json": 1}|
    "#]],
    );
    check(
        Dialect::AgentEnsemble,
        "{{b}} {a}",
        "{}",
        &[],
        expect![[r#"
        |{b} |{a} until a at {a}
    "#]],
    );
}

#[test]
fn with_one_case_the_prefix_ends_at_the_first_block() {
    check_agentle(
        "A{{#if x}}B{{/if}}C",
        &[r#"{"x": 1}"#],
        expect![[r#"
        |A|BC until x at {{#if x}}
    "#]],
    );
    check_agentle(
        "A{{#if x}}B{{/if}}",
        &["{}"],
        expect![[r#"
        |A| until x at {{#if x}}
    "#]],
    );
    check_agentle(
        "A{{#if x}}B",
        &["{}"],
        expect![[r#"
        |A{{#if x}}B|
    "#]],
    );
}

#[test]
fn the_text_of_a_fragment_is_part_of_the_prefix() {
    check(
        Dialect::PromptPack,
        "{{fragments.rules}} {{x}}",
        r#"{"fragments": {"rules": "Be {{kind}}."}}"#,
        &[r#"{"x": 1, "kind": "nice"}"#],
        expect![[r#"
            |Be |nice. 1 until kind at {{fragments.rules}}
        "#]],
    );
}

#[test]
fn the_prefix_ends_at_a_placeholder_with_different_values() {
    check_adk(
        "{a}\n{b}",
        &[r#"{"a": "x\n", "b": ""}"#, r#"{"a": "x", "b": "\ny"}"#],
        expect![[r#"
            |x

            | until a at {a}
            |x

            |y until a at {a}
        "#]],
    );
    check_adk(
        "{a?}{b}",
        &[r#"{"b": "same"}"#, r#"{"a": "+", "b": "same"}"#],
        expect![[r#"
        ||same until a at {a?}
        ||+same until a at {a?}
    "#]],
    );
}

#[test]
fn the_prefix_ends_at_a_value_that_is_missing_in_another_case() {
    check_adk(
        "Hi {a}",
        &[r#"{"a": "{b}"}"#, "{}"],
        expect![[r#"
        |Hi {|b} until a at {a}
        |Hi {|a} until a at {a}
    "#]],
    );
}

#[test]
fn the_prefix_ends_at_runtime_names() {
    check_adk(
        "It is {now}, {a}",
        &[r#"{"a": 1}"#, r#"{"a": 2}"#],
        expect![[r#"
        |It is |{now}, 1 until now at {now}
        |It is |{now}, 2 until now at {now}
    "#]],
    );
    check_adk(
        "It is {now}, {a}",
        &[r#"{"a": 1}"#],
        expect![[r#"
        |It is |{now}, 1 until now at {now}
    "#]],
    );
    check_adk(
        "{a} {now}",
        &[r#"{"a": 1}"#, r#"{"a": 2}"#],
        expect![[r#"
        ||1 {now} until a at {a}
        ||2 {now} until a at {a}
    "#]],
    );
}

#[test]
fn the_prefix_ends_at_a_condition_that_differs_between_cases() {
    check_agentle(
        "A{{#if x}}B{{/if}}C",
        &[r#"{"x": 1}"#, r#"{}"#],
        expect![[r#"
        |A|BC until x at {{#if x}}
        |A|C until x at {{#if x}}
    "#]],
    );
    check_agentle(
        "A{{#if x}}B{{/if}}{{#if y}}C{{/if}}",
        &[r#"{"x": 1}"#, r#"{"y": 1}"#],
        expect![[r#"
            |A|B until x at {{#if x}}
            |A|C until x at {{#if x}}
        "#]],
    );
    check_agentle(
        "A{{#if x}}B{{/if}}",
        &[r#"{}"#, r#"{"x": 1}"#],
        expect![[r#"
        |A| until x at {{#if x}}
        |A|B until x at {{#if x}}
    "#]],
    );
}

#[test]
fn the_prefix_ends_at_a_loop_with_different_items() {
    let text = "{{#if x}}{{#each xs}}-{{this}}\n{{/each}}{{/if}}end";
    check_agentle(
        text,
        &[r#"{"x": 1, "xs": ["a"]}"#, r#"{"x": 1, "xs": ["a", "b"]}"#],
        expect![[r#"
            |-a
            |end until xs at {{#each xs}}
            |-a
            |-b
            end until xs at {{#each xs}}
        "#]],
    );
    let text = "{{#each xs}}{{#if this.n}}#{{/if}}-{{/each}}";
    check_agentle(
        text,
        &[r#"{"xs": [{"n": 1}, {"n": 1}]}"#, r#"{"xs": [{"n": 1}, {"n": 0}]}"#],
        expect![[r#"
            |#-|#- until this.n at {{#if this.n}}
            |#-|- until this.n at {{#if this.n}}
        "#]],
    );
    check_agentle(
        text,
        &[r#"{"xs": [{"n": 1}, {"n": 1}]}"#, r#"{"xs": [{"n": 1}]}"#],
        expect![[r#"
            |#-|#- until xs at {{#each xs}}
            |#-| until xs at {{#each xs}}
        "#]],
    );
}

#[test]
fn the_prefix_never_splits_a_character() {
    check_adk(
        "{a}",
        &[r#"{"a": "x😀"}"#, r#"{"a": "x😁"}"#],
        expect![[r#"
        |x|😀 until a at {a}
        |x|😁 until a at {a}
    "#]],
    );
}
