//! The server with an editor that sends invalid messages or has ended.
//!
//! The tests verify that it continues, and its state afterwards, but not the wording of messages.
//! After each invalid message, the same hover must still be right. Editors that are fast or slow
//! are in `haste.rs`.

use std::io::Write;
use std::process::{Child, Command, Stdio};

use promptls_tests::letter::{PROMPT, assert_is_alive, letter, shows, start, start_as};
use promptls_tests::{Client, Editor, Workspace, promptls_path, wait_for, wire};
use serde_json::{Value, json};

// JSON-RPC and LSP error codes.
const INVALID_REQUEST: i64 = -32600;
const METHOD_NOT_FOUND: i64 = -32601;
const INVALID_PARAMS: i64 = -32602;
const SERVER_NOT_INITIALIZED: i64 = -32002;

// Before initialization, and at the end.

#[test]
fn a_request_before_initialize_is_refused() {
    let mut editor = Editor::start_silent(Client::default(), letter());
    let place = json!({
        "textDocument": {"uri": editor.uri(PROMPT)}, "position": {"line": 0, "character": 7},
    });
    let error = editor.request_error("textDocument/hover", place);
    assert_eq!(error["code"], SERVER_NOT_INITIALIZED);

    editor.notify("textDocument/didClose", json!({"textDocument": {"uri": "file:///a"}}));
    editor.initialize();
    editor.ignore_problems();
    editor.open_file(PROMPT);
    assert_is_alive(&mut editor);
    editor.close();
}

#[test]
fn a_second_initialize_is_refused() {
    let mut editor = start();
    let params = json!({"processId": null, "rootUri": null, "capabilities": {}});
    assert_eq!(editor.request_error("initialize", params)["code"], INVALID_REQUEST);
    assert_is_alive(&mut editor);
    editor.close();
}

#[test]
fn a_request_after_shutdown_is_refused() {
    let mut editor = start();
    editor.request("shutdown", Value::Null);
    let place = editor.place("letter", "{cust$0omer}");
    assert_eq!(editor.request_error("textDocument/hover", place)["code"], INVALID_REQUEST);

    editor.notify("exit", Value::Null);
    assert_eq!(editor.wait_for_end().code, Some(0));
}

#[test]
fn an_exit_without_shutdown_has_code_1() {
    let mut editor = start();
    editor.notify("exit", Value::Null);
    assert_eq!(editor.wait_for_end().code, Some(1));
}

#[test]
fn the_server_exits_when_its_input_closes() {
    let mut editor = start();
    editor.close_stdin();
    editor.wait_for_end();

    let mut editor = Editor::start_silent(Client::default(), letter());
    editor.close_stdin();
    editor.wait_for_end();
}

/// A server whose stdin stays open, and its exit code.
fn exit_code_with_open_stdin(run: impl FnOnce(&mut Child)) -> Option<i32> {
    let mut command = Command::new(promptls_path());
    command.arg("lsp").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut server = command.spawn().expect("the program starts");
    run(&mut server);
    wait_for(&mut server).code()
}

fn send_message(server: &mut Child, message: &Value) {
    let stdin = server.stdin.as_mut().expect("it is piped");
    stdin.write_all(&wire::encode(message)).expect("it listens");
}

#[test]
fn the_server_exits_with_the_process_of_the_editor() {
    let mut editor = Command::new("sleep").arg("1000").spawn().expect("there is such a program");
    let code = exit_code_with_open_stdin(|server| {
        let params = json!({"processId": editor.id(), "rootUri": null, "capabilities": {}});
        send_message(server, &wire::request(1, "initialize", params));
        // Its stderr is closed when it exits.
        drop(server.stderr.take());
        editor.kill().expect("it runs");
        editor.wait().expect("it was killed");
    });
    assert_eq!(code, Some(1));
}

#[test]
#[cfg(target_os = "linux")]
fn many_requests_without_waiting_use_few_threads() {
    let mut editor = start();
    let text = "Dear {customer}, ".repeat(4_000);
    editor.ignore_problems();
    editor.open("long.adk.prompt", &text);
    let params = json!({"textDocument": {"uri": editor.uri("long.adk.prompt")}});
    let requests: Vec<_> = (0..30)
        .map(|_| editor.send_request("textDocument/semanticTokens/full", params.clone()))
        .collect();
    let mut most = 0;
    for id in requests {
        editor.answer(id).expect("it has an answer");
        let tasks = std::fs::read_dir(format!("/proc/{}/task", editor.server_id()));
        most = most.max(tasks.expect("it runs").count());
    }
    let processors = std::thread::available_parallelism().expect("there are some").get();
    assert!(most < 10 + 2 * processors, "{most} threads");
    editor.close();
}

