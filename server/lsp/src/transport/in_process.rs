//! The language server inside this process, for a command that is its own editor.
//!
//! The same [`Backend`] answers, with nothing between: requests are called, and what
//! the server says by itself comes as a stream. Such an editor counts UTF-16 units,
//! because browsers do.

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

/// A language server that is called.
pub struct Embedded {
    service: LspService<Backend>,
    last_id: i64,
}

impl Embedded {
    /// Starts a server. The questions must be answered for as long as it lives.
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
    /// server.tell("textDocument/didOpen", json!({ "textDocument": document })).await;
    /// let params = json!({ "textDocument": { "uri": uri } });
    /// let preview = server.ask("promptls/preview".to_owned(), params).await.unwrap();
    /// assert_eq!(preview["text"], "Dear {name},");
    /// # });
    /// ```
    pub fn start(overrides: Overrides) -> BoxFuture<'static, (Embedded, FromServer)> {
        // In a box, because the whole server would be compiled anew for a caller who polls it.
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
            // Then it need not tell of problems: they are part of what is asked for.
            "textDocument": { "diagnostic": {} },
        });
        let params = json!({
            "processId": null,
            "rootUri": null,
            "capabilities": capabilities,
            "initializationOptions": { "preview": true },
        });
        // It refuses only a second one.
        let _ = server.ask("initialize".to_owned(), params).await;
        server.tell("initialized", json!({})).await;
        (server, FromServer { socket })
    }

    /// Asks something. The answer is about the prompt when it is first waited for.
    pub fn ask(
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

    /// Tells something; it has happened when this is over.
    pub fn tell(
        &mut self,
        method: &'static str,
        params: Value,
    ) -> impl Future<Output = ()> + Send + use<> {
        let told = self.service.call(Request::build(method).params(params).finish());
        async {
            // It fails only after the end, when nobody is there to mind.
            let _ = told.await;
        }
    }

    /// The files that a prompt is made from, its own among them; all of them if it is in a pack.
    pub fn files_of(&self, prompt: &Path) -> BTreeSet<PathBuf> {
        let files =
            convert::uri(prompt).map(|uri| self.service.inner().session().documents.files_of(&uri));
        files.unwrap_or_default()
    }
}

/// The address of a file, as the protocol writes it.
pub fn uri_of(path: &Path) -> Option<String> {
    convert::uri(path).map(|uri| uri.to_string())
}

/// What the server says by itself.
pub struct FromServer {
    socket: ClientSocket,
}

/// Something that the server has said.
pub struct Message {
    /// What it is about.
    pub method: String,
    /// The rest.
    pub params: Value,
    id: Option<Id>,
}

impl FromServer {
    /// Waits for the next one; `None` at the end of the server. May be given up while it waits.
    pub async fn next(&mut self) -> Option<Message> {
        let (method, id, params) = self.socket.next().await?.into_parts();
        Some(Message { method: method.into_owned(), params: params.unwrap_or_default(), id })
    }

    /// Answers it, if it wants an answer.
    pub async fn answer(&mut self, asked: Message, answer: Result<Value>) {
        if let Some(id) = asked.id {
            // It fails only after the end.
            let _ = self.socket.send(Response::from_parts(id, answer)).await;
        }
    }
}
