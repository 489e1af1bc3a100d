//! Our data in the words of the protocol.

use std::path::Path;

use promptls_analysis::position::{self, Encoding, Position};
use promptls_analysis::{Completion, CompletionKind, Definition};
use promptls_resolver::{Code, FileId, Location, Problem, Severity};
use ropey::Rope;
use tower_lsp::ls_types as lsp;

use super::moment::{Moment, View};

/// How the editor shows problems.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shown {
    /// What columns count.
    pub encoding: Encoding,
    /// Whether it shows related places.
    pub related: bool,
    /// Whether it keeps data with a problem.
    pub data: bool,
}

/// The encoding that both sides know best: bytes if the editor offers them, for they cost
/// nothing to convert.
pub fn encoding(offered: Option<&[lsp::PositionEncodingKind]>) -> Encoding {
    let offers = |kind| offered.is_some_and(|offered| offered.contains(&kind));
    if offers(lsp::PositionEncodingKind::UTF8) { Encoding::Utf8 } else { Encoding::Utf16 }
}

/// The same in the words of the protocol.
pub fn encoding_kind(encoding: Encoding) -> lsp::PositionEncodingKind {
    match encoding {
        Encoding::Utf8 => lsp::PositionEncodingKind::UTF8,
        Encoding::Utf16 => lsp::PositionEncodingKind::UTF16,
        Encoding::Utf32 => lsp::PositionEncodingKind::UTF32,
    }
}

/// A byte offset as a position.
pub fn lsp_position(text: &Rope, offset: usize, encoding: Encoding) -> lsp::Position {
    let position = position::position(text, offset, encoding);
    let number = |n| u32::try_from(n).unwrap_or(u32::MAX);
    lsp::Position { line: number(position.line), character: number(position.column) }
}

/// A range of bytes as a range of positions.
pub fn lsp_range(text: &Rope, range: &std::ops::Range<usize>, encoding: Encoding) -> lsp::Range {
    lsp::Range {
        start: lsp_position(text, range.start, encoding),
        end: lsp_position(text, range.end, encoding),
    }
}

fn from_lsp(position: lsp::Position) -> Position {
    Position { line: position.line as usize, column: position.character as usize }
}

/// The byte offset of a position; `None` if it is not in the text.
pub fn offset(text: &Rope, position: lsp::Position, encoding: Encoding) -> Option<usize> {
    position::offset(text, from_lsp(position), encoding)
}

/// The byte offset that a position means at best; see [`position::nearest_offset`].
pub fn nearest_offset(text: &Rope, position: lsp::Position, encoding: Encoding) -> usize {
    position::nearest_offset(text, from_lsp(position), encoding)
}

/// The URI of a file.
pub fn uri(path: &Path) -> Option<lsp::Uri> {
    lsp::Uri::from_file_path(path)
}

fn severity(severity: Severity) -> lsp::DiagnosticSeverity {
    match severity {
        Severity::Error => lsp::DiagnosticSeverity::ERROR,
        Severity::Warning => lsp::DiagnosticSeverity::WARNING,
        Severity::Information => lsp::DiagnosticSeverity::INFORMATION,
        Severity::Hint => lsp::DiagnosticSeverity::HINT,
    }
}

/// A problem as a diagnostic. `place` gives text and URI of the files that it names.
pub fn diagnostic<'t>(
    problem: &Problem,
    place: impl Fn(FileId) -> Option<(&'t Rope, lsp::Uri)>,
    Shown { encoding, related: with_related, data: with_data }: Shown,
) -> Option<lsp::Diagnostic> {
    let (text, _) = place(problem.location.file)?;
    let related = problem.related.iter().filter_map(|related| {
        let (text, uri) = place(related.location.file)?;
        let range = lsp_range(text, &related.location.range, encoding);
        let location = lsp::Location { uri, range };
        Some(lsp::DiagnosticRelatedInformation { location, message: related.message.clone() })
    });
    let related: Vec<_> = if with_related { related.collect() } else { Vec::new() };
    let is_unnecessary = matches!(problem.code, Code::UnusedInput | Code::UnusedVariable);
    Some(lsp::Diagnostic {
        range: lsp_range(text, &problem.location.range, encoding),
        severity: Some(severity(problem.severity)),
        code: Some(lsp::NumberOrString::String(problem.code.id().to_owned())),
        code_description: None,
        source: Some("promptls".to_owned()),
        message: problem.message.clone(),
        related_information: (!related.is_empty()).then_some(related),
        tags: is_unnecessary.then(|| vec![lsp::DiagnosticTag::UNNECESSARY]),
        // For the editor's own use: it says which names a fix is about.
        data: (with_data && !problem.names.is_empty())
            .then(|| serde_json::json!({ "names": problem.names })),
    })
}

