//! Inputs and variables in TOML on the command line.

use expect_test::{Expect, expect};
use promptls_tests::{Output, Workspace, promptls};

const PROMPT: (&str, &str) =
    ("mail.agentle.prompt", "Dear {{user.name}}, {{#each items}}{{this}} {{/each}}{{totl}}\n");
const INPUTS: (&str, &str) = (
    "mail.agentle.inputs.toml",
    "total = 1.50\nitems = [\"a\", \"b\"] # two\n\n[user]\nname = \"Ada\"\nextra = 1\n",
);

#[track_caller]
fn check(files: &[(&str, &str)], arguments: &[&str], expected: Expect) {
    let workspace = Workspace::new(files);
    let Output { code, stdout, stderr } = promptls(arguments).cwd(workspace.root()).run();
    let code = code.expect("it ended by itself");
    expected.assert_eq(&format!("{stdout}--- {code}\n{stderr}"));
}

#[test]
fn problems_are_located_in_toml() {
    check(
        &[PROMPT, INPUTS],
        &["check"],
        expect![[r#"
        hint[mode-changed-by-block]: because the prompt has a block, names without a value are removed; without a block they would be sent unchanged
         --> mail.agentle.prompt:1:21
          |
        1 | Dear {{user.name}}, {{#each items}}{{this}} {{/each}}{{totl}}
          |                     ^^^^^^^^^^^^^^^

        error[undefined-placeholder]: `totl` has no value; did you mean `total`?
         --> mail.agentle.prompt:1:56
          |
        1 | Dear {{user.name}}, {{#each items}}{{this}} {{/each}}{{totl}}
          |                                                        ^^^^
          |
         ::: mail.agentle.inputs.toml:1:1
          |
        1 | total = 1.50
          | ----- case default has `total`
        --- 1
        1 prompt checked: 1 error, 1 hint
    "#]],
    );
}

#[test]
fn values_of_toml_equal_those_of_json() {
    let prompt = ("a.agentle.prompt", "{{n}} {{m}} {{d}} {{t}} {{u.a}} {{l}}");
    let toml = "n = 1.50\nm = 1_000\nd = 2026-11-26\nt = true\nu = { a = 'x' }\nl = [1, [2]]\n";
    let json =
        r#"{"n": 1.50, "m": 1000, "d": "2026-11-26", "t": true, "u": {"a": "x"}, "l": [1, [2]]}"#;
    let resolved = |name: &str, text: &str| {
        let workspace = Workspace::new(&[prompt, (name, text)]);
        promptls(&["resolve", prompt.0]).cwd(workspace.root()).run()
    };
    let (toml, json) =
        (resolved("a.agentle.inputs.toml", toml), resolved("a.agentle.inputs.json", json));
    assert_eq!(toml.code, Some(0), "{}", toml.stderr);
    assert_eq!(toml.stdout, json.stdout);
}

#[test]
fn invalid_toml_and_unsupported_formats_are_reported() {
    check(
        &[
            ("a.adk.prompt", "Dear {name}"),
            ("a.adk.inputs.toml", "name = \n"),
            ("b.adk.prompt", "Dear {name}"),
            ("b.adk.inputs.env", "NAME=Ada\n"),
        ],
        &["check", "--format", "concise"],
        expect![[r#"
            a.adk.inputs.toml:1:8: error [invalid-inputs] string values must be quoted, expected literal string
            b.adk.inputs.env:1:1: warning [orphan-sidecar] `.env` is not a format of inputs and variables; use JSON, YAML or TOML
            b.adk.prompt:1:1: info [no-inputs] no inputs file: names are not checked
            --- 1
            2 prompts checked: 1 error, 1 warning, 1 info
        "#]],
    );
}

#[test]
fn a_format_that_is_not_supported_is_named() {
    let rule = (
        "promptls.toml",
        "[[prompts]]\ndialect = 'adk'\nfiles = ['a.prompt']\ninputs = ['values.env']\n",
    );
    let files = [("a.prompt", "Hi {name}\n"), ("values.env", "NAME=x\n"), rule];
    check(
        &files,
        &["check"],
        expect![[r#"
        error[unreadable-file]: `.env` is not a format of inputs and variables; use JSON, YAML or TOML
         --> values.env:1:1
          |
        1 | NAME=x
          | ^^^^
        --- 2
        1 prompt checked, 1 file not fully read: 1 error
    "#]],
    );
    let arguments = ["resolve", "a.prompt", "--inputs", "values.env", "--dialect", "adk"];
    check(
        &files[..2],
        &arguments,
        expect![[r#"
        --- 2
        promptls: values.env:1:1: `.env` is not a format of inputs and variables; use JSON, YAML or TOML
    "#]],
    );
}
