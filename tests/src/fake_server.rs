//! A minimal, correct language server, for the tests of the fake editor.
//!
//! It reports `custmer`, and shows the word under the cursor. Special requests make it misbehave:
//! `fake/send` sends any messages, `fake/panic` panics. Others return what it has received:
//! `fake/text`, `fake/answers`, `fake/pid`.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::process::ExitCode;

use promptls_tests::text::{self, Encoding};
use promptls_tests::wire::{self, Message};
use serde_json::{Value, json};

fn main() -> ExitCode {
    let mut input = io::stdin().lock();
    let mut server = FakeServer::default();
    loop {
        match wire::read(&mut input) {
            Ok(Some(Message::Request { id, method, params })) => {
                let outcome = server.answer(&method, &params);
                write_message(&wire::response(&id, outcome));
            }
            Ok(Some(Message::Notification { method, .. })) if method == "exit" => {
                return if server.is_shut_down { ExitCode::SUCCESS } else { ExitCode::FAILURE };
            }
            Ok(Some(Message::Notification { method, params })) => server.listen(&method, &params),
            Ok(Some(Message::Response { id, outcome })) => server.answers.push(match outcome {
                Ok(result) => json!([id, result]),
                Err(error) => json!([id, error["code"]]),
            }),
            Ok(None) => return ExitCode::FAILURE,
            Err(complaint) => {
                eprintln!("{complaint}");
                write_message(&json!({
                    "jsonrpc": "2.0",
                    "id": null,
                    "error": { "code": -32700, "message": "not a message" },
                }));
                return ExitCode::FAILURE;
            }
        }
    }
}

#[derive(Default)]
struct FakeServer {
    /// The current text of each open document, by URI.
    documents: BTreeMap<String, String>,
    encoding: Option<Encoding>,
    pulls: bool,
    is_shut_down: bool,
    /// The client's responses: id, and result or error code.
    answers: Vec<Value>,
}

impl FakeServer {
    fn answer(&mut self, method: &str, params: &Value) -> Result<Value, Value> {
        let uri = params["textDocument"]["uri"].as_str().unwrap_or_default();
        Ok(match method {
            "initialize" => self.initialize(params),
            "textDocument/hover" => match self.word_at(uri, &params["position"]) {
                Some(word) => json!({ "contents": { "kind": "plaintext", "value": word } }),
                None => Value::Null,
            },
            "textDocument/completion" => json!({ "items": [{ "label": "customer" }] }),
            "textDocument/diagnostic" => json!({ "kind": "full", "items": self.problems(uri) }),
            "shutdown" => {
                self.is_shut_down = true;
                Value::Null
            }
            "fake/send" => {
                params["messages"].as_array().into_iter().flatten().for_each(write_message);
                Value::Null
            }
            "fake/panic" => panic!("as asked"),
            "fake/text" => json!(self.documents.get(uri)),
            "fake/answers" => json!(self.answers),
            "fake/pid" => json!(std::process::id()),
            _ => return Err(json!({ "code": -32601, "message": "unknown method" })),
        })
    }

    fn initialize(&mut self, params: &Value) -> Value {
        let capabilities = &params["capabilities"];
        let offered = &capabilities["general"]["positionEncodings"][0];
        let encoding = offered.as_str().unwrap_or("utf-16");
        self.encoding = Encoding::named(encoding);
        self.pulls = capabilities["textDocument"].get("diagnostic").is_some();
        json!({ "capabilities": { "positionEncoding": encoding, "textDocumentSync": 2 } })
    }

    fn listen(&mut self, method: &str, params: &Value) {
        let document = &params["textDocument"];
        let uri = document["uri"].as_str().unwrap_or_default().to_owned();
        match method {
            "textDocument/didOpen" => {
                let text = document["text"].as_str().unwrap_or_default().to_owned();
                self.documents.insert(uri.clone(), text);
            }
            "textDocument/didChange" => {
                for change in params["contentChanges"].as_array().into_iter().flatten() {
                    self.change(&uri, change);
                }
            }
            _ => return,
        }
        if !self.pulls {
            let params = json!({
                "uri": uri, "version": document["version"], "diagnostics": self.problems(&uri),
            });
            write_message(&wire::notification("textDocument/publishDiagnostics", params));
        }
    }

    fn change(&mut self, uri: &str, change: &Value) {
        let encoding = self.encoding();
        let text = self.documents.get_mut(uri).expect("the document is open");
        let new = change["text"].as_str().unwrap_or_default();
        match change.get("range") {
            Some(range) => {
                let start = text::offset(text, &range["start"], encoding).expect("in the text");
                let end = text::offset(text, &range["end"], encoding).expect("in the text");
                text.replace_range(start..end, new);
            }
            None => new.clone_into(text),
        }
    }

    fn problems(&self, uri: &str) -> Vec<Value> {
        let text = self.documents.get(uri).map(String::as_str).unwrap_or_default();
        let problem = |(start, word): (usize, &str)| {
            let range = text::range(text, start..start + word.len(), self.encoding());
            json!({
                "range": range,
                "severity": 1,
                "code": "undefined-placeholder",
                "message": "`custmer` has no value",
                "relatedInformation": [{
                    "location": { "uri": uri, "range": range },
                    "message": "here",
                }],
            })
        };
        text.match_indices("custmer").map(problem).collect()
    }

    fn word_at(&self, uri: &str, position: &Value) -> Option<&str> {
        let text = self.documents.get(uri)?;
        let offset = text::offset(text, position, self.encoding())?;
        let is_other = |character: char| !character.is_alphanumeric();
        let start = text[..offset].rfind(is_other).map_or(0, |other| other + 1);
        let end = text[offset..].find(is_other).map_or(text.len(), |length| offset + length);
        Some(&text[start..end]).filter(|word| !word.is_empty())
    }

    fn encoding(&self) -> Encoding {
        self.encoding.expect("initialize comes first")
    }
}

fn write_message(message: &Value) {
    // The editor may have ended; then the next read fails.
    let mut output = io::stdout().lock();
    let _ = output.write_all(&wire::encode(message)).and_then(|()| output.flush());
}
