//! JSON-RPC messages, as followers, pages and servers exchange them.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::convert::error::REQUEST_FAILED;
use crate::transport::message::repaired;

/// The error code of JSON-RPC for an invalid request.
const INVALID_REQUEST: i64 = -32600;

/// A received request, or a notification if it has no `id`.
#[derive(Debug, Deserialize)]
pub struct Call {
    /// The id of the request, which the response repeats.
    pub id: Option<u64>,
    /// The name of the method.
    pub method: String,
    /// The parameters; null if there are none.
    #[serde(default)]
    pub params: Value,
}

/// Parses a received message. Invalid characters, such as half of a surrogate pair from JavaScript,
/// become U+FFFD. Fails with the error response to send.
pub fn read(text: &str) -> Result<Call, Value> {
    #[derive(Deserialize)]
    struct WithId {
        id: Option<u64>,
    }
    let repaired = repaired(text.as_bytes());
    let text = repaired.as_deref().unwrap_or(text);
    serde_json::from_str(text).map_err(|error| {
        let id = serde_json::from_str(text).ok().and_then(|WithId { id }| id);
        let error = json!({ "code": INVALID_REQUEST, "message": error.to_string() });
        json!({ "jsonrpc": "2.0", "id": id, "error": error })
    })
}

/// Returns a request with this `id`.
pub fn request(id: u64, method: &str, params: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
}

/// Returns a notification: a message without an `id`.
pub fn notification(method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "method": method, "params": params })
}

/// Returns the response to the request with this `id`: its result or its error message.
pub fn answer(id: u64, answer: Result<Value, String>) -> Value {
    match answer {
        Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
        Err(message) => {
            let error = json!({ "code": REQUEST_FAILED, "message": message });
            json!({ "jsonrpc": "2.0", "id": id, "error": error })
        }
    }
}
