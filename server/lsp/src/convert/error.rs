//! Errors of handlers as error responses, and error responses of the client as errors.

use tower_lsp::jsonrpc::{self, ErrorCode};

use crate::errors::{Error, ErrorKind};

/// `RequestFailed`: the request is valid, but it cannot be done.
pub const REQUEST_FAILED: i64 = -32803;

/// `ServerCancelled`: the client should send the request again.
const SERVER_CANCELLED: i64 = -32802;

impl From<Error> for jsonrpc::Error {
    fn from(Error { kind, message, data }: Error) -> jsonrpc::Error {
        let code = match kind {
            ErrorKind::Refused => ErrorCode::ServerError(REQUEST_FAILED),
            ErrorKind::Changed => ErrorCode::ContentModified,
            ErrorKind::ServerCancelled => ErrorCode::ServerError(SERVER_CANCELLED),
            ErrorKind::Cancelled => ErrorCode::RequestCancelled,
            ErrorKind::InvalidParams => ErrorCode::InvalidParams,
            ErrorKind::Internal => ErrorCode::InternalError,
            ErrorKind::OfClient(code) => code.into(),
        };
        jsonrpc::Error { code, message, data }
    }
}

impl From<jsonrpc::Error> for Error {
    fn from(jsonrpc::Error { code, message, data }: jsonrpc::Error) -> Error {
        Error { kind: ErrorKind::OfClient(code.code()), message, data }
    }
}
