//! Completions that shells offer while a command is typed.

use std::process::Command;

use promptls_tests::{Workspace, promptls, promptls_path};

const FILES: [(&str, &str); 4] = [
    ("a.adk.prompt", "{x}"),
    ("a.adk.inputs.json", r#"{"x": 1}"#),
    ("a.adk.angry.inputs.json", "{"),
    (
        "p.pack.json",
        r#"{"prompts": {"greeting": {"system_template": "x", "variables": []}, "reply": {"system_template": "y", "variables": []}}}"#,
    ),
];

/// The words on the line, the last one half typed, and the completions.
const PROPOSED: [(&[&str], &[&str]); 10] = [
    (&["help", "store", "p"], &["pull", "push"]),
    (&["help", "conf"], &["config"]),
    (&["resolve", "a.adk.prompt", "--case", ""], &["angry", "default"]),
    (&["preview", "a.adk.prompt", "--case", "d"], &["default"]),
    (&["diff", "a.adk.prompt", "--case", "angry", "--case", "a"], &["angry"]),
    (&["resolve", "p.pack.json", "--prompt", ""], &["greeting", "reply"]),
    (&["explain", "unclosed"], &["unclosed-block"]),
    (&["check", "--ignore", "no-inputs,orph"], &["no-inputs,orphan-sidecar"]),
    (&["schema", "pri"], &["prices"]),
    (&["resolve", "none.prompt", "--case", ""], &[]),
];

/// Requests completions as the script of a shell does.
fn completed(shell: &str, words: &[&str], workspace: &Workspace) -> Vec<String> {
    let all = [&["--", "promptls"], words].concat();
    let index = words.len().to_string();
    let command = promptls(&all).cwd(workspace.root()).env("PROMPTLS_COMPLETE", shell);
    let output = command.env("_CLAP_COMPLETE_INDEX", &index).env("_CLAP_IFS", "\n").run();
    assert_eq!((output.code, &*output.stderr), (Some(0), ""), "{words:?}");
    // Zsh and fish also receive a description.
    let word = |line: &str| line.split([':', '\t']).next().unwrap_or_default().to_owned();
    output.stdout.lines().map(word).collect()
}

#[test]
fn completions_include_cases_tasks_and_codes() {
    let workspace = Workspace::new(&FILES);
    for (words, expected) in PROPOSED {
        for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
            assert_eq!(completed(shell, words, &workspace), expected, "{shell} {words:?}");
        }
    }
}

#[cfg(unix)]
#[test]
fn bash_proposes_completions() {
    let workspace = Workspace::new(&FILES);
    let script = r#"
        source <(PROMPTLS_COMPLETE=bash "$PROMPTLS")
        COMP_WORDS=(promptls "$@")
        COMP_CWORD=$#
        COMP_TYPE=9
        _clap_complete_promptls promptls "${@: -1}" "${@: -2:1}"
        for word in "${COMPREPLY[@]}"; do echo "${word% }"; done
    "#;
    for (words, expected) in PROPOSED {
        let mut bash = Command::new("bash");
        bash.args(["--norc", "--noprofile", "-c", script, "bash"]).args(words);
        bash.current_dir(workspace.root()).env("PROMPTLS", promptls_path());
        let output = bash.output().expect("bash runs");
        let proposed = String::from_utf8_lossy(&output.stdout);
        assert_eq!(proposed.lines().collect::<Vec<_>>(), expected, "{words:?} {output:?}");
    }
}

#[test]
fn static_completion_scripts_are_printed() {
    for (shell, start) in
        [("bash", "_promptls()"), ("zsh", "#compdef promptls"), ("fish", "# Print")]
    {
        let output = promptls(&["completions", shell]).run();
        assert!(output.stdout.starts_with(start), "{}", &output.stdout[..40]);
    }
}
