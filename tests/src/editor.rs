//! An editor without a screen: one connection to one server.
//!
//! This file starts and ends the connection and sends messages. `editing.rs` changes documents,
//! `requests.rs` sends requests about positions, `problems.rs` waits for problems.

use std::collections::BTreeMap;
use std::process::Command;
use std::thread;

use serde_json::{Value, json};

use crate::binary::promptls_path;
use crate::client::Client;
use crate::connection::Connection;
use crate::editing::Document;
use crate::limit::LIMIT;
use crate::process::{Ends, Process};
use crate::record::recorded;
use crate::text::Encoding;
use crate::wire;
use crate::workspace::Workspace;

/// A fake editor and the server that it has started.
///
/// Every method that waits gives up after [`LIMIT`] and then fails the test, with the server's
/// stderr. Call [`Editor::close`] at the end of a test.
pub struct Editor {
    pub(crate) client: Client,
    pub(crate) workspace: Workspace,
    pub(crate) connection: Connection,
    pub(crate) encoding: Encoding,
    /// The open documents, by their path in the workspace.
    pub(crate) documents: BTreeMap<String, Document>,
    /// The last version of each document, open or not. It continues when a document is opened
    /// again, so that no two texts have the same version.
    pub(crate) versions: BTreeMap<String, i64>,
    process: Process,
    server_capabilities: Value,
    last_request: u64,
    is_finished: bool,
}

/// A request that was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequestId(u64);

impl RequestId {
    /// Its number in the message.
    pub fn number(self) -> u64 {
        self.0
    }
}

/// The end of a server process.
#[derive(Debug, PartialEq, Eq)]
pub struct Ended {
    /// The exit code; `None` if a signal ended it.
    pub code: Option<i32>,
    /// All its output to stderr, as text.
    pub stderr: String,
}

impl Editor {
    /// A workspace with this one document, opened.
    #[track_caller]
    pub fn open_one(path: &str, text: &str) -> Self {
        let mut editor = Self::start(Workspace::new(&[(path, text)]));
        editor.open(path, text);
        editor
    }

    /// The default editor with a workspace.
    #[track_caller]
    pub fn start(workspace: Workspace) -> Self {
        Self::start_as(Client::default(), workspace)
    }

    /// An editor with these properties.
    #[track_caller]
    pub fn start_as(client: Client, workspace: Workspace) -> Self {
        let mut editor = Self::start_silent(client, workspace);
        editor.initialize();
        editor
    }

    /// An editor that has started the server and has sent no message yet.
    #[track_caller]
    pub fn start_silent(client: Client, workspace: Workspace) -> Self {
        let mut command = Command::new(promptls_path());
        command.arg("lsp");
        Self::converse(command, client, workspace, recorded)
    }

    /// An editor that has started another server and has sent no message yet.
    #[track_caller]
    pub fn launch(command: Command, client: Client, workspace: Workspace) -> Self {
        Self::converse(command, client, workspace, |ends| ends)
    }

    #[track_caller]
    fn converse(
        mut command: Command,
        client: Client,
        workspace: Workspace,
        through: impl FnOnce(Ends) -> Ends,
    ) -> Self {
        // The developer's settings for logs must not affect the test.
        command.env_remove("RUST_LOG").current_dir(workspace.root());
        command.env("XDG_RUNTIME_DIR", workspace.runtime_folder());
        let shown = format!("{command:?}");
        let (process, ends) = Process::start(command, client.transport)
            .unwrap_or_else(|error| panic!("{shown} does not start: {error}"));
        Self {
            connection: Connection::open(through(ends), client.clone()),
            client,
            workspace,
            encoding: Encoding::Utf16,
            documents: BTreeMap::new(),
            versions: BTreeMap::new(),
            process,
            server_capabilities: Value::Null,
            last_request: 0,
            is_finished: false,
        }
    }

