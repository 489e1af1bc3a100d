//! The language server's end of the talk with followers.
//!
//! A follower connects to a socket in the folder of [`socket_dir`] and sends messages of JSON-RPC,
//! one in a line:
//!
//! | from | method | what it says |
//! |---|---|---|
//! | follower | `follower/follow` `{ path }` | which prompt it is about |
//! | server | `follower/has` `{ uri, reveal }` | its address here, `null` if it is not here; whether places can be shown |
//! | server | `promptls/previewChanged` | as to the editor |
//! | server | `page/cursor` `{ uri, position, reveal }` | where the cursor of the editor is |
//! | follower | `promptls/…`, `workspace/executeCommand` | requests, as the editor's |
//! | follower | `page/reveal` `{ uri, range }` | a request to show a place in the editor |
//!
//! A follower counts UTF-16 units, whatever the editor does. Nothing here is waited for by a
//! handler: what a peer should know goes into its [`Outbox`], and one that does not read is
//! left.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use promptls_analysis::position::Encoding;
use promptls_protocol::methods::PREVIEW_CHANGED;
use serde_json::{Value, json};
use tokio::io::{AsyncWriteExt, BufReader};
use tokio::net::unix::OwnedWriteHalf;
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::timeout;
use tower_lsp::LspService;
use tower_lsp::jsonrpc::Request;
use tower_lsp::ls_types as lsp;
use tower_service::Service;

use super::jsonrpc::{self, Call};
use super::{Follower, News, socket_dir};
use crate::backend::{self, Backend};
use crate::handlers::execute_command::execute_command;
use crate::session::Session;

/// The longest message that is read, in bytes.
const LONGEST: u64 = 16 << 20;

/// How many followers there may be. One more is turned away.
const MAX_FOLLOWERS: usize = 16;

/// How many answers a follower may wait for before it is not read any more.
const MAX_UNDER_WAY: usize = 16;

/// How long a follower may take to read a message before it is left.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long the editor may take to show a place.
const SHOWN: Duration = Duration::from_secs(10);

/// A socket that is removed when this is dropped.
pub struct Listening {
    socket: PathBuf,
}

impl Drop for Listening {
    fn drop(&mut self) {
        // Whoever cannot connect removes it as well.
        let _ = std::fs::remove_file(&self.socket);
    }
}

/// Listens to followers from now on, for as long as the runtime lives. Without a private folder
/// nobody is listened to; that only the log says.
pub fn listen(session: Arc<Session>) -> Option<Listening> {
    let bound = bind();
    let (listener, listening) = match bound {
        Ok(bound) => bound,
        Err(error) => {
            tracing::warn!(%error, "other programs cannot follow what is open here");
            return None;
        }
    };
    let own = listening.socket.clone();
    tokio::spawn(async move {
        // Servers that were killed have left theirs; somebody has to remove them.
        let folder = own.parent().map(socket_dir::sockets).unwrap_or_default();
        for other in folder.into_iter().filter(|other| *other != own) {
            let _ = timeout(PATIENCE, socket_dir::connect(&other)).await;
        }
    });
    tokio::spawn(async move {
        let mut followers = JoinSet::new();
        while let Ok((stream, _)) = listener.accept().await {
            while followers.try_join_next().is_some() {}
            if followers.len() < MAX_FOLLOWERS {
                followers.spawn(converse(stream, session.clone()));
            }
        }
    });
    Some(listening)
}

fn bind() -> io::Result<(UnixListener, Listening)> {
    let folder = socket_dir::folder()?;
    let socket = socket_dir::own_socket(&folder);
    // Under its name only when somebody listens: what refuses a connection is removed.
    let unready = folder.join(format!(".{}", std::process::id()));
    let _ = std::fs::remove_file(&unready);
    let listener = UnixListener::bind(&unready)?;
    std::fs::rename(&unready, &socket).inspect_err(|_| {
        let _ = std::fs::remove_file(&unready);
    })?;
    Ok((listener, Listening { socket }))
}

/// Talks with a follower until one of the two ends.
async fn converse(stream: UnixStream, session: Arc<Session>) {
    let (reader, mut writer) = stream.into_split();
    let (tell, mut heard) = mpsc::channel(1);
    // Reading a line must not be given up half-way, so it is a task of its own.
    let mut tasks = JoinSet::new();
    tasks.spawn(async move {
        let mut reader = BufReader::new(reader);
        while let Some(line) = socket_dir::read_line(&mut reader, LONGEST).await {
            let Ok(call) = serde_json::from_slice::<Call>(&line) else { return };
            if tell.send(call).await.is_err() {
                return;
            }
        }
    });

    let Some(follow) = heard.recv().await.filter(|it| it.method == "follower/follow") else {
        return;
    };
    let path = PathBuf::from(follow.params["path"].as_str().unwrap_or_default());
    let follower = session.followers().join(path);
    let Some(mut responder) = Responder::new(session, follower.clone()).await else { return };
    let mut answers: JoinSet<Value> = JoinSet::new();
    loop {
        let sent = tokio::select! {
            news = follower.outbox.take() => {
                let mut messages = Vec::new();
                for news in news {
                    messages.extend(responder.about(news));
                }
                send(&mut writer, messages).await
            }
            Some(Ok(answer)) = answers.join_next() => send(&mut writer, vec![answer]).await,
            call = heard.recv(), if answers.len() < MAX_UNDER_WAY => match call {
                Some(Call { id: Some(id), method, params }) => {
                    let answer = responder.ask(method, params);
                    answers.spawn(async move { jsonrpc::answer(id, answer.await) });
                    Some(())
                }
                Some(Call { id: None, .. }) => Some(()),
                None => return,
            },
        };
        if sent.is_none() {
            return;
        }
    }
}

