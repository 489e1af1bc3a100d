//! Files written by promptls are never evidence about an application, whatever their folder.

use promptls_tests::{Output, Workspace, promptls};

const WARNING: &str =
    "agent.py:2:44: warning [undefined-placeholder] nothing in this app sets `usr`\n";

/// An application that never sets `usr`.
fn app() -> Workspace {
    Workspace::new(&[
        ("pyproject.toml", ""),
        (
            "agent.py",
            "from google.adk.agents import Agent\nroot = Agent(name='root', instruction='Hi {usr}')\n",
        ),
    ])
}

#[track_caller]
fn check(workspace: &Workspace, after: &str) {
    let output =
        promptls(&["check", "--format", "concise", "agent.py"]).cwd(workspace.root()).run();
    let Output { stdout, stderr, .. } = output;
    assert_eq!(stdout, WARNING, "{after}: {stderr}");
}

#[test]
fn a_report_in_the_folder_sets_no_name() {
    for command in [
        "check --format json",
        "check --format sarif",
        "check --format gitlab",
        "check --format rdjson",
        "check --format jsonl",
        "check --list --format json",
        "prompts --format json",
        "resolve agent.py --format json",
        "vars agent.py --format json",
        "stats --format json",
    ] {
        let workspace = app();
        let arguments: Vec<&str> = command.split(' ').collect();
        let output = promptls(&arguments).cwd(workspace.root()).run();
        assert!(output.stdout.len() > 2, "{command}: {}", output.stderr);
        workspace.write("out/report.json", &output.stdout);
        check(&workspace, command);
    }
}

#[test]
fn a_baseline_stays_what_it_is_however_often_it_is_written() {
    let workspace = app();
    let write = ["check", "--write-baseline", "known.json"];
    promptls(&write).cwd(workspace.root()).run();
    let first = workspace.read("known.json");
    check(&workspace, "a baseline was written");
    promptls(&write).cwd(workspace.root()).run();
    assert_eq!(workspace.read("known.json"), first);
    assert!(first.contains("usr"), "{first}");
}

#[test]
fn prose_and_configs_set_no_name() {
    for (path, text) in [
        (
            "README.md",
            "# State\n\nThe key `usr` is the user.\n\n```python\nstate['usr'] = 1\n```\n",
        ),
        ("docs/a.md", "---\ntitle: State\n---\nusr: the user\n"),
        ("notes.txt", "state['usr'] = 1"),
        ("promptls.toml", "[[ignore]]\nfiles = ['x']\nnames = ['usr']\ncodes = ['no-inputs']\n"),
    ] {
        let workspace = app();
        workspace.write(path, text);
        check(&workspace, path);
    }
}
