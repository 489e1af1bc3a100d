//! The differences between two cases of a prompt, and since the last commit.

use std::path::Path;
use std::process::Command;

use expect_test::{Expect, expect};
use promptls_tests::{Client, Editor, Repository, Workspace, promptls_path};
use serde_json::{Value, json};

fn params(editor: &Editor, path: &str, left: Value, right: Value) -> Value {
    let uri = editor.workspace().uri(path);
    json!({ "textDocument": { "uri": uri }, "left": left, "right": right })
}

/// The parts in order: equal text verbatim, changes as `[left|right]`.
#[track_caller]
fn compared(editor: &mut Editor, path: &str, left: Value, right: Value) -> String {
    let answer = editor.request("promptls/compare", params(editor, path, left, right));
    let text = |side: &str| -> Vec<u16> {
        answer[side]["text"].as_str().expect("a text").encode_utf16().collect()
    };
    let (left, right) = (text("left"), text("right"));
    let piece = |text: &[u16], range: &Value| {
        let at = |end: usize| range[end].as_u64().expect("an offset") as usize;
        String::from_utf16_lossy(&text[at(0)..at(1)])
    };
    let part = |part: &Value| {
        let (left, right) = (piece(&left, &part["left"]), piece(&right, &part["right"]));
        match part["same"] == json!(true) {
            true if left == right => left,
            true => panic!("{left:?} and {right:?} are not the same"),
            false => format!("[{left}|{right}]"),
        }
    };
    let parts = answer["parts"].as_array().expect("parts").iter().map(part);
    let who = |side: &str| {
        let side = &answer[side];
        let remarks = [&side["note"], &side["error"]["message"]].map(Value::as_str);
        let remarks = remarks.iter().flatten().map(|remark| format!(" ({remark})"));
        let name = |key: &str| side[key].as_str().unwrap_or("-").to_owned();
        format!("{} {}{}", name("case"), name("revision"), remarks.collect::<String>())
    };
    format!("{} | {}\n{}\n", who("left"), who("right"), parts.collect::<String>())
}

#[track_caller]
fn check(editor: &mut Editor, path: &str, left: Value, right: Value, expected: Expect) {
    expected.assert_eq(&compared(editor, path, left, right));
}

#[track_caller]
fn check_since_commit(editor: &mut Editor, path: &str, expected: Expect) {
    check(editor, path, head(), now(), expected);
}

#[track_caller]
fn check_refused(editor: &mut Editor, path: &str, left: Value, right: Value, reason: &str) {
    let error = editor.request_error("promptls/compare", params(editor, path, left, right));
    assert_eq!((&error["code"], &error["message"]), (&json!(-32803), &json!(reason)));
}

fn head() -> Value {
    json!({ "revision": "HEAD" })
}

fn now() -> Value {
    json!({})
}

