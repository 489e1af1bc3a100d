//! `promptls check`.

use std::path::Path;

use expect_test::{Expect, expect};
use promptls_tests::{Output, Workspace, promptls};
use serde_json::Value;

#[track_caller]
fn check(files: &[(&str, &str)], arguments: &[&str], expected: Expect) {
    let workspace = Workspace::new(files);
    expected.assert_eq(&shown(&workspace, arguments));
}

fn shown(workspace: &Workspace, arguments: &[&str]) -> String {
    let output = promptls(&[&["check"], arguments].concat()).cwd(workspace.root()).run();
    let Output { code, stdout, stderr } = output;
    let code = code.expect("it ended by itself");
    format!("{stdout}--- {code}\n{stderr}")
        .replace(&workspace.root().display().to_string(), "FOLDER")
}

const TYPO: [(&str, &str); 2] =
    [("a.adk.prompt", "Dear {custmer},\n"), ("a.adk.inputs.json", r#"{"customer": "Ada"}"#)];
const FINE: (&str, &str) = ("b.adk.prompt", "Nothing to fill in.\n");

#[test]
fn the_examples_have_no_problems() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let output = promptls(&["check", "prompts", "--deny-warnings"]).cwd(folder).run();
    assert_eq!(output.code, Some(0), "{}", output.stdout);
    assert_eq!(output.stderr, "13 prompts checked: no problems\n");
}

#[test]
fn human_readable_output_shows_the_lines_of_a_problem() {
    check(
        &[TYPO[0], TYPO[1], FINE],
        &[],
        expect![[r#"
            error[undefined-placeholder]: `custmer` has no value; did you mean `customer`?
             --> a.adk.prompt:1:7
              |
            1 | Dear {custmer},
              |       ^^^^^^^
              |
             ::: a.adk.inputs.json:1:2
              |
            1 | {"customer": "Ada"}
              |  ---------- case default has `customer`
            --- 1
            2 prompts checked: 1 error
        "#]],
    );
}

#[test]
fn concise_output_has_a_line_for_each_problem() {
    check(
        &[TYPO[0], TYPO[1], FINE],
        &["--format", "concise"],
        expect![[r#"
            a.adk.prompt:1:7: error [undefined-placeholder] `custmer` has no value; did you mean `customer`?
            --- 1
            2 prompts checked: 1 error
        "#]],
    );
}

#[test]
fn json_output_is_one_object() {
    let workspace = Workspace::new(&TYPO);
    let output = promptls(&["check", "--format", "json"]).cwd(workspace.root()).run();
    let report: Value = serde_json::from_str(&output.stdout).expect("this is JSON");
    let summary = serde_json::json!({"prompts": 1, "unread": 0, "computed": 0, "errors": 1, "warnings": 0, "infos": 0, "hints": 0});
    assert_eq!(report["summary"], summary);
    assert_eq!(report["problems"][0]["range"]["start"]["byte"], 6);
    assert_eq!(output.stderr, "");
}

#[test]
fn warnings_fail_only_where_they_are_denied() {
    let files = [("a.adk.prompt", "Hi {a}"), ("a.adk.inputs.json", r#"{"a": 1, "b": 2}"#)];
    check(
        &files,
        &["--format", "concise"],
        expect![[r#"
        a.adk.inputs.json:1:10: warning [unused-input] `b` is never read by a.adk.prompt
        --- 0
        1 prompt checked: 1 warning
    "#]],
    );
    check(
        &files,
        &["--format", "concise", "--deny-warnings"],
        expect![[r#"
        a.adk.inputs.json:1:10: warning [unused-input] `b` is never read by a.adk.prompt
        --- 1
        1 prompt checked: 1 warning
    "#]],
    );
}

#[test]
fn information_never_fails_a_check() {
    check(
        &[("a.adk.prompt", "{a}")],
        &["--format", "concise", "--deny-warnings"],
        expect![[r#"
        a.adk.prompt:1:1: info [no-inputs] no inputs file: names are not checked
        --- 0
        1 prompt checked: 1 info
    "#]],
    );
}

#[test]
fn ignored_and_hidden_files_are_skipped_unless_they_are_named() {
    let files = [
        (".git/HEAD", ""),
        (".gitignore", "out/\n"),
        ("out/a.adk.prompt", "{a}"),
        (".hidden/b.adk.prompt", "{b}"),
    ];
    check(
        &files,
        &["--format", "concise"],
        expect![[r#"
            --- 0
            promptls: warning: no prompts found under .; a prompt ends in .prompt, or a rule in promptls.toml names it
        "#]],
    );
    check(
        &files,
        &["--format", "concise", "out/a.adk.prompt", ".hidden"],
        expect![[r#"
        .hidden/b.adk.prompt:1:1: info [no-inputs] no inputs file: names are not checked
        out/a.adk.prompt:1:1: info [no-inputs] no inputs file: names are not checked
        --- 0
        2 prompts checked: 2 infos
    "#]],
    );
}

#[test]
fn a_missing_path_does_not_stop_the_others() {
    check(
        &TYPO,
        &["--format", "concise", "nope", "a.adk.prompt#main", "."],
        expect![[r#"
            a.adk.prompt:1:7: error [undefined-placeholder] `custmer` has no value; did you mean `customer`?
            --- 2
            1 prompt checked, 2 files not fully read: 1 error
            promptls: a.adk.prompt#main is a part of a.adk.prompt, and whole files are required; `promptls preview a.adk.prompt#main` shows the problems of one prompt
            promptls: nope cannot be read: there is no such file
        "#]],
    );
}

#[test]
fn a_prompt_that_is_not_utf_8_does_not_stop_the_others() {
    let workspace = Workspace::new(&TYPO);
    workspace.write("bad.adk.prompt", b"\xff");
    expect![[r#"
        a.adk.prompt:1:7: error [undefined-placeholder] `custmer` has no value; did you mean `customer`?
        bad.adk.prompt:1:1: error [unreadable-file] this file is not UTF-8: the byte 0xff at offset 0 is not part of a character; save it as UTF-8
        --- 2
        1 prompt checked, 1 file not fully read: 2 errors
    "#]].assert_eq(&shown(&workspace, &["--format", "concise"]));
}

#[test]
fn a_file_without_a_rule_is_checked_on_request() {
    check(
        &[("note.txt", "Dear {name}")],
        &["--format", "concise", "--as-prompts", "note.txt"],
        expect![[r#"
            note.txt:1:1: info [dialect-guessed] read as Google ADK (adk), but it may be agentensemble or a Python format string; set the dialect with a rule in promptls.toml or a name like `x.adk.prompt`
            note.txt:1:1: info [no-inputs] no inputs file: names are not checked
            --- 0
            1 prompt checked: 2 infos
        "#]],
    );
}

#[test]
fn a_sidecar_selects_its_prompt() {
    check(
        &TYPO,
        &["--format", "concise", "a.adk.inputs.json"],
        expect![[r#"
            a.adk.prompt:1:7: error [undefined-placeholder] `custmer` has no value; did you mean `customer`?
            --- 1
            1 prompt checked: 1 error
        "#]],
    );
}

const RULE: (&str, &str) = (
    "promptls.toml",
    "[[prompts]]\nfiles = ['*/*.txt']\ndialect = 'adk'\ninputs = ['state.json']\nvariables = 'vars.json'\n",
);
const SHARED: [(&str, &str); 5] = [
    RULE,
    ("state.json", r#"{"a": 1, "b": 2, "c": 3}"#),
    ("vars.json", r#"{"variables": [{"name": "a"}, {"name": "b"}, {"name": "d"}]}"#),
    ("one/a.txt", "{a}"),
    ("two/b.txt", "{b}"),
];

#[test]
fn a_shared_key_is_unused_only_if_no_prompt_of_the_rule_reads_it() {
    check(
        &SHARED,
        &["--format", "concise"],
        expect![[r#"
        state.json:1:18: warning [unused-input] `c` is never read by any of the 2 prompts that share this file
        vars.json:1:55: warning [unused-variable] `d` is declared and never used by any of the 2 prompts that share this file
        --- 0
        2 prompts checked: 2 warnings
    "#]],
    );
}

/// Two tasks, each of two prompts.
const TASKS: [(&str, &str); 8] = [
    (
        "promptls.toml",
        "[[prompts]]\nfiles = ['t/*.prompt']\ndialect = 'agentensemble'\ninputs = ['t/{stem}*.inputs.json']\n",
    ),
    ("t/a.description.prompt", "Research {topic}"),
    ("t/a.expected_output.prompt", "A report on {topic} over {period}"),
    ("t/a.inputs.json", r#"{"topic": "AI", "period": "a year", "old": 1}"#),
    ("t/a.short.inputs.json", r#"{"topic": "AI"}"#),
    ("t/ab.description.prompt", "Write {title}"),
    ("t/ab.expected_output.prompt", "One page"),
    ("t/ab.inputs.json", r#"{"title": "T"}"#),
];

#[test]
fn both_texts_of_a_task_share_inputs_of_a_pattern() {
    let expected = expect![[r#"
        t/a.expected_output.prompt:1:27: error [undefined-placeholder] `period` has no value in 1 of 2 cases: short
        t/a.inputs.json:1:37: warning [unused-input] `old` is never read by any of the 2 prompts that share this file
        --- 1
        4 prompts checked: 1 error, 1 warning
    "#]];
    check(&TASKS, &["--format", "concise"], expected);
    // An inputs file selects only its task.
    check(
        &TASKS,
        &["--format", "concise", "t/ab.inputs.json"],
        expect![[r#"
            t/a.inputs.json:1:37: warning [unused-input] `old` is never read by any of the 2 prompts that share this file
            --- 0
            2 prompts checked: 1 warning
        "#]],
    );
    check(
        &TASKS,
        &["--list"],
        expect![[r#"
        t/a.description.prompt       agentensemble  rule 1 of promptls.toml  default, short
        t/a.expected_output.prompt   agentensemble  rule 1 of promptls.toml  default, short
        t/ab.description.prompt      agentensemble  rule 1 of promptls.toml  default
        t/ab.expected_output.prompt  agentensemble  rule 1 of promptls.toml  default
        --- 0
        4 prompts
    "#]],
    );
    // A task need not have any.
    check(
        &TASKS[..7],
        &["--format", "concise", "t/ab.description.prompt"],
        expect![[r#"
        t/ab.description.prompt:1:1: info [no-inputs] no inputs file: names are not checked
        --- 0
        1 prompt checked: 1 info
    "#]],
    );
}

#[test]
fn a_case_of_a_rule_and_of_the_prompt_itself_is_in_two_files() {
    let own = ("t/a.description.inputs.json", r#"{"topic": "Tea"}"#);
    check(
        &[&TASKS[..3], &[TASKS[4], own], &[("t/a.inputs.json", r#"{"topic": "AI", "period": 1}"#)]]
            .concat(),
        &["--format", "concise", "t/a.description.prompt"],
        expect![[r#"
            t/a.description.prompt:1:1: warning [ambiguous-sidecar] case default is in two files, a.inputs.json and a.description.inputs.json; a.inputs.json is used
            --- 0
            1 prompt checked: 1 warning
        "#]],
    );
}

#[test]
fn prompts_outside_of_the_checked_paths_count_as_readers() {
    check(
        &SHARED,
        &["--format", "concise", "one"],
        expect![[r#"
        state.json:1:18: warning [unused-input] `c` is never read by any of the 2 prompts that share this file
        vars.json:1:55: warning [unused-variable] `d` is declared and never used by any of the 2 prompts that share this file
        --- 0
        1 prompt checked: 2 warnings
    "#]],
    );
    check(
        &SHARED,
        &["--format", "concise", "state.json"],
        expect![[r#"
        state.json:1:18: warning [unused-input] `c` is never read by any of the 2 prompts that share this file
        vars.json:1:55: warning [unused-variable] `d` is declared and never used by any of the 2 prompts that share this file
        --- 0
        2 prompts checked: 2 warnings
    "#]],
    );
}

#[test]
fn the_problems_of_a_shared_file_are_reported_once() {
    let files = [
        RULE,
        ("state.json", "{"),
        ("vars.json", "{}"),
        ("one/a.txt", "{a}"),
        ("two/b.txt", "{b}"),
    ];
    check(
        &files,
        &["--format", "concise"],
        expect![[r#"
            state.json:1:1: error [unreadable-file] `{` is never closed; add `}`
            --- 2
            2 prompts checked, 1 file not fully read: 1 error
        "#]],
    );
}

#[test]
fn a_config_is_checked_once_and_its_valid_parts_are_used() {
    let config =
        "[[prompts]]\nfiles = ['*.txt']\ndialekt = 'adk'\n[problems]\nunused-input = 'loud'\n";
    check(
        &[("promptls.toml", config), ("a.txt", "x"), ("b.txt", "x")],
        &["--format", "concise"],
        expect![[r#"
            promptls.toml:3:1: error [invalid-config] unknown key `dialekt`; known: files, strings, dialect, engine, engines, agent, inputs, variables, runtime, literal, max_tokens, max_output_tokens, task, encoding, problems; did you mean `dialect`?
            promptls.toml:5:16: error [invalid-config] a severity is "error", "warning", "info", "hint" or "off"
            --- 2
            2 prompts checked, 1 file not fully read: 2 errors
        "#]],
    );
    check(
        &[("promptls.toml", "[[prompts]\n")],
        &["--format", "concise"],
        expect![[r#"
            promptls.toml:1:11: error [invalid-config] not valid TOML: unclosed array table, expected `]`
            --- 2
            no prompts checked, 1 file not fully read: 1 error
            promptls: warning: no prompts found under .; a prompt ends in .prompt, or a rule in promptls.toml names it
        "#]],
    );
}

#[test]
fn a_nested_config_adds_to_the_rules_around_it() {
    let files = [
        (
            "promptls.toml",
            "[[prompts]]\nfiles = ['*.txt']\ndialect = 'adk'\ninputs = ['all.json']\n",
        ),
        ("all.json", r#"{"name": "Ada", "spare": 1, "deep": 2}"#),
        ("a.txt", "{name}"),
        ("below/promptls.toml", "[problems]\nundefined-placeholder = 'warning'\n"),
        ("below/b.txt", "{deep} {nobody}"),
        ("alone/promptls.toml", "root = true\n"),
        ("alone/c.txt", "{nobody}"),
    ];
    let expected = expect![[r#"
        all.json:1:17: warning [unused-input] `spare` is never read by any of the 2 prompts that share this file
        below/b.txt:1:9: warning [undefined-placeholder] `nobody` has no value
        --- 0
        2 prompts checked: 2 warnings
    "#]];
    check(&files, &["--format", "concise", "a.txt", "below"], expected);
}

#[test]
fn the_problems_of_all_applicable_configs_are_reported() {
    check(
        &[
            ("promptls.toml", "[[prompts]]\nfiles = ['*.txt']\ndialekt = 'adk'\n"),
            ("below/promptls.toml", "root = 'no'\n"),
            ("below/b.adk.prompt", "x"),
        ],
        &["--format", "concise", "below"],
        expect![[r#"
            below/promptls.toml:1:8: error [invalid-config] `root` must be true or false
            promptls.toml:3:1: error [invalid-config] unknown key `dialekt`; known: files, strings, dialect, engine, engines, agent, inputs, variables, runtime, literal, max_tokens, max_output_tokens, task, encoding, problems; did you mean `dialect`?
            --- 2
            1 prompt checked, 2 files not fully read: 2 errors
        "#]],
    );
}

#[test]
fn problems_are_ordered_by_location() {
    let names: Vec<String> = (0..100).map(|index| format!("p{index:02}.adk.prompt")).collect();
    let mut files: Vec<(&str, &str)> =
        names.iter().map(|name| (name.as_str(), "{b} {a}")).collect();
    files.push(("promptls.toml", "[[prompts]]\nfiles = ['*.prompt']\ninputs = ['state.json']\n"));
    files.push(("state.json", "{}"));
    let workspace = Workspace::new(&files);
    let first = shown(&workspace, &["--format", "concise"]);
    let lines: Vec<&str> = first.lines().take(200).collect();
    assert!(lines.is_sorted(), "{first}");
    assert_eq!(shown(&workspace, &["--format", "concise"]), first);
}

#[test]
fn a_very_long_line_is_cut() {
    let prompt = format!("{}{{custmer}}{}", "x".repeat(5_000_000), "y".repeat(5_000_000));
    let workspace =
        Workspace::new(&[("a.agentle.prompt", &prompt), ("a.agentle.inputs.json", "{}")]);
    let output = promptls(&["check"]).cwd(workspace.root()).run();
    assert!(output.stdout.len() < 2_000, "{} bytes", output.stdout.len());
}

#[test]
fn line_breaks_in_names_do_not_break_lines() {
    check(
        &[("a.adk.prompt", "{\nb\n}{{c\n}"), ("a.adk.inputs.json", r#"{"x\ny": 1}"#)],
        &["--format", "concise"],
        expect![[r#"
            a.adk.inputs.json:1:2: warning [unused-input] `x␊y` is never read by a.adk.prompt
            a.adk.prompt:2:1: error [undefined-placeholder] `b` has no value
            a.adk.prompt:3:2: warning [swallowed-brace] Google ADK swallows every brace next to `c`, so one is lost here; add a space between them
            a.adk.prompt:3:4: error [undefined-placeholder] `c` has no value
            --- 1
            1 prompt checked: 2 errors, 2 warnings
        "#]],
    );
}

#[test]
fn too_many_tokens_are_reported_with_their_largest_sources() {
    let rule = "[[prompts]]\nfiles = ['*.prompt', '*.pack.json']\nmax_tokens = 4\n";
    let prompt = ("a.adk.prompt", "Read {docs}\n");
    let pack = r#"{"prompts": {"a": {"system_template": "One\n{{two}} three four five six", "variables": [{"name": "two", "type": "number"}]}}}"#;
    let files = [
        ("promptls.toml", rule),
        prompt,
        ("a.adk.inputs.json", r#"{"docs": "one two three four five six seven"}"#),
        ("a.adk.short.inputs.json", r#"{"docs": "one"}"#),
        ("b.pack.json", pack),
        ("b.pack.inputs.json", r#"{"two": 2}"#),
    ];
    check(
        &files,
        &["--format", "concise"],
        expect![[r#"
            a.adk.prompt:1:1: warning [too-many-tokens] 9 tokens in case default; at most 4 are allowed; `docs` is 77%
            b.pack.json:1:40: warning [too-many-tokens] 7 tokens; at most 4 are allowed; the prompt itself is 85%
            --- 0
            2 prompts checked: 2 warnings
        "#]],
    );
    check(
        &files,
        &["a.adk.prompt", "--deny-warnings"],
        expect![[r#"
            warning[too-many-tokens]: 9 tokens in case default; at most 4 are allowed; `docs` is 77%
             --> a.adk.prompt:1:1
              |
            1 | Read {docs}
              | ^
              |
             ::: a.adk.inputs.json:1:10
              |
            1 | {"docs": "one two three four five six seven"}
              |          ----------------------------------- 7 of 9 tokens in case default
            --- 1
            1 prompt checked: 1 warning
        "#]],
    );
    let off = format!("{rule}[problems]\ntoo-many-tokens = 'off'\n");
    check(
        &[("promptls.toml", &off), prompt, files[2], files[3]],
        &[],
        expect![[r#"
        --- 0
        1 prompt checked: no problems
    "#]],
    );
}

/// Two kinds of problems, one of them twice.
const MIXED: [(&str, &str); 2] = [
    ("a.adk.prompt", "{custmer} {custmr}\n"),
    ("a.adk.inputs.json", r#"{"customer": "Ada", "left": 1}"#),
];

#[test]
fn problems_are_selected_by_their_codes() {
    for (arguments, kept) in [
        (&["--select", "undefined-placeholder"][..], "uu"),
        (&["--select", "un"], "uuU"),
        (&["--select", "un", "--ignore", "unused,undefined-placeholder"], ""),
        (&["--ignore", "unused-input"], "uu"),
    ] {
        let shown = shown(&Workspace::new(&MIXED), &[&["--format=concise"], arguments].concat());
        let lines = shown.lines().filter(|line| line.contains("[un"));
        let codes = lines.map(|line| if line.contains("[unused") { 'U' } else { 'u' });
        let mut codes: Vec<char> = codes.collect();
        codes.sort_unstable_by(|a, b| b.cmp(a));
        assert_eq!(codes.into_iter().collect::<String>(), kept, "{arguments:?}: {shown}");
    }
    let unknown = shown(&Workspace::new(&MIXED), &["--select", "undefinde"]);
    assert!(unknown.contains("no problem code starts with this"), "{unknown}");
    assert!(unknown.contains("--- 2"), "{unknown}");
}

#[test]
fn problems_are_counted_by_their_codes() {
    check(
        &MIXED,
        &["--statistics", "--exit-zero"],
        expect![[r#"
             2  error    undefined-placeholder
             1  warning  unused-input
        --- 0
        1 prompt checked: 2 errors, 1 warning
    "#]],
    );
    check(
        &MIXED,
        &["--format=concise", "--quiet"],
        expect![[r#"
        a.adk.inputs.json:1:21: warning [unused-input] `left` is never read by a.adk.prompt
        a.adk.prompt:1:2: error [undefined-placeholder] `custmer` has no value; did you mean `customer`?
        a.adk.prompt:1:12: error [undefined-placeholder] `custmr` has no value; did you mean `customer`?
        --- 1
    "#]],
    );
}

#[test]
fn problems_of_a_baseline_are_not_reported_again() {
    let workspace = Workspace::new(&MIXED);
    let with_baseline = ["--format=concise", "--baseline", "known.json"];
    let written = shown(&workspace, &["--write-baseline", "known.json"]);
    assert_eq!(written, "--- 0\n3 problems written to known.json\n");
    assert_eq!(shown(&workspace, &with_baseline), "--- 0\n1 prompt checked: no problems\n");

    // Other lines change; one problem is added, one occurs twice, and one is fixed.
    workspace.write("a.adk.prompt", "Dear,\n{custmer} and {custmer},\n{nwe}\n");
    expect![[r#"
        a.adk.prompt:2:16: error [undefined-placeholder] `custmer` has no value; did you mean `customer`?
        a.adk.prompt:3:2: error [undefined-placeholder] `nwe` has no value
        --- 1
        1 prompt checked: 2 errors
        1 problem of the baseline fixed; --write-baseline updates it
    "#]].assert_eq(&shown(&workspace, &with_baseline));
    // From another folder, the files are the same.
    workspace.write("sub/note.txt", "");
    let output = promptls(&["check", "--format=concise", "--baseline", "../known.json", ".."])
        .cwd(workspace.path("sub"))
        .run();
    assert_eq!(output.stdout.lines().count(), 2, "{output:?}");

    for (text, why) in [
        ("{}", "missing field `version`"),
        (r#"{"version": 1, "problems": 1}"#, "it has version 1, from an older promptls"),
        (r#"{"version": 3, "problems": 1}"#, "it has version 3, from a newer promptls"),
        ("", "EOF"),
    ] {
        workspace.write("known.json", text);
        let refused = shown(&workspace, &with_baseline);
        assert!(refused.contains(why) && refused.contains("--- 2"), "{refused}");
    }
}

#[test]
fn a_baseline_does_not_depend_on_messages() {
    let workspace = Workspace::new(&TYPO);
    let with_baseline = ["--format=concise", "--baseline", "known.json"];
    shown(&workspace, &["--write-baseline", "known.json"]);
    expect![[r#"
        {
          "version": 2,
          "problems": [
            {
              "file": "a.adk.prompt",
              "code": "undefined-placeholder",
              "names": [
                "custmer"
              ],
              "count": 1
            }
          ]
        }
    "#]]
    .assert_eq(&workspace.read("known.json"));
    let fine = "--- 0\n1 prompt checked: no problems\n";
    // Another key, another case, and a renamed case change the message.
    workspace.write("a.adk.inputs.json", r#"{"client": "Ada"}"#);
    let unused = "--- 0\n1 prompt checked: 1 warning\n";
    assert!(shown(&workspace, &with_baseline).ends_with(unused));
    workspace.write("a.adk.inputs.json", r#"{"custmer": "Ada"}"#);
    workspace.write("a.adk.second.inputs.json", "{}");
    assert_eq!(shown(&workspace, &with_baseline), fine);
    workspace.remove("a.adk.second.inputs.json");
    workspace.write("a.adk.third.inputs.json", "{}");
    assert_eq!(shown(&workspace, &with_baseline), fine);
}

#[test]
fn a_baseline_ignores_problems_of_unchecked_files() {
    let workspace = Workspace::new(&[
        ("a/x.adk.prompt", "{custmer}"),
        ("a/x.adk.inputs.json", r#"{"customer": 1, "left": 2}"#),
        ("b/y.adk.prompt", "{custmer}"),
        ("b/y.adk.inputs.json", r#"{"customer": 1}"#),
    ]);
    shown(&workspace, &["--write-baseline", "known.json"]);
    for prompt in ["a/x.adk.prompt", "b/y.adk.prompt"] {
        workspace.write(prompt, "{customer}");
    }
    workspace.write("a/x.adk.inputs.json", r#"{"customer": 1}"#);
    let gone = |arguments: &[&str]| {
        let arguments = [&["--format=concise", "--baseline", "known.json"], arguments].concat();
        let said = shown(&workspace, &arguments);
        let gone = said.lines().find_map(|line| line.split_once(" of the baseline fixed"));
        gone.map_or("none", |(count, _)| count).to_owned()
    };
    assert_eq!(gone(&[]), "3 problems");
    assert_eq!(gone(&["a"]), "2 problems");
    assert_eq!(gone(&["b/y.adk.prompt"]), "1 problem");
    assert_eq!(gone(&["--ignore", "unused-input"]), "2 problems");
    workspace.write("c/z.adk.prompt", "Nothing.");
    assert_eq!(gone(&["c"]), "none");
    // Deleted files are missing from the searched folder, but not from another one.
    workspace.remove("b/y.adk.prompt");
    assert_eq!(gone(&["b", "--allow-empty"]), "1 problem");
    assert_eq!(gone(&["c"]), "none");
}

#[test]
fn an_unknown_version_on_the_command_line_is_a_problem() {
    let workspace = Workspace::new(&[TYPO[0], TYPO[1], FINE]);
    expect![[r#"
        a.adk.prompt:1:1: info [engine-version-unknown] `adk-python@9` is newer than 2.13.0, the newest known version
        a.adk.prompt:1:7: error [undefined-placeholder] `custmer` has no value; did you mean `customer`?
        --- 1
        2 prompts checked: 1 error, 1 info
    "#]]
        .assert_eq(&shown(&workspace, &["--format=concise", "--engine", "adk-python@9"]));
    for arguments in [
        &["--engine", "adk-python@9", "--ignore", "engine-version-unknown"][..],
        &["--engine", "adk-python@2.13"],
        // This engine sends no prompt here.
        &["--engine", "promptkit-go@9"],
    ] {
        let said = shown(&workspace, arguments);
        assert!(!said.contains("engine-version-unknown"), "{arguments:?}: {said}");
    }
    let resolved = promptls(&["resolve", "b.adk.prompt", "--engine", "adk-python@9"])
        .cwd(workspace.root())
        .run();
    assert_eq!(resolved.code, Some(0));
    assert!(resolved.stderr.contains("`adk-python@9` is newer than"), "{}", resolved.stderr);
}

#[test]
fn files_of_other_tools_are_no_prompts() {
    let dotprompt = "---\nmodel: x/y\n---\nBe nice to {{name}}.\n";
    let workspace = Workspace::new(&[FINE, ("nice.prompt", dotprompt)]);
    let listed = |command: &[&str]| promptls(command).cwd(workspace.root()).run();
    for command in
        [&["prompts"][..], &["prompts", "--format=json"], &["check", "--list"], &["stats"]]
    {
        let output = listed(command);
        assert!(output.stdout.contains("b.adk.prompt"), "{command:?}: {output:?}");
        assert!(!output.stdout.contains("nice.prompt"), "{command:?}: {output:?}");
    }
    assert!(listed(&["check"]).stderr.starts_with("1 prompt checked"));
    let proposal = listed(&["init"]);
    let all = format!("{}{}", proposal.stdout, proposal.stderr);
    assert!(all.contains("1 prompt") && !all.contains("2 prompts"), "{all}");
}

/// A typo in two prompts, with a config in a parent folder.
fn two_typos(config: &str) -> Workspace {
    let workspace = Workspace::new(&TYPO);
    workspace.write("old/a.adk.prompt", TYPO[0].1);
    workspace.write("old/a.adk.inputs.json", r#"{"customer": "Ada", "city": "Bath"}"#);
    workspace.write("promptls.toml", config);
    workspace
}

#[test]
fn ignored_problems_are_not_reported() {
    let all = "[[ignore]]\nfiles = ['old/']\nreason = 'they go in spring'\n";
    let names = "[[ignore]]\ncodes = ['undefined-placeholder']\nnames = ['custmer']\n";
    for (config, expected) in [
        (
            all,
            expect![[r#"
                a.adk.prompt:1:7: error [undefined-placeholder] `custmer` has no value; did you mean `customer`?
                --- 1
                2 prompts checked: 1 error
            "#]],
        ),
        (
            names,
            expect![[r#"
                old/a.adk.inputs.json:1:21: warning [unused-input] `city` is never read by a.adk.prompt
                --- 0
                2 prompts checked: 1 warning
            "#]],
        ),
    ] {
        expected.assert_eq(&shown(&two_typos(config), &["--format", "concise"]));
    }
}

#[test]
fn an_unused_ignore_is_reported_by_a_check_of_everything() {
    let config = "[[ignore]]\nnames = ['custmer']\n\n[[ignore]]\nfiles = ['new/**']\n";
    let workspace = two_typos(config);
    expect![[r#"
        old/a.adk.inputs.json:1:21: warning [unused-input] `city` is never read by a.adk.prompt
        promptls.toml:4:1: warning [unused-ignore] this entry matches no problem; remove it
        --- 0
        2 prompts checked: 2 warnings
    "#]]
    .assert_eq(&shown(&workspace, &["--format", "concise"]));
    // A check of some files does not report it: other files may have the problem.
    expect![[r#"
        old/a.adk.inputs.json:1:21: warning [unused-input] `city` is never read by a.adk.prompt
        --- 0
        1 prompt checked: 1 warning
    "#]]
    .assert_eq(&shown(&workspace, &["--format", "concise", "old"]));
}

#[test]
fn a_rule_has_its_own_severities() {
    let config = "[[prompts]]\nfiles = ['old/*.prompt']\n[prompts.problems]\nundefined-placeholder = 'hint'\nunused-input = 'off'\n";
    expect![[r#"
        a.adk.prompt:1:7: error [undefined-placeholder] `custmer` has no value; did you mean `customer`?
        old/a.adk.prompt:1:7: hint [undefined-placeholder] `custmer` has no value; did you mean `customer`?
        --- 1
        2 prompts checked: 1 error, 1 hint
    "#]].assert_eq(&shown(&two_typos(config), &["--format", "concise"]));
}

#[test]
#[cfg(target_os = "linux")]
fn a_report_can_be_written_to_a_device() {
    use std::os::unix::fs::FileTypeExt;

    let workspace = Workspace::new(&TYPO);
    let said = shown(&workspace, &["--format=concise", "-o", "/dev/full"]);
    assert!(said.contains("--- 2\npromptls: cannot write /dev/full: No space left"), "{said}");
    let device = std::fs::metadata("/dev/full").expect("it is there").file_type();
    assert!(device.is_char_device());
    workspace.write("report/x", "");
    let said = shown(&workspace, &["-o", "report"]);
    assert!(said.contains("--- 2\npromptls: cannot write report"), "{said}");
}
