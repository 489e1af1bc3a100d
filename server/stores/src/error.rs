//! Why a store could not do what it was asked for.

use std::error::Error;

/// Why a store could not do what it was asked for.
///
/// The message says what failed in words for people; it never holds keys.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct StoreError {
    prompt_id: Option<String>,
    trouble: Trouble,
    message: String,
    source: Option<Box<dyn Error + Send + Sync>>,
}

/// What kind of trouble it is, for whoever wants to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// There is no such prompt, or not in this version or with this label.
    NotFound,
    /// It may pass: the network, a limit on requests, a server that is overloaded.
    Passing,
    /// It stays as it is until somebody changes something.
    Lasting,
}

impl StoreError {
    pub(crate) fn new(trouble: Trouble, message: impl Into<String>) -> StoreError {
        StoreError { prompt_id: None, trouble, message: message.into(), source: None }
    }

    pub(crate) fn lasting(message: impl Into<String>) -> StoreError {
        StoreError::new(Trouble::Lasting, message)
    }

    pub(crate) fn of(mut self, id: &str) -> StoreError {
        self.prompt_id = Some(id.to_owned());
        self
    }

    pub(crate) fn because(mut self, cause: impl Error + Send + Sync + 'static) -> StoreError {
        self.source = Some(Box::new(cause));
        self
    }

    /// The prompt that it is about; `None` where it is about all of them, as in a list.
    pub fn prompt_id(&self) -> Option<&str> {
        self.prompt_id.as_deref()
    }

    /// What kind of trouble it is.
    pub fn trouble(&self) -> Trouble {
        self.trouble
    }

    /// Whether the same call may go well later.
    pub fn is_retryable(&self) -> bool {
        self.trouble == Trouble::Passing
    }
}
