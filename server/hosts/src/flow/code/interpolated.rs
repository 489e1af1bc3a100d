//! Code in literals: `f"{context.state['plan']}"`.

use promptls_data::PieceKind;

use crate::code::Tokens;
use crate::decode;
use crate::gate::Gate;

/// The words of the code in literals that have a word of a gate.
///
/// Cost: a search in each literal; those with such a word are decoded.
pub(super) fn words_in_literals(tokens: &Tokens<'_>, gate: &Gate) -> Vec<usize> {
    let literals = (0..tokens.all.len()).filter(|token| tokens.is_literal(*token));
    let literals = literals.filter(|token| gate.opens(tokens.text(*token)));
    let fields = literals.flat_map(|token| {
        let range = tokens.range(token..token + 1);
        let decoded = decode::decode(tokens.language, tokens.source, range).unwrap_or_default();
        let holes = decoded.pieces().iter().filter(|piece| piece.kind == PieceKind::Hole);
        holes.map(|hole| hole.source.clone()).collect::<Vec<_>>()
    });
    let code = fields.filter_map(|field| tokens.in_field(field));
    code.flatten().filter(|token| tokens.is_word(*token)).collect()
}
