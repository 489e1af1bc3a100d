//! Our data in the words of the protocol.

use std::path::Path;

use promptls_analysis::position::{self, Encoding, Position};
use promptls_analysis::{Definition, Markup};
use promptls_resolver::{Code, FileId, Location, Problem, Severity};
use ropey::Rope;
use tower_lsp::ls_types as lsp;

use super::moment::{Moment, View};
use super::pages;

/// How the editor shows problems.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shown {
    /// What columns count.
    pub encoding: Encoding,
    /// Whether it shows related places.
    pub related: bool,
    /// Whether it keeps data with a problem.
    pub data: bool,
    /// Whether it shows the page on a problem's code; see [`pages`].
    pub pages: bool,
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
    from_position(position::position(text, offset, encoding))
}

/// A position in the words of the protocol.
pub fn from_position(Position { line, column }: Position) -> lsp::Position {
    let number = |n| u32::try_from(n).unwrap_or(u32::MAX);
    lsp::Position { line: number(line), character: number(column) }
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
    Shown { encoding, related: with_related, data: with_data, pages: with_pages }: Shown,
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
        code_description: with_pages
            .then(|| pages::address(problem.code))
            .flatten()
            .map(|href| lsp::CodeDescription { href }),
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
    let location = moment.in_file(location)?;
    let (text, uri) = moment.place(location.file)?;
    Some(lsp::Location { uri, range: lsp_range(text, &location.range, encoding) })
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

/// Text for people as the editor shows it. Places are links where they can be.
pub fn markup(sections: &[Markup], moment: &Moment, markdown: bool, encoding: Encoding) -> String {
    let address = |place: &Location| {
        let lsp::Location { uri, range } = location(moment, place, encoding)?;
        // A closing parenthesis would end the link.
        let uri = uri.as_str().replace('(', "%28").replace(')', "%29");
        Some(format!("{uri}#L{}", range.start.line + 1))
    };
    let show = |section: &Markup| match markdown {
        true => section.markdown(address),
        false => section.plain(),
    };
    sections.iter().map(show).collect::<Vec<_>>().join("\n\n")
}

/// The same in the words of the protocol.
pub fn markup_content(value: String, markdown: bool) -> lsp::MarkupContent {
    let kind = if markdown { lsp::MarkupKind::Markdown } else { lsp::MarkupKind::PlainText };
    lsp::MarkupContent { kind, value }
}
