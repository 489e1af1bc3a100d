//! Conversions of prompts to each other dialect.

use std::fmt::Write;

use expect_test::{Expect, expect};
use promptls_resolver::{Dialect, EngineError};
use proptest::prelude::*;

use super::*;
use crate::snapshot::test::Fixture;

/// Checks a prompt in each dialect, with all results.
#[track_caller]
fn check(dialect: Dialect, prompt: &str, inputs: &str, variables: &str, expected: Expect) {
    let mut fixture = Fixture::new(dialect, prompt).cases(&[("default", inputs)]);
    if !variables.is_empty() {
        fixture = fixture.variables(variables);
    }
    let snapshot = fixture.build();
    let mut shown = String::new();
    for target in Dialect::ALL {
        let _ = write!(shown, "{}: ", target.spec().id);
        match convert(&snapshot, target.into()) {
            Ok(conversion) => show(&mut shown, &conversion, inputs),
            Err(NotConverted::Unsupported(all)) => {
                for it in &all {
                    let _ = writeln!(shown, "{:?}: {}", it.range, it.reason);
                }
            }
            Err(error) => {
                let _ = writeln!(shown, "{error}");
            }
        }
    }
    expected.assert_eq(&shown);
}

fn show(shown: &mut String, conversion: &Conversion, inputs: &str) {
    let _ = writeln!(shown, "{}", conversion.text);
    for case in conversion.cases.iter().filter(|case| case.text != inputs) {
        let _ = writeln!(shown, "  {}", case.text.trim_end());
    }
    if let Some(variables) = &conversion.variables {
        let _ = writeln!(shown, "  {variables}");
    }
    let said = |sent: &Result<String, EngineError>| match sent {
        Ok(text) => format!("{text:?}"),
        Err(error) => format!("{}: {error}", error.kind),
    };
    for difference in &conversion.differences {
        let (before, after) = (said(&difference.before), said(&difference.after));
        let _ = writeln!(shown, "  not {before} but {after}");
    }
}

