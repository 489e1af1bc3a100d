//! The capabilities and the behaviour of an editor.
//!
//! The default is that of VS Code: UTF-16 only, pushed problems, file watching on request. A test
//! for another editor sets the differences: `Client { pull_diagnostics: true, ..Client::default()
//! }`.

use serde_json::{Value, json};

/// The type of the server's stdin and stdout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transport {
    /// As in most programs that start a child process.
    Pipes,
    /// As in Node, and therefore VS Code.
    #[cfg(unix)]
    Sockets,
}

/// An editor, as visible to a server.
#[derive(Clone, Debug)]
pub struct Client {
    /// The offered encodings, best first; empty for an editor older than LSP 3.17.
    pub position_encodings: Vec<&'static str>,
    /// Whether it pulls problems instead of having them pushed.
    pub pull_diagnostics: bool,
    /// Whether the server may request file watching.
    pub watched_files: bool,
    /// Whether a problem may contain related places.
    pub related_information: bool,
    /// The user's settings by section, requested with `workspace/configuration`; `None` for an
    /// editor without that request.
    pub settings: Option<Value>,
    /// Whether the server may report progress.
    pub progress: bool,
    /// Whether the server may request a refresh (`workspace/*/refresh`).
    pub refresh: bool,
    /// Whether it responds to requests of the server.
    pub answers: bool,
    /// The number of edits that it rejects, from the first one on.
    pub refused_edits: usize,
    /// Additional capabilities, merged into those of the fields above.
    pub more_capabilities: Value,
    /// Sent as `initializationOptions` unless it is null.
    pub initialization_options: Value,
    /// The transport to the server.
    pub transport: Transport,
}

impl Default for Client {
    fn default() -> Self {
        Self {
            position_encodings: vec!["utf-16"],
            pull_diagnostics: false,
            watched_files: true,
            related_information: true,
            settings: Some(json!({})),
            progress: false,
            refresh: true,
            answers: true,
            refused_edits: 0,
            more_capabilities: json!({}),
            initialization_options: Value::Null,
            transport: Transport::Pipes,
        }
    }
}

impl Client {
    /// The `capabilities` of the `initialize` request.
    pub fn capabilities(&self) -> Value {
        let refresh = json!({ "refreshSupport": self.refresh });
        let mut capabilities = json!({
            "general": {},
            "window": { "workDoneProgress": self.progress },
            "workspace": {
                "configuration": self.settings.is_some(),
                "workspaceFolders": true,
                "didChangeConfiguration": { "dynamicRegistration": true },
                "didChangeWatchedFiles": {
                    "dynamicRegistration": self.watched_files,
                    "relativePatternSupport": true,
                },
                "applyEdit": true,
                "workspaceEdit": {
                    "documentChanges": true,
                    "changeAnnotationSupport": { "groupsOnLabel": true },
                    "resourceOperations": ["create", "rename", "delete"],
                },
                "diagnostics": refresh,
                "semanticTokens": refresh,
                "inlayHint": refresh,
                "codeLens": refresh,
            },
            "textDocument": {
                "publishDiagnostics": {
                    "relatedInformation": self.related_information,
                    "tagSupport": { "valueSet": [1, 2] },
                    "versionSupport": true,
                    "codeDescriptionSupport": true,
                    "dataSupport": true,
                },
                "hover": { "contentFormat": ["markdown", "plaintext"] },
                "completion": {
                    "completionItem": {
                        "snippetSupport": true,
                        "documentationFormat": ["markdown", "plaintext"],
                        "insertReplaceSupport": true,
                    },
                },
                "codeAction": {
                    "codeActionLiteralSupport": {
                        "codeActionKind": { "valueSet": ["quickfix", "refactor", "source"] },
                    },
                    "isPreferredSupport": true,
                    "dataSupport": true,
                    "resolveSupport": { "properties": ["edit"] },
                },
                "documentSymbol": { "hierarchicalDocumentSymbolSupport": true },
                "definition": { "linkSupport": true },
                "rename": { "prepareSupport": true, "honorsChangeAnnotations": true },
                "semanticTokens": {
                    "requests": { "range": true, "full": { "delta": true } },
                    "tokenTypes": ["namespace", "variable", "parameter", "property", "keyword",
                        "macro", "comment", "string", "operator"],
                    "tokenModifiers": ["declaration", "readonly"],
                    "formats": ["relative"],
                },
                "inlayHint": {},
                "foldingRange": {},
            },
        });
        if !self.position_encodings.is_empty() {
            capabilities["general"]["positionEncodings"] = json!(self.position_encodings);
        }
        if self.pull_diagnostics {
            capabilities["textDocument"]["diagnostic"] = json!({ "relatedDocumentSupport": true });
        }
        lay_over(&mut capabilities, &self.more_capabilities);
        capabilities
    }

