//! Edits that the server offers or asks for, done as an editor does them.
//!
//! An edit of an open document is a change of it; an edit of another file opens
//! it first, as editors do. One that does not speak of creating files, as those of Emacs and Vim,
//! begins a file where there is none. All edits of a file speak of its text before them, so
//! they are done from the end to the start; overlapping ones fail the test.

use std::ops::Range;

use serde_json::{Value, json};

use crate::editor::Editor;
use crate::text;

impl Editor {
    /// Does a `WorkspaceEdit`.
    ///
    /// # Panics
    ///
    /// If it is for another version than the open one, names places that are not there, or
    /// creates a file that exists.
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

    /// Waits until the server asks for an edit, and does it.
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
        // Of several insertions at one place, the first comes first.
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
                assert!(annotations[id]["label"].is_string(), "nobody says what `{id}` is");
            }
        }
    }

    /// The path in the workspace of an address.
    #[track_caller]
    fn path_at(&self, uri: &str) -> String {
        let root = self.workspace.uri("");
        let path = uri.strip_prefix(root.as_str());
        path.unwrap_or_else(|| panic!("{uri} is outside the workspace")).to_owned()
    }
}
