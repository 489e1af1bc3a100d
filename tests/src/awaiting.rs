//! Waits for problems.

use std::time::Instant;

use serde_json::{Value, json};

use crate::editor::Editor;
use crate::limit::LIMIT;
use crate::problems::{complaints, text_in};

impl Editor {
    /// Waits until the problems of a document have these messages, in this order.
    ///
    /// They must be for the current text. A document that is not open is named by its path; then
    /// the last published problems count.
    #[track_caller]
    pub fn wait_for_problems(&mut self, document: &str, messages: &[&str]) {
        self.wait_for(document, &format!("{messages:#?}"), |diagnostics| {
            diagnostics.iter().map(|diagnostic| &diagnostic["message"]).eq(messages)
        });
    }

    /// Waits until the problems of a document have these codes, in this order.
    #[track_caller]
    pub fn wait_for_codes(&mut self, document: &str, codes: &[&str]) {
        self.wait_for(document, &format!("{codes:?}"), |diagnostics| {
            diagnostics.iter().map(|diagnostic| &diagnostic["code"]).eq(codes)
        });
    }

    /// Waits until the problems pushed for a file have these codes, whatever a client receives that
    /// pulls them.
    #[track_caller]
    pub fn wait_for_pushed(&mut self, path: &str, codes: &[&str]) {
        let uri = self.workspace.uri(path);
        let found = self.published(&uri, None, |diagnostics| {
            diagnostics.iter().map(|diagnostic| &diagnostic["code"]).eq(codes)
        });
        if let Err(last) = found {
            self.fail(&format!("no push of {codes:?} for {path}; the last was {last}"));
        }
    }

    /// The first problems for the current text, as formatted by [`text`].
    ///
    /// After a change of another file, newer ones may follow: then wait for a message or a code
    /// first.
    #[track_caller]
    pub fn problems_text(&mut self, document: &str) -> String {
        let diagnostics = self.wait_for(document, "anything", |_| true);
        text_in(&diagnostics, &self.workspace.uri(""))
    }

    /// Waits until `is_wanted` accepts the problems of a document; returns them.
    #[track_caller]
    pub fn wait_for(
        &mut self,
        document: &str,
        wanted: &str,
        is_wanted: impl Fn(&[Value]) -> bool,
    ) -> Vec<Value> {
        let open = self.open_document(document);
        let found = match &open {
            Some((uri, _)) if self.client.pull_diagnostics => self.pull_until(uri, is_wanted),
            Some((uri, version)) => self.published(uri, Some(*version), is_wanted),
            None => {
                // A mistyped name would have no problems either.
                let is_known = !is_wanted(&[])
                    || self.workspace.path(document).exists()
                    || self
                        .connection
                        .inbox()
                        .published
                        .contains_key(&self.workspace.uri(document));
                assert!(is_known, "`{document}` is neither a document nor a file of the workspace");
                self.published(&self.workspace.uri(document), None, is_wanted)
            }
        };
        match found {
            Ok(diagnostics) => diagnostics,
            Err(last) => {
                let version = open.map_or(String::new(), |(_, version)| format!(" {version}"));
                self.fail(&format!(
                    "{document}: the problems of version{version} should be\n{wanted}\n\
                     the last ones are {last}"
                ))
            }
        }
    }

    /// The URI and the version of an open document; `None` for any other file.
    #[track_caller]
    fn open_document(&self, name: &str) -> Option<(String, i64)> {
        // A path with a dot that is not open is a file. Any other name is short for an open
        // document, and an error if there is none.
        if name.contains('.') && !self.documents.contains_key(name) {
            return None;
        }
        let document = self.document(name);
        Some((document.uri.clone(), document.version))
    }

    fn published(
        &self,
        uri: &str,
        version: Option<i64>,
        is_wanted: impl Fn(&[Value]) -> bool,
    ) -> Result<Vec<Value>, String> {
        let found = self.connection.wait(LIMIT, |inbox| match inbox.published.get_mut(uri) {
            Some(published) if version.is_none() || published.version == version => {
                is_wanted(&published.diagnostics).then(|| {
                    published.seen.clone_from(&published.diagnostics);
                    published.diagnostics.clone()
                })
            }
            // A file without notifications has no problems.
            None if version.is_none() && is_wanted(&[]) => Some(Vec::new()),
            _ => None,
        });
        found.ok_or_else(|| match self.connection.inbox().published.get(uri) {
            Some(last) => {
                let shown = text_in(&last.diagnostics, &self.workspace.uri(""));
                format!("of version {:?}:\n{shown}", last.version)
            }
            None => "still to come".to_owned(),
        })
    }

    /// Requests again after each message that is no response, since any of them may change the
    /// result.
    #[track_caller]
    fn pull_until(
        &mut self,
        uri: &str,
        is_wanted: impl Fn(&[Value]) -> bool,
    ) -> Result<Vec<Value>, String> {
        let deadline = Instant::now() + LIMIT;
        loop {
            // Read before the request: a message that arrives with the response may be newer than
            // it.
            let seen = self.connection.inbox().news;
            let params = json!({ "textDocument": { "uri": uri } });
            let report = self.request("textDocument/diagnostic", params);
            let Some(diagnostics) = report["items"].as_array().filter(|_| report["kind"] == "full")
            else {
                self.fail(&format!("a first report is a full one: {report}"));
            };
            self.connection.inbox().complaints.extend(complaints(diagnostics, &self.client));
            if is_wanted(diagnostics) {
                return Ok(diagnostics.clone());
            }
            let left = deadline.saturating_duration_since(Instant::now());
            let news = self.connection.wait(left, |inbox| (inbox.news > seen).then_some(()));
            if news.is_none() {
                return Err(format!("\n{}", text_in(diagnostics, &self.workspace.uri(""))));
            }
        }
    }
}
