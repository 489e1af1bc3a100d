//! Why a request has no answer, in the words and codes of the protocol.

use std::borrow::Cow;

use tower_lsp::jsonrpc::{Error, ErrorCode};
use tower_lsp::ls_types as lsp;

/// `RequestFailed`: the request was fine, but it cannot be done.
pub const REQUEST_FAILED: i64 = -32803;

/// `ServerCancelled`: it would have to be asked again.
const SERVER_CANCELLED: i64 = -32802;

/// What cannot be done, with the reason for the user.
pub fn refused(reason: impl Into<Cow<'static, str>>) -> Error {
    Error { code: ErrorCode::ServerError(REQUEST_FAILED), message: reason.into(), data: None }
}

/// The prompt is in no folder, so that nothing can stand beside it.
pub fn no_file_yet() -> Error {
    refused("save the prompt first, it has no file yet")
}

/// What was asked about is another by now; the reason is for the user.
pub fn changed(reason: impl Into<Cow<'static, str>>) -> Error {
    Error { code: ErrorCode::ContentModified, message: reason.into(), data: None }
}

/// The same in the usual words.
pub fn changed_meanwhile() -> Error {
    changed("the text has changed meanwhile; ask again")
}

/// Diagnostics of a document that has changed: the client asks again by itself.
pub fn retrigger() -> Error {
    let data = lsp::DiagnosticServerCancellationData { retrigger_request: true };
    Error {
        code: ErrorCode::ServerError(SERVER_CANCELLED),
        message: "the document changed meanwhile".into(),
        data: serde_json::to_value(data).ok(),
    }
}

/// A bug of ours.
pub fn internal() -> Error {
    Error {
        code: ErrorCode::InternalError,
        message: "promptls made a mistake with this request; please report it".into(),
        data: None,
    }
}
