//! Applies edits that the server offers or requests, as an editor does.
//!
//! An edit of an open document changes it; an edit of another file opens it first, as editors do.
//! An edit without file operations, as sent to Emacs and Vim, creates a file that does not exist.
//! The edits of a file all refer to its original text, so they are applied from end to start;
//! overlapping edits fail the test.

use std::ops::Range;

use serde_json::{Value, json};

use crate::editor::Editor;
use crate::text;

impl Editor {
    /// Applies a `WorkspaceEdit`.
    ///
    /// # Panics
    ///
    /// If it is for another version than the open one, contains invalid positions, or creates a
    /// file that exists.
    #[track_caller]
    pub fn apply(&mut self, edit: &Value) {
        if let Some(changes) = edit["changes"].as_object() {
            for (uri, edits) in changes {
                self.apply_to(uri, edits);
            }
        }
        for change in edit["documentChanges"].as_array().into_iter().flatten() {
            match change["kind"].as_str() {
                None => {
                    let uri = change["textDocument"]["uri"].as_str().expect("an edit has a uri");
                    let version = &change["textDocument"]["version"];
                    self.check_version(uri, version);
                    self.check_annotations(&change["edits"], &edit["changeAnnotations"]);
                    self.apply_to(uri, &change["edits"]);
                }
                Some("create") => {
                    let uri = change["uri"].as_str().expect("a new file has a uri");
                    let path = self.path_at(uri);
                    assert!(!self.workspace.path(&path).exists(), "{path} exists already");
                    self.write_file(&path, "");
                }
                Some(other) => panic!("the server wants to {other} a file"),
            }
        }
    }

    /// Waits until the server requests an edit, and applies it.
    #[track_caller]
    pub fn apply_next(&mut self) {
        let params = self.next_server_request("workspace/applyEdit");
        self.apply(&params["edit"]);
    }

    #[track_caller]
    fn apply_to(&mut self, uri: &str, edits: &Value) {
        let path = self.path_at(uri);
        if !self.documents.contains_key(&path) {
            let begins = !self.client.creates_files() && !self.workspace.path(&path).exists();
            match begins {
                true => self.open(&path, ""),
                false => self.open_file(&path),
            }
        }
        let before = self.documents[&path].text.clone();
        let mut edits: Vec<(Range<usize>, &str)> = edits
            .as_array()
            .expect("edits are a list")
            .iter()
            .map(|edit| {
                let offset = |place: &str| {
                    let position = &edit["range"][place];
                    text::offset(&before, position, self.encoding)
                        .unwrap_or_else(|| panic!("{path} has no place {position}"))
                };
                let new = edit["newText"].as_str().expect("an edit has a text");
                (offset("start")..offset("end"), new)
            })
            .collect();
        // Insertions at the same place keep their order.
        edits.sort_by_key(|(range, _)| (range.start, range.end));
        let mut after = before.clone();
        for pair in edits.windows(2) {
            assert!(pair[0].0.end <= pair[1].0.start, "{path}: two edits overlap");
        }
        let mut changes = Vec::new();
        for (range, new) in edits.iter().rev() {
            changes.push(json!({
                "range": text::range(&before, range.clone(), self.encoding), "text": new,
            }));
            after.replace_range(range.clone(), new);
        }
        self.change(&path, after, Value::from(changes));
    }

    #[track_caller]
    fn check_version(&self, uri: &str, version: &Value) {
        let open = self.documents.get(&self.path_at(uri)).map(|document| document.version);
        if let (Some(version), Some(open)) = (version.as_i64(), open) {
            assert_eq!(version, open, "the edit of {uri} is for another version");
        }
    }

    #[track_caller]
    fn check_annotations(&self, edits: &Value, annotations: &Value) {
        for edit in edits.as_array().into_iter().flatten() {
            if let Some(id) = edit["annotationId"].as_str() {
                assert!(annotations[id]["label"].is_string(), "`{id}` has no label");
            }
        }
    }

    /// The path in the workspace for a URI.
    #[track_caller]
    fn path_at(&self, uri: &str) -> String {
        let root = self.workspace.uri("");
        let path = uri.strip_prefix(root.as_str());
        path.unwrap_or_else(|| panic!("{uri} is outside the workspace")).to_owned()
    }
}
