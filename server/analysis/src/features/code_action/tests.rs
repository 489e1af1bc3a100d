//! Actions for each kind of problem, with the resulting files.

use std::collections::BTreeMap;

use expect_test::{Expect, expect};
use promptls_resolver::Format;
use promptls_syntax::Dialect;

use super::fix::replace;
use super::*;
use crate::diagnose::diagnose;
use crate::file_edit::edit_file;
use crate::snapshot::test::{Files, Fixture, with_cursor};

/// Checks all actions at `$0` with their changes, except for new files, which are offered
/// everywhere.
#[track_caller]
fn check(dialect: Dialect, cases: &[&str], variables: &str, marked: &str, expected: Expect) {
    let (text, cursor) = with_cursor(marked);
    let names: Vec<String> = (0..cases.len()).map(|case| format!("case{case}")).collect();
    let named: Vec<(&str, &str)> =
        names.iter().map(String::as_str).zip(cases.iter().copied()).collect();
    let mut fixture = Fixture::new(dialect, &text).cases(&named);
    let mut texts = BTreeMap::from([(FileId::PROMPT, text)]);
    texts.extend((1..).map(FileId).zip(cases.iter().map(|text| (*text).to_owned())));
    if !variables.is_empty() {
        fixture = fixture.variables(variables);
        texts.insert(Files::VARIABLES, variables.to_owned());
    }
    let snapshot = fixture.build();
    check_at(&snapshot, &texts, FileId::PROMPT, cursor, expected);
}

#[track_caller]
fn check_at(
    snapshot: &Snapshot,
    texts: &BTreeMap<FileId, String>,
    file: FileId,
    cursor: usize,
    expected: Expect,
) {
    let is_here = |action: &&CodeAction| !creates(action);
    let actions = actions_at(snapshot, file, cursor);
    let actions = actions.iter().filter(is_here);
    expected.assert_eq(&actions.map(|action| show(snapshot, texts, action)).collect::<String>());
}

/// Checks the new files that are offered.
#[track_caller]
fn check_new_files(snapshot: &Snapshot, expected: Expect) {
    let actions = actions_at(snapshot, FileId::PROMPT, 0);
    let actions = actions.iter().filter(|action| creates(action));
    let texts = BTreeMap::new();
    expected.assert_eq(&actions.map(|action| show(snapshot, &texts, action)).collect::<String>());
}

fn actions_at(snapshot: &Snapshot, file: FileId, cursor: usize) -> Vec<CodeAction> {
    let problems = diagnose(snapshot, 500);
    code_actions(snapshot, &problems, file, &(cursor..cursor), snapshot.first_case())
}

fn creates(action: &CodeAction) -> bool {
    action.changes.iter().any(|change| matches!(change, Change::Create(_)))
}

fn show(snapshot: &Snapshot, texts: &BTreeMap<FileId, String>, action: &CodeAction) -> String {
    let mark = match (action.is_preferred, action.is_safe) {
        (true, true) => "*! ",
        (true, false) => "* ",
        _ => "",
    };
    let mut lines = format!("{mark}{}\n", action.title);
    for change in &action.changes {
        let (file, after) = match change {
            Change::Text(edit) => {
                let mut text = texts[&edit.location.file].clone();
                text.replace_range(edit.location.range.clone(), &edit.text);
                (edit.location.file, text)
            }
            Change::File(file, edit) => {
                let after = edit_file(&texts[file], Format::Json, std::slice::from_ref(edit));
                (*file, after.expect("the edit can be done"))
            }
            other => {
                lines.push_str(&format!("  {other:?}\n"));
                continue;
            }
        };
        lines.push_str(&format!("  {}: {}\n", snapshot.file_name(file), after.trim_end()));
    }
    if let Some(why) = &action.disabled {
        lines.push_str(&format!("  cannot: {why}\n"));
    }
    lines
}

