//! Converts problems to diagnostics, and lists of them to reports, as the client can show them.

use std::sync::Arc;

use promptls_analysis::position::Encoding;
use promptls_protocol as wire;
use promptls_resolver::{Code, FileId, Problem, Severity};
use ropey::Rope;
use serde::{Deserialize, Serialize};
use tower_lsp::ls_types as lsp;

use super::{Uri, lsp_location, lsp_range, range_from_lsp, wire_range};
use crate::document_range::DocumentRange;
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

/// A problem, as the editor receives it and returns it in a request for code actions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Diagnostic(lsp::Diagnostic);

impl Diagnostic {
    /// Converts a problem. `place` returns the text and URI of the files that it names. `None` if
    /// `place` has none for the file of the problem.
    pub fn new<'t>(
        problem: &Problem,
        place: impl Fn(FileId) -> Option<(&'t Rope, Uri)>,
        style: DiagnosticStyle,
    ) -> Option<Diagnostic> {
        let DiagnosticStyle { encoding, related: with_related, data: with_data, pages } = style;
        let (text, _) = place(problem.location.file)?;
        let related = problem.related.iter().filter_map(|related| {
            let (text, uri) = place(related.location.file)?;
            let range = wire_range(text, &related.location.range, encoding);
            let location = lsp_location(DocumentRange { uri, range });
            Some(lsp::DiagnosticRelatedInformation { location, message: related.message.clone() })
        });
        let related: Vec<_> = if with_related { related.collect() } else { Vec::new() };
        let is_unnecessary = matches!(problem.code, Code::UnusedInput | Code::UnusedVariable);
        Some(Diagnostic(lsp::Diagnostic {
            range: lsp_range(wire_range(text, &problem.location.range, encoding)),
            severity: Some(severity(problem.severity)),
            code: Some(lsp::NumberOrString::String(problem.code.id().to_owned())),
            code_description: pages
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
        }))
    }

    /// Returns whether it reports a problem of this code at this range.
    pub fn is_at(&self, range: wire::Range, code: Code) -> bool {
        let code = lsp::NumberOrString::String(code.id().to_owned());
        range_from_lsp(self.0.range) == range && self.0.code == Some(code)
    }
}

impl From<lsp::Diagnostic> for Diagnostic {
    fn from(diagnostic: lsp::Diagnostic) -> Diagnostic {
        Diagnostic(diagnostic)
    }
}

impl From<Diagnostic> for lsp::Diagnostic {
    fn from(Diagnostic(diagnostic): Diagnostic) -> lsp::Diagnostic {
        diagnostic
    }
}

fn severity(severity: Severity) -> lsp::DiagnosticSeverity {
    match severity {
        Severity::Error => lsp::DiagnosticSeverity::ERROR,
        Severity::Warning => lsp::DiagnosticSeverity::WARNING,
        Severity::Information => lsp::DiagnosticSeverity::INFORMATION,
        Severity::Hint => lsp::DiagnosticSeverity::HINT,
    }
}

/// A diagnostic as JSON text. That is a quarter of the size, and there may be 100,000 of them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Packed(Arc<str>);

impl Packed {
    pub fn new(diagnostic: &Diagnostic) -> Packed {
        // Serialization fails for no diagnostic.
        Packed(serde_json::to_string(diagnostic).unwrap_or_default().into())
    }

    /// Parses the diagnostic; `None` if the text is invalid.
    pub fn diagnostic(&self) -> Option<Diagnostic> {
        serde_json::from_str(&self.0).ok()
    }

    /// The JSON text of the diagnostic.
    pub fn text(&self) -> &Arc<str> {
        &self.0
    }
}

/// The list of a file in the workspace.
#[derive(Clone)]
pub struct NamedList {
    pub uri: Arc<Uri>,
    pub name: String,
    /// `None` if the editor has the list already.
    pub diagnostics: Option<Vec<Packed>>,
}

/// Converts the list of a file to a report. Without items, the report is "unchanged".
pub fn report(list: &NamedList, version: Option<i64>) -> lsp::WorkspaceDocumentDiagnosticReport {
    let NamedList { uri, name, diagnostics } = list;
    let (uri, name) = ((**uri).clone().into(), name.clone());
    match diagnostics {
        Some(items) => lsp::WorkspaceFullDocumentDiagnosticReport {
            uri,
            version,
            full_document_diagnostic_report: lsp::FullDocumentDiagnosticReport {
                result_id: Some(name),
                items: items.iter().filter_map(Packed::diagnostic).map(Into::into).collect(),
            },
        }
        .into(),
        None => lsp::WorkspaceUnchangedDocumentDiagnosticReport {
            uri,
            version,
            unchanged_document_diagnostic_report: lsp::UnchangedDocumentDiagnosticReport {
                result_id: name,
            },
        }
        .into(),
    }
}

/// Converts the list of an open document, with its name. Without items, the report is "unchanged".
pub fn document_report(
    (result_id, items): (String, Option<Vec<Diagnostic>>),
) -> lsp::DocumentDiagnosticReportResult {
    let report = match items {
        Some(items) => {
            let items = items.into_iter().map(Into::into).collect();
            let list = lsp::FullDocumentDiagnosticReport { result_id: Some(result_id), items };
            lsp::DocumentDiagnosticReport::Full(lsp::RelatedFullDocumentDiagnosticReport {
                related_documents: None,
                full_document_diagnostic_report: list,
            })
        }
        None => {
            let list = lsp::UnchangedDocumentDiagnosticReport { result_id };
            lsp::DocumentDiagnosticReport::Unchanged(
                lsp::RelatedUnchangedDocumentDiagnosticReport {
                    related_documents: None,
                    unchanged_document_diagnostic_report: list,
                },
            )
        }
    };
    report.into()
}
