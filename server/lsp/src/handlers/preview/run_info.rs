//! Where a piece of a resolved text comes from.

use promptls_protocol::ViaReport;
use serde::Serialize;
use tower_lsp::ls_types as lsp;

/// A piece of the text with one origin.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RunInfo {
    pub output: [usize; 2],
    pub kind: &'static str,
    pub source: lsp::Range,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<lsp::Location>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub via: Vec<ViaReport>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<RunInfo>,
}
