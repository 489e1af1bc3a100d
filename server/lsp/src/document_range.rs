//! Positions, ranges and edits of documents, as handlers use them.

use promptls_protocol as wire;
use serde::{Deserialize, Serialize};

use crate::convert::Uri;

/// A position in a document.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct DocumentPosition {
    pub uri: Uri,
    pub position: wire::Position,
}

/// A range of a document.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct DocumentRange {
    pub uri: Uri,
    pub range: wire::Range,
}

/// The replacement of a range of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RangeEdit {
    pub range: wire::Range,
    pub new_text: String,
}