/// `None` if the follower does not take it.
async fn send(writer: &mut OwnedWriteHalf, messages: Vec<Value>) -> Option<()> {
    for message in messages {
        let line = message.to_string() + "\n";
        timeout(PATIENCE, writer.write_all(line.as_bytes())).await.ok()?.ok()?;
    }
    Some(())
}

/// What answers a follower.
struct Responder {
    session: Arc<Session>,
    follower: Arc<Follower>,
    /// The same server as an editor sees it that counts UTF-16 units.
    service: LspService<Backend>,
    last_id: i64,
    /// Whether it knows whether the prompt is here.
    is_told: bool,
}

type Answer = std::pin::Pin<Box<dyn Future<Output = Result<Value, String>> + Send>>;

impl Responder {
    async fn new(session: Arc<Session>, follower: Arc<Follower>) -> Option<Responder> {
        let same_documents = session.for_follower(Encoding::Utf16);
        // Nothing is said through its client.
        let (mut service, _) = backend::service(|_| same_documents);
        let params = json!({ "capabilities": {} });
        let initialize = Request::build("initialize").params(params).id(0).finish();
        service.call(initialize).await.ok()?;
        Some(Responder { session, follower, service, last_id: 0, is_told: false })
    }

    /// What is to be said about some news.
    fn about(&mut self, news: News) -> Vec<Value> {
        let uri = self.follower.uri();
        match news {
            News::Documents => {
                let now = self.session.documents.uri_of(&self.follower.path);
                if std::mem::replace(&mut self.is_told, true) && uri == now {
                    return Vec::new();
                }
                self.follower.set_uri(now.clone());
                let reveal = self.session.client_capabilities().shows_documents;
                vec![jsonrpc::notification("follower/has", json!({ "uri": now, "reveal": reveal }))]
            }
            News::Changed(version) => {
                let params = json!({ "textDocument": { "uri": uri }, "version": version });
                vec![jsonrpc::notification(PREVIEW_CHANGED, params)]
            }
            News::Cursor(position) => {
                let Some(uri) = uri else { return Vec::new() };
                let (from, to) = (self.session.encoding(), Encoding::Utf16);
                let position = self.session.documents.reencoded(&uri, position, from, to);
                let params = json!({ "uri": uri, "position": position, "reveal": true });
                vec![jsonrpc::notification("page/cursor", params)]
            }
        }
    }

    fn ask(&mut self, method: String, params: Value) -> Answer {
        match &*method {
            "page/reveal" => self.reveal(params),
            "workspace/executeCommand" => self.command(params),
            _ if method.starts_with("promptls/") => {
                self.last_id += 1;
                let request = Request::build(method).params(params).id(self.last_id).finish();
                let answer = self.service.call(request);
                Box::pin(async {
                    let answer = match answer.await {
                        Ok(Some(response)) => response.into_parts().1,
                        Ok(None) | Err(_) => return Err("the server has ended".to_owned()),
                    };
                    answer.map_err(|error| error.message.into_owned())
                })
            }
            _ => Box::pin(async move { Err(format!("`{method}` is not for followers")) }),
        }
    }

    /// Does a command as if the editor had given it, so that its edits arrive there.
    fn command(&self, params: Value) -> Answer {
        let mut params: lsp::ExecuteCommandParams = match serde_json::from_value(params) {
            Ok(params) => params,
            Err(error) => return Box::pin(async move { Err(error.to_string()) }),
        };
        let encoding = self.session.encoding();
        for argument in &mut params.arguments {
            let uri = serde_json::from_value::<lsp::Uri>(argument["uri"].clone());
            let at = serde_json::from_value::<lsp::Position>(argument["position"].clone());
            if let (Ok(uri), Ok(at)) = (uri, at) {
                let at = self.session.documents.reencoded(&uri, at, Encoding::Utf16, encoding);
                argument["position"] = json!(at);
            }
        }
        let answer = execute_command(self.session.clone(), params);
        Box::pin(async {
            let answer = answer.await.map_err(|error| error.message.into_owned());
            answer.map(Option::unwrap_or_default)
        })
    }

    fn reveal(&self, params: Value) -> Answer {
        if !self.session.client_capabilities().shows_documents {
            return Box::pin(async { Err("the editor cannot be asked for that".to_owned()) });
        }
        let location: lsp::Location = match serde_json::from_value(params) {
            Ok(location) => location,
            Err(error) => return Box::pin(async move { Err(error.to_string()) }),
        };
        let encoding = self.session.encoding();
        let there = |position| {
            let documents = &self.session.documents;
            documents.reencoded(&location.uri, position, Encoding::Utf16, encoding)
        };
        let lsp::Range { start, end } = location.range;
        let selection = Some(lsp::Range { start: there(start), end: there(end) });
        let client = self.session.client.clone();
        let params = lsp::ShowDocumentParams {
            uri: location.uri,
            external: None,
            take_focus: Some(true),
            selection,
        };
        Box::pin(async move {
            match timeout(SHOWN, client.show_document(params)).await {
                Ok(Ok(true)) => Ok(Value::Null),
                _ => Err("the editor does not show it".to_owned()),
            }
        })
    }
}
