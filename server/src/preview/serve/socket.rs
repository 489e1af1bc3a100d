//! The WebSocket of one page.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, close_code};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::JoinSet;
use tokio::time::timeout;

use super::editor::PageRequest;
use promptls_lsp::followers::jsonrpc::{self, Call};
use promptls_lsp::followers::outbox::Outbox;

/// The longest message of a page, in bytes. A message contains a whole edited value.
pub const MAX_MESSAGE: usize = 16 << 20;

/// The maximum number of pending requests of a page. At the limit, no more messages are read.
const MAX_UNDER_WAY: usize = 64;

/// The time within which a page must receive a message before it is disconnected.
const PATIENCE: Duration = Duration::from_secs(60);

/// Serves a page until one side ends the connection.
pub async fn converse(
    mut socket: WebSocket,
    outbox: Arc<Outbox<Utf8Bytes>>,
    requests: mpsc::Sender<PageRequest>,
    mut end: watch::Receiver<bool>,
) {
    let mut answers = JoinSet::new();
    loop {
        let sent = tokio::select! {
            () = over(&mut end) => break,
            messages = outbox.take() => send_all(&mut socket, messages).await,
            Some(Ok(answer)) = answers.join_next() => send_all(&mut socket, [answer]).await,
            message = socket.recv(), if answers.len() < MAX_UNDER_WAY => match message {
                Some(Ok(Message::Text(text))) => {
                    take(&text, &requests, &mut answers);
                    Some(())
                }
                // The WebSocket library answers pings.
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => Some(()),
                // A message that is too long or invalid also ends the connection.
                Some(Ok(Message::Binary(_) | Message::Close(_)) | Err(_)) | None => None,
            },
        };
        if sent.is_none() {
            return;
        }
    }
    let frame = CloseFrame { code: close_code::AWAY, reason: Utf8Bytes::default() };
    let _ = timeout(Duration::from_secs(1), socket.send(Message::Close(Some(frame)))).await;
}

async fn over(end: &mut watch::Receiver<bool>) {
    // Fails if the sender is gone, which is the end as well.
    let _ = end.wait_for(|end| *end).await;
}

/// Sends all pending messages; `None` if the page does not receive them.
async fn send_all(
    socket: &mut WebSocket,
    texts: impl IntoIterator<Item = Utf8Bytes>,
) -> Option<()> {
    for text in texts {
        timeout(PATIENCE, socket.send(Message::Text(text))).await.ok()?.ok()?;
    }
    Some(())
}

/// Forwards a request. Notifications of a page are ignored: there is one prompt, and no title to
/// show it in.
fn take(text: &str, requests: &mpsc::Sender<PageRequest>, answers: &mut JoinSet<Utf8Bytes>) {
    let call = match jsonrpc::read(text) {
        Ok(call) => call,
        Err(answer) => {
            answers.spawn(async move { answer.to_string().into() });
            return;
        }
    };
    let Call { id: Some(id), method, params } = call else { return };
    let requests = requests.clone();
    answers.spawn(async move {
        let (reply, answer) = oneshot::channel();
        // Neither channel closes before the end.
        let _ = requests.send(PageRequest { method, params, reply }).await;
        let answer = answer.await.unwrap_or_else(|_| Err("the preview has ended".to_owned()));
        jsonrpc::answer(id, answer).to_string().into()
    });
}
