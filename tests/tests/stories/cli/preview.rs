//! `promptls preview`.

use expect_test::{Expect, expect};
use promptls_tests::{Workspace, promptls};

#[track_caller]
fn check(files: &[(&str, &str)], arguments: &[&str], expected: Expect) {
    let workspace = Workspace::new(files);
    let output = promptls(arguments).cwd(workspace.root()).run();
    let code = output.code.expect("it ended by itself");
    expected.assert_eq(&format!("{}--- {code}\n{}", output.stdout, output.stderr));
}

const PROMPT: (&str, &str) = ("p.adk.prompt", "Dear {name},\nsee {place}.\n");
const ADA: (&str, &str) = ("p.adk.inputs.json", r#"{"name": "Ada", "place": "Rome"}"#);
const BOB: (&str, &str) = ("p.adk.bob.inputs.json", r#"{"name": "Bob"}"#);

#[test]
fn a_text_is_shown_with_its_size() {
    check(
        &[PROMPT, ADA],
        &["preview", "p.adk.prompt"],
        expect![[r#"
            Dear Ada,
            see Rome.
            ────────────────────────────────────────────────────────────────────────────────
            4 words, 20 characters, 6 tokens
            --- 0
        "#]],
    );
}

#[test]
fn an_error_of_the_engine_is_shown_first() {
    check(
        &[PROMPT, ADA, BOB],
        &["preview", "p.adk.prompt", "--case", "bob"],
        expect![[r#"
            the engine would send nothing: Context variable not found: place

            Dear Bob,
            see {place}.
            ────────────────────────────────────────────────────────────────────────────────
            error[undefined-placeholder]: `place` has no value
             --> p.adk.prompt:2:6
              |
            2 | see {place}.
              |      ^^^^^
              |
             ::: p.adk.bob.inputs.json:1:1
              |
            1 | {"name": "Bob"}
              | - the inputs of case bob
            ────────────────────────────────────────────────────────────────────────────────
            4 words, 23 characters, 7 tokens
            --- 1
        "#]],
    );
}

#[test]
fn names_of_missing_values_are_shown_if_the_engine_removes_them() {
    check(
        &[
            ("p.agentle.prompt", "{{#if x}}Dear {{name}},{{/if}}"),
            ("p.agentle.inputs.json", r#"{"x": 1}"#),
        ],
        &["preview", "p.agentle.prompt"],
        expect![[r#"
            Dear ⟨name⟩,
            ────────────────────────────────────────────────────────────────────────────────
            hint[mode-changed-by-block]: because the prompt has a block, names without a value are removed; without a block they would be sent unchanged
             --> p.agentle.prompt:1:1
              |
            1 | {{#if x}}Dear {{name}},{{/if}}
              | ^^^^^^^^^
            error[undefined-placeholder]: `name` has no value
             --> p.agentle.prompt:1:17
              |
            1 | {{#if x}}Dear {{name}},{{/if}}
              |                 ^^^^
              |
             ::: p.agentle.inputs.json:1:1
              |
            1 | {"x": 1}
              | - the inputs of case default
            ────────────────────────────────────────────────────────────────────────────────
            2 words, 6 characters, 2 tokens
            --- 0
        "#]],
    );
}

#[test]
fn without_inputs_the_path_of_an_inputs_file_is_shown() {
    check(
        &[PROMPT],
        &["preview", "p.adk.prompt"],
        expect![[r#"
            the engine would send nothing: Context variable not found: name

            Dear {name},
            see {place}.
            ────────────────────────────────────────────────────────────────────────────────
            info[no-inputs]: no inputs file: names are not checked
             --> p.adk.prompt:1:1
              |
            1 | Dear {name},
              | ^
            ────────────────────────────────────────────────────────────────────────────────
            4 words, 26 characters, 8 tokens
            --- 1
            promptls: note: p.adk.prompt has no inputs file; values are read from p.adk.inputs.json
        "#]],
    );
}

#[test]
fn headings_of_wide_names_end_at_the_same_column() {
    check(
        &[("p.adk.prompt", "{name}"), ("p.adk.名前.inputs.json", r#"{"name": "Ada"}"#)],
        &["preview", "p.adk.prompt", "--all-cases"],
        expect![[r#"
            ── case 名前 ────────────────────────────────── 1 word, 3 characters, 1 token ──
            Ada
            --- 0
        "#]],
    );
}

#[test]
fn all_cases_are_shown_under_headings() {
    check(
        &[PROMPT, ADA, BOB],
        &["preview", "p.adk.prompt", "--all-cases"],
        expect![[r#"
            ── case default ──────────────────────────── 4 words, 20 characters, 6 tokens ──
            Dear Ada,
            see Rome.

            ── case bob ──────────────────────────────── 4 words, 23 characters, 7 tokens ──
            the engine would send nothing: Context variable not found: place

            Dear Bob,
            see {place}.
            ────────────────────────────────────────────────────────────────────────────────
            error[undefined-placeholder]: `place` has no value in 1 of 2 cases: bob
             --> p.adk.prompt:2:6
              |
            2 | see {place}.
              |      ^^^^^
              |
             ::: p.adk.bob.inputs.json:1:1
              |
            1 | {"name": "Bob"}
              | - the inputs of case bob
            --- 1
        "#]],
    );
}

#[test]
fn the_size_is_shown_with_the_token_limit() {
    let rule = "[[prompts]]\nfiles = ['*.prompt']\nmax_tokens = 2\nencoding = 'cl100k_base'\n";
    check(
        &[("promptls.toml", rule), PROMPT, ADA],
        &["preview", "p.adk.prompt"],
        expect![[r#"
            Dear Ada,
            see Rome.
            ────────────────────────────────────────────────────────────────────────────────
            warning[too-many-tokens]: 6 tokens; at most 2 are allowed; the prompt itself is 66%
             --> p.adk.prompt:1:1
              |
            1 | Dear {name},
              | ^
            ────────────────────────────────────────────────────────────────────────────────
            4 words, 20 characters, 6 of 2 tokens
            --- 0
        "#]],
    );
}

#[test]
fn a_broken_case_is_a_problem_and_the_others_are_shown() {
    let broken = ("p.adk.broken.inputs.json", "{");
    check(
        &[PROMPT, ADA, broken],
        &["preview", "p.adk.prompt", "--all-cases"],
        expect![[r#"
            ── case default ──────────────────────────── 4 words, 20 characters, 6 tokens ──
            Dear Ada,
            see Rome.

            ── case broken ─────────────────────────────────────────────────────────────────
            its files cannot be used
            ────────────────────────────────────────────────────────────────────────────────
            error[invalid-inputs]: `{` is never closed; add `}`
             --> p.adk.broken.inputs.json:1:1
              |
            1 | {
              | ^
            --- 2
            promptls: p.adk.broken.inputs.json:1:1: `{` is never closed; add `}`
        "#]],
    );
}

#[test]
fn colours_distinguish_sources_of_the_text() {
    let workspace =
        Workspace::new(&[PROMPT, ("p.adk.inputs.json", "{\"name\": \"A\\nd\\u001b[0m\"}")]);
    let preview = |variable: &str| {
        let run = promptls(&["preview", "p.adk.prompt"]).cwd(workspace.root()).env(variable, "1");
        run.run().stdout.split("──").next().expect("there is a text").replace('\u{1b}', "^")
    };
    expect![[r#"
        ^[1m^[31mthe engine would send nothing: Context variable not found: place^[0m

        Dear ^[36mA^[0m
        ^[36md␛[0m^[0m,
        see ^[7m^[31m{place}^[0m.
        ^[2m"#]]
    .assert_eq(&preview("CLICOLOR_FORCE"));
    expect![[r#"
        the engine would send nothing: Context variable not found: place

        Dear A
        d␛[0m,
        see {place}.
    "#]]
    .assert_eq(&preview("NO_COLOR"));
}
