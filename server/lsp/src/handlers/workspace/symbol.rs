//! `workspace/symbol` and `workspaceSymbol/resolve`

use std::path::{Path, PathBuf};
use std::sync::Arc;

use promptls_workspace::{SymbolKind, WorkspaceSymbol};
use serde::{Deserialize, Serialize};
use tower_lsp::ls_types as lsp;

use crate::convert::{self, Uri};
use crate::errors::Result;
use crate::session::Session;
use crate::worker::work;

/// The maximum number of results. More are not useful, and further typing sends a new request.
const MOST: usize = 200;

/// The data of a symbol for resolving its range: bytes of its file.
#[derive(Debug, Serialize, Deserialize)]
struct SymbolRange {
    start: usize,
    end: usize,
}

/// The names of the workspace that match a query, best first.
pub async fn symbol(
    session: Arc<Session>,
    params: lsp::WorkspaceSymbolParams,
) -> Result<Option<lsp::WorkspaceSymbolResponse>> {
    if session.workspace.follow() {
        let (session, token) = (session.clone(), params.work_done_progress_params.work_done_token);
        tokio::spawn(async move { session.show_workspace(token).await });
    }
    session.workspace.settle().await;
    let answer = move || {
        let found = session.workspace.search(&params.query, MOST);
        let symbols = found.into_iter().filter_map(|(path, found)| shown(&session, &path, &found));
        Ok(Some(lsp::WorkspaceSymbolResponse::Nested(symbols.collect())))
    };
    work(true, answer).await
}

/// Adds the range to a symbol that the user goes to.
pub async fn resolve(
    session: Arc<Session>,
    mut symbol: lsp::WorkspaceSymbol,
) -> Result<lsp::WorkspaceSymbol> {
    let place =
        symbol.data.clone().and_then(|data| serde_json::from_value::<SymbolRange>(data).ok());
    let uri = match &symbol.location {
        lsp::OneOf::Right(location) => Uri::from(location.uri.clone()),
        lsp::OneOf::Left(_) => return Ok(symbol),
    };
    let Some(SymbolRange { start, end }) = place else { return Ok(symbol) };
    work(true, move || {
        let location = location(&session, convert::path(&uri), uri, start..end);
        symbol.location = lsp::OneOf::Left(location);
        Ok(symbol)
    })
    .await
}

fn shown(session: &Session, path: &Path, found: &WorkspaceSymbol) -> Option<lsp::WorkspaceSymbol> {
    let uri = session.documents.uri(path)?;
    let place = found.range();
    let data = SymbolRange { start: place.start, end: place.end };
    // A range requires reading the file.
    let (location, data) = match session.client_capabilities().resolves_symbols {
        true => (
            lsp::OneOf::Right(lsp::WorkspaceLocation { uri: uri.into() }),
            serde_json::to_value(data).ok(),
        ),
        false => (lsp::OneOf::Left(location(session, path.to_owned(), uri, place)), None),
    };
    // The protocol requires a name for each symbol.
    let name = if found.name.trim().is_empty() { "(no name)" } else { &found.name };
    let folders = session.documents.log().folders();
    let inside = folders.iter().find_map(|folder| path.strip_prefix(folder).ok());
    Some(lsp::WorkspaceSymbol {
        name: name.to_owned(),
        kind: kind(found.kind),
        tags: None,
        container_name: Some(inside.unwrap_or(path).display().to_string()),
        location,
        data,
    })
}

fn location(
    session: &Session,
    path: PathBuf,
    uri: Uri,
    place: std::ops::Range<usize>,
) -> lsp::Location {
    let text = session.documents.project().text(&path).unwrap_or_default();
    // The file may have become shorter meanwhile.
    let at = |offset: usize| {
        let offset = offset.min(text.len_bytes());
        text.char_to_byte(text.byte_to_char(offset))
    };
    let range = convert::lsp_range(&text, &(at(place.start)..at(place.end)), session.encoding());
    lsp::Location { uri: uri.into(), range }
}

/// The kind of a symbol, among those that every editor supports.
fn kind(kind: SymbolKind) -> lsp::SymbolKind {
    match kind {
        SymbolKind::Prompt => lsp::SymbolKind::MODULE,
        SymbolKind::Case => lsp::SymbolKind::ENUM,
        SymbolKind::Variable => lsp::SymbolKind::VARIABLE,
        SymbolKind::Fragment => lsp::SymbolKind::STRING,
        SymbolKind::Key => lsp::SymbolKind::PROPERTY,
    }
}
