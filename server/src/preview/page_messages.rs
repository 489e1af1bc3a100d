//! The first response that a page gets, and the notifications that change it.
//! `server/page/src/host/messages.ts` has the same types.

use serde::Serialize;

/// The response to `page/start`, a page's first request.
#[derive(Debug, Serialize)]
pub struct StartAnswer {
    /// The prompt that the page shows.
    pub front: FrontPrompt,
    /// The capabilities of the program that serves the page.
    pub can: HostCapabilities,
}

/// The prompt to show: `page/front`.
#[derive(Clone, Debug, Serialize)]
pub struct FrontPrompt {
    /// The URI of its file; `None` if there is no prompt.
    pub uri: Option<String>,
    /// The prompt in a file of several, by its key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task: Option<String>,
}

/// What pages may request: `page/can`.
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct HostCapabilities {
    /// An editor can show places.
    pub reveal: bool,
    /// Another prompt can come to the front.
    pub follow: bool,
    /// Values can be edited in the page.
    pub edit: bool,
    /// Edits are saved and reverted with `page/save` and `page/undo`, not in an editor.
    pub save: bool,
    /// The host can save a text; otherwise the browser downloads it.
    pub save_as: bool,
}
