//! Converts positions, paths and severities to and from the types of the protocol.

pub mod error;
mod uri;

use std::path::{Path, PathBuf};

use promptls_analysis::position::{self, Encoding, Position};
use promptls_protocol as wire;
use promptls_resolver::Severity;
use ropey::Rope;
use tower_lsp::ls_types as lsp;

pub use self::uri::Uri;

use crate::errors::{Result, invalid_params};
use crate::watched_files::WatchedFiles;

/// Chooses the position encoding. UTF-8 if the editor offers it, because bytes need no conversion;
/// UTF-32 if that is its first choice; otherwise UTF-16.
pub fn encoding(offered: Option<&[lsp::PositionEncodingKind]>) -> Encoding {
    let offered = offered.unwrap_or_default();
    let is_first = |kind| offered.first() == Some(&kind);
    if offered.contains(&lsp::PositionEncodingKind::UTF8) {
        Encoding::Utf8
    } else if is_first(lsp::PositionEncodingKind::UTF32) {
        Encoding::Utf32
    } else {
        Encoding::Utf16
    }
}

/// Converts an encoding to its name in the protocol.
pub fn encoding_kind(encoding: Encoding) -> lsp::PositionEncodingKind {
    match encoding {
        Encoding::Utf8 => lsp::PositionEncodingKind::UTF8,
        Encoding::Utf16 => lsp::PositionEncodingKind::UTF16,
        Encoding::Utf32 => lsp::PositionEncodingKind::UTF32,
    }
}

/// Converts a byte offset to a position.
pub fn lsp_position(text: &Rope, offset: usize, encoding: Encoding) -> lsp::Position {
    from_position(position::position(text, offset, encoding))
}

/// Converts a position to the type of the protocol. Numbers above `u32::MAX` are clamped.
pub fn from_position(Position { line, column }: Position) -> lsp::Position {
    let number = |n| u32::try_from(n).unwrap_or(u32::MAX);
    lsp::Position { line: number(line), character: number(column) }
}

/// Converts a range of bytes to a range of positions.
pub fn lsp_range(text: &Rope, range: &std::ops::Range<usize>, encoding: Encoding) -> lsp::Range {
    lsp::Range {
        start: lsp_position(text, range.start, encoding),
        end: lsp_position(text, range.end, encoding),
    }
}

fn from_lsp(position: lsp::Position) -> Position {
    Position { line: position.line as usize, column: position.character as usize }
}

/// Converts a position to a byte offset; `None` if it is not in the text.
pub fn offset(text: &Rope, position: lsp::Position, encoding: Encoding) -> Option<usize> {
    position::offset(text, from_lsp(position), encoding)
}

/// Converts a position to the nearest byte offset; see [`position::nearest_offset`].
pub fn nearest_offset(text: &Rope, position: lsp::Position, encoding: Encoding) -> usize {
    position::nearest_offset(text, from_lsp(position), encoding)
}

/// The path of a document's file, or of the file that it will be saved as.
///
/// Any other document has its URI as its path, for example `untitled:Untitled-1` or
/// `vscode-vfs://github/o/r/a.prompt`. Such a path is not absolute, so it is never looked up on
/// disk. Its sidecars still have paths.
pub fn path(uri: &Uri) -> PathBuf {
    let uri = uri.as_lsp();
    let is_local = ["file", "untitled"].contains(&uri.scheme().as_str());
    let path = uri.to_file_path().filter(|path| is_local && path.is_absolute());
    match path {
        Some(path) => path.into_owned(),
        None => uri.as_str().split(['?', '#']).next().unwrap_or_default().into(),
    }
}

/// The folders of a workspace that are on this machine.
pub fn folders(folders: &[lsp::WorkspaceFolder]) -> Vec<PathBuf> {
    let paths = folders.iter().filter(|folder| folder.uri.scheme().as_str() == "file");
    paths.map(|folder| path(&folder.uri.clone().into())).filter(|path| path.is_absolute()).collect()
}

/// The same folders from `initialize`. Older editors send a single folder.
pub fn first_folders(params: &lsp::InitializeParams) -> Vec<PathBuf> {
    if let Some(given) = &params.workspace_folders {
        return folders(given);
    }
    #[expect(deprecated, reason = "older editors send only this")]
    let root = params.root_uri.clone();
    let root = root.map(|uri| lsp::WorkspaceFolder { uri, name: String::new() });
    folders(root.as_slice())
}

/// The URI of a path; `None` for a path without a folder, such as `untitled:Untitled-1`.
pub fn uri(path: &Path) -> Option<Uri> {
    if path.is_absolute() {
        return lsp::Uri::from_file_path(path).map(Uri::from);
    }
    let is_in_folder = path.parent().is_some_and(|folder| !folder.as_os_str().is_empty());
    path.to_str().filter(|_| is_in_folder)?.parse().ok()
}

/// The document URI in a custom request. Fails if it is invalid.
pub fn document_uri(document: &wire::TextDocumentIdentifier) -> Result<Uri> {
    let no_uri = |_| invalid_params(format!("`{}` is not a URI", document.uri));
    document.uri.parse().map_err(no_uri)
}

/// Converts a position of a custom request.
pub fn from_wire(wire::Position { line, character }: wire::Position) -> lsp::Position {
    lsp::Position { line, character }
}

/// Converts a range of a custom request.
pub fn range_from_wire(range: wire::Range) -> lsp::Range {
    lsp::Range { start: from_wire(range.start), end: from_wire(range.end) }
}

/// Converts a position for a custom response.
pub fn wire_position(lsp::Position { line, character }: lsp::Position) -> wire::Position {
    wire::Position { line, character }
}

/// Converts a range for a custom response.
pub fn wire_range(range: lsp::Range) -> wire::Range {
    wire::Range { start: wire_position(range.start), end: wire_position(range.end) }
}

/// Converts a location for a custom response.
pub fn wire_location(location: lsp::Location) -> wire::Location {
    wire::Location { uri: location.uri.to_string(), range: wire_range(location.range) }
}

/// Converts the files to watch.
pub fn watchers(files: impl IntoIterator<Item = WatchedFiles>) -> Vec<lsp::FileSystemWatcher> {
    let comes_or_goes = lsp::WatchKind::Create | lsp::WatchKind::Delete;
    let watcher = |files: WatchedFiles| lsp::FileSystemWatcher {
        glob_pattern: lsp::GlobPattern::String(files.glob),
        kind: files.comes_or_goes.then_some(comes_or_goes),
    };
    files.into_iter().map(watcher).collect()
}

/// Converts the severity of a problem.
pub fn severity(severity: Severity) -> lsp::DiagnosticSeverity {
    match severity {
        Severity::Error => lsp::DiagnosticSeverity::ERROR,
        Severity::Warning => lsp::DiagnosticSeverity::WARNING,
        Severity::Information => lsp::DiagnosticSeverity::INFORMATION,
        Severity::Hint => lsp::DiagnosticSeverity::HINT,
    }
}

/// Wraps text for the user as Markdown or plain text.
pub fn markup_content(value: String, markdown: bool) -> lsp::MarkupContent {
    let kind = if markdown { lsp::MarkupKind::Markdown } else { lsp::MarkupKind::PlainText };
    lsp::MarkupContent { kind, value }
}
