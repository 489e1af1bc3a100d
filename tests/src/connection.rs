//! The threads between a test and the server.
//!
//! One thread writes, so that a server that reads slowly does not block the test, as it does not
//! block an editor. One thread reads, and sorts messages into the [`Inbox`]; waiting means waiting
//! for a change of the inbox.

use std::io::{BufReader, Read, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::client::Client;
use crate::inbox::Inbox;
use crate::process::Ends;
use crate::wire;

/// The test's end of a connection to a server.
pub struct Connection {
    outgoing: Sender<Outgoing>,
    shared: Arc<Shared>,
}

enum Outgoing {
    Bytes(Vec<u8>),
    /// Bytes that are written one by one. Nothing else is written between them.
    OneByOne(Vec<u8>),
    /// Closes the stdin of the server.
    Close,
}

struct Shared {
    inbox: Mutex<Inbox>,
    inbox_changed: Condvar,
    is_paused: Mutex<bool>,
    pause_changed: Condvar,
}

impl Connection {
    pub fn open(ends: Ends, client: Client) -> Self {
        let shared = Arc::new(Shared {
            inbox: Mutex::new(Inbox::new(client)),
            inbox_changed: Condvar::new(),
            is_paused: Mutex::new(false),
            pause_changed: Condvar::new(),
        });
        let (outgoing, to_write) = channel();
        thread::spawn(move || write_all(ends.to_server, &to_write));
        let (reading, answers) = (Arc::clone(&shared), outgoing.clone());
        thread::spawn(move || read_all(ends.from_server, &reading, &answers));
        Self { outgoing, shared }
    }

    /// Queues bytes for writing. Never waits.
    pub fn send(&self, bytes: Vec<u8>) {
        // The writer ends with the server. Waiting for a response then returns `None`.
        let _ = self.outgoing.send(Outgoing::Bytes(bytes));
    }

    /// The same, byte by byte.
    pub fn send_one_by_one(&self, bytes: Vec<u8>) {
        let _ = self.outgoing.send(Outgoing::OneByOne(bytes));
    }

    /// Closes the server's stdin after the queued bytes.
    pub fn close_stdin(&self) {
        let _ = self.outgoing.send(Outgoing::Close);
    }

    /// Stops reading the server's output. One message may still arrive.
    pub fn pause(&self) {
        *lock(&self.shared.is_paused) = true;
    }

    /// Continues reading the output after [`Connection::pause`].
    pub fn resume(&self) {
        *lock(&self.shared.is_paused) = false;
        self.shared.pause_changed.notify_all();
    }

    pub fn inbox(&self) -> MutexGuard<'_, Inbox> {
        lock(&self.shared.inbox)
    }

    /// Waits until `look` returns something from the inbox.
    ///
    /// Returns `None` after `limit`, and at once if the server has ended or violated the protocol.
    pub fn wait<T>(
        &self,
        limit: Duration,
        mut look: impl FnMut(&mut Inbox) -> Option<T>,
    ) -> Option<T> {
        let deadline = Instant::now() + limit;
        let mut inbox = self.inbox();
        loop {
            if let Some(found) = look(&mut inbox) {
                return Some(found);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() || inbox.has_ended || !inbox.complaints.is_empty() {
                return None;
            }
            let waited = self.shared.inbox_changed.wait_timeout(inbox, left);
            (inbox, _) = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        // Neither thread is joined: both end with the process.
        self.resume();
        self.close_stdin();
    }
}

fn write_all(mut to_server: impl Write, to_write: &Receiver<Outgoing>) {
    let mut write = |bytes: &[u8]| to_server.write_all(bytes).and_then(|()| to_server.flush());
    loop {
        let written = match to_write.recv() {
            Ok(Outgoing::Bytes(bytes)) => write(&bytes),
            Ok(Outgoing::OneByOne(bytes)) => bytes.chunks(1).try_for_each(&mut write),
            Ok(Outgoing::Close) | Err(_) => return,
        };
        if written.is_err() {
            return;
        }
    }
}

fn read_all(from_server: impl Read, shared: &Shared, answers: &Sender<Outgoing>) {
    let mut from_server = BufReader::new(from_server);
    loop {
        let mut is_paused = lock(&shared.is_paused);
        while *is_paused {
            is_paused =
                shared.pause_changed.wait(is_paused).unwrap_or_else(PoisonError::into_inner);
        }
        drop(is_paused);

        let message = wire::read(&mut from_server);
        let mut inbox = lock(&shared.inbox);
        let goes_on = match message {
            Ok(Some(message)) => {
                if let Some(answer) = inbox.accept(message) {
                    let _ = answers.send(Outgoing::Bytes(wire::encode(&answer)));
                }
                true
            }
            Ok(None) => false,
            Err(complaint) => {
                inbox.complaints.push(complaint);
                false
            }
        };
        inbox.has_ended = !goes_on;
        drop(inbox);
        shared.inbox_changed.notify_all();
        if !goes_on {
            return;
        }
    }
}

/// Ignores poisoning: a test that panicked while it held the lock has already failed.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
