//! What a request is answered from.

use std::sync::Arc;

use promptls_analysis::position::Encoding;

use crate::client_capabilities::ClientCapabilities;
use crate::session::Session;
use crate::session::prompt_snapshot::{FileSnapshot, PromptSnapshot, View};

/// What a request is answered from: the session, and the prompts it is about as they were when it
/// arrived, whatever is typed meanwhile.
pub struct Context<S> {
    /// For all else.
    pub session: Arc<Session>,
    /// The prompts.
    pub subject: S,
}

impl<S> Context<S> {
    /// What the client can do.
    pub fn client(&self) -> &ClientCapabilities {
        self.session.client_capabilities()
    }

    /// What the client counts in a line.
    pub fn encoding(&self) -> Encoding {
        self.client().encoding
    }
}

/// What a request may be about.
pub trait Subject: Send + 'static {
    /// The prompts that an answer may have to look at.
    fn prompts(&self) -> Vec<&PromptSnapshot>;
}

/// No prompt.
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

/// A place in a file in the eyes of all prompts that it belongs to.
impl Subject for Vec<View> {
    fn prompts(&self) -> Vec<&PromptSnapshot> {
        self.iter().map(|view| &view.prompt).collect()
    }
}

/// A document: the prompts in it, or those that read it.
pub struct DocumentSubject {
    /// The file of prompts that it is; `None` for a sidecar, and for what is not ours.
    pub file: Option<FileSnapshot>,
    /// The prompts in it.
    pub prompts: Vec<PromptSnapshot>,
    /// Where it has none: the prompts that read it, and as which of their files.
    pub readers: Vec<View>,
}

impl Subject for DocumentSubject {
    fn prompts(&self) -> Vec<&PromptSnapshot> {
        let readers = self.readers.iter().map(|view| &view.prompt);
        self.prompts.iter().chain(readers).collect()
    }
}
