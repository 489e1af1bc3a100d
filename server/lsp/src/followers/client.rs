//! Connects to language servers of editors that may have the prompt open with unsaved text.
//! `server.rs` is their end, and documents the messages.
//!
//! The server that has the prompt open answers in place of the built-in one. Servers come and go.
//! Each has a task that reads its messages, and a bounded queue of messages to write.

#![cfg_attr(not(unix), allow(dead_code, unused_imports, reason = "there are no sockets there"))]

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use promptls_protocol::methods::PREVIEW_CHANGED;
use promptls_workspace::{Disk, Files};
use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot};

use super::jsonrpc;
use super::messages::{CURSOR, FOLLOW, Follow, HAS, HasPrompt, ServerMessage};

/// The maximum number of messages waiting to be written to a server.
const WAITING: usize = 64;

/// The maximum number of unread messages of all servers.
const MAX_EVENTS: usize = 64;

/// An event of the servers.
#[derive(Debug)]
pub enum Event {
    /// Another server answers now, or none, or its capabilities changed.
    Other,
    /// A notification for the pages: its method and parameters.
    Notification(&'static str, Value),
}

/// The path of a server's socket.
type SocketPath = PathBuf;

/// All servers that were found.
pub struct Servers {
    /// The canonical path of the prompt.
    prompt: PathBuf,
    folder: Option<PathBuf>,
    servers: HashMap<SocketPath, Server>,
    /// The server that has the prompt, if there is one.
    active: Option<SocketPath>,
    events: mpsc::Receiver<(SocketPath, ServerEvent)>,
    sender: mpsc::Sender<(SocketPath, ServerEvent)>,
}

struct Server {
    write: mpsc::Sender<String>,
    /// The server's URI of the prompt; `None` while it does not have it.
    uri: Option<String>,
    reveals: bool,
    waiting: HashMap<u64, oneshot::Sender<Result<Value, String>>>,
    last_id: u64,
}

/// An event of a server's task.
enum ServerEvent {
    Message(Box<ServerMessage>),
    Gone,
}

impl Servers {
    /// Starts without any servers: see [`Servers::look`].
    pub fn new(prompt: &Path) -> Servers {
        let (sender, events) = mpsc::channel(MAX_EVENTS);
        Servers {
            prompt: Disk.without_links(prompt).unwrap_or_else(|| prompt.to_owned()),
            folder: folder(),
            servers: HashMap::new(),
            active: None,
            events,
            sender,
        }
    }

    /// The folder in which new sockets appear, if there is one.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// The URI of the prompt on the server that has it.
    pub fn uri(&self) -> Option<&str> {
        self.servers.get(self.active.as_ref()?)?.uri.as_deref()
    }

    /// Returns whether the editor of that server can show locations.
    pub fn reveals(&self) -> bool {
        let active = self.active.as_ref().and_then(|name| self.servers.get(name));
        active.is_some_and(|server| server.reveals)
    }

    /// Sends a request to the server that has the prompt. Returns `reply` if there is none.
    pub fn request(
        &mut self,
        method: &str,
        params: &Value,
        reply: oneshot::Sender<Result<Value, String>>,
    ) -> Option<oneshot::Sender<Result<Value, String>>> {
        let server = self.active.as_ref().and_then(|name| self.servers.get_mut(name));
        let Some(server) = server else { return Some(reply) };
        server.last_id += 1;
        let line = jsonrpc::request(server.last_id, method, params);
        match server.write.try_send(line.to_string() + "\n") {
            Ok(()) => {
                server.waiting.insert(server.last_id, reply);
            }
            Err(_) => {
                let _ = reply.send(Err("the editor does not respond".to_owned()));
            }
        }
        None
    }

    /// Waits for the next event of a server. Cancel safe.
    pub async fn next(&mut self) -> Event {
        loop {
            // This struct holds a sender itself, so the channel does not end.
            let Some((name, event)) = self.events.recv().await else {
                return std::future::pending().await;
            };
            if let Some(event) = self.handle(&name, event) {
                return event;
            }
        }
    }

