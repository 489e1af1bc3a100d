//! Splits the editor's output into messages.
//!
//! A bug of an editor, or a stray print of its shell, affects as few messages as possible. Bytes
//! between messages are skipped, and a message with a wrong length ends where the next header
//! starts. A header cannot occur inside a message, because JSON strings contain no line breaks.

use std::io;
use std::ops::Range;

use memchr::{memchr2_iter, memmem};
use tokio::io::{AsyncRead, AsyncReadExt};

const HEADER_END: &[u8] = b"\r\n\r\n";
const LENGTH: &str = "content-length";

/// The maximum length of a header in bytes.
const MAX_HEADER: usize = 4096;

/// The maximum length of a message in bytes. No editor sends a gigabyte, so a longer one is
/// garbage.
const MAX_BODY: usize = 1 << 30;

/// The number of bytes that are read at once.
const CHUNK: usize = 16 * 1024;

/// The buffer capacity that is kept between messages, in bytes.
pub const MAX_IDLE: usize = 64 * 1024;

/// Splits an input into frames.
pub struct Frames<R> {
    inner: R,
    /// The bytes that were read; those before `start` were returned already.
    read: Vec<u8>,
    start: usize,
    /// The number of bytes after `start` that are known to contain no further header.
    searched: usize,
}

/// A part of the editor's output.
#[derive(Debug, PartialEq)]
pub enum Frame<'f> {
    /// The content of a message, or of bytes that a header declares as one.
    Body(&'f [u8]),
    /// Bytes outside of any message.
    Garbage(&'f [u8]),
}

impl<R: AsyncRead + Unpin> Frames<R> {
    /// Starts reading frames from `inner`.
    pub fn new(inner: R) -> Self {
        Frames { inner, read: Vec::new(), start: 0, searched: 0 }
    }

    /// Returns the next frame; `None` at the end. A truncated final message is dropped.
    ///
    /// Cost: its length. A long message is read into a buffer of its size.
    pub async fn next(&mut self) -> io::Result<Option<Frame<'_>>> {
        let piece = loop {
            match cut(&self.read[self.start..], self.searched) {
                Cut::Piece(piece) => break piece,
                Cut::Incomplete { needed, searched } => {
                    self.searched = searched;
                    if !self.read_more(needed).await? {
                        return Ok(None);
                    }
                }
            }
        };
        self.searched = 0;
        let bytes = &self.read[self.start..];
        Ok(Some(match piece {
            FramePart::Body(body) => {
                self.start += body.end;
                Frame::Body(&bytes[body])
            }
            FramePart::Garbage(len) => {
                self.start += len;
                Frame::Garbage(&bytes[..len])
            }
        }))
    }

    /// Puts back the part of the last body that belongs to a following message. Call it for a body
    /// that was not a message.
    pub fn put_back(&mut self, body: usize) {
        let start = self.start - body;
        // The end of the header may be after the body.
        if let Some(header) = header_in(&self.read[start..]).filter(|&header| header < body) {
            self.start = start + header;
        }
    }

    async fn read_more(&mut self, needed: usize) -> io::Result<bool> {
        self.read.drain(..self.start);
        self.start = 0;
        if self.read.is_empty() {
            // A prompt of megabytes is sent once; its keystrokes do not need such a buffer.
            self.read.shrink_to(MAX_IDLE);
        }
        self.read.reserve(CHUNK.max(needed.saturating_sub(self.read.len())));
        Ok(self.inner.read_buf(&mut self.read).await? > 0)
    }
}

/// The result of examining the first bytes.
enum Cut {
    Piece(FramePart),
    /// More bytes are needed, or `needed` bytes in total.
    Incomplete {
        needed: usize,
        /// This many bytes contain no further header.
        searched: usize,
    },
}

enum FramePart {
    /// The range of the body after a header.
    Body(Range<usize>),
    /// This many bytes are not part of a message.
    Garbage(usize),
}

fn cut(bytes: &[u8], searched: usize) -> Cut {
    let blanks = bytes.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let rest = &bytes[blanks..];
    let Some(header) = memmem::find(rest, HEADER_END) else {
        return match rest.len() {
            0..=MAX_HEADER => Cut::Incomplete { needed: 0, searched: 0 },
            // The end may be the beginning of a header.
            len => Cut::Piece(FramePart::Garbage(
                blanks + lengths(rest).find(|&at| at > 0).unwrap_or(len - MAX_HEADER / 2),
            )),
        };
    };
    let start = blanks + header + HEADER_END.len();
    let header = &rest[..header];
    // Of two headers, the first one has no end, and so no message.
    let last = lengths(header).last();
    let is_one = lengths(header).next() == last;
    let Some(len) = content_length(header).filter(|_| is_one) else {
        // The header itself may be anywhere, also inside these lines.
        let garbage = last.filter(|&at| at > 0).map_or(start, |at| blanks + at);
        return Cut::Piece(FramePart::Garbage(garbage));
    };
    if len > MAX_BODY {
        return Cut::Piece(FramePart::Garbage(start));
    }
    let end = start + len;
    if end <= bytes.len() {
        return Cut::Piece(FramePart::Body(start..end));
    }
    // A header might have arrived in parts.
    let from = searched.saturating_sub(MAX_HEADER).max(start);
    match header_in(&bytes[from..]) {
        Some(header) => Cut::Piece(FramePart::Body(start..from + header)),
        None => Cut::Incomplete { needed: end, searched: bytes.len() },
    }
}

