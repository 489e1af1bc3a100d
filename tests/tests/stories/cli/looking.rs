//! The scope of `promptls check`, and how it is reported.

use expect_test::{Expect, expect};
use promptls_tests::{Output, Workspace, promptls};

const FILES: [(&str, &str); 6] = [
    ("a.adk.prompt", "{a}"),
    (".hidden/b.adk.prompt", "{b}"),
    ("ignored/c.adk.prompt", "{c}"),
    ("old/d.adk.prompt", "{d}"),
    (".promptlsignore", "ignored/\n"),
    ("promptls.toml", "[problems]\nno-inputs = 'warning'\n"),
];

#[track_caller]
fn check(arguments: &[&str], expected: Expect) {
    let workspace = Workspace::new(&FILES);
    workspace
        .write("ci/strict.toml", "[problems]\nno-inputs = 'error'\n[[ignore]]\nfiles = ['old']\n");
    workspace.write("ci/broken.toml", "prompts = 1\n");
    expected.assert_eq(&shown(&workspace, arguments, ""));
}

fn shown(workspace: &Workspace, arguments: &[&str], stdin: &str) -> String {
    let call = [&["check", "--format=concise"], arguments].concat();
    let output = promptls(&call).cwd(workspace.root()).stdin(stdin).run();
    let Output { code, stdout, stderr } = output;
    format!("{stdout}--- {}\n{stderr}", code.expect("it ended by itself"))
}

