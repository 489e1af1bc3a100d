//! The error of a failed store operation.

use std::error::Error;

/// The error of a failed store operation.
///
/// The message is for users; it never contains keys.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct StoreError {
    prompt_id: Option<String>,
    trouble: Trouble,
    message: String,
    source: Option<Box<dyn Error + Send + Sync>>,
}

/// The category of a failure, for callers that continue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// The prompt does not exist, or not in this version or with this label.
    NotFound,
    /// The failure may be temporary: the network, a rate limit, an overloaded server.
    Passing,
    /// The failure persists until something is changed.
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

    /// The prompt concerned; `None` if the error is about all of them, as in a list.
    pub fn prompt_id(&self) -> Option<&str> {
        self.prompt_id.as_deref()
    }

    /// The category of the failure.
    pub fn trouble(&self) -> Trouble {
        self.trouble
    }

    /// `true` if the same call may succeed later.
    pub fn is_retryable(&self) -> bool {
        self.trouble == Trouble::Passing
    }
}
