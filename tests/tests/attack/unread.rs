//! Attacks on the promise that what was not read is never "no problems".

use std::fmt::Write;
use std::fs;
use std::time::{Duration, Instant};

use promptls_tests::{Output, Workspace, promptls};

const RULE: (&str, &str) =
    ("promptls.toml", "[[prompts]]\nfiles = ['data/**']\nstrings = ['p']\ndialect = 'adk'\n");
const GOOD: (&str, &str) = ("data/ok.yaml", "p: 'Hi'\n");

fn check(workspace: &Workspace) -> Output {
    promptls(&["check", "--format", "concise"]).cwd(workspace.root()).run()
}

/// A file that a rule names and that hides its prompt is an error.
#[track_caller]
fn is_unread(path: &str, bytes: impl AsRef<[u8]>, reason: &str) {
    let workspace = Workspace::new(&[RULE, GOOD]);
    workspace.write(path, bytes);
    let output = check(&workspace);
    assert_eq!(output.code, Some(2), "{path}: {}{}", output.stdout, output.stderr);
    let line = output.stdout.lines().find(|line| line.starts_with(path)).unwrap_or_default();
    assert!(line.contains("[unreadable-file]") && line.contains(reason), "{path}: {line}");
}

#[test]
fn what_is_deeper_than_the_limits_is_an_error() {
    let nested = |open: &str, close: &str, levels: usize| {
        format!("{}1{}", open.repeat(levels), close.repeat(levels))
    };
    for levels in [600, 100_000] {
        is_unread("data/a.json", nested("[", "]", levels), "");
        is_unread("data/b.json", nested("{\"p\":", "}", levels), "");
        is_unread("data/c.yaml", nested("[", "]", levels), "");
    }
    is_unread("data/d.toml", format!("a = {}", nested("[", "]", 1_000)), "");
    let lines = (0..1_000).fold(String::new(), |mut text, level| {
        let _ = writeln!(text, "{}a:", " ".repeat(level));
        text
    });
    is_unread("data/e.yaml", lines, "nested too deeply");
}

#[test]
fn what_is_larger_than_the_limits_is_an_error() {
    let long = "x".repeat(3 << 20);
    is_unread("data/a.yaml", format!("p: 'Hi {{x}}'\nq: {long}\n"), "larger than 2 MiB");
    is_unread("data/a.json", format!("{{\"p\": \"{long}\"}}"), "larger than 2 MiB");
    is_unread("data/a.toml", format!("p = '{long}'"), "larger than 2 MiB");
    is_unread("data/a.py", format!("p = '{long}'\n"), "larger than 2 MiB");
}

#[test]
fn half_characters_are_errors() {
    for half in ["\\ud83d", "\\ude00", "\\ud83d\\ud83d", "\\udc00\\ud800", "\\ud83dx"] {
        is_unread("data/a.json", format!("{{\"p\": \"Hi {half}\"}}"), "");
        is_unread("data/b.yaml", format!("p: \"Hi {half}\"\n"), "");
        is_unread("data/c.toml", format!("p = \"Hi {half}\"\n"), "");
    }
    for bytes in
        [&b"p: \xf0\x9f\x98"[..], b"p: \xed\xa0\xbd", b"p: \xc0\xaf", b"\xfe\xff\0p\0:", b"\x80"]
    {
        is_unread("data/a.yaml", bytes, "is not UTF-8");
    }
    is_unread("data/a.yaml", "p: 'a'\0: b\n", "");
}

/// Each tab that indents.
#[test]
fn a_tab_in_yaml_is_an_error_or_means_nothing() {
    is_unread("data/a.yaml", "a:\n\tp: 'Hi {x}'\n", "");
    is_unread("data/a.yaml", "a:\n  b: 1\n\tp: 'Hi {x}'\n", "");
    is_unread("data/a.yaml", "a:\n  - b\n\t- p: 'Hi {x}'\n", "");
    // Between a key and its value it is white space.
    let workspace = Workspace::new(&[RULE, ("data/a.yaml", "p:\t'Hi {x}'\n")]);
    let output = check(&workspace);
    assert_eq!(output.code, Some(0), "{}{}", output.stdout, output.stderr);
    assert!(output.stderr.contains("1 prompt checked"), "{}", output.stderr);
}

#[test]
fn ten_thousand_broken_files_are_each_reported_in_time() {
    const FILES: usize = 10_000;
    let workspace = Workspace::new(&[RULE, GOOD]);
    for number in 0..FILES {
        fs::write(workspace.path(&format!("data/f{number}.yaml")), "p: 'Hi {x}\n").expect("a file");
    }
    let start = Instant::now();
    let output = check(&workspace);
    assert_eq!(output.code, Some(2));
    let lines = output.stdout.lines().filter(|line| line.contains("[unreadable-file]")).count();
    assert_eq!(lines, FILES);
    assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
}

