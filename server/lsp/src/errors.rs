//! Error responses, with the messages and codes of the protocol.

use std::borrow::Cow;

use tower_lsp::jsonrpc::{Error, ErrorCode};
use tower_lsp::ls_types as lsp;

/// `RequestFailed`: the request is valid, but it cannot be done.
pub const REQUEST_FAILED: i64 = -32803;

/// `ServerCancelled`: the client should send the request again.
const SERVER_CANCELLED: i64 = -32802;

/// An error for a request that cannot be done, with the reason for the user.
pub fn refused(reason: impl Into<Cow<'static, str>>) -> Error {
    Error { code: ErrorCode::ServerError(REQUEST_FAILED), message: reason.into(), data: None }
}

/// An error for a prompt without a folder, which cannot have related files.
pub fn no_file_yet() -> Error {
    refused("save the prompt first, it has no file yet")
}

/// An error for a request about a text that has changed; the reason is for the user.
pub fn changed(reason: impl Into<Cow<'static, str>>) -> Error {
    Error { code: ErrorCode::ContentModified, message: reason.into(), data: None }
}

/// The same error with the default message.
pub fn changed_meanwhile() -> Error {
    changed("the text has changed; try again")
}

/// An error for diagnostics of a document that has changed. The client repeats the request by
/// itself.
pub fn retrigger() -> Error {
    let data = lsp::DiagnosticServerCancellationData { retrigger_request: true };
    Error {
        code: ErrorCode::ServerError(SERVER_CANCELLED),
        message: "the document has changed".into(),
        data: serde_json::to_value(data).ok(),
    }
}

/// An error for a bug in the server.
pub fn internal() -> Error {
    Error {
        code: ErrorCode::InternalError,
        message: "internal error of promptls; please report it".into(),
        data: None,
    }
}
