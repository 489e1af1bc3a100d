//! Converts problems to diagnostics of the protocol, as the client can show them.

use promptls_analysis::position::Encoding;
use promptls_resolver::{Code, FileId, Problem};
use ropey::Rope;
use tower_lsp::ls_types as lsp;

use crate::convert::{self, Uri};
use crate::virtual_uri;

/// The features of diagnostics that the editor supports.
#[derive(Clone, Copy, Debug, Default)]
pub struct DiagnosticCapabilities {
    /// The encoding, and the fields that a diagnostic may have.
    pub style: DiagnosticStyle,
    /// The editor pulls the diagnostics of open documents.
    pub pulls: bool,
    /// The editor supports `promptls/previewChanged`; it is off by default.
    pub previews: bool,
}

/// The format of diagnostics that the client supports.
#[derive(Clone, Copy, Debug, Default)]
pub struct DiagnosticStyle {
    /// The unit of columns, as negotiated in `initialize`.
    pub encoding: Encoding,
    /// Related locations are shown; otherwise they are omitted.
    pub related: bool,
    /// The `data` of a diagnostic is preserved.
    pub data: bool,
    /// The page about a problem's code can be opened; see [`virtual_uri`].
    pub pages: bool,
}

/// Converts a problem to a diagnostic. `place` returns the text and URI of the files that it names.
/// `None` if `place` has none for the file of the problem.
pub fn diagnostic<'t>(
    problem: &Problem,
    place: impl Fn(FileId) -> Option<(&'t Rope, Uri)>,
    DiagnosticStyle { encoding, related: with_related, data: with_data, pages: with_pages }: DiagnosticStyle,
) -> Option<lsp::Diagnostic> {
    let (text, _) = place(problem.location.file)?;
    let related = problem.related.iter().filter_map(|related| {
        let (text, uri) = place(related.location.file)?;
        let range = convert::lsp_range(text, &related.location.range, encoding);
        let location = lsp::Location { uri: uri.into(), range };
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
            .map(|href| lsp::CodeDescription { href: href.into() }),
        source: Some("promptls".to_owned()),
        message: problem.message.clone(),
        related_information: (!related.is_empty()).then_some(related),
        tags: is_unnecessary.then(|| vec![lsp::DiagnosticTag::UNNECESSARY]),
        // The names that a fix refers to, for editors that use them.
        data: (with_data && !problem.names.is_empty())
            .then(|| serde_json::json!({ "names": problem.names })),
    })
}
