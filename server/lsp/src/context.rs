//! The session and prompts that a request is answered from.

use std::sync::Arc;

use promptls_analysis::position::Encoding;

use crate::client_capabilities::ClientCapabilities;
use crate::session::Session;
use crate::session::prompt_snapshot::{FileSnapshot, PromptSnapshot, View};

/// The session, and the prompts of a request as they were when it arrived. Later edits do not
/// affect them.
pub struct Context<S> {
    /// The session, for everything else.
    pub session: Arc<Session>,
    /// The prompts, or the documents and views that lead to them.
    pub subject: S,
}

impl<S> Context<S> {
    /// The capabilities of the client.
    pub fn client(&self) -> &ClientCapabilities {
        self.session.client_capabilities()
    }

    /// The encoding of columns in the protocol.
    pub fn encoding(&self) -> Encoding {
        self.client().encoding
    }
}

/// The types that a request may refer to.
pub trait Subject: Send + 'static {
    /// The prompts that an answer may have to inspect; they determine its
    /// [`Cost`](crate::worker::Cost).
    fn prompts(&self) -> Vec<&PromptSnapshot>;
}

impl Subject for () {
    fn prompts(&self) -> Vec<&PromptSnapshot> {
        Vec::new()
    }
}

/// The prompts of a document.
impl Subject for Vec<PromptSnapshot> {
    fn prompts(&self) -> Vec<&PromptSnapshot> {
        self.iter().collect()
    }
}

/// One prompt, if there is one.
impl Subject for Option<PromptSnapshot> {
    fn prompts(&self) -> Vec<&PromptSnapshot> {
        self.iter().collect()
    }
}

/// A position in a file, with one view for each prompt that the file belongs to.
impl Subject for Vec<View> {
    fn prompts(&self) -> Vec<&PromptSnapshot> {
        self.iter().map(|view| &view.prompt).collect()
    }
}

/// A document with its prompts, or with the prompts that read it.
pub struct DocumentSubject {
    /// The file of prompts; `None` for a sidecar or an unrelated document.
    pub file: Option<FileSnapshot>,
    /// The prompts in `file`; empty if there is none.
    pub prompts: Vec<PromptSnapshot>,
    /// If it has no prompts: the prompts that read it, and their file id for it.
    pub readers: Vec<View>,
}

impl Subject for DocumentSubject {
    fn prompts(&self) -> Vec<&PromptSnapshot> {
        let readers = self.readers.iter().map(|view| &view.prompt);
        self.prompts.iter().chain(readers).collect()
    }
}
