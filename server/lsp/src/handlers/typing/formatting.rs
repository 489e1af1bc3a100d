//! `textDocument/formatting`
//!
//! Documents are selected by their names if the editor supports that, because other JSON and TOML
//! files have their own formatters.

use promptls_analysis::position::Encoding;
use promptls_syntax::Dialect;
use promptls_workspace::{Indentation, Layout, format_file};
use ropey::Rope;
use serde_json::{Value, json};

use crate::convert::{self, Uri};
use crate::document_range::RangeEdit;
use crate::session::Session;
use crate::session::prompt_snapshot::FileSnapshot;

/// Prompts by their names, whatever their language id is.
const PROMPTS: &str = "**/*.prompt";

/// The names of other documents that are formatted.
const SIDECARS: [&str; 3] = ["**/*.inputs.json", "**/*.variables.json", "**/promptls.toml"];

/// A document at the time of the request.
pub enum FormatDocument {
    /// Inputs, variables or a config.
    Sidecar(Layout, Rope),
    /// A file of prompts, a single one or a pack.
    Prompts(FileSnapshot),
}

/// The requested document; `None` if it is unrelated, or not open.
pub fn document(session: &Session, uri: &Uri) -> Option<FormatDocument> {
    let path = convert::path(uri);
    match Layout::of(&path) {
        Some(layout) => {
            // A document that is not open would have to be read.
            session.documents.version(uri)?;
            Some(FormatDocument::Sidecar(layout, session.documents.project().text(&path).ok()?))
        }
        None => session.documents.lookup().file(uri).map(FormatDocument::Prompts),
    }
}

/// The smallest edits that convert a document to its normal form.
pub fn formatting(
    document: &FormatDocument,
    indentation: Indentation,
    encoding: Encoding,
) -> Vec<RangeEdit> {
    let (text, changes) = match document {
        FormatDocument::Sidecar(layout, text) => {
            (text, layout.changes(&text.to_string(), indentation))
        }
        FormatDocument::Prompts(file) => (&file.text, format_file(&file.file)),
    };
    let edit = |(range, new_text)| {
        let range = convert::wire_range(text, &range, encoding);
        RangeEdit { range, new_text }
    };
    changes.into_iter().map(edit).collect()
}

/// The registration for an editor that supports document selectors; with `sidecars`, these are
/// included.
pub fn registration(sidecars: bool) -> Value {
    let sidecars =
        SIDECARS.iter().filter(|_| sidecars).map(|pattern| json!({ "pattern": pattern }));
    json!({ "documentSelector": prompts().into_iter().chain(sidecars).collect::<Vec<_>>() })
}

/// The selectors of prompts. A rule makes prompts of plain text and Markdown as well, but those
/// have their own formatters.
pub fn prompts() -> Vec<Value> {
    let languages = Dialect::ALL.map(|dialect| json!({ "language": dialect.spec().language_id }));
    languages.into_iter().chain([json!({ "pattern": PROMPTS })]).collect()
}
