//! Folding ranges: blocks, tags, sections, lists, fenced code, comments, front matter.

use std::ops::Range;

use promptls_syntax::{TagStatus, TokenKind};

use super::markdown::outline;
use crate::snapshot::Snapshot;

/// A range that can be folded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fold {
    /// The whole range, from the start of its first line to the end of its last one.
    pub range: Range<usize>,
    /// The range to hide, for editors that fold parts of lines.
    pub inside: Range<usize>,
    /// The last line is a tag or a fence, which stays visible.
    pub has_closer: bool,
    /// The range is a comment.
    pub is_comment: bool,
}

/// All ranges that can be folded, in order, including those on one line.
///
/// Cost: the tokens, and one pass over the text. A text longer than 4 MiB is not scanned, so only
/// blocks are found.
///
/// ```
/// use promptls_analysis::{Snapshot, folding_ranges};
/// use promptls_resolver::{Dialect};
///
/// let prompt = "{{#if member}}\nWelcome back!\n{{/if}}\n";
/// let folds = folding_ranges(&Snapshot::new(Dialect::Agentle, prompt));
/// assert!(folds[0].has_closer);
/// ```
pub fn folding_ranges(snapshot: &Snapshot) -> Vec<Fold> {
    let outline = outline(snapshot.text.rope());
    let tags = outline.tags.into_iter().map(|tags| (tags.opener, tags.closer));
    let pairs = blocks(snapshot).into_iter().chain(tags);
    let mut folds: Vec<Fold> = pairs
        .map(|(opener, closer)| Fold {
            range: opener.start..closer.end,
            inside: opener.end..closer.start,
            has_closer: true,
            is_comment: false,
        })
        .collect();
    let plain = |range: Range<usize>, inside: usize| {
        let end = trimmed_end(snapshot, range.clone());
        let inside = inside.min(end)..end;
        Fold { range: range.start..end, inside, has_closer: false, is_comment: false }
    };
    for heading in outline.headings {
        let end = trimmed_end(snapshot, heading.range);
        folds.push(plain(heading.section, end));
    }
    let first_line = |range: &Range<usize>| {
        let text = snapshot.text.rope();
        let next = text.byte_to_line(range.start) + 1;
        if next >= text.len_lines() {
            return range.end;
        }
        trimmed_end(snapshot, range.start..text.line_to_byte(next))
    };
    for range in outline.code.into_iter().chain(outline.items).chain(outline.front_matter) {
        let inside = first_line(&range);
        folds.push(plain(range, inside));
    }
    for range in outline.comments {
        let inside = first_line(&range);
        folds.push(Fold { is_comment: true, ..plain(range, inside) });
    }
    folds.sort_by_key(|fold| (fold.range.start, std::cmp::Reverse(fold.range.end)));
    end_with_their_pair(snapshot, &mut folds);
    folds
}

/// A range that starts between two tags ends before the second one. The Markdown parser ignores
/// tags.
fn end_with_their_pair(snapshot: &Snapshot, folds: &mut [Fold]) {
    let mut ends: Vec<usize> = Vec::new();
    for fold in folds {
        while ends.last().is_some_and(|&end| end <= fold.range.start) {
            ends.pop();
        }
        if fold.has_closer {
            ends.push(fold.inside.end);
        } else if let Some(&end) = ends.last().filter(|&&end| end < fold.range.end) {
            let end = trimmed_end(snapshot, fold.range.start..end);
            fold.range.end = end;
            fold.inside = fold.inside.start.min(end)..end;
        }
    }
}

/// The opener and the closer of each complete block, in no particular order.
///
/// Cost: the tokens.
pub(super) fn blocks(snapshot: &Snapshot) -> Vec<(Range<usize>, Range<usize>)> {
    if snapshot.dialect().spec().blocks.is_empty() {
        return Vec::new();
    }
    let mut open = Vec::new();
    let mut blocks = Vec::new();
    let paired = snapshot.tree.tokens().filter(|found| found.status == TagStatus::Paired);
    for found in paired {
        match found.token.kind {
            TokenKind::BlockOpen(_) => open.push(found.token.range()),
            // Complete blocks are never interleaved.
            TokenKind::BlockClose(_) => {
                blocks.extend(open.pop().map(|opener| (opener, found.token.range())));
            }
            _ => {}
        }
    }
    blocks
}

/// The end of a range without trailing blank lines.
fn trimmed_end(snapshot: &Snapshot, range: Range<usize>) -> usize {
    let text = snapshot.text.rope().byte_slice(range.clone());
    let blank = text.chars_at(text.len_chars()).reversed();
    range.end
        - blank.take_while(|character| character.is_whitespace()).map(char::len_utf8).sum::<usize>()
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use promptls_syntax::Dialect;

    use super::*;
    use crate::snapshot::test::Fixture;

    #[track_caller]
    fn check(text: &str, expected: Expect) {
        let snapshot = Fixture::new(Dialect::Agentle, text).build();
        let folds = folding_ranges(&snapshot);
        let line = |fold: &Fold| {
            let shown = format!(
                "{}[{}]{}",
                &text[fold.range.start..fold.inside.start],
                &text[fold.inside.clone()],
                &text[fold.inside.end..fold.range.end]
            );
            format!("{shown:?}{}\n", if fold.is_comment { " comment" } else { "" })
        };
        expected.assert_eq(&folds.iter().map(line).collect::<String>());
    }

    #[test]
    fn blocks_fold_between_their_tags() {
        check(
            "{{#if a}}\n{{#each b}}\nx\n{{/each}}\n{{/if}}\n{{#if c}}",
            expect![[r###"
            "{{#if a}}[\n{{#each b}}\nx\n{{/each}}\n]{{/if}}"
            "{{#each b}}[\nx\n]{{/each}}"
        "###]],
        );
    }

    #[test]
    fn sections_fold_without_trailing_empty_lines() {
        check(
            "# A\nx\n\n## B\ny\n\n# C\n",
            expect![[r###"
            "# A[\nx\n\n## B\ny]"
            "## B[\ny]"
            "# C[]"
        "###]],
        );
    }

    #[test]
    fn code_comments_and_front_matter_fold_after_their_first_line() {
        check(
            "---\na: 1\n---\n```sh\nls\n```\n<!-- b\nc -->\n",
            expect![[r#"
            "---[\na: 1\n---]"
            "```sh[\nls\n```]"
            "<!-- b[\nc -->]" comment
        "#]],
        );
    }

    #[test]
    fn a_section_in_a_block_ends_with_it() {
        check(
            "{{#if a}}\n# B\nc\n\n{{/if}}\nd\n",
            expect![[r##"
            "{{#if a}}[\n# B\nc\n\n]{{/if}}"
            "# B[\nc]"
        "##]],
        );
    }

    #[test]
    fn tags_and_lists_fold() {
        check(
            "<a_b>\n- c\n  d\n- e\n</a_b>\n",
            expect![[r#"
                "<a_b>[\n- c\n  d\n- e\n]</a_b>"
                "- c[\n  d]"
                "- e[]"
            "#]],
        );
    }
}
