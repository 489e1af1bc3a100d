//! Reading from disk, and its restrictions.

use expect_test::{Expect, expect};
use promptls_tests::{Output, Promptls, Workspace, promptls};

const PROMPT: (&str, &str) = ("project/p.adk.prompt", "{a}");

/// A file that no project may read.
const SECRET: (&str, &str) = ("secret.json", "root:x:0:0\n");

fn shown(workspace: &Workspace, output: &Output) -> String {
    let Output { code, stdout, stderr } = output;
    let code = code.expect("it ended by itself");
    let shown = format!("{stdout}--- {code}\n{stderr}");
    shown.replace(&workspace.root().display().to_string(), "FOLDER")
}

fn check_project(workspace: &Workspace) -> Promptls {
    promptls(&["check", "--format", "concise"]).cwd(workspace.path("project"))
}

/// The output of `check` for a project in which one more file is not what it seems.
#[track_caller]
fn check(files: &[(&str, &str)], odd: impl FnOnce(&Workspace), expected: Expect) {
    let workspace = Workspace::new(files);
    odd(&workspace);
    let output = check_project(&workspace).run();
    let all = shown(&workspace, &output);
    assert!(!all.contains("root:x"), "{all}");
    // Nor do the lines of human-readable output.
    let lines = promptls(&["check"]).cwd(workspace.path("project")).run().stdout;
    assert!(!lines.contains("root:x"), "{lines}");
    expected.assert_eq(&all);
}

#[cfg(unix)]
mod odd_files {
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;
    use std::thread;

    use rustix::fs::{CWD, FileType, Mode, OFlags, mknodat, open};

    use super::*;

    fn pipe(workspace: &Workspace, path: &str) {
        let mode = Mode::RUSR | Mode::WUSR;
        mknodat(CWD, workspace.path(path), FileType::Fifo, mode, 0).expect("a pipe can be made");
    }

    fn link(workspace: &Workspace, target: &str, path: &str) {
        symlink(target, workspace.path(path)).expect("a link can be made");
    }

