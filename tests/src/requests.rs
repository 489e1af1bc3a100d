//! Requests about a position in a document.
//!
//! The position is given by a piece of the text with the cursor in it: `{cust$0omer}`.

use serde_json::{Value, json};

use crate::editor::{Editor, RequestId};
use crate::text;

impl Editor {
    /// The hover at a position, [`with_paths`](Self::with_paths); `None` if there is none.
    #[track_caller]
    pub fn hover(&mut self, document: &str, place: &str) -> Option<String> {
        let id = self.send_hover(document, place);
        match self.answer(id) {
            Ok(result) => hover_text(&result).map(|text| self.with_paths(&text)),
            Err(error) => self.fail(&format!("no hover over `{place}`: {error}")),
        }
    }

    /// Requests a hover without waiting; read the response with [`hover_text`].
    #[track_caller]
    pub fn send_hover(&mut self, document: &str, place: &str) -> RequestId {
        let params = self.place(document, place);
        self.send_request("textDocument/hover", params)
    }

    /// The completion items at a position, in the server's order.
    #[track_caller]
    pub fn complete(&mut self, document: &str, place: &str) -> Vec<Value> {
        let params = self.place(document, place);
        let mut result = self.request("textDocument/completion", params);
        let items = if result.is_object() { result["items"].take() } else { result };
        match items {
            Value::Array(items) => items,
            Value::Null => Vec::new(),
            other => self.fail(&format!("neither a list of items nor null: {other}")),
        }
    }

    /// The params of a request about a position: `textDocument` and `position`.
    #[track_caller]
    pub fn place(&self, document: &str, place: &str) -> Value {
        let offset = self.cursor(document, place);
        let document = self.document(document);
        json!({
            "textDocument": { "uri": document.uri },
            "position": text::position(&document.text, offset, self.encoding),
        })
    }

    /// A text in which the URIs of workspace files are replaced by paths.
    pub fn with_paths(&self, text: &str) -> String {
        text.replace(&format!("{}/", self.uri("").trim_end_matches('/')), "")
    }

    /// The URI of a workspace file, or of an open document.
    pub fn uri(&self, path: &str) -> String {
        self.workspace.uri(path)
    }
}

/// The text of a hover; `None` if there is none.
///
/// # Panics
///
/// If it is not markup: the older forms are deprecated.
#[track_caller]
pub fn hover_text(result: &Value) -> Option<String> {
    if result.is_null() {
        return None;
    }
    let contents = &result["contents"];
    match (contents["kind"].as_str(), contents["value"].as_str()) {
        (Some("markdown" | "plaintext"), Some(text)) => Some(text.to_owned()),
        _ => panic!("a hover has markup as contents: {result}"),
    }
}
