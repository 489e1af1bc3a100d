//! Handlers that need more than a few lines, a file each: from the question to the answer.

pub mod code_action;
pub mod code_lens;
mod completion;
mod config;
pub mod document_link;
pub mod document_symbol;
pub mod folding_range;
mod hover;
pub mod inlay_hint;
mod inputs;
pub mod references;
pub mod rename;
pub mod semantic_tokens;
mod set_input;

use std::ops::Range;

use promptls_analysis::position::Encoding;
use tower_lsp::ls_types as lsp;

use super::convert;
use super::moment::Moment;

/// Texts above this size are looked at in a thread, in bytes.
const LARGE: usize = 64 * 1024;

/// Whether looking at all of these prompts takes long.
fn are_heavy(moments: &[Moment]) -> bool {
    moments
        .iter()
        .any(|moment| moment.snapshot().is_heavy() || moment.document_text().len_bytes() > LARGE)
}

/// A range of a prompt as the editor says it; `None` if it is gone.
fn lsp_range(moment: &Moment, range: &Range<usize>, encoding: Encoding) -> Option<lsp::Range> {
    let range = moment.in_document(range)?;
    Some(convert::lsp_range(moment.document_text(), &range, encoding))
}