    #[test]
    fn a_named_pipe_instead_of_a_file_is_reported_and_does_not_block() {
        let check_pipe = |files: &[(&str, &str)], path: &str, expected| {
            check(&[&[PROMPT], files].concat(), |workspace| pipe(workspace, path), expected);
        };
        check_pipe(
            &[],
            "project/p.adk.inputs.json",
            expect![[r#"
                p.adk.prompt:1:1: error [invalid-inputs] `p.adk.inputs.json` cannot be read: it is a pipe, and only regular files are read
                --- 1
                1 prompt checked: 1 error
            "#]],
        );
        check_pipe(
            &[],
            "project/p.adk.variables.json",
            expect![[r#"
                p.adk.prompt:1:1: error [invalid-inputs] `p.adk.variables.json` cannot be read: it is a pipe, and only regular files are read
                p.adk.prompt:1:2: error [undefined-placeholder] `a` has no value
                --- 1
                1 prompt checked: 2 errors
            "#]],
        );
        check_pipe(
            &[("project/p.adk.inputs.json", r#"{"a": {"$file": "a.txt"}}"#)],
            "project/a.txt",
            expect![[r#"
                p.adk.inputs.json:1:7: error [invalid-inputs] `a.txt` cannot be read: it is a pipe, and only regular files are read
                --- 1
                1 prompt checked: 1 error
            "#]],
        );
        check_pipe(
            &[],
            "project/promptls.toml",
            expect![[r#"
                p.adk.prompt:1:1: info [no-inputs] no inputs file: names are not checked
                promptls.toml:1:1: error [invalid-config] `promptls.toml` cannot be read: it is a pipe, and only regular files are read
                --- 2
                1 prompt checked, 1 file not fully read: 1 error, 1 info
            "#]],
        );
        check_pipe(
            &[("project/p.adk.inputs.json", r#"{"a": 1}"#)],
            "project/q.prompt",
            expect![[r#"
                --- 2
                1 prompt checked, 1 file not fully read
                promptls: cannot read FOLDER/project/q.prompt: it is a pipe, and only regular files are read
            "#]],
        );
        check_pipe(
            &[("project/p.adk.inputs.json", r#"{"a": 1}"#), ("project/sub/q.adk.prompt", "{b}")],
            "project/sub/.gitignore",
            expect![[r#"
                --- 2
                1 prompt checked, 1 file not fully read
                promptls: cannot read FOLDER/project/sub/.gitignore: it is a pipe, and only regular files are read; the files next to it and below it are skipped
            "#]],
        );
    }

    /// In a string of code as in a prompt file.
    #[test]
    fn a_named_pipe_of_another_case_does_not_block_resolving() {
        let host = "from google.adk.agents import Agent\nAgent(name='b', instruction='{a}')\n";
        let workspace = Workspace::new(&[
            ("p.adk.prompt", "{a}"),
            ("p.adk.inputs.json", r#"{"a": "x"}"#),
            ("b.py", host),
            ("b.b.inputs.json", r#"{"a": "x"}"#),
        ]);
        for (prompt, name) in [("p.adk.prompt", "p.adk"), ("b.py#b", "b.b")] {
            pipe(&workspace, &format!("{name}.odd.inputs.json"));
            let resolve = |arguments: &[&str]| {
                let command = promptls(&[&["resolve", prompt], arguments].concat());
                command.cwd(workspace.path("")).run()
            };
            assert_eq!(resolve(&[]).stdout, "x", "{prompt}");
            let output = resolve(&["--case", "odd"]);
            assert_eq!(
                (&*output.stdout, output.code),
                ("", Some(2)),
                "{prompt}: {}",
                output.stderr
            );
        }
    }

    #[test]
    fn neither_devices_nor_sockets_are_opened() {
        let project = [PROMPT, ("project/promptls.toml", ""), ("project/.git/HEAD", "")];
        let workspace = Workspace::new(&project);
        let path = workspace.path("project/p.adk.inputs.json");
        let _listening = UnixListener::bind(path).expect("a socket can be made");
        link(&workspace, "/dev/zero", "project/p.adk.zero.inputs.json");
        let output = check_project(&workspace).env("PROMPTLS_ALLOW_READ", "/dev").run();
        expect![[r#"
            p.adk.prompt:1:1: error [invalid-inputs] `p.adk.inputs.json` cannot be read: it is a socket, and only regular files are read
            p.adk.prompt:1:1: error [invalid-inputs] `p.adk.zero.inputs.json` cannot be read: it is a device, and only regular files are read
            --- 1
            1 prompt checked: 2 errors
        "#]]
        .assert_eq(&shown(&workspace, &output));
    }

    #[test]
    fn a_pipe_named_on_the_command_line_is_read() {
        let workspace = Workspace::new(&[PROMPT]);
        let run = |arguments: &[&str], stdin: &str| {
            let output = promptls(arguments).cwd(workspace.path("project")).stdin(stdin).run();
            shown(&workspace, &output)
        };
        let inputs = ["resolve", "p.adk.prompt", "--inputs", "/dev/stdin"];
        assert_eq!(run(&inputs, r#"{"a": "Ada"}"#), "Ada--- 0\n");
        let prompt = ["resolve", "/dev/stdin", "--dialect", "adk"];
        assert!(run(&prompt, "Dear Ada").starts_with("Dear Ada--- 0\n"));
        // Like `<(...)` of a shell.
        pipe(&workspace, "project/values");
        let path = workspace.path("project/values");
        let writing = thread::spawn(move || std::fs::write(path, r#"{"a": "Bob"}"#));
        assert_eq!(run(&["resolve", "p.adk.prompt", "--inputs", "values"], ""), "Bob--- 0\n");
        writing.join().expect("no thread panicked").expect("it is read");
    }

    /// Each command that takes files reads it once, and nothing waits for a second text.
    #[test]
    fn every_command_accepts_a_pipe_as_a_prompt() {
        let workspace = Workspace::new(&[("project/p.adk.inputs.json", r#"{"b": "Bob"}"#)]);
        pipe(&workspace, "project/p.adk.prompt");
        let all: String = [
            &["check", "--format", "concise"][..],
            &["check", "--fix", "--diff"],
            &["check", "--list"],
            &["resolve"],
            &["vars"],
            &["stats", "--format", "csv"],
            &["prompts"],
            &["graph", "--format", "json"],
            &["convert", "--to", "agentle", "--diff"],
        ]
        .iter()
        .map(|command| {
            let path = workspace.path("project/p.adk.prompt");
            let writing = thread::spawn(move || std::fs::write(path, "Dear {a}"));
            let words = [command, &["p.adk.prompt"][..]].concat();
            let output = promptls(&words).cwd(workspace.path("project")).run();
            // A command that did not open the pipe fails the test instead of leaving it waiting.
            let flags = OFlags::RDONLY | OFlags::NONBLOCK;
            drop(open(workspace.path("project/p.adk.prompt"), flags, Mode::empty()));
            writing.join().expect("no thread panicked").expect("it is read");
            format!("$ {}\n{}\n", command.join(" "), shown(&workspace, &output).trim_end())
        })
        .collect();
        expect![[r#"
            $ check --format concise
            p.adk.inputs.json:1:2: warning [unused-input] `b` is never read by p.adk.prompt
            p.adk.prompt:1:7: error [undefined-placeholder] `a` has no value
            --- 1
            1 prompt checked: 1 error, 1 warning
            $ check --fix --diff
            --- 0
            0 files would change
            1 problem more with --fix-unsafe
            $ check --list
            p.adk.prompt  adk  its name  default
            --- 0
            1 prompt
            $ resolve
            --- 1
            Context variable not found: a
            $ vars
            a  required  -  p.adk.prompt:1:7
            --- 0
            $ stats --format csv
            file,prompt,case,encoding,part,placeholder,count,characters,tokens
            p.adk.prompt,,default,o200k_base,total,,,8,4
            p.adk.prompt,,default,o200k_base,literal,,,5,1
            p.adk.prompt,,default,o200k_base,prefix,,,,1
            p.adk.prompt,,default,o200k_base,placeholder,a,1,3,3
            --- 0
            $ prompts
            p.adk.prompt  adk  its name
            --- 0
            $ graph --format json
            {"version":1,"nodes":[{"kind":"prompt","file":"p.adk.prompt"},{"kind":"inputs","file":"p.adk.inputs.json"}],"edges":[{"from":0,"to":1,"case":"default"}]}
            --- 0
            $ convert --to agentle --diff
            --- a/p.adk.prompt
            +++ b/p.agentle.prompt
            @@ -0,0 +1 @@
            +Dear {{a}}
            \ No newline at end of file
            --- 1
            promptls: p.adk.prompt: in case `default`, a different text would be sent
              before: the engine fails: Context variable not found: a
              then: a text
            promptls: nothing is written; --force writes it anyway
        "#]].assert_eq(&all);
        for option in ["--fix", "--fix-unsafe", "--watch"] {
            let output =
                promptls(&["check", "p.adk.prompt", option]).cwd(workspace.path("project")).run();
            assert_eq!(output.code, Some(2), "{option}");
            assert!(output.stderr.contains("p.adk.prompt is not a regular file"), "{option}");
        }
    }

    #[test]
    fn links_out_of_the_project_are_not_followed() {
        let check_link = |target: &str, path: &str, files: &[(&str, &str)], expected| {
            let start = [PROMPT, SECRET, ("project/.git/HEAD", ""), ("project/in.json", "{}")];
            check(&[&start, files].concat(), |it| link(it, target, path), expected);
        };
        check_link(
            "../secret.json",
            "project/p.adk.inputs.json",
            &[],
            expect![[r#"
                p.adk.inputs.json:1:1: error [invalid-inputs] this file is not read: it leads outside of the repository; allow a folder with `--allow-read` or PROMPTLS_ALLOW_READ
                --- 1
                1 prompt checked: 1 error
            "#]],
        );
        check_link(
            "in.json",
            "project/p.adk.inputs.json",
            &[],
            expect![[r#"
                p.adk.prompt:1:2: error [undefined-placeholder] `a` has no value
                --- 1
                1 prompt checked: 1 error
            "#]],
        );
        check_link(
            "../secret.json",
            "project/promptls.toml",
            &[("project/p.adk.inputs.json", r#"{"a": 1}"#)],
            expect![[r#"
                promptls.toml:1:1: error [invalid-config] `promptls.toml` is not read: it leads outside of the repository; allow a folder with `--allow-read` or PROMPTLS_ALLOW_READ
                --- 2
                1 prompt checked, 1 file not fully read: 1 error
            "#]],
        );
        // Nor does it reveal the contents.
        check_link(
            "..",
            "project/up",
            &[(
                "project/promptls.toml",
                "[[prompts]]\nfiles = ['*.prompt']\ninputs = ['up/*.json']\n",
            )],
            expect![[r#"
                p.adk.prompt:1:1: info [no-inputs] no inputs file: names are not checked
                promptls.toml:3:12: error [invalid-config] `up/*.json` is not read: it leads outside of the repository; allow a folder with `--allow-read` or PROMPTLS_ALLOW_READ
                --- 2
                1 prompt checked, 1 file not fully read: 1 error, 1 info
            "#]],
        );
        check_link(
            "../../secret.json",
            "project/sub/secret.json",
            &[
                ("project/sub/empty", ""),
                (
                    "project/promptls.toml",
                    "[[prompts]]\nfiles = ['*.prompt']\ninputs = ['**/secret.json']\n",
                ),
            ],
            expect![[r#"
                sub/secret.json:1:1: error [unreadable-file] this file is not read: it leads outside of the repository; allow a folder with `--allow-read` or PROMPTLS_ALLOW_READ
                --- 2
                1 prompt checked, 1 file not fully read: 1 error
            "#]],
        );
    }

    #[test]
    fn a_prompt_that_is_a_link_is_not_found_through_its_inputs() {
        let workspace = Workspace::new(&[SECRET, ("project/p.adk.inputs.json", "{}")]);
        link(&workspace, "../secret.json", "project/p.adk.prompt");
        let check = promptls(&["check", "p.adk.inputs.json"]).cwd(workspace.path("project"));
        expect![[r#"
            --- 0
            promptls: p.adk.inputs.json is skipped, because it is not a prompt; use --as-prompts to read it
        "#]]
        .assert_eq(&shown(&workspace, &check.run()));
    }
}

#[test]
fn a_config_names_nothing_outside_of_the_project() {
    let check_rule = |more: &str, files: &[(&str, &str)], expected| {
        let config = format!("[[prompts]]\nfiles = ['*.prompt']\n{more}\n");
        let start = [PROMPT, SECRET, ("project/promptls.toml", &*config)];
        check(&[&start, files].concat(), |_| (), expected);
    };
    check_rule(
        "inputs = ['../secret.json']",
        &[],
        expect![[r#"
            p.adk.prompt:1:1: info [no-inputs] no inputs file: names are not checked
            promptls.toml:3:12: error [invalid-config] `../secret.json` is not read: it leads outside of the folder of the outermost promptls.toml; allow a folder with `--allow-read` or PROMPTLS_ALLOW_READ
            --- 2
            1 prompt checked, 1 file not fully read: 1 error, 1 info
        "#]],
    );
    check_rule(
        "inputs = ['../*.json', '../none.json', '/etc/passwd', '/etc/*.conf']\nvariables = '../secret.json'",
        &[("project/.git/HEAD", "")],
        expect![[r#"
            p.adk.prompt:1:1: info [no-inputs] no inputs file: names are not checked
            promptls.toml:3:12: error [invalid-config] `../*.json` is not read: it leads outside of the repository; allow a folder with `--allow-read` or PROMPTLS_ALLOW_READ
            promptls.toml:3:25: error [invalid-config] `../none.json` is not read: it leads outside of the repository; allow a folder with `--allow-read` or PROMPTLS_ALLOW_READ
            promptls.toml:3:41: error [invalid-config] `/etc/passwd` is not read: it leads outside of the repository; allow a folder with `--allow-read` or PROMPTLS_ALLOW_READ
            promptls.toml:3:56: error [invalid-config] `/etc/*.conf` is not read: it leads outside of the repository; allow a folder with `--allow-read` or PROMPTLS_ALLOW_READ
            promptls.toml:4:14: error [invalid-config] `../secret.json` is not read: it leads outside of the repository; allow a folder with `--allow-read` or PROMPTLS_ALLOW_READ
            --- 2
            1 prompt checked, 1 file not fully read: 5 errors, 1 info
        "#]],
    );
    // Files in the repository, or below an outer config, are inside, also with a glob.
    let shared = ("shared/in.json", r#"{"a": 1}"#);
    for outer in [".git/HEAD", "promptls.toml"] {
        check_rule(
            "inputs = ['../shared/*.json']",
            &[shared, (outer, "")],
            expect![[r#"
                --- 0
                1 prompt checked: no problems
            "#]],
        );
    }
}

#[test]
fn more_folders_are_allowed_only_by_the_command_line_or_environment() {
    let config = "[[prompts]]\nfiles = ['*.prompt']\ninputs = ['../shared/in.json']\n";
    let files = [PROMPT, ("project/promptls.toml", config), ("shared/in.json", r#"{"a": 1}"#)];
    let workspace = Workspace::new(&files);
    let shared = workspace.path("shared").display().to_string();
    let code = |arguments: &[&str], variable: &str| {
        let run = promptls(arguments).cwd(workspace.path("project"));
        run.env("PROMPTLS_ALLOW_READ", variable).run().code
    };
    assert_eq!(code(&["check"], ""), Some(2));
    assert_eq!(code(&["check"], "/none"), Some(2));
    assert_eq!(code(&["check"], &format!("/none:{shared}")), Some(0));
    assert_eq!(code(&["check", "--allow-read", "../shared"], ""), Some(0));
    assert_eq!(code(&["--allow-read", "../shared", "resolve", "p.adk.prompt"], ""), Some(0));
    assert_eq!(code(&["check", "--allow-read", "../shared/in"], ""), Some(2));

    // Without its inputs, the text would differ.
    let output = promptls(&["resolve", "p.adk.prompt"]).cwd(workspace.path("project")).run();
    expect![[r#"
        --- 2
        promptls: promptls.toml:3:12: `../shared/in.json` is not read: it leads outside of the folder of the outermost promptls.toml; allow a folder with `--allow-read` or PROMPTLS_ALLOW_READ
    "#]]
    .assert_eq(&shown(&workspace, &output));
}

#[test]
fn files_above_the_size_limit_are_not_read() {
    let workspace = Workspace::new(&[PROMPT, ("project/p.adk.inputs.json", r#"{"a": "Ada"}"#)]);
    let check = check_project(&workspace).env("PROMPTLS_MAX_FILE_SIZE", "10").run();
    expect![[r#"
        p.adk.inputs.json:1:1: error [invalid-inputs] this file cannot be read: it is larger than 10 bytes, the maximum (`--max-file-size`)
        --- 1
        1 prompt checked: 1 error
    "#]]
    .assert_eq(&shown(&workspace, &check));
    let stdin = promptls(&["resolve", "-", "--dialect", "adk", "--max-file-size", "3"]);
    let output = stdin.cwd(workspace.root()).stdin("Dear").run();
    expect![[r#"
        --- 2
        promptls: cannot read <stdin>: it is larger than 3 bytes, the maximum (`--max-file-size`)
    "#]]
    .assert_eq(&shown(&workspace, &output));
}

/// A file that is named and cannot be read may have prompts.
#[test]
fn a_named_file_that_cannot_be_read_is_an_error() {
    let workspace = Workspace::new(&[
        PROMPT,
        ("project/p.adk.inputs.json", r#"{"a": 1}"#),
        ("project/b.json", "{\"a\":\n "),
        ("project/b.yaml", "a: [b"),
        ("project/b.toml", "a = "),
        ("project/b.md", "---\na: [\n---\n"),
    ]);
    workspace.write("project/l.py", b"x = '\xe9'\n");
    workspace.write("project/l.txt", b"\xe9\n");
    workspace.write("project/l.png", b"\xe9\n");
    let named = ["p.adk.prompt", "b.json", "b.yaml", "b.toml", "b.md", "l.py", "l.txt", "l.png"];
    let arguments = [&["check", "--format", "concise"][..], &named].concat();
    let output = promptls(&arguments).cwd(workspace.path("project")).run();
    expect![[r#"
        l.py:1:6: error [unreadable-file] this file is not UTF-8: the byte 0xe9 at offset 5 is not part of a character; save it as UTF-8
        l.txt:1:1: error [unreadable-file] this file is not UTF-8: the byte 0xe9 at offset 0 is not part of a character; save it as UTF-8
        --- 2
        1 prompt checked, 5 files not fully read: 2 errors
        promptls: b.json cannot be read at 2:2: expected a value after the colon
        promptls: b.toml cannot be read at 1:5: string values must be quoted, expected literal string
        promptls: b.yaml cannot be read at 1:6: expected a comma or `]`
        promptls: b.md, l.png are skipped, because they are not prompts; use --as-prompts to read them
    "#]].assert_eq(&shown(&workspace, &output));
    for command in ["prompts", "stats", "graph"] {
        for file in ["b.json", "l.py"] {
            let run = promptls(&[command, "p.adk.prompt", file]).cwd(workspace.path("project"));
            let output = run.run();
            assert_eq!(output.code, Some(2), "{command} {file}: {}", output.stderr);
            assert!(output.stderr.contains(file), "{command} {file}: {}", output.stderr);
        }
    }
}

#[test]
fn stats_with_unreadable_values_fail() {
    let workspace = Workspace::new(&[
        PROMPT,
        ("project/p.adk.inputs.json", r#"{"a": {"$file": "gone.txt"}}"#),
        ("project/q.adk.prompt", "{q}"),
        ("project/q.adk.variables.json", "{"),
    ]);
    let stats = promptls(&["stats", "--format", "csv"]).cwd(workspace.path("project")).run();
    assert_eq!(stats.code, Some(2));
    expect![[r#"
        promptls: p.adk.inputs.json:1:7: `gone.txt` cannot be read: there is no such file
        promptls: q.adk.variables.json:1:1: `{` is never closed; add `}`
    "#]]
    .assert_eq(&stats.stderr);
}
