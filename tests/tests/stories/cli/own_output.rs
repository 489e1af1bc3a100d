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

/// Each command that prints names of prompts, in each of its formats.
const COMMANDS: &[&str] = &[
    "check",
    "check --format concise",
    "check --format json",
    "check --format jsonl",
    "check --format github",
    "check --format gitlab",
    "check --format sarif",
    "check --format junit",
    "check --format rdjson",
    "check --format checkstyle",
    "check --list",
    "check --list --format json",
    "--log debug check",
    "prompts",
    "prompts --format json",
    "resolve agent.py --format json",
    "resolve agent.py --partial --format messages",
    "resolve agent.py --inputs values.json --format messages",
    "resolve agent.py --rows rows.jsonl --format jsonl",
    "resolve agent.py --rows rows.jsonl --format messages",
    "vars agent.py",
    "vars agent.py --format json",
    "vars agent.py --format json-schema",
    "vars agent.py --format python",
    "vars agent.py --format pydantic",
    "stats",
    "stats --format csv",
    "stats --format json",
    "graph",
    "graph --format mermaid",
    "graph --format json",
    "config --format json",
    "config --show agent.py --format json",
    "preview agent.py",
];

#[test]
fn output_in_the_folder_sets_no_name_in_any_format() {
    let outside = Workspace::new(&[
        ("values.json", "{\"usr\": \"{usr}\"}"),
        ("rows.jsonl", "{\"usr\": \"{usr}\"}\n{}\n"),
    ]);
    let workspace = app();
    for command in COMMANDS {
        let path = |word: &str| match word {
            "values.json" | "rows.jsonl" => outside.path(word).display().to_string(),
            word => word.to_owned(),
        };
        let arguments: Vec<String> = command.split(' ').map(path).collect();
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let Output { stdout, stderr, .. } = promptls(&arguments).cwd(workspace.root()).run();
        assert!(stdout.len() > 2, "{command}: {stderr}");
        let printed = if command.contains("--log") { stderr + &stdout } else { stdout };
        let endings = match command.contains("python") || command.contains("pydantic") {
            true => &["py"][..],
            false => &["json", "yaml", "toml"],
        };
        for ending in endings {
            let file = format!("out/report.{ending}");
            workspace.write(&file, &printed);
            check(&workspace, &format!("{command} > {file}"));
            workspace.remove(&file);
        }
    }
}

#[test]
fn writing_a_baseline_again_does_not_change_it() {
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
