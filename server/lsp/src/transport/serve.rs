//! Exchanges messages with the editor.
//!
//! Messages are handled in the order in which they arrive, up to their first `.await`. The rest
//! runs concurrently with later messages. The session ends when the editor sends `exit`, closes its
//! end, or no longer reads.

use std::future::{pending, poll_fn};
use std::io;
use std::io::Write;
use std::pin::pin;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt, stream};
use serde::Serialize;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt, BufWriter};
use tokio::sync::mpsc;
use tokio::time::sleep;
use tower_lsp::jsonrpc::{Error, Id, Request, Response};
use tower_lsp::{ClientSocket, ExitedError};
use tower_service::Service;

use super::frames::{Frame, Frames, MAX_IDLE};
use super::message::{self, Incoming};
use super::prepared;

/// The maximum number of concurrent requests. Far more than editors send: slow responses must
/// never delay a change or a cancellation.
const CONCURRENCY: usize = 256;

/// The maximum number of requests that wait for that.
const QUEUE: usize = 100;

/// The time that unfinished requests have after `exit`, because the editor does not wait for them.
const AFTER_EXIT: Duration = Duration::from_secs(1);

/// The same after the editor has only closed its end.
const AFTER_END: Duration = Duration::from_secs(30);

/// A message to the editor.
#[derive(Serialize)]
#[serde(untagged)]
enum Outgoing {
    Response(Response),
    Request(Request),
}

/// The way in which the editor has ended the session.
enum End {
    Exit,
    Closed,
}

/// Serves an editor until it leaves. `socket` carries the messages that the service itself sends.
/// Input that is not a message is reported to `log`. `ended` is called once there are no more
/// messages, to end requests that wait for changes and would delay the end.
pub async fn serve<S>(
    mut service: S,
    socket: ClientSocket,
    input: impl AsyncRead + Unpin,
    output: impl AsyncWrite + Unpin,
    log: impl Write,
    ended: impl FnOnce(),
) where
    S: Service<Request, Response = Option<Response>, Error = ExitedError>,
{
    let (messages, answers) = socket.split();
    let (sender, to_write) = mpsc::channel(1);
    let (do_it, to_do) = mpsc::channel(QUEUE);
    let work_sender = sender.clone();
    let work = async move {
        let to_do = stream::unfold(to_do, |mut to_do| async { Some((to_do.recv().await?, to_do)) });
        let mut done = pin!(to_do.buffer_unordered(CONCURRENCY));
        while let Some(answer) = done.next().await {
            if let Ok(Some(answer)) = answer {
                // It fails only after the end.
                let _ = work_sender.send(answer).await;
            }
        }
    };
    let listen = async {
        let end = listen(&mut service, answers, input, log, sender, do_it).await;
        ended();
        sleep(match end {
            End::Exit => AFTER_EXIT,
            End::Closed => AFTER_END,
        })
        .await;
    };
    tokio::select! {
        // Ends when everything is written, or when the editor no longer reads.
        _ = write(to_write, messages, output) => {}
        () = listen => {}
        () = async { work.await; pending().await } => {}
    }
}

/// Reads and handles messages until the editor sends no more.
async fn listen<S>(
    service: &mut S,
    mut answers: impl futures_util::Sink<Response> + Unpin,
    input: impl AsyncRead + Unpin,
    mut log: impl Write,
    sender: mpsc::Sender<Response>,
    do_it: mpsc::Sender<S::Future>,
) -> End
where
    S: Service<Request, Response = Option<Response>, Error = ExitedError>,
{
    let mut frames = Frames::new(input);
    while let Ok(Some(frame)) = frames.next().await {
        let incoming = match frame {
            Frame::Body(text) => {
                let len = text.len();
                let incoming = message::read(text);
                if let Incoming::Unreadable(_) = &incoming {
                    complain(&mut log, text);
                    frames.put_back(len);
                }
                incoming
            }
            Frame::Garbage(bytes) => {
                complain(&mut log, bytes);
                Incoming::Unreadable(Response::from_error(Id::Null, Error::parse_error()))
            }
        };
        match incoming {
            // The library drops these without a response.
            Incoming::Request(request) if is_unknown(&request) => {
                let id = request.id().cloned().unwrap_or_default();
                drop(sender.send(Response::from_error(id, Error::method_not_found())).await);
            }
            Incoming::Request(request) => {
                let is_exit = request.method() == "exit";
                let is_ready = poll_fn(|context| service.poll_ready(context)).await.is_ok();
                if !is_ready || do_it.send(service.call(request)).await.is_err() || is_exit {
                    return End::Exit;
                }
            }
            // After the end, nothing waits for the response.
            Incoming::Response(response) => drop(answers.send(response).await),
            Incoming::Unreadable(answer) => drop(sender.send(answer).await),
        }
    }
    End::Closed
}

/// Returns whether it is a request of the protocol itself; the protocol defines only notifications
/// there.
fn is_unknown(request: &Request) -> bool {
    request.id().is_some() && request.method().starts_with("$/")
}

fn complain(log: &mut impl Write, bytes: &[u8]) {
    let shown = String::from_utf8_lossy(&bytes[..bytes.len().min(80)]);
    // A failure to write the log is ignored: there is no other place to report it.
    let _ = writeln!(log, "promptls: not a message: {shown:?}");
}

/// Writes responses, and messages of the service.
async fn write(
    mut answers: mpsc::Receiver<Response>,
    mut messages: impl stream::Stream<Item = Request> + Unpin,
    mut output: impl AsyncWrite + Unpin,
) -> io::Result<()> {
    let mut buffer = Vec::new();
    loop {
        let message = tokio::select! {
            answer = answers.recv() => match answer {
                Some(answer) => Outgoing::Response(answer),
                None => return Ok(()),
            },
            Some(request) = messages.next() => Outgoing::Request(request),
        };
        if let Outgoing::Response(response) = &message
            && let Some(items) = response.result().and_then(prepared::take)
        {
            write_prepared(&mut output, response.id(), items).await?;
            continue;
        }
        let start = frame(&mut buffer, &message)?;
        output.write_all(&buffer[start..]).await?;
        output.flush().await?;
        buffer.clear();
        buffer.shrink_to(MAX_IDLE);
    }
}

/// The number of bytes of a large response that are written at once.
const BUFFER: usize = 64 * 1024;

/// Writes a response whose result is an object with these items.
async fn write_prepared(
    output: &mut (impl AsyncWrite + Unpin),
    id: &Id,
    items: prepared::Items,
) -> io::Result<()> {
    let id = serde_json::to_string(id)?;
    let head = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"items":["#);
    let tail = "]}}";
    let length = items.texts().map(<[u8]>::len).sum::<usize>() + head.len() + tail.len();
    let mut output = BufWriter::with_capacity(BUFFER, output);
    output.write_all(format!("Content-Length: {length}\r\n\r\n{head}").as_bytes()).await?;
    for text in items.texts() {
        output.write_all(text).await?;
    }
    output.write_all(tail.as_bytes()).await?;
    output.flush().await
}

/// Writes a message with its header into a buffer; returns the offset of its start.
fn frame(buffer: &mut Vec<u8>, message: &Outgoing) -> io::Result<usize> {
    /// The header is written once the length is known, and is shorter than this.
    const ROOM: usize = 48;
    buffer.clear();
    buffer.resize(ROOM, 0);
    serde_json::to_writer(&mut *buffer, message)?;
    let header = format!("Content-Length: {}\r\n\r\n", buffer.len() - ROOM);
    let start = ROOM - header.len();
    buffer[start..ROOM].copy_from_slice(header.as_bytes());
    Ok(start)
}
