//! A minimal editor: it has the prompt open in an embedded language server, follows the files, and
//! keeps edits of the pages until they are saved.
//!
//! One task does all of it sequentially. Pages send [`PageRequest`]s; responses of the language
//! server go back to them without blocking this task.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use promptls_lsp::followers::client::{Event, Servers};
use promptls_lsp::{Embedded, FromServer, ServerMessage, uri_of};
use promptls_protocol::{PreviewChangedParams, TextDocumentIdentifier, commands, methods};
use promptls_workspace::{DISK, Disk};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot};
use tower_lsp::jsonrpc::Error;
use tower_lsp::ls_types::{ApplyWorkspaceEditParams, ExecuteCommandParams, LogMessageParams};

use super::pages::Pages;
use super::texts::Texts;
use crate::args::PromptArgs;
use crate::errors::CommandError;
use crate::preview::changes::Changes;
use crate::preview::followed::Followed;
use crate::preview::page_messages::{FrontPrompt, HostCapabilities, StartAnswer};

/// A request of a page.
#[derive(Debug)]
pub struct PageRequest {
    /// A method that pages may use.
    pub method: String,
    /// The parameters of the request.
    pub params: Value,
    /// Receives the response or the error.
    pub reply: oneshot::Sender<Result<Value, String>>,
}

/// The editor of the pages; see the module.
pub struct Editor {
    server: Embedded,
    from_server: FromServer,
    changes: Changes,
    /// The files that are followed.
    followed: BTreeSet<PathBuf>,
    texts: Texts,
    servers: Servers,
    /// Whether another editor has the prompt open, and gets the requests instead.
    is_elsewhere: bool,
    pages: Arc<Pages>,
    prompt: PathBuf,
    /// The name of the prompt in a pack.
    task: Option<String>,
    /// The open documents in the server, with their versions.
    open: BTreeMap<PathBuf, i32>,
    last_version: i32,
    /// The text of the prompt that the server last received.
    sent_text: Arc<str>,
    /// The error because of which the prompt differs from its file.
    lost: Option<String>,
}

impl Editor {
    /// Opens the prompt of the command line.
    pub async fn open(args: &PromptArgs, pages: Arc<Pages>) -> Result<Editor, CommandError> {
        let Followed { path, overrides, .. } = Followed::new(args)?;
        let text = DISK.read(&path)?;
        let (server, from_server) = Embedded::start(overrides).await;
        let mut editor = Editor {
            server,
            from_server,
            changes: Changes::new(),
            followed: BTreeSet::new(),
            texts: Texts::default(),
            servers: Servers::new(&path),
            is_elsewhere: false,
            pages,
            prompt: path.clone(),
            task: args.task.clone(),
            open: BTreeMap::new(),
            last_version: 0,
            sent_text: text.clone(),
            lost: None,
        };
        editor.show(&path, text).await;
        editor.follow();
        if let Some(folder) = editor.servers.folder() {
            editor.changes.follow_folder(folder);
        }
        editor.servers.look();
        if let Some(case) = &args.case {
            let argument = json!({ "uri": uri_of(&path), "case": case });
            let params = json!({ "command": commands::SELECT_CASE, "arguments": [argument] });
            // The command line was checked, so the case exists.
            let _ = editor.server.request("workspace/executeCommand".to_owned(), params).await;
        }
        Ok(editor)
    }

    /// Runs until the request channel is closed.
    pub async fn run(mut self, mut requests: mpsc::Receiver<PageRequest>) {
        loop {
            tokio::select! {
                Some(message) = self.from_server.next() => self.answer(message).await,
                request = requests.recv() => match request {
                    Some(request) => self.handle(request).await,
                    None => return,
                },
                changed = self.changes.next() => self.files_changed(changed).await,
                event = self.servers.next() => match event {
                    Event::Other => self.choose(),
                    Event::Notification(method, params) if self.is_elsewhere => {
                        self.pages.notify(method, &params);
                    }
                    Event::Notification(..) => {}
                },
            }
        }
    }

