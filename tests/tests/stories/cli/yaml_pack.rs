//! Packs in YAML on the command line.

use expect_test::{Expect, expect};
use promptls_tests::{Output, Workspace, promptls};
use serde_json::Value;

#[track_caller]
fn check(files: &[(&str, &str)], arguments: &[&str], expected: Expect) {
    let workspace = Workspace::new(files);
    let Output { code, stdout, stderr } = promptls(arguments).cwd(workspace.root()).run();
    let code = code.expect("it ended by itself");
    expected.assert_eq(&format!("{stdout}--- {code}\n{stderr}"));
}

const SUPPORT: (&str, &str) = (
    "support.pack.yaml",
    r#"template_engine: {version: v1, syntax: "{{variable}}", features: [fragments]}
fragments:
  sign: Yours, {{company}}
prompts:
  greeting:
    system_template: |- # for now
      Café
      "{{nmae}}" {{fragments.sign}}
    variables:
      - {name: name, type: string, required: true}
      - {name: company, type: string, default: Acme}
  closing:
    system_template: >
      Bye
      {{nmae}}
    variables: [{name: name, type: string}]
"#,
);
const INPUTS: (&str, &str) = ("support.pack.inputs.yaml", "name: Ada\n");

#[test]
fn problems_are_located_in_the_source_text() {
    check(
        &[SUPPORT, INPUTS],
        &["check"],
        expect![[r#"
            error[undefined-placeholder]: `nmae` has no value; did you mean `name`?
             --> support.pack.yaml:8:10
              |
            8 |       "{{nmae}}" {{fragments.sign}}
              |          ^^^^
              |
             ::: support.pack.inputs.yaml:1:1
              |
            1 | name: Ada
              | ---- case default has `name`

            hint[engine-differs]: `fragments.sign` is a fragment in the documentation; promptkit-go and promptpack-langchainjs include it as `{{name}}`, promptpack-python as `{{fragment:name}}`
             --> support.pack.yaml:8:20
              |
            8 |       "{{nmae}}" {{fragments.sign}}
              |                    ^^^^^^^^^^^^^^

            warning[unused-variable]: `name` is declared and never used by prompt `greeting`
              --> support.pack.yaml:10:16
               |
            10 |       - {name: name, type: string, required: true}
               |                ^^^^

            error[undefined-placeholder]: `nmae` has no value; did you mean `name`?
              --> support.pack.yaml:15:9
               |
            15 |       {{nmae}}
               |         ^^^^
               |
              ::: support.pack.inputs.yaml:1:1
               |
             1 | name: Ada
               | ---- case default has `name`

            warning[unused-variable]: `name` is declared and never used by prompt `closing`
              --> support.pack.yaml:16:24
               |
            16 |     variables: [{name: name, type: string}]
               |                        ^^^^
            --- 1
            2 prompts checked: 2 errors, 2 warnings, 1 hint
        "#]],
    );
}

#[test]
fn a_prompt_is_resolved_with_the_text_of_its_scalar() {
    let good = SUPPORT.1.replace("nmae", "name");
    let files = [(SUPPORT.0, &*good), INPUTS];
    check(
        &files,
        &["resolve", SUPPORT.0, "--prompt", "greeting"],
        expect![[r#"
        Café
        "Ada" Yours, Acme--- 0
    "#]],
    );
    check(
        &files,
        &["resolve", SUPPORT.0, "--prompt", "closing"],
        expect![[r#"
        Bye Ada
        --- 0
    "#]],
    );
    check(
        &files,
        &["preview", SUPPORT.0, "--prompt", "closing"],
        expect![[r#"
        Bye Ada
        ────────────────────────────────────────────────────────────────────────────────
        2 words, 8 characters, 3 tokens
        --- 0
    "#]],
    );
    check(
        &files,
        &["check", "--list"],
        expect![[r#"
            support.pack.yaml#greeting  promptpack  its name  default
            support.pack.yaml#closing   promptpack  its name  default
            --- 0
            2 prompts
        "#]],
    );
}

#[test]
fn source_maps_refer_to_the_scalar() {
    let good = SUPPORT.1.replace("nmae", "name");
    let workspace = Workspace::new(&[(SUPPORT.0, &good), INPUTS]);
    let resolve = ["resolve", SUPPORT.0, "--prompt", "closing", "--format", "json"];
    let answer = promptls(&resolve).cwd(workspace.root()).run().stdout;
    let answer: Value = serde_json::from_str(&answer).expect("it is JSON");
    let runs = answer["map"].as_array().expect("there is a map").iter();
    let runs = runs.map(|run| {
        let at = |end: usize| run["source"][end].as_u64().expect("an offset") as usize;
        format!("{:?}\n", &good[at(0)..at(1)])
    });
    expect![[r#"
        "Bye\n"
        "{{name}}"
        "\n"
    "#]]
    .assert_eq(&runs.collect::<String>());
}

#[test]
fn yaml_that_is_no_pack_is_no_prompt() {
    let files = [
        ("promptls.toml", "[[prompts]]\nfiles = ['*.yaml', '*.yml']\n"),
        ("a.yaml", "spec: {system_template: '{{nmae}}'}\n"),
        (
            "b.yml",
            "$schema: https://promptpack.org/schema.json\nprompts: {a: {system_template: '{{x}}'}}\n",
        ),
        ("c.yaml", "template_engine: {{ .Values }}\nprompts: {}\n"),
    ];
    check(
        &files,
        &["check", "--list"],
        expect![[r#"
            b.yml#a  promptpack  rule 1 of promptls.toml  no cases
            --- 0
            1 prompt
        "#]],
    );
    check(
        &files,
        &["resolve", "a.yaml"],
        expect![[r#"
        --- 2
        promptls: a.yaml has no prompt: no framework, mark or rule of promptls.toml names a string in it; specify its dialect to read it as one prompt
    "#]],
    );
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn unusual_packs_are_read_or_reported() {
    let many: String =
        (0..10_000).map(|index| format!("  p{index}: {{system_template: x}}\n")).collect();
    let many = format!("prompts:\n{many}");
    let long =
        format!("prompts:\n  a:\n    system_template: |\n{}", "      word\n".repeat(1 << 17));
    let deep = format!("prompts: {}{}\n", "[".repeat(10_000), "]".repeat(10_000));
    for (text, expected) in [
        (
            "\u{feff}prompts:\r\n  a:\r\n    system_template: |\r\n      {{x}}\r\n",
            expect![[r#"
            a.pack.yaml:4:9: warning [undeclared-variable] `x` is not declared
        "#]],
        ),
        (
            "prompts:\n  a:\n    system_template: |2+ # c\n        {{x}}\n\n",
            expect![[r#"
            a.pack.yaml:4:11: warning [undeclared-variable] `x` is not declared
        "#]],
        ),
        (
            "prompts:\n  a:\n    system_template: >-",
            expect![[r#"
            a.pack.inputs.json:1:2: warning [unused-input] `x` is never read by prompt `a`
        "#]],
        ),
        (
            "prompts:\n  a:\n    system_template: |\n      {{x}}",
            expect![[r#"
            a.pack.yaml:4:9: warning [undeclared-variable] `x` is not declared
        "#]],
        ),
        (
            "prompts:\n  a:\n\tsystem_template: x\n",
            expect![[r#"
            a.pack.yaml:3:2: error [unreadable-file] a tab cannot indent YAML; use spaces
        "#]],
        ),
        (
            "prompts: {a: {system_template: \"\\ud83d\\ude00 {{x}}\"}}\n",
            expect![[r#"
            a.pack.yaml:1:32: error [unreadable-file] found invalid Unicode character escape code
        "#]],
        ),
        (
            "prompts: {a: {system_template: !!binary eA==}}\n",
            expect![[r#"
            a.pack.inputs.json:1:2: warning [unused-input] `x` is never read by prompt `a`
        "#]],
        ),
        (
            "prompts: {a: {system_template: !other '{{x}}'}}\n",
            expect![[r#"
            a.pack.yaml:1:42: warning [undeclared-variable] `x` is not declared
        "#]],
        ),
        (
            "prompts: {a: {system_template: 1}}\n",
            expect![[r#"
            a.pack.yaml:1:32: error [invalid-inputs] `system_template` must be a string, this is a number
        "#]],
        ),
        (
            "prompts: {a: {system_template: x}}\n---\nb: 1\n",
            expect![[r#"
            a.pack.yaml:2:1: error [unreadable-file] a second document starts here; the file may contain only one
        "#]],
        ),
        (
            &*many,
            expect![[r#"
            a.pack.inputs.json:1:2: warning [unused-input] `x` is never read by any prompt of a.pack.yaml
        "#]],
        ),
        (
            &*long,
            expect![[r#"
            a.pack.inputs.json:1:2: warning [unused-input] `x` is never read by prompt `a`
        "#]],
        ),
        (
            &*deep,
            expect![[r#"
                a.pack.yaml:1:265: error [unreadable-file] this is nested too deeply
            "#]],
        ),
    ] {
        let workspace =
            Workspace::new(&[("a.pack.yaml", text), ("a.pack.inputs.json", r#"{"x": "X"}"#)]);
        let Output { stdout, .. } =
            promptls(&["check", "--format", "concise"]).cwd(workspace.root()).run();
        expected.assert_eq(&stdout);
    }
}

#[test]
fn marks_and_rules_select_more_strings_of_a_pack() {
    let rule = "[[prompts]]\nfiles = ['a.pack.yaml']\ndialect = 'adk'\nstrings = ['notes.first']\n";
    let pack = "prompts: {greet: {system_template: 'Hi {{name}}'}}\nnotes:\n  first: Hi {user}\n  # promptls: adk\n  second: Bye {user}\n  third: Not {this}\n";
    check(
        &[("promptls.toml", rule), ("a.pack.yaml", pack)],
        &["prompts"],
        expect![[r#"
            a.pack.yaml#greet         promptpack  PromptPack `system_template`
            a.pack.yaml#notes.first   adk         `notes.first` in a rule of promptls.toml
            a.pack.yaml#notes.second  adk         a mark
            --- 0
        "#]],
    );
}

#[test]
fn a_check_of_a_pack_without_prompts_is_reported() {
    check(
        &[("a.pack.yaml", "prompts: {}\n")],
        &["check"],
        expect![[r#"
            --- 0
            no prompts checked: no problems
        "#]],
    );
    // As for code, a rule may exclude all strings of a file.
    let none = "[[prompts]]\nfiles = ['a.pack.yaml']\nstrings = []\n";
    check(
        &[("promptls.toml", none), ("a.pack.yaml", "prompts: {a: {system_template: x}}\n")],
        &["check"],
        expect![[r#"
            --- 2
            promptls: no prompts found under .; no rule of promptls.toml matches a file there, and none ends in .prompt; --allow-empty accepts that
        "#]],
    );
}
