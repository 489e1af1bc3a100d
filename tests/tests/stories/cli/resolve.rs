//! `promptls resolve`.

use expect_test::{Expect, expect};
use promptls_tests::{Output, Workspace, promptls};
use serde_json::{Value, json};

/// A run in a folder with these files, as text: stdout, then stderr and the exit code, unless they
/// are empty or zero.
fn run(files: &[(&str, &str)], arguments: &[&str]) -> (Workspace, Output) {
    let workspace = Workspace::new(files);
    let output = promptls(arguments).cwd(workspace.root()).run();
    (workspace, output)
}

#[track_caller]
fn check(files: &[(&str, &str)], arguments: &[&str], expected: Expect) {
    let (workspace, output) = run(files, arguments);
    expected.assert_eq(&shown(&workspace, &output));
}

fn shown(workspace: &Workspace, output: &Output) -> String {
    let Output { code, stdout, stderr } = output;
    let code = code.expect("it ended by itself");
    let shown = format!("{stdout}--- {code}\n{stderr}");
    shown.replace(&workspace.root().display().to_string(), "FOLDER")
}

const LETTER: (&str, &str) = ("letter.adk.prompt", "Dear {name},\nsee {place?}!");
const ADA: (&str, &str) = ("letter.adk.inputs.json", r#"{"name": "Ada", "place": "Rome"}"#);
const BOB: (&str, &str) = ("letter.adk.bob.inputs.yaml", "name: Bob\n");

#[test]
fn the_text_is_printed_unchanged() {
    check(
        &[LETTER, ADA],
        &["resolve", "letter.adk.prompt"],
        expect![[r#"
        Dear Ada,
        see Rome!--- 0
    "#]],
    );
}

#[test]
fn a_case_has_the_name_of_its_file() {
    check(
        &[LETTER, ADA, BOB],
        &["resolve", "letter.adk.prompt", "--case", "bob"],
        expect![[r#"
            Dear Bob,
            see !--- 0
        "#]],
    );
}

#[test]
fn without_a_default_case_the_first_one_is_used() {
    let zoe = ("letter.adk.zoe.inputs.json", r#"{"name": "Zoe"}"#);
    check(
        &[LETTER, zoe, BOB],
        &["resolve", "letter.adk.prompt"],
        expect![[r#"
        Dear Bob,
        see !--- 0
    "#]],
    );
}

#[test]
fn an_unknown_case_is_refused_with_a_list_of_cases() {
    check(
        &[LETTER, ADA, BOB],
        &["resolve", "letter.adk.prompt", "--case", "bab"],
        expect![[r#"
            --- 2
            promptls: letter.adk.prompt has no case `bab`, only default, bob; did you mean `bob`?
        "#]],
    );
    check(
        &[LETTER],
        &["resolve", "letter.adk.prompt", "--case", "bob"],
        expect![[r#"
        --- 2
        promptls: letter.adk.prompt has no case `bob`, because it has no inputs file; create one beside it, or add --inputs
    "#]],
    );
}

#[test]
fn no_text_is_printed_if_the_engine_fails() {
    check(
        &[LETTER],
        &["resolve", "letter.adk.prompt"],
        expect![[r#"
        --- 1
        Context variable not found: name
    "#]],
    );
}

#[test]
fn another_language_is_resolved_only_with_an_explicit_dialect() {
    let files = [("a.prompt", "{% if x %}Hello {{ name }}"), ("b.prompt", "{{#if x}}{{else}}")];
    check(
        &files,
        &["resolve", "a.prompt"],
        expect![[r#"
        --- 2
        promptls: a.prompt looks like Jinja, which is not supported; specify its dialect, one of: agentensemble, adk, entaingine, promptpack, agentle, langfuse, format
    "#]],
    );
    check(
        &files,
        &["preview", "b.prompt"],
        expect![[r#"
        --- 2
        promptls: b.prompt looks like Handlebars, which is not supported, or Agentle; specify its dialect, one of: agentensemble, adk, entaingine, promptpack, agentle, langfuse, format
    "#]],
    );
    check(
        &files,
        &["resolve", "a.prompt", "--dialect", "agentle"],
        expect![[r#"
        {% if x %}Hello {{ name }}--- 0
    "#]],
    );
    // A rule of dashes is prose.
    let ruled = [
        ("c.prompt", "---\nBe brief.\n---\nHello {name}."),
        ("c.inputs.json", r#"{"name": "Ada"}"#),
    ];
    check(
        &ruled,
        &["resolve", "c.prompt"],
        expect![[r#"
        ---
        Be brief.
        ---
        Hello Ada.--- 0
        promptls: note: the dialect of c.prompt is not given; read as Google ADK (adk); set it with --dialect
    "#]],
    );
}

#[test]
fn json_is_a_prompt_only_with_an_explicit_dialect() {
    let files = [("a.json", r#"{"text": "{name}"}"#), ("a.inputs.json", r#"{"name": "Ada"}"#)];
    check(
        &files,
        &["resolve", "a.json"],
        expect![[r#"
            --- 2
            promptls: a.json has no prompt: no framework, mark or rule of promptls.toml names a string in it; specify its dialect to read it as one prompt
        "#]],
    );
    check(
        &files,
        &["resolve", "a.json", "--dialect", "entaingine"],
        expect![[r#"
        {"text": "{name}"}--- 0
    "#]],
    );
}

#[test]
fn a_partial_text_keeps_names_without_a_value() {
    check(
        &[LETTER],
        &["resolve", "letter.adk.prompt", "--partial"],
        expect![[r#"
        Dear {name},
        see !--- 1
        Context variable not found: name
    "#]],
    );
}

#[test]
fn inputs_and_variables_can_come_from_anywhere() {
    check(
        &[
            ("a/greet.promptpack.prompt", "{{greeting}} {{name}}"),
            ("a/greet.promptpack.inputs.json", r#"{"name": "unused"}"#),
            ("b/state.json", r#"{"name": {"$file": "name.txt"}}"#),
            ("b/name.txt", "Ada"),
            ("b/vars.yaml", "variables: [{name: greeting, type: string, default: Hi}]"),
        ],
        &[
            "resolve",
            "a/greet.promptpack.prompt",
            "--inputs",
            "b/state.json",
            "--variables",
            "b/vars.yaml",
        ],
        expect![[r#"
            Hi Ada--- 0
        "#]],
    );
}

#[test]
fn json_output_contains_the_source_map() {
    let (_workspace, output) = run(
        &[
            ("p.agentle.prompt", "é{{#each xs}}{{this.n}}{{/each}}{{typo}}"),
            ("p.agentle.inputs.json", r#"{"xs": [{"n": 1.50}, {"n": "🎉"}]}"#),
        ],
        &["resolve", "p.agentle.prompt", "--format", "json"],
    );
    let actual: Value = serde_json::from_str(&output.stdout).expect("this is JSON");
    let expected = json!({
        "dialect": "agentle",
        "case": "default",
        "text": "é1.50🎉",
        "error": null,
        "problems": [{
            "code": "mode-changed-by-block", "severity": "hint",
            "message": "because the prompt has a block, names without a value are removed; without a block they would be sent unchanged",
            "names": [], "file": "p.agentle.prompt",
            "range": {"start": {"line": 0, "character": 1, "byte": 2}, "end": {"line": 0, "character": 13, "byte": 14}},
            "related": [],
        }, {
            "code": "undefined-placeholder", "severity": "error", "message": "`typo` has no value",
            "names": ["typo"], "file": "p.agentle.prompt",
            "range": {"start": {"line": 0, "character": 34, "byte": 35}, "end": {"line": 0, "character": 38, "byte": 39}},
            "related": [{
                "file": "p.agentle.inputs.json",
                "range": {"start": {"line": 0, "character": 0, "byte": 0}, "end": {"line": 0, "character": 0, "byte": 0}},
                "message": "the inputs of case default",
            }],
        }],
        "map": [
            {"output": [0, 2], "kind": "literal", "source": [0, 2]},
            {"output": [2, 6], "kind": "value", "source": [14, 24], "path": "this.n", "file": "p.agentle.inputs.json", "value": [14, 18], "via": [{"each": "xs", "item": 0}]},
            {"output": [6, 10], "kind": "value", "source": [14, 24], "path": "this.n", "file": "p.agentle.inputs.json", "value": [27, 33], "via": [{"each": "xs", "item": 1}]},
            {"output": [10, 10], "kind": "value", "source": [33, 41], "path": "typo"},
        ],
        "names": ["typo", "xs"],
    });
    assert_eq!(actual, expected, "{actual:#}");
}

#[test]
fn names_are_not_checked_without_inputs() {
    let (_workspace, output) = run(
        &[("p.entaingine.prompt", "{NAME}")],
        &["resolve", "p.entaingine.prompt", "--format", "json"],
    );
    let report: Value = serde_json::from_str(&output.stdout).expect("this is JSON");
    assert_eq!(report["case"], Value::Null);
    assert_eq!(report["error"], Value::Null);
    assert_eq!(report["problems"][0]["code"], "no-inputs");
    assert_eq!(output.code, Some(0));
}

#[test]
fn standard_input_has_no_sidecars() {
    let workspace = Workspace::new(&[
        ("promptls.toml", "[[prompts]]\nfiles = ['*']\ndialect = 'agentle'\ninputs = ['x.json']\n"),
        ("x.json", r#"{"x": "shared"}"#),
    ]);
    let resolve = |arguments: &[&str]| {
        let run = promptls(arguments).cwd(workspace.root()).stdin("{x} {{x}}");
        shown(&workspace, &run.run())
    };
    expect![[r#"
        {x} {x}--- 1
        promptls: note: the dialect of <stdin> is not given; read as AgentEnsemble (agentensemble); set it with --dialect
        Missing template variables: [x]. Provide them in ensemble.run(inputs). Template: '{x} {{x}}'
    "#]]
    .assert_eq(&resolve(&["resolve", "-", "--partial"]));
    expect![[r#"
        {x} shared--- 0
    "#]]
    .assert_eq(&resolve(&["resolve", "-", "--dialect", "promptpack", "--inputs", "x.json"]));
}

#[test]
fn invalid_arguments_are_reported_with_suggestions() {
    check(
        &[LETTER],
        &["resolve", "letter.adk.prompt", "--dialect", "adq"],
        expect![[r#"
        --- 2
        error: invalid value 'adq' for '--dialect <NAME>'
          [possible values: agentensemble, adk, entaingine, promptpack, agentle, langfuse, format]

          tip: a similar value exists: 'adk'

        For more information, try '--help'.
    "#]],
    );
    check(
        &[],
        &["resolv", "x"],
        expect![[r#"
        --- 2
        error: unrecognized subcommand 'resolv'

          tip: a similar subcommand exists: 'resolve'

        Usage: promptls [OPTIONS] <COMMAND>

        For more information, try '--help'.
    "#]],
    );
}

#[test]
fn unusable_files_are_exit_code_2() {
    let prompt = ("p.adk.prompt", "{a}");
    let resolve = ["resolve", "p.adk.prompt"];
    check(
        &[],
        &resolve,
        expect![[r#"
        --- 2
        promptls: cannot read p.adk.prompt: there is no such file
    "#]],
    );
    check(
        &[("p.adk.prompt/x", "")],
        &resolve,
        expect![[r#"
        --- 2
        promptls: cannot read p.adk.prompt: it is a folder
    "#]],
    );
    check(
        &[prompt],
        &["resolve", "p.adk.prompt", "--inputs", "x.json"],
        expect![[r#"
        --- 2
        promptls: x.json:1:1: this file cannot be read: there is no such file
    "#]],
    );
    check(
        &[prompt, ("p.adk.inputs.json", "{\n\"a\": }")],
        &resolve,
        expect![[r#"
            --- 2
            promptls: p.adk.inputs.json:2:6: unexpected `}`; a value or `]` is missing before it
        "#]],
    );
    check(
        &[prompt, ("p.adk.inputs.json", "[1]")],
        &resolve,
        expect![[r#"
        --- 2
        promptls: p.adk.inputs.json:1:1: an inputs file is one object of names and values; this is an array
    "#]],
    );
    check(
        &[prompt, ("p.adk.inputs.json", "")],
        &resolve,
        expect![[r#"
        --- 2
        promptls: p.adk.inputs.json:1:1: the file is empty; write `{}` for no inputs
    "#]],
    );
}

#[test]
fn a_broken_case_does_not_affect_others() {
    let broken = ("letter.adk.broken.inputs.json", "{");
    check(
        &[LETTER, ADA, broken],
        &["resolve", "letter.adk.prompt"],
        expect![[r#"
        Dear Ada,
        see Rome!--- 0
    "#]],
    );
    check(
        &[LETTER, ADA, broken],
        &["resolve", "letter.adk.prompt", "--case", "broken"],
        expect![[r#"
            --- 2
            promptls: letter.adk.broken.inputs.json:1:1: `{` is never closed; add `}`
        "#]],
    );
}

#[test]
fn a_file_as_a_value_stays_inside_the_workspace() {
    let prompt = ("p.adk.prompt", "{a}");
    let inputs = |path: &str| format!(r#"{{"a": {{"$file": "{path}"}}}}"#);
    let check_path = |path: &str, expected: Expect| {
        check(
            &[prompt, ("p.adk.inputs.json", &inputs(path)), ("notes.md", "Notes")],
            &["resolve", "p.adk.prompt"],
            expected,
        );
    };
    check_path(
        "notes.md",
        expect![[r#"
        Notes--- 0
    "#]],
    );
    check_path(
        "../notes.md",
        expect![[r#"
        --- 2
        promptls: p.adk.inputs.json:1:7: `../notes.md` is not read: it leads outside of the folder of the file that refers to it; allow a folder with `--allow-read` or PROMPTLS_ALLOW_READ
    "#]],
    );
    check_path(
        "nots.md",
        expect![[r#"
        --- 2
        promptls: p.adk.inputs.json:1:7: `nots.md` cannot be read: there is no such file
    "#]],
    );
}

#[cfg(unix)]
#[test]
fn a_loop_of_links_is_a_file_that_cannot_be_read() {
    let workspace = Workspace::new(&[
        ("p.adk.prompt", "{a}"),
        ("p.adk.inputs.json", r#"{"a": {"$file": "loop"}}"#),
    ]);
    std::os::unix::fs::symlink("loop", workspace.path("loop")).expect("a link can be made");
    let output = promptls(&["resolve", "p.adk.prompt"]).cwd(workspace.root()).run();
    expect![[r#"
        --- 2
        promptls: p.adk.inputs.json:1:7: `loop` cannot be read: Too many levels of symbolic links
    "#]]
    .assert_eq(&shown(&workspace, &output));
}

#[test]
fn bytes_that_are_not_utf_8_are_reported_with_their_offset() {
    let workspace = Workspace::new(&[]);
    workspace.write("p.adk.prompt", b"ab\xff");
    let resolve = || {
        let output = promptls(&["resolve", "p.adk.prompt"]).cwd(workspace.root()).run();
        shown(&workspace, &output)
    };
    expect![[r#"
        --- 2
        promptls: p.adk.prompt is not UTF-8: the byte 0xff at offset 2 is not part of a character; save it as UTF-8
    "#]]
    .assert_eq(&resolve());
    workspace.write("p.adk.prompt", "{a}");
    workspace.write("p.adk.inputs.json", b"{\"a\": \"\xe9\"}");
    expect![[r#"
        --- 2
        promptls: p.adk.inputs.json:1:8: this file is not UTF-8: the byte 0xe9 at offset 7 is not part of a character; save it as UTF-8
    "#]]
    .assert_eq(&resolve());
}

#[test]
fn special_characters_of_a_prompt_are_kept() {
    let (_workspace, output) = run(
        &[
            ("p.adk.prompt", "\u{feff}{a}\r\n\0\r{b}"),
            (
                "p.adk.inputs.json",
                "\u{feff}{\"a\": 1e999999, \"b\": 123456789012345678901234567890.10}",
            ),
        ],
        &["resolve", "p.adk.prompt"],
    );
    assert_eq!(output.stdout, "\u{feff}1e999999\r\n\0\r123456789012345678901234567890.10");
    let (_workspace, output) = run(&[("p.adk.prompt", "")], &["resolve", "p.adk.prompt"]);
    assert_eq!(output, Output { code: Some(0), stdout: String::new(), stderr: String::new() });
}

#[test]
fn values_may_be_nested_up_to_a_limit() {
    for depth in [100, 10_000] {
        let inputs = format!("{{\"a\": {}{}}}", "[".repeat(depth), "]".repeat(depth));
        let (_workspace, output) = run(
            &[("p.adk.prompt", "{a}"), ("p.adk.inputs.json", &inputs)],
            &["resolve", "p.adk.prompt"],
        );
        assert_eq!(output.code, Some(if depth == 100 { 0 } else { 2 }), "{}", output.stderr);
    }
}

#[test]
fn a_text_above_the_limit_is_a_problem_and_an_error() {
    let files = [("p.adk.prompt", "{a}{a}"), ("p.adk.inputs.json", r#"{"a": "12345678"}"#)];
    check(
        &files,
        &["resolve", "p.adk.prompt", "--max-output", "15"],
        expect![[r#"
        --- 1
        the resolved text is longer than 15 bytes; raise the limit with --max-output
    "#]],
    );
    let (_workspace, output) =
        run(&files, &["resolve", "p.adk.prompt", "--max-output", "15", "--format", "json"]);
    let report: Value = serde_json::from_str(&output.stdout).expect("this is JSON");
    assert_eq!(report["error"]["kind"], "limit");
    assert_eq!(report["problems"][0]["code"], "limit-exceeded");
}

#[test]
fn a_prompt_of_a_hundred_megabytes_is_resolved() {
    let text = format!("{}{{a}}\n", "Answer in plain words.\n".repeat(45_000)).repeat(100);
    let workspace =
        Workspace::new(&[("p.adk.prompt", &text), ("p.adk.inputs.json", r#"{"a": 1}"#)]);
    let resolve = |arguments: &[&str]| promptls(arguments).cwd(workspace.root()).run();
    let output = resolve(&["resolve", "p.adk.prompt"]);
    assert_eq!(output.code, Some(1), "{}", output.stderr);
    let output = resolve(&["resolve", "p.adk.prompt", "--max-output", "200000000"]);
    assert_eq!(output.code, Some(0), "{}", output.stderr);
    assert!(output.stdout == text.replace("{a}", "1"), "the text is resolved");
}

#[test]
fn log_lines_of_the_engine_are_printed_on_request() {
    let files =
        [("p.agentensemble.prompt", "Hi {a}"), ("p.agentensemble.inputs.json", r#"{"a": "b"}"#)];
    check(
        &files,
        &["resolve", "p.agentensemble.prompt", "--log", "debug"],
        expect![[r#"
        Hi b--- 0
        DEBUG promptls_resolver::dialects::agentensemble: Resolving template (6 chars) with 1 variables
        DEBUG promptls_resolver::dialects::agentensemble: Resolved 1 variables in template
    "#]],
    );
    let workspace = Workspace::new(&files);
    let resolve = promptls(&["resolve", "p.agentensemble.prompt"]).cwd(workspace.root());
    let output = resolve.env("PROMPTLS_LOG", "debug").run();
    assert_eq!(output.stderr.lines().count(), 2, "{}", output.stderr);
}

#[test]
fn messages_equal_those_that_a_program_sends() {
    let messages = |path: &str, text: &str, more: &[&str]| {
        let workspace = Workspace::new(&[(path, text)]);
        let arguments = [&["resolve", path, "--format", "messages"], more].concat();
        promptls(&arguments).cwd(workspace.root()).run()
    };
    // Text without a role belongs to the system if the engine sends it so, else to the user;
    // verbatim.
    let said = |role: &str, content: &str| json!([{ "role": role, "content": content }]);
    for (path, role) in [
        ("a.agentensemble.prompt", "user"),
        ("a.adk.prompt", "system"),
        ("a.entaingine.prompt", "user"),
        ("a.promptpack.prompt", "system"),
        ("a.agentle.prompt", "user"),
        ("a.langfuse.prompt", "user"),
    ] {
        let printed = messages(path, "\n Be “brief”.\n\n", &[]).stdout;
        let printed: Value = serde_json::from_str(&printed).expect("it is JSON");
        assert_eq!(printed, said(role, "\n Be “brief”.\n\n"));
    }
    let chat = "Now:\n# User\nHi\n\n# Assistant\nHo\n";
    let printed = messages("a.adk.prompt", chat, &[]).stdout;
    let expected = json!([
        { "role": "system", "content": "Now:" },
        { "role": "user", "content": "Hi" },
        { "role": "assistant", "content": "Ho" },
    ]);
    assert_eq!(serde_json::from_str::<Value>(&printed).ok(), Some(expected));
    // A text that the engine would not send is not printed, except with --partial.
    let failed = messages("a.adk.prompt", "Hi {x}", &[]);
    assert_eq!((failed.code, &*failed.stdout), (Some(1), ""));
    let partial = messages("a.adk.prompt", "Hi {x}", &["--partial"]);
    assert_eq!(partial.code, Some(1));
    assert_eq!(serde_json::from_str::<Value>(&partial.stdout).ok(), Some(said("system", "Hi {x}")));
}