/// A place in one of the files of a prompt.
pub fn location(moment: &Moment, location: &Location, encoding: Encoding) -> Option<lsp::Location> {
    let (text, uri) = moment.place(location.file)?;
    let range = match location.file {
        FileId::PROMPT => moment.in_document(&location.range)?,
        _ => location.range.clone(),
    };
    Some(lsp::Location { uri, range: lsp_range(text, &range, encoding) })
}

/// Where something leads to: each place, and the range that leads there.
pub fn targets(
    View { moment, file }: &View,
    definition: Definition,
    encoding: Encoding,
) -> Option<Vec<(lsp::Range, lsp::Location)>> {
    let origin = Location { file: *file, range: definition.origin };
    let origin = location(moment, &origin, encoding)?.range;
    let targets = definition.targets.iter();
    let targets = targets.filter_map(|target| Some((origin, location(moment, target, encoding)?)));
    Some(targets.collect())
}

/// Such places as an answer, for an editor that understands links or for one that does not.
pub fn definition_response(
    targets: Vec<(lsp::Range, lsp::Location)>,
    with_links: bool,
) -> Option<lsp::GotoDefinitionResponse> {
    if targets.is_empty() {
        return None;
    }
    if !with_links {
        let locations = targets.into_iter().map(|(_, target)| target).collect();
        return Some(lsp::GotoDefinitionResponse::Array(locations));
    }
    let link = |(origin, target): (lsp::Range, lsp::Location)| lsp::LocationLink {
        origin_selection_range: Some(origin),
        target_uri: target.uri,
        target_range: target.range,
        target_selection_range: target.range,
    };
    Some(lsp::GotoDefinitionResponse::Link(targets.into_iter().map(link).collect()))
}

/// A proposal as a completion item. `index` keeps our order.
pub fn completion_item(
    text: &Rope,
    completion: Completion,
    index: usize,
    encoding: Encoding,
    snippets: bool,
) -> Option<lsp::CompletionItem> {
    if completion.is_snippet && !snippets {
        return None;
    }
    let kind = match completion.kind {
        CompletionKind::Name => lsp::CompletionItemKind::VARIABLE,
        CompletionKind::Member => lsp::CompletionItemKind::FIELD,
        CompletionKind::Fragment => lsp::CompletionItemKind::REFERENCE,
        CompletionKind::Prefix => lsp::CompletionItemKind::KEYWORD,
        CompletionKind::Block => lsp::CompletionItemKind::SNIPPET,
    };
    let edit = lsp::TextEdit {
        range: lsp_range(text, &completion.replaced, encoding),
        new_text: completion.inserted,
    };
    let documentation = (!completion.documentation.is_empty())
        .then_some(lsp::Documentation::String(completion.documentation));
    Some(lsp::CompletionItem {
        filter_text: Some(completion.label.clone()),
        label: completion.label,
        kind: Some(kind),
        detail: (!completion.detail.is_empty()).then_some(completion.detail),
        documentation,
        sort_text: Some(format!("{index:05}")),
        insert_text_format: completion.is_snippet.then_some(lsp::InsertTextFormat::SNIPPET),
        text_edit: Some(lsp::CompletionTextEdit::Edit(edit)),
        ..lsp::CompletionItem::default()
    })
}
