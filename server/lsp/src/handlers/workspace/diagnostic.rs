//! `workspace/diagnostic`
//!
//! With partial results, problems and later changes are sent as they are found, and the response is
//! sent at the end. Without, the response is sent once everything is checked, and the editor
//! later gets a refresh request.
//!
//! The first result includes each list that the editor has, as changed or unchanged. An editor that
//! compares a response with its own lists would treat a missing list as removed. Later results
//! include only changes.

use std::collections::HashMap;
use std::sync::Arc;

use tower_lsp::ls_types as lsp;

use crate::convert::{self, Uri};
use crate::diagnostics::{ListQuery, NamedList, Packed, PublishPolicy};
use crate::errors::Result;
use crate::session::Session;
use crate::transport::prepared::Items;

/// The maximum number of lists per partial result.
const PIECE: usize = 100;

/// The key of the problems in a report, and a report without any. A URI contains no quotes.
const KEY: &str = r#""items":"#;
const NO_ITEMS: &str = r#""items":[]"#;

/// `$/progress` with a partial result, for which tower-lsp has no type.
enum PartialResult {}

impl lsp::notification::Notification for PartialResult {
    type Params = PieceParams;
    const METHOD: &'static str = "$/progress";
}

#[derive(serde::Serialize, serde::Deserialize)]
struct PieceParams {
    token: lsp::ProgressToken,
    value: lsp::WorkspaceDiagnosticReportPartialResult,
}

/// The problems of all files. Lists that the editor has are reported as unchanged.
pub async fn workspace_diagnostic(
    session: Arc<Session>,
    params: lsp::WorkspaceDiagnosticParams,
) -> Result<lsp::WorkspaceDiagnosticReportResult> {
    let Session { workspace, diagnostics, documents, .. } = &*session;
    let style = session.client_capabilities().diagnostics.style;
    if workspace.want_problems(style) {
        let (session, token) = (session.clone(), params.work_done_progress_params.work_done_token);
        tokio::spawn(async move { session.show_workspace(token).await });
    }
    // Ends the previous request: of two waiting requests, each would miss the changes sent to the
    // other.
    let mut latest = workspace.begin_waiting();
    diagnostics.set_policy(PublishPolicy::OnPull).await;

    let token = params.partial_result_params.partial_result_token;
    // Editors write URIs in their own way.
    let as_here = |uri: Uri| documents.uri(&convert::path(&uri)).unwrap_or(uri);
    let known = params.previous_result_ids.into_iter().map(|id| (as_here(id.uri.into()), id.value));
    let mut known: HashMap<Uri, String> = known.collect();
    let version_of = |list: &NamedList| documents.version(&list.uri).map(i64::from);
    let (mut lists, mut items, mut steps) = (Vec::new(), Items::default(), workspace.steps());
    let mut settling = workspace.settling();
    let mut is_first = true;
    loop {
        let is_settled = settling.has_results(&steps.borrow_and_update());
        let is_latest = || !latest.has_changed().unwrap_or(true);
        let mut count = 0;
        if token.is_some() || is_settled {
            let query = ListQuery { style, is_first, waits: token.is_some() };
            let take = |list: NamedList| {
                count += 1;
                match &token {
                    Some(_) => lists.push(list),
                    None => prepare(&list, version_of(&list), &mut items),
                }
            };
            let known = &mut known;
            diagnostics.changed_since(documents, known, query, is_latest, take).await;
            is_first = false;
        }
        session.memory_release.answered(count);
        if let Some(token) = &token {
            let mut lists = lists.drain(..).peekable();
            while lists.peek().is_some() {
                // Reports are much larger than lists, so they are created for each partial result.
                let piece = lists.by_ref().take(PIECE);
                let piece = piece.map(|list| report(&list, version_of(&list))).collect();
                let value = lsp::WorkspaceDiagnosticReportPartialResult { items: piece };
                let piece = PieceParams { token: token.clone(), value };
                session.client.send_notification::<PartialResult>(piece).await;
            }
        }
        if is_settled && token.is_none() {
            break;
        }
        tokio::select! {
            _ = steps.changed() => {}
            _ = latest.changed() => break,
        }
    }
    let items = items.keep().map(stand_in).into_iter().collect();
    Ok(lsp::WorkspaceDiagnosticReport { items }.into())
}

/// The report that stands for prepared ones.
fn stand_in(uri: Uri) -> lsp::WorkspaceDocumentDiagnosticReport {
    report(&NamedList { uri: uri.into(), name: String::new(), diagnostics: None }, None)
}

/// Adds the report of a list to prepared items. The texts of its problems are not copied.
fn prepare(list: &NamedList, version: Option<i64>, items: &mut Items) {
    let empty =
        NamedList { diagnostics: list.diagnostics.as_ref().map(|_| Vec::new()), ..list.clone() };
    // Serialization fails for no report.
    let report = serde_json::to_string(&report(&empty, version)).unwrap_or_default();
    let texts = list.diagnostics.iter().flatten().map(|diagnostic| diagnostic.text().clone());
    match report.split_once(NO_ITEMS) {
        Some((head, tail)) => {
            items.push_list([&format!("{head}{KEY}["), &format!("]{tail}")], texts);
        }
        None => items.push(&report),
    }
}

fn report(list: &NamedList, version: Option<i64>) -> lsp::WorkspaceDocumentDiagnosticReport {
    let NamedList { uri, name, diagnostics } = list;
    let (uri, name) = ((**uri).clone().into(), name.clone());
    match diagnostics {
        Some(items) => lsp::WorkspaceFullDocumentDiagnosticReport {
            uri,
            version,
            full_document_diagnostic_report: lsp::FullDocumentDiagnosticReport {
                result_id: Some(name),
                items: items.iter().filter_map(Packed::diagnostic).collect(),
            },
        }
        .into(),
        None => lsp::WorkspaceUnchangedDocumentDiagnosticReport {
            uri,
            version,
            unchanged_document_diagnostic_report: lsp::UnchangedDocumentDiagnosticReport {
                result_id: name,
            },
        }
        .into(),
    }
}
