//! What followers should know, without anybody waiting for them.

#![cfg_attr(not(unix), allow(dead_code, reason = "there are no sockets there"))]

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use tower_lsp::ls_types as lsp;

use super::outbox::Outbox;

/// All followers.
#[derive(Default)]
pub struct Followers {
    followers: Mutex<Vec<Weak<Follower>>>,
}

/// What a follower follows, and what it should know.
pub struct Follower {
    /// The path of the prompt, without links.
    pub path: PathBuf,
    /// What the prompt is called here, while it is here.
    uri: Mutex<Option<lsp::Uri>>,
    /// What it should know.
    pub outbox: Outbox<News>,
}

/// What a follower should know.
pub enum News {
    /// Documents were opened or closed.
    Documents,
    /// The preview may be another.
    Changed(Option<i32>),
    /// The cursor is there, in the encoding of the editor.
    Cursor(lsp::Position),
}

impl Followers {
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

    /// A follower of the prompt at a path, for as long as somebody holds it.
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
    /// What the prompt is called here, while it is here.
    pub fn uri(&self) -> Option<lsp::Uri> {
        self.uri.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The prompt is called so here now; `None` if it is not here.
    pub fn set_uri(&self, uri: Option<lsp::Uri>) {
        *self.uri.lock().unwrap_or_else(PoisonError::into_inner) = uri;
    }

    fn follows(&self, uri: &lsp::Uri) -> bool {
        self.uri.lock().unwrap_or_else(PoisonError::into_inner).as_ref() == Some(uri)
    }
}