#[test]
fn two_cases_are_compared_word_by_word() {
    let mut editor = Editor::start(Workspace::new(&[
        ("a.adk.prompt", "Dear {name} 😀,\nwelcome to {town}.\n"),
        ("a.adk.inputs.json", r#"{"name": "Ada", "town": "New York"}"#),
        ("a.adk.b.inputs.json", r#"{"name": "Bob"}"#),
    ]));
    editor.open_file("a.adk.prompt");
    editor.ignore_problems();
    check(
        &mut editor,
        "a.adk.prompt",
        json!({"case": "default"}),
        json!({"case": "b"}),
        expect![[r#"
            default - | b - (Context variable not found: town)
            Dear [Ada|Bob] 😀,
            welcome to [New York|{town}].

        "#]],
    );
    check_refused(&mut editor, "a.adk.prompt", now(), json!({"case": "c"}), "there is no case `c`");
    editor.close();
}

#[test]
fn a_prompt_is_compared_with_its_files_at_the_last_commit() {
    let rule = "[[prompts]]\nfiles = ['*.txt']\ndialect = 'adk'\ninputs = ['cases/*.json']\n";
    let workspace = Workspace::new(&[
        ("p/promptls.toml", rule),
        ("p/a.txt", "Dear {name}, {text}"),
        ("p/cases/one.json", r#"{"name": "Ada", "text": {"$file": "../note.md"}}"#),
        ("p/note.md", "hello"),
    ]);
    Repository::new(&workspace).commit_all();
    workspace.write("p/promptls.toml", rule.replace("adk", "agentle"));
    workspace.write("p/note.md", "good morning");
    workspace.write("p/cases/two.json", "{}");
    let mut editor = Editor::start(workspace);
    editor.ignore_problems();
    editor.open_file("p/a.txt");
    editor.replace("p/a.txt", "Dear {name}, {text}", "Dear {{name}}: {{text}}");
    check_since_commit(
        &mut editor,
        "p/a.txt",
        expect![[r#"
        one HEAD | one -
        Dear Ada[, hello|: good morning]
    "#]],
    );
    check(
        &mut editor,
        "p/a.txt",
        head(),
        head(),
        expect![[r#"
        one HEAD | one HEAD
        Dear Ada, hello
    "#]],
    );
    let two = json!({"case": "two", "revision": "HEAD"});
    check(
        &mut editor,
        "p/a.txt",
        two,
        json!({"case": "two"}),
        expect![[r#"
        two HEAD (case `two` has no inputs in the last commit; today's are used) (Context variable not found: name) | two -
        Dear {[|{]name}[,|}:] {[|{]text}[|}]
    "#]],
    );
    editor.close();
}

#[test]
fn each_prompt_of_a_pack_is_compared_with_itself() {
    let pack = r#"{"prompts": {"a": {"system_template": "A {{x}}"}, "b": {"system_template": "B {{x}}"}}}"#;
    let inputs = ("t.pack.inputs.json", r#"{"x": 1}"#);
    let workspace = Workspace::new(&[("t.pack.json", pack), inputs]);
    Repository::new(&workspace).commit_all();
    let mut editor = Editor::start(workspace);
    editor.open_file("t.pack.json");
    editor.ignore_problems();
    editor.replace("t", "B {{x}}", "Be {{x}}");
    let mut params = params(&editor, "t.pack.json", head(), now());
    params["position"] = json!({"line": 0, "character": pack.find("B {{").expect("it is there")});
    let answer = editor.request("promptls/compare", params.clone());
    assert_eq!([&answer["left"]["text"], &answer["right"]["text"]], ["B 1", "Be 1"]);
    editor.replace("t", "\"b\"", "\"c\"");
    let error = editor.request_error("promptls/compare", params);
    assert_eq!(error["message"], "prompt `c` is not in the last commit");
    editor.close();
}

#[test]
fn line_endings_converted_by_git_are_no_difference() {
    let workspace = Workspace::new(&[
        ("a.adk.prompt", "Dear {name},\nhello {text}\n"),
        ("a.adk.inputs.json", "{\n  \"name\": \"Ada\",\n  \"text\": {\"$file\": \"b.md\"}\n}\n"),
        ("b.md", "one\ntwo\n"),
    ]);
    let repository = Repository::new(&workspace);
    repository.commit_all();
    for file in ["a.adk.prompt", "a.adk.inputs.json", "b.md"] {
        let text = std::fs::read_to_string(workspace.path(file)).expect("a text");
        workspace.write(file, text.replace('\n', "\r\n"));
    }
    let mut editor = Editor::start(workspace);
    editor.open_file("a.adk.prompt");
    editor.wait_for_codes("a", &[]);
    let answer = editor.request("promptls/compare", params(&editor, "a.adk.prompt", head(), now()));
    assert_eq!(answer["left"]["text"], "Dear Ada,\r\nhello one\r\ntwo\r\n\r\n");
    assert_eq!(answer["parts"].as_array().map(Vec::len), Some(1));
    editor.close();
}

#[test]
fn inputs_ignored_by_git_are_used_unchanged() {
    let workspace = Workspace::new(&[
        (".gitignore", "*.inputs.json\n"),
        ("a.adk.prompt", "Dear {name}"),
        ("a.adk.inputs.json", r#"{"name": "Ada"}"#),
    ]);
    Repository::new(&workspace).commit_all();
    let mut editor = Editor::start(workspace);
    editor.open_file("a.adk.prompt");
    editor.wait_for_codes("a", &[]);
    editor.replace("a", "Dear", "Hello");
    check_since_commit(
        &mut editor,
        "a.adk.prompt",
        expect![[r#"
        default HEAD | default -
        [Dear|Hello] Ada
    "#]],
    );
    editor.ignore_problems();
    editor.close();
}

#[cfg(unix)]
#[test]
fn a_named_pipe_as_gitignore_does_not_block_a_comparison() {
    use rustix::fs::{CWD, FileType, Mode, mknodat};

    let prompt = ("a.adk.prompt", "Dear {name}");
    let workspace = Workspace::new(&[prompt, ("a.adk.inputs.json", r#"{"name": "Ada"}"#)]);
    Repository::new(&workspace).commit_all();
    workspace.write("a.adk.new.inputs.json", r#"{"name": "Eve"}"#);
    let mode = Mode::RUSR | Mode::WUSR;
    mknodat(CWD, workspace.path(".gitignore"), FileType::Fifo, mode, 0).expect("a pipe");
    let mut editor = Editor::start(workspace);
    editor.open_file("a.adk.prompt");
    editor.wait_for_codes("a.adk.prompt", &[]);
    editor.replace("a.adk.prompt", "Dear", "Hello");
    check_since_commit(
        &mut editor,
        "a.adk.prompt",
        expect![[r#"
        default HEAD | default -
        [Dear|Hello] Ada
    "#]],
    );
    editor.close();
}

#[cfg(unix)]
#[test]
fn links_are_followed_within_the_commit() {
    let workspace = Workspace::new(&[
        ("real/a.adk.prompt", "Dear {name}"),
        ("real/cases/a.json", r#"{"name": "Ada"}"#),
    ]);
    let link = |to: &str, at: &str| {
        std::os::unix::fs::symlink(to, workspace.path(at)).expect("a link can be made");
    };
    link("cases/a.json", "real/a.adk.inputs.json");
    link("real", "linked");
    link("loop", "loop");
    Repository::new(&workspace).commit_all();
    workspace.write("real/cases/a.json", r#"{"name": "Bob"}"#);
    let mut editor = Editor::start(workspace);
    editor.open_file("linked/a.adk.prompt");
    editor.ignore_problems();
    check_since_commit(
        &mut editor,
        "linked/a.adk.prompt",
        expect![[r#"
        default HEAD | default -
        Dear [Ada|Bob]
    "#]],
    );
    editor.close();
}

#[test]
fn any_commit_is_compared_by_its_name() {
    let workspace =
        Workspace::new(&[("a.adk.prompt", "one {x}"), ("a.adk.inputs.json", "{\"x\": 1}")]);
    let repository = Repository::new(&workspace);
    repository.commit_all();
    repository.git(&["tag", "first"]);
    workspace.write("a.adk.prompt", "two {x}");
    repository.commit_all();
    workspace.write("a.adk.prompt", "three {x}");
    let mut editor = Editor::start(workspace);
    editor.ignore_problems();
    editor.open_file("a.adk.prompt");
    let at = |revision: &str| json!({ "revision": revision });
    let mut diffs = String::new();
    for (left, right) in [(at("first"), now()), (at("HEAD~1"), head()), (head(), at("first"))] {
        diffs += &compared(&mut editor, "a.adk.prompt", left, right);
    }
    expect![[r#"
        default first | default -
        [one|three] 1
        default HEAD~1 | default HEAD
        [one|two] 1
        default HEAD | default first
        [two|one] 1
    "#]]
    .assert_eq(&diffs);
    for name in ["gone", "--all", "HEAD:a.adk.prompt", ""] {
        let reason = format!("unknown git revision `{name}`");
        check_refused(&mut editor, "a.adk.prompt", at(name), now(), &reason);
    }
    let case = json!({ "case": "late", "revision": "first" });
    check_refused(&mut editor, "a.adk.prompt", case, now(), "case `late` is not in `first`");
    editor.close();
}

#[test]
fn a_comparison_without_a_last_commit_is_refused_with_the_reason() {
    let files = [("a.adk.prompt", "{x}"), ("a.adk.inputs.json", r#"{"x": 1}"#)];
    let alone = Workspace::new(&files);
    let folder = alone.root().display().to_string();
    let mut editor = Editor::start(alone);
    editor.open_file("a.adk.prompt");
    editor.wait_for_codes("a", &[]);
    let no_repository = format!("{folder} is not in a git repository");
    check_refused(&mut editor, "a.adk.prompt", head(), now(), &no_repository);
    Repository::new(editor.workspace());
    let no_commit = "this repository has no commit yet";
    check_refused(&mut editor, "a.adk.prompt", head(), now(), no_commit);
    Repository(editor.workspace()).git(&["commit", "-q", "--allow-empty", "-m", "a"]);
    let not_there = "a.adk.prompt is not in the last commit";
    check_refused(&mut editor, "a.adk.prompt", head(), now(), not_there);
    Repository(editor.workspace()).git(&["add", "a.adk.prompt"]);
    Repository(editor.workspace()).git(&["commit", "-q", "-m", "a"]);
    // At first, inputs are newer than any commit, on whichever side they are compared.
    check_since_commit(
        &mut editor,
        "a.adk.prompt",
        expect![[r#"
        default HEAD (case `default` has no inputs in the last commit; today's are used) | default -
        1
    "#]],
    );
    check(
        &mut editor,
        "a.adk.prompt",
        now(),
        head(),
        expect![[r#"
        default - | default HEAD (case `default` has no inputs in the last commit; today's are used)
        1
    "#]],
    );
    check(
        &mut editor,
        "a.adk.prompt",
        now(),
        now(),
        expect![[r#"
        default - | default -
        1
    "#]],
    );

    editor.open("untitled:b", "x");
    editor.ignore_problems();
    let none = editor.request("promptls/compare", params(&editor, "untitled:b", head(), now()));
    assert_eq!(none, Value::Null);
    editor.close();
}

/// An editor whose server has these environment variables.
fn start_with(workspace: Workspace, variables: &[(&str, &Path)]) -> Editor {
    let mut command = Command::new(promptls_path());
    command.arg("lsp").envs(variables.iter().copied());
    let mut editor = Editor::launch(command, Client::default(), workspace);
    editor.initialize();
    editor
}

#[test]
fn a_comparison_without_git_is_refused_with_the_reason() {
    let files = [("a.adk.prompt", "{x}"), ("a.adk.inputs.json", r#"{"x": 1}"#)];
    let mut editor = start_with(Workspace::new(&files), &[("PATH", Path::new("/nowhere"))]);
    editor.open_file("a.adk.prompt");
    editor.wait_for_codes("a", &[]);
    let error =
        editor.request_error("promptls/compare", params(&editor, "a.adk.prompt", head(), now()));
    let message = error["message"].as_str().expect("a message");
    assert!(message.starts_with("git cannot be started: "), "{message}");
    editor.close();
}

#[cfg(unix)]
#[test]
fn comparisons_run_no_configured_programs_and_use_no_other_repository() {
    let workspace = Workspace::new(&[
        (".gitattributes", "* filter=evil diff=evil\n"),
        ("a.adk.prompt", "Dear {name}"),
        ("a.adk.inputs.json", r#"{"name": "Ada"}"#),
    ]);
    let repository = Repository::new(&workspace);
    repository.commit_all();
    let evil = workspace.path("evil");
    let script = format!("touch {}; cat", evil.display());
    for key in ["filter.evil.smudge", "filter.evil.clean", "diff.evil.textconv", "core.fsmonitor"] {
        repository.git(&["config", key, &script]);
    }
    for key in ["core.pager", "alias.cat-file", "alias.rev-parse", "core.sshCommand"] {
        repository.git(&["config", key, &format!("!{script}")]);
    }
    let other = Workspace::new(&[("a.adk.prompt", "other")]);
    Repository::new(&other).commit_all();
    let (git_dir, work_tree) = (other.path(".git"), other.root().to_owned());
    let variables = [("GIT_DIR", &*git_dir), ("GIT_WORK_TREE", &*work_tree)];
    let mut editor = start_with(workspace, &variables);
    editor.open_file("a.adk.prompt");
    editor.wait_for_codes("a", &[]);
    check_since_commit(
        &mut editor,
        "a.adk.prompt",
        expect![[r#"
        default HEAD | default -
        Dear Ada
    "#]],
    );
    assert!(!evil.exists());
    editor.close();
}
