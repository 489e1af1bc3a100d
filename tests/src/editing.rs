//! Documents in the editor, and files changed by other programs.
//!
//! A document is named by its path in the workspace, or by the start of its file name up to a dot:
//! `letter` for `letters/letter.adk.prompt`. A start must match only one open document.

use std::fs;
use std::ops::Range;

use serde_json::{Value, json};

use crate::editor::Editor;
use crate::text;

/// The editor's own copy of an open document.
#[derive(Debug)]
pub struct Document {
    pub uri: String,
    pub version: i64,
    pub text: String,
}

impl Editor {
    /// Opens a document with this text, whatever is on disk.
    #[track_caller]
    pub fn open(&mut self, path: &str, text: &str) {
        self.open_in_language(path, language_id(path), text);
    }

    /// Opens a document with a language id.
    #[track_caller]
    pub fn open_in_language(&mut self, path: &str, language_id: &str, text: &str) {
        assert!(!self.documents.contains_key(path), "{path} is open");
        let uri = self.workspace.uri(path);
        let version = self.next_version(path);
        let item = json!({
            "uri": uri, "languageId": language_id, "version": version, "text": text,
        });
        self.notify("textDocument/didOpen", json!({ "textDocument": item }));
        let document = Document { uri, version, text: text.to_owned() };
        self.documents.insert(path.to_owned(), document);
    }

    /// Opens a document with the text on disk.
    #[track_caller]
    pub fn open_file(&mut self, path: &str) {
        let text = self.workspace.read(path);
        self.open(path, &text);
    }

    /// Replaces the only occurrence of `old` in a document.
    #[track_caller]
    pub fn replace(&mut self, document: &str, old: &str, new: &str) {
        let start = text::find_only(&self.document(document).text, old);
        self.replace_bytes(document, start..start + old.len(), new);
    }

    /// Types at the mark `$0` in `place`, with one message for each character.
    #[track_caller]
    pub fn type_at(&mut self, document: &str, place: &str, typed: &str) {
        let mut cursor = self.cursor(document, place);
        for character in typed.chars() {
            self.replace_bytes(document, cursor..cursor, character.encode_utf8(&mut [0; 4]));
            cursor += character.len_utf8();
        }
    }

    /// Replaces these bytes of a document, with one message that contains the changed range.
    #[track_caller]
    pub fn replace_bytes(&mut self, document: &str, bytes: Range<usize>, new: &str) {
        let range = text::range(&self.document(document).text, bytes.clone(), self.encoding);
        let mut text = self.document(document).text.clone();
        text.replace_range(bytes, new);
        self.change(document, text, json!([{ "range": range, "text": new }]));
    }

    /// Replaces a whole document, with one message without a range.
    #[track_caller]
    pub fn set_text(&mut self, document: &str, text: &str) {
        self.change(document, text.to_owned(), json!([{ "text": text }]));
    }

    /// Sends the given `contentChanges`, after which the document must be `text`.
    #[track_caller]
    pub fn change(&mut self, document: &str, text: String, content_changes: Value) {
        let path = self.path_of(document);
        let version = self.next_version(&path);
        let document = self.documents.get_mut(&path).expect("path_of finds open documents");
        document.version = version;
        document.text = text;
        let params = json!({
            "textDocument": { "uri": document.uri, "version": version },
            "contentChanges": content_changes,
        });
        self.notify("textDocument/didChange", params);
    }

    /// Closes a document, saved or not.
    #[track_caller]
    pub fn close_document(&mut self, document: &str) {
        let path = self.path_of(document);
        let document = self.documents.remove(&path).expect("path_of finds open documents");
        let params = json!({ "textDocument": { "uri": document.uri } });
        self.notify("textDocument/didClose", params);
    }

    /// Saves a document, with all notifications of an editor.
    #[track_caller]
    pub fn save(&mut self, document: &str) {
        let path = self.path_of(document);
        let text = self.document(&path).text.clone();
        let params = json!({ "textDocument": { "uri": self.document(&path).uri } });
        self.write_file(&path, &text);
        self.notify("textDocument/didSave", params);
    }

    /// Whether a file is open.
    pub fn is_open(&self, path: &str) -> bool {
        self.documents.contains_key(path)
    }

    /// The text of an open document.
    #[track_caller]
    pub fn text(&self, document: &str) -> &str {
        &self.document(document).text
    }

    /// Writes a file on disk and reports the change, as an editor's file watcher does.
    #[track_caller]
    pub fn write_file(&mut self, path: &str, text: impl AsRef<[u8]>) {
        let is_new = !self.workspace.path(path).exists();
        self.workspace.write(path, text);
        self.report_file(path, if is_new { CREATED } else { CHANGED });
    }

    /// Removes a file on disk and reports the change, as an editor's file watcher does.
    #[track_caller]
    pub fn remove_file(&mut self, path: &str) {
        self.workspace.remove(path);
        self.report_file(path, DELETED);
    }

    /// Moves a folder on disk and reports the change, as an editor's file watcher does.
    #[track_caller]
    pub fn move_folder(&mut self, from: &str, to: &str) {
        fs::rename(self.workspace.path(from), self.workspace.path(to)).expect("it can be moved");
        self.report_file(from, DELETED);
        self.report_file(to, CREATED);
    }

    fn report_file(&mut self, path: &str, kind: u8) {
        let change = json!({ "uri": self.workspace.uri(path), "type": kind });
        self.notify("workspace/didChangeWatchedFiles", json!({ "changes": [change] }));
    }

    /// The byte offset of the mark `$0` in `place`, in a document.
    #[track_caller]
    pub(crate) fn cursor(&self, document: &str, place: &str) -> usize {
        let (needle, cursor) = text::take_cursor(place);
        text::find_only(&self.document(document).text, &needle) + cursor
    }

    #[track_caller]
    pub(crate) fn document(&self, name: &str) -> &Document {
        &self.documents[&self.path_of(name)]
    }

    /// The path of the open document for `name`.
    #[track_caller]
    pub(crate) fn path_of(&self, name: &str) -> String {
        if self.documents.contains_key(name) {
            return name.to_owned();
        }
        let begins_so = |path: &&String| {
            let file_name = path.rsplit('/').next().unwrap_or_default();
            file_name.strip_prefix(name).is_some_and(|rest| rest.starts_with('.'))
        };
        match self.documents.keys().filter(begins_so).collect::<Vec<_>>()[..] {
            [path] => path.clone(),
            _ => panic!("`{name}` is not one of the open documents: {:?}", self.documents.keys()),
        }
    }

    fn next_version(&mut self, path: &str) -> i64 {
        let version = self.versions.entry(path.to_owned()).or_default();
        *version += 1;
        *version
    }
}

// The protocol's `FileChangeType`.
const CREATED: u8 = 1;
const CHANGED: u8 = 2;
const DELETED: u8 = 3;

/// The language id of a file in an editor without the extension.
fn language_id(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("json") => "json",
        Some("yaml" | "yml") => "yaml",
        Some("toml") => "toml",
        Some("prompt") => "prompt",
        _ => "plaintext",
    }
}
