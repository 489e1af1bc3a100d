//! The fake editor itself, with a minimal, correct server.

use std::process::Command;

use expect_test::expect;
use promptls_tests::{Client, Editor, Promptls, Workspace, hover_text};
use serde_json::{Value, json};

const SERVER: &str = env!("CARGO_BIN_EXE_fake-language-server");

#[test]
fn a_typo_is_reported_until_it_is_fixed() {
    let mut editor = start(Client::default());
    editor.open("letter.adk.prompt", "Dear {custmer},");
    editor.wait_for_problems("letter", &["`custmer` has no value"]);

    editor.replace("letter", "custmer", "customer");
    editor.wait_for_problems("letter", &[]);
    editor.close();
}

#[test]
fn problems_can_be_pulled() {
    let mut editor = start(Client { pull_diagnostics: true, ..Client::default() });
    editor.open("letter.adk.prompt", "Dear {custmer},");
    editor.wait_for_codes("letter", &["undefined-placeholder"]);

    editor.replace("letter", "custmer", "customer");
    editor.wait_for_codes("letter", &[]);
    editor.close();
}

#[test]
fn problems_are_shown_with_their_locations() {
    let mut editor = start(Client::default());
    editor.open("letters/letter.adk.prompt", "Dear\n😀{custmer},");
    expect![[r#"
        2:4-2:11 error undefined-placeholder `custmer` has no value
            letters/letter.adk.prompt 2:4-2:11 here
    "#]]
    .assert_eq(&editor.problems_text("letter"));
    editor.close();
}

#[test]
#[cfg(unix)]
fn sockets_are_supported_like_pipes() {
    let transport = promptls_tests::Transport::Sockets;
    let mut editor = start(Client { transport, ..Client::default() });
    editor.open("letter.adk.prompt", "Dear {custmer},");
    editor.wait_for_codes("letter", &["undefined-placeholder"]);
    editor.close();
}

#[test]
fn edits_are_sent_in_each_position_encoding() {
    for encoding in ["utf-8", "utf-16", "utf-32"] {
        let mut editor = start(Client { position_encodings: vec![encoding], ..Client::default() });
        editor.open("letter.adk.prompt", "é😀\r\n😀 é{name}");
        editor.replace("letter", "é{name}", "😀{other}");
        editor.type_at("letter", "é$0😀\r\n", "ß😀x");
        editor.replace("letter", "\r\n", "\n");
        assert_eq!(editor.text("letter"), "éß😀x😀\n😀 😀{other}");

        let seen = editor.request("fake/text", editor.place("letter", "$0{other}"));
        assert_eq!(seen, json!(editor.text("letter")), "{encoding}");
        editor.close();
    }
}

#[test]
fn a_place_is_a_text_with_a_cursor() {
    let mut editor = start(Client::default());
    editor.open("letter.adk.prompt", "😀 Dear {customer},");
    assert_eq!(editor.hover("letter", "{cust$0omer}").as_deref(), Some("customer"));
    assert_eq!(editor.hover("letter", ",$0"), None);
    assert_eq!(editor.complete("letter", "{$0")[0]["label"], "customer");
    editor.close();
}

#[test]
fn a_document_that_is_opened_again_continues_its_versions() {
    let mut editor = start(Client::default());
    editor.open("letter.adk.prompt", "{custmer}");
    editor.wait_for_codes("letter", &["undefined-placeholder"]);
    editor.close_document("letter");
    editor.open("letter.adk.prompt", "{customer}");
    editor.wait_for_codes("letter", &[]);
    editor.close();
}

#[test]
#[should_panic(expected = "not expected by the test:\nwindow/logMessage: {\"message\":\"hello\"}")]
fn an_unhandled_message_fails_the_test() {
    let mut editor = start(Client::default());
    make_server_send(
        &mut editor,
        &[notification("window/logMessage", json!({"message": "hello"}))],
    );
    editor.close();
}

#[test]
fn a_message_can_be_examined() {
    let mut editor = start(Client::default());
    make_server_send(
        &mut editor,
        &[notification("window/logMessage", json!({"message": "hello"}))],
    );
    assert_eq!(editor.next_notification("window/logMessage")["message"], "hello");
    editor.close();
}

#[test]
#[should_panic(expected = "undefined-placeholder `custmer` has no value")]
fn unhandled_problems_fail_the_test() {
    let mut editor = start(Client::default());
    editor.open("letter.adk.prompt", "Dear {custmer},");
    editor.close();
}

#[test]
fn problems_can_be_ignored() {
    let mut editor = start(Client::default());
    editor.ignore_problems();
    editor.open("letter.adk.prompt", "Dear {custmer},");
    editor.close();
}

#[test]
fn requests_of_the_server_are_answered_and_recorded() {
    let settings = Some(json!({"promptls": {"case": "trial"}}));
    let mut editor = start(Client { settings, ..Client::default() });
    let params = json!({"items": [{"section": "promptls"}]});
    make_server_send(&mut editor, &[request("a", "workspace/configuration", params.clone())]);

    assert_eq!(editor.next_server_request("workspace/configuration"), params);
    let answers = editor.request("fake/answers", Value::Null);
    assert_eq!(answers, json!([["a", [{"case": "trial"}]]]));
    editor.close();
}

#[test]
fn the_editor_can_omit_responses() {
    let mut editor = start(Client { answers: false, ..Client::default() });
    let refresh = "workspace/inlayHint/refresh";
    make_server_send(&mut editor, &[request("a", refresh, Value::Null)]);

    editor.next_server_request(refresh);
    assert_eq!(editor.request("fake/answers", Value::Null), json!([]));
    editor.close();
}

#[test]
#[should_panic(expected = "a request not announced")]
fn a_request_that_was_not_announced_fails_the_test() {
    let mut editor = start(Client { refresh: false, ..Client::default() });
    make_server_send(&mut editor, &[request("a", "workspace/inlayHint/refresh", Value::Null)]);
    editor.close();
}

#[test]
#[should_panic(expected = "against the protocol: `extra` has no place in this message")]
fn an_invalid_message_fails_the_test() {
    let mut editor = start(Client::default());
    let mut message = notification("window/logMessage", json!({}));
    message["extra"] = json!(true);
    make_server_send(&mut editor, &[message]);
    editor.close();
}

#[test]
#[should_panic(expected = "problems of version Some(1) came after those of Some(2)")]
fn problems_of_an_older_version_fail_the_test() {
    let mut editor = start(Client::default());
    editor.ignore_problems();
    let publish = |version: u32| {
        let params = json!({"uri": "file:///a", "version": version, "diagnostics": []});
        notification("textDocument/publishDiagnostics", params)
    };
    make_server_send(&mut editor, &[publish(2), publish(1)]);
    editor.close();
}

#[test]
#[should_panic(expected = "as asked")]
fn a_panic_of_the_server_is_shown() {
    let mut editor = start(Client::default());
    editor.request("fake/panic", Value::Null);
}

#[test]
fn an_exit_can_be_expected() {
    let mut editor = start(Client::default());
    editor.send_bytes("hello\r\n\r\n");
    assert_eq!(editor.next_error_without_id()["code"], -32700);
    let ended = editor.wait_for_end();
    assert_eq!(ended.code, Some(1));
    assert_eq!(ended.stderr, "not a header line: \"hello\"\n");

    let mut editor = start(Client::default());
    editor.close_stdin();
    assert_eq!(editor.wait_for_end().code, Some(1));
}

#[test]
fn a_request_may_have_no_response_when_the_server_exits() {
    let mut editor = start(Client::default());
    editor.notify("exit", Value::Null);
    let id = editor.send_request("shutdown", Value::Null);
    assert_eq!(editor.answer_unless_ended(id), None);
    assert_eq!(editor.wait_for_end().code, Some(1));
}

#[test]
fn an_editor_that_does_not_read_can_still_write() {
    let mut editor = start(Client::default());
    editor.open("letter.adk.prompt", "Dear {customer},");
    editor.stop_reading();
    // The responses fill the pipe many times over, so the server also stops reading.
    for _ in 0..5_000 {
        editor.replace("letter", "{customer}", "{custmer}");
        editor.replace("letter", "{custmer}", "{customer}");
    }
    let id = editor.send_hover("letter", "{cust$0omer}");
    editor.read_on();
    editor.wait_for_problems("letter", &[]);
    let hover = editor.answer(id).unwrap();
    assert_eq!(hover_text(&hover).as_deref(), Some("customer"));
    editor.close();
}

#[test]
#[cfg(target_os = "linux")]
fn a_server_does_not_outlive_a_failed_test() {
    use std::path::PathBuf;

    let mut process = PathBuf::from("/proc");
    let failed = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let mut editor = start(Client::default());
        process.push(editor.request("fake/pid", Value::Null).to_string());
        assert!(process.exists());
        panic!("a failed test");
    }));
    failed.unwrap_err();
    assert!(!process.exists());
}

