//! Records the messages of editor and server, if `PROMPTLS_RECORD` names a folder.
//!
//! One file for each connection, in the format of `tests/protocol/record`: a line of JSON for each
//! message. Its `dir` is `in` for the server's input and `out` for its output.
//! `tests/protocol/validate` checks them.

use std::env;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Map, Value, json};

use crate::process::Ends;

/// The ends of a server, which record the messages that pass through them.
///
/// # Panics
///
/// If `PROMPTLS_RECORD` names a folder that is not writable.
pub fn recorded(ends: Ends) -> Ends {
    let Some(folder) = env::var_os("PROMPTLS_RECORD") else { return ends };
    let log = Arc::new(Mutex::new(new_log(Path::new(&folder)).expect("logs can be written")));
    Ends {
        to_server: Box::new(Tee::new(ends.to_server, "in", Arc::clone(&log))),
        from_server: Box::new(Tee::new(ends.from_server, "out", log)),
    }
}

/// A separate file: tests run in several processes, each with several editors.
fn new_log(folder: &Path) -> io::Result<File> {
    static LAST: AtomicU32 = AtomicU32::new(0);
    fs::create_dir_all(folder)?;
    loop {
        let number = LAST.fetch_add(1, Ordering::Relaxed);
        let name = format!("stories-{}-{number}.jsonl", std::process::id());
        match File::create_new(folder.join(name)) {
            // A log of an earlier run, whose process had the same id.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            log => return log,
        }
    }
}

/// One direction of the connection.
struct Tee<T> {
    inner: T,
    direction: &'static str,
    log: Arc<Mutex<File>>,
    /// The beginning of a message.
    pending: Vec<u8>,
}

impl<T> Tee<T> {
    fn new(inner: T, direction: &'static str, log: Arc<Mutex<File>>) -> Self {
        Self { inner, direction, log, pending: Vec::new() }
    }

    fn note(&mut self, bytes: &[u8]) {
        self.pending.extend_from_slice(bytes);
        while let Some((length, body)) = first_message(&self.pending, self.direction) {
            let rest = self.pending.split_off(length);
            let message = std::mem::replace(&mut self.pending, rest);
            let entry = match body.map(|start| serde_json::from_slice(&message[start..])) {
                Some(Ok(Value::Object(fields))) => fields,
                _ => Map::from_iter([(
                    "unreadable".to_owned(),
                    String::from_utf8_lossy(&message).into(),
                )]),
            };
            let mut line = Map::from_iter([("dir".to_owned(), json!(self.direction))]);
            line.extend(entry);
            let line = format!("{}\n", Value::Object(line));
            let mut log = self.log.lock().unwrap_or_else(PoisonError::into_inner);
            log.write_all(line.as_bytes()).expect("the log can be written");
        }
    }
}

/// The length of the first message, and the start of its body; `None` for the body if it is
/// invalid.
fn first_message(bytes: &[u8], direction: &str) -> Option<(usize, Option<usize>)> {
    const END: &[u8] = b"\r\n\r\n";
    let find = |bytes: &[u8], wanted: &[u8]| {
        bytes.windows(wanted.len()).position(|window| window == wanted)
    };
    let body = find(bytes, END)? + END.len();
    let header = String::from_utf8_lossy(&bytes[..body]);
    let length = header.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().ok())?
    });
    match length {
        // The next header may be in the middle of this line.
        None => {
            let again = find(&bytes[1..body], b"Content-Length:");
            Some((again.map_or(body, |at| at + 1), None))
        }
        Some(length) => {
            // For editors only: a wrong length ends where the next header starts, which is no part
            // of any JSON.
            let next = (direction == "in").then(|| next_header(&bytes[body..])).flatten();
            let length = next.map_or(length, |next| next.min(length));
            (bytes.len() >= body + length).then_some((body + length, Some(body)))
        }
    }
}

/// The position of a complete header in a text.
fn next_header(text: &[u8]) -> Option<usize> {
    const NAME: &[u8] = b"Content-Length: ";
    let is_header = |&start: &usize| {
        let value = &text[start + NAME.len()..];
        let digits = value.iter().take_while(|byte| byte.is_ascii_digit()).count();
        digits > 0 && value[digits..].starts_with(b"\r\n\r\n")
    };
    let names = text.windows(NAME.len()).enumerate().filter(|(_, window)| *window == NAME);
    names.map(|(start, _)| start).find(is_header)
}

impl<T: Write> Write for Tee<T> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // Before it is sent, so that a request is recorded before its response.
        self.note(bytes);
        self.inner.write_all(bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

impl<T: Read> Read for Tee<T> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.inner.read(buffer)?;
        self.note(&buffer[..length]);
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_message_becomes_a_line() {
        let log = tempfile::NamedTempFile::new().unwrap();
        let file = Arc::new(Mutex::new(log.reopen().unwrap()));
        let mut tee = Tee::new(Vec::new(), "in", file);
        let pieces = [
            "Content-Le",
            "ngth: 7\r\n\r\n{\"a\"",
            ":1}what?",
            "Content-Length: 9\r\n\r\n{}",
            "Content-Length: 2\r\n\r\n{}",
        ];
        for piece in pieces {
            tee.write_all(piece.as_bytes()).unwrap();
        }
        assert_eq!(tee.inner, pieces.concat().into_bytes());
        assert_eq!(
            fs::read_to_string(log.path()).unwrap(),
            "{\"dir\":\"in\",\"a\":1}\n{\"dir\":\"in\",\"unreadable\":\"what?\"}\n{\"dir\":\"in\"}\n{\"dir\":\"in\"}\n"
        );
    }
}
