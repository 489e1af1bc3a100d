//! Ranges with the same word that are edited together.

use std::ops::Range;

use promptls_resolver::FileId;
use promptls_syntax::{BlockKind, TokenKind, TokenRef};

use super::definition::tags_at;
use crate::snapshot::Snapshot;

/// The ranges that are edited together with the one at `offset`, including itself, in order. These
/// are the keywords of both tags of a block, or a path in the header of a block and in its body.
/// Empty if there is only one.
///
/// Cost: the tokens of the block, and those before it.
///
/// ```
/// use promptls_analysis::{Snapshot, linked_places};
/// use promptls_resolver::{Dialect, FileId};
///
/// let snapshot = Snapshot::new(Dialect::Agentle, "{{#if a}}{{a}}{{/if}}");
/// assert_eq!(linked_places(&snapshot, FileId::PROMPT, 4), [3..5, 17..19]);
/// assert_eq!(linked_places(&snapshot, FileId::PROMPT, 11), [6..7, 11..12]);
/// ```
pub fn linked_places(snapshot: &Snapshot, file: FileId, offset: usize) -> Vec<Range<usize>> {
    if file != FileId::PROMPT {
        return Vec::new();
    }
    let Some(token) = snapshot.token_at(offset) else { return Vec::new() };
    let places = match tags_at(snapshot, file, offset) {
        Some((tag, partner)) => keywords(snapshot, &token, [tag, partner]),
        None => paths(snapshot, &token),
    };
    let is_at = |place: &Range<usize>| place.start <= offset && offset <= place.end;
    if places.len() > 1 && places.iter().any(is_at) { places } else { Vec::new() }
}

/// The keywords of two tags.
fn keywords(
    snapshot: &Snapshot,
    token: &TokenRef<'_>,
    mut tags: [Range<usize>; 2],
) -> Vec<Range<usize>> {
    let (TokenKind::BlockOpen(block) | TokenKind::BlockClose(block)) = token.token.kind else {
        return Vec::new();
    };
    tags.sort_by_key(|tag| tag.start);
    let keyword = BlockKind::keyword(block);
    let place = |tag: Range<usize>| {
        let text = snapshot.slice(tag.clone());
        let start = tag.start + text.find(keyword)?;
        Some(start..start + keyword.len())
    };
    tags.into_iter().filter_map(place).collect()
}

/// The path of a token in the innermost block whose header contains it, and in that header.
fn paths(snapshot: &Snapshot, token: &TokenRef<'_>) -> Vec<Range<usize>> {
    let start = token.token.start;
    let is_header = |found: &TokenRef<'_>| {
        matches!(found.token.kind, TokenKind::BlockOpen(_))
            && found.name == token.name
            && snapshot.partner(found).is_some_and(|closer| closer.token.end() > start)
    };
    let before = snapshot.tree.tokens_in(0..token.token.end());
    let Some(header) = before.filter(is_header).last() else { return Vec::new() };
    let Some(closer) = snapshot.partner(&header) else { return Vec::new() };
    let inside = header.token.start..closer.token.end();
    let is_same = |found: &TokenRef<'_>| {
        let is_closer = matches!(found.token.kind, TokenKind::BlockClose(_));
        let is_inside = inside.start <= found.token.start && found.token.end() <= inside.end;
        found.name == token.name && !is_closer && is_inside
    };
    let same = snapshot.tree.tokens_in(inside.clone()).filter(is_same);
    same.map(|found| snapshot.name_range(&found)).collect()
}

#[cfg(test)]
mod tests {
    use promptls_syntax::Dialect;

    use super::*;
    use crate::snapshot::test::{Fixture, with_cursor};

    #[test]
    fn block_tags_and_condition_names_are_edited_together() {
        for (marked, linked) in [
            ("{{#i$0f a}}{{/if}}", &["if", "if"][..]),
            ("{{#each a}}{{#if b}}{{/if}}{{/ea$0ch}}", &["each", "each"]),
            ("{{#if user.n$0ame}}{{user.name}}{{user}}{{/if}}{{user.name}}", &["user.name"; 2]),
            ("{{#if a}}{{#if a}}{{$0a}}{{/if}}{{a}}{{/if}}", &["a"; 2]),
            ("{{#if a}}{{/if}}{{a$0}}", &[]),
            ("{{a}}{{$0a}}", &[]),
            ("{{#if a$0}}", &[]),
            ("wo$0rd", &[]),
        ] {
            let (text, cursor) = with_cursor(marked);
            let snapshot = Fixture::new(Dialect::Agentle, &text).build();
            let places = linked_places(&snapshot, FileId::PROMPT, cursor);
            let found: Vec<&str> = places.into_iter().map(|range| &text[range]).collect();
            assert_eq!(found, linked, "{marked}");
        }
    }
}
