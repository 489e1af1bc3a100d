//! The HTML of the page, and `promptls preview --html`: the page in a file, with all responses that
//! it may request.

use std::path::Path;
use std::process::ExitCode;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use promptls_protocol::methods;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::followed::Followed;
use super::page;
use super::page_messages::{FrontPrompt, HostCapabilities, StartAnswer};
use crate::args::PromptArgs;
use crate::errors::CommandError;
use crate::output::files_read::FilesRead;
use crate::output::{terminal, write};
use promptls_lsp::{Embedded, uri_of};
use promptls_workspace::{Configs, DISK, Disk};

/// The maximum number of cases that are compared with each other.
const MAX_COMPARED: usize = 6;

/// The served page, with separate script and style.
pub fn document(name: &str) -> String {
    let head = r#"<link rel="stylesheet" href="page.css">
<script src="page.js" defer></script>"#;
    around(name, head, "")
}

/// The page as one file, with its script, style and data inlined.
fn whole_document(name: &str, data: &Value) -> String {
    // Text like an end tag would end the script, and text like a comment would move its end. Both
    // occur only in strings and patterns, where the escape has the same meaning.
    let script = page::SCRIPT.replace("</script", "\\x3c/script").replace("<!--", "\\x3c!--");
    let style = page::STYLE.replace("</style", "<\\/style");
    let data = data.to_string().replace('<', "\\u003c");
    let policy = format!(
        "default-src 'none'; script-src '{}'; style-src '{}'; img-src data:; base-uri 'none'; \
         form-action 'none'",
        hash(&script),
        hash(&style)
    );
    let head = format!(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n<style>{style}</style>"
    );
    let body = format!(
        "<script type=\"application/json\" id=\"promptls-data\">{data}</script>\n\
         <script>{script}</script>\n"
    );
    around(name, &head, &body)
}

/// The hash of an inline script or style for a content security policy.
fn hash(text: &str) -> String {
    format!("sha256-{}", BASE64_STANDARD.encode(Sha256::digest(text)))
}