    /// Whether it announces that edits may create files.
    pub(crate) fn creates_files(&self) -> bool {
        let operations = &self.capabilities()["workspace"]["workspaceEdit"]["resourceOperations"];
        operations.as_array().is_some_and(|operations| operations.contains(&json!("create")))
    }

    /// The response to a request of the server; `Err` if an editor would not support the request.
    pub fn answer(&self, method: &str, params: &Value) -> Result<Value, Value> {
        if !self.announced(method, params) {
            let message = format!("{method} was not announced");
            return Err(json!({ "code": -32601, "message": message }));
        }
        Ok(match (method, &self.settings) {
            ("workspace/configuration", Some(settings)) => configuration(settings, params),
            // The test applies it: `Editor::apply`.
            ("workspace/applyEdit", _) if self.refused_edits > 0 => {
                json!({ "applied": false, "failureReason": "the text is another" })
            }
            ("workspace/applyEdit", _) => json!({ "applied": true }),
            ("window/showDocument", _) => json!({ "success": true }),
            _ => Value::Null,
        })
    }

    /// Whether the capabilities allow this request of the server.
    fn announced(&self, method: &str, params: &Value) -> bool {
        let capabilities = self.capabilities();
        let is_on = |path: &str| capabilities.pointer(path) == Some(&Value::Bool(true));
        match method {
            "workspace/configuration" => is_on("/workspace/configuration"),
            "workspace/applyEdit" => is_on("/workspace/applyEdit"),
            "window/showDocument" => is_on("/window/showDocument/support"),
            "window/workDoneProgress/create" => is_on("/window/workDoneProgress"),
            "client/registerCapability" => {
                params["registrations"].as_array().is_some_and(|registrations| {
                    registrations.iter().all(|registration| {
                        let method = registration["method"].as_str().unwrap_or_default();
                        is_on(&format!("/{method}/dynamicRegistration"))
                    })
                })
            }
            "client/unregisterCapability" => true,
            // For this request, displaying contents is enough.
            "workspace/textDocumentContent/refresh" => {
                capabilities.pointer("/workspace/textDocumentContent").is_some()
            }
            "workspace/diagnostic/refresh" => is_on("/workspace/diagnostics/refreshSupport"),
            _ => match method.strip_suffix("/refresh") {
                Some(feature) => is_on(&format!("/{feature}/refreshSupport")),
                None => false,
            },
        }
    }
}

/// One response for each requested section.
fn configuration(settings: &Value, params: &Value) -> Value {
    let items = params["items"].as_array().map(Vec::as_slice).unwrap_or_default();
    let section = |item: &Value| match item["section"].as_str() {
        Some(section) => settings.get(section).cloned().unwrap_or_default(),
        None => settings.clone(),
    };
    items.iter().map(section).collect()
}

fn lay_over(base: &mut Value, more: &Value) {
    match (base, more) {
        (Value::Object(base), Value::Object(more)) => {
            for (key, value) in more {
                lay_over(base.entry(key).or_insert(Value::Null), value);
            }
        }
        (base, more) => *base = more.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_without_an_announced_capability_are_refused() {
        let client = Client { settings: None, watched_files: false, ..Client::default() };
        let watch = json!({"registrations": [{"method": "workspace/didChangeWatchedFiles"}]});
        client.answer("workspace/configuration", &json!({"items": []})).unwrap_err();
        client.answer("client/registerCapability", &watch).unwrap_err();
        client.answer("window/showDocument", &json!({})).unwrap_err();

        let client = Client::default();
        client.answer("client/registerCapability", &watch).unwrap();
        client.answer("workspace/inlayHint/refresh", &Value::Null).unwrap();
        client.answer("workspace/diagnostic/refresh", &Value::Null).unwrap();
    }

    #[test]
    fn settings_are_returned_by_section() {
        let settings = Some(json!({"promptls": {"case": "trial"}}));
        let client = Client { settings, ..Client::default() };
        let params = json!({"items": [{"section": "promptls"}, {"section": "other"}]});
        assert_eq!(
            client.answer("workspace/configuration", &params),
            Ok(json!([{"case": "trial"}, null]))
        );
    }

    #[test]
    fn additional_capabilities_are_merged_into_the_default_ones() {
        let more_capabilities =
            json!({"textDocument": {"hover": {"contentFormat": ["plaintext"]}}});
        let capabilities = Client { more_capabilities, ..Client::default() }.capabilities();
        assert_eq!(capabilities["textDocument"]["hover"]["contentFormat"], json!(["plaintext"]));
        assert_eq!(capabilities["textDocument"]["rename"]["prepareSupport"], json!(true));
    }
}
