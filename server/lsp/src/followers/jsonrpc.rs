//! JSON-RPC, as followers, pages and servers speak it with each other.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::errors::REQUEST_FAILED;
use crate::transport::message::mended;

/// What JSON-RPC calls a message that is no request.
const INVALID_REQUEST: i64 = -32600;

/// What is said to us: a request, or a notification without `id`.
#[derive(Debug, Deserialize)]
pub struct Call {
    /// What the answer will be called by.
    pub id: Option<u64>,
    /// What is asked for.
    pub method: String,
    /// The rest.
    #[serde(default)]
    pub params: Value,
}

/// Reads what is said to us. What is no character, as half an emoji that JavaScript cuts off, is
/// U+FFFD. Fails with the answer to what cannot be understood.
pub fn read(text: &str) -> Result<Call, Value> {
    #[derive(Deserialize)]
    struct WithId {
        id: Option<u64>,
    }
    let mended = mended(text.as_bytes());
    let text = mended.as_deref().unwrap_or(text);
    serde_json::from_str(text).map_err(|error| {
        let id = serde_json::from_str(text).ok().and_then(|WithId { id }| id);
        let error = json!({ "code": INVALID_REQUEST, "message": error.to_string() });
        json!({ "jsonrpc": "2.0", "id": id, "error": error })
    })
}

/// A request with this `id`.
pub fn request(id: u64, method: &str, params: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
}

/// What wants no answer.
pub fn notification(method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "method": method, "params": params })
}

/// The answer to the request of this `id`: its result, or why there is none.
pub fn answer(id: u64, answer: Result<Value, String>) -> Value {
    match answer {
        Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
        Err(message) => {
            let error = json!({ "code": REQUEST_FAILED, "message": message });
            json!({ "jsonrpc": "2.0", "id": id, "error": error })
        }
    }
}
