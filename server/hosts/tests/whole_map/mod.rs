//! Properties of every source map.

use promptls_hosts::{CodeEntry, Decoded, Language, PieceKind, find_with, literals};
use promptls_syntax::Dialect;
use proptest::prelude::*;

/// Checks that the maps of all texts of a source are complete and, without constants that a text
/// includes, in order.
pub fn check(language: Language, source: &str) -> Result<(), TestCaseError> {
    let entry = CodeEntry::parse("*").map_err(|bad| TestCaseError::fail(bad.to_string()))?;
    let rules = [(entry, Dialect::Adk)];
    let finds = find_with(language, source, &rules, &[]);
    let texts = finds.prompts.iter().map(|it| (it.text.clone(), it.included.is_empty()));
    let literals = literals(language, source).into_iter();
    let texts: Vec<(Decoded, bool)> =
        texts.chain(literals.filter_map(|it| Some((it.1?, true)))).collect();
    for (text, is_in_order) in &texts {
        let (mut at, mut written) = (0, 0);
        for piece in text.pieces() {
            prop_assert_eq!(piece.text.start, at);
            prop_assert!(piece.source.start >= written || !is_in_order);
            prop_assert!(piece.source.start <= piece.source.end);
            prop_assert!(piece.source.end <= source.len());
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
        for (number, (at, _)) in source.char_indices().enumerate() {
            check(*language, &source[..at]).expect("a whole map");
            // People type at the end; what is missing before is less usual.
            if number % 4 == 0 {
                check(*language, &source[at..]).expect("a whole map");
            }
        }
    }
}