    /// Sends the first two messages. Only after [`Editor::start_silent`]; the other constructors
    /// include this.
    #[track_caller]
    pub fn initialize(&mut self) {
        let root = self.workspace.uri("");
        let root = root.trim_end_matches('/');
        let mut params = json!({
            "processId": std::process::id(),
            "clientInfo": { "name": "promptls-tests" },
            "rootUri": root,
            "workspaceFolders": [{ "uri": root, "name": "workspace" }],
            "capabilities": self.client.capabilities(),
        });
        if !self.client.initialization_options.is_null() {
            params["initializationOptions"] = self.client.initialization_options.clone();
        }
        let mut result = self.request("initialize", params);
        self.server_capabilities = result["capabilities"].take();

        let encoding = self.server_capabilities["positionEncoding"].as_str().unwrap_or("utf-16");
        let is_offered = encoding == "utf-16" || self.client.position_encodings.contains(&encoding);
        assert!(is_offered, "the server counts in {encoding}, which was not offered");
        self.encoding = Encoding::named(encoding)
            .unwrap_or_else(|| panic!("`{encoding}` is no position encoding"));
        self.notify("initialized", json!({}));
    }

    /// The server's capabilities, from its response to `initialize`.
    pub fn server_capabilities(&self) -> &Value {
        &self.server_capabilities
    }

    /// The id of the server's process.
    pub fn server_id(&self) -> u32 {
        self.process.id()
    }

    /// The open folder. Writing to it sends no notification; [`Editor::write_file`] does.
    pub fn workspace(&self) -> &Workspace {
        &self.workspace
    }

