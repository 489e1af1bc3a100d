//! What every map is like.

use promptls_hosts::{CodeEntry, Decoded, Language, PieceKind, find_with, literals};
use promptls_syntax::Dialect;
use proptest::prelude::*;

/// Checks that the maps of all texts of a source are whole, and in order.
pub fn check(language: Language, source: &str) -> Result<(), TestCaseError> {
    let entry = CodeEntry::parse("*").map_err(|bad| TestCaseError::fail(bad.to_string()))?;
    let rules = [(entry, Dialect::Adk)];
    let finds = find_with(language, source, &rules, &[]);
    let texts = finds.prompts.iter().map(|prompt| &prompt.text).cloned();
    let literals = literals(language, source);
    let texts: Vec<Decoded> = texts.chain(literals.into_iter().filter_map(|it| it.1)).collect();
    for text in &texts {
        let (mut at, mut written) = (0, 0);
        for piece in text.pieces() {
            prop_assert_eq!(piece.text.start, at);
            prop_assert!(piece.source.start >= written && piece.source.end <= source.len());
            (at, written) = (piece.text.end, piece.source.end);
            if piece.kind == PieceKind::Equal {
                prop_assert_eq!(&text.text()[piece.text.clone()], &source[piece.source.clone()]);
            }
        }
        prop_assert_eq!(at, text.text().len());
        prop_assert!(!text.pieces().is_empty());
    }
    Ok(())
}
