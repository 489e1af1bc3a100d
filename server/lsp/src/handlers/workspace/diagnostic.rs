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

use crate::convert::diagnostic::{NamedList, report};
use crate::convert::{self, ProgressToken, Uri};
use crate::diagnostics::{ListQuery, PublishPolicy};
use crate::errors::Result;
use crate::session::Session;
use crate::transport::prepared::Items;

/// The maximum number of lists per partial result.
const PIECE: usize = 100;

/// The key of the problems in a report, and a report without any. A URI contains no quotes.
const KEY: &str = r#""items":"#;
const NO_ITEMS: &str = r#""items":[]"#;

/// A request for the problems of the workspace.
pub struct WorkspaceDiagnosticQuery {
    /// The progress indicator to use; `None` if the editor has none.
    pub progress: Option<ProgressToken>,
    /// The token of partial results; `None` if they are not supported.
    pub partial_results: Option<ProgressToken>,
    /// The lists that the editor has, by name.
    pub known: Vec<(Uri, String)>,
}

/// The problems of all files. Lists that the editor has are reported as unchanged. Returns the key of
/// the prepared reports; `None` if there are none, or they were sent as partial results.
pub async fn workspace_diagnostic(
    session: Arc<Session>,
    query: WorkspaceDiagnosticQuery,
) -> Result<Option<Uri>> {
    let Session { workspace, diagnostics, documents, .. } = &*session;
    let style = session.client_capabilities().diagnostics.style;
    if workspace.want_problems(style) {
        let (session, token) = (session.clone(), query.progress);
        tokio::spawn(async move { session.show_workspace(token).await });
    }
    // Ends the previous request: of two waiting requests, each would miss the changes sent to the
    // other.
    let mut latest = workspace.begin_waiting();
    diagnostics.set_policy(PublishPolicy::OnPull).await;

    let token = query.partial_results;
    // Editors write URIs in their own way.
    let as_here = |uri: Uri| documents.uri(&convert::path(&uri)).unwrap_or(uri);
    let known = query.known.into_iter().map(|(uri, name)| (as_here(uri), name));
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
                let piece = piece.map(|list| {
                    let version = version_of(&list);
                    (list, version)
                });
                session.editor.send_lists(token, piece).await;
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
    Ok(items.keep())
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
