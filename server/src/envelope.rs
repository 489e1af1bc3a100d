//! How a page, the program that serves it, and a server in an editor speak with each other.
//!
//! Requests, answers and notifications are those of JSON-RPC, without the member that names it.

use serde::Deserialize;
use serde_json::{Value, json};

/// What is said to us: a request, or a notification without `id`.
#[derive(Debug, Deserialize)]
pub struct Envelope {
    pub id: Option<u64>,
    pub method: String,
    #[serde(default)]
    pub params: Value,
}

/// The answer to the request of this `id`: its result, or why there is none.
pub fn answer(id: u64, answer: Result<Value, String>) -> Value {
    match answer {
        Ok(result) => json!({ "id": id, "result": result }),
        Err(message) => json!({ "id": id, "error": { "message": message } }),
    }
}
