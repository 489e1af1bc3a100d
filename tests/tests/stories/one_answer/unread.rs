//! A named file that cannot be read is the same error in every command and editor.

use std::collections::BTreeMap;

use promptls_tests::{Client, Editor, Workspace, promptls};
use serde_json::{Value, json};

use super::ways::{list, path_in};

const CONFIG: &str = "[[prompts]]\nfiles = ['data/*']\nstrings = ['p']\ndialect = 'adk'\n\
    [[prompts]]\nfiles = ['code/*']\nstrings = ['P']\ndialect = 'adk'\n";

/// Readable files, so that something is checked.
const GOOD: [(&str, &str); 4] = [
    ("data/ok.yaml", "p: 'Hi {x}'\n"),
    ("data/ok.inputs.json", r#"{"x": "a"}"#),
    ("code/ok.py", "P = 'Hi'\n"),
    ("fine.adk.prompt", "Hi"),
];

/// Each with the line and column of the place, from 1, and the start of the reason.
const UNREAD: &[(&str, &[u8], &str, &str)] = &[
    ("data/tab.yaml", b"a:\n\tp: 'Hi {x}'\n", "2:2", "a tab cannot indent"),
    ("data/quote.yaml", b"p: 'Hi {x}\n", "1:4", "this file ends inside a quoted text"),
    ("data/second.yaml", b"p: 'Hi {x}'\n---\np: [\n", "4:1", "expected node content"),
    ("data/comma.json", br#"{"a": 1 "p": "Hi {x}"}"#, "1:8", "expected a comma"),
    ("data/half.json", br#"{"p": "Hi \ud83d {x}"}"#, "1:11", "this escape is half"),
    ("data/open.toml", b"a = 1\np = \"Hi {x}\n", "2:12", "invalid basic string, expected"),
    ("data/latin.yaml", b"a: 1\np: caf\xe9 {x}\n", "2:7", "is not UTF-8"),
    ("data/utf16.json", b"\xff\xfe{\0}\0", "1:1", "is not UTF-8"),
    ("code/open.py", b"a = 1\nP = '''Hi {x}\n", "2:5", "this string or comment is never closed"),
    ("code/line.py", b"P = 'Hi {x}\n", "1:5", "this string is not closed"),
    ("code/field.py", b"a = 1\nP = f\"Hi {x\"\n", "2:5", "this string is not closed"),
    ("code/field.kt", b"val P = \"Hi ${x\"\n", "1:9", "this string is not closed"),
    (
        "code/block.py",
        b"P = f'''Hi {x'''\n",
        "1:5",
        "this string has an invalid interpolation, so its prompt is not read",
    ),
    (
        "code/json.py",
        b"a = 1\nP = f'{\"a\": {\"b\": 1}} {x}'\n",
        "2:5",
        "Python reads this JSON as a format specification and raises an error",
    ),
    (
        "code/deep.go",
        b"package a\nconst P = \
          (((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((\"Hi {x}\"\
          )))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))\n",
        "2:76",
        "this expression is nested more than 64 levels deep",
    ),
    ("code/open.ts", b"export const P = `Hi {x}\n", "1:18", "this string or comment"),
    ("code/open.go", b"package a\nconst P = `Hi {x}\n", "2:11", "this string or comment"),
    ("code/latin.java", b"class A { String P = \"caf\xe9\"; }", "1:26", "is not UTF-8"),
    (
        "agent.py",
        b"from google.adk.agents import Agent\nAgent(instruction='''Hi {x}\n",
        "2:19",
        "this string or comment",
    ),
    (
        "escape.py",
        b"from google.adk.agents import Agent\nAgent(instruction='\\ud83d {x}')\n",
        "2:19",
        "this string has an invalid escape",
    ),
    (
        "latin.py",
        b"from google.adk.agents import Agent\nAgent(instruction='caf\xe9')\n",
        "2:23",
        "is not",
    ),
    (
        "bom.yaml",
        b"\xef\xbb\xbfname: a\nmodel: m\ninstruction: 'Hi {x}\n",
        "3:14",
        "this file ends inside",
    ),
    ("return.yaml", b"name: a\rmodel: m\rinstruction: 'Hi {x}\r", "3:14", "this file ends inside"),
    ("agent.yaml", b"name: a\nmodel: m\ninstruction: 'Hi {x}\n", "3:14", "this file ends inside"),
    (
        "skill.md",
        b"---\nname: a\nmodel: m\ninstruction: 'Hi {x}\n---\n# A\n",
        "4:14",
        "this file ends inside",
    ),
    ("marked.yaml", b"# promptls: adk\na: 'Hi {x}\n", "2:4", "this file ends inside"),
    ("broken.pack.json", b"{\"prompts\": {\n  \"a\" 1}}", "2:7", "expected a colon"),
    ("latin.adk.prompt", b"a\nb\xe9", "2:2", "is not UTF-8"),
];

/// These files are not named.
const OF_OTHERS: [(&str, &[u8]); 5] = [
    ("other/chart.yaml", b"apiVersion: v1\nname: {{ .Values.a }\ninstruction: [\n"),
    ("other/lines.json", b"{\"instruction\": 1}\n{\"instruction\": 2}\n"),
    ("other/open.py", b"a = '''\n"),
    ("other/latin.toml", b"a = 'caf\xe9'\n"),
    ("other/README.md", b"---\nCaf\xe9: [\n"),
];

/// The errors in one of the outputs: `2:1: reason`, by file.
type Unread = BTreeMap<String, String>;

#[test]
fn unreadable_files_are_the_same_error_in_every_command_and_editor() {
    let workspace = || {
        let files: Vec<(&str, &str)> =
            [("promptls.toml", CONFIG)].into_iter().chain(GOOD).collect();
        let workspace = Workspace::new(&files);
        for (path, bytes, ..) in UNREAD {
            workspace.write(path, bytes);
        }
        for (path, bytes) in OF_OTHERS {
            workspace.write(path, bytes);
        }
        workspace
    };
    let expected = checked(&workspace());
    for (path, _, place, reason) in UNREAD {
        let found = expected.get(*path).unwrap_or_else(|| panic!("{path} is not an error"));
        let is_right = found.starts_with(&format!("{place}: "));
        let reads = |start: &str| found.starts_with(&format!("{place}: {start}{reason}"));
        assert!(is_right && (reads("") || reads("this file ")), "{path}: {found}");
    }
    assert_eq!(expected.len(), UNREAD.len(), "{expected:#?}");

    let on_stderr = workspace();
    for command in ["check --list", "prompts", "stats", "graph"] {
        let output = promptls(&command.split(' ').collect::<Vec<_>>()).cwd(on_stderr.root()).run();
        assert_eq!(output.code, Some(2), "{command}: {}", output.stderr);
        let lines = output.stderr.lines().filter_map(|line| line.strip_prefix("promptls: "));
        let found: Unread = lines.filter_map(|line| split(line, ":")).collect();
        assert_eq!(found, expected, "{command}");
    }
    for (path, error) in &expected {
        let (_, reason) = error.split_once(": ").expect("there is a place");
        let reason = reason.strip_prefix("this file ").unwrap_or(reason);
        for command in ["resolve", "vars", "preview", "config --show"] {
            let arguments: Vec<&str> = command.split(' ').chain([&**path]).collect();
            let output = promptls(&arguments).cwd(on_stderr.root()).run();
            let is_config = command.starts_with("config");
            if is_config && !reason.starts_with("is not UTF-8") {
                continue;
            }
            assert_eq!((output.code, &*output.stdout), (Some(2), ""), "{command} {path}");
            assert!(output.stderr.contains(reason), "{command} {path}: {}", output.stderr);
        }
    }

    let client =
        Client { pull_diagnostics: true, position_encodings: vec!["utf-32"], ..Client::default() };
    let mut editor = Editor::start_as(client, workspace());
    editor.ignore_problems();
    let report = editor.request("workspace/diagnostic", json!({ "previousResultIds": [] }));
    let folder = editor.uri("");
    let items = list(&report["items"]).iter();
    let in_workspace: Unread = items
        .flat_map(|item| {
            let path = path_in(&folder, item["uri"].as_str().expect("it has an address"));
            diagnosed(&path, list(&item["items"]))
        })
        .collect();
    assert_eq!(in_workspace, expected, "workspace/diagnostic");

    // An editor has a text instead of bytes.
    for (path, bytes, ..) in UNREAD {
        let Ok(text) = std::str::from_utf8(bytes) else { continue };
        editor.open(path, text);
        let params = json!({ "textDocument": { "uri": editor.uri(path) } });
        let report = editor.request("textDocument/diagnostic", params);
        let found = diagnosed(path, list(&report["items"]));
        assert_eq!(found, [((*path).to_owned(), expected[*path].clone())], "{path} is open");
    }
    editor.close();
}

/// The errors of `check`, with the exit code for unreadable files.
fn checked(workspace: &Workspace) -> Unread {
    let output = promptls(&["check", "--format", "json"]).cwd(workspace.root()).run();
    assert_eq!(output.code, Some(2), "{}", output.stderr);
    let report: Value = serde_json::from_str(&output.stdout).expect("the report is JSON");
    let problems = list(&report["problems"]).iter();
    problems
        .flat_map(|it| diagnosed(it["file"].as_str().expect("a file"), std::slice::from_ref(it)))
        .collect()
}

/// The errors about unreadable files.
fn diagnosed(path: &str, problems: &[Value]) -> Vec<(String, String)> {
    let unread = problems.iter().filter(|problem| problem["code"] == "unreadable-file");
    let reported = unread.map(|problem| {
        let start = &problem["range"]["start"];
        let number = |key: &str| start[key].as_u64().expect("a number") + 1;
        let message = problem["message"].as_str().expect("a message");
        (path.to_owned(), format!("{}:{}: {message}", number("line"), number("character")))
    });
    reported.collect()
}

/// Splits `a.yaml:2:1: reason` into the file and the rest.
fn split(line: &str, separator: &str) -> Option<(String, String)> {
    let (path, rest) = line.split_once(separator)?;
    rest.starts_with(|char: char| char.is_ascii_digit()).then(|| (path.to_owned(), rest.to_owned()))
}