#[test]
fn from_agentensemble() {
    check(
        Dialect::AgentEnsemble,
        "Dear {name}, write {{name}} to {user_2}.",
        r#"{"name": "Ada", "user_2": "us"}"#,
        "",
        expect![[r#"
            agentensemble: Dear {name}, write {{name}} to {user_2}.
            adk: 11..31: Google ADK would interpret `{name}`, and cannot send it unchanged
            entaingine: Dear {NAME}, write {name} to {USER_2}.
              {"NAME": "Ada", "USER_2": "us"}
            promptpack: Dear {{name}}, write {name} to {{user_2}}.
            agentle: Dear {{name}}, write {name} to {{user_2}}.
            langfuse: Dear {{name}}, write {name} to {{user_2}}.
            format: Dear {name}, write {{name}} to {user_2}.
        "#]],
    );
}

#[test]
fn from_adk() {
    check(
        Dialect::Adk,
        "Dear {user:name}, {note?}: {artifact.terms.txt} {größe}.",
        r#"{"user:name": "Ada", "artifact.terms.txt": "None", "größe": 5}"#,
        "",
        expect![[r#"
            agentensemble: Dear {user_name}, {note}: {artifact_terms_txt} {gr_e}.
              {"user_name": "Ada", "artifact_terms_txt": "None", "gr_e": 5, "note": ""}
            adk: Dear {user:name}, {note?}: {artifact.terms.txt} {größe}.
            entaingine: Dear {USER_NAME}, {NOTE}: {ARTIFACT_TERMS_TXT} {GR_E}.
              {"USER_NAME": "Ada", "ARTIFACT_TERMS_TXT": "None", "GR_E": 5, "NOTE": ""}
            promptpack: Dear {{user_name}}, {{note}}: {{artifact.terms.txt}} {{gr_e}}.
              {"user_name": "Ada", "artifact.terms.txt": "None", "gr_e": 5, "note": ""}
            agentle: Dear {{user:name}}, {{note}}: {{artifact_terms_txt}} {{größe}}.
              {"user:name": "Ada", "artifact_terms_txt": "None", "größe": 5, "note": ""}
            langfuse: Dear {{user:name}}, {{note}}: {{artifact.terms.txt}} {{größe}}.
              {"user:name": "Ada", "artifact.terms.txt": "None", "größe": 5, "note": ""}
            format: Dear {user_name}, {note}: {artifact_terms_txt} {größe}.
              {"user_name": "Ada", "artifact_terms_txt": "None", "größe": 5, "note": ""}
        "#]],
    );
}

#[test]
fn from_entaingine() {
    check(
        Dialect::Entaingine,
        "{FILE_CONTENT}: {task_0.output_all}, {task_0.output_1}",
        r#"{
  // what was read
  "FILE_CONTENT": "text",
  "task_0": {"output_0": "a", "output_1": {"text": "b"}}
}"#,
        "",
        expect![[r#"
            agentensemble: {FILE_CONTENT}: {task_0_output_all}, {task_0_output_1}
              {
              // what was read
              "FILE_CONTENT": "text",
              "task_0_output_all": "a\nb",
              "task_0_output_1": "b"
            }
            adk: {FILE_CONTENT}: {task_0_output_all}, {task_0_output_1}
              {
              // what was read
              "FILE_CONTENT": "text",
              "task_0_output_all": "a\nb",
              "task_0_output_1": "b"
            }
            entaingine: {FILE_CONTENT}: {task_0.output_all}, {task_0.output_1}
            promptpack: {{FILE_CONTENT}}: {{task_0.output_all}}, {{task_0.output_1}}
              {
              // what was read
              "FILE_CONTENT": "text",
              "task_0.output_all": "a\nb",
              "task_0.output_1": "b"
            }
            agentle: {{FILE_CONTENT}}: {{task_0_output_all}}, {{task_0_output_1}}
              {
              // what was read
              "FILE_CONTENT": "text",
              "task_0_output_all": "a\nb",
              "task_0_output_1": "b"
            }
            langfuse: {{FILE_CONTENT}}: {{task_0.output_all}}, {{task_0.output_1}}
              {
              // what was read
              "FILE_CONTENT": "text",
              "task_0.output_all": "a\nb",
              "task_0.output_1": "b"
            }
            format: {FILE_CONTENT}: {task_0_output_all}, {task_0_output_1}
              {
              // what was read
              "FILE_CONTENT": "text",
              "task_0_output_all": "a\nb",
              "task_0_output_1": "b"
            }
        "#]],
    );
}

#[test]
fn from_promptpack() {
    check(
        Dialect::PromptPack,
        "{{fragments.greeting}} {{items[0].title}}, {{tone}}",
        r#"{"user": {"name": "Ada"}, "items": [{"title": "one"}]}"#,
        r#"{"variables": [{"name": "user"}, {"name": "items"}, {"name": "tone", "default": "calm"}], "fragments": {"greeting": "Dear {{user.name}},"}}"#,
        expect![[r#"
            agentensemble: Dear {user_name}, {items_0_title}, {tone}
              {"user_name": "Ada", "items_0_title": "one", "tone": "calm"}
              {"variables": [{"name": "tone", "default": "calm"}, {"name": "user_name"}, {"name": "items_0_title"}]}
            adk: Dear {user_name}, {items_0_title}, {tone}
              {"user_name": "Ada", "items_0_title": "one", "tone": "calm"}
              {"variables": [{"name": "tone", "default": "calm"}, {"name": "user_name"}, {"name": "items_0_title"}]}
            entaingine: Dear {USER_NAME}, {ITEMS_0_TITLE}, {TONE}
              {"USER_NAME": "Ada", "ITEMS_0_TITLE": "one", "TONE": "calm"}
              {"variables": [{"name": "TONE", "default": "calm"}, {"name": "USER_NAME"}, {"name": "ITEMS_0_TITLE"}]}
            promptpack: {{fragments.greeting}} {{items[0].title}}, {{tone}}
              {"variables": [{"name": "user"}, {"name": "items"}, {"name": "tone", "default": "calm"}], "fragments": {"greeting": "Dear {{user.name}},"}}
            agentle: Dear {{user.name}}, {{items_0_title}}, {{tone}}
              {"user": {"name": "Ada"}, "items_0_title": "one", "tone": "calm"}
              {"variables": [{"name": "user"}, {"name": "tone", "default": "calm"}, {"name": "items_0_title"}]}
            langfuse: Dear {{user.name}}, {{items[0].title}}, {{tone}}
              {"user.name": "Ada", "items[0].title": "one", "tone": "calm"}
              {"variables": [{"name": "tone", "default": "calm"}, {"name": "user.name"}, {"name": "items[0].title"}]}
            format: Dear {user_name}, {items_0_title}, {tone}
              {"user_name": "Ada", "items_0_title": "one", "tone": "calm"}
              {"variables": [{"name": "tone", "default": "calm"}, {"name": "user_name"}, {"name": "items_0_title"}]}
        "#]],
    );
}

#[test]
fn from_agentle() {
    check(
        Dialect::Agentle,
        "Dear {{ user.name }} of {{the team}}, {count}",
        r#"{"user": {"name": "Ada"}, "the team": "us"}"#,
        "",
        expect![[r#"
            agentensemble: Dear {user_name} of {the_team}, {{count}}
              {"the_team": "us", "user_name": "Ada"}
            adk: 38..45: Google ADK would interpret `{count}`, and cannot send it unchanged
            entaingine: Dear {USER_NAME} of {THE_TEAM}, {count}
              {"THE_TEAM": "us", "USER_NAME": "Ada"}
            promptpack: Dear {{user.name}} of {{the_team}}, {count}
              {"user": {"name": "Ada"}, "the_team": "us"}
            agentle: Dear {{ user.name }} of {{the team}}, {count}
            langfuse: Dear {{user.name}} of {{the team}}, {count}
              {"the team": "us", "user.name": "Ada"}
            format: Dear {user_name} of {the team}, {{count}}
              {"the team": "us", "user_name": "Ada"}
        "#]],
    );
}

#[test]
fn from_langfuse() {
    check(
        Dialect::Langfuse,
        "Dear {{ user.name }} of {{the team}}: {{#if x}}",
        r##"{"user.name": "Ada", "the team": "us", "#if x": "so"}"##,
        "",
        expect![[r##"
            agentensemble: Dear {user_name} of {the_team}: {if_x}
              {"user_name": "Ada", "the_team": "us", "if_x": "so"}
            adk: Dear {user_name} of {the_team}: {if_x}
              {"user_name": "Ada", "the_team": "us", "if_x": "so"}
            entaingine: Dear {USER_NAME} of {THE_TEAM}: {IF_X}
              {"USER_NAME": "Ada", "THE_TEAM": "us", "IF_X": "so"}
            promptpack: Dear {{user.name}} of {{the_team}}: {{if_x}}
              {"user.name": "Ada", "the_team": "us", "if_x": "so"}
            agentle: Dear {{user_name}} of {{the team}}: {{if_x}}
              {"user_name": "Ada", "the team": "us", "if_x": "so"}
            langfuse: Dear {{ user.name }} of {{the team}}: {{#if x}}
            format: Dear {user_name} of {the team}: {#if x}
              {"user_name": "Ada", "the team": "us", "#if x": "so"}
        "##]],
    );
}

#[test]
fn syntax_without_an_equivalent_is_reported_with_its_range() {
    check(
        Dialect::Agentle,
        "{{#if vip}}Dear{{/if}} {{name}}",
        r#"{"vip": true, "name": "Ada"}"#,
        "",
        expect![[r#"
            agentensemble: 0..11: AgentEnsemble cannot express a condition
            adk: 0..11: Google ADK cannot express a condition
            entaingine: 0..11: entAIngine cannot express a condition
            promptpack: 0..11: PromptPack cannot express a condition
            agentle: {{#if vip}}Dear{{/if}} {{name}}
            langfuse: 0..11: Langfuse cannot express a condition
            format: 0..11: Python braces cannot express a condition
        "#]],
    );
    check(
        Dialect::Langfuse,
        r#"{"user": {{name}}} in {page}"#,
        r#"{"name": "Ada"}"#,
        "",
        expect![[r#"
            agentensemble: {"user": {name}} in {{page}}
            adk: 9..18: Google ADK would read all of `{name}}` as one placeholder
            22..28: Google ADK would interpret `{page}`, and cannot send it unchanged
            entaingine: {"user": {NAME}} in {page}
              {"NAME": "Ada"}
            promptpack: {"user": {{name}}} in {page}
            agentle: {"user": {{name}}} in {page}
            langfuse: {"user": {{name}}} in {page}
            format: {{"user": {name}}} in {{page}}
        "#]],
    );
}

#[test]
fn values_that_print_differently_are_reported() {
    check(
        Dialect::Adk,
        "{tags} {n}",
        r#"{"tags": ["a", "b"], "n": 1.50}"#,
        "",
        expect![[r#"
            agentensemble: {tags} {n}
              not "[a, b] 1.50" but type: Inputs must be strings, these are lists or objects: [tags]
            adk: {tags} {n}
            entaingine: {TAGS} {N}
              {"TAGS": ["a", "b"], "N": 1.50}
              not "[a, b] 1.50" but "[\"a\",\"b\"] 1.50"
            promptpack: {{tags}} {{n}}
              not "[a, b] 1.50" but "[\"a\",\"b\"] 1.50"
            agentle: {{tags}} {{n}}
            langfuse: {{tags}} {{n}}
              not "[a, b] 1.50" but "['a', 'b'] 1.5"
            format: {tags} {n}
              not "[a, b] 1.50" but "['a', 'b'] 1.5"
        "#]],
    );
}

#[test]
fn only_inputs_that_are_no_longer_read_are_removed() {
    check(
        Dialect::PromptPack,
        "{{user}} {{user.name}} {{no}}",
        r#"{"user": {"name": "Ada"}, "name": "N", "no": null, "more": 1}"#,
        "",
        expect![[r#"
            agentensemble: {user} {user_name} {no}
              {"user": {"name": "Ada"}, "name": "N", "no": null, "more": 1, "user_name": "Ada"}
              not "{\"name\":\"Ada\"} Ada " but type: Inputs must be strings, these are lists or objects: [user]
            adk: {user} {user_name} {no}
              {"user": {"name": "Ada"}, "name": "N", "no": null, "more": 1, "user_name": "Ada"}
              not "{\"name\":\"Ada\"} Ada " but "{name=Ada} Ada "
            entaingine: {USER} {USER_NAME} {NO}
              {"USER": {"name": "Ada"}, "name": "N", "more": 1, "USER_NAME": "Ada", "NO": ""}
            promptpack: {{user}} {{user.name}} {{no}}
            agentle: {{user}} {{user.name}} {{no}}
              {"user": {"name": "Ada"}, "name": "N", "no": "", "more": 1}
              not "{\"name\":\"Ada\"} Ada " but "{name=Ada} Ada "
            langfuse: {{user}} {{user.name}} {{no}}
              {"user": {"name": "Ada"}, "name": "N", "no": null, "more": 1, "user.name": "Ada"}
              not "{\"name\":\"Ada\"} Ada " but "{'name': 'Ada'} Ada "
            format: {user} {user_name} {no}
              {"user": {"name": "Ada"}, "name": "N", "no": "", "more": 1, "user_name": "Ada"}
              not "{\"name\":\"Ada\"} Ada " but "{'name': 'Ada'} Ada "
        "#]],
    );
}

#[test]
fn distinct_names_stay_distinct() {
    check(
        Dialect::Agentle,
        "{{name}} {{NAME}} {{Name}} {{名前}} {{1st}}",
        r#"{"name": "a", "NAME": "b", "Name": "c", "名前": "d", "1st": "e"}"#,
        "",
        expect![[r#"
            agentensemble: {name} {NAME} {Name} {name_2} {1st}
              {"name": "a", "NAME": "b", "Name": "c", "name_2": "d", "1st": "e"}
            adk: {name} {NAME} {Name} {名前} {name_1st}
              {"name": "a", "NAME": "b", "Name": "c", "名前": "d", "name_1st": "e"}
            entaingine: {NAME_2} {NAME} {NAME_3} {NAME_4} {NAME_1ST}
              {"NAME_2": "a", "NAME": "b", "NAME_3": "c", "NAME_4": "d", "NAME_1ST": "e"}
            promptpack: {{name}} {{NAME}} {{Name}} {{name_2}} {{name_1st}}
              {"name": "a", "NAME": "b", "Name": "c", "name_2": "d", "name_1st": "e"}
            agentle: {{name}} {{NAME}} {{Name}} {{名前}} {{1st}}
            langfuse: {{name}} {{NAME}} {{Name}} {{名前}} {{1st}}
            format: {name} {NAME} {Name} {名前} {1st}
        "#]],
    );
}

#[test]
fn cyclic_fragments_are_refused() {
    let variables = r#"{"fragments": {"a": "{{fragments.b}}", "b": "{{fragments.a}}"}}"#;
    check(
        Dialect::PromptPack,
        "so {{fragments.a}}",
        "{}",
        variables,
        expect![[r#"
            agentensemble: 3..18: the fragment `a` includes itself
            adk: 3..18: the fragment `a` includes itself
            entaingine: 3..18: the fragment `a` includes itself
            promptpack: so {{fragments.a}}
              {"fragments": {"a": "{{fragments.b}}", "b": "{{fragments.a}}"}}
            agentle: 3..18: the fragment `a` includes itself
            langfuse: 3..18: the fragment `a` includes itself
            format: 3..18: the fragment `a` includes itself
        "#]],
    );
}

/// Only expanded fragments count as too long.
#[test]
fn a_long_prompt_is_converted() {
    let long = Snapshot::new(Dialect::Agentle, &"{{a}} ".repeat(60_000));
    let conversion = convert(&long, Dialect::Adk.into()).expect("it can be converted");
    assert_eq!(conversion.text, "{a} ".repeat(60_000));

    let twice =
        |at: usize| format!(r#""f{at}": "{{{{fragments.f{0}}}}} {{{{fragments.f{0}}}}}""#, at + 1);
    let fragments: Vec<String> = (0..30).map(twice).collect();
    let variables = format!(r#"{{"fragments": {{{}, "f30": "x"}}}}"#, fragments.join(", "));
    let doubling = Fixture::new(Dialect::PromptPack, "{{fragments.f0}}").variables(&variables);
    let refused = convert(&doubling.build(), Dialect::Adk.into()).unwrap_err();
    assert_eq!(refused.to_string(), "its fragments are too long to be written out");
}

/// A prompt parsed from its files after a conversion.
fn read_again(conversion: &Conversion, target: Dialect) -> Snapshot {
    let cases: Vec<(&str, &str)> =
        conversion.cases.iter().map(|case| (&*case.name, &*case.text)).collect();
    let fixture = Fixture::new(target, &conversion.text).cases(&cases);
    match &conversion.variables {
        Some(variables) => fixture.variables(variables).build(),
        None => fixture.build(),
    }
}

fn prompt() -> impl Strategy<Value = String> {
    let pieces = &[
        "{a}",
        "{{a}}",
        "{{ b.c }}",
        "{a?}",
        "{A_B}",
        "{task_0.output_0}",
        "{user:a}",
        "{{b.d[0]}}",
        "{{fragments.f}}",
        "{{the name}}",
        "{{#if a}}",
        "{{/if}}",
        "{",
        "}",
        "_",
        "a",
        " ",
        "\n",
        "é",
    ];
    prop::collection::vec(prop::sample::select(&pieces[..]), 0..8).prop_map(|it| it.concat())
}

const INPUTS: &[&str] = &[
    r#"{"a": "x", "b": {"c": "y", "d": ["z"]}, "the name": "n", "A_B": "{a}", "user:a": "u"}"#,
    r##"{"a": null, "b.c": "y", "task_0": {"output_0": {"text": "t"}}, "#if a": "so"}"##,
    r#"{"a": [1, {"k": 2.50}], "b": "y", "A_B": true}"#,
    "{}",
];

/// A prompt in a dialect, with inputs.
type PromptSample = (Dialect, String, Vec<&'static str>);

fn written() -> impl Strategy<Value = PromptSample> {
    let dialect = prop::sample::select(Dialect::ALL.to_vec());
    (dialect, prompt(), prop::sample::subsequence(INPUTS, 0..=2))
}

fn read((dialect, text, inputs): &PromptSample) -> Snapshot {
    let cases: Vec<(&str, &str)> =
        ["default", "other"].into_iter().zip(inputs.iter().copied()).collect();
    let variables =
        r#"{"variables": [{"name": "a", "default": "d"}], "fragments": {"f": "<{{a}}>"}}"#;
    Fixture::new(*dialect, text).cases(&cases).variables(variables).build()
}

proptest! {
    #[test]
    fn conversion_to_the_same_dialect_changes_nothing(written in written()) {
        let snapshot = read(&written);
        let conversion = convert(&snapshot, snapshot.dialect().into()).unwrap();
        prop_assert_eq!(&conversion.text, &snapshot.text.to_string());
        prop_assert_eq!(&conversion.differences, &[]);
        prop_assert!(conversion.names.is_empty());
        for case in &conversion.cases {
            prop_assert_eq!(Some(&*case.text), snapshot.file_texts.get(&case.file).map(|it| &**it));
        }
    }

    /// The converted files alone have the result that the conversion predicted, and can be
    /// converted back to the same.
    #[test]
    fn a_round_trip_through_another_dialect_sends_the_same(
        written in written(),
        target in prop::sample::select(Dialect::ALL.to_vec()),
    ) {
        let snapshot = read(&written);
        let Ok(there) = convert(&snapshot, target.into()) else { return Ok(()) };
        let read = read_again(&there, target);
        for case in 0..snapshot.cases.len() {
            let (before, after) = (snapshot.resolve(Some(case)), read.resolve(Some(case)));
            let name = &snapshot.cases[case].name;
            if !there.differences.iter().any(|it| it.case.as_ref() == Some(name)) {
                let kind = |error: Option<EngineError>| error.map(|error| error.kind);
                prop_assert_eq!(kind(before.error.clone()), kind(after.error));
                prop_assert!(before.error.is_some() || before.text == after.text);
            }
        }
        // Flawed escapes are not written on purpose.
        let is_flawed = snapshot.tree.tokens().any(|found| found.token.flaw.is_some());
        // A name without a value may be sent unchanged, and its syntax differs between dialects.
        let mut cases = 0..snapshot.cases.len();
        let has_all = cases.all(|case| snapshot.resolve(Some(case)).missing().is_empty());
        let has_inputs = !snapshot.cases.is_empty();
        if there.differences.is_empty() && has_inputs && has_all && !is_flawed {
            let back = convert(&read, snapshot.dialect().into());
            let back = back.map_err(|error| TestCaseError::fail(format!("{error:?}")))?;
            prop_assert_eq!(&back.differences, &[], "{} {:?}", there.text, there.cases);
            let last = read_again(&back, snapshot.dialect());
            for case in 0..snapshot.cases.len() {
                let (before, after) = (snapshot.resolve(Some(case)), last.resolve(Some(case)));
                prop_assert!(before.error.is_some() || before.text == after.text);
            }
        }
    }
}
