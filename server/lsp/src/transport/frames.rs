//! Lets only whole messages through to the server.
//!
//! tower-lsp stops for good at the first bytes that it cannot read. An editor's
//! bug, or a stray print of its shell, should cost one message, not the session.
//! So the frames are read here first; what is no message is replaced by a request
//! that is answered with a parse error, as JSON-RPC wants it.

use std::borrow::Cow;
use std::io::Write;
use std::mem::MaybeUninit;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use serde::Deserialize;
use tokio::io::{AsyncRead, ReadBuf};
use tower_lsp::ls_types::NumberOrString;

/// The method of the request that stands for an unreadable message.
pub const UNREADABLE: &str = "promptls/unreadable";

const HEADER_END: &[u8] = b"\r\n\r\n";
const LENGTH: &str = "content-length";

/// A longer header is none.
const MAX_HEADER: usize = 4096;

/// A longer message is taken for garbage: no editor sends a gigabyte.
const MAX_BODY: usize = 1 << 30;

/// How much room for messages is kept while there are none.
const MAX_IDLE: usize = 64 * 1024;

/// A reader that passes on whole messages only.
pub struct Frames<R> {
    inner: R,
    /// What was read and is not passed on yet.
    pending: Vec<u8>,
    /// How much of `pending` is known to be whole messages.
    checked: usize,
    /// How much of that was passed on.
    passed: usize,
}

impl<R: AsyncRead + Unpin> Frames<R> {
    /// Checks what comes from `inner`.
    pub fn new(inner: R) -> Self {
        Frames { inner, pending: Vec::new(), checked: 0, passed: 0 }
    }