#[test]
fn no_option_hides_what_was_not_read() {
    let workspace = Workspace::new(&[RULE, GOOD]);
    workspace.write("data/b.yaml", "p: 'Hi {x}\n");
    let run = |arguments: &[&str]| {
        let all = [&["check"], arguments].concat();
        promptls(&all).cwd(workspace.root()).run()
    };
    let known = run(&["--write-baseline", "known.json"]);
    assert_eq!(known.code, Some(2), "{}", known.stderr);
    for arguments in [
        &["--baseline", "known.json"][..],
        &["--exit-zero"],
        &["--select", "undefined-placeholder"],
        &["--statistics"],
        &["--quiet"],
        &["--fix"],
        &["data/*.yaml"],
        &["data/b.yaml"],
        &["."],
    ] {
        let output = run(arguments);
        assert_eq!(output.code, Some(2), "{arguments:?}: {}{}", output.stdout, output.stderr);
        assert!(output.stdout.contains("unreadable-file"), "{arguments:?}: {}", output.stdout);
    }
    for (arguments, config) in
        [(&["--ignore", "unreadable-file"][..], ""), (&[], "[problems]\nunreadable-file = 'off'\n")]
    {
        workspace.write("promptls.toml", format!("{}{config}", RULE.1));
        assert_eq!(run(arguments).code, Some(0), "{arguments:?}");
    }
}

#[test]
fn a_broken_config_is_exit_code_2_in_each_command() {
    let files = [
        ("promptls.toml", "[[prompts]\nfiles = ['*.txt']\n"),
        ("a.adk.prompt", "Hi {x}"),
        ("a.adk.inputs.json", r#"{"x": "y"}"#),
    ];
    let workspace = Workspace::new(&files);
    for command in [
        "check",
        "check --list",
        "check --exit-zero",
        "prompts",
        "stats",
        "graph",
        "fmt --check",
        "config",
        "config --show a.adk.prompt",
        "resolve a.adk.prompt",
        "preview a.adk.prompt",
        "vars a.adk.prompt",
        "convert a.adk.prompt --to agentle --diff",
    ] {
        let arguments: Vec<&str> = command.split(' ').collect();
        let output = promptls(&arguments).cwd(workspace.root()).run();
        assert_eq!(output.code, Some(2), "{command}: {}{}", output.stdout, output.stderr);
        let all = format!("{}{}", output.stdout, output.stderr);
        assert!(all.contains("promptls.toml:1:"), "{command}: {all}");
    }
}

#[test]
fn code_without_prompts_is_never_the_prompt() {
    for (name, text) in [
        ("a.py", "print('{x}')\n"),
        ("a.ts", "console.log('{x}')\n"),
        ("a.go", "package a\n"),
        ("a.java", "class A {}\n"),
        ("a.kt", "val a = 1\n"),
        ("a.toml", "a = '{x}'\n"),
        ("a.json", "{\"a\": \"{x}\"}"),
        ("a.yaml", "a: '{x}'\n"),
    ] {
        let workspace = Workspace::new(&[(name, text)]);
        for command in [
            "resolve",
            "preview",
            "vars",
            "convert --to agentle --diff",
            "stats",
            "prompts",
            "graph",
            "config --show",
            "diff --case a --case b",
        ] {
            let arguments: Vec<&str> = command.split(' ').chain([name]).collect();
            let output = promptls(&arguments).cwd(workspace.root()).run();
            assert_eq!(output.code, Some(2), "{command} {name}: {}", output.stdout);
            assert_eq!(output.stdout, "", "{command} {name}");
        }
        let output = promptls(&["resolve", name, "--dialect", "adk", "--partial"])
            .cwd(workspace.root())
            .run();
        assert!(!output.stdout.is_empty(), "{name} is read where its dialect is named");
    }
}

#[cfg(unix)]
mod on_unix {
    use std::os::unix::fs::symlink;

    use rustix::fs::{CWD, FileType, Mode, mknodat};

    use super::*;

    #[test]
    fn pipes_and_links_to_nothing_are_not_waited_for() {
        let workspace = Workspace::new(&[RULE, GOOD]);
        let mode = Mode::RUSR | Mode::WUSR;
        mknodat(CWD, workspace.path("data/pipe.yaml"), FileType::Fifo, mode, 0).expect("a pipe");
        symlink("/dev/zero", workspace.path("data/zero.yaml")).expect("a link");
        symlink("loop.yaml", workspace.path("data/loop.yaml")).expect("a link");
        let output = check(&workspace);
        assert_eq!(output.code, Some(2), "{}{}", output.stdout, output.stderr);
        let all = format!("{}{}", output.stdout, output.stderr);
        assert!(all.contains("pipe.yaml") && all.contains("it is a pipe"), "{all}");
    }
}