    async fn handle(&mut self, request: PageRequest) {
        let PageRequest { method, params, reply } = request;
        let answer = match &*method {
            "page/start" => Ok(json!(StartAnswer { front: self.front(), can: self.can() })),
            "page/save" => self.save().await,
            "page/undo" => self.undo().await,
            "workspace/executeCommand" if !is_ours(&params) => {
                Err("only commands of promptls can be given".to_owned())
            }
            "page/reveal" if self.is_elsewhere => return self.relay(method, params, reply),
            "page/reveal" => Err("this prompt is not open in any editor".to_owned()),
            "workspace/executeCommand" => return self.relay(method, params, reply),
            _ if method.starts_with("promptls/") => return self.relay(method, params, reply),
            _ => Err(format!("`{method}` is not available here")),
        };
        // The page may have disconnected.
        let _ = reply.send(answer);
        if method == "page/start" {
            self.send_unsaved();
            self.send_lost();
        }
    }

    fn relay(
        &mut self,
        method: String,
        params: Value,
        mut reply: oneshot::Sender<Result<Value, String>>,
    ) {
        if self.is_elsewhere {
            match self.servers.request(&method, &params, reply) {
                None => return,
                Some(back) => reply = back,
            }
        }
        let answer = self.server.request(method, params);
        tokio::spawn(async move {
            let answer = answer.await.map_err(|error| error.message.into_owned());
            let _ = reply.send(answer);
        });
    }

    /// The document that pages show.
    fn front(&self) -> FrontPrompt {
        let elsewhere = self.servers.uri().filter(|_| self.is_elsewhere);
        let uri = elsewhere.map(str::to_owned).or_else(|| uri_of(&self.prompt));
        FrontPrompt { uri, task: self.task.clone() }
    }

    /// The operations that are available to pages.
    fn can(&self) -> HostCapabilities {
        HostCapabilities {
            reveal: self.is_elsewhere && self.servers.reveals(),
            edit: true,
            save: !self.is_elsewhere,
            ..HostCapabilities::default()
        }
    }

    /// Selects the server for requests: another editor that has the prompt open, unless there are
    /// unsaved edits here, which it does not have.
    fn choose(&mut self) {
        let was_elsewhere = self.is_elsewhere;
        self.is_elsewhere = self.servers.uri().is_some() && self.texts.files().next().is_none();
        if !self.is_elsewhere && !was_elsewhere {
            return;
        }
        let front = self.front();
        self.pages.notify("page/can", &json!(self.can()));
        self.pages.notify("page/front", &json!(front));
        self.send_lost();
        if let Some(uri) = front.uri {
            let text_document = TextDocumentIdentifier { uri };
            let params = PreviewChangedParams { text_document, version: None };
            self.pages.notify(methods::PREVIEW_CHANGED, &json!(params));
        }
    }

    async fn save(&mut self) -> Result<Value, String> {
        let (written, outcome) = self.texts.save();
        for path in written {
            self.close(&path).await;
        }
        self.send_unsaved();
        self.choose();
        outcome.map(|()| Value::Null).map_err(|error| error.to_string())
    }

    async fn undo(&mut self) -> Result<Value, String> {
        let now = self.texts.undo().map_err(|error| error.to_string())?;
        self.take_over(now).await;
        Ok(Value::Null)
    }

    /// Handles a request of the server.
    async fn answer(&mut self, request: ServerMessage) {
        let answer = match &*request.method {
            methods::PREVIEW_CHANGED => {
                // Large files are read in the background, and may refer to other files.
                if self.files() != self.followed {
                    self.follow();
                }
                let changed = PreviewChangedParams::deserialize(&request.params).ok();
                let uri = changed.map(|changed| changed.text_document.uri);
                if !self.is_elsewhere && uri.is_some() && uri == uri_of(&self.prompt) {
                    self.pages.notify(methods::PREVIEW_CHANGED, &request.params);
                }
                Ok(Value::Null)
            }
            "workspace/applyEdit" => Ok(match self.apply(request.params.clone()).await {
                Ok(()) => json!({ "applied": true }),
                Err(reason) => json!({ "applied": false, "failureReason": reason }),
            }),
            // All changes are reported anyway.
            "client/registerCapability" => Ok(Value::Null),
            "window/logMessage" => {
                if let Ok(logged) = LogMessageParams::deserialize(&request.params) {
                    tracing::warn!("{}", logged.message);
                }
                Ok(Value::Null)
            }
            _ => Err(Error::method_not_found()),
        };
        self.from_server.answer(request, answer).await;
    }

    async fn apply(&mut self, params: Value) -> Result<(), String> {
        let params: ApplyWorkspaceEditParams =
            serde_json::from_value(params).map_err(|error| error.to_string())?;
        let version = |path: &Path| self.open.get(path).copied();
        let now = self.texts.apply(params.edit, version).map_err(|error| error.to_string())?;
        self.take_over(now).await;
        Ok(())
    }

