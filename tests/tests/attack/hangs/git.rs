//! A repository in which git waits forever: it is killed after a timeout, and when the request
//! ends.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use promptls_tests::{
    Editor, LIMIT, Process, Repository, RequestId, Transport, Workspace, promptls, promptls_path,
    wait_until,
};
use rustix::fs::{CWD, Mode, mkfifoat};
use serde_json::{Value, json};

const PROMPT: &str = "a.adk.prompt";

const REQUEST_CANCELLED: i64 = -32800;

/// A repository with a commit, one of whose own files is a named pipe that nothing writes to.
fn stuck(pipe: &str) -> Workspace {
    let workspace = Workspace::new(&[(PROMPT, "Dear {name},"), ("a.adk.inputs.json", "{}")]);
    Repository::new(&workspace).commit_all();
    let path = workspace.path(pipe);
    let _ = fs::remove_file(&path);
    mkfifoat(CWD, &path, Mode::from_raw_mode(0o600)).expect("the disk takes it");
    workspace
}

#[test]
fn git_without_a_response_is_killed() {
    let workspace = stuck(".git/HEAD");
    let output = promptls(&["diff", "--rev", "HEAD"]).cwd(workspace.root()).run();
    let expected = "promptls: git did not finish within 10 seconds and was stopped; does `git status` work here?\n";
    assert_eq!((output.code, &*output.stderr), (Some(2), expected));
    assert_eq!(running_in(workspace.root()), Vec::<u32>::new());
}

#[test]
fn git_ends_with_a_command_that_is_interrupted() {
    let workspace = stuck(".git/objects/info/alternates");
    let mut command = Command::new(promptls_path());
    command.args(["diff", "--rev", "HEAD"]).current_dir(workspace.root());
    command.stdin(Stdio::null()).stdout(Stdio::null());
    let (mut process, _ends) =
        Process::start(command, Transport::Pipes).expect("the program starts");
    wait_for_git(&workspace);
    process.interrupt();
    let code = process.wait(LIMIT).expect("it ends").code();
    assert_eq!(code, Some(130));
    wait_until("git has ended", || running_in(workspace.root()).is_empty());
}

#[test]
fn git_ends_with_a_request_that_is_cancelled() {
    let mut editor = Editor::start(stuck(".git/objects/info/alternates"));
    let request = compare(&mut editor);
    editor.notify("$/cancelRequest", json!({ "id": request.number() }));
    let error = editor.answer(request).expect_err("it is cancelled");
    assert_eq!(error["code"], REQUEST_CANCELLED);
    let root = editor.workspace().root().to_owned();
    wait_until("git has ended", || running_in(&root).is_empty());
    editor.close();
}

#[test]
fn git_ends_with_the_server() {
    let mut editor = Editor::start(stuck(".git/objects/info/alternates"));
    let request = compare(&mut editor);
    let root = editor.workspace().root().to_owned();
    editor.notify("exit", Value::Null);
    // It may still report that the request is cancelled.
    let _ = editor.answer_unless_ended(request);
    editor.wait_for_end();
    wait_until("git has ended", || running_in(&root).is_empty());
}

/// Sends a comparison with the last commit, and waits until git has been started for it.
fn compare(editor: &mut Editor) -> RequestId {
    editor.open_file(PROMPT);
    editor.ignore_problems();
    let uri = editor.workspace().uri(PROMPT);
    let params =
        json!({ "textDocument": { "uri": uri }, "left": { "revision": "HEAD" }, "right": {} });
    let request = editor.send_request("promptls/compare", params);
    wait_for_git(editor.workspace());
    request
}

/// Waits until git runs that searches for the commit, which it never finds.
fn wait_for_git(workspace: &Workspace) {
    let is_looking = |id: &u32| {
        let command = fs::read_to_string(format!("/proc/{id}/cmdline")).unwrap_or_default();
        command.contains("--verify")
    };
    wait_until("git looks for the commit", || running_in(workspace.root()).iter().any(is_looking));
}

/// The git processes for a folder, by their command lines.
fn running_in(folder: &Path) -> Vec<u32> {
    let is_about = |id: &u32| {
        let command = fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
        let mut arguments = command.split(|byte| *byte == 0);
        let program = arguments.next().unwrap_or_default();
        program.ends_with(b"git")
            && arguments.any(|it| Path::new(&*String::from_utf8_lossy(it)).starts_with(folder))
    };
    let entries = fs::read_dir("/proc").expect("this system has processes as files");
    let names = entries.filter_map(|entry| Some(entry.ok()?.file_name().to_str()?.to_owned()));
    names.filter_map(|name| name.parse().ok()).filter(is_about).collect()
}