    /// Sends a request, and waits for the result.
    #[track_caller]
    pub fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.send_request(method, params);
        match self.answer(id) {
            Ok(result) => result,
            Err(error) => self.fail(&format!("{method} was refused: {error}")),
        }
    }

    /// Sends an invalid request, and waits for the error.
    #[track_caller]
    pub fn request_error(&mut self, method: &str, params: Value) -> Value {
        let id = self.send_request(method, params);
        match self.answer(id) {
            Ok(result) => self.fail(&format!("{method} should be refused, but gives {result}")),
            Err(error) => error,
        }
    }

    /// Sends a request without waiting. The response must be read with [`Editor::answer`].
    pub fn send_request(&mut self, method: &str, params: Value) -> RequestId {
        self.last_request += 1;
        let id = self.last_request;
        self.connection.inbox().open_requests.push(id);
        self.connection.send(wire::encode(&wire::request(id, method, params)));
        RequestId(id)
    }

    /// Waits for the response to a request: its result, or the error object.
    #[track_caller]
    pub fn answer(&mut self, id: RequestId) -> Result<Value, Value> {
        match self.answer_unless_ended(id) {
            Some(answer) => answer,
            None => self.fail(&format!("no answer to request {}", id.0)),
        }
    }

    /// Waits for the response to a request; `None` if the server ended instead.
    #[track_caller]
    pub fn answer_unless_ended(&mut self, id: RequestId) -> Option<Result<Value, Value>> {
        let answer = self.connection.wait(LIMIT, |inbox| inbox.answers.remove(&id.0));
        if answer.is_none() && !self.connection.inbox().has_ended {
            self.fail(&format!("no answer to request {}", id.0));
        }
        answer
    }

    /// Whether the response to a request has arrived and was not read yet.
    pub fn has_answer(&self, id: RequestId) -> bool {
        self.connection.inbox().answers.contains_key(&id.0)
    }

    /// Sends a notification, without waiting for the server to read it.
    pub fn notify(&mut self, method: &str, params: Value) {
        self.connection.send(wire::encode(&wire::notification(method, params)));
    }

    /// Sends raw bytes, which need not be a message.
    pub fn send_bytes(&mut self, bytes: impl Into<Vec<u8>>) {
        self.connection.send(bytes.into());
    }

    /// Sends a message byte by byte, without answers to the server between them.
    pub fn send_one_by_one(&mut self, message: Vec<u8>) {
        self.connection.send_one_by_one(message);
    }

    /// Closes the stdin of the server, as an editor that crashes does.
    pub fn close_stdin(&mut self) {
        self.connection.close_stdin();
    }

    /// Stops reading messages of the server, until [`Editor::read_on`].
    pub fn stop_reading(&mut self) {
        self.connection.pause();
    }

    /// Continues reading after a call of [`Editor::stop_reading`].
    pub fn read_on(&mut self) {
        self.connection.resume();
    }

    /// Waits for the next notification with this method (except problems); returns its params.
    #[track_caller]
    pub fn next_notification(&mut self, method: &str) -> Value {
        let found = self.connection.wait(LIMIT, |inbox| {
            let index = inbox.notifications.iter().position(|(name, _)| name == method)?;
            inbox.notifications.remove(index)
        });
        match found {
            Some((_, params)) => params,
            None => self.fail(&format!("no {method}")),
        }
    }

    /// Waits for a request of the server; returns its params. The response is sent already.
    #[track_caller]
    pub fn next_server_request(&mut self, method: &str) -> Value {
        let found = self.connection.wait(LIMIT, |inbox| {
            let index = inbox.requests.iter().position(|request| request.method == method)?;
            inbox.requests.remove(index)
        });
        match found {
            Some(request) => request.params,
            None => self.fail(&format!("the server does not ask for {method}")),
        }
    }

    /// The number of requests of the server with this method that were not read yet.
    pub fn waiting_server_requests(&self, method: &str) -> usize {
        let inbox = self.connection.inbox();
        inbox.requests.iter().filter(|request| request.method == method).count()
    }

    /// Waits for an error about a message without a readable id.
    #[track_caller]
    pub fn next_error_without_id(&mut self) -> Value {
        let found = self.connection.wait(LIMIT, |inbox| inbox.errors_without_id.pop_front());
        found.unwrap_or_else(|| self.fail("no error about what could not be read"))
    }

    /// From now on, problems need not be read.
    pub fn ignore_problems(&mut self) {
        self.connection.inbox().ignores_problems = true;
    }

    /// From now on, notifications with this method need not be read.
    pub fn ignore_notifications(&mut self, method: &str) {
        let mut inbox = self.connection.inbox();
        inbox.ignored_methods.insert(method.to_owned());
    }

    /// For tests in which the server cannot read every message: it may report that or not.
    pub fn ignore_errors_without_id(&mut self) {
        self.connection.inbox().ignores_errors_without_id = true;
    }

    /// Ends the connection as the protocol requires.
    ///
    /// # Panics
    ///
    /// If the server does not end with code 0, has panicked, has violated the protocol, or has sent
    /// a message that the test did not read.
    #[track_caller]
    pub fn close(mut self) {
        let result = self.request("shutdown", Value::Null);
        assert!(result.is_null(), "shutdown has no result, but gives {result}");
        self.notify("exit", Value::Null);
        let ended = self.wait_for_end();
        assert_eq!(ended.code, Some(0), "after shutdown and exit; stderr:\n{}", ended.stderr);
    }

    /// Waits for a server that ends by itself, or that the test has ended in another way.
    ///
    /// # Panics
    ///
    /// As [`Editor::close`], except that any exit code is accepted.
    #[track_caller]
    pub fn wait_for_end(mut self) -> Ended {
        self.read_on();
        // Its output ends first: otherwise its last messages could be missed.
        self.connection.wait(LIMIT, |inbox| inbox.has_ended.then_some(()));
        let Some(status) = self.process.wait(LIMIT) else {
            self.fail("the server still runs");
        };
        let stderr = self.process.stderr();
        if stderr.contains("panicked at") {
            self.fail("the server has panicked");
        }
        let unread = {
            let inbox = self.connection.inbox();
            [inbox.complaints.clone(), inbox.unread()].concat()
        };
        if !unread.is_empty() {
            self.fail(&format!("not expected by the test:\n{}", unread.join("\n")));
        }
        self.is_finished = true;
        Ended { code: status.code(), stderr }
    }

    /// Fails the test with all diagnostic information.
    #[track_caller]
    pub(crate) fn fail(&self, what: &str) -> ! {
        let mut report = what.to_owned();
        {
            let inbox = self.connection.inbox();
            for complaint in &inbox.complaints {
                report.push_str(&format!("\nagainst the protocol: {complaint}"));
            }
            if inbox.has_ended {
                report.push_str("\nthe server has closed its output");
            }
        }
        let stderr = self.process.stderr();
        let lines: Vec<&str> = stderr.lines().collect();
        let tail = &lines[lines.len().saturating_sub(STDERR_TAIL)..];
        panic!("{report}\nthe last lines of stderr:\n{}", tail.join("\n"));
    }
}

/// The number of stderr lines in a failed test: enough for a panic with its backtrace.
const STDERR_TAIL: usize = 60;

impl Drop for Editor {
    fn drop(&mut self) {
        // Dropping the process kills it, which is enough for a failed test.
        if !self.is_finished && !thread::panicking() {
            panic!("an editor was dropped; end its story with `close` or `wait_for_end`");
        }
    }
}
