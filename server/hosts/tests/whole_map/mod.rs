//! Properties of every source map.

use promptls_hosts::{CodeEntry, Decoded, Language, PieceKind, find_with, literals};
use promptls_syntax::Dialect;
use proptest::prelude::*;

/// Checks that the maps of all texts of a source are complete, and in order.
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

/// Checks the hosts that real compilers have run, cut at each character.
pub fn check_cut_anywhere(languages: &[Language]) {
    for line in include_str!("../../../../tests/vectors/hosts/reading.jsonl").lines() {
        let case: serde_json::Value = serde_json::from_str(line).expect("it is JSON");
        let Some(language) = languages.iter().find(|it| case["language"] == it.id()) else {
            continue;
        };
        let source = case["source"].as_str().expect("a text");
        for (end, _) in source.char_indices() {
            check(*language, &source[..end]).expect("a whole map");
            check(*language, &source[end..]).expect("a whole map");
        }
    }
}