#[test]
fn one_action_adds_all_missing_names_except_misspelt_ones() {
    let all = |cases: &[&str], text: &str| {
        let named: Vec<(&str, &str)> = ["a", "b"].into_iter().zip(cases.iter().copied()).collect();
        let snapshot = Fixture::new(Dialect::Agentle, text).cases(&named).build();
        let actions = actions_at(&snapshot, FileId::PROMPT, 2);
        let all = actions.iter().find(|action| action.title.contains("missing names"));
        all.map(|action| {
            let edited = |case: usize, text: &str| {
                let edit = |change: &Change| match change {
                    Change::File(file, edit) if file.0 as usize == case + 1 => Some(edit.clone()),
                    _ => None,
                };
                let edits: Vec<_> = action.changes.iter().filter_map(edit).collect();
                edit_file(text, Format::Json, &edits).expect("the edits can be done")
            };
            let texts = cases.iter().enumerate().map(|(case, text)| edited(case, text));
            (action.title.clone(), texts.collect::<Vec<_>>())
        })
    };
    assert_eq!(all(&["{}"], "{{x}}"), None);
    assert_eq!(all(&[r#"{"name": 1}"#], "{{x}} {{nmae}} {{x}}"), None);
    let (title, texts) = all(&[r#"{"name": 1}"#], "{{x}} {{nmae}} {{user.a}} {{user.b}}").unwrap();
    assert_eq!(title, "Add all 3 missing names to a.json");
    assert_eq!(texts, [r#"{"name": 1, "x": "<x>", "user": {"a": "<user.a>", "b": "<user.b>"}}"#]);
    let (title, texts) = all(&[r#"{"x": 1}"#, r#"{"y": 1}"#], "{{x}} {{y}}").unwrap();
    assert_eq!(title, "Add both missing names to the cases without them");
    assert_eq!(texts, [r#"{"x": 1, "y": "<y>"}"#, r#"{"y": 1, "x": "<x>"}"#]);
}

#[test]
fn a_misspelt_name_is_corrected_or_gets_a_value() {
    check(
        Dialect::AgentEnsemble,
        &[r#"{"customer": "Ada"}"#],
        "",
        "Dear {cust$0mer},",
        expect![[r#"
            * Change to `customer`
              test.prompt: Dear {customer},
            Rename the key `customer` to `custmer`
              case0.json: {"custmer": "Ada"}
            Add `custmer` to case0.json
              case0.json: {"customer": "Ada", "custmer": "<custmer>"}
            Mark `custmer` as supplied at run time, in promptls.toml
              Config(Runtime("custmer"))
            Send `{custmer}` unchanged: write `{{custmer}}`
              test.prompt: Dear {{custmer}},
        "#]],
    );
    check(
        Dialect::PromptPack,
        &[r#"{"user": {"name": "Ada"}}"#, "{}"],
        "",
        "{{user.na$0ms}}",
        expect![[r#"
            * Change to `user.name`
              test.prompt: {{user.name}}
            Add `user.nams` to both cases
              case0.json: {"user": {"name": "Ada", "nams": "<user.nams>"}}
              case1.json: {
              "user": {
                "nams": "<user.nams>"
              }
            }
            Add `user.nams` to case0.json
              case0.json: {"user": {"name": "Ada", "nams": "<user.nams>"}}
            Add `user.nams` to case1.json
              case1.json: {
              "user": {
                "nams": "<user.nams>"
              }
            }
            Mark `user` as supplied at run time, in promptls.toml
              Config(Runtime("user"))
            Send `{{user.nams}}` unchanged
              cannot: PromptPack cannot send braces around a name; put them into a value
        "#]],
    );
    check(
        Dialect::Agentle,
        &[r#"{"xs": [{"title": 1}]}"#],
        "",
        "{{#each xs}}{{this.tit$0el}}{{/each}}",
        expect![[r#"
            * Change to `this.title`
              test.prompt: {{#each xs}}{{this.title}}{{/each}}
            Send `{{this.titel}}` unchanged
              cannot: Agentle cannot send braces around a name; put them into a value
        "#]],
    );
}

#[test]
fn a_missing_key_is_added_to_the_cases_without_it() {
    check(
        Dialect::Adk,
        &[r#"{"topic": 1}"#, r#"{"a": 1}"#, "{}"],
        "",
        "{topic} {a?} {au$0dience}",
        expect![[r#"
            * Add `audience` to all 3 cases
              case0.json: {"topic": 1, "audience": "<audience>"}
              case1.json: {"a": 1, "audience": "<audience>"}
              case2.json: {
              "audience": "<audience>"
            }
            Add `audience` to case0.json
              case0.json: {"topic": 1, "audience": "<audience>"}
            Add `audience` to case1.json
              case1.json: {"a": 1, "audience": "<audience>"}
            Add `audience` to case2.json
              case2.json: {
              "audience": "<audience>"
            }
            Add both missing names to the cases without them
              case1.json: {"a": 1, "topic": "<topic>"}
              case2.json: {
              "topic": "<topic>"
            }
              case0.json: {"topic": 1, "audience": "<audience>"}
              case1.json: {"a": 1, "audience": "<audience>"}
              case2.json: {
              "audience": "<audience>"
            }
            Make `audience` optional
              test.prompt: {topic} {a?} {audience?}
            Mark `audience` as supplied at run time, in promptls.toml
              Config(Runtime("audience"))
            Send `{audience}` unchanged
              cannot: Google ADK cannot send braces around a name; put them into a value
        "#]],
    );
    check(
        Dialect::Entaingine,
        &["{}"],
        "",
        "{task_0.output_1$0}",
        expect![[r#"
            * Add `task_0.output_1` to case0.json
              case0.json: {
              "task_0": {
                "output_1": "<task_0.output_1>"
              }
            }
            Mark `task_0` as supplied at run time, in promptls.toml
              Config(Runtime("task_0"))
            Mark `task_0.output_1` as literal text, in promptls.toml
              Config(Literal("task_0.output_1"))
        "#]],
    );
    check(
        Dialect::Agentle,
        &["{}"],
        "",
        "{{#each ite$0ms}}{{this.name}}{{/each}}",
        expect![[r#"
            * Add `items` to case0.json
              case0.json: {
              "items": [
                {
                  "name": "<items.name>"
                }
              ]
            }
            Mark `items` as supplied at run time, in promptls.toml
              Config(Runtime("items"))
        "#]],
    );
}

#[test]
fn null_is_replaced_if_it_counts_as_missing() {
    let cases = &[r#"{"a": null, "b": {"c": null}}"#];
    check(
        Dialect::Agentle,
        cases,
        "",
        "{{b.c$0}}",
        expect![[r#"
            * Add `b.c` to case0.json
              case0.json: {"a": null, "b": {"c": "<b.c>"}}
            Mark `b` as supplied at run time, in promptls.toml
              Config(Runtime("b"))
            Mark `b.c` as literal text, in promptls.toml
              Config(Literal("b.c"))
        "#]],
    );
    check(Dialect::Adk, cases, "", "{a$0}", expect![""]);
}

#[test]
fn missing_names_of_a_fragment_are_added() {
    check(
        Dialect::PromptPack,
        &[r#"{"tone": 1}"#],
        r#"{"fragments": {"intro": "{{tone}} {{who}}", "who": "{{user.name}} {{intro}}"}}"#,
        "{{intr$0o}}",
        expect![""],
    );
    check(
        Dialect::PromptPack,
        &[r#"{"tone": 1}"#],
        r#"{"fragments": {"intro": "{{tone}} {{who}}", "who": "{{user.name}}"}}"#,
        "{{intr$0o}}",
        expect![[r#"
            * Add `user.name` to case0.json
              case0.json: {"tone": 1, "user": {"name": "<user.name>"}}
            Mark `user` as supplied at run time, in promptls.toml
              Config(Runtime("user"))
        "#]],
    );
}

#[test]
fn names_are_declared_with_the_type_of_their_values() {
    check(
        Dialect::PromptPack,
        &[r#"{"tags": ["x"], "name": "y"}"#],
        r#"{"variables": [{"name": "name"}]}"#,
        "{{name}} {{ta$0gs}}",
        expect![[r#"
            * Declare `tags` as an array
              Declare("{\"name\":\"tags\",\"type\":\"array\"}")
            Mark `tags` as supplied at run time, in promptls.toml
              Config(Runtime("tags"))
        "#]],
    );
    check(
        Dialect::PromptPack,
        &[],
        r#"{"variables": [], "fragments": {"intro": "x"}}"#,
        "{{fragments.in$0tor}}",
        expect![[r#"
            * Change to `fragments.intro`
              test.prompt: {{fragments.intro}}
            Add an empty fragment `intor`
              DefineFragment("intor")
        "#]],
    );
    check(
        Dialect::PromptPack,
        &[r#"{"a": {"b": 1}, "c": true}"#],
        "",
        "{{a.b$0}} {{c}}",
        expect![""],
    );
}

#[test]
fn an_invalid_value_is_changed_to_an_allowed_one() {
    let variables = r#"{"variables": [
        {"name": "tone", "validation": {"enum": ["formal", "casual", 3]}}
    ]}"#;
    let mut fixes = String::new();
    for inputs in [r#"{"tone": "fromal"}"#, r#"{"tone": true}"#, r#"{"tone": 3}"#] {
        let snapshot = Fixture::new(Dialect::PromptPack, "{{tone}}")
            .cases(&[("default", inputs)])
            .variables(variables)
            .build();
        let texts = BTreeMap::from([(FileId(1), inputs.to_owned())]);
        let cursor = inputs.find(": ").expect("there is a value") + 2;
        let actions = actions_at(&snapshot, FileId(1), cursor);
        fixes.extend(actions.iter().map(|action| show(&snapshot, &texts, action)));
    }
    expect![[r#"
        * Change to `"formal"`
          default.json: {"tone": "formal"}
        Change to `"formal"`
          default.json: {"tone": "formal"}
        Change to `"casual"`
          default.json: {"tone": "casual"}
        Change to `3`
          default.json: {"tone": 3}
    "#]]
    .assert_eq(&fixes);
}

#[test]
fn near_misses_are_fixed() {
    let inputs = r#"{"topic": 1, "user:name": 2, "FILE_NAME": 3}"#;
    let mut lines = String::new();
    for (dialect, marked) in [
        (Dialect::AgentEnsemble, "{ to$0pic }"),
        (Dialect::AgentEnsemble, "{{ tpic$0 }}"),
        (Dialect::Adk, "{topic ?$0}"),
        (Dialect::Adk, "{usr:na$0me}"),
        (Dialect::Adk, "{user.na$0me}"),
        (Dialect::Adk, "{session:to$0pic}"),
        (Dialect::Entaingine, "{fileNa$0me}"),
        (Dialect::PromptPack, "{{ to$0pic }}"),
        (Dialect::PromptPack, "{to$0pic}"),
        (Dialect::Agentle, "{to$0pic}"),
    ] {
        let (text, cursor) = with_cursor(marked);
        let snapshot = Fixture::new(dialect, &text).cases(&[("default", inputs)]).build();
        let actions = code_actions(
            &snapshot,
            &diagnose(&snapshot, 9),
            FileId::PROMPT,
            &(cursor..cursor),
            None,
        );
        let safe = if actions[0].is_safe { ", safe" } else { "" };
        lines.push_str(&format!("{} {text}: {}{safe}\n", dialect.spec().id, actions[0].title));
        assert!(actions[1].title.ends_with("as literal text, in promptls.toml"));
    }
    expect![[r#"
        agentensemble { topic }: Change to `{topic}`, safe
        agentensemble {{ tpic }}: Change to `{tpic}`
        adk {topic ?}: Change to `{topic?}`, safe
        adk {usr:name}: Change to `{user:name}`, safe
        adk {user.name}: Change to `{user:name}`, safe
        adk {session:topic}: Change to `{topic}`, safe
        entaingine {fileName}: Change to `{FILE_NAME}`, safe
        promptpack {{ topic }}: Change to `{{topic}}`, safe
        promptpack {topic}: Change to `{{topic}}`, safe
        agentle {topic}: Change to `{{topic}}`, safe
    "#]]
    .assert_eq(&lines);
}

#[test]
fn tags_of_blocks_are_fixed() {
    let cases = &[r#"{"a": 1, "b": [2]}"#];
    let check = |marked, expected| check(Dialect::Agentle, cases, "", marked, expected);
    check(
        "{{#if a}}x{{/i$0f }}",
        expect![[r#"
            * Change to `{{/if}}`
              test.prompt: {{#if a}}x{{/if}}
        "#]],
    );
    check("{{#if  a$0}}x{{/if}}", expect![""]);
    check(
        "{{#each b}}{{#if a$0}}x{{/each}}\n",
        expect![[r#"
            * Close the block with `{{/if}}`
              test.prompt: {{#each b}}{{#if a}}x{{/if}}{{/each}}
            Remove `{{#if a}}`
              test.prompt: {{#each b}}x{{/each}}
        "#]],
    );
    check(
        "{{#if a$0}}x\n",
        expect![[r#"
            * Close the block with `{{/if}}`
              test.prompt: {{#if a}}x{{/if}}
            Remove `{{#if a}}`
              test.prompt: x
        "#]],
    );
    check(
        "{{#if a}}x{{/eac$0h}}{{/if}}",
        expect![[r#"
        * Remove `{{/each}}`
          test.prompt: {{#if a}}x{{/if}}
    "#]],
    );
    check(
        "{{#if a}}x{{/eac$0h}}",
        expect![[r#"
        * Change to `{{/if}}`
          test.prompt: {{#if a}}x{{/if}}
        Remove `{{/each}}`
          test.prompt: {{#if a}}x
    "#]],
    );
    check(
        "x{{/i$0f}}",
        expect![[r#"
        * Remove `{{/if}}`
          test.prompt: x
    "#]],
    );
    check("{{#if a}}{{else$0}}{{/if}}", expect![""]);
    check(
        "{{#each b}}{{../a$0}}{{/each}}",
        expect![[r#"
            * Change to `{{a}}`
              test.prompt: {{#each b}}{{a}}{{/each}}
        "#]],
    );
}

#[test]
fn literal_braces_are_escaped_if_the_engine_supports_it() {
    check(
        Dialect::AgentEnsemble,
        &["{}"],
        "",
        "{a$0} b",
        expect![[r#"
            * Add `a` to case0.json
              case0.json: {
              "a": "<a>"
            }
            Mark `a` as supplied at run time, in promptls.toml
              Config(Runtime("a"))
            Send `{a}` unchanged: write `{{a}}`
              test.prompt: {{a}} b
        "#]],
    );
    check(
        Dialect::AgentEnsemble,
        &["{}"],
        "",
        "{a$0}_b",
        expect![[r#"
            * Add `a` to case0.json
              case0.json: {
              "a": "<a>"
            }
            Mark `a` as supplied at run time, in promptls.toml
              Config(Runtime("a"))
        "#]],
    );
    check(
        Dialect::AgentEnsemble,
        &["{}"],
        "",
        "{{a$0}}_b",
        expect![[r#"
        * Add a space after the escape
          test.prompt: {{a}} _b
    "#]],
    );
}

#[test]
fn without_escapes_the_action_for_literal_braces_is_disabled() {
    check(
        Dialect::Adk,
        &["{}"],
        "",
        r"\frac{a$0}",
        expect![[r#"
            * Add `a` to case0.json
              case0.json: {
              "a": "<a>"
            }
            Make `a` optional
              test.prompt: \frac{a?}
            Mark `a` as supplied at run time, in promptls.toml
              Config(Runtime("a"))
            Send `{a}` unchanged
              cannot: Google ADK cannot send braces around a name; put them into a value
        "#]],
    );
    check(
        Dialect::Adk,
        &[r#"{"x": 1}"#],
        "",
        r#"{"user": {x$0}}"#,
        expect![[r#"
            * Add a space between the braces, so that all are sent
              test.prompt: {"user": {x} }
            Change to `{x}`: the other braces are not sent
              test.prompt: {"user": {x}
        "#]],
    );
    check(
        Dialect::Entaingine,
        &["{}"],
        "",
        "{A$0}",
        expect![[r#"
            * Add `A` to case0.json
              case0.json: {
              "A": "<A>"
            }
            Mark `A` as supplied at run time, in promptls.toml
              Config(Runtime("A"))
            Mark `A` as literal text, in promptls.toml
              Config(Literal("A"))
        "#]],
    );
}

#[test]
fn a_misspelt_name_is_corrected_once_or_everywhere() {
    check(
        Dialect::Agentle,
        &[r#"{"agent": {"name": "Ada"}, "topic": 1}"#],
        "",
        "{{agent.nm$0ae}} {{#if agent.nmae}}{{/if}} {{tpic}} {{topic}}",
        expect![[r#"
            * Change to `agent.name`
              test.prompt: {{agent.name}} {{#if agent.nmae}}{{/if}} {{tpic}} {{topic}}
            Change all 2 `nmae` to `name`
              test.prompt: {{agent.name}} {{#if agent.nmae}}{{/if}} {{tpic}} {{topic}}
              test.prompt: {{agent.nmae}} {{#if agent.name}}{{/if}} {{tpic}} {{topic}}
            Add `agent.nmae` to case0.json
              case0.json: {"agent": {"name": "Ada", "nmae": "<agent.nmae>"}, "topic": 1}
            Mark `agent` as supplied at run time, in promptls.toml
              Config(Runtime("agent"))
            Send `{{agent.nmae}}` unchanged
              cannot: Agentle cannot send braces around a name; put them into a value
        "#]],
    );
}

#[test]
fn a_dotted_key_becomes_an_object() {
    check(
        Dialect::Agentle,
        &[r#"{"user.name": 1}"#, r#"{"user": {"name": 1}}"#],
        "",
        "{{user.na$0me}}",
        expect![[r#"
            * Write the key `user.name` as an object
              case0.json: {"user": {"name": 1}}
            Add `user.name` to case0.json
              case0.json: {"user.name": 1, "user": {"name": "<user.name>"}}
            Mark `user` as supplied at run time, in promptls.toml
              Config(Runtime("user"))
            Mark `user.name` as literal text, in promptls.toml
              Config(Literal("user.name"))
        "#]],
    );
}

#[test]
fn unambiguous_misspellings_are_corrected_by_fix_all() {
    let fixed = |prompt: &str, cases: &[&str], variables: &str| {
        let files = Files::new(Dialect::PromptPack, prompt, cases, variables);
        let problems = diagnose(&files.snapshot, 500);
        let mut text = prompt.to_owned();
        for change in fix_all(&files.snapshot, &problems, Sureness::Safe).iter().rev() {
            let Change::Text(edit) = change else { panic!("{change:?}") };
            text.replace_range(edit.location.range.clone(), &edit.text);
        }
        text
    };
    let case = r#"{"customer": 1, "topic": 2, "user": {"name": 3}}"#;
    let right = "{{customer}} {{topic}} {{user.name}}";
    let fixed_beside = |wrong: &str| fixed(&format!("{right} {wrong}"), &[case], "{}");
    assert_eq!(
        fixed_beside("{{custmer}} {{Topic}} {{user.nmae}} {{custmer}}"),
        format!("{right} {{{{customer}}}} {{{{topic}}}} {{{{user.name}}}} {{{{customer}}}}")
    );
    // A plural, and another word.
    for other in ["{{topics}}", "{{costumes}}", "{{user.names}}"] {
        assert_eq!(fixed_beside(other), format!("{right} {other}"));
    }
    // The correct one of both is unknown, unless it is declared.
    assert_eq!(fixed("{{custmer}}", &[case], "{}"), "{{custmer}}");
    let declared = r#"{"variables": [{"name": "customer"}]}"#;
    assert_eq!(fixed("{{custmer}}", &[case], declared), "{{customer}}");
    // A case has no value for the name.
    assert_eq!(fixed("{{custmer}}", &[case, "{}"], declared), "{{custmer}}");
}

#[test]
fn unused_keys_and_declarations_are_removed() {
    let inputs = r#"{"a": 1, "custmer": 2, "old": 3, "a": 4}"#;
    let variables = r#"{"variables": [{"name": "a", "type": "string"}, {"name": "gone"}]}"#;
    let text = "{{a}} {{customer}}";
    let fixture = Fixture::new(Dialect::PromptPack, text).cases(&[("default", inputs)]);
    let snapshot = fixture.variables(variables).build();
    let texts = BTreeMap::from([
        (FileId::PROMPT, text.to_owned()),
        (Files::FIRST_CASE, inputs.to_owned()),
        (Files::VARIABLES, variables.to_owned()),
    ]);
    let at = |place: &str| inputs.find(place).expect("it is there");
    let check = |file, cursor, expected| check_at(&snapshot, &texts, file, cursor, expected);
    check(Files::FIRST_CASE, at("ustmer"), expect![""]);
    check(
        FileId::PROMPT,
        text.find("ustomer").expect("it is there"),
        expect![[r#"
        * Change to `custmer`
          test.prompt: {{a}} {{custmer}}
        Rename the key `custmer` to `customer`
          default.json: {"a": 1, "customer": 2, "old": 3, "a": 4}
        Add `customer` to default.json
          default.json: {"a": 1, "custmer": 2, "old": 3, "a": 4, "customer": "<customer>"}
        Mark `customer` as supplied at run time, in promptls.toml
          Config(Runtime("customer"))
        Declare `customer` as a string
          Declare("{\"name\":\"customer\",\"type\":\"string\"}")
        Send `{{customer}}` unchanged
          cannot: PromptPack cannot send braces around a name; put them into a value
    "#]],
    );
    check(
        Files::FIRST_CASE,
        at("ld"),
        expect![[r#"
        * Remove `old` from default.json
          default.json: {"a": 1, "custmer": 2, "a": 4}
    "#]],
    );
    check(
        Files::FIRST_CASE,
        at("4"),
        expect![[r#"
        * Change to `"4"`
          default.json: {"a": 1, "custmer": 2, "old": 3, "a": "4"}
    "#]],
    );
    check(
        Files::FIRST_CASE,
        at("a\": 4"),
        expect![[r#"
        * Remove the first `a`, which is ignored
          default.json: { "custmer": 2, "old": 3, "a": 4}
    "#]],
    );
    check(
        Files::VARIABLES,
        variables.find("gone").expect("it is there"),
        expect![[r#"
        * Remove the declaration of `gone`
          variables.json: {"variables": [{"name": "a", "type": "string"}]}
    "#]],
    );
}

#[test]
fn a_prompt_without_files_gets_actions_that_create_them() {
    let (text, cursor) = with_cursor("$0{a}");
    let fits = [Dialect::AgentEnsemble, Dialect::Adk];
    let snapshot = Fixture::new(Dialect::Adk, &text).fits(&fits).build();
    check_at(
        &snapshot,
        &BTreeMap::new(),
        FileId::PROMPT,
        cursor,
        expect![[r#"
        * Read as Google ADK, in promptls.toml
          Config(Dialect(Adk))
        Read as AgentEnsemble, in promptls.toml
          Config(Dialect(AgentEnsemble))
    "#]],
    );
    check_new_files(
        &snapshot,
        expect![[r#"
        * Create the inputs file
          Create(Inputs)
        Create the variables file
          Create(Variables("{\n  \"variables\": [\n    {\n      \"name\": \"a\",\n      \"type\": \"string\"\n    }\n  ]\n}\n"))
    "#]],
    );

    let with_cases = Fixture::new(Dialect::Adk, &text).cases(&[("default", r#"{"a": [1]}"#)]);
    check_new_files(
        &with_cases.build(),
        expect![[r#"
            Create the variables file
              Create(Variables("{\n  \"variables\": [\n    {\n      \"name\": \"a\",\n      \"type\": \"array\"\n    }\n  ]\n}\n"))
            New case with the values of `default`
              Create(Case { name: "new", like: FileId(1) })
        "#]],
    );
}

#[test]
fn fix_all_applies_only_safe_fixes() {
    let text = "{{ a }} {{ b }} {{naem}}";
    let inputs = r#"{"a": 1, "name": 2}"#;
    let snapshot = Fixture::new(Dialect::PromptPack, text).cases(&[("default", inputs)]).build();
    let changes = fix_all(&snapshot, &diagnose(&snapshot, 9), Sureness::Safe);
    assert_eq!(changes, [replace(FileId::PROMPT, 0..7, "{{a}}")]);

    let guessed = Snapshot { fits: vec![Dialect::PromptPack, Dialect::Agentle], ..snapshot };
    assert_eq!(fix_all(&guessed, &diagnose(&guessed, 9), Sureness::Safe), []);
}

#[test]
fn syntax_of_other_languages_is_fixed_in_langfuse() {
    let cases: &[&str] = &[r#"{"topic": 1}"#];
    check(
        Dialect::Langfuse,
        cases,
        "",
        "{to$0pic}",
        expect![[r#"
        *! Change to `{{topic}}`
          test.prompt: {{topic}}
        Mark `topic` as literal text, in promptls.toml
          Config(Literal("topic"))
    "#]],
    );
    check(
        Dialect::Langfuse,
        cases,
        "",
        "a{{! no$0te }}b",
        expect![[r#"
        * Remove the comment, which would be sent
          test.prompt: ab
    "#]],
    );
    check(
        Dialect::Langfuse,
        cases,
        "",
        "{{ top$0ci }}",
        expect![[r#"
            * Change to `topic`
              test.prompt: {{ topic }}
            Rename the key `topic` to `topci`
              case0.json: {"topci": 1}
            Add `topci` to case0.json
              case0.json: {"topic": 1, "topci": "<topci>"}
            Mark `topci` as supplied at run time, in promptls.toml
              Config(Runtime("topci"))
            Mark `topci` as literal text, in promptls.toml
              Config(Literal("topci"))
        "#]],
    );
}

#[test]
fn a_text_in_another_language_is_offered_only_matching_dialects() {
    let titles = |text: &str| {
        let found = crate::detect::detect(text, &Default::default(), false);
        let foreign = found.language.map(Foreign::Language);
        let snapshot = Snapshot { foreign, ..Fixture::new(found.dialect, text).build() };
        let problems = diagnose(&snapshot, 9);
        let actions = code_actions(&snapshot, &problems, FileId::PROMPT, &(0..0), None);
        actions.into_iter().map(|action| action.title).collect::<Vec<_>>()
    };
    let expected = ["Read as Agentle anyway, in promptls.toml"];
    assert_eq!(titles(" {{#if a}}b{{else}}c{{/if}}"), expected);
    assert_eq!(titles(" {% if a %}{{ b }}"), [""; 0]);
}
