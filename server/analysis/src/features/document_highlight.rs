//! The other occurrences of a symbol in a document.

use std::ops::Range;

use promptls_resolver::FileId;

use super::definition::tags_at;
use super::references::references;
use crate::snapshot::Snapshot;

/// The occurrences of the symbol at `offset` in the same file, including itself, in order. For a
/// block tag, both tags of the block.
///
/// Cost: that of [`references`].
///
/// ```
/// use promptls_analysis::{Snapshot, document_highlights};
/// use promptls_resolver::{Dialect, FileId};
///
/// let snapshot = Snapshot::new(Dialect::Adk, "{name}, dear {name}");
/// assert_eq!(document_highlights(&snapshot, FileId::PROMPT, 2), [1..5, 14..18]);
/// ```
pub fn document_highlights(snapshot: &Snapshot, file: FileId, offset: usize) -> Vec<Range<usize>> {
    // It is a name of the program, whose occurrences another server has.
    if file == FileId::PROMPT && snapshot.hole_at(offset).is_some() {
        return Vec::new();
    }
    let mut ranges: Vec<Range<usize>> = match tags_at(snapshot, file, offset) {
        Some((tag, partner)) => vec![tag, partner],
        None => {
            let found = references(snapshot, file, offset).unwrap_or_default();
            let locations = found.uses.into_iter().chain(found.declaration);
            locations
                .filter(|location| location.file == file)
                .map(|location| location.range)
                .collect()
        }
    };
    ranges.sort_by_key(|range| range.start);
    ranges
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use promptls_syntax::Dialect;

    use super::*;
    use crate::snapshot::test::{Files, with_cursor};

    #[track_caller]
    fn check(dialect: Dialect, marked: &str, expected: Expect) {
        let (text, cursor) = with_cursor(marked);
        let files = Files::new(dialect, &text, &[r#"{"a": {"b": 1}}"#], "{}");
        let found = document_highlights(&files.snapshot, FileId::PROMPT, cursor);
        let lines = found.into_iter().map(|range| format!("{range:?} {}\n", &text[range.clone()]));
        expected.assert_eq(&lines.collect::<String>());
    }

    #[test]
    fn all_uses_of_a_name_are_highlighted() {
        check(
            Dialect::PromptPack,
            "{{a$0}} {{a.b}} {{b}}",
            expect![[r#"
            2..3 a
            8..9 a
        "#]],
        );
        check(
            Dialect::PromptPack,
            "{{a}} {{a.b$0}} {{b}} {{a.b}}",
            expect![[r#"
                10..11 b
                24..25 b
            "#]],
        );
    }

    #[test]
    fn both_tags_of_a_block_are_highlighted() {
        check(
            Dialect::Agentle,
            "{{#if a}}{{a}}{{/i$0f}}",
            expect![[r#"
            0..9 {{#if a}}
            14..21 {{/if}}
        "#]],
        );
    }

    #[test]
    fn the_path_in_a_block_header_is_highlighted_as_a_use() {
        check(
            Dialect::Agentle,
            "{{#if a$0}}{{a}}{{/if}}",
            expect![[r#"
            6..7 a
            11..12 a
        "#]],
        );
    }
}