#[test]
#[should_panic(expected = "end its story")]
fn an_editor_that_is_not_closed_fails_the_test() {
    drop(start(Client::default()));
}

#[test]
fn a_command_runs_until_it_exits() {
    let message = r#"{"jsonrpc":"2.0","id":1,"method":"shutdown"}"#;
    let exit = r#"{"jsonrpc":"2.0","method":"exit"}"#;
    let framed = |body: &str| format!("Content-Length: {}\r\n\r\n{body}", body.len());
    let output =
        Promptls::at(SERVER, &["lsp"]).stdin(format!("{}{}", framed(message), framed(exit))).run();
    assert_eq!(output.code, Some(0));
    assert_eq!(output.stdout, framed(r#"{"jsonrpc":"2.0","id":1,"result":null}"#));
    assert_eq!(output.stderr, "");
}

#[track_caller]
fn start(client: Client) -> Editor {
    let mut editor = Editor::launch(Command::new(SERVER), client, Workspace::new(&[]));
    editor.initialize();
    editor
}

/// Makes the server send these messages, and waits until it has.
fn make_server_send(editor: &mut Editor, messages: &[Value]) {
    editor.request("fake/send", json!({ "messages": messages }));
}

fn notification(method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "method": method, "params": params })
}

fn request(id: &str, method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
}

