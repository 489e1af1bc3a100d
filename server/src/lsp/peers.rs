//! Other programs that follow a prompt which is open in this server's editor.
//!
//! `promptls preview --serve` shows text that is not saved, and edits it where it is
//! open. It connects to a socket in the folder of [`crate::meeting`] and sends envelopes,
//! one in a line:
//!
//! | from | method | what it says |
//! |---|---|---|
//! | peer | `peer/follow` `{ path }` | which prompt it is about |
//! | server | `peer/has` `{ uri, reveal }` | its address here, `null` if it is not here; whether places can be shown |
//! | server | `promptls/previewChanged` | as to the editor |
//! | server | `page/cursor` `{ uri, position, reveal }` | where the cursor of the editor is |
//! | peer | `promptls/…`, `workspace/executeCommand` | requests, as the editor's |
//! | peer | `page/reveal` `{ uri, range }` | a request to show a place in the editor |
//!
//! A peer counts UTF-16 units, whatever the editor does. Nothing here is waited for by a
//! handler: what a peer should know goes into its [`Outbox`], and one that does not read is
//! left.

#![cfg_attr(not(unix), allow(dead_code, unused_imports, reason = "there are no sockets there"))]

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use serde_json::{Value, json};
use tower_lsp::ls_types as lsp;

use crate::outbox::Outbox;

/// All peers.
#[derive(Default)]
pub struct Peers {
    followers: Mutex<Vec<Weak<Follower>>>,
}

/// What a peer follows, and what it should know.
struct Follower {
    /// Without links.
    path: PathBuf,
    /// What the prompt is called here, while it is here.
    uri: Mutex<Option<lsp::Uri>>,
    outbox: Outbox<News>,
}

/// What a peer should know.
enum News {
    /// Documents were opened or closed.
    Documents,
    /// The preview may be another.
    Changed(Option<i32>),
    /// The cursor is there, in the encoding of the editor.
    Cursor(lsp::Position),
}

impl Peers {
    /// Documents were opened or closed.
    pub fn documents_changed(&self) {
        self.tell("documents", |_| Some(News::Documents));
    }

    /// The preview of a prompt may be another now.
    pub fn preview_changed(&self, uri: &lsp::Uri, version: Option<i32>) {
        self.tell("changed", |follower| follower.follows(uri).then_some(News::Changed(version)));
    }

    /// The cursor of the editor is there.
    pub fn cursor_moved(&self, uri: &lsp::Uri, position: lsp::Position) {
        self.tell("cursor", |follower| follower.follows(uri).then_some(News::Cursor(position)));
    }

    fn tell(&self, kind: &'static str, news: impl Fn(&Follower) -> Option<News>) {
        let mut followers = self.followers.lock().unwrap_or_else(PoisonError::into_inner);
        followers.retain(|follower| {
            let Some(follower) = follower.upgrade() else { return false };
            if let Some(news) = news(&follower) {
                follower.outbox.put(kind, news);
            }
            true
        });
    }

    fn join(&self, path: PathBuf) -> Arc<Follower> {
        let follower =
            Arc::new(Follower { path, uri: Mutex::default(), outbox: Outbox::default() });
        follower.outbox.put("documents", News::Documents);
        let mut followers = self.followers.lock().unwrap_or_else(PoisonError::into_inner);
        followers.push(Arc::downgrade(&follower));
        follower
    }
}

impl Follower {
    fn uri(&self) -> Option<lsp::Uri> {
        self.uri.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn follows(&self, uri: &lsp::Uri) -> bool {
        self.uri.lock().unwrap_or_else(PoisonError::into_inner).as_ref() == Some(uri)
    }
}

#[cfg(unix)]
pub use listening::listen;

#[cfg(unix)]
mod listening {
    use std::io;
    use std::path::PathBuf;
    use std::sync::{Arc, PoisonError};
    use std::time::Duration;

    use promptls_analysis::position::Encoding;
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

    use super::{Follower, News, notification};
    use crate::envelope::{self, Envelope};
    use crate::lsp::backend::{Backend, Shared};
    use crate::meeting;

