//! The language server's end of the connection to followers.
//!
//! A follower connects to a socket in the folder of [`socket_dir`] and sends JSON-RPC messages, one
//! per line:
//!
//! | from | method | content |
//! |---|---|---|
//! | follower | `follower/follow` `{ path }` | the prompt to follow |
//! | server | `follower/has` `{ uri, reveal }` | its URI, `null` if it is not loaded; whether locations can be shown |
//! | server | `promptls/previewChanged` | as for the editor |
//! | server | `page/cursor` `{ uri, position, reveal }` | the position of the editor's cursor |
//! | follower | `promptls/…`, `workspace/executeCommand` | requests, as the editor's |
//! | follower | `page/reveal` `{ uri, range }` | a request to show a range in the editor |
//!
//! A follower counts UTF-16 units, whatever the editor's encoding is. No handler waits for a
//! follower: notifications go through its [`Outbox`]. A follower that does not read is
//! disconnected.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use promptls_analysis::position::Encoding;
use promptls_protocol as wire;
use promptls_protocol::methods::PREVIEW_CHANGED;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::io::{AsyncWriteExt, BufReader};
use tokio::net::unix::OwnedWriteHalf;
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::timeout;

use super::jsonrpc::{self, Call};
use super::messages::{CURSOR, CursorShown, FOLLOW, Follow, HAS, HasPrompt};
use super::{Follower, News, socket_dir};
use crate::convert::{self, Uri};
use crate::document_range::DocumentRange;
use crate::handlers::execute_command::{CommandRequest, execute_command};
use crate::session::Session;
use crate::transport::in_process::Embedded;

/// The maximum length of a message in bytes.
const LONGEST: u64 = 16 << 20;

/// The maximum number of followers. Further connections are rejected.
const MAX_FOLLOWERS: usize = 16;

/// The maximum number of unfinished requests of a follower. Beyond it, nothing more is read from
/// it.
const MAX_UNDER_WAY: usize = 16;

/// The time a follower has to read a message before it is disconnected.
const PATIENCE: Duration = Duration::from_secs(10);

/// The time the editor has to show a location.
const SHOWN: Duration = Duration::from_secs(10);

/// Removes the socket when it is dropped.
pub struct Listening {
    socket: PathBuf,
}

impl Drop for Listening {
    fn drop(&mut self) {
        // A client that cannot connect also removes it, so an error is ignored.
        let _ = std::fs::remove_file(&self.socket);
    }
}

