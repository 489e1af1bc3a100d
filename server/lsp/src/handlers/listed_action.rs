//! A code action as it is listed, and the data to find it again.

use promptls_protocol as wire;
use serde::{Deserialize, Serialize};

use crate::convert::Uri;
use crate::convert::diagnostic::Diagnostic;
use crate::handlers::CommandCall;
use crate::workspace_edits::WorkspaceEdits;

/// An action in the list for a range.
#[derive(Default)]
pub struct ListedAction {
    pub title: String,
    pub kind: &'static str,
    /// The diagnostics that it fixes.
    pub fixes: Vec<Diagnostic>,
    pub is_preferred: bool,
    /// The reason why it cannot be chosen.
    pub disabled: Option<String>,
    pub command: Option<CommandCall>,
    pub edits: Option<WorkspaceEdits>,
    /// For an action whose edits are computed when it is chosen.
    pub data: Option<ActionData>,
}

impl ListedAction {
    pub fn new(title: String, kind: &'static str) -> ListedAction {
        ListedAction { title, kind, ..ListedAction::default() }
    }
}

/// The data to find an action again; it is sent with the action.
#[derive(Debug, Serialize, Deserialize)]
pub struct ActionData {
    /// The text of an `ActionId`, by which the action is found again.
    pub id: String,
    #[serde(flatten)]
    pub place: ListedAt,
}

/// Where an action was listed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ListedAt {
    pub uri: Uri,
    pub range: wire::Range,
    pub version: Option<i32>,
}
