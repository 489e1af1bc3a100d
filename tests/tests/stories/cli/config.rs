//! `promptls config`.

use expect_test::{Expect, expect};
use promptls_tests::{Workspace, promptls};

const FILES: [(&str, &str); 9] = [
    (
        "promptls.toml",
        "templates = 'own'\n\n[[prompts]]\nfiles = ['*.txt']\ndialect = 'adk'\ninputs = ['state.json']\nmax_tokens = 8000\n\n[problems]\nunused-input = 'off'\nno-inputs = 'hint'\n",
    ),
    (
        "p/promptls.toml",
        "[[prompts]]\nfiles = [\n  'b.txt',\n]\nproblems = { no-inputs = 'error' }\n\n[problems]\nunused-input = 'warning'\n",
    ),
    ("p/a.txt", "{app}"),
    ("p/b.txt", "{x} {app:x}"),
    ("state.json", r#"{"app": 1}"#),
    ("p/a.angry.inputs.json", "{"),
    ("p/c.agentle.prompt", "x"),
    ("p/c.agentle.variables.json", "{}"),
    ("x.pack.json", r#"{"prompts": {"t": {"system_template": "x", "variables": []}}}"#),
];

#[track_caller]
fn check(arguments: &[&str], expected: Expect) {
    let workspace = Workspace::new(&FILES);
    let output = promptls(&[&["config"], arguments].concat()).cwd(workspace.root()).run();
    let code = output.code.expect("it ended by itself");
    expected.assert_eq(&format!("{}--- {code}\n{}", output.stdout, output.stderr));
}

#[test]
fn a_folder_has_the_settings_of_all_configs_above_it() {
    check(
        &["p"],
        expect![[r#"
        rule 1 files               b.txt       p/promptls.toml:2
        rule 1 problems.no-inputs  error       p/promptls.toml:5
        problems.unused-input      warning     p/promptls.toml:8
        templates                  own         promptls.toml:1
        rule 1 files               *.txt       promptls.toml:4
        rule 1 dialect             adk         promptls.toml:5
        rule 1 inputs              state.json  promptls.toml:6
        rule 1 max_tokens          8000        promptls.toml:7
        problems.no-inputs         hint        promptls.toml:11
        --- 0
    "#]],
    );
}

#[test]
fn the_settings_of_a_prompt_have_origins() {
    check(
        &["--show", "p/a.txt"],
        expect![[r#"
            prompt                           p/a.txt                promptls.toml:4
            dialect                          adk                    promptls.toml:5
            engine                           -                      default
            inputs of case state             state.json             promptls.toml:6
            inputs of case angry (unusable)  p/a.angry.inputs.json  beside it
            variables                        -                      default
            agent                            -                      default
            runtime                          -                      default
            literal                          -                      default
            max_tokens                       8000                   promptls.toml:7
            max_output_tokens                -                      default
            task                             -                      default
            encoding                         o200k_base             default
            problems.unused-input            warning                p/promptls.toml:8
            problems.no-inputs               hint                   promptls.toml:11
            --- 0
        "#]],
    );
    check(
        &["--show", "p/b.txt"],
        expect![[r#"
            prompt                 p/b.txt     p/promptls.toml:2
            dialect                adk         its content
            engine                 -           default
            variables              -           default
            agent                  -           default
            runtime                -           default
            literal                -           default
            max_tokens             -           default
            max_output_tokens      -           default
            task                   -           default
            encoding               o200k_base  default
            problems.unused-input  warning     p/promptls.toml:8
            problems.no-inputs     error       p/promptls.toml:5
            --- 0
        "#]],
    );
    check(
        &["--show", "p/c.agentle.prompt"],
        expect![[r#"
            prompt                 p/c.agentle.prompt          its name
            dialect                agentle                     its name
            engine                 -                           default
            variables              p/c.agentle.variables.json  beside it
            agent                  -                           default
            runtime                -                           default
            literal                -                           default
            max_tokens             -                           default
            max_output_tokens      -                           default
            task                   -                           default
            encoding               o200k_base                  default
            problems.unused-input  warning                     p/promptls.toml:8
            problems.no-inputs     hint                        promptls.toml:11
            --- 0
        "#]],
    );
    check(
        &["--show", "x.pack.json"],
        expect![[r#"
            prompt                 x.pack.json  its name
            dialect                promptpack   its name
            engine                 -            default
            variables              x.pack.json  its content
            agent                  -            default
            runtime                -            default
            literal                -            default
            max_tokens             -            default
            max_output_tokens      -            default
            task                   -            default
            encoding               o200k_base   default
            problems.unused-input  off          promptls.toml:10
            problems.no-inputs     hint         promptls.toml:11
            --- 0
        "#]],
    );
}

#[test]
fn settings_are_printed_as_json() {
    check(
        &["p", "--format", "json"],
        expect![[r#"
        {"version":1,"settings":[{"name":"rule 1 files","value":["b.txt"],"from":{"kind":"config","file":"p/promptls.toml","line":2}},{"name":"rule 1 problems.no-inputs","value":"error","from":{"kind":"config","file":"p/promptls.toml","line":5}},{"name":"problems.unused-input","value":"warning","from":{"kind":"config","file":"p/promptls.toml","line":8}},{"name":"templates","value":"own","from":{"kind":"config","file":"promptls.toml","line":1}},{"name":"rule 1 files","value":["*.txt"],"from":{"kind":"config","file":"promptls.toml","line":4}},{"name":"rule 1 dialect","value":"adk","from":{"kind":"config","file":"promptls.toml","line":5}},{"name":"rule 1 inputs","value":["state.json"],"from":{"kind":"config","file":"promptls.toml","line":6}},{"name":"rule 1 max_tokens","value":8000,"from":{"kind":"config","file":"promptls.toml","line":7}},{"name":"problems.no-inputs","value":"hint","from":{"kind":"config","file":"promptls.toml","line":11}}]}
        --- 0
    "#]],
    );
}

#[test]
fn paths_without_settings_are_reported() {
    let workspace = Workspace::new(&[]);
    let output = promptls(&["config"]).cwd(workspace.root()).run();
    assert!(output.code == Some(0) && output.stderr.starts_with("no promptls.toml applies"));
    check(
        &["--show", "state.json"],
        expect![[r#"
        --- 2
        promptls: state.json has no prompt: neither its name nor a rule of promptls.toml makes it one
    "#]],
    );
    check(
        &["p/a.txt"],
        expect![[r#"
        --- 2
        promptls: p/a.txt is a file; `promptls config --show p/a.txt` prints its settings
    "#]],
    );
    check(
        &["none"],
        expect![[r#"
            --- 2
            promptls: cannot read none: there is no such file
        "#]],
    );
    check(
        &["--show", "none.prompt"],
        expect![[r#"
            --- 2
            promptls: cannot read none.prompt: there is no such file
        "#]],
    );
}

/// Each of them has a rule, and includes those of all parent folders.
#[test]
fn hundreds_of_nested_configs_are_read() {
    // The kernel looks up each folder of a path for each call, so the cost is quadratic: 1,000
    // folders take two seconds of processor time.
    const DEEP: usize = 300;
    let workspace = Workspace::new(&[("p0.txt", "{a}")]);
    let mut folder = workspace.root().to_owned();
    for depth in 0..DEEP {
        let rule = format!("[[prompts]]\nfiles = ['p{depth}.txt']\ndialect = 'adk'\n");
        let rule = format!("{rule}inputs = ['{{stem}}*.json']\n[problems]\nno-inputs = 'off'\n");
        std::fs::write(folder.join("promptls.toml"), rule).expect("a config is written");
        folder.push("d");
        std::fs::create_dir(&folder).expect("a folder is made");
    }
    std::fs::write(folder.join("p0.txt"), "{b}").expect("a prompt is written");
    let output = promptls(&["check", "--list"]).cwd(workspace.root()).run();
    let prompts = output.stdout.lines().filter(|line| line.contains("p0.txt")).count();
    // The outermost rule also applies to the file at the bottom.
    assert_eq!((output.code, prompts), (Some(0), 2), "{output:?}");
}