    /// Sends changed texts to the server, and the unsaved files to the pages.
    async fn take_over(&mut self, now: Vec<super::texts::Now>) {
        for (path, text) in now {
            match text {
                Some(text) => self.show(&path, text).await,
                None => self.close(&path).await,
            }
        }
        self.follow();
        self.send_unsaved();
        self.choose();
    }

    /// Sends a text to the server that replaces that of the file.
    async fn show(&mut self, path: &Path, text: Arc<str>) {
        self.last_version += 1;
        let version = self.last_version;
        let uri = uri_of(path);
        if path == self.prompt {
            self.sent_text = text.clone();
        }
        if self.open.insert(path.to_owned(), version).is_some() {
            let document = json!({ "uri": uri, "version": version });
            let params =
                json!({ "textDocument": document, "contentChanges": [{ "text": &*text }] });
            return self.server.notify("textDocument/didChange", params).await;
        }
        let document = json!({
            "uri": uri,
            "languageId": self.language(path),
            "version": version,
            "text": &*text,
        });
        self.server.notify("textDocument/didOpen", json!({ "textDocument": document })).await;
    }

    /// Reverts the server to the text of the file. The prompt stays open.
    async fn close(&mut self, path: &Path) {
        if path == self.prompt {
            return self.read_prompt().await;
        }
        if self.open.remove(path).is_some() {
            let params = json!({ "textDocument": { "uri": uri_of(path) } });
            self.server.notify("textDocument/didClose", params).await;
        }
    }

    fn language(&self, path: &Path) -> &'static str {
        if path == self.prompt {
            return "prompt";
        }
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("yaml" | "yml") => "yaml",
            Some("toml") => "toml",
            _ => "json",
        }
    }

    /// Handles changed, created and deleted files.
    async fn files_changed(&mut self, mut changed: BTreeSet<PathBuf>) {
        let folder = self.servers.folder();
        if changed.iter().any(|path| path.parent().is_some_and(|it| Some(it) == folder)) {
            changed.retain(|path| path.parent() != folder);
            self.servers.look();
        }
        if changed.iter().any(|path| Disk.is_folder(path)) {
            // A folder was created again, or events were lost: any file in it may have changed.
            changed.extend(self.server.files_of(&self.prompt));
        }
        if changed.contains(&self.prompt) && self.texts.unsaved(&self.prompt).is_none() {
            self.read_prompt().await;
        }
        let changes: Vec<Value> = changed
            .iter()
            .filter_map(|path| Some(json!({ "uri": uri_of(path)?, "type": 2 })))
            .collect();
        let params = json!({ "changes": changes });
        self.server.notify("workspace/didChangeWatchedFiles", params).await;
        self.follow();
    }

    /// Reads the file of the prompt. If it cannot be read, the last text stays.
    async fn read_prompt(&mut self) {
        let lost = match DISK.read(&self.prompt) {
            Ok(text) => {
                if text != self.sent_text {
                    let prompt = self.prompt.clone();
                    self.show(&prompt, text).await;
                }
                None
            }
            Err(error) => Some(format!("{} {}", name(&self.prompt), error.reason())),
        };
        if self.lost != lost {
            self.lost = lost;
            self.send_lost();
        }
    }

    /// Follows the files, even if they are unchanged: their folders may have been created again.
    fn follow(&mut self) {
        self.followed = self.files();
        self.changes.follow(&self.followed);
    }

    fn files(&self) -> BTreeSet<PathBuf> {
        let mut files = self.server.files_of(&self.prompt);
        files.insert(self.prompt.clone());
        files.extend(self.texts.files().map(Path::to_owned));
        files
    }

    fn send_unsaved(&self) {
        let file = |path: &Path| json!({ "uri": uri_of(path), "name": name(path) });
        let files: Vec<Value> = self.texts.files().map(file).collect();
        self.pages.notify("page/unsaved", &json!({ "files": files }));
    }

    fn send_lost(&self) {
        // Another editor that has the prompt open does not need the file.
        let message = self.lost.as_ref().filter(|_| !self.is_elsewhere);
        self.pages.notify("page/lost", &json!({ "message": message }));
    }
}

/// Whether a command belongs to the language server.
fn is_ours(params: &Value) -> bool {
    ExecuteCommandParams::deserialize(params)
        .is_ok_and(|params| commands::COMMANDS.contains(&&*params.command))
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
