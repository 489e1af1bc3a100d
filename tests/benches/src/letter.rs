//! An open prompt in a server, in which letters are typed.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::server::{Server, uri};
use promptls_tests::workloads::long_prompt;

/// A prompt on disk with its inputs: lines of prose, a placeholder in each kilobyte, nothing wrong.
pub struct Letter {
    folder: TempDir,
    path: PathBuf,
    text: String,
}

impl Letter {
    pub fn new(kilobytes: usize) -> Letter {
        let (text, inputs) = long_prompt(kilobytes);
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let path = folder.path().join("letter.agentle.prompt");
        fs::write(&path, &text).expect("the temporary folder can be written");
        fs::write(path.with_extension("inputs.json"), inputs.to_string())
            .expect("the temporary folder can be written");
        Letter { folder, path, text }
    }

    /// Opens it in a server, and waits until its problems are known.
    pub fn open_in<'s>(&self, server: &'s mut Server) -> OpenLetter<'s> {
        let uri = uri(&self.path);
        server.initialize(self.folder.path());
        server.notify("initialized", json!({}));
        let item = json!({
            "uri": uri, "languageId": "prompt-agentle", "version": 0, "text": self.text,
        });
        server.notify("textDocument/didOpen", json!({ "textDocument": item }));
        server.wait_for_problems(&uri, 0);
        OpenLetter { server, uri, version: 0, lines: self.text.lines().count() as u64 }
    }
}

pub struct OpenLetter<'s> {
    server: &'s mut Server,
    uri: String,
    version: u64,
    lines: u64,
}

impl OpenLetter<'_> {
    /// Types a letter somewhere, or deletes it: the time until the problems of exactly this version
    /// have arrived.
    ///
    /// # Panics
    ///
    /// If there are any problems.
    pub fn keystroke(&mut self) -> Duration {
        self.version += 1;
        // Odd versions type; the even ones after them delete at the same place. The order of lines
        // leaves caches cold.
        let line = self.version.div_ceil(2) * 7_368_787 % self.lines;
        let types = self.version % 2 == 1;
        let position = |character: u32| json!({ "line": line, "character": character });
        let range = json!({ "start": position(0), "end": position(u32::from(!types)) });
        let change = json!({ "range": range, "text": if types { "x" } else { "" } });
        let params = json!({
            "textDocument": { "uri": self.uri, "version": self.version },
            "contentChanges": [change],
        });
        let start = Instant::now();
        self.server.notify("textDocument/didChange", params);
        let problems = self.server.wait_for_problems(&self.uri, self.version);
        let elapsed = start.elapsed();
        assert_eq!(problems, 0, "nothing is wrong with this prompt");
        elapsed
    }

    /// Requests the preview: the time until it arrives.
    ///
    /// # Panics
    ///
    /// If it is not that of the last version.
    pub fn preview(&mut self) -> (Duration, Value) {
        let params = json!({ "textDocument": { "uri": self.uri } });
        let start = Instant::now();
        let preview = self.server.request("promptls/preview", params);
        let elapsed = start.elapsed();
        assert_eq!(preview["version"], self.version, "of the text as it is now");
        (elapsed, preview)
    }
}