    fn handle(&mut self, name: &SocketPath, event: ServerEvent) -> Option<Event> {
        let server = self.servers.get_mut(name)?;
        let message = match event {
            ServerEvent::Message(message) => message,
            ServerEvent::Gone => {
                for (_, reply) in self.servers.remove(name)?.waiting {
                    let _ = reply.send(Err("the editor has exited".to_owned()));
                }
                return self.choose().then_some(Event::Other);
            }
        };
        let ServerMessage { id, method, params, result, error } = *message;
        if let Some(id) = id {
            let reply = server.waiting.remove(&id)?;
            let _ = reply.send(error.map_or(Ok(result), |error| Err(error.message)));
            return None;
        }
        let method = method?;
        if method == HAS {
            let HasPrompt { uri, reveal } = serde_json::from_value(params).ok()?;
            (server.uri, server.reveals) = (uri, reveal);
            return self.choose().then_some(Event::Other);
        }
        let method = [PREVIEW_CHANGED, CURSOR].into_iter().find(|it| *it == method)?;
        (self.active.as_ref() == Some(name)).then_some(Event::Notification(method, params))
    }

    /// Selects the server that answers: the current one for as long as it has the prompt. Returns
    /// `true` if the selection changed.
    fn choose(&mut self) -> bool {
        let has =
            |name: &&SocketPath| self.servers.get(*name).is_some_and(|server| server.uri.is_some());
        if self.active.as_ref().filter(has).is_some() {
            return false;
        }
        let next = self.servers.keys().filter(has).min().cloned();
        let is_other = next != self.active;
        self.active = next;
        is_other
    }
}

#[cfg(not(unix))]
fn folder() -> Option<PathBuf> {
    None
}

#[cfg(not(unix))]
impl Servers {
    /// Does nothing: there are no sockets on this platform.
    pub fn look(&mut self) {}
}

#[cfg(unix)]
fn folder() -> Option<PathBuf> {
    let folder = super::socket_dir::folder();
    folder.inspect_err(|error| tracing::warn!(%error, "unsaved text cannot be followed")).ok()
}

#[cfg(unix)]
impl Servers {
    /// Connects to servers that have started since the last call.
    pub fn look(&mut self) {
        let sockets = self.folder.as_deref().map(super::socket_dir::sockets);
        for socket in sockets.unwrap_or_default() {
            if self.servers.contains_key(&socket) {
                continue;
            }
            let (write, to_write) = mpsc::channel(WAITING);
            let hello = json!(Follow { path: self.prompt.clone() });
            let hello = jsonrpc::notification(FOLLOW, hello);
            // The queue is empty, so this does not fail.
            let _ = write.try_send(hello.to_string() + "\n");
            tokio::spawn(link::converse(socket.clone(), to_write, self.sender.clone()));
            let waiting = HashMap::new();
            let server = Server { write, uri: None, reveals: false, waiting, last_id: 0 };
            self.servers.insert(socket, server);
        }
    }
}

#[cfg(unix)]
mod link {
    use tokio::io::{AsyncWriteExt, BufReader};

    use super::{ServerEvent, SocketPath, mpsc};
    use crate::followers::socket_dir;

    /// The maximum length of a message in bytes: a preview of the longest text, with its map.
    const LONGEST: u64 = 256 << 20;

    /// Exchanges messages with a server until either side closes the connection.
    pub async fn converse(
        name: SocketPath,
        mut to_write: mpsc::Receiver<String>,
        sender: mpsc::Sender<(SocketPath, ServerEvent)>,
    ) {
        match socket_dir::connect(&name).await {
            Ok(stream) => {
                let (reader, mut writer) = stream.into_split();
                let writing = async move {
                    while let Some(line) = to_write.recv().await {
                        if writer.write_all(line.as_bytes()).await.is_err() {
                            return;
                        }
                    }
                };
                let reading = async {
                    let mut reader = BufReader::new(reader);
                    while let Some(line) = socket_dir::read_line(&mut reader, LONGEST).await {
                        let Ok(message) = serde_json::from_slice(&line) else { return };
                        if sender.send((name.clone(), ServerEvent::Message(message))).await.is_err()
                        {
                            return;
                        }
                    }
                };
                tokio::select! {
                    () = writing => {}
                    () = reading => {}
                }
            }
            Err(error) => tracing::debug!(%error, "a server cannot be reached"),
        }
        let _ = sender.send((name, ServerEvent::Gone)).await;
    }
}