#[test]
fn the_server_exits_when_its_output_closes() {
    let code = exit_code_with_open_stdin(|server| {
        drop(server.stdout.take());
        let params = json!({"processId": null, "rootUri": null, "capabilities": {}});
        send_message(server, &wire::request(1, "initialize", params));
    });
    assert_eq!(code, Some(1));
}

#[test]
fn the_server_exits_if_input_ends_in_the_middle_of_a_message() {
    let mut editor = start();
    editor.send_bytes("Content-Length: 100\r\n\r\n{\"jsonrpc\"");
    editor.ignore_errors_without_id();
    editor.close_stdin();
    editor.wait_for_end();
}

#[test]
#[cfg(unix)]
fn the_server_supports_sockets_as_stdio() {
    let transport = promptls_tests::Transport::Sockets;
    let mut editor = start_as(Client { transport, ..Client::default() });
    assert_is_alive(&mut editor);
    editor.close();
}

// Invalid or unknown messages.

#[test]
fn an_invalid_message_does_not_affect_the_next_one() {
    let message = |body: &str| format!("Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes();
    let nothing = |params: &str| {
        message(&format!(r#"{{"jsonrpc":"2.0","method":"$/nothing","params":{params}}}"#))
    };
    let bad: [(&str, Vec<u8>); 20] = [
        ("no header", b"hello\r\n\r\n".to_vec()),
        ("a stray print", b"hello\n".to_vec()),
        ("no text", b"\0\xff\xfe\r\n\r\n".to_vec()),
        ("a length in letters", b"Content-Length: two\r\n\r\n".to_vec()),
        ("no length", b"Content-Type: application/vscode-jsonrpc\r\n\r\n{}".to_vec()),
        ("too short a length", b"Content-Length: 5\r\n\r\n{\"jsonrpc\":\"2.0\",\"method\":\"$/x\"}".to_vec()),
        ("too long a length", b"Content-Length: 99\r\n\r\n{\"jsonrpc\":\"2.0\",\"method\":\"$/x\"}".to_vec()),
        ("no JSON", message("hello")),
        ("no UTF-8", b"Content-Length: 4\r\n\r\n\"\xff\xfe\"".to_vec()),
        ("a list", message("[]")),
        ("no method", message(r#"{"jsonrpc":"2.0"}"#)),
        ("half a message", message(r#"{"id":"#)),
        ("no method for an answer", message(r#"{"jsonrpc":"2.0","id":null,"method":null}"#)),
        ("two params", message(r#"{"jsonrpc":"2.0","method":"$/x","params":{},"params":[]}"#)),
        ("half a character", nothing(r#"["\ud83d"]"#)),
        ("no UTF-8 in params", [b"Content-Length: 50\r\n\r\n{\"jsonrpc\":\"2.0\",\"method\":\"$/nothing\",\"params\":[\"\xff".as_slice(), b"\"]}"].concat()),
        ("too deep", nothing(&format!("{}{}", "[".repeat(127), "]".repeat(127)))),
        ("far too deep", nothing(&format!("{}{}", "[".repeat(100_000), "]".repeat(100_000)))),
        ("a blank before the header", [b" \t\r\n".to_vec(), nothing("[]")].concat()),
        ("other letters", String::from_utf8(nothing("[]")).unwrap().replace("Content-Length: ", "X-A: 1\r\nX-B: 2\r\ncontent-length :").into_bytes()),
    ];
    for (what, bytes) in bad {
        let mut editor = start();
        assert_is_alive(&mut editor);
        editor.ignore_errors_without_id();
        editor.send_bytes(bytes);
        let id = editor.send_hover("letter", "{cust$0omer}");
        let answer = editor.answer(id);
        assert!(shows(&answer, "Ada"), "after {what}: {answer:?}");
        editor.close();
    }
}

#[test]
fn half_a_surrogate_pair_counts_as_one_unit() {
    let mut editor = start();
    let uri = editor.uri(PROMPT);
    // JavaScript produces this when a text is cut within an emoji.
    let body = format!(
        r#"{{"jsonrpc":"2.0","method":"textDocument/didChange","params":{{"textDocument":{{"uri":"{uri}","version":1000}},"contentChanges":[{{"text":"\ud83d {{customer}}"}}]}}}}"#
    );
    editor.send_bytes(format!("Content-Length: {}\r\n\r\n{body}", body.len()));
    let hover = |character| json!({"textDocument": {"uri": uri}, "position": {"line": 0, "character": character}});
    assert_eq!(editor.request("textDocument/hover", hover(1)), Value::Null);
    let found = editor.request("textDocument/hover", hover(2));
    assert!(shows(&Ok(found), "Ada"));
    editor.close();
}

#[test]
fn changes_of_a_version_are_applied_completely_or_not_at_all() {
    let mut editor = start();
    editor.ignore_notifications("window/logMessage");
    let place = |character: u32| json!({"line": 0, "character": character});
    let params = json!({
        "textDocument": {"uri": editor.uri(PROMPT), "version": 1_000},
        "contentChanges": [
            {"range": {"start": place(0), "end": place(0)}, "text": "Oh, "},
            {"range": {"start": place(5), "end": place(2)}, "text": "x"},
        ],
    });
    editor.notify("textDocument/didChange", params);
    assert_is_alive(&mut editor);
    editor.set_text("letter", "Dear {customer},");
    assert_is_alive(&mut editor);
    editor.close();
}

#[test]
fn a_message_may_arrive_byte_by_byte() {
    let mut editor = start();
    let params = json!({
        "textDocument": {"uri": editor.uri(PROMPT), "version": 1_000},
        "contentChanges": [{"text": "To {city},"}],
    });
    editor.send_one_by_one(wire::encode(&wire::notification("textDocument/didChange", params)));
    let place = json!({
        "textDocument": {"uri": editor.uri(PROMPT)}, "position": {"line": 0, "character": 5},
    });
    let hover = editor.request("textDocument/hover", place);
    assert!(shows(&Ok(hover.clone()), "London"), "{hover}");
    editor.close();
}

#[test]
fn a_header_may_contain_the_content_type() {
    let mut editor = start();
    let body = wire::notification("$/nothing", Value::Null).to_string();
    let content_type = "application/vscode-jsonrpc; charset=utf-8";
    let length = body.len();
    editor.send_bytes(format!(
        "Content-Length: {length}\r\nContent-Type: {content_type}\r\n\r\n{body}"
    ));
    assert_is_alive(&mut editor);
    editor.close();
}

#[test]
fn an_unknown_request_is_refused() {
    let mut editor = start();
    for method in ["textDocument/pleaseWriteMyPrompt", "", "$/pleaseWriteMyPrompt"] {
        let error = editor.request_error(method, json!({}));
        assert_eq!(error["code"], METHOD_NOT_FOUND, "{method:?}");
    }
    assert_is_alive(&mut editor);
    editor.close();
}

#[test]
fn an_unknown_notification_is_ignored() {
    let mut editor = start();
    editor.notify("textDocument/didSmile", json!({}));
    editor.notify("$/didSmile", json!([1, 2]));
    assert_is_alive(&mut editor);
    editor.close();
}

#[test]
fn params_of_a_wrong_shape_are_refused() {
    let mut editor = start();
    for params in [json!({}), json!([]), json!({"textDocument": 1, "position": "here"})] {
        let error = editor.request_error("textDocument/hover", params);
        assert_eq!(error["code"], INVALID_PARAMS);
    }
    editor.notify("textDocument/didChange", json!({"contentChanges": "all of them"}));
    editor.notify("textDocument/didOpen", json!({"textDocument": null}));
    assert_is_alive(&mut editor);
    editor.close();
}

// Invalid edits.

#[test]
fn a_column_past_the_end_of_a_line_is_its_end() {
    let mut editor = start();
    editor.set_text("letter", "Dear \n{customer},");
    let end = json!({"line": 0, "character": 1_000});
    let change = json!([{"range": {"start": end, "end": end}, "text": "{city}"}]);
    editor.change("letter", "Dear {city}\n{customer},".to_owned(), change);

    let hover = editor.hover("letter", "{ci$0ty}").unwrap_or_default();
    assert!(hover.contains("London"), "{hover}");
    assert_is_alive(&mut editor);
    editor.close();
}

#[test]
fn the_server_recovers_from_an_edit_outside_the_text() {
    let place = |line: i64, character: i64| json!({"line": line, "character": character});
    for (start_at, end_at) in [
        (place(1_000, 0), place(1_000, 0)),
        (place(0, 0), place(1_000, 1_000)),
        (place(0, 5), place(0, 2)),
        (place(i64::from(u32::MAX), i64::from(u32::MAX)), place(0, 0)),
        (place(-1, 0), place(0, 0)),
        // Between the surrogates of the emoji.
        (place(1, 1), place(1, 1)),
    ] {
        let mut editor = start();
        editor.ignore_notifications("window/logMessage");
        editor.set_text("letter", "Dear {customer},\n😀");
        let text = editor.text("letter").to_owned();
        let range = json!({"start": start_at, "end": end_at});
        editor.change("letter", text, json!([{"range": range, "text": "x"}]));

        editor.set_text("letter", "Dear {customer},");
        assert_is_alive(&mut editor);
        editor.close();
    }
}

#[test]
fn a_position_outside_the_text_has_no_hover() {
    let mut editor = start();
    for (line, character) in [(1_000, 0), (0, 1_000), (u32::MAX, u32::MAX)] {
        let place = json!({
            "textDocument": {"uri": editor.uri(PROMPT)},
            "position": {"line": line, "character": character},
        });
        assert_eq!(editor.request("textDocument/hover", place), Value::Null);
    }
    assert_is_alive(&mut editor);
    editor.close();
}

#[test]
fn the_server_recovers_from_versions_out_of_order() {
    let mut editor = start();
    editor.ignore_notifications("window/logMessage");
    for _ in 0..3 {
        editor.set_text("letter", "Dear {customer},");
    }
    for version in [2, 2, -1, 0] {
        let params = json!({
            "textDocument": {"uri": editor.uri(PROMPT), "version": version},
            "contentChanges": [{"text": "late"}],
        });
        editor.notify("textDocument/didChange", params);
    }
    editor.set_text("letter", "Dear {customer},");
    assert_is_alive(&mut editor);
    editor.close();
}

/// As some plugins for Vim do after an edit requested by the server.
#[test]
fn a_full_text_with_a_repeated_version_is_accepted() {
    let mut editor = start();
    editor.set_text("letter", "Dear {customer},");
    let params = json!({
        "textDocument": {"uri": editor.uri(PROMPT), "version": 2},
        "contentChanges": [{"text": "To {city},"}],
    });
    editor.notify("textDocument/didChange", params);
    let place = json!({
        "textDocument": {"uri": editor.uri(PROMPT)}, "position": {"line": 0, "character": 5},
    });
    let hover = editor.request("textDocument/hover", place);
    assert!(shows(&Ok(hover.clone()), "London"), "{hover}");
    editor.close();
}

#[test]
fn notifications_for_documents_that_are_not_open_are_ignored() {
    let mut editor = start();
    editor.ignore_notifications("window/logMessage");
    for uri in ["file:///nowhere.adk.prompt", "untitled:Untitled-1", "git:/a%00b?ref=%ff"] {
        let change = json!({
            "textDocument": {"uri": uri, "version": 2},
            "contentChanges": [{"text": "Dear {customer},"}],
        });
        editor.notify("textDocument/didChange", change);
        editor.notify("textDocument/didSave", json!({"textDocument": {"uri": uri}}));
        editor.notify("textDocument/didClose", json!({"textDocument": {"uri": uri}}));
        editor.notify("textDocument/didClose", json!({"textDocument": {"uri": uri}}));
    }
    assert_is_alive(&mut editor);
    editor.close();
}

#[test]
fn a_document_that_is_opened_twice_follows_its_edits() {
    let mut editor = start();
    editor.ignore_notifications("window/logMessage");
    let item = json!({
        "uri": editor.uri(PROMPT), "languageId": "prompt", "version": 1, "text": "again",
    });
    editor.notify("textDocument/didOpen", json!({"textDocument": item}));
    editor.set_text("letter", "Dear {customer},");
    assert_is_alive(&mut editor);
    editor.close();
}

#[test]
fn a_second_initialized_notification_registers_nothing_twice() {
    let mut editor = Editor::start(Workspace::new(&[("a.adk.prompt", "{x}")]));
    editor.notify("initialized", json!({}));
    editor.open_file("a.adk.prompt");
    editor.wait_for_codes("a.adk.prompt", &["no-inputs"]);
    let mut methods = Vec::new();
    while editor.waiting_server_requests("client/registerCapability") > 0 {
        let request = editor.next_server_request("client/registerCapability");
        methods.push(request["registrations"][0]["method"].clone());
    }
    methods.sort_by_key(ToString::to_string);
    assert_eq!(methods, ["workspace/didChangeConfiguration", "workspace/didChangeWatchedFiles"]);
    editor.close();
}