/// Accepts followers until the runtime ends. Without a private folder, no connections are accepted.
/// That is only logged, not an error.
pub fn listen(session: Arc<Session>) -> Option<Listening> {
    let bound = bind();
    let (listener, listening) = match bound {
        Ok(bound) => bound,
        Err(error) => {
            tracing::warn!(%error, "other programs cannot follow the open documents");
            return None;
        }
    };
    let own = listening.socket.clone();
    tokio::spawn(async move {
        // Servers that were killed leave their sockets; connecting removes those.
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
    // The socket gets its final name only once it is listening: clients remove sockets that refuse
    // connections.
    let unready = folder.join(format!(".{}", std::process::id()));
    let _ = std::fs::remove_file(&unready);
    let listener = UnixListener::bind(&unready)?;
    std::fs::rename(&unready, &socket).inspect_err(|_| {
        let _ = std::fs::remove_file(&unready);
    })?;
    Ok((listener, Listening { socket }))
}

/// Exchanges messages with a follower until either side closes the connection.
async fn converse(stream: UnixStream, session: Arc<Session>) {
    let (reader, mut writer) = stream.into_split();
    let (sender, mut calls) = mpsc::channel(1);
    // Reading a line is not cancel safe, so it has its own task.
    let mut tasks = JoinSet::new();
    tasks.spawn(async move {
        let mut reader = BufReader::new(reader);
        while let Some(line) = socket_dir::read_line(&mut reader, LONGEST).await {
            let Ok(call) = serde_json::from_slice::<Call>(&line) else { return };
            if sender.send(call).await.is_err() {
                return;
            }
        }
    });

    let Some(first) = calls.recv().await.filter(|it| it.method == FOLLOW) else { return };
    let Ok(Follow { path }) = serde_json::from_value(first.params) else { return };
    let follower = session.followers().join(path);
    let mut responder = Responder::new(session, follower.clone()).await;
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
            call = calls.recv(), if answers.len() < MAX_UNDER_WAY => match call {
                Some(Call { id: Some(id), method, params }) => {
                    let answer = responder.respond(method, params);
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

/// Writes messages; `None` if the follower does not read them in time.
async fn send(writer: &mut OwnedWriteHalf, messages: Vec<Value>) -> Option<()> {
    for message in messages {
        let line = message.to_string() + "\n";
        timeout(PATIENCE, writer.write_all(line.as_bytes())).await.ok()?.ok()?;
    }
    Some(())
}

/// Answers the requests of a follower.
struct Responder {
    session: Arc<Session>,
    follower: Arc<Follower>,
    /// The same server for a client that counts UTF-16 units.
    server: Embedded,
    /// The follower has been notified whether the prompt is loaded.
    is_notified: bool,
}

/// The params of `workspace/executeCommand` that a follower sends.
#[derive(Deserialize)]
struct CommandParams {
    command: String,
    #[serde(default)]
    arguments: Vec<Value>,
}

/// The place of a command's argument, if it has one.
#[derive(Deserialize)]
struct Place {
    uri: Uri,
    position: wire::Position,
}

type AnswerFuture = std::pin::Pin<Box<dyn Future<Output = Result<Value, String>> + Send>>;

impl Responder {
    async fn new(session: Arc<Session>, follower: Arc<Follower>) -> Responder {
        let same_documents = session.for_follower(Encoding::Utf16);
        let server = Embedded::with_session(same_documents).await;
        Responder { session, follower, server, is_notified: false }
    }

    /// Returns the messages for a notification.
    fn about(&mut self, news: News) -> Vec<Value> {
        let uri = self.follower.uri();
        match news {
            News::Documents => {
                let now = self.session.documents.lookup().uri_of(&self.follower.path);
                if std::mem::replace(&mut self.is_notified, true) && uri == now {
                    return Vec::new();
                }
                self.follower.set_uri(now.clone());
                let reveal = self.session.client_capabilities().shows_documents;
                vec![jsonrpc::notification(
                    HAS,
                    json!(HasPrompt { uri: now.map(|uri| uri.to_string()), reveal }),
                )]
            }
            News::Changed(version) => {
                let Some(uri) = uri else { return Vec::new() };
                let text_document = wire::TextDocumentIdentifier { uri: uri.to_string() };
                let params = wire::PreviewChangedParams { text_document, version };
                vec![jsonrpc::notification(PREVIEW_CHANGED, json!(params))]
            }
            News::Cursor(position) => {
                let Some(uri) = uri else { return Vec::new() };
                let (from, to) = (self.session.encoding(), Encoding::Utf16);
                let position = reencoded(&self.session, &uri, position, from, to);
                let shown = CursorShown { uri: uri.to_string(), position, reveal: true };
                vec![jsonrpc::notification(CURSOR, json!(shown))]
            }
        }
    }

    fn respond(&mut self, method: String, params: Value) -> AnswerFuture {
        match &*method {
            "page/reveal" => self.reveal(params),
            "workspace/executeCommand" => self.command(params),
            _ if method.starts_with("promptls/") => {
                let answer = self.server.request(method, params);
                Box::pin(async { answer.await.map_err(|error| error.message.into_owned()) })
            }
            _ => Box::pin(async move { Err(format!("`{method}` is not available to followers")) }),
        }
    }

    /// Runs a command as if the editor had sent it, so that its edits are applied there.
    fn command(&self, params: Value) -> AnswerFuture {
        let mut params: CommandParams = match serde_json::from_value(params) {
            Ok(params) => params,
            Err(error) => return Box::pin(async move { Err(error.to_string()) }),
        };
        let encoding = self.session.encoding();
        for argument in &mut params.arguments {
            if let Ok(Place { uri, position }) = serde_json::from_value(argument.clone()) {
                let at = reencoded(&self.session, &uri, position, Encoding::Utf16, encoding);
                argument["position"] = json!(at);
            }
        }
        let CommandParams { command, arguments } = params;
        let request = CommandRequest { command, arguments, progress: None };
        let answer = execute_command(self.session.clone(), request);
        Box::pin(async {
            let answer = answer.await.map_err(|error| error.message.into_owned());
            answer.map(Option::unwrap_or_default)
        })
    }

    fn reveal(&self, params: Value) -> AnswerFuture {
        if !self.session.client_capabilities().shows_documents {
            return Box::pin(async {
                Err("the editor cannot show documents on request".to_owned())
            });
        }
        let location: DocumentRange = match serde_json::from_value(params) {
            Ok(location) => location,
            Err(error) => return Box::pin(async move { Err(error.to_string()) }),
        };
        let encoding = self.session.encoding();
        let DocumentRange { uri, range } = location;
        let there = |position| reencoded(&self.session, &uri, position, Encoding::Utf16, encoding);
        let range = wire::Range { start: there(range.start), end: there(range.end) };
        let editor = self.session.editor.clone();
        Box::pin(async move {
            match timeout(SHOWN, editor.show(DocumentRange { uri, range })).await {
                Ok(true) => Ok(Value::Null),
                _ => Err("the editor does not show it".to_owned()),
            }
        })
    }
}

/// Converts a position of a document to another encoding; unchanged in a file that cannot be read at
/// once.
fn reencoded(
    session: &Session,
    uri: &Uri,
    position: wire::Position,
    from: Encoding,
    to: Encoding,
) -> wire::Position {
    if from == to {
        return position;
    }
    let Some(text) = session.documents.lookup().text(uri) else { return position };
    let offset = convert::nearest_offset(&text, position, from);
    convert::wire_position(&text, offset, to)
}
