//! `textDocument/inlayHint`, and the tooltip of one; `promptls/values`, for editors that draw
//! values in the place of their placeholders.

use promptls_analysis::position::Encoding;
use promptls_analysis::{hover, inlay_hints, shown_values};
use promptls_resolver::FileId;
use serde::{Deserialize, Serialize};
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types as lsp;

use super::lsp_range;
use crate::lsp::abilities::Abilities;
use crate::lsp::backend::work;
use crate::lsp::convert;
use crate::lsp::documents::Documents;
use crate::lsp::moment::Moment;
use crate::lsp::preferences::Preferences;

/// What we offer.
pub fn options() -> lsp::InlayHintServerCapabilities {
    lsp::InlayHintServerCapabilities::Options(lsp::InlayHintOptions {
        resolve_provider: Some(true),
        ..lsp::InlayHintOptions::default()
    })
}

/// Where the tooltip of a hint comes from.
#[derive(Debug, Deserialize, Serialize)]
struct Origin {
    uri: lsp::Uri,
    /// The start of the placeholder.
    position: lsp::Position,
    /// Of the document that the hint was made for.
    version: i32,
}

/// What the placeholders and blocks in a range mean in the selected case; only the blocks where
/// values stand in the places of the placeholders.
pub async fn answer(
    documents: &Documents,
    abilities: &Abilities,
    preferences: &Preferences,
    params: lsp::InlayHintParams,
) -> Result<Option<Vec<lsp::InlayHint>>> {
    let uri = params.text_document.uri;
    let moments = documents.moments(&uri);
    let Some(version) = documents.version(&uri).filter(|_| !moments.is_empty()) else {
        return Ok(None);
    };
    let &Abilities { encoding, display, markdown, .. } = abilities;
    let has_ghosts = preferences.ghost_values();
    let is_heavy = moments.iter().any(|moment| moment.snapshot().is_heavy());
    let question = move || {
        let mut hints = Vec::new();
        for moment in &moments {
            let bytes = moment.bytes_in(params.range, encoding);
            let hints_there = inlay_hints(moment.snapshot(), bytes, moment.case).into_iter();
            for hint in hints_there.filter(|hint| hint.of_block || !has_ghosts) {
                let Some(range) = lsp_range(moment, &hint.token, encoding) else { continue };
                if range.end < params.range.start || range.end > params.range.end {
                    continue;
                }
                let mut shown = plain(range.end, hint.label);
                match display.resolves_tooltips {
                    true => {
                        let origin = Origin { uri: uri.clone(), position: range.start, version };
                        shown.data = serde_json::to_value(origin).ok();
                    }
                    false => shown.tooltip = tooltip(moment, hint.token.start, encoding, markdown),
                }
                hints.push(shown);
            }
        }
        Some(hints)
    };
    work(is_heavy, question).await
}

/// What `promptls/values` asks for.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ValuesParams {
    text_document: lsp::TextDocumentIdentifier,
    range: lsp::Range,
    /// The selected case if it is left out.
    case: Option<String>,
}

/// A value in the place of a placeholder.
#[derive(Debug, Serialize)]
pub struct ValueInfo {
    range: lsp::Range,
    text: String,
    kind: &'static str,
}

/// The values of the placeholders in a range.
pub async fn values(
    documents: &Documents,
    encoding: Encoding,
    params: ValuesParams,
) -> Result<Option<Vec<ValueInfo>>> {
    let moments = documents.moments(&params.text_document.uri);
    if moments.is_empty() {
        return Ok(None);
    }
    let is_heavy = moments.iter().any(|moment| moment.snapshot().is_heavy());
    let question = move || {
        let mut values = Vec::new();
        for moment in &moments {
            let named = params.case.as_deref().and_then(|case| moment.snapshot().case_named(case));
            let bytes = moment.bytes_in(params.range, encoding);
            for value in shown_values(moment.snapshot(), bytes, named.or(moment.case)) {
                let Some(range) = lsp_range(moment, &value.token, encoding) else { continue };
                if range.end >= params.range.start && range.end <= params.range.end {
                    values.push(ValueInfo { range, text: value.text, kind: value.kind.id() });
                }
            }
        }
        Some(values)
    };
    work(is_heavy, question).await
}

/// A hint with its tooltip: the value in every case.
pub async fn resolve(
    documents: &Documents,
    abilities: &Abilities,
    mut hint: lsp::InlayHint,
) -> Result<lsp::InlayHint> {
    let &Abilities { encoding, markdown, .. } = abilities;
    let origin = hint.data.clone().and_then(|data| serde_json::from_value::<Origin>(data).ok());
    // After an edit, something else may stand there.
    let origin = origin.filter(|origin| documents.version(&origin.uri) == Some(origin.version));
    if let Some(Origin { uri, position, .. }) = origin
        && let Some(moment) = documents.moment_at(&uri, position, encoding)
    {
        let is_heavy = moment.snapshot().is_heavy();
        hint.tooltip =
            work(is_heavy, move || tooltip_at(&moment, position, encoding, markdown)).await?;
    }
    Ok(hint)
}

fn plain(position: lsp::Position, label: String) -> lsp::InlayHint {
    lsp::InlayHint {
        position,
        label: lsp::InlayHintLabel::String(label),
        kind: None,
        text_edits: None,
        tooltip: None,
        padding_left: Some(true),
        padding_right: None,
        data: None,
    }
}

fn tooltip_at(
    moment: &Moment,
    position: lsp::Position,
    encoding: Encoding,
    markdown: bool,
) -> Option<lsp::InlayHintTooltip> {
    tooltip(moment, moment.offset(position, encoding)?, encoding, markdown)
}

fn tooltip(
    moment: &Moment,
    offset: usize,
    encoding: Encoding,
    markdown: bool,
) -> Option<lsp::InlayHintTooltip> {
    let hover = hover(moment.snapshot(), FileId::PROMPT, offset)?;
    let value = convert::markup(&hover.sections, moment, markdown, encoding);
    Some(lsp::InlayHintTooltip::MarkupContent(convert::markup_content(value, markdown)))
}