#[test]
fn edits_of_the_server_are_applied_to_documents_and_files() {
    let mut editor = start(Client::default());
    editor.write_file("b.json", "{}");
    editor.open("a.prompt", "one two");
    let range = |start, end| json!({"start": {"line": 0, "character": start}, "end": {"line": 0, "character": end}});
    let uri = |editor: &Editor, path: &str| editor.workspace().uri(path);
    editor.apply(&json!({"documentChanges": [
        {"textDocument": {"uri": uri(&editor, "a.prompt"), "version": 1}, "edits": [
            {"range": range(0, 3), "newText": "1"}, {"range": range(4, 7), "newText": "2"},
        ]},
        {"textDocument": {"uri": uri(&editor, "b.json"), "version": null}, "edits": [
            {"range": range(1, 1), "newText": "\"a\": 1"},
        ]},
        {"kind": "create", "uri": uri(&editor, "c.json")},
        {"textDocument": {"uri": uri(&editor, "c.json"), "version": null}, "edits": [
            {"range": range(0, 0), "newText": "{}"},
        ]},
    ]}));
    assert_eq!(editor.text("a.prompt"), "1 2");
    assert_eq!(editor.text("b.json"), "{\"a\": 1}");
    assert_eq!(editor.text("c.json"), "{}");
    editor.close();
}