#[test]
fn excluded_files_are_configurable() {
    check(
        &[],
        expect![[r#"
        a.adk.prompt:1:1: warning [no-inputs] no inputs file: names are not checked
        old/d.adk.prompt:1:1: warning [no-inputs] no inputs file: names are not checked
        --- 0
        2 prompts checked: 2 warnings
    "#]],
    );
    check(
        &["--hidden", "--no-ignore"],
        expect![[r#"
        .hidden/b.adk.prompt:1:1: warning [no-inputs] no inputs file: names are not checked
        a.adk.prompt:1:1: warning [no-inputs] no inputs file: names are not checked
        ignored/c.adk.prompt:1:1: warning [no-inputs] no inputs file: names are not checked
        old/d.adk.prompt:1:1: warning [no-inputs] no inputs file: names are not checked
        --- 0
        4 prompts checked: 4 warnings
    "#]],
    );
    check(
        &["--exclude", "old"],
        expect![[r#"
        a.adk.prompt:1:1: warning [no-inputs] no inputs file: names are not checked
        --- 0
        1 prompt checked: 1 warning
    "#]],
    );
    check(
        &["--exclude", "/a.*", "a.adk.prompt", "old/d.adk.prompt"],
        expect![[r#"
        old/d.adk.prompt:1:1: warning [no-inputs] no inputs file: names are not checked
        --- 0
        1 prompt checked: 1 warning
    "#]],
    );
}

#[test]
fn the_config_is_selectable() {
    check(
        &["--isolated"],
        expect![[r#"
        a.adk.prompt:1:1: info [no-inputs] no inputs file: names are not checked
        old/d.adk.prompt:1:1: info [no-inputs] no inputs file: names are not checked
        --- 0
        2 prompts checked: 2 infos
    "#]],
    );
    check(
        &["--config", "ci/strict.toml"],
        expect![[r#"
        a.adk.prompt:1:1: error [no-inputs] no inputs file: names are not checked
        --- 1
        2 prompts checked: 1 error
    "#]],
    );
    check(
        &["--config", "ci/broken.toml"],
        expect![[r#"
            a.adk.prompt:1:1: info [no-inputs] no inputs file: names are not checked
            ci/broken.toml:1:1: error [invalid-config] rules are written `[[prompts]]`, with two brackets
            old/d.adk.prompt:1:1: info [no-inputs] no inputs file: names are not checked
            --- 2
            2 prompts checked, 1 file not fully read: 1 error, 2 infos
        "#]],
    );
    check(
        &["--config", "ci/gone.toml"],
        expect![[r#"
            --- 2
            promptls: cannot read ci/gone.toml: there is no such file
        "#]],
    );
    check(
        &["--config", "ci/strict.toml", "--isolated"],
        expect![[r#"
        --- 2
        error: the argument '--config <FILE>' cannot be used with '--isolated'

        Usage: promptls check --format <FORMAT> --config <FILE> [PATH]...

        For more information, try '--help'.
    "#]],
    );
}

#[test]
fn stdin_is_checked_as_the_named_file() {
    let workspace = Workspace::new(&FILES);
    workspace.write("old/d.adk.inputs.json", r#"{"name": 1}"#);
    let stdin = |arguments: &[&str]| shown(&workspace, arguments, "{nmae}");
    expect![[r#"
        old/d.adk.prompt:1:2: error [undefined-placeholder] `nmae` has no value; did you mean `name`?
        --- 1
        1 prompt checked: 1 error
    "#]].assert_eq(&stdin(&["-", "--stdin-filename", "old/d.adk.prompt"]));
    // It need not exist yet.
    expect![[r#"
        new.adk.prompt:1:1: warning [no-inputs] no inputs file: names are not checked
        --- 0
        1 prompt checked: 1 warning
    "#]]
    .assert_eq(&stdin(&["-", "--stdin-filename", "new.adk.prompt"]));
    expect![[r#"
        --- 0
        promptls: notes.txt is skipped, because it is not a prompt; use --as-prompts to read it
    "#]]
    .assert_eq(&stdin(&["--stdin-filename", "notes.txt"]));
    expect![[r#"
        --- 2
        promptls: standard input needs a name; add --stdin-filename FILE
    "#]]
    .assert_eq(&stdin(&["-"]));
    expect![[r#"
        --- 2
        promptls: standard input is checked alone; do not name other files
    "#]]
    .assert_eq(&stdin(&["a.adk.prompt", "--stdin-filename", "x"]));
}

#[test]
fn each_prompt_is_named_on_request() {
    check(
        &["--verbose", "--quiet"],
        expect![[r#"
        --- 2
        error: the argument '--verbose' cannot be used with '--quiet'

        Usage: promptls check --format <FORMAT> --verbose [PATH]...

        For more information, try '--help'.
    "#]],
    );
    check(
        &["--verbose", "--select", "undefined"],
        expect![[r#"
        --- 0
        a.adk.prompt      adk  its name  no cases
        old/d.adk.prompt  adk  its name  no cases
        2 prompts checked: no problems
    "#]],
    );
}

#[test]
fn colours_are_configurable() {
    let workspace = Workspace::new(&FILES);
    let has_colours = |arguments: &[&str], variables: &[(&str, &str)]| {
        let call = [&["check"], arguments].concat();
        let call = promptls(&call).cwd(workspace.root());
        let call = variables.iter().fold(call, |call, (name, value)| call.env(name, value));
        call.run().stdout.contains('\x1b')
    };
    assert!(!has_colours(&[], &[]));
    assert!(has_colours(&["--color=always"], &[("NO_COLOR", "1")]));
    assert!(has_colours(&[], &[("FORCE_COLOR", "1")]));
    assert!(!has_colours(&[], &[("FORCE_COLOR", "0")]));
    assert!(!has_colours(&[], &[("FORCE_COLOR", "1"), ("NO_COLOR", "1")]));
    assert!(!has_colours(&["--color=never"], &[("FORCE_COLOR", "1")]));
}

#[cfg(unix)]
mod terminals {
    use promptls_tests::{Terminal, Workspace};

    #[test]
    fn watching_checks_changes_immediately() {
        let workspace = Workspace::new(&[("a.adk.prompt", "{a}"), ("a.adk.inputs.json", "{}")]);
        let call = ["check", "--watch", "--format=concise"];
        let mut terminal = Terminal::run(&workspace, &call, 20, 100);
        terminal.wait_for_text("`a` has no value");
        workspace.write("a.adk.inputs.json", r#"{"a": 1}"#);
        terminal.wait_for_text("1 prompt checked: no problems");
        // A new file in a folder that had none.
        workspace.write("new/deep/b.adk.prompt", "{b}");
        terminal.wait_for_text("2 prompts checked: 1 info");
        workspace.write("new/deep/b.adk.inputs.json", "{}");
        terminal.wait_for_text("`b` has no value");
        workspace.remove("new/deep/b.adk.prompt");
        terminal.wait_for_text("[orphan-sidecar]");
        terminal.terminate();
        assert_eq!(terminal.wait_for_end(), Some(0));
    }

    #[test]
    fn a_text_that_code_loads_is_checked_once_it_appears() {
        let agent = "from google.adk.agents import LlmAgent\n\
            a = LlmAgent(name='a', instruction=open('texts/a.txt').read())\n";
        let workspace = Workspace::new(&[("agent.py", agent), ("texts/other.txt", "")]);
        let call = ["check", "--watch", "--format=concise"];
        let mut terminal = Terminal::run(&workspace, &call, 20, 100);
        terminal.wait_for_text("1 not read");
        workspace.write("texts/a.txt", "Go to {city}.\n");
        terminal.wait_for_text("nothing in this app sets `city`");
        terminal.terminate();
        assert_eq!(terminal.wait_for_end(), Some(0));
    }
}

#[test]
fn names_are_relative_only_to_a_folder_that_exists() {
    let workspace = Workspace::new(&[("a.adk.prompt", "{a}"), ("folder/b.txt", "")]);
    let inputs = [("a.adk.x.inputs.json", "{}"), ("a.adk.y.inputs.json", "{}")];
    inputs.iter().for_each(|(name, text)| workspace.write(name, text));
    let diff: &[&str] = &["diff", "a.adk.prompt", "--case", "x", "--case", "y"];
    for command in [&["check", "--exit-zero"], diff] {
        for (folder, expected) in [
            ("folder", ""),
            ("none", "cannot read none: there is no such file"),
            ("a.adk.prompt", "a.adk.prompt is a file; `--relative-to` takes a folder"),
        ] {
            let call = [command, &["--relative-to", folder]].concat();
            let output = promptls(&call).cwd(workspace.root()).run();
            assert_eq!(output.code == Some(2), !expected.is_empty(), "{call:?}: {output:?}");
            assert!(output.stderr.contains(expected), "{call:?}: {}", output.stderr);
        }
    }
}

/// Almost all code is read once, before any request for it, with the config that applies then.
#[test]
fn a_named_config_selects_strings_of_code() {
    let workspace = Workspace::new(&[
        ("agent.py", "from google.adk.agents import Agent\nA = Agent(instruction='{city}')\n"),
        ("texts.py", "GREETING = 'Hello {name}'\n"),
        ("promptls.toml", "[[prompts]]\nfiles = ['agent.py']\nstrings = []\n"),
        (
            "ci/texts.toml",
            "[[prompts]]\nfiles = ['texts.py']\nstrings = ['GREETING']\ndialect = 'adk'\n",
        ),
    ]);
    let names = |arguments: &[&str]| {
        let shown = shown(&workspace, &[&["--list"], arguments].concat(), "");
        ["agent.py#", "texts.py#"].map(|name| shown.contains(name))
    };
    assert_eq!(names(&[]), [false, false]);
    assert_eq!(names(&["--isolated"]), [true, false]);
    assert_eq!(names(&["--config", "ci/texts.toml"]), [true, true]);
}
