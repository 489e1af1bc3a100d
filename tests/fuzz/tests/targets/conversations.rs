//! An editor with one arbitrary message: the server understands all others.

use std::io;
use std::time::Duration;

use promptls_fuzz::{Corpus, EXECUTIONS};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, duplex};
use tokio::time::timeout;

#[rustfmt::skip]
const PIECES: &[&str] = &[
    "Content-Length: ", "content-length:", "Content-Type: application/json\r\n", "\r\n", "\r\n\r\n",
    "{", "}", "[", "]", "\"", ",", ":", "\\", "\\ud83d", "null", "0", "-1", "9", "1e999", "{}",
    "\"id\":", "\"method\":", "\"params\":", "\"jsonrpc\":\"2.0\"", "\u{FEFF}", "🎉", "hello\n",
];

fn frame(message: &Value) -> Vec<u8> {
    let body = message.to_string();
    format!("Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

fn request(id: u32, method: &str, params: Value) -> Vec<u8> {
    frame(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))
}

fn notification(method: &str, params: Value) -> Vec<u8> {
    frame(&json!({"jsonrpc": "2.0", "method": method, "params": params}))
}

const INITIALIZE: u32 = 1_000_000;
const HOVER: u32 = 1_000_001;
const SHUTDOWN: u32 = 1_000_002;

/// The maximum time for a response.
const PATIENCE: Duration = Duration::from_secs(60);

/// A whole session around a message.
async fn goes_on_after(bytes: &[u8]) {
    let uri = "untitled:letter.adk.prompt";
    let document =
        json!({"uri": uri, "languageId": "prompt", "version": 1, "text": "Dear {name},"});
    let place = json!({"textDocument": {"uri": uri}, "position": {"line": 0, "character": 7}});
    let no_client = json!({"processId": null, "rootUri": null, "capabilities": {}});
    let opened = [
        notification("initialized", json!({})),
        notification("textDocument/didOpen", json!({"textDocument": document})),
        bytes.to_vec(),
        request(HOVER, "textDocument/hover", place),
    ];
    // An editor waits for these responses before it continues.
    let conversation = [
        (INITIALIZE, request(INITIALIZE, "initialize", no_client)),
        (HOVER, opened.concat()),
        (SHUTDOWN, request(SHUTDOWN, "shutdown", Value::Null)),
    ];
    let (editor, server) = duplex(1 << 20);
    let (input, output) = tokio::io::split(server);
    let (answers, mut tell) = tokio::io::split(editor);
    let talk = async {
        let mut answers = BufReader::new(answers);
        for (id, message) in conversation {
            tell.write_all(&message).await.expect("the server listens");
            let answered = async {
                while next(&mut answers).await.expect("the server goes on")["id"] != id {}
            };
            timeout(PATIENCE, answered).await.unwrap_or_else(|_| panic!("{id} has no answer"));
        }
        tell.write_all(&notification("exit", Value::Null)).await.expect("the server listens");
    };
    tokio::join!(talk, promptls_lsp::converse(input, output, io::sink()));
}

/// The next message of the server.
async fn next(answers: &mut (impl AsyncBufReadExt + Unpin)) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        answers.read_line(&mut line).await.ok().filter(|&read| read > 0)?;
        match line.trim_end().split_once(": ") {
            Some((_, value)) => length = value.parse().expect("it is a length"),
            None => break,
        }
    }
    let mut body = vec![0; length];
    answers.read_exact(&mut body).await.ok()?;
    serde_json::from_slice(&body).ok()
}

/// Runs a session with a paused clock that only advances when all tasks wait; nothing of it remains
/// afterwards.
fn goes_on(bytes: &[u8]) {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_all().start_paused(true).build();
    let runtime = runtime.expect("a runtime can be made");
    runtime.block_on(goes_on_after(bytes));
}

#[test]
fn conversations() {
    let corpus = || Corpus::of("conversations", PIECES);
    corpus().each(|text| goes_on(text.as_bytes()));
    bolero::check!()
        .with_iterations(EXECUTIONS)
        .with_generator(corpus().bytes())
        .for_each(|bytes| goes_on(&bytes.0));
}
