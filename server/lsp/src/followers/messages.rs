//! The params of the notifications between followers and servers.

use std::path::PathBuf;

use promptls_protocol::Position;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The method whose params are [`Follow`].
pub const FOLLOW: &str = "follower/follow";

/// The method whose params are [`HasPrompt`].
pub const HAS: &str = "follower/has";

/// The method of [`CursorShown`], which is passed on to pages.
pub const CURSOR: &str = "page/cursor";

/// The prompt to follow, as the first message of a follower.
#[derive(Debug, Deserialize, Serialize)]
pub struct Follow {
    /// The canonical path of the prompt.
    pub path: PathBuf,
}

/// The state of the prompt on a server.
#[derive(Debug, Deserialize, Serialize)]
pub struct HasPrompt {
    /// The URI of the prompt; `None` if it is not loaded.
    pub uri: Option<String>,
    /// `true` if the editor can show locations.
    pub reveal: bool,
}

/// The position of the cursor in the editor.
#[derive(Debug, Serialize)]
pub struct CursorShown {
    /// The document that contains the cursor.
    pub uri: String,
    /// The position of the cursor, in UTF-16 units.
    pub position: Position,
    /// `true` if pages scroll to it.
    pub reveal: bool,
}

/// A message of a server: the response to the request with its `id`, or a notification.
#[derive(Debug, Deserialize)]
pub struct ServerMessage {
    /// The id of the request; `None` for a notification.
    pub id: Option<u64>,
    /// The method of a notification.
    pub method: Option<String>,
    /// The params of a notification; null if there are none.
    #[serde(default)]
    pub params: Value,
    /// The result of a request; null if there is none.
    #[serde(default)]
    pub result: Value,
    /// The error of a request that failed.
    pub error: Option<FailedRequest>,
}

/// The error of a response.
#[derive(Debug, Deserialize)]
pub struct FailedRequest {
    /// The message for the user.
    pub message: String,
}
