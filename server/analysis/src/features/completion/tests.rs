//! The completions at the cursor, and the text after accepting them.

use expect_test::{Expect, expect};

use super::*;
use crate::snapshot::test::{Fixture, with_cursor};

#[track_caller]
fn check(dialect: Dialect, inputs: &str, marked: &str, expected: Expect) {
    let (text, cursor) = with_cursor(marked);
    let snapshot = Fixture::new(dialect, &text).cases(&[("default", inputs)]).build();
    let lines: Vec<String> = complete(&snapshot, cursor)
        .into_iter()
        .map(|found| {
            let mut after = text.clone();
            after.replace_range(found.replaced, &found.inserted);
            let snippet = found.snippet.map(|snippet| format!(" or {snippet}"));
            let snippet = snippet.unwrap_or_default();
            format!("{} ({}) → {after}{snippet}\n", found.label, found.detail)
        })
        .collect();
    expected.assert_eq(&lines.concat());
}

#[test]
fn names_are_inserted_with_their_missing_braces() {
    let inputs = r#"{"topic": "AI", "tone": "dry"}"#;
    check(
        Dialect::AgentEnsemble,
        inputs,
        "On {t$0",
        expect![[r#"
        tone (dry) → On {tone}
        topic (AI) → On {topic}
    "#]],
    );
    check(
        Dialect::AgentEnsemble,
        inputs,
        "On {to$0pc} it",
        expect![[r#"
        tone (dry) → On {tone} it
        topic (AI) → On {topic} it
    "#]],
    );
    check(
        Dialect::PromptPack,
        inputs,
        "On {$0",
        expect![[r#"
        tone (dry) → On {{tone}}
        topic (AI) → On {{topic}}
    "#]],
    );
    check(
        Dialect::PromptPack,
        inputs,
        "On {{to$0}} it",
        expect![[r#"
        tone (dry) → On {{tone}} it
        topic (AI) → On {{topic}} it
    "#]],
    );
}

#[test]
fn nothing_is_proposed_outside_braces() {
    check(Dialect::Adk, r#"{"a": 1}"#, "{a} b$0", expect![""]);
    check(Dialect::Adk, r#"{"a": 1}"#, "{\"json\": $0", expect![""]);
}

#[test]
fn keys_that_are_no_valid_placeholder_are_not_proposed() {
    let inputs = r#"{"my key": 1, "documents": 2, "a-b": 3, "é": 4}"#;
    check(
        Dialect::AgentEnsemble,
        inputs,
        "{$0}",
        expect![[r#"
        documents (2) → {documents}
    "#]],
    );
    check(
        Dialect::Agentle,
        inputs,
        "{{k$0}}",
        expect![[r#"
            a-b (3) → {{a-b}}
            documents (2) → {{documents}}
            my key (1) → {{my key}}
            é (4) → {{é}}
            #if (sent if the value exists and is not empty) → {{#if name}}{{/if}} or #if ${1:name}}}$0{{/if
            #each (sent once for each item) → {{#each name}}{{/each}} or #each ${1:name}}}$0{{/each
        "#]],
    );
}

#[test]
fn paths_are_completed_from_the_inputs() {
    let inputs = r#"{"user": {"name": "Ada", "tags": ["x", "y"]}}"#;
    check(
        Dialect::PromptPack,
        inputs,
        "{{user.n$0}}",
        expect![[r#"
        name (Ada) → {{user.name}}
        tags (["x","y"]) → {{user.tags}}
    "#]],
    );
    check(
        Dialect::PromptPack,
        inputs,
        "{{user.tags[$0}}",
        expect![[r#"
        0] () → {{user.tags[0]}}
        1] () → {{user.tags[1]}}
    "#]],
    );
}

#[test]
fn adk_has_prefixes() {
    check(
        Dialect::Adk,
        r#"{"app:x": 1}"#,
        "{$0}",
        expect![[r#"
        app:x (1) → {app:x}
        app: (a name follows) → {app:}
        user: (a name follows) → {user:}
        temp: (a name follows) → {temp:}
        artifact. (a name follows) → {artifact.}
    "#]],
    );
    check(
        Dialect::Adk,
        r#"{"app:x": 1}"#,
        "{app:$0}",
        expect![[r#"
            app:x (1) → {app:x}
            user: (a name follows) → {user:}
            temp: (a name follows) → {temp:}
            artifact. (a name follows) → {artifact.}
        "#]],
    );
}

#[test]
fn entaingine_lists_task_outputs() {
    let inputs = r#"{"A": "x", "task_0": {"output_0": {"text": "t", "chunkSimilarityMetadata": {"score": 1}}}}"#;
    check(
        Dialect::Entaingine,
        inputs,
        "{$0}",
        expect![[r#"
        task_0.output_0 (t) → {task_0.output_0}
        task_0.output_0.chunkSimilarityMetadata ({"score":1}) → {task_0.output_0.chunkSimilarityMetadata}
        task_0.output_0.chunkSimilarityMetadata.chunkId (the id of the chunk; always present) → {task_0.output_0.chunkSimilarityMetadata.chunkId}
        task_0.output_0.chunkSimilarityMetadata.chunkText (the text of the chunk; almost always present) → {task_0.output_0.chunkSimilarityMetadata.chunkText}
        task_0.output_0.chunkSimilarityMetadata.score (1) → {task_0.output_0.chunkSimilarityMetadata.score}
        task_0.output_all (all outputs) → {task_0.output_all}
        A (x) → {A}
    "#]],
    );
}

#[test]
fn members_of_items_are_proposed_inside_a_loop() {
    let inputs = r#"{"xs": [{"a": 1}, {"b": 2}]}"#;
    check(
        Dialect::Agentle,
        inputs,
        "{{#each xs}}{{this.$0}}{{/each}}",
        expect![[r#"
        a (1) → {{#each xs}}{{this.a}}{{/each}}
        b (2) → {{#each xs}}{{this.b}}{{/each}}
    "#]],
    );
}

#[test]
fn members_of_items_are_proposed_inside_an_unclosed_loop() {
    let inputs = r#"{"xs": [{"a": 1, "ys": [{"b": 2}]}]}"#;
    check(
        Dialect::Agentle,
        inputs,
        "{{#each xs}}{{this.$0",
        expect![[r#"
        a (1) → {{#each xs}}{{this.a}}
        ys ([{"b":2}]) → {{#each xs}}{{this.ys}}
    "#]],
    );
    check(
        Dialect::Agentle,
        inputs,
        "{{#each xs}}{{#if this.a}}{{#each this.ys}}{{this.$0}}{{/if}} more {{x}}",
        expect![[r#"
            b (2) → {{#each xs}}{{#if this.a}}{{#each this.ys}}{{this.b}}{{/if}} more {{x}}
        "#]],
    );
    check(Dialect::Agentle, inputs, "{{#each xs}}{{/each}}{{this.$0", expect![[r#""#]]);
}

#[test]
fn blocks_and_their_closers() {
    check(
        Dialect::Agentle,
        r#"{"a": 1}"#,
        "{{#if a}}x{{$0}}",
        expect![[r#"
            a (1) → {{#if a}}x{{a}}
            #if (sent if the value exists and is not empty) → {{#if a}}x{{#if name}}{{/if}} or #if ${1:name}}}$0{{/if
            #each (sent once for each item) → {{#if a}}x{{#each name}}{{/each}} or #each ${1:name}}}$0{{/each
            /if (closes `{{#if}}`) → {{#if a}}x{{/if}}
        "#]],
    );
    check(
        Dialect::Agentle,
        r#"{"a": 1}"#,
        "{{#if $0}}",
        expect![[r#"
        a (1) → {{#if a}}
    "#]],
    );
}

/// The text after accepting the completion with this label.
#[track_caller]
fn accept(dialect: Dialect, inputs: &str, marked: &str, label: &str) -> String {
    let (mut text, cursor) = with_cursor(marked);
    let snapshot = Fixture::new(dialect, &text).cases(&[("default", inputs)]).build();
    let found = complete(&snapshot, cursor).into_iter().find(|found| found.label == label);
    let found = found.unwrap_or_else(|| panic!("no `{label}` in {marked}"));
    text.replace_range(found.replaced, &found.inserted);
    text
}

#[test]
fn braces_are_completed_and_never_doubled() {
    for dialect in [Dialect::AgentEnsemble, Dialect::Adk, Dialect::Entaingine] {
        for (marked, expected) in [
            ("a {$0 b", "a {NAME} b"),
            ("a {$0} b", "a {NAME} b"),
            ("a {NA$0} b", "a {NAME} b"),
            ("a {N$0AM} b", "a {NAME} b"),
            ("a {NA$0", "a {NAME}"),
            ("a {{$0", "a {{NAME}}"),
            ("a {{$0}", "a {{NAME}}"),
            ("a {{$0}}", "a {{NAME}}"),
        ] {
            assert_eq!(accept(dialect, r#"{"NAME": 1}"#, marked, "NAME"), expected, "{marked}");
        }
    }
    for dialect in [Dialect::PromptPack, Dialect::Agentle] {
        for (marked, expected) in [
            ("a {$0 b", "a {{name}} b"),
            ("a {$0} b", "a {{name}} b"),
            ("a {{$0 b", "a {{name}} b"),
            ("a {{$0} b", "a {{name}} b"),
            ("a {{$0}} b", "a {{name}} b"),
            ("a {{na$0}} b", "a {{name}} b"),
            ("a {{n$0am}} b", "a {{name}} b"),
            ("a {{n$0am", "a {{name}}am"),
            ("a {{n$0am.x}} b", "a {{name.x}} b"),
        ] {
            assert_eq!(accept(dialect, r#"{"name": 1}"#, marked, "name"), expected, "{marked}");
        }
    }
    let inputs = r#"{"xs": [{"a": 1}], "app:x": 1}"#;
    let pack = Dialect::PromptPack;
    assert_eq!(accept(pack, inputs, "{{xs[0$0].a}}", "0]"), "{{xs[0].a}}");
    assert_eq!(accept(pack, inputs, "{{xs[$0", "0]"), "{{xs[0]}}");
    assert_eq!(accept(pack, inputs, "{{xs[0].$0}}", "a"), "{{xs[0].a}}");
    assert_eq!(accept(Dialect::Adk, inputs, "{ap$0p:y?}", "app:x"), "{app:x?}");
}

#[test]
fn blocks_use_existing_braces() {
    for (marked, label, expected) in [
        ("{$0", "#if", "{{#if name}}{{/if}}"),
        ("{$0}", "#if", "{{#if name}}{{/if}}"),
        ("{{$0", "#if", "{{#if name}}{{/if}}"),
        ("{{$0}", "#each", "{{#each name}}{{/each}}"),
        ("{{$0}}", "#if", "{{#if name}}{{/if}}"),
        ("{{#$0}}", "#if", "{{#if name}}{{/if}}"),
        ("{{ea$0}}", "#each", "{{#each name}}{{/each}}"),
        ("{{#i$0}}", "#if", "{{#if name}}{{/if}}"),
        ("{{#if na$0}}x", "a", "{{#if a}}x"),
    ] {
        let after = accept(Dialect::Agentle, r#"{"a": 1}"#, marked, label);
        assert_eq!(after, expected, "{marked}");
    }
}

#[test]
fn completion_works_at_every_offset_of_an_odd_prompt() {
    let prompt = "{{{x}}} {{a}}{{b}} {{ é . b. }} {{.}} {{}} {{#each }}{{this..é}}{{/each}} \
        {{#if {{/ {{#each this}}{{x[ {{a[0][1].b}} {task_0..} {app:é?} {{fragments.}} {";
    let inputs = r#"{"x": [1], "é": {"b": [[1], {"é": 2}]}, "": 3, ".": 4}"#;
    for dialect in Dialect::ALL {
        let snapshot = Fixture::new(dialect, prompt).cases(&[("default", inputs)]).build();
        for (offset, _) in prompt.char_indices().chain([(prompt.len(), ' ')]) {
            for found in complete(&snapshot, offset) {
                let Range { start, end } = found.replaced;
                assert!(start <= offset && offset <= end, "{dialect:?} {offset} {found:?}");
                assert!(prompt.get(start..end).is_some(), "{dialect:?} {offset} {found:?}");
            }
        }
    }
}

#[test]
fn a_name_with_spaces_is_replaced_completely() {
    let inputs = r#"{"first name": "Ada", "last name": "Lovelace", "a}}b": 1, " x": 2}"#;
    check(
        Dialect::Langfuse,
        inputs,
        "Dear {{ first na$0 }}",
        expect![[r#"
        first name (Ada) → Dear {{ first name }}
        last name (Lovelace) → Dear {{ last name }}
    "#]],
    );
}
