//! Problems in the words of the protocol, as the client shows them.

use promptls_analysis::position::Encoding;
use promptls_resolver::{Code, FileId, Problem};
use ropey::Rope;
use tower_lsp::ls_types as lsp;

use crate::{convert, virtual_uri};

/// What the editor wants to be told.
#[derive(Clone, Copy, Debug, Default)]
pub struct DiagnosticCapabilities {
    /// How it shows problems.
    pub style: DiagnosticStyle,
    /// Whether it asks for the problems of what it has open.
    pub pulls: bool,
    /// Whether it wants to hear `promptls/previewChanged`.
    pub previews: bool,
}

/// How the client shows problems.
#[derive(Clone, Copy, Debug, Default)]
pub struct DiagnosticStyle {
    /// What columns count.
    pub encoding: Encoding,
    /// Whether it shows related places.
    pub related: bool,
    /// Whether it keeps data with a problem.
    pub data: bool,
    /// Whether it shows the page on a problem's code; see [`virtual_uri`].
    pub pages: bool,
}

/// A problem as a diagnostic. `place` gives text and URI of the files that it names.
pub fn diagnostic<'t>(
    problem: &Problem,
    place: impl Fn(FileId) -> Option<(&'t Rope, lsp::Uri)>,
    DiagnosticStyle { encoding, related: with_related, data: with_data, pages: with_pages }: DiagnosticStyle,
) -> Option<lsp::Diagnostic> {
    let (text, _) = place(problem.location.file)?;
    let related = problem.related.iter().filter_map(|related| {
        let (text, uri) = place(related.location.file)?;
        let range = convert::lsp_range(text, &related.location.range, encoding);
        let location = lsp::Location { uri, range };
        Some(lsp::DiagnosticRelatedInformation { location, message: related.message.clone() })
    });
    let related: Vec<_> = if with_related { related.collect() } else { Vec::new() };
    let is_unnecessary = matches!(problem.code, Code::UnusedInput | Code::UnusedVariable);
    Some(lsp::Diagnostic {
        range: convert::lsp_range(text, &problem.location.range, encoding),
        severity: Some(convert::severity(problem.severity)),
        code: Some(lsp::NumberOrString::String(problem.code.id().to_owned())),
        code_description: with_pages
            .then(|| virtual_uri::of_explanation(problem.code))
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
