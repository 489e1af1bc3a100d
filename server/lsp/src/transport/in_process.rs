//! A language server inside this process, for a command that acts as its own editor.
//!
//! The same [`Backend`] answers, without a transport: requests are function calls, and messages of
//! the server are a stream. Positions are in UTF-16 units, as in browsers.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use futures_util::future::BoxFuture;
use futures_util::{SinkExt, StreamExt};
use promptls_workspace::Overrides;
use serde_json::{Value, json};
use tower_lsp::jsonrpc::{Error, Id, Request, Response, Result};
use tower_lsp::{ClientSocket, LspService};
use tower_service::Service;

use super::prepared;
use crate::backend::{self, Backend};
use crate::convert;
use crate::session::Session;

/// A language server that is called directly.
pub struct Embedded {
    service: LspService<Backend>,
    last_id: i64,
}

impl Embedded {
    /// Starts a server. Its requests must be answered for as long as it lives.
    ///
    /// ```
    /// use promptls_lsp::Embedded;
    /// use promptls_workspace::Overrides;
    /// use serde_json::json;
    ///
    /// # let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    /// # runtime.block_on(async {
    /// let (mut server, mut questions) = Embedded::start(Overrides::default()).await;
    /// tokio::spawn(async move {
    ///     while let Some(question) = questions.next().await {
    ///         questions.answer(question, Ok(json!(null))).await;
    ///     }
    /// });
    /// let (uri, text) = ("file:///letter.adk.prompt", "Dear {name},");
    /// let document = json!({ "uri": uri, "languageId": "prompt", "version": 1, "text": text });
    /// server.notify("textDocument/didOpen", json!({ "textDocument": document })).await;
    /// let params = json!({ "textDocument": { "uri": uri } });
    /// let preview = server.request("promptls/preview".to_owned(), params).await.unwrap();
    /// assert_eq!(preview["text"], "Dear {name},");
    /// # });
    /// ```
    pub fn start(overrides: Overrides) -> BoxFuture<'static, (Embedded, FromServer)> {
        // Boxed, because the whole server would be compiled again for a caller that polls it.
        Box::pin(Embedded::started(overrides))
    }

    async fn started(overrides: Overrides) -> (Embedded, FromServer) {
        let session = |client| Session::new(client, Default::default(), overrides);
        let (service, socket) = backend::service(session);
        let mut server = Embedded { service, last_id: 0 };
        let capabilities = json!({
            "general": { "positionEncodings": ["utf-16"] },
            "workspace": {
                "applyEdit": true,
                "workspaceEdit": { "documentChanges": true, "resourceOperations": ["create"] },
                "didChangeWatchedFiles": { "dynamicRegistration": true },
            },
            // With pull diagnostics, the server need not push problems: responses contain them.
            "textDocument": { "diagnostic": {} },
        });
        let params = json!({
            "processId": null,
            "rootUri": null,
            "capabilities": capabilities,
            "initializationOptions": { "preview": true },
        });
        // Only a second `initialize` fails.
        let _ = server.request("initialize".to_owned(), params).await;
        server.notify("initialized", json!({})).await;
        (server, FromServer { socket })
    }

    /// Starts a server with the documents of another session, which has a client of its own.
    pub async fn with_session(session: Session) -> Embedded {
        // This server sends nothing to its client.
        let (service, _) = backend::service(|_| session);
        let mut server = Embedded { service, last_id: 0 };
        // Only a second `initialize` fails.
        let _ = server.request("initialize".to_owned(), json!({ "capabilities": {} })).await;
        server
    }

    /// Sends a request. The response refers to the state of the prompt when the future is first
    /// polled.
    pub fn request(
        &mut self,
        method: String,
        params: Value,
    ) -> impl Future<Output = Result<Value>> + Send + use<> {
        self.last_id += 1;
        let request = Request::build(method).params(params).id(self.last_id).finish();
        let answer = self.service.call(request);
        async {
            match answer.await {
                Ok(Some(response)) => response.into_parts().1.map(prepared::written),
                Ok(None) | Err(_) => Err(Error::internal_error()),
            }
        }
    }

    /// Sends a notification. It has been handled when the future is ready.
    pub fn notify(
        &mut self,
        method: &'static str,
        params: Value,
    ) -> impl Future<Output = ()> + Send + use<> {
        let call = self.service.call(Request::build(method).params(params).finish());
        async {
            // It fails only after the end, when nothing depends on it.
            let _ = call.await;
        }
    }

    /// The files that a prompt is made from, including its own; all files of a pack for a prompt in
    /// a pack.
    pub fn files_of(&self, prompt: &Path) -> BTreeSet<PathBuf> {
        let files = convert::uri(prompt)
            .map(|uri| self.service.inner().session().documents.lookup().files_of(&uri));
        files.unwrap_or_default()
    }
}

/// The URI of a file, in the form that the protocol uses; `None` for a path without a folder.
pub fn uri_of(path: &Path) -> Option<String> {
    convert::uri(path).map(|uri| uri.to_string())
}

/// The messages that the server sends.
pub struct FromServer {
    socket: ClientSocket,
}

/// A request or notification of the server.
pub struct ServerMessage {
    /// The name of the method.
    pub method: String,
    /// The parameters; null if there are none.
    pub params: Value,
    id: Option<Id>,
}

impl FromServer {
    /// Waits for the next message; `None` once the server has ended. Cancel safe.
    pub async fn next(&mut self) -> Option<ServerMessage> {
        let (method, id, params) = self.socket.next().await?.into_parts();
        Some(ServerMessage { method: method.into_owned(), params: params.unwrap_or_default(), id })
    }

    /// Sends the response to a request. Does nothing for a notification.
    pub async fn answer(&mut self, request: ServerMessage, answer: Result<Value>) {
        if let Some(id) = request.id {
            // It fails only after the end.
            let _ = self.socket.send(Response::from_parts(id, answer)).await;
        }
    }
}
