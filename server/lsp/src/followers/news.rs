//! Notifications for followers. No handler waits for a follower.

#![cfg_attr(not(unix), allow(dead_code, reason = "there are no sockets there"))]

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use promptls_protocol::Position;

use super::outbox::Outbox;
use crate::convert::Uri;

/// All connected followers; those that have ended are dropped at the next notification.
#[derive(Default)]
pub struct Followers {
    followers: Mutex<Vec<Weak<Follower>>>,
}

/// A follower, and the notifications that wait for it.
pub struct Follower {
    /// The canonical path of the prompt.
    pub path: PathBuf,
    /// The URI of the prompt in this server, while it is loaded.
    uri: Mutex<Option<Uri>>,
    /// The notifications that wait for the follower.
    pub outbox: Outbox<News>,
}

/// A notification for a follower.
pub enum News {
    /// Documents were opened or closed.
    Documents,
    /// The preview may have changed; with the version of the document.
    Changed(Option<i32>),
    /// The cursor moved to this position, in the encoding of the editor.
    Cursor(Position),
}

impl Followers {
    /// Notifies all followers that documents were opened or closed.
    pub fn documents_changed(&self) {
        self.queue("documents", |_| Some(News::Documents));
    }

    /// Notifies followers of a prompt that its preview may have changed.
    pub fn preview_changed(&self, uri: &Uri, version: Option<i32>) {
        self.queue("changed", |follower| follower.follows(uri).then_some(News::Changed(version)));
    }

    /// Notifies followers of a prompt about the position of the cursor.
    pub fn cursor_moved(&self, uri: &Uri, position: Position) {
        self.queue("cursor", |follower| follower.follows(uri).then_some(News::Cursor(position)));
    }

    fn queue(&self, kind: &'static str, news: impl Fn(&Follower) -> Option<News>) {
        let mut followers = self.followers.lock().unwrap_or_else(PoisonError::into_inner);
        followers.retain(|follower| {
            let Some(follower) = follower.upgrade() else { return false };
            if let Some(news) = news(&follower) {
                follower.outbox.put(kind, news);
            }
            true
        });
    }

    /// Adds a follower of the prompt at a path. It is removed when the last reference is dropped.
    pub fn join(&self, path: PathBuf) -> Arc<Follower> {
        let follower =
            Arc::new(Follower { path, uri: Mutex::default(), outbox: Outbox::default() });
        follower.outbox.put("documents", News::Documents);
        let mut followers = self.followers.lock().unwrap_or_else(PoisonError::into_inner);
        followers.push(Arc::downgrade(&follower));
        follower
    }
}

impl Follower {
    /// The URI of the prompt in this server; `None` if it is not loaded.
    pub fn uri(&self) -> Option<Uri> {
        self.uri.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Sets the URI of the prompt in this server; `None` if it is not loaded.
    pub fn set_uri(&self, uri: Option<Uri>) {
        *self.uri.lock().unwrap_or_else(PoisonError::into_inner) = uri;
    }

    fn follows(&self, uri: &Uri) -> bool {
        self.uri.lock().unwrap_or_else(PoisonError::into_inner).as_ref() == Some(uri)
    }
}