    /// Checks as many messages as there are; replaces what is none.
    fn check(&mut self) {
        loop {
            let rest = &self.pending[self.checked..];
            match frame(rest) {
                Frame::Whole(len) => self.checked += len,
                Frame::Incomplete => return,
                Frame::Garbage(len) => {
                    // The editor shows the server's stderr in its log.
                    let shown = String::from_utf8_lossy(&rest[..len.min(80)]).into_owned();
                    let _ = writeln!(std::io::stderr(), "promptls: not a message: {shown:?}");
                    let body = format!(r#"{{"jsonrpc":"2.0","id":null,"method":"{UNREADABLE}"}}"#);
                    let instead = format!("Content-Length: {}\r\n\r\n{body}", body.len());
                    let start = self.checked;
                    self.pending.splice(start..start + len, instead.bytes());
                    self.checked += instead.len();
                }
            }
        }
    }
}

enum Frame {
    /// The first bytes are a message of this length.
    Whole(usize),
    /// More bytes are needed to tell.
    Incomplete,
    /// So many bytes are no message.
    Garbage(usize),
}

fn frame(bytes: &[u8]) -> Frame {
    let Some(header) = memchr::memmem::find(bytes, HEADER_END) else {
        return match bytes.len() {
            0..=MAX_HEADER => Frame::Incomplete,
            len => Frame::Garbage(next_header(bytes).unwrap_or(len)),
        };
    };
    let body = header + HEADER_END.len();
    let Some(len) = content_length(&bytes[..header]) else {
        // The next header may be anywhere, also inside these lines.
        return Frame::Garbage(next_header(bytes).unwrap_or(body));
    };
    if len > MAX_BODY {
        return Frame::Garbage(body);
    }
    match bytes.get(body..body + len) {
        None => Frame::Incomplete,
        Some(text) if is_message(text) => Frame::Whole(body + len),
        Some(_) => Frame::Garbage(body + len),
    }
}

/// Where another message may start, behind the first bytes.
fn next_header(bytes: &[u8]) -> Option<usize> {
    let found = memchr::memmem::find(bytes.get(1..)?, b"Content-Length:")?;
    Some(found + 1)
}

/// The length that a header names; `None` if it is no header.
fn content_length(header: &[u8]) -> Option<usize> {
    let header = std::str::from_utf8(header).ok()?;
    let mut length = None;
    for line in header.split("\r\n") {
        let (name, value) = line.split_once(':')?;
        match name.trim().to_ascii_lowercase().as_str() {
            LENGTH => length = Some(value.trim().parse().ok()?),
            // tower-lsp takes no other charset.
            "content-type" if !value.to_ascii_lowercase().contains("utf") => return None,
            _ => {}
        }
    }
    length
}

/// Whether a body is a request, a notification or an answer.
fn is_message(body: &[u8]) -> bool {
    // Just what tower-lsp insists on; everything else may have any shape.
    #[derive(Deserialize)]
    struct Shape<'a> {
        #[serde(borrow)]
        jsonrpc: Cow<'a, str>,
        #[serde(borrow)]
        method: Option<Cow<'a, str>>,
        id: Option<NumberOrString>,
        error: Option<ErrorShape>,
    }
    #[derive(Deserialize)]
    struct ErrorShape {
        #[serde(rename = "code")]
        _code: i64,
        #[serde(rename = "message")]
        _message: String,
    }
    match serde_json::from_slice::<Shape<'_>>(body) {
        Ok(shape) => {
            let is_answer = shape.id.is_some() || shape.error.is_some();
            shape.jsonrpc == "2.0" && (shape.method.is_some() || is_answer)
        }
        Err(_) => false,
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for Frames<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        out: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        loop {
            if self.passed < self.checked {
                let len = out.remaining().min(self.checked - self.passed);
                let start = self.passed;
                out.put_slice(&self.pending[start..start + len]);
                self.passed += len;
                if self.passed == self.checked {
                    let done = self.checked;
                    self.pending.drain(..done);
                    // A prompt of megabytes comes once; its keystrokes need no such room.
                    self.pending.shrink_to(MAX_IDLE);
                    (self.passed, self.checked) = (0, 0);
                }
                return Poll::Ready(Ok(()));
            }
            // Clearing it would take longer than reading most messages.
            let mut chunk = [MaybeUninit::uninit(); 16 * 1024];
            let mut read = ReadBuf::uninit(&mut chunk);
            ready!(Pin::new(&mut self.inner).poll_read(context, &mut read))?;
            if read.filled().is_empty() {
                // Half a message at the end is nobody's any more.
                return Poll::Ready(Ok(()));
            }
            self.pending.extend_from_slice(read.filled());
            self.check();
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncReadExt;

    use super::*;

    fn message(body: &str) -> String {
        format!("Content-Length: {}\r\n\r\n{body}", body.len())
    }

    async fn passed(input: &str) -> String {
        let mut passed = String::new();
        let mut frames = Frames::new(input.as_bytes());
        frames.read_to_string(&mut passed).await.unwrap();
        passed.replace(
            &message(r#"{"jsonrpc":"2.0","id":null,"method":"promptls/unreadable"}"#),
            "<error>",
        )
    }

    #[tokio::test]
    async fn room_for_a_large_message_is_given_back() {
        let large = message(&format!(r#"{{"jsonrpc":"2.0","method":"{}"}}"#, "m".repeat(1 << 20)));
        let mut frames = Frames::new(large.as_bytes());
        let mut passed = String::new();
        frames.read_to_string(&mut passed).await.unwrap();
        assert!(passed == large);
        assert!(frames.pending.capacity() <= MAX_IDLE);
    }

    #[tokio::test]
    async fn whole_messages_pass_and_garbage_becomes_an_error() {
        let good = message(r#"{"jsonrpc":"2.0","method":"x"}"#);
        let answer = message(r#"{"jsonrpc":"2.0","id":1,"result":null}"#);
        assert_eq!(passed(&format!("{good}{answer}")).await, format!("{good}{answer}"));
        for bad in [
            message("{"),
            message("[]"),
            message("not json"),
            "Content-Length: x\r\n\r\n".to_owned(),
            "hello\r\n\r\n".to_owned(),
        ] {
            assert_eq!(
                passed(&format!("{good}{bad}{good}")).await,
                format!("{good}<error>{good}"),
                "{bad:?}"
            );
        }
    }

    #[tokio::test]
    async fn half_a_message_at_the_end_is_dropped() {
        let good = message(r#"{"jsonrpc":"2.0","method":"x"}"#);
        assert_eq!(passed(&format!("{good}Content-Length: 99\r\n\r\n{{")).await, good);
    }
}