/// The start of the first complete header.
fn header_in(bytes: &[u8]) -> Option<usize> {
    memmem::find_iter(bytes, HEADER_END).find_map(|end| {
        let line = bytes[..end].iter().rposition(|&byte| byte == b'\n').unwrap_or(0);
        lengths(&bytes[line..end]).next().map(|at| line + at)
    })
}

/// The positions of `Content-Length`, in any case.
fn lengths(bytes: &[u8]) -> impl Iterator<Item = usize> {
    memchr2_iter(b'C', b'c', bytes).filter(|&at| {
        let name = bytes[at..].get(..LENGTH.len());
        name.is_some_and(|name| name.eq_ignore_ascii_case(LENGTH.as_bytes()))
    })
}

/// The length that a header names; `None` if it is not a header.
///
/// Names are in any case, with optional whitespace around them. Other fields, such as the content
/// type, are ignored: the content can only be JSON in UTF-8.
fn content_length(header: &[u8]) -> Option<usize> {
    let header = std::str::from_utf8(header).ok()?;
    let mut length = None;
    for line in header.lines().filter(|line| !line.trim().is_empty()) {
        let (name, value) = line.split_once(':')?;
        if name.trim().eq_ignore_ascii_case(LENGTH) {
            length = Some(value.trim().parse().ok()?);
        }
    }
    length
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncWriteExt;

    use super::*;

    fn message(body: &str) -> String {
        format!("Content-Length: {}\r\n\r\n{body}", body.len())
    }

    /// The bodies in a text that arrives in chunks; bytes outside of messages are in `<>`.
    async fn frames(input: &str, chunk: usize) -> Vec<String> {
        let (mut editor, ours) = tokio::io::duplex(chunk);
        let mut frames = Frames::new(ours);
        let mut found = Vec::new();
        let read = async {
            while let Some(frame) = frames.next().await.unwrap() {
                found.push(match frame {
                    Frame::Body(body) => String::from_utf8_lossy(body).into_owned(),
                    Frame::Garbage(bytes) => format!("<{}>", String::from_utf8_lossy(bytes)),
                });
            }
        };
        let write = async move { editor.write_all(input.as_bytes()).await };
        tokio::join!(read, write).1.unwrap();
        found
    }

    #[tokio::test]
    async fn headers_are_parsed_in_all_variants() {
        for header in [
            "Content-Length: 2\r\n\r\n",
            "content-length:2\r\n\r\n",
            "CONTENT-LENGTH : 2\r\n\r\n",
            " Content-Length: 2\r\n\r\n",
            "\tContent-Length: 2\r\n\r\n",
            "\r\n\nContent-Length: 2\r\n\r\n",
            "X-One: 1\r\nX-Two: 2\r\nContent-Length: 2\r\n\r\n",
            "Content-Length: 2\r\nContent-Type: application/json\r\n\r\n",
            "Content-Type: application/vscode-jsonrpc; charset=\"UTF-8\"\r\nContent-Length: 2\r\n\r\n",
        ] {
            for chunk in [1, 7, 1000] {
                assert_eq!(frames(&format!("{header}{{}}"), chunk).await, ["{}"], "{header:?}");
            }
        }
    }

    #[tokio::test]
    async fn malformed_input_loses_only_itself() {
        let good = message("{}");
        for (bad, reported) in [
            ("hello\n", "<hello\n>"),
            ("hello\r\n\r\n", "<hello\r\n\r\n>"),
            ("Content-Length: x\r\n\r\n", "<Content-Length: x\r\n\r\n>"),
            ("Content-Length: 9999999999\r\n\r\n", "<Content-Length: 9999999999\r\n\r\n>"),
            ("Content-Length: 30\r\n\r\n[]", "[]"),
            ("Content-Length: 9\r\n\r:{}", "<Content-Length: 9\r\n\r:{}>"),
            ("Content-Length: 9\r\n\rX", "<Content-Length: 9\r\n\rX>"),
            ("Content-Length: 9\r\x0b\n\r\n{}", "<Content-Length: 9\r\x0b\n\r\n{}>"),
        ] {
            let found = frames(&format!("{good}{bad}{good}"), 1000).await;
            assert_eq!(found, ["{}", reported, "{}"], "{bad:?}");
        }
    }

    #[tokio::test]
    async fn a_message_swallowed_by_a_wrong_length_is_recovered() {
        for body in ["", "[]", "[]\n", "[\r\n\r\n]\n"] {
            let len = body.len() + 7;
            let text = format!("Content-Length: {len}\r\n\r\n{body}{}", message("{}"));
            let mut frames = Frames::new(text.as_bytes());
            assert!(matches!(frames.next().await.unwrap(), Some(Frame::Body(_))));
            frames.put_back(len);
            assert_eq!(frames.next().await.unwrap(), Some(Frame::Body(b"{}")), "{body:?}");
        }
    }

    #[tokio::test]
    async fn a_truncated_final_message_is_dropped() {
        let text = format!("{}Content-Length: 99\r\n\r\n{{", message("{}"));
        assert_eq!(frames(&text, 1000).await, ["{}"]);
    }

    #[tokio::test]
    async fn the_buffer_shrinks_after_a_large_message() {
        let text = message(&"m".repeat(1 << 20)) + &message("{}");
        let mut frames = Frames::new(text.as_bytes());
        while frames.next().await.unwrap().is_some() {}
        assert!(frames.read.capacity() <= MAX_IDLE);
    }
}
