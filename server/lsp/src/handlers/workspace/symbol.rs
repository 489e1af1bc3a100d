//! `workspace/symbol` and `workspaceSymbol/resolve`

use std::path::{Path, PathBuf};
use std::sync::Arc;

use promptls_workspace::{SymbolKind, WorkspaceSymbol};
use serde::{Deserialize, Serialize};

use crate::convert::{self, ProgressToken, Uri};
use crate::document_range::DocumentRange;
use crate::errors::Result;
use crate::session::Session;
use crate::worker::work;

/// The maximum number of results. More are not useful, and further typing sends a new request.
const MOST: usize = 200;

/// The data of a symbol for resolving its range: bytes of its file.
#[derive(Debug, Serialize, Deserialize)]
pub struct SymbolRange {
    start: usize,
    end: usize,
}

/// A name of the workspace.
pub struct FoundSymbol {
    pub name: String,
    pub kind: SymbolKind,
    /// The path of its file, relative to the workspace.
    pub container: String,
    pub place: SymbolPlace,
}

/// The range of a symbol, or the data to compute it.
pub enum SymbolPlace {
    Range(DocumentRange),
    /// The range requires reading the file, which is done for the symbol that the user goes to.
    File {
        uri: Uri,
        range: SymbolRange,
    },
}

/// The names of the workspace that match a query, best first.
pub async fn symbol(
    session: Arc<Session>,
    query: String,
    token: Option<ProgressToken>,
) -> Result<Vec<FoundSymbol>> {
    if session.workspace.follow() {
        let session = session.clone();
        tokio::spawn(async move { session.show_workspace(token).await });
    }
    session.workspace.settle().await;
    let answer = move || {
        let found = session.workspace.search(&query, MOST);
        let symbols = found.into_iter().filter_map(|(path, found)| shown(&session, &path, &found));
        Ok(symbols.collect())
    };
    work(true, answer).await
}

/// The range of a symbol that the user goes to.
pub async fn resolve(
    session: Arc<Session>,
    uri: Uri,
    SymbolRange { start, end }: SymbolRange,
) -> Result<DocumentRange> {
    work(true, move || Ok(location(&session, convert::path(&uri), uri, start..end))).await
}

fn shown(session: &Session, path: &Path, found: &WorkspaceSymbol) -> Option<FoundSymbol> {
    let uri = session.documents.uri(path)?;
    let place = found.range();
    let place = match session.client_capabilities().resolves_symbols {
        true => {
            SymbolPlace::File { uri, range: SymbolRange { start: place.start, end: place.end } }
        }
        false => SymbolPlace::Range(location(session, path.to_owned(), uri, place)),
    };
    // The protocol requires a name for each symbol.
    let name = if found.name.trim().is_empty() { "(no name)" } else { &found.name };
    let folders = session.documents.log().folders();
    let inside = folders.iter().find_map(|folder| path.strip_prefix(folder).ok());
    Some(FoundSymbol {
        name: name.to_owned(),
        kind: found.kind,
        container: inside.unwrap_or(path).display().to_string(),
        place,
    })
}

fn location(
    session: &Session,
    path: PathBuf,
    uri: Uri,
    place: std::ops::Range<usize>,
) -> DocumentRange {
    let text = session.documents.project().text(&path).unwrap_or_default();
    // The file may have become shorter meanwhile.
    let at = |offset: usize| {
        let offset = offset.min(text.len_bytes());
        text.char_to_byte(text.byte_to_char(offset))
    };
    let range = convert::wire_range(&text, &(at(place.start)..at(place.end)), session.encoding());
    DocumentRange { uri, range }
}
