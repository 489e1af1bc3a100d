//! `textDocument/formatting`
//!
//! Which documents it is for is said by their names wherever the editor lets us: other JSON and
//! TOML has formatters of its own.

use promptls_analysis::position::Encoding;
use promptls_syntax::Dialect;
use promptls_workspace::{Indentation, Layout, format_file};
use ropey::Rope;
use serde_json::{Value, json};
use tower_lsp::ls_types as lsp;

use crate::convert;
use crate::session::Session;
use crate::session::prompt_snapshot::FileSnapshot;

/// Prompts by their names, whatever language the editor takes them for.
const PROMPTS: &str = "**/*.prompt";

/// The names of what is laid out besides.
const SIDECARS: [&str; 3] = ["**/*.inputs.json", "**/*.variables.json", "**/promptls.toml"];

/// A document as it was when the editor asked.
pub enum Document {
    /// Inputs, variables or a config.
    Sidecar(Layout, Rope),
    /// A file of prompts.
    Prompts(FileSnapshot),
}

/// The document that is meant; `None` for one that is not ours, or not open.
pub fn document(session: &Session, uri: &lsp::Uri) -> Option<Document> {
    let path = convert::path(uri);
    match Layout::of(&path) {
        Some(layout) => {
            // What is not open would have to be read.
            session.documents.version(uri)?;
            Some(Document::Sidecar(layout, session.documents.text(&path).ok()?))
        }
        None => session.documents.file(uri).map(Document::Prompts),
    }
}

/// The smallest edits that bring a document into its normal form.
pub fn formatting(
    document: &Document,
    options: &lsp::FormattingOptions,
    encoding: Encoding,
) -> Vec<lsp::TextEdit> {
    let indentation = match options.insert_spaces {
        true => Indentation::Blanks(options.tab_size as usize),
        false => Indentation::Tabs,
    };
    let (text, changes) = match document {
        Document::Sidecar(layout, text) => (text, layout.changes(&text.to_string(), indentation)),
        Document::Prompts(file) => (&file.text, format_file(&file.file)),
    };
    let edit = |(range, new_text)| {
        let range = convert::lsp_range(text, &range, encoding);
        lsp::TextEdit { range, new_text }
    };
    changes.into_iter().map(edit).collect()
}

/// For an editor that lets us say which documents are meant; `sidecars` if these are, too.
pub fn registration(sidecars: bool) -> Value {
    let sidecars =
        SIDECARS.iter().filter(|_| sidecars).map(|pattern| json!({ "pattern": pattern }));
    json!({ "documentSelector": prompts().into_iter().chain(sidecars).collect::<Vec<_>>() })
}

/// The documents that are prompts. A rule makes prompts of texts and Markdown as well, but those
/// have formatters of their own.
pub fn prompts() -> Vec<Value> {
    let languages = Dialect::ALL.map(|dialect| json!({ "language": dialect.spec().language_id }));
    languages.into_iter().chain([json!({ "pattern": PROMPTS })]).collect()
}
