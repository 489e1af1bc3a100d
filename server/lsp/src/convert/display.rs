//! Converts what editors draw in and beside a text: hovers, hints, lenses, folds and tokens.

use tower_lsp::ls_types as lsp;

use super::{lsp_position, lsp_range, markup_content};
use crate::handlers::CommandCall;
use crate::handlers::code_lens::Lens;
use crate::handlers::folding_range::FoldedRange;
use crate::handlers::hover::HoverText;
use crate::handlers::inlay_hint::{InlayHintData, PlacedHint};
use crate::handlers::semantic_tokens::{ChangedTokens, TokenEdit, Tokens};
use crate::session::last_tokens::RelativeToken;

pub fn hover(HoverText { range, text }: HoverText, markdown: bool) -> lsp::Hover {
    let contents = lsp::HoverContents::Markup(markup_content(text, markdown));
    lsp::Hover { contents, range: Some(lsp_range(range)) }
}

pub fn command(CommandCall { title, command, arguments }: CommandCall) -> lsp::Command {
    let arguments = (!arguments.is_empty()).then_some(arguments);
    lsp::Command { title, command: command.to_owned(), arguments }
}

pub fn code_lens(lens: Lens) -> lsp::CodeLens {
    let command = Some(command(lens.command));
    lsp::CodeLens { range: lsp_range(lens.range), command, data: None }
}

pub fn inlay_hint(hint: PlacedHint, markdown: bool) -> lsp::InlayHint {
    let PlacedHint { position, label, tooltip: text, data } = hint;
    lsp::InlayHint {
        position: lsp_position(position),
        label: lsp::InlayHintLabel::String(label),
        kind: None,
        text_edits: None,
        tooltip: text.map(|text| tooltip(text, markdown)),
        padding_left: Some(true),
        padding_right: None,
        data: data.and_then(|data| serde_json::to_value(data).ok()),
    }
}

/// Converts the tooltip of a hint.
pub fn tooltip(text: String, markdown: bool) -> lsp::InlayHintTooltip {
    lsp::InlayHintTooltip::MarkupContent(markup_content(text, markdown))
}

/// The data of a hint; `None` if it is not one of this server.
pub fn inlay_hint_data(hint: &lsp::InlayHint) -> Option<InlayHintData> {
    serde_json::from_value(hint.data.clone()?).ok()
}

/// Converts a fold, for an editor that folds whole lines or any range.
pub fn folding_range(fold: FoldedRange, folds_lines: bool) -> lsp::FoldingRange {
    let lsp::Range { start, end } = lsp_range(fold.range);
    lsp::FoldingRange {
        start_line: start.line,
        start_character: (!folds_lines).then_some(start.character),
        end_line: end.line,
        end_character: (!folds_lines).then_some(end.character),
        kind: fold.is_comment.then_some(lsp::FoldingRangeKind::Comment),
        ..lsp::FoldingRange::default()
    }
}

/// Converts all tokens of a document or a range.
pub fn tokens(Tokens { id: result_id, tokens }: Tokens) -> lsp::SemanticTokens {
    lsp::SemanticTokens { result_id, data: each_token(&tokens) }
}

/// Converts the tokens of a document, or their changes.
pub fn changed_tokens(changed: ChangedTokens) -> lsp::SemanticTokensFullDeltaResult {
    match changed {
        ChangedTokens::All(all) => tokens(all).into(),
        ChangedTokens::Edit { id: result_id, edit } => {
            let edit = edit.map(|TokenEdit { start, deleted, new }| lsp::SemanticTokensEdit {
                start,
                delete_count: deleted,
                data: (!new.is_empty()).then(|| each_token(&new)),
            });
            lsp::SemanticTokensDelta { result_id, edits: edit.into_iter().collect() }.into()
        }
    }
}

fn each_token(tokens: &[RelativeToken]) -> Vec<lsp::SemanticToken> {
    let token = |token: &RelativeToken| lsp::SemanticToken {
        delta_line: token.line,
        delta_start: token.start,
        length: token.length,
        token_type: token.kind,
        token_modifiers_bitset: token.modifiers,
    };
    tokens.iter().map(token).collect()
}
