//! `promptls/previewChanged`: says when to ask for a preview again.

use serde::{Deserialize, Serialize};
use tower_lsp::ls_types as lsp;

/// `promptls/previewChanged`: the preview of an open prompt may be another now.
#[derive(Debug)]
pub enum PreviewChanged {}

impl lsp::notification::Notification for PreviewChanged {
    type Params = PreviewChangedParams;
    const METHOD: &'static str = "promptls/previewChanged";
}

/// What `promptls/previewChanged` says.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PreviewChangedParams {
    /// The prompt.
    pub text_document: lsp::TextDocumentIdentifier,
    /// The version of its text.
    pub version: Option<i32>,
}
