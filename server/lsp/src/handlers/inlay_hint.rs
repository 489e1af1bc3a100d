//! `textDocument/inlayHint` and `inlayHint/resolve`.

use promptls_analysis::position::Encoding;
use promptls_analysis::{hover, inlay_hints};
use promptls_resolver::FileId;
use serde::{Deserialize, Serialize};
use tower_lsp::ls_types as lsp;

use crate::client_capabilities::ClientCapabilities;
use crate::context::Context;
use crate::convert::{self, Uri};
use crate::errors::Result;
use crate::handlers::long_line::{DrawnInLine, is_too_long};
use crate::session::Session;
use crate::session::prompt_snapshot::PromptSnapshot;

/// The capability that the server announces.
pub fn options() -> lsp::InlayHintServerCapabilities {
    lsp::InlayHintServerCapabilities::Options(lsp::InlayHintOptions {
        resolve_provider: Some(true),
        ..lsp::InlayHintOptions::default()
    })
}

/// The origin of a hint, from which its tooltip is computed.
#[derive(Debug, Deserialize, Serialize)]
struct InlayHintData {
    uri: Uri,
    /// The hint is for a block, not for a value, which may be displayed in another way.
    of_block: bool,
    /// The start of the placeholder.
    position: lsp::Position,
    /// The version of the document that the hint was computed for.
    version: i32,
}

/// The meaning of placeholders and blocks in a range, in the selected case. Only blocks if values
/// are drawn in place of the placeholders. The number of hints in a line is limited by
/// [`DrawnInLine`], and a line that [`is_too_long`] has none.
pub fn inlay_hint(
    context: Context<Vec<PromptSnapshot>>,
    params: lsp::InlayHintParams,
) -> Result<Option<Vec<lsp::InlayHint>>> {
    let uri = Uri::from(params.text_document.uri);
    let Context { session, subject: prompts } = &context;
    let version = prompts.first().and_then(PromptSnapshot::version);
    let Some(version) = version.filter(|_| session.preferences.inlay_hints()) else {
        return Ok(None);
    };
    let &ClientCapabilities { encoding, display, markdown, .. } = context.client();
    let has_ghosts = session.preferences.ghost_values();
    let width = session.preferences.hint_width();
    let mut hints = Vec::new();
    let mut drawn = DrawnInLine::default();
    for prompt in prompts.iter().filter(|prompt| prompt.is_written_here()) {
        let bytes = prompt.bytes_in(params.range, encoding);
        let hints_there = inlay_hints(prompt.snapshot(), bytes, prompt.case, width).into_iter();
        for hint in hints_there.filter(|hint| hint.of_block || !has_ghosts) {
            let Some(range) = prompt.shown_range(&hint.token, encoding) else { continue };
            let is_requested = params.range.start <= range.end && range.end <= params.range.end;
            let is_drawn = is_requested
                && !is_too_long(prompt.document_text(), range.end.line)
                && drawn.takes(range.end.line, range.end.character);
            if !is_drawn {
                continue;
            }
            let mut shown = plain(range.end, hint.label);
            match display.resolves_tooltips {
                true => {
                    let (uri, position) = (uri.clone(), range.start);
                    let origin = InlayHintData { uri, of_block: hint.of_block, position, version };
                    shown.data = serde_json::to_value(origin).ok();
                }
                false => shown.tooltip = tooltip(prompt, hint.token.start, encoding, markdown),
            }
            hints.push(shown);
        }
    }
    Ok(Some(hints))
}

/// The prompt of a hint; `None` after an edit, because the placeholder may be gone.
pub fn prompt_of(session: &Session, hint: &lsp::InlayHint) -> Option<PromptSnapshot> {
    let InlayHintData { uri, position, version, .. } = origin(hint)?;
    let is_same = session.documents.version(&uri) == Some(version);
    session.documents.lookup().prompt_at(&uri, position, session.encoding()).filter(|_| is_same)
}

/// Adds the tooltip to a hint: the value in every case.
pub fn resolve(
    context: Context<Option<PromptSnapshot>>,
    mut hint: lsp::InlayHint,
) -> Result<lsp::InlayHint> {
    let &ClientCapabilities { encoding, markdown, .. } = context.client();
    if let (Some(prompt), Some(InlayHintData { position, .. })) = (&context.subject, origin(&hint))
        && let Some(offset) = prompt.offset(position, encoding)
    {
        hint.tooltip = tooltip(prompt, offset, encoding, markdown);
    }
    Ok(hint)
}

fn origin(hint: &lsp::InlayHint) -> Option<InlayHintData> {
    serde_json::from_value(hint.data.clone()?).ok()
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

fn tooltip(
    prompt: &PromptSnapshot,
    offset: usize,
    encoding: Encoding,
    markdown: bool,
) -> Option<lsp::InlayHintTooltip> {
    let hover = hover(prompt.snapshot(), FileId::PROMPT, offset)?;
    let value = prompt.markup(&hover.sections, markdown, encoding);
    Some(lsp::InlayHintTooltip::MarkupContent(convert::markup_content(value, markdown)))
}