    /// The longest message that is read, in bytes.
    const LONGEST: u64 = 16 << 20;

    /// How many peers there may be. One more is turned away.
    const MAX_PEERS: usize = 16;

    /// How many answers a peer may wait for before it is not read any more.
    const MAX_UNDER_WAY: usize = 16;

    /// How long a peer may take to read a message before it is left.
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

    /// Listens to peers from now on, for as long as the runtime lives. Without a private folder
    /// nobody is listened to; that only the log says.
    pub fn listen(shared: Shared) -> Option<Listening> {
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
            let folder = own.parent().map(meeting::sockets).unwrap_or_default();
            for other in folder.into_iter().filter(|other| *other != own) {
                let _ = timeout(PATIENCE, meeting::connect(&other)).await;
            }
        });
        tokio::spawn(async move {
            let mut peers = JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                while peers.try_join_next().is_some() {}
                if peers.len() < MAX_PEERS {
                    peers.spawn(converse(stream, shared.clone()));
                }
            }
        });
        Some(listening)
    }

    fn bind() -> io::Result<(UnixListener, Listening)> {
        let folder = meeting::folder()?;
        let socket = meeting::own_socket(&folder);
        // Under its name only when somebody listens: what refuses a connection is removed.
        let unready = folder.join(format!(".{}", std::process::id()));
        let _ = std::fs::remove_file(&unready);
        let listener = UnixListener::bind(&unready)?;
        std::fs::rename(&unready, &socket).inspect_err(|_| {
            let _ = std::fs::remove_file(&unready);
        })?;
        Ok((listener, Listening { socket }))
    }

    /// Talks with a peer until one of the two ends.
    async fn converse(stream: UnixStream, shared: Shared) {
        let (reader, mut writer) = stream.into_split();
        let (tell, mut heard) = mpsc::channel(1);
        // Reading a line must not be given up half-way, so it is a task of its own.
        let mut tasks = JoinSet::new();
        tasks.spawn(async move {
            let mut reader = BufReader::new(reader);
            while let Some(line) = meeting::read_line(&mut reader, LONGEST).await {
                let Ok(envelope) = serde_json::from_slice::<Envelope>(&line) else { return };
                if tell.send(envelope).await.is_err() {
                    return;
                }
            }
        });

        let Some(follow) = heard.recv().await.filter(|it| it.method == "peer/follow") else {
            return;
        };
        let path = PathBuf::from(follow.params["path"].as_str().unwrap_or_default());
        let follower = shared.peers.join(path);
        let Some(mut peer) = Peer::new(shared, follower.clone()).await else { return };
        let mut answers: JoinSet<Value> = JoinSet::new();
        loop {
            let sent = tokio::select! {
                news = follower.outbox.take() => {
                    let mut messages = Vec::new();
                    for news in news {
                        messages.extend(peer.about(news));
                    }
                    send(&mut writer, messages).await
                }
                Some(Ok(answer)) = answers.join_next() => send(&mut writer, vec![answer]).await,
                envelope = heard.recv(), if answers.len() < MAX_UNDER_WAY => match envelope {
                    Some(Envelope { id: Some(id), method, params }) => {
                        let answer = peer.ask(method, params);
                        answers.spawn(async move { envelope::answer(id, answer.await) });
                        Some(())
                    }
                    Some(Envelope { id: None, .. }) => Some(()),
                    None => return,
                },
            };
            if sent.is_none() {
                return;
            }
        }
    }

    /// `None` if the peer does not take it.
    async fn send(writer: &mut OwnedWriteHalf, messages: Vec<Value>) -> Option<()> {
        for message in messages {
            let line = message.to_string() + "\n";
            timeout(PATIENCE, writer.write_all(line.as_bytes())).await.ok()?.ok()?;
        }
        Some(())
    }

    /// What answers a peer.
    struct Peer {
        shared: Shared,
        follower: Arc<Follower>,
        /// The same server as an editor sees it that counts UTF-16 units.
        service: LspService<Backend>,
        last_id: i64,
        /// Whether it knows whether the prompt is here.
        is_told: bool,
    }

    type Answer = std::pin::Pin<Box<dyn Future<Output = Result<Value, String>> + Send>>;

    impl Peer {
        async fn new(shared: Shared, follower: Arc<Follower>) -> Option<Peer> {
            let backend = shared.for_peer(Encoding::Utf16);
            // Nothing is said through its client.
            let (mut service, _) = crate::lsp::service(|_| backend);
            let params = json!({ "capabilities": {} });
            let initialize = Request::build("initialize").params(params).id(0).finish();
            service.call(initialize).await.ok()?;
            Some(Peer { shared, follower, service, last_id: 0, is_told: false })
        }

        /// What is to be said about some news.
        fn about(&mut self, news: News) -> Vec<Value> {
            let uri = self.follower.uri();
            match news {
                News::Documents => {
                    let now = self.shared.documents.uri_of(&self.follower.path);
                    if std::mem::replace(&mut self.is_told, true) && uri == now {
                        return Vec::new();
                    }
                    *self.follower.uri.lock().unwrap_or_else(PoisonError::into_inner) = now.clone();
                    let reveal = self.shared.abilities().shows_documents;
                    vec![notification("peer/has", json!({ "uri": now, "reveal": reveal }))]
                }
                News::Changed(version) => {
                    let params = json!({ "textDocument": { "uri": uri }, "version": version });
                    vec![notification("promptls/previewChanged", params)]
                }
                News::Cursor(position) => {
                    let Some(uri) = uri else { return Vec::new() };
                    let (from, to) = (self.shared.abilities().encoding, Encoding::Utf16);
                    let position = self.shared.documents.reencoded(&uri, position, from, to);
                    let params = json!({ "uri": uri, "position": position, "reveal": true });
                    vec![notification("page/cursor", params)]
                }
            }
        }

        fn ask(&mut self, method: String, params: Value) -> Answer {
            match &*method {
                "page/reveal" => self.reveal(params),
                "workspace/executeCommand" => {
                    let answer = self.command(params);
                    Box::pin(async { answer })
                }
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
                _ => Box::pin(async move { Err(format!("`{method}` is not for peers")) }),
            }
        }

        /// Does a command as if the editor had given it, so that its edits arrive there.
        fn command(&self, params: Value) -> Result<Value, String> {
            let mut params: lsp::ExecuteCommandParams =
                serde_json::from_value(params).map_err(|error| error.to_string())?;
            let encoding = self.shared.abilities().encoding;
            for argument in &mut params.arguments {
                let uri = serde_json::from_value::<lsp::Uri>(argument["uri"].clone());
                let at = serde_json::from_value::<lsp::Position>(argument["position"].clone());
                if let (Ok(uri), Ok(at)) = (uri, at) {
                    let at = self.shared.documents.reencoded(&uri, at, Encoding::Utf16, encoding);
                    argument["position"] = json!(at);
                }
            }
            let backend = self.shared.as_editor();
            let answer = backend.do_command(params).map_err(|error| error.message.into_owned())?;
            Ok(answer.unwrap_or_default())
        }

        fn reveal(&self, params: Value) -> Answer {
            if !self.shared.abilities().shows_documents {
                return Box::pin(async { Err("the editor cannot be asked for that".to_owned()) });
            }
            let location: lsp::Location = match serde_json::from_value(params) {
                Ok(location) => location,
                Err(error) => return Box::pin(async move { Err(error.to_string()) }),
            };
            let encoding = self.shared.abilities().encoding;
            let there = |position| {
                let documents = &self.shared.documents;
                documents.reencoded(&location.uri, position, Encoding::Utf16, encoding)
            };
            let lsp::Range { start, end } = location.range;
            let selection = Some(lsp::Range { start: there(start), end: there(end) });
            let client = self.shared.client.clone();
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
}

#[cfg(unix)]
fn notification(method: &str, params: Value) -> Value {
    json!({ "method": method, "params": params })
}
