//! Packs on the command line: prompts inside a JSON file.

use expect_test::{Expect, expect};
use promptls_tests::{Output, Workspace, promptls};
use serde_json::Value;

#[track_caller]
fn check(files: &[(&str, &str)], arguments: &[&str], expected: Expect) {
    let Output { code, stdout, stderr } = run(files, arguments);
    let code = code.expect("it ended by itself");
    expected.assert_eq(&format!("{stdout}--- {code}\n{stderr}"));
}

fn run(files: &[(&str, &str)], arguments: &[&str]) -> Output {
    let workspace = Workspace::new(files);
    promptls(arguments).cwd(workspace.root()).run()
}

/// Two prompts that share fragments and inputs.
const SUPPORT: (&str, &str) = (
    "support.pack.json",
    r#"{
  "template_engine": {"version": "v1", "syntax": "{{variable}}", "features": ["fragments"]},
  "fragments": {"sign": "Yours, {{company}}"},
  "prompts": {
    "greeting": {
      "system_template": "Caf\u00e9 \ud83d\ude00\n\"{{name}}\"\n{{fragments.sign}}",
      "variables": [
        {"name": "name", "type": "string", "required": true},
        {"name": "company", "type": "string", "default": "Acme"}
      ]
    },
    "closing": {
      "system_template": "Bye {{name}} ({{age}})",
      "variables": [{"name": "name", "type": "string"}, {"name": "age", "type": "number"}]
    }
  }
}
"#,
);
const INPUTS: (&str, &str) = ("support.pack.inputs.json", r#"{"name": "Ada", "age": 36}"#);

/// A pack with one prompt.
fn pack(template: &str, variables: &str) -> String {
    format!(
        r#"{{"prompts": {{"one": {{"system_template": "{template}", "variables": {variables}}}}}}}"#
    )
}

#[test]
fn all_prompts_of_a_pack_share_its_inputs() {
    check(
        &[SUPPORT, INPUTS],
        &["check"],
        expect![[r#"
            hint[engine-differs]: `fragments.sign` is a fragment in the documentation; promptkit-go and promptpack-langchainjs include it as `{{name}}`, promptpack-python as `{{fragment:name}}`
             --> support.pack.json:6:67
              |
            6 |       "system_template": "Caf\u00e9 \ud83d\ude00\n\"{{name}}\"\n{{fragments.sign}}",
              |                                                                   ^^^^^^^^^^^^^^
            --- 0
            2 prompts checked: 1 hint
        "#]],
    );
}

#[test]
fn problems_are_located_in_the_pack() {
    let pack = pack(
        r"\u00e9\ud83d\ude00\n\t{{nmae}}",
        r#"[{"name": "name", "type": "string"}, {"name": "name", "type": "string"}, {"name": "b", "type": "number", "required": true, "default": 1}]"#,
    );
    check(
        &[("a.pack.json", &pack), ("a.pack.inputs.json", r#"{"name": "Ada", "b": 1, "c": 2}"#)],
        &["check"],
        expect![[r#"
            warning[unused-input]: `c` is never read by prompt `one`
             --> a.pack.inputs.json:1:25
              |
            1 | {"name": "Ada", "b": 1, "c": 2}
              |                         ^^^

            error[undefined-placeholder]: `nmae` has no value; did you mean `name`?
             --> a.pack.json:1:66
              |
            1 | {"prompts": {"one": {"system_template": "\u00e9\ud83d\ude00\n\t{{nmae}}", "variables": [{"name": "name", "type": ...
              |                                                                  ^^^^
              |
             ::: a.pack.inputs.json:1:2
              |
            1 | {"name": "Ada", "b": 1, "c": 2}
              |  ------ case default has `name`

            warning[unused-variable]: `name` is declared and never used by prompt `one`
             --> a.pack.json:1:98
              |
            1 | {"prompts": {"one": {"system_template": "\u00e9\ud83d\ude00\n\t{{nmae}}", "variables": [{"name": "name", "type": ...
              |                                                                                                  ^^^^^^

            error[invalid-declaration]: `name` is declared twice; the first declaration is used
             --> a.pack.json:1:134
              |
            1 | ...les": [{"name": "name", "type": "string"}, {"name": "name", "type": "string"}, {"name": "b", "type": "number",...
              |                                                        ^^^^^^
              |
             ::: a.pack.json:1:98
              |
            1 | ...de00\n\t{{nmae}}", "variables": [{"name": "name", "type": "string"}, {"name": "name", "type": "string"}, {"nam...
              |                                              ------ first declared here

            warning[unused-variable]: `name` is declared and never used by prompt `one`
             --> a.pack.json:1:134
              |
            1 | ...les": [{"name": "name", "type": "string"}, {"name": "name", "type": "string"}, {"name": "b", "type": "number",...
              |                                                        ^^^^^^

            warning[unused-variable]: `b` is declared and never used by prompt `one`
             --> a.pack.json:1:170
              |
            1 | ...ring"}, {"name": "name", "type": "string"}, {"name": "b", "type": "number", "required": true, "default": 1}]}}}
              |                                                         ^^^

            warning[invalid-declaration]: `b` is required and has a default; PromptKit fails without a value, other engines use the default
             --> a.pack.json:1:222
              |
            1 | ...: "b", "type": "number", "required": true, "default": 1}]}}}
              |                                                          ^
              |
             ::: a.pack.json:1:193
              |
            1 | ..."string"}, {"name": "b", "type": "number", "required": true, "default": 1}]}}}
              |                                               ---------- required here
            --- 1
            1 prompt checked: 2 errors, 5 warnings
        "#]],
    );
}

#[test]
fn a_key_is_unused_only_if_no_prompt_reads_it() {
    check(
        &[
            SUPPORT,
            ("support.pack.old.inputs.json", r#"{"name": "Ada", "age": 36, "town": "Rome"}"#),
        ],
        &["check", "--format", "concise"],
        expect![[r#"
            support.pack.json:6:67: hint [engine-differs] `fragments.sign` is a fragment in the documentation; promptkit-go and promptpack-langchainjs include it as `{{name}}`, promptpack-python as `{{fragment:name}}`
            support.pack.old.inputs.json:1:28: warning [unused-input] `town` is never read by any prompt of support.pack.json
            --- 0
            2 prompts checked: 1 warning, 1 hint
        "#]],
    );
}

#[test]
fn without_inputs_declared_names_count_as_supplied_at_run_time() {
    check(
        &[(
            "a.pack.json",
            &pack("{{name}} {{nmae}}", r#"[{"name": "name", "type": "string", "required": true}]"#),
        )],
        &["check", "--format", "concise"],
        expect![[r#"
            a.pack.json:1:42: info [no-inputs] no inputs file: declared variables count as supplied at run time
            a.pack.json:1:53: error [undeclared-variable] `nmae` is not declared; did you mean `name`?
            --- 1
            1 prompt checked: 1 error, 1 info
        "#]],
    );
    let undeclared = r#"{"fragments": {"f": "{{c}}"}, "prompts": {
        "a": {"system_template": "{{a}}"}, "b": {"system_template": "{{b}} {{f}}"}}}"#;
    check(
        &[("a.pack.json", undeclared)],
        &["check", "--format", "concise"],
        expect![[r#"
            a.pack.json:2:35: info [no-inputs] no inputs file: whether names have values is not checked
            a.pack.json:2:37: warning [undeclared-variable] `a` is not declared
            a.pack.json:2:72: warning [undeclared-variable] `b` is not declared
            a.pack.json:2:78: hint [engine-differs] `f` is a fragment in the documentation; promptkit-go and promptpack-langchainjs include it as `{{name}}`, promptpack-python as `{{fragment:name}}`
            --- 0
            2 prompts checked: 2 warnings, 1 info, 1 hint
        "#]],
    );
}

#[test]
fn without_inputs_the_engine_fails_without_name_problems() {
    let pack = pack(
        "{{name}} {{tone}}",
        r#"[{"name": "name", "type": "string", "required": true}, {"name": "tone", "type": "string"}]"#,
    );
    let files = [("a.pack.json", &*pack)];
    check(
        &files,
        &["resolve", "a.pack.json"],
        expect![[r#"
        --- 1
        Missing variables: name, tone
    "#]],
    );
    let Output { code, stdout, .. } = run(&files, &["resolve", "--format", "json", "a.pack.json"]);
    let report: Value = serde_json::from_str(&stdout).expect("a report is JSON");
    assert_eq!(code, Some(1));
    assert_eq!(report["text"], "{{name}} {{tone}}");
    assert_eq!(report["error"]["message"], "Missing variables: name, tone");
    let problems = report["problems"].as_array().expect("it lists problems");
    let codes: Vec<&Value> = problems.iter().map(|problem| &problem["code"]).collect();
    assert_eq!(codes, ["no-inputs"]);

    let Output { code, stdout, .. } = run(&files, &["preview", "a.pack.json"]);
    assert_eq!(code, Some(1));
    assert!(stdout.starts_with("the engine would send nothing: Missing variables: name, tone\n"));
    assert!(stdout.contains("\ninfo[no-inputs]: ") && !stdout.contains("error["), "{stdout}");
}

#[test]
fn a_prompt_may_begin_with_a_line_of_dashes() {
    check(
        &[("a.pack.json", &pack(r"---\n{{nmae}}", "[]")), ("a.pack.inputs.json", "{}")],
        &["check", "--format", "concise"],
        expect![[r#"
            a.pack.json:1:49: error [undefined-placeholder] `nmae` has no value
            --- 1
            1 prompt checked: 1 error
        "#]],
    );
}

#[test]
fn fragments_must_be_enabled() {
    let pack = SUPPORT.1.replace(r#"["fragments"]"#, r#"["basic_substitution"]"#);
    check(
        &[("support.pack.json", &pack), INPUTS],
        &["check"],
        expect![[r#"
            hint[engine-differs]: `fragments.sign` is a fragment in the documentation; promptkit-go and promptpack-langchainjs include it as `{{name}}`, promptpack-python as `{{fragment:name}}`
             --> support.pack.json:6:67
              |
            6 |       "system_template": "Caf\u00e9 \ud83d\ude00\n\"{{name}}\"\n{{fragments.sign}}",
              |                                                                   ^^^^^^^^^^^^^^

            warning[unsupported-syntax]: fragments are not switched on: `template_engine.features` does not list `fragments`
             --> support.pack.json:6:67
              |
            6 |       "system_template": "Caf\u00e9 \ud83d\ude00\n\"{{name}}\"\n{{fragments.sign}}",
              |                                                                   ^^^^^^^^^^^^^^
              |
             ::: support.pack.json:2:78
              |
            2 |   "template_engine": {"version": "v1", "syntax": "{{variable}}", "features": ["basic_substitution"]},
              |                                                                              ---------------------- the features of this pack
            --- 0
            2 prompts checked: 1 warning, 1 hint
        "#]],
    );
}

#[test]
fn the_template_engine_of_a_pack_is_validated() {
    let engine = |engine: &str| {
        format!(
            r#"{{"template_engine": {engine}, "prompts": {{"a": {{"system_template": "x"}}}}}}"#
        )
    };
    for fine in [
        "null",
        "{}",
        r#"{"version": "v1", "syntax": "{{variable}}", "features": ["basic_substitution", "fragments"]}"#,
        r#"{"version": null, "syntax": null, "features": null, "mode": 1}"#,
    ] {
        let Output { code, stdout, .. } = run(&[("a.pack.json", &engine(fine))], &["check"]);
        assert_eq!((code, &*stdout), (Some(0), ""), "{fine}");
    }
    let odd = [
        r#"{"version": "v9", "features": ["framgents", "loops", 3]}"#,
        r#"{"version": 1, "syntax": [], "features": "fragments"}"#,
        r#""v1""#,
    ];
    let files = ["a.pack.json", "b.pack.json", "c.pack.json"].into_iter().zip(odd.map(engine));
    let files: Vec<(&str, String)> = files.collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (*name, &**text)).collect();
    check(
        &files,
        &["check", "--format", "concise"],
        expect![[r#"
        a.pack.json:1:33: warning [unsupported-syntax] the version `v9` is not known; prompts are read as those of `v1`
        a.pack.json:1:52: warning [unsupported-syntax] there is no feature `framgents`; did you mean `fragments`?
        a.pack.json:1:65: info [unsupported-syntax] `loops` is not specified, so it is ignored
        a.pack.json:1:74: error [invalid-inputs] a feature must be a string, this is a number
        b.pack.json:1:33: error [invalid-inputs] `version` must be a string, this is a number
        b.pack.json:1:46: error [invalid-inputs] `syntax` must be a string, this is an array
        b.pack.json:1:62: error [invalid-inputs] `features` must be an array, this is a string
        c.pack.json:1:21: error [invalid-inputs] `template_engine` must be an object, this is a string
        --- 1
        3 prompts checked: 5 errors, 2 warnings, 1 info
    "#]],
    );
}

#[test]
fn all_names_of_a_pack_must_be_declared() {
    let pack = pack("{{a}} {{b.c}} {{input}}", "[]");
    let inputs = ("a.pack.inputs.json", r#"{"a": 1, "b": {"c": 1}}"#);
    check(
        &[("a.pack.json", &pack), inputs],
        &["check", "--format", "concise"],
        expect![[r#"
        a.pack.json:1:44: warning [undeclared-variable] `a` is not declared
        a.pack.json:1:50: warning [undeclared-variable] `b` is not declared
        --- 0
        1 prompt checked: 2 warnings
    "#]],
    );
    check(
        &[("a.pack.json", &pack), inputs],
        &["resolve", "a.pack.json"],
        expect![[r#"
        --- 1
        Missing variables: input
    "#]],
    );
}

#[test]
fn an_invalid_declaration_does_not_affect_others() {
    let variables = r#"[7, {"name": 3}, {"name": "a", "type": 1}, {"name": "b", "type": "string", "validation": {"pattern": "("}}, {"name": "c", "type": "string", "default": "C"}]"#;
    let pack = format!(
        r#"{{"fragments": {{"f": 1, "g": "G"}}, "prompts": {{
        "none": {{"system_template": 1}},
        "one": {{"system_template": "{{{{a}}}} {{{{b}}}} {{{{c}}}} {{{{g}}}}", "variables": {variables}}}}}}}"#
    );
    let files = [("a.pack.json", &*pack), ("a.pack.inputs.json", r#"{"a": "A", "b": "B"}"#)];
    check(
        &files,
        &["check", "--format", "concise"],
        expect![[r#"
            a.pack.json:1:21: error [invalid-inputs] the fragment `f` must be a string, this is a number
            a.pack.json:2:37: error [invalid-inputs] `system_template` must be a string, this is a number
            a.pack.json:3:57: hint [engine-differs] `g` is a fragment in the documentation; promptkit-go and promptpack-langchainjs include it as `{{name}}`, promptpack-python as `{{fragment:name}}`
            a.pack.json:3:77: error [invalid-inputs] a variable is an object with a `name`; this is a number
            a.pack.json:3:89: error [invalid-inputs] `name` must be a string, this is a number
            a.pack.json:3:115: error [invalid-inputs] `type` must be a string, this is a number
            a.pack.json:3:177: error [invalid-declaration] the pattern of `b` does not compile: unclosed group
            --- 1
            1 prompt checked: 6 errors, 1 hint
        "#]],
    );
    check(
        &files,
        &["resolve", "a.pack.json"],
        expect![[r#"
        A B C G--- 0
    "#]],
    );
}

#[test]
fn variables_that_are_not_a_list_are_one_problem() {
    for variables in [r#"{"a": {"type": "string"}}"#, "3"] {
        let pack = pack("{{a}} {{b}}", variables);
        let files = [("a.pack.json", &*pack), ("a.pack.inputs.json", r#"{"a": "A"}"#)];
        let Output { code, stdout, .. } = run(&files, &["check", "--format", "concise"]);
        assert_eq!((code, stdout.lines().count()), (Some(1), 1), "{stdout}");
        assert!(stdout.contains("[invalid-inputs] `variables` must be an array"), "{stdout}");
    }
}

#[test]
fn prompts_in_another_syntax_are_not_read() {
    let pack = SUPPORT.1.replace("{{variable}}", "${variable}").replace("{{name}}", "${nmae}");
    let files = [("support.pack.json", &*pack), INPUTS];
    check(
        &files,
        &["check", "--format", "concise"],
        expect![[r#"
            support.pack.json:2:50: error [unsupported-syntax] PromptPack writes `{{variable}}`; prompts in the syntax `${variable}` are not read
            --- 1
            no prompts checked: 1 error
        "#]],
    );
    check(
        &files,
        &["resolve", "support.pack.json", "--prompt", "closing"],
        expect![[r#"
            --- 2
            promptls: the prompts of support.pack.json cannot be read: 2:50: PromptPack writes `{{variable}}`; prompts in the syntax `${variable}` are not read
        "#]],
    );
}

#[test]
fn json_that_is_no_pack_has_no_problems() {
    let files = [
        ("a.pack.json", r#"{"prompts": ["{{a}}"], "template_engine": 1}"#),
        ("b.pack.json", "[1]"),
        ("c.pack.json", r#"{"prompts": {"a": "{{b}}", "c": {}}}"#),
    ];
    check(
        &files,
        &["check"],
        expect![[r#"
            --- 0
            no prompts checked: no problems
        "#]],
    );
}

#[test]
fn a_pack_that_does_not_parse_is_reported_with_its_location() {
    let files = [("a.pack.json", "{\"prompts\": {\n  \"a\" 1}}")];
    check(
        &files,
        &["check", "--format", "concise"],
        expect![[r#"
            a.pack.json:2:7: error [unreadable-file] expected a colon after the key
            --- 2
            no prompts checked, 1 file not fully read: 1 error
        "#]],
    );
    check(
        &files,
        &["resolve", "a.pack.json"],
        expect![[r#"
            --- 2
            promptls: the prompts of a.pack.json cannot be read: 2:7: expected a colon after the key
        "#]],
    );
}

#[test]
fn the_only_prompt_needs_no_name() {
    let pack = pack(r"Hi\n{{name}}", r#"[{"name": "name", "default": "you"}]"#);
    check(
        &[("a.pack.json", &pack)],
        &["resolve", "a.pack.json"],
        expect![[r#"
        Hi
        you--- 0
    "#]],
    );
}

#[test]
fn one_of_several_prompts_is_selected_by_name() {
    let files = [SUPPORT, INPUTS];
    let resolve = ["resolve", "support.pack.json", "--prompt"];
    check(
        &files,
        &[&resolve[..], &["greeting"]].concat(),
        expect![[r#"
        Café 😀
        "Ada"
        Yours, Acme--- 0
    "#]],
    );
    check(
        &files,
        &[&resolve[..], &["greting"]].concat(),
        expect![[r#"
        --- 2
        promptls: support.pack.json has no prompt `greting`, only greeting, closing; did you mean `greeting`?
    "#]],
    );
    check(
        &files,
        &resolve[..2],
        expect![[r#"
        --- 2
        promptls: support.pack.json has several prompts; name one, as support.pack.json#NAME: greeting, closing
    "#]],
    );
    check(
        &[("a.adk.prompt", "")],
        &["resolve", "a.adk.prompt", "--prompt", "greeting"],
        expect![[r#"
            --- 2
            promptls: a.adk.prompt is itself a prompt and contains no prompt `greeting`; omit the name
        "#]],
    );
}

#[test]
fn a_source_map_points_into_the_pack() {
    let files = [SUPPORT, INPUTS];
    let arguments = ["resolve", "support.pack.json", "--prompt", "greeting", "--format", "json"];
    let report: Value = serde_json::from_str(&run(&files, &arguments).stdout).unwrap();
    let text = report["text"].as_str().unwrap();
    let mut shown = String::new();
    for run in report["map"].as_array().unwrap() {
        let piece = |range: &Value, text: &str| {
            let offset = |index: usize| range[index].as_u64().unwrap() as usize;
            text[offset(0)..offset(1)].to_owned()
        };
        let (output, source) = (piece(&run["output"], text), piece(&run["source"], SUPPORT.1));
        shown.push_str(&format!("{output:?} from {source}"));
        if run["file"] == "support.pack.json" {
            shown.push_str(&format!(", written {}", piece(&run["value"], SUPPORT.1)));
        }
        shown.push('\n');
    }
    expect![[r#"
        "Café" from Caf\u00e9
        " 😀\n\"" from  \ud83d\ude00\n\"
        "Ada" from {{name}}
        "\"\n" from \"\n
        "Yours, " from {{fragments.sign}}, written "Yours, {{company}}"
        "Acme" from {{fragments.sign}}, written "Acme"
    "#]]
    .assert_eq(&shown);
}

#[test]
fn a_preview_shows_the_problems_in_the_pack() {
    let inputs = ("support.pack.inputs.json", r#"{"name": 1, "age": 36}"#);
    let preview = ["preview", "support.pack.json", "--prompt", "greeting"];
    check(
        &[SUPPORT, inputs],
        &preview,
        expect![[r#"
            the engine would send nothing: `name` must be a string, this is a number

            Café 😀
            "1"
            Yours, Acme
            ────────────────────────────────────────────────────────────────────────────────
            error[type-mismatch]: `name` must be a string, this is a number
             --> support.pack.json:6:55
              |
            6 |       "system_template": "Caf\u00e9 \ud83d\ude00\n\"{{name}}\"\n{{fragments.sign}}",
              |                                                       ^^^^
              |
             ::: support.pack.json:8:34
              |
            8 |         {"name": "name", "type": "string", "required": true},
              |                                  -------- `name` is declared here
              |
             ::: support.pack.inputs.json:1:10
              |
            1 | {"name": 1, "age": 36}
              |          - the value
            hint[engine-differs]: `fragments.sign` is a fragment in the documentation; promptkit-go and promptpack-langchainjs include it as `{{name}}`, promptpack-python as `{{fragment:name}}`
             --> support.pack.json:6:67
              |
            6 |       "system_template": "Caf\u00e9 \ud83d\ude00\n\"{{name}}\"\n{{fragments.sign}}",
              |                                                                   ^^^^^^^^^^^^^^
            error[type-mismatch]: `name` must be a string, this is a number
             --> support.pack.inputs.json:1:10
              |
            1 | {"name": 1, "age": 36}
              |          ^
              |
             ::: support.pack.json:8:34
              |
            8 |         {"name": "name", "type": "string", "required": true},
              |                                  -------- `name` is declared here
            ────────────────────────────────────────────────────────────────────────────────
            5 words, 22 characters, 12 tokens
            --- 1
        "#]],
    );
}

#[test]
fn a_rule_may_share_inputs_with_a_pack() {
    let files = [
        ("promptls.toml", "[[prompts]]\nfiles = ['*.pack.json']\ninputs = ['all.json']\n"),
        ("all.json", r#"{"name": "Ada", "age": 36, "town": "Rome"}"#),
        SUPPORT,
    ];
    check(
        &files,
        &["check", "--format", "concise"],
        expect![[r#"
            all.json:1:28: warning [unused-input] `town` is never read by any of the 2 prompts that share this file
            support.pack.json:6:67: hint [engine-differs] `fragments.sign` is a fragment in the documentation; promptkit-go and promptpack-langchainjs include it as `{{name}}`, promptpack-python as `{{fragment:name}}`
            --- 0
            2 prompts checked: 1 warning, 1 hint
        "#]],
    );
}