fn around(name: &str, head: &str, body: &str) -> String {
    let title = escaped(name);
    format!(
        r#"<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
{head}
<title>{title} · promptls</title>
<link rel="icon" href="data:,">
</head>
<body>
<div id="app"></div>
<noscript>This page needs JavaScript, which is switched off.</noscript>
{body}</body>
</html>
"#
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Writes the page of a prompt into a file.
pub fn run(args: &PromptArgs, file: &Path, force: bool) -> Result<ExitCode, CommandError> {
    let Followed { path, text, overrides } = Followed::new(args)?;
    let text = text.map_or_else(|| DISK.read(&path), |text| Ok(text.into()))?;
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let page = runtime.block_on(async {
        let (mut server, mut questions) = Embedded::start(overrides).await;
        // The server waits for responses to its requests, though they have no effect here.
        tokio::spawn(async move {
            while let Some(request) = questions.next().await {
                questions.answer(request, Ok(Value::Null)).await;
            }
        });
        let uri = uri_of(&path);
        let document = json!({ "uri": uri, "languageId": "prompt", "version": 1, "text": text });
        server.notify("textDocument/didOpen", json!({ "textDocument": document })).await;
        let read = FilesRead::default();
        read.add(server.files_of(&path));
        let folder = path.parent().unwrap_or(&path);
        if let Some(config) = Configs::default().nearest(&Disk, folder) {
            read.add(config.and_outer().map(|config| &config.path));
        }
        // Checked before the work, and again when the file is written.
        read.keep_from(file, file.display())?;
        let task = args.task.clone();
        let mut recorder = Recorder { server, uri, task, answers: Vec::new() };
        Ok::<_, CommandError>((recorder.all(args.case.as_deref()).await, read))
    });
    runtime.shutdown_background();
    let (mut data, read) = page?;
    if let Some(folder) = path.parent().and_then(uri_of) {
        hide_folders(&mut data, &format!("{folder}/"));
    }
    write::named_output(file, whole_document(&name, &data).as_bytes(), force, &read)?;
    terminal::complain(&format!("promptls: {} is written", file.display()));
    Ok(ExitCode::SUCCESS)
}

/// Collects the responses for the page.
struct Recorder {
    server: Embedded,
    uri: Option<String>,
    /// The name of the prompt in a pack.
    task: Option<String>,
    answers: Vec<Value>,
}

impl Recorder {
    /// All data for the page.
    async fn all(&mut self, case: Option<&str>) -> Value {
        let key = case.map_or(json!({}), |case| json!({ "case": case }));
        let shown = self.request(methods::PREVIEW, &key).await.unwrap_or_default();
        let cases: Vec<String> = shown["cases"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|case| Some(case["name"].as_str()?.to_owned()))
            .collect();
        let keys: Vec<Value> = match cases.is_empty() {
            true => vec![json!({})],
            false => cases.iter().map(|case| json!({ "case": case })).collect(),
        };
        for key in &keys {
            for method in [methods::PREVIEW, methods::SIZE, methods::INPUTS] {
                self.keep(method, key.clone()).await;
            }
            let (left, right) = (with_revision(key), key.clone());
            self.keep(methods::COMPARE, json!({ "left": left, "right": right })).await;
        }
        let compared = if keys.len() > MAX_COMPARED { &[][..] } else { &keys[..] };
        for left in compared {
            for right in compared.iter().filter(|right| *right != left) {
                self.keep(methods::COMPARE, json!({ "left": left, "right": right })).await;
            }
        }
        let front = FrontPrompt { uri: self.uri.clone(), task: self.task.clone() };
        let start = StartAnswer { front, can: HostCapabilities::default() };
        let answers = std::mem::take(&mut self.answers);
        json!({ "start": start, "case": shown["case"], "answers": answers })
    }

    /// Sends a request, and stores the response if there is one.
    async fn keep(&mut self, method: &str, key: Value) {
        if let Some(result) = self.request(method, &key).await {
            self.answers.push(json!({ "method": method, "params": key, "result": result }));
        }
    }

    async fn request(&mut self, method: &str, key: &Value) -> Option<Value> {
        let mut params = key.clone();
        params["textDocument"] = json!({ "uri": self.uri });
        if let Some(task) = &self.task {
            params["task"] = task.as_str().into();
        }
        let answer = self.server.request(method.to_owned(), params).await;
        answer.ok().filter(|answer| !answer.is_null())
    }
}

/// The same case at the last commit.
fn with_revision(key: &Value) -> Value {
    let mut side = key.clone();
    side["revision"] = "HEAD".into();
    side
}

/// Removes the folders of this machine, because the page may be shared.
fn hide_folders(data: &mut Value, folder: &str) {
    match data {
        Value::Array(items) => items.iter_mut().for_each(|item| hide_folders(item, folder)),
        Value::Object(object) => {
            // Only an editor can open this document.
            object.remove("resolvedUri");
            for (key, value) in object {
                match value {
                    Value::String(uri) if key == "uri" && uri.starts_with("file:///") => {
                        let name = uri.rsplit('/').next().unwrap_or_default();
                        *uri = format!("file:///{}", uri.strip_prefix(folder).unwrap_or(name));
                    }
                    value => hide_folders(value, folder),
                }
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absolute_paths_are_removed_from_pages() {
        let mut data = json!({
            "uri": "file:///home/ada/p/a.prompt",
            "text": "file:///home/ada/p/a.prompt",
            "map": [{ "value": { "uri": "file:///home/ada/shared/b.json" } }],
            "resolvedUri": "promptls:resolved/a.txt?prompt=file:///home/ada/p/a.prompt",
        });
        hide_folders(&mut data, "file:///home/ada/p/");
        assert_eq!(data["uri"], "file:///a.prompt");
        assert_eq!(data["resolvedUri"], Value::Null);
        assert_eq!(data["map"][0]["value"]["uri"], "file:///b.json");
        // The text of the prompt stays unchanged.
        assert_eq!(data["text"], "file:///home/ada/p/a.prompt");
    }
}
