//! Converts requests for the problems of the workspace.

use tower_lsp::ls_types as lsp;

use super::Uri;
use super::diagnostic::{NamedList, report};
use crate::handlers::workspace::diagnostic::WorkspaceDiagnosticQuery;

/// Converts a request for the problems of the workspace.
pub fn workspace_query(params: lsp::WorkspaceDiagnosticParams) -> WorkspaceDiagnosticQuery {
    let known = params.previous_result_ids.into_iter();
    WorkspaceDiagnosticQuery {
        progress: params.work_done_progress_params.work_done_token.map(Into::into),
        partial_results: params.partial_result_params.partial_result_token.map(Into::into),
        known: known.map(|id| (id.uri.into(), id.value)).collect(),
    }
}

/// The response that stands for prepared reports, which replace it when it is written.
pub fn prepared_reports(key: Option<Uri>) -> lsp::WorkspaceDiagnosticReportResult {
    let stand_in = |uri: Uri| {
        report(&NamedList { uri: uri.into(), name: String::new(), diagnostics: None }, None)
    };
    lsp::WorkspaceDiagnosticReport { items: key.map(stand_in).into_iter().collect() }.into()
}
