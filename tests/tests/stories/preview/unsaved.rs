//! Unsaved documents of a real editor, on the page in the browser.
#![cfg(unix)]

use std::fs::{self, Permissions};
use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;
use std::time::Instant;

use promptls_tests::{Client, Editor, LIMIT, Page, Served, Workspace};
use serde_json::{Value, json};

const PROMPT: (&str, &str) = ("p.adk.prompt", "Dear {name}.");
const ADA: (&str, &str) = ("p.adk.inputs.json", r#"{"name": "Ada"}"#);

/// An editor that can show places, with no open document.
fn editor(files: &[(&str, &str)]) -> Editor {
    let more_capabilities = json!({ "window": { "showDocument": { "support": true } } });
    let mut editor =
        Editor::start_as(Client { more_capabilities, ..Client::default() }, Workspace::new(files));
    editor.ignore_problems();
    editor.ignore_notifications("promptls/previewChanged");
    editor
}

/// The sockets of running servers.
fn sockets(workspace: &Workspace) -> Vec<PathBuf> {
    let entries = fs::read_dir(workspace.runtime_folder().join("promptls")).into_iter().flatten();
    let paths = entries.map(|entry| entry.expect("a folder can be read").path());
    paths.filter(|path| path.extension().is_some_and(|ending| ending == "sock")).collect()
}

/// Waits until the page is notified whether places can be shown.
#[track_caller]
fn wait_for_reveal(page: &mut Page, reveal: bool) {
    let deadline = Instant::now() + LIMIT;
    while page.wait_for("page/can")["reveal"] != json!(reveal) {
        assert!(Instant::now() < deadline, "`reveal` does not become {reveal}");
    }
}

#[test]
fn the_page_shows_unsaved_text_of_an_editor() {
    let mut editor = editor(&[PROMPT, ADA]);
    let served = Served::start(editor.workspace(), "p.adk.prompt", &[]);
    let mut page = served.page();
    assert_eq!(page.preview()["text"], json!("Dear Ada."));

    editor.open_file("p.adk.prompt");
    wait_for_reveal(&mut page, true);
    editor.replace("p.adk.prompt", "Dear", "Hello");
    page.wait_for_text("Hello Ada.");
    assert_eq!(editor.workspace().read("p.adk.prompt"), PROMPT.1);
    editor.open_file("p.adk.inputs.json");
    editor.replace("p.adk.inputs.json", "Ada", "Zoë");
    page.wait_for_text("Hello Zoë.");

    // An edit on the page is one of the editor, to be undone there.
    let argument = json!({ "uri": page.front(), "case": "trial" });
    let params = json!({ "command": "promptls.createInputs", "arguments": [argument] });
    page.request("workspace/executeCommand", params);
    editor.apply_next();
    while page.preview()["cases"].as_array().expect("cases").len() < 2 {
        page.wait_for("promptls/previewChanged");
    }

    // The cursor is followed, and a click on the page shows a place in the editor.
    let cursor = json!({ "line": 0, "character": 8 });
    let uri = editor.workspace().uri("p.adk.prompt");
    let document = json!({ "uri": uri });
    editor.request(
        "textDocument/documentHighlight",
        json!({ "textDocument": document, "position": cursor }),
    );
    let params = page.wait_for("page/cursor");
    assert_eq!(params, json!({ "uri": uri, "position": cursor, "reveal": true }));
    let cursor = json!({ "line": 0, "character": 2 });
    editor.notify("promptls/cursor", json!({ "textDocument": document, "position": cursor }));
    assert_eq!(page.wait_for("page/cursor")["position"], cursor);
    let range = json!({ "start": cursor, "end": { "line": 0, "character": 10 } });
    page.request("page/reveal", json!({ "uri": uri, "range": range }));
    let shown = editor.next_server_request("window/showDocument");
    assert_eq!((&shown["uri"], &shown["selection"]), (&json!(uri), &range));
    assert_eq!(shown["takeFocus"], json!(true));

    // The saved file counts again when the editor closes it, and when the editor ends.
    editor.close_document("p.adk.prompt");
    editor.close_document("p.adk.inputs.json");
    editor.close_document("p.adk.trial.inputs.json");
    wait_for_reveal(&mut page, false);
    page.wait_for_text("Dear Ada.");
    editor.open_file("p.adk.prompt");
    editor.replace("p.adk.prompt", "Dear", "Hello");
    page.wait_for_text("Hello Ada.");
    editor.close();
    wait_for_reveal(&mut page, false);
}

#[test]
fn an_editor_with_another_position_encoding_is_supported() {
    let more_capabilities = json!({ "window": { "showDocument": { "support": true } } });
    let client =
        Client { more_capabilities, position_encodings: vec!["utf-8"], ..Client::default() };
    let mut editor =
        Editor::start_as(client, Workspace::new(&[("p.adk.prompt", "é😀{name}"), ADA]));
    editor.ignore_problems();
    editor.open_file("p.adk.prompt");
    let served = Served::start(editor.workspace(), "p.adk.prompt", &[]);
    let mut page = served.page();
    if page.start["can"]["reveal"] == json!(false) {
        wait_for_reveal(&mut page, true);
    }
    let preview = page.preview();
    assert_eq!(preview["map"][0]["output"], json!([0, 3]));
    assert_eq!(preview["map"][1]["source"]["start"]["character"], json!(3));

    let uri = editor.workspace().uri("p.adk.prompt");
    let at = json!({ "line": 0, "character": 6 });
    let params = json!({ "textDocument": { "uri": uri }, "position": at });
    editor.request("textDocument/documentHighlight", params);
    assert_eq!(page.wait_for("page/cursor")["position"], json!({ "line": 0, "character": 3 }));
    let range = &preview["map"][1]["source"];
    page.request("page/reveal", json!({ "uri": uri, "range": range }));
    let shown = editor.next_server_request("window/showDocument");
    assert_eq!(shown["selection"]["start"]["character"], json!(6));
    editor.close();
}

#[test]
fn unsaved_inputs_are_used_even_if_the_prompt_is_not_open() {
    let mut editor = editor(&[PROMPT, ADA]);
    editor.open_file("p.adk.inputs.json");
    editor.replace("p.adk.inputs.json", "Ada", "Zoë");
    let served = Served::start(editor.workspace(), "p.adk.prompt", &[]);
    let mut page = served.page();
    page.wait_for_text("Dear Zoë.");
    editor.replace("p.adk.inputs.json", "Zoë", "Eve");
    page.wait_for_text("Dear Eve.");
    editor.close_document("p.adk.inputs.json");
    page.wait_for_text("Dear Ada.");
    editor.close();
}

#[test]
fn unsaved_edits_of_the_page_are_kept_until_saved() {
    let mut editor = editor(&[PROMPT, ADA]);
    let served = Served::start(editor.workspace(), "p.adk.prompt", &[]);
    let mut page = served.page();
    let argument = json!({ "uri": page.front(), "case": "trial" });
    let params = json!({ "command": "promptls.createInputs", "arguments": [argument] });
    page.request("workspace/executeCommand", params);
    while page.wait_for("page/unsaved") == json!({ "files": [] }) {}
    editor.open_file("p.adk.prompt");
    editor.replace("p.adk.prompt", "Dear", "Hello");
    assert_eq!(page.preview()["cases"].as_array().map(Vec::len), Some(2));
    page.request("page/save", Value::Null);
    page.wait_for_text("Hello Ada.");
    editor.close();
}

#[test]
fn sockets_are_private_and_removed() {
    let editor = editor(&[PROMPT, ADA]);
    let workspace = editor.workspace();
    let found = sockets(workspace);
    let [socket] = &found[..] else { panic!("one server has one socket: {found:?}") };
    let folder = socket.parent().expect("a socket is in a folder");
    let mode = fs::metadata(folder).expect("it is there").permissions().mode();
    assert_eq!(mode & 0o777, 0o700);
    // The socket of a killed server is deleted as soon as a client finds no server there.
    let left = folder.join("1.sock");
    drop(UnixListener::bind(&left).expect("a socket can be made"));
    let served = Served::start(workspace, "p.adk.prompt", &[]);
    let mut page = served.page();
    let deadline = Instant::now() + LIMIT;
    while left.exists() {
        assert!(Instant::now() < deadline, "it stays");
        page.preview();
    }
    assert!(socket.exists());
    let socket = socket.clone();
    editor.close();
    assert!(!socket.exists());
}

#[test]
fn a_runtime_folder_that_other_users_can_open_is_not_used() {
    let workspace = Workspace::new(&[PROMPT, ADA]);
    let folder = workspace.runtime_folder().join("promptls");
    fs::create_dir(&folder).expect("a folder can be made");
    fs::set_permissions(&folder, Permissions::from_mode(0o755)).expect("it can be opened");
    let mut editor = Editor::start(workspace);
    editor.ignore_problems();
    editor.open_file("p.adk.prompt");
    assert_eq!(sockets(editor.workspace()), Vec::<PathBuf>::new());
    let served = Served::start(editor.workspace(), "p.adk.prompt", &[]);
    editor.replace("p.adk.prompt", "Dear", "Hello");
    assert_eq!(served.page().preview()["text"], json!("Dear Ada."));
    editor.close();
}

#[test]
fn a_misbehaving_peer_affects_only_itself() {
    let mut editor = editor(&[PROMPT, ADA]);
    editor.open_file("p.adk.prompt");
    let uri = editor.workspace().uri("p.adk.prompt");
    let connect = || {
        let stream = UnixStream::connect(&sockets(editor.workspace())[0]).expect("it listens");
        stream.set_read_timeout(Some(LIMIT)).expect("a limit can be set");
        stream.set_write_timeout(Some(LIMIT)).expect("a limit can be set");
        stream
    };
    let path = editor.workspace().path("p.adk.prompt").canonicalize().expect("it is there");
    let hello = json!({ "method": "follower/follow", "params": { "path": path } });
    let ends = |mut stream: UnixStream| {
        let mut rest = Vec::new();
        // A truncated line also ends the connection.
        let _ = stream.read_to_end(&mut rest);
    };

    let mut noise = connect();
    noise.write_all(b"GET / HTTP/1.1\r\n\r\n").expect("it can be sent");
    ends(noise);
    let mut other = connect();
    writeln!(other, "{hello}\n{}", json!({"id": 1, "method": "shutdown"})).expect("it can be sent");
    let mut answer = Vec::new();
    while !String::from_utf8_lossy(&answer).contains("\"id\":1") {
        let mut bytes = [0; 1024];
        let count = other.read(&mut bytes).expect("it answers");
        assert!(count > 0, "it ends instead");
        answer.extend_from_slice(&bytes[..count]);
    }
    assert!(String::from_utf8_lossy(&answer).contains("is not available to followers"));

    // A client that sends requests and reads no responses.
    let mut deaf = connect();
    writeln!(deaf, "{hello}").expect("it can be sent");
    deaf.set_nonblocking(true).expect("it need not wait");
    let params = json!({ "textDocument": { "uri": uri } });
    let mut id = 0;
    loop {
        id += 1;
        let line = json!({ "id": id, "method": "promptls/preview", "params": params }).to_string();
        if id > 100_000 || deaf.write_all((line + "\n").as_bytes()).is_err() {
            break;
        }
    }
    editor.replace("p.adk.prompt", "Dear", "Hello");
    let answer = editor.request("promptls/preview", params);
    assert_eq!(answer["text"], json!("Hello Ada."));
    editor.close();
}
