//! Attacks on the guarantee that unread files are never reported as "no problems".

use std::fmt::Write;
use std::fs;
use std::time::{Duration, Instant};

use promptls_tests::{Output, Repository, Workspace, promptls};
use serde_json::Value;

const RULE: (&str, &str) =
    ("promptls.toml", "[[prompts]]\nfiles = ['data/**']\nstrings = ['p']\ndialect = 'adk'\n");
const GOOD: (&str, &str) = ("data/ok.yaml", "p: 'Hi'\n");

fn check(workspace: &Workspace) -> Output {
    promptls(&["check", "--format", "concise"]).cwd(workspace.root()).run()
}

/// A file in a rule that hides its prompt is an error.
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
fn files_nested_deeper_than_the_limits_are_errors() {
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
fn files_larger_than_the_limits_are_errors() {
    let long = "x".repeat(3 << 20);
    is_unread("data/a.yaml", format!("p: 'Hi {{x}}'\nq: {long}\n"), "larger than 2 MiB");
    is_unread("data/a.json", format!("{{\"p\": \"{long}\"}}"), "larger than 2 MiB");
    is_unread("data/a.toml", format!("p = '{long}'"), "larger than 2 MiB");
    is_unread("data/a.py", format!("p = '{long}'\n"), "larger than 2 MiB");
}

#[test]
fn bytes_that_are_not_utf_8_are_reported_with_their_location() {
    for (name, bytes, place) in [
        ("a.adk.inputs.json", &b"{\n  \"x\": \"caf\xe9\"\n}\n"[..], "2:12"),
        ("a.adk.inputs.yaml", b"x: caf\xe9\n", "1:7"),
        ("a.adk.variables.json", b"{\"variables\": [\n\xe9]}\n", "2:1"),
        ("promptls.toml", b"# a\n# caf\xe9\n", "2:6"),
    ] {
        let workspace = Workspace::new(&[("a.adk.prompt", "Hi {x?}\n")]);
        workspace.write(name, bytes);
        for command in ["check --format concise", "stats", "fmt --check", "resolve a.adk.prompt"] {
            let words: Vec<&str> = command.split(' ').collect();
            let output = promptls(&words).cwd(workspace.root()).run();
            let all = format!("{}{}", output.stdout, output.stderr);
            assert!(all.contains(&format!("{name}:{place}: ")), "{command}, {name}: {all}");
            assert!(!all.contains(&format!("{name}:1:1: ")), "{command}, {name}: {all}");
        }
    }
}

#[test]
fn half_surrogate_pairs_are_errors() {
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

/// Every tab used for indentation.
#[test]
fn a_tab_in_yaml_is_an_error_or_whitespace() {
    is_unread("data/a.yaml", "a:\n\tp: 'Hi {x}'\n", "");
    is_unread("data/a.yaml", "a:\n  b: 1\n\tp: 'Hi {x}'\n", "");
    is_unread("data/a.yaml", "a:\n  - b\n\t- p: 'Hi {x}'\n", "");
    // Between a key and its value, it is white space.
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
fn files_like_output_of_promptls_are_read_if_a_rule_names_them() {
    is_unread("data/a.json", "hello {x}", "");
    is_unread("data/b.yaml", "p: 'Hi {x}\nwarning [invalid-config] here\n", "");
    is_unread("data/c.yaml", "--- a/x\n+++ b/x\n\tp: 1\n", "");
    is_unread("data/d.toml", "p = 'Hi {x}\nerror [invalid-config]\n", "");
    is_unread("data/e.yaml", "DEBUG promptls: [\n", "");
}

#[test]
fn no_option_hides_unread_files() {
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

/// An inputs or variables file that a rule names, broken in a way, with a part of its error.
const NAMED_BY_RULE: &[(&str, &str, Option<&str>, &str)] = &[
    ("inputs = ['shared.json']", "shared.json", Some("{\"x\":"), "expected a value"),
    ("inputs = ['shared.json']", "shared.json", Some("[]"), "an inputs file is one object"),
    ("inputs = ['shared.json']", "shared.json", None, "cannot be read"),
    ("inputs = ['s*.yaml']", "shared.yaml", Some("a:\n\tb: 1\n"), ""),
    ("inputs = ['{stem}.json']", "a.json", Some("{"), "is never closed"),
    ("inputs = ['good.json', 'shared.toml']", "shared.toml", Some("a = "), ""),
    ("variables = 'v.json'", "v.json", Some("{\"variables\": [,]}"), ""),
    ("variables = 'v.yaml'", "v.yaml", Some("a: 'b\n"), ""),
    ("variables = 'v.json'", "v.json", None, "cannot be read"),
    ("variables = '{stem}.json'", "a.json", Some("{"), "is never closed"),
];

/// The prompts of the rule are not checked as the config demands, so no option hides it.
#[test]
fn a_broken_file_that_a_rule_names_is_exit_code_2_in_each_command() {
    for (keys, file, text, reason) in NAMED_BY_RULE {
        let rule = format!("[[prompts]]\nfiles = ['*.txt']\ndialect = 'adk'\n{keys}\n");
        let workspace = Workspace::new(&[
            ("promptls.toml", &rule),
            ("a.txt", "Hi {x}"),
            ("b.txt", "Hi {x}"),
            ("good.json", "{\"x\": 1}"),
        ]);
        if let Some(text) = text {
            workspace.write(file, text);
        }
        for command in [
            "check",
            "check --format concise a.txt",
            "check --exit-zero",
            "check --quiet",
            "check --select unused-input",
            "check --fix",
            "check --fix --diff",
            "check --write-baseline known.json",
            "check --baseline known.json",
            "check --format json",
            "check --list",
            "prompts",
            "graph",
            "stats",
            "resolve a.txt",
        ] {
            let mut arguments: Vec<&str> = command.split(' ').collect();
            if command.starts_with("resolve") && keys.contains("good.json") {
                // Without it, the other case is resolved, whose inputs are fine.
                arguments.extend(["--case", "shared"]);
            }
            let output = promptls(&arguments).cwd(workspace.root()).run();
            let all = format!("{}{}", output.stdout, output.stderr);
            assert_eq!(output.code, Some(2), "{keys} {command}: {all}");
            assert!(all.contains(file) && all.contains(reason), "{keys} {command}: {all}");
        }
        let run = |command: &[&str]| promptls(command).cwd(workspace.root()).run();
        for command in [&["prompts"][..], &["graph"], &["stats"], &["check", "--list"]] {
            let stderr = run(command).stderr;
            let named = stderr.lines().filter(|line| line.contains(file) && line.contains(reason));
            assert_eq!(named.count(), 1, "{keys} {command:?}: {stderr}");
        }
        let report = run(&["check", "--format", "concise"]).stdout;
        assert!(report.contains("error [unreadable-file]"), "{keys}: {report}");
    }
}

/// The rule has prompts, but they do not get the values that it names.
#[test]
fn inputs_of_a_rule_that_match_no_file_are_a_warning_at_the_rule() {
    let warning = "promptls.toml:2:9: warning [unused-rule] `inputs` of this rule matches no file";
    for (keys, file, is_reported) in [
        ("inputs = ['s*.json']", None, true),
        ("inputs = ['none/*.json']", None, true),
        ("inputs = ['good.json', 's*.json']", None, true),
        ("inputs = ['s*.json']", Some("shared.json"), false),
        // A prompt may have none of its own.
        ("inputs = ['{stem}*.json']", None, false),
    ] {
        let rule = format!("[[prompts]]\nfiles = ['*.txt']\ndialect = 'adk'\n{keys}\n");
        let workspace = Workspace::new(&[
            ("promptls.toml", &rule),
            ("a.txt", "Hi {x}"),
            ("good.json", "{\"x\": 1}"),
        ]);
        if let Some(file) = file {
            workspace.write(file, "{\"x\": 1}");
        }
        let output = check(&workspace);
        assert_eq!(output.stdout.contains(warning), is_reported, "{keys}: {}", output.stdout);
        assert_eq!(output.code, Some(0), "{keys}: {}{}", output.stdout, output.stderr);
    }
}

/// A glob that the library cannot compile is an error at its place, and nothing panics.
#[test]
fn a_glob_that_cannot_be_used_is_an_error_in_every_key() {
    let nested = format!("{}a{}", "{".repeat(200), ",b}".repeat(200));
    let long = "a/".repeat(5_000);
    let globs = [
        ("[z-a].json", "invalid range"),
        ("{a,b.json", "unclosed alternate"),
        (&nested, "nested braces"),
        (&long, "is longer than 4096 bytes"),
    ];
    let rule = "[[prompts]]\ndialect = 'adk'\nfiles = ['*.txt'";
    for (glob, reason) in globs {
        for (config, needs_glob) in [
            (format!("{rule}, '{glob}']\n"), true),
            (format!("{rule}]\ninputs = ['{glob}']\n"), true),
            (format!("{rule}]\n[[ignore]]\nfiles = ['{glob}']\n"), true),
            (format!("{rule}]\nvariables = '{glob}'\n"), false),
        ] {
            let workspace = Workspace::new(&[("a.txt", "{x}"), ("promptls.toml", &config)]);
            let output = check(&workspace);
            let is_reported = output.stdout.lines().any(|line| {
                let is_there = line.starts_with("promptls.toml:") && line.contains(reason);
                is_there && line.contains("[invalid-config]")
            });
            // A path of variables is no glob.
            let is_expected = needs_glob || glob == long;
            assert_eq!(
                is_reported, is_expected,
                "{config:.80}: {}{}",
                output.stdout, output.stderr
            );
            let code = if is_expected { 2 } else { 0 };
            assert!(output.code == Some(code) || !is_expected, "{config:.80}: {:?}", output.code);
        }
        let workspace = Workspace::new(&[("a.txt", "{x}")]);
        for arguments in [&[glob][..], &["--exclude", glob]] {
            let all = [&["check"], arguments].concat();
            let output = promptls(&all).cwd(workspace.root()).run();
            assert_eq!(output.code, Some(2), "{glob:.80}: {}{}", output.stdout, output.stderr);
        }
    }
}

/// The behaviour of a command in a folder with a broken `promptls.toml`.
enum WithBrokenConfig {
    /// Ends with exit code 2, and reports the place and the reason.
    Fails,
    /// Ends as in any other folder, for this reason.
    ReadsNone(&'static str),
}

use WithBrokenConfig::{Fails, ReadsNone};

const ABOUT_ITSELF: &str = "it prints what the program knows";

/// Each command of `promptls --help` and of `promptls store --help`, and some with options.
const COMMANDS: &[(&str, WithBrokenConfig)] = &[
    ("resolve a.adk.prompt", Fails),
    ("resolve a.adk.prompt --rows rows.jsonl", Fails),
    ("resolve a.adk.prompt --all-cases", Fails),
    ("vars a.adk.prompt", Fails),
    ("check", Fails),
    ("check a.adk.prompt", Fails),
    ("check --list", Fails),
    ("check --exit-zero", Fails),
    ("check --fix", Fails),
    ("check --write-baseline known.json", Fails),
    ("check --format sarif", Fails),
    ("check --fix --diff", Fails),
    ("check --fix --stdin-filename a.adk.prompt -", Fails),
    ("fmt", Fails),
    ("fmt --check a.adk.prompt", Fails),
    // A pre-commit hook names files that are prompts only by a rule.
    ("check a.py", Fails),
    ("check a.py sub/b.txt", Fails),
    ("check sub/b.txt", Fails),
    ("check *.py", Fails),
    ("check --list a.py", Fails),
    ("check --quiet a.py", Fails),
    ("check --exit-zero a.py", Fails),
    ("check --allow-empty a.py", Fails),
    ("check --select unused-input a.py", Fails),
    ("check --fix a.py", Fails),
    ("check --fix --diff a.py", Fails),
    ("check --add-ignores a.py", Fails),
    ("check --format json a.py", Fails),
    ("check --format junit a.py", Fails),
    ("check --stdin-filename a.py -", Fails),
    ("check --fix --stdin-filename a.py -", Fails),
    ("check lost.inputs.json", Fails),
    ("fmt a.py", Fails),
    ("fmt --check a.py", Fails),
    ("fmt --diff sub/b.txt", Fails),
    ("fmt --check *.py", Fails),
    ("fmt --check sub", Fails),
    ("prompts a.py", Fails),
    ("prompts lost.inputs.json", Fails),
    ("stats a.py", Fails),
    ("graph a.py", Fails),
    ("resolve a.py", Fails),
    ("config --show a.py", Fails),
    ("preview a.adk.prompt", Fails),
    ("preview a.adk.prompt --html page.html", Fails),
    ("preview a.adk.prompt --serve --no-open", Fails),
    ("diff a.adk.prompt --case default --case b", Fails),
    ("diff --rev HEAD", Fails),
    ("stats", Fails),
    ("prompts", Fails),
    ("graph", Fails),
    ("convert a.adk.prompt --to agentle --diff", Fails),
    ("config", Fails),
    ("config --show a.adk.prompt", Fails),
    ("init --dry-run", Fails),
    ("init --yes", Fails),
    ("new --list", Fails),
    ("new translation English French --dialect adk", Fails),
    ("new translation English French --dialect adk -o n.adk.prompt", Fails),
    ("store list", Fails),
    ("store list s", Fails),
    ("store show s:a", Fails),
    ("store pull s:a", Fails),
    ("store push s:a", Fails),
    ("store diff s", Fails),
    ("store rm s:a --yes", Fails),
    ("engines", ReadsNone(ABOUT_ITSELF)),
    ("explain", ReadsNone(ABOUT_ITSELF)),
    ("explain unused-input", ReadsNone(ABOUT_ITSELF)),
    ("schema", ReadsNone(ABOUT_ITSELF)),
    ("schema config", ReadsNone(ABOUT_ITSELF)),
    ("lsp --help", ReadsNone("an editor shows the problem in the file")),
    ("completions bash", ReadsNone(ABOUT_ITSELF)),
    ("help", ReadsNone(ABOUT_ITSELF)),
    ("store help", ReadsNone(ABOUT_ITSELF)),
];

/// The commands in a help text.
fn listed(help: &[&str]) -> Vec<String> {
    let output = promptls(help).run();
    let commands = output.stdout.lines().skip_while(|line| *line != "Commands:").skip(1);
    let commands = commands.take_while(|line| !line.is_empty());
    let names = commands.filter(|line| !line.starts_with("   "));
    names.filter_map(|line| line.split_whitespace().next().map(str::to_owned)).collect()
}

#[test]
fn a_broken_config_is_exit_code_2_in_each_command() {
    for (help, prefix) in [(&["--help"][..], ""), (&["store", "--help"], "store ")] {
        for name in listed(help) {
            let is_listed = COMMANDS.iter().any(|(line, _)| {
                line.strip_prefix(prefix).is_some_and(|it| it.split(' ').next() == Some(&name))
            });
            assert!(is_listed, "{prefix}{name} is not in the table");
        }
    }
    let workspace = Workspace::new(&[
        ("promptls.toml", "[[prompts]\nfiles = ['*.txt']\n"),
        ("a.adk.prompt", "Hi {x}"),
        ("a.adk.inputs.json", "{\"x\": \"y\"}\n"),
        ("a.adk.b.inputs.json", "{\"x\": \"z\"}\n"),
        ("rows.jsonl", "{\"x\": 1}\n"),
        ("a.py", "P = 'Hi {x}'\n"),
        ("sub/b.txt", "Hi {x}"),
        ("lost.inputs.json", "{}\n"),
    ]);
    Repository::new(&workspace).commit_all();
    for (command, expected) in COMMANDS {
        let arguments: Vec<&str> = command.split(' ').collect();
        let output = promptls(&arguments).cwd(workspace.root()).run();
        let all = format!("{}{}", output.stdout, output.stderr);
        match expected {
            Fails => {
                assert_eq!(output.code, Some(2), "{command}: {all}");
                let has_place = all.contains("promptls.toml:1:11");
                let has_reason = all.contains("not valid TOML: unclosed array table");
                // These reports have the parts of a place in fields.
                let is_report = ["--format sarif", "--format json", "--format junit"]
                    .iter()
                    .any(|it| command.contains(it));
                let has_file = all.contains("\"promptls.toml\"");
                let has_place = has_place || is_report && has_file;
                assert!(has_reason && has_place, "{command}: {all}");
            }
            ReadsNone(reason) => assert_eq!(output.code, Some(0), "{command}: {reason}: {all}"),
        }
    }
    let none = ["known.json", "page.html", "n.adk.prompt", "a.agentle.prompt"];
    for file in none {
        let is_baseline = file == "known.json";
        assert_eq!(workspace.path(file).exists(), is_baseline, "{file}");
    }
}

/// Its earlier prompts were read without its rules.
#[test]
fn a_config_that_was_broken_at_an_old_revision_is_named() {
    let workspace = Workspace::new(&[
        ("promptls.toml", "[[prompts]\nfiles = ['*.txt']\n"),
        ("a.adk.prompt", "Hi"),
    ]);
    Repository::new(&workspace).commit_all();
    workspace.write("promptls.toml", "");
    let output = promptls(&["diff", "--rev", "HEAD"]).cwd(workspace.root()).run();
    assert_eq!(output.code, Some(2), "{}{}", output.stdout, output.stderr);
    let line = "promptls: promptls.toml:1:11: not valid TOML: unclosed array table, expected `]`, in \
                the last commit\n";
    assert!(output.stderr.contains(line), "{}", output.stderr);
}

#[test]
fn checked_and_unread_files_are_counted_in_each_format() {
    let workspace = Workspace::new(&[RULE, GOOD]);
    workspace.write("data/b.yaml", "p: 'Hi {x}\n");
    workspace.write("data/c.py", "p = 'Hi'\nq = '\n");
    workspace.write("latin.adk.prompt", b"caf\xe9");
    let run = |format: &str| {
        let output = promptls(&["check", "--format", format]).cwd(workspace.root()).run();
        assert_eq!(output.code, Some(2), "{format}");
        output
    };
    for format in ["human", "concise"] {
        let output = run(format);
        let summary = "2 prompts checked, 3 files not fully read: 3 errors\n";
        assert!(output.stderr.contains(summary), "{}", output.stderr);
    }
    let report: Value = serde_json::from_str(&run("json").stdout).expect("the report is JSON");
    assert_eq!(report["summary"]["prompts"], 2, "{report}");
    assert_eq!(report["summary"]["unread"], 3, "{report}");
    let report = run("junit").stdout;
    assert!(report.contains("failures=\"0\" errors=\"3\""), "{report}");
    assert_eq!(report.matches("<error ").count(), 3, "{report}");
}

#[test]
fn missing_files_are_not_reported_as_no_problems() {
    let workspace = Workspace::new(&[("a.adk.prompt", "Hi"), ("a.adk.inputs.json", "{}")]);
    let run = |format: &str| {
        let arguments = ["check", "--format", format, "a.adk.prompt", "gone.adk.prompt"];
        let output = promptls(&arguments).cwd(workspace.root()).run();
        assert_eq!(output.code, Some(2), "{format}: {}", output.stderr);
        output
    };
    let stderr = run("concise").stderr;
    assert!(stderr.starts_with("1 prompt checked, 1 file not fully read\n"), "{stderr}");
    let report: Value = serde_json::from_str(&run("json").stdout).expect("the report is JSON");
    assert_eq!(report["summary"]["unread"], 1, "{report}");
}

/// A shell or a hook passes all kinds of files, so those without prompts are listed. That is a
/// failure only if there are no others.
#[test]
fn a_named_file_without_prompts_is_named_by_each_command() {
    let workspace = Workspace::new(&[
        ("promptls.toml", "[[prompts]]\nfiles = ['r.py']\nstrings = ['P']\ndialect = 'adk'\n"),
        ("good.adk.prompt", "Hi"),
        ("a.py", "print('{x}')\n"),
        ("r.py", "Q = 1\n"),
        ("t.txt", "{x}"),
        ("d.json", "{}"),
        ("gone.adk.inputs.json", "{}\n"),
        ("foreign.prompt", "---\nmodel: m\n---\nHi {x}"),
        ("jinja.prompt", "{% for x in xs %}{{ x }}{% endfor %}"),
    ]);
    let run = |command: &str, files: &[&str]| {
        let arguments: Vec<&str> = command.split(' ').chain(files.iter().copied()).collect();
        promptls(&arguments).cwd(workspace.root()).run()
    };
    for command in ["check", "check --list", "prompts", "stats", "graph", "fmt --check"] {
        for file in ["a.py", "r.py", "t.txt", "d.json", "gone.adk.inputs.json", "foreign.prompt"] {
            let beside = run(command, &["good.adk.prompt", file]);
            let all = format!("{}{}", beside.stdout, beside.stderr);
            assert_eq!(beside.code, Some(0), "{command} {file}: {all}");
            let formats_it = command.starts_with("fmt") && file == "gone.adk.inputs.json";
            assert!(formats_it || all.contains(file), "{command} {file}: {all}");
        }
    }
    for command in ["prompts", "stats", "graph"] {
        let output = run(command, &["good.adk.prompt", "a.py", "r.py", "t.txt", "d.json"]);
        let line = "promptls: a.py, r.py, t.txt and 1 more have no prompts\n";
        assert!(output.stderr.contains(line), "{command}: {}", output.stderr);
        assert_eq!(run(command, &["a.py", "r.py"]).code, Some(2), "{command}");
        // Files of other tools are no prompts, named or found.
        assert_eq!(run(command, &["foreign.prompt"]).code, Some(2), "{command}");
        for file in ["foreign.prompt", "jinja.prompt"] {
            let found = run(command, &["."]).stdout;
            assert!(
                found.contains("good.adk.prompt") && !found.contains(file),
                "{command}: {found}"
            );
        }
    }
}

#[test]
fn a_file_that_does_not_parse_is_not_formatted_and_named() {
    let workspace = Workspace::new(&[
        ("a.adk.prompt", "Hi {x}"),
        ("a.adk.inputs.json", "{\"x\":"),
        ("a.adk.variables.json", "\u{feff}{\"variables\": [,]}"),
        ("p.pack.json", "{\"prompts\": {\n  \"a\" 1}}"),
        ("sub/promptls.toml", "a = \n"),
        ("sub/b.adk.prompt", "Hi"),
        ("foreign.prompt", "---\nmodel: m\n---\nHi {x}"),
    ]);
    workspace.write("latin.adk.prompt", b"a\nb\xe9");
    for arguments in [&["fmt"][..], &["fmt", "--check"], &["fmt", "--diff"], &["fmt", "."]] {
        let output = promptls(arguments).cwd(workspace.root()).run();
        assert_eq!(output.code, Some(2), "{arguments:?}: {}{}", output.stdout, output.stderr);
        for line in [
            "a.adk.inputs.json:1:6: expected a value after the colon",
            "a.adk.variables.json:1:17: ",
            "latin.adk.prompt:2:2: this file is not UTF-8",
            "p.pack.json:2:7: expected a colon",
            "sub/promptls.toml:1:5: not valid TOML: ",
            "foreign.prompt is skipped",
        ] {
            let count = output.stderr.matches(&format!("promptls: {line}")).count();
            assert_eq!(count, 1, "{arguments:?} {line}: {}", output.stderr);
        }
    }
    // The file name of a text from standard input is unknown.
    let output = promptls(&["fmt", "-"]).cwd(workspace.root()).stdin("Hi { x }").run();
    assert_eq!(output.code, Some(2), "{}", output.stderr);
    assert!(output.stderr.contains("- cannot be read"), "{}", output.stderr);
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
        ("A.PY", "print('{x}')\n"),
        ("a.rb", "puts '{x}'\n"),
        ("a.rs", "fn main() {}\n"),
        ("a.CS", "class A {}\n"),
        ("a.groovy", "def a = '{x}'\n"),
        ("a.sh", "echo '{x}'\n"),
        ("a.sql", "SELECT '{x}'\n"),
        ("a.vue", "<template>{{x}}</template>\n"),
        ("a.css", "a { color: red }\n"),
        ("a.ipynb", "{\"cells\": []}"),
        ("a.jsonl", "{\"a\": \"{x}\"}\n"),
        ("a.csv", "a\n{x}\n"),
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

/// Kinds of files whose strings are not read, and a text that may be theirs.
const UNSUPPORTED: &[&str] = &[
    "rb", "cs", "rs", "ipynb", "jsonl", "json5", "mdx", "pyw", "groovy", "csv", "sql", "sh", "RB",
];

#[test]
fn a_rule_for_strings_in_an_unsupported_file_type_is_an_error() {
    for ending in UNSUPPORTED {
        is_unread(&format!("data/a.{ending}"), "p = 'Hi {x}'\n", "a rule with `strings`");
    }
    // A glob for a whole folder does not mean texts and pictures, but one with the extension does.
    let files = [GOOD, ("data/a.txt", "p"), ("data/a.css", "p"), ("data/LICENSE", "p")];
    let rule =
        |globs: &str| format!("[[prompts]]\nfiles = [{globs}]\nstrings = ['p']\ndialect = 'adk'\n");
    let workspace = Workspace::new(&files);
    for (globs, code) in
        [("'data/**'", 0), ("'data/**', 'data/*.txt'", 2), ("'data/*.{yaml,css}'", 0)]
    {
        workspace.write("promptls.toml", rule(globs));
        let output = check(&workspace);
        assert_eq!(output.code, Some(code), "{globs}: {}{}", output.stdout, output.stderr);
    }
    // An empty list and a severity are ways out.
    workspace.write("data/a.rb", "p");
    for config in [
        format!("[[prompts]]\nfiles = ['**/*.rb']\nstrings = []\n{}", rule("'data/**'")),
        format!("{}problems = {{ unreadable-file = 'off' }}\n", rule("'data/**'")),
    ] {
        workspace.write("promptls.toml", &config);
        let output = check(&workspace);
        assert_eq!(output.code, Some(0), "{config}: {}{}", output.stdout, output.stderr);
    }
    // A rule for files without any strings is one that matches nothing.
    workspace.write("promptls.toml", format!("{}{}", rule("'data/*.yaml'"), rule("'data/LIC*'")));
    let output = check(&workspace);
    assert!(output.stdout.contains("matches no file of code or data"), "{}", output.stdout);
}

#[test]
fn a_rule_for_strings_skips_files_that_are_prompts() {
    let workspace = Workspace::new(&[
        ("z.agentle.prompt", "{{#if x}}"),
        ("texts/z.txt", "{{#if x}}"),
        ("z.py", "N = 'Hi'\n"),
        (
            "promptls.toml",
            "[[prompts]]\nfiles = ['**/z*']\nstrings = ['N']\ndialect = 'adk'\n\
             [[prompts]]\nfiles = ['texts/*.txt']\ndialect = 'agentle'\n",
        ),
    ]);
    let output = check(&workspace);
    assert_eq!(output.code, Some(1), "{}{}", output.stdout, output.stderr);
    for file in ["z.agentle.prompt:1:1", "texts/z.txt:1:1"] {
        assert!(output.stdout.contains(file), "{file}: {}", output.stdout);
    }
    assert!(output.stderr.contains("3 prompts checked"), "{}", output.stderr);
}

#[cfg(unix)]
mod on_unix {
    use std::os::unix::fs::symlink;

    use rustix::fs::{CWD, FileType, Mode, mknodat};

    use super::*;

    #[test]
    fn a_prompt_whose_name_is_not_utf_8_is_checked() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt;

        let workspace = Workspace::new(&[]);
        let name = OsStr::from_bytes(b"a\xff.agentle.prompt");
        fs::write(workspace.root().join(name), "{{#if x}}").expect("the disk takes it");
        let output = check(&workspace);
        assert_eq!(output.code, Some(1), "{}{}", output.stdout, output.stderr);
        assert!(output.stdout.contains("[unclosed-block]"), "{}", output.stdout);
        assert!(output.stderr.contains("1 prompt checked"), "{}", output.stderr);
    }

    #[test]
    fn pipes_devices_and_broken_links_do_not_block() {
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

    #[test]
    fn a_rule_that_matches_only_links_is_a_warning() {
        let rule =
            "[[prompts]]\nfiles = ['made.yaml', 'made.txt']\nstrings = ['p']\ndialect = 'adk'\n";
        let files =
            [("promptls.toml", rule), ("ok.adk.prompt", "Hi\n"), ("real.yml", "p: 'Hi {x\n")];
        let workspace = Workspace::new(&files);
        let link = |to: &str, name: &str| symlink(to, workspace.path(name)).expect("a link");
        link("real.yml", "made.yaml");
        let output = check(&workspace);
        let warning =
            "promptls.toml:2:9: warning [unused-rule] this rule matches only symbolic links";
        assert!(output.stdout.contains(warning), "{}{}", output.stdout, output.stderr);
        // With a file, it is used; a link that the command line names is followed.
        workspace.write("made.txt", "p");
        assert!(!check(&workspace).stdout.contains("unused-rule"));
        let named = promptls(&["check", "--format", "concise", "made.yaml"]).cwd(workspace.root());
        let output = named.run();
        assert_eq!(output.code, Some(2), "{}{}", output.stdout, output.stderr);
    }

    /// Replaces a file by something unreadable.
    type Unreadable = (fn(&std::path::Path), &'static str);

    const UNREADABLE: &[Unreadable] = &[
        (
            |path| {
                let mode = Mode::RUSR | Mode::WUSR;
                mknodat(CWD, path, FileType::Fifo, mode, 0).expect("a pipe");
            },
            "it is a pipe",
        ),
        (|path| symlink(path.file_name().expect("a name"), path).expect("a link"), "symbolic link"),
        (|path| symlink("/etc/hostname", path).expect("a link"), "leads outside of"),
        (|path| fs::create_dir(path).expect("a folder"), "it is a folder"),
    ];

    #[test]
    fn a_sidecar_or_config_that_cannot_be_read_is_exit_code_2_in_each_command() {
        for (make, reason) in UNREADABLE {
            for name in [
                "a.adk.inputs.json",
                "a.adk.b.inputs.json",
                "a.adk.variables.json",
                "promptls.toml",
            ] {
                let workspace = Workspace::new(&[("a.adk.prompt", "Hi {x?}\n")]);
                fs::create_dir(workspace.path(".git")).expect("a folder");
                make(&workspace.path(name));
                for command in [
                    "check",
                    "check --format concise a.adk.prompt",
                    "resolve a.adk.prompt",
                    "resolve --all-cases a.adk.prompt",
                    "convert a.adk.prompt --to agentle",
                    "fmt",
                    "fmt --check a.adk.prompt",
                    "vars a.adk.prompt",
                    "vars --format pydantic a.adk.prompt",
                ] {
                    if command.starts_with("vars") && name.ends_with(".inputs.json") {
                        // It prints no values.
                        continue;
                    }
                    let arguments: Vec<&str> = command.split(' ').collect();
                    let output = promptls(&arguments).cwd(workspace.root()).run();
                    let all = format!("{}{}", output.stdout, output.stderr);
                    // For a sidecar, `check` reports an error like any other.
                    let is_problem = command.starts_with("check") && name != "promptls.toml";
                    let code = if is_problem { 1 } else { 2 };
                    assert_eq!(output.code, Some(code), "{reason} {name} {command}: {all}");
                    let has_both = all.contains(name) && all.contains(reason);
                    assert!(has_both, "{reason} {name} {command}: {all}");
                }
                assert!(!workspace.path("a.agentle.prompt").exists(), "{reason} {name}");
            }
        }
    }
}
