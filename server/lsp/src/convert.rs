//! Converts positions, paths and severities to and from the types of the protocol.

pub mod code_action;
pub mod completion;
pub mod diagnostic;
pub mod display;
pub mod error;
pub mod navigation;
mod progress_token;
mod uri;
pub mod workspace_diagnostic;
pub mod workspace_edit;

use std::path::{Path, PathBuf};

use promptls_analysis::position::{self, Encoding, Position};
use promptls_protocol as wire;
use ropey::Rope;
use tower_lsp::ls_types as lsp;

pub use self::progress_token::ProgressToken;
pub use self::uri::Uri;

use crate::document_range::{DocumentPosition, DocumentRange, RangeEdit};
use crate::errors::{Result, invalid_params};
use crate::session::document::{OpenedDocument, TextChange};
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
pub fn wire_position(text: &Rope, offset: usize, encoding: Encoding) -> wire::Position {
    from_position(position::position(text, offset, encoding))
}

/// Converts a position to the type of the protocol. Numbers above `u32::MAX` are clamped.
pub fn from_position(Position { line, column }: Position) -> wire::Position {
    let number = |n| u32::try_from(n).unwrap_or(u32::MAX);
    wire::Position { line: number(line), character: number(column) }
}

/// Converts a range of bytes to a range of positions.
pub fn wire_range(text: &Rope, range: &std::ops::Range<usize>, encoding: Encoding) -> wire::Range {
    wire::Range {
        start: wire_position(text, range.start, encoding),
        end: wire_position(text, range.end, encoding),
    }
}

fn to_position(position: wire::Position) -> Position {
    Position { line: position.line as usize, column: position.character as usize }
}

/// Converts a position to a byte offset; `None` if it is not in the text.
pub fn offset(text: &Rope, position: wire::Position, encoding: Encoding) -> Option<usize> {
    position::offset(text, to_position(position), encoding)
}

/// Converts a position to the nearest byte offset; see [`position::nearest_offset`].
pub fn nearest_offset(text: &Rope, position: wire::Position, encoding: Encoding) -> usize {
    position::nearest_offset(text, to_position(position), encoding)
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

/// Converts a location for a custom response.
pub fn wire_location(DocumentRange { uri, range }: DocumentRange) -> wire::Location {
    wire::Location { uri: uri.to_string(), range }
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

/// Converts a position of the protocol.
pub fn from_lsp(lsp::Position { line, character }: lsp::Position) -> wire::Position {
    wire::Position { line, character }
}

/// Converts a range of the protocol.
pub fn range_from_lsp(range: lsp::Range) -> wire::Range {
    wire::Range { start: from_lsp(range.start), end: from_lsp(range.end) }
}

/// Converts a position in a document.
pub fn document_position(at: lsp::TextDocumentPositionParams) -> DocumentPosition {
    DocumentPosition { uri: at.text_document.uri.into(), position: from_lsp(at.position) }
}

/// Converts a position for the protocol.
pub fn lsp_position(wire::Position { line, character }: wire::Position) -> lsp::Position {
    lsp::Position { line, character }
}

/// Converts a range for the protocol.
pub fn lsp_range(range: wire::Range) -> lsp::Range {
    lsp::Range { start: lsp_position(range.start), end: lsp_position(range.end) }
}

/// Converts a range of a document for the protocol.
pub fn lsp_location(DocumentRange { uri, range }: DocumentRange) -> lsp::Location {
    lsp::Location { uri: uri.into(), range: lsp_range(range) }
}

/// Converts an edit of a document.
pub fn text_edit(RangeEdit { range, new_text }: RangeEdit) -> lsp::TextEdit {
    lsp::TextEdit { range: lsp_range(range), new_text }
}

/// The paths of files before and after they are renamed.
pub fn renamed_files(params: &lsp::RenameFilesParams) -> Vec<(PathBuf, PathBuf)> {
    let of_uri = |uri: &str| uri.parse().ok().map(|uri| path(&uri));
    let files = params.files.iter();
    files.filter_map(|file| Some((of_uri(&file.old_uri)?, of_uri(&file.new_uri)?))).collect()
}

/// Converts a document that is opened.
pub fn opened_document(document: lsp::TextDocumentItem) -> OpenedDocument {
    let lsp::TextDocumentItem { uri, language_id: language, version, text } = document;
    OpenedDocument { uri: uri.into(), language, version, text }
}

/// Converts a change of a document.
pub fn text_change(change: lsp::TextDocumentContentChangeEvent) -> TextChange {
    TextChange { range: change.range.map(range_from_lsp), text: change.text }
}

/// Wraps text for the user as Markdown or plain text.
pub fn markup_content(value: String, markdown: bool) -> lsp::MarkupContent {
    let kind = if markdown { lsp::MarkupKind::Markdown } else { lsp::MarkupKind::PlainText };
    lsp::MarkupContent { kind, value }
}
