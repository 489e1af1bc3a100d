//! Expands a selection step by step.

use std::ops::Range;

use super::folding_range::folding_ranges;
use crate::snapshot::Snapshot;

/// The ranges around an offset of a prompt, each inside the next: the step of a path, the path, the
/// placeholder, the body of a block or a section, that block or section, and the prompt.
///
/// Cost: that of [`folding_ranges`].
///
/// ```
/// use promptls_analysis::{Snapshot, selection_ranges};
/// use promptls_resolver::Dialect;
///
/// let snapshot = Snapshot::new(Dialect::Agentle, "Dear {{user.name}},");
/// assert_eq!(selection_ranges(&snapshot, 8), [7..11, 7..16, 5..18, 0..19]);
/// ```
pub fn selection_ranges(snapshot: &Snapshot, offset: usize) -> Vec<Range<usize>> {
    let mut around: Vec<Range<usize>> = Vec::new();
    if let Some(token) = snapshot.token_at(offset) {
        let name = snapshot.name_range(&token);
        around.extend(piece_at(snapshot, &name, offset));
        around.extend([name, token.token.range()]);
    }
    for fold in folding_ranges(snapshot) {
        around.extend([fold.inside, fold.range]);
    }
    around.push(0..snapshot.text.len_bytes());
    around.retain(|range| !range.is_empty() && range.start <= offset && offset <= range.end);
    around.sort_by_key(|range| (range.len(), range.start));
    // Of two overlapping ranges, only the smaller one is kept.
    let mut nested: Vec<Range<usize>> = Vec::new();
    for range in around {
        let is_around = |inner: &Range<usize>| {
            range.start <= inner.start && inner.end <= range.end && range != *inner
        };
        if nested.last().is_none_or(is_around) {
            nested.push(range);
        }
    }
    nested
}

/// The step of a path at an offset.
fn piece_at(snapshot: &Snapshot, name: &Range<usize>, offset: usize) -> Option<Range<usize>> {
    let text = snapshot.slice(name.clone());
    let at = offset.checked_sub(name.start).filter(|at| *at <= text.len())?;
    let is_between = |c: char| !(c.is_alphanumeric() || c == '_' || c == '-');
    let start = text[..at]
        .rfind(is_between)
        .map_or(0, |before| before + text[before..].chars().next().map_or(1, char::len_utf8));
    let end = text[at..].find(is_between).map_or(text.len(), |behind| at + behind);
    Some(name.start + start..name.start + end)
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use promptls_syntax::Dialect;

    use super::*;
    use crate::snapshot::test::{Fixture, with_cursor};

    #[track_caller]
    fn check(marked: &str, expected: Expect) {
        let (text, cursor) = with_cursor(marked);
        let snapshot = Fixture::new(Dialect::Agentle, &text).build();
        let found = selection_ranges(&snapshot, cursor);
        for pair in found.windows(2) {
            assert!(pair[1].start <= pair[0].start && pair[0].end <= pair[1].end, "{found:?}");
        }
        let lines = found.into_iter().map(|range| format!("{:?}\n", &text[range]));
        expected.assert_eq(&lines.collect::<String>());
    }

    #[test]
    fn selection_grows_from_a_word_to_the_prompt() {
        check(
            "a {{us$0er.name}} b",
            expect![[r#"
            "user"
            "user.name"
            "{{user.name}}"
            "a {{user.name}} b"
        "#]],
        );
        check(
            "{{#each users}}\n# Head\n{{th$0is.é}} x\n{{/each}} b",
            expect![[r##"
            "this"
            "this.é"
            "{{this.é}}"
            "\n{{this.é}} x"
            "# Head\n{{this.é}} x"
            "\n# Head\n{{this.é}} x\n"
            "{{#each users}}\n# Head\n{{this.é}} x\n{{/each}}"
            "{{#each users}}\n# Head\n{{this.é}} x\n{{/each}} b"
        "##]],
        );
        check(
            "# A\n\ntext$0\n\n# B\n",
            expect![[r##"
            "\n\ntext"
            "# A\n\ntext"
            "# A\n\ntext\n\n# B\n"
        "##]],
        );
        check("$0", expect![[""]]);
    }
}
