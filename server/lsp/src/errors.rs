//! The errors of handlers. `convert` turns them into error responses.

use std::borrow::Cow;

use serde_json::{Value, json};

/// The result of a handler.
pub type Result<T> = std::result::Result<T, Error>;

/// The reason why a request has no result.
#[derive(Clone, Debug, PartialEq)]
pub struct Error {
    /// What the client can do about it.
    pub kind: ErrorKind,
    /// The reason, for the user.
    pub message: Cow<'static, str>,
    /// Further details, if the protocol has some for this kind.
    pub data: Option<Value>,
}

/// The kinds of errors, which have different codes in the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// The request is valid, but it cannot be done.
    Refused,
    /// The text that the request refers to has changed.
    Changed,
    /// The client should send the request again.
    ServerCancelled,
    /// The user or the client has cancelled the request.
    Cancelled,
    /// The params are not those of the method.
    InvalidParams,
    /// The server has a bug, or is ending.
    Internal,
    /// An error response of the client, with its code.
    OfClient(i64),
}

impl Error {
    fn new(kind: ErrorKind, message: impl Into<Cow<'static, str>>) -> Error {
        Error { kind, message: message.into(), data: None }
    }
}

/// An error for a request that cannot be done, with the reason for the user.
pub fn refused(reason: impl Into<Cow<'static, str>>) -> Error {
    Error::new(ErrorKind::Refused, reason)
}

/// An error for a prompt without a folder, which cannot have related files.
pub fn no_file_yet() -> Error {
    refused("save the prompt first, it has no file yet")
}

/// An error for params that are not those of the method.
pub fn invalid_params(reason: impl Into<Cow<'static, str>>) -> Error {
    Error::new(ErrorKind::InvalidParams, reason)
}

/// An error for a request about a text that has changed; the reason is for the user.
pub fn changed(reason: impl Into<Cow<'static, str>>) -> Error {
    Error::new(ErrorKind::Changed, reason)
}

/// The same error with the default message.
pub fn changed_meanwhile() -> Error {
    changed("the text has changed; try again")
}

/// An error for diagnostics of a document that has changed. The client repeats the request by
/// itself.
pub fn retrigger() -> Error {
    let data = Some(json!({ "retriggerRequest": true }));
    Error { data, ..Error::new(ErrorKind::ServerCancelled, "the document has changed") }
}

/// An error for work that was cancelled.
pub fn cancelled() -> Error {
    Error::new(ErrorKind::Cancelled, "Canceled")
}

/// An error for a bug in the server.
pub fn internal() -> Error {
    Error::new(ErrorKind::Internal, "internal error of promptls; please report it")
}

/// An error for a server that is ending.
pub fn ending() -> Error {
    Error::new(ErrorKind::Internal, "Internal error")
}
