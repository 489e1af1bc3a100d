//! The Markdown of hovers.

use expect_test::{Expect, expect};

use promptls_syntax::Dialect;

use super::*;
use crate::snapshot::test::{Files, Fixture, with_cursor};

fn shown(hover: &Hover) -> String {
    let sections = hover.sections.iter().map(|section| section.markdown(|_| None));
    sections.collect::<Vec<_>>().join("\n\n")
}

#[track_caller]
fn check(dialect: Dialect, inputs: &[(&str, &str)], marked: &str, expected: Expect) {
    let (text, cursor) = with_cursor(marked);
    let snapshot = Fixture::new(dialect, &text).cases(inputs).build();
    let actual = match hover(&snapshot, FileId::PROMPT, cursor) {
        Some(hover) => format!("{:?}\n{}\n", hover.range, shown(&hover)),
        None => "nothing\n".to_owned(),
    };
    expected.assert_eq(&actual);
}

#[test]
fn hover_shows_the_value() {
    check(
        Dialect::AgentEnsemble,
        &[("default", r#"{"customer": "Ada"}"#)],
        "Dear {cust$0omer},",
        expect![[r#"
            5..15
            **`customer`**

            `Ada` — default.json
        "#]],
    );
}

#[test]
fn hover_shows_every_case_and_what_happens_without_a_value() {
    check(
        Dialect::Adk,
        &[("default", r#"{"a": 1.50}"#), ("other", "{}"), ("none", r#"{"a": null}"#)],
        "{a$0}",
        expect![[r#"
            0..3
            **`a`**

            - **default**: `1.50` — default.json
            - **other**: no value
            - **none**: empty — none.json

            Without a value, Google ADK raises `Context variable not found: a`; `?` makes it optional.
        "#]],
    );
}

#[test]
fn a_name_without_any_value_does_not_list_its_cases() {
    // The problem there reports it.
    check(
        Dialect::Adk,
        &[("default", "{}"), ("other", "{}")],
        "{a$0}",
        expect![[r#"
            0..3
            **`a`**

            Without a value, Google ADK raises `Context variable not found: a`; `?` makes it optional.
        "#]],
    );
}

#[test]
fn hover_counts_the_items_of_a_loop() {
    let inputs = [("default", r#"{"xs": [{"n": "a"}, {"n": "b"}]}"#)];
    check(
        Dialect::Agentle,
        &inputs,
        "{{#each x$0s}}{{this.n}}{{/each}}",
        expect![[r#"
            0..12
            **`xs`** — loop

            2 items — default.json
        "#]],
    );
    check(
        Dialect::Agentle,
        &inputs,
        "{{#each xs}}{{this.$0n}}{{/each}}",
        expect![[r#"
            12..22
            **`this.n`**

            `a`, `b` — default.json
        "#]],
    );
}

#[test]
fn a_member_is_part_of_what_is_declared() {
    let (text, cursor) = with_cursor("{{user.na$0me}}");
    let snapshot = Fixture::new(Dialect::PromptPack, &text)
        .cases(&[("default", r#"{"user": {"name": "Ada"}}"#)])
        .variables(r#"{"variables": [{"name": "user", "type": "object", "required": true}]}"#)
        .build();
    let hover = hover(&snapshot, FileId::PROMPT, cursor).expect("a placeholder has a hover");
    expect![[r#"
        **`user.name`** — part of `user` (object, required)

        `Ada` — default.json"#]]
    .assert_eq(&shown(&hover));
}

#[test]
fn no_hover_on_plain_text() {
    check(
        Dialect::Adk,
        &[("default", "{}")],
        "De$0ar {a}",
        expect![[r#"
        nothing
    "#]],
    );
}

#[test]
fn values_cannot_break_out_of_their_code_span() {
    check(
        Dialect::Adk,
        &[("default", r#"{"a": "`x`\n<b>"}"#)],
        "{a$0}",
        expect![[r#"
            0..3
            **`a`**

            `` `x`⏎<b> `` — default.json
        "#]],
    );
}

#[track_caller]
fn check_key(prompt: &str, inputs: &str, variables: &str, expected: Expect) {
    let texts = [(Files::FIRST_CASE, inputs), (Files::VARIABLES, variables)];
    let (file, marked) = texts.into_iter().find(|(_, text)| text.contains("$0")).expect("a cursor");
    let (_, cursor) = with_cursor(marked);
    let (inputs, variables) = (inputs.replace("$0", ""), variables.replace("$0", ""));
    let files = Files::new(Dialect::PromptPack, prompt, &[&inputs], &variables);
    let actual = match hover(&files.snapshot, file, cursor) {
        Some(hover) => format!("{:?}\n{}\n", hover.range, shown(&hover)),
        None => "nothing\n".to_owned(),
    };
    expected.assert_eq(&actual);
}

#[test]
fn hover_of_a_key_shows_its_readers_and_declaration() {
    let prompt = "{{user.name}} {{user.name}} {{user}}";
    let variables =
        r#"{"variables": [{"name": "user", "type": "object", "description": "Who asks"}]}"#;
    check_key(
        prompt,
        r#"{"us$0er": {"name": "Ada"}, "x": 1}"#,
        variables,
        expect![[r#"
        1..7
        **`user`** — object

        Who asks

        read 3 times by test.prompt: `{{user.name}}` ×2, `{{user}}`
    "#]],
    );
    check_key(
        prompt,
        r#"{"user": {"na$0me": "Ada"}, "x": 1}"#,
        variables,
        expect![[r#"
        10..16
        **`user.name`** — part of `user` (object)

        read 2 times by test.prompt: `{{user.name}}` ×2
    "#]],
    );
    check_key(
        prompt,
        r#"{"user": {"name": "Ada"}, "x$0": 1}"#,
        variables,
        expect![[r#"
        26..29
        **`x`**

        not read by test.prompt
    "#]],
    );
}

#[test]
fn hover_of_a_key_includes_uses_in_fragments() {
    check_key(
        "{{f}}",
        r#"{"$0x": 1}"#,
        r#"{"fragments": {"f": "{{x}}"}}"#,
        expect![[r#"
        1..4
        **`x`**

        read by test.prompt, through a fragment or another of its members
    "#]],
    );
}

#[test]
fn names_of_the_variables_file_have_values_and_uses() {
    check_key(
        "{{x}}",
        r#"{"x": "b"}"#,
        r#"{"variables": [{"name": "$0x", "type": "string", "validation": {"enum": ["a", "b"]}}]}"#,
        expect![[r#"
            24..27
            **`x`** — string

            one of `a`, `b`

            `b` — case0.json

            read once by test.prompt: `{{x}}`
        "#]],
    );
    check_key(
        "{{f}}",
        "{}",
        r#"{"fragments": {"$0f": "Be kind"}}"#,
        expect![[r#"
        15..18
        **`f`** — fragment

        `Be kind`

        read once by test.prompt: `{{f}}`
    "#]],
    );
}

#[test]
fn long_values_are_cut_and_show_their_length() {
    let long = "x".repeat(700);
    let (text, cursor) = with_cursor("{a$0}");
    let inputs = format!(r#"{{"a": "{long}"}}"#);
    let snapshot = Fixture::new(Dialect::Adk, &text).cases(&[("default", &inputs)]).build();
    let hover = hover(&snapshot, FileId::PROMPT, cursor).expect("a placeholder has a hover");
    assert!(shown(&hover).contains("x… (700 characters)"), "{hover:?}");
}

#[test]
fn hover_of_a_condition_shows_the_cases_that_enter_it() {
    let inputs = [("default", r#"{"a": "x"}"#), ("empty", r#"{"a": ""}"#)];
    check(
        Dialect::Agentle,
        &inputs,
        "{{#if a$0}}x{{/if}}",
        expect![[r#"
        0..9
        **`a`** — condition

        - **default**: entered (`x`) — default.json
        - **empty**: not entered (empty) — empty.json
    "#]],
    );
    check(
        Dialect::Agentle,
        &inputs,
        "{{#if a}}x{{/i$0f}}",
        expect![[r#"
        10..17
        closes `{{#if a}}`
    "#]],
    );
}

#[test]
fn hover_shows_the_error_message_of_the_engine_for_missing_values() {
    check(
        Dialect::AgentEnsemble,
        &[("default", "{}")],
        "{a$0}",
        expect![[r#"
        0..3
        **`a`**

        Without a value, AgentEnsemble raises `Missing template variables: [a]` and sends nothing.
    "#]],
    );
    check(
        Dialect::Adk,
        &[("default", "{}")],
        "{artifact.a.txt$0}",
        expect![[r#"
        0..16
        **`artifact.a.txt`**

        Without a value, Google ADK raises `Artifact a.txt not found`; `?` makes it optional.
    "#]],
    );
}

#[test]
fn hover_shows_a_value_as_it_is_sent() {
    check(
        Dialect::Langfuse,
        &[("default", r#"{"on": [true, null, 1.50, "it's"]}"#), ("none", "{}")],
        "{{ o$0n }}",
        expect![[r#"
            0..8
            **`on`**

            - **default**: `[True, None, 1.5, "it's"]` — default.json
            - **none**: no value

            Without a value, the placeholder is sent unchanged.
        "#]],
    );
}

#[test]
fn format_specifications_are_shown_with_the_printed_text() {
    let inputs = [("default", r#"{"price": 9.5, "width": 8}"#)];
    for (marked, expected) in [
        (
            "{pr$0ice:>8.2f}",
            expect![[r#"
                0..13
                **`price`**

                `9.5` — default.json

                printed with `:>8.2f`: `     9.50 `
            "#]],
        ),
        (
            "{price:>{wi$0dth}.2f}",
            expect![[r#"
            9..14
            **`width`**

            `8` — default.json
        "#]],
        ),
        (
            "{price!$0r}",
            expect![[r#"
            0..9
            **`price`**

            `9.5` — default.json

            printed with `!r`: `9.5`
        "#]],
        ),
        (
            "{price:$0d}",
            expect![[r#"
            0..9
            **`price`**

            `9.5` — default.json

            printed with `:d`: Unknown format code 'd' for object of type 'float'
        "#]],
        ),
        (
            "{pri$0ce}",
            expect![[r#"
            0..7
            **`price`**

            `9.5` — default.json
        "#]],
        ),
        (
            "{0$0}",
            expect![[r#"
                0..3
                **`0`**

                Without a value, Python braces raises `Replacement index 0 out of range for positional args tuple` and sends nothing.
            "#]],
        ),
        (
            "{{$0price}}",
            expect![[r#"
            0..2
            **escape** — sent as `{`
        "#]],
        ),
        (
            "{price$0",
            expect![[r#"
            nothing
        "#]],
        ),
    ] {
        check(Dialect::Format, &inputs, marked, expected);
    }
    let cases = [("default", r#"{"a": 1}"#), ("b", r#"{"a": "x"}"#)];
    check(
        Dialect::Format,
        &cases,
        "{a$0:03d}",
        expect![[r#"
        0..7
        **`a`**

        - **default**: `1` — default.json
        - **b**: `x` — b.json

        printed with `:03d`
        - **default**: `001`
        - **b**: Unknown format code 'd' for object of type 'str'
    "#]],
    );
}
