//! `textDocument/inlayHint` and `inlayHint/resolve`.

use promptls_analysis::position::Encoding;
use promptls_analysis::{hover, inlay_hints};
use promptls_protocol as wire;
use promptls_resolver::FileId;
use serde::{Deserialize, Serialize};

use crate::client_capabilities::ClientCapabilities;
use crate::context::Context;
use crate::convert::Uri;
use crate::document_range::DocumentRange;
use crate::errors::Result;
use crate::handlers::long_line::{DrawnInLine, is_too_long};
use crate::session::Session;
use crate::session::prompt_snapshot::PromptSnapshot;

/// A hint after a placeholder or block.
pub struct PlacedHint {
    pub position: wire::Position,
    pub label: String,
    pub tooltip: Option<String>,
    /// The data to resolve the tooltip later.
    pub data: Option<InlayHintData>,
}

/// The origin of a hint, from which its tooltip is computed.
#[derive(Debug, Deserialize, Serialize)]
pub struct InlayHintData {
    uri: Uri,
    /// The hint is for a block, not for a value, which may be displayed in another way.
    of_block: bool,
    /// The start of the placeholder.
    position: wire::Position,
    /// The version of the document that the hint was computed for.
    version: i32,
}

/// The meaning of placeholders and blocks in a range, in the selected case. Only blocks if values
/// are drawn in place of the placeholders. The number of hints in a line is limited by
/// [`DrawnInLine`], and a line that [`is_too_long`] has none.
pub fn inlay_hint(
    context: Context<Vec<PromptSnapshot>>,
    DocumentRange { uri, range: requested }: DocumentRange,
) -> Result<Option<Vec<PlacedHint>>> {
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
        let bytes = prompt.bytes_in(requested, encoding);
        let hints_there = inlay_hints(prompt.snapshot(), bytes, prompt.case, width).into_iter();
        for hint in hints_there.filter(|hint| hint.of_block || !has_ghosts) {
            let Some(range) = prompt.shown_range(&hint.token, encoding) else { continue };
            let is_requested = requested.start <= range.end && range.end <= requested.end;
            let is_drawn = is_requested
                && !is_too_long(prompt.document_text(), range.end.line)
                && drawn.takes(range.end.line, range.end.character);
            if !is_drawn {
                continue;
            }
            let (tooltip, data) = match display.resolves_tooltips {
                true => {
                    let (uri, position) = (uri.clone(), range.start);
                    let of_block = hint.of_block;
                    (None, Some(InlayHintData { uri, of_block, position, version }))
                }
                false => (tooltip(prompt, hint.token.start, encoding, markdown), None),
            };
            hints.push(PlacedHint { position: range.end, label: hint.label, tooltip, data });
        }
    }
    Ok(Some(hints))
}

/// The prompt of a hint; `None` after an edit, because the placeholder may be gone.
pub fn prompt_of(session: &Session, hint: &InlayHintData) -> Option<PromptSnapshot> {
    let InlayHintData { uri, position, version, .. } = hint;
    let is_same = session.documents.version(uri) == Some(*version);
    session.documents.lookup().prompt_at(uri, *position, session.encoding()).filter(|_| is_same)
}

/// The tooltip of a hint: the value in every case.
pub fn resolve(
    context: Context<Option<PromptSnapshot>>,
    hint: InlayHintData,
) -> Result<Option<String>> {
    let &ClientCapabilities { encoding, markdown, .. } = context.client();
    Ok(context.subject.as_ref().and_then(|prompt| {
        tooltip(prompt, prompt.offset(hint.position, encoding)?, encoding, markdown)
    }))
}

fn tooltip(
    prompt: &PromptSnapshot,
    offset: usize,
    encoding: Encoding,
    markdown: bool,
) -> Option<String> {
    let hover = hover(prompt.snapshot(), FileId::PROMPT, offset)?;
    Some(prompt.markup(&hover.sections, markdown, encoding))
}
