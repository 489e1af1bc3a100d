//! Closes placeholders and blocks while typing: a placeholder after `{{`, and a block after its
//! header.
//!
//! Editors insert closing braces, too, and users type them. So nothing is inserted twice: closed
//! ones are not changed, and a typed brace replaces one that was inserted.

use std::ops::Range;

use promptls_syntax::{BlockKind, TagStatus, TokenKind, pair_blocks};

use crate::snapshot::Snapshot;

/// The typed characters for which to call [`close_typed`].
pub const CLOSED_BEHIND: [char; 2] = ['{', '}'];

/// The number of bytes of the line that are examined before and after the cursor.
const LOOKAHEAD: usize = 1024;

/// The change after the cursor, where a character was just typed: a range of bytes, and its new
/// text. The cursor remains before it.
///
/// Only dialects with two braces are handled: editors close single ones themselves.
///
/// Cost: the block tags; after a `}` before another one, also the text.
///
/// ```
/// use promptls_analysis::{Snapshot, close_typed};
/// use promptls_resolver::Dialect;
///
/// let closed = |text: &str, typed| close_typed(&Snapshot::new(Dialect::Agentle, text), text.len(), typed);
/// assert_eq!(closed("Dear {{", '{'), Some((7..7, "}}".to_owned())));
/// assert_eq!(closed("{{#if x}}", '}'), Some((9..9, "{{/if}}".to_owned())));
/// ```
pub fn close_typed(
    snapshot: &Snapshot,
    offset: usize,
    typed: char,
) -> Option<(Range<usize>, String)> {
    let spec = snapshot.dialect().spec();
    if snapshot.foreign.is_some() || spec.open != "{{" {
        return None;
    }
    match typed {
        '{' => opened(snapshot, offset).then(|| (offset..offset, spec.close.to_owned())),
        '}' => {
            let end = offset + usize::from(is_closed_twice(snapshot, offset));
            let closer = match may_go_on(&snapshot.text.after(end, char::MAX.len_utf8())) {
                true => unclosed_header(snapshot, offset),
                false => None,
            };
            let text = closer.map(|block| format!("{{{{/{}}}}}", block.keyword()));
            (text.is_some() || end > offset).then(|| (offset..end, text.unwrap_or_default()))
        }
        _ => None,
    }
}

/// Returns whether two braces end here that are not closed in their line.
fn opened(snapshot: &Snapshot, offset: usize) -> bool {
    let before = snapshot.text.before(offset, 3);
    let after = snapshot.text.after(offset, LOOKAHEAD);
    let line = after.lines().next().unwrap_or_default();
    let brace = line.find(['{', '}']);
    let is_closed = brace.is_some_and(|brace| line[brace..].starts_with('}'));
    before.ends_with("{{") && before != "{{{" && !is_closed && may_go_on(line)
}

/// Returns whether the text after the cursor is unrelated, not a word that the braces were inserted
/// before.
fn may_go_on(behind: &str) -> bool {
    behind.chars().next().is_none_or(|next| !next.is_alphanumeric() && next != '_' && next != '{')
}

/// Returns whether a `}` was typed before another one that neither the line nor the text needs.
fn is_closed_twice(snapshot: &Snapshot, offset: usize) -> bool {
    let (before, after) =
        (snapshot.text.before(offset, LOOKAHEAD), snapshot.text.after(offset, LOOKAHEAD));
    let typed = before.bytes().rev().take_while(|&byte| byte == b'}').count();
    let waiting = after.bytes().take_while(|&byte| byte == b'}').count();
    // Two braces close a placeholder, and one of these three was typed.
    if typed == 0 || waiting == 0 || typed + waiting != 3 {
        return false;
    }
    let start = before.rsplit('\n').next().unwrap_or_default();
    let end = after.split('\n').next().unwrap_or_default();
    has_more_closers(&format!("{start}{end}")) && has_more_closers(&snapshot.text.whole())
}

fn has_more_closers(text: &str) -> bool {
    let count = |brace| memchr::memchr_iter(brace, text.as_bytes()).count();
    count(b'}') > count(b'{')
}

/// The block whose header ends here, if it has no closer.
///
/// A header inside another block uses the closer of that one. So the criterion is whether one more
/// closer leaves fewer blocks open.
fn unclosed_header(snapshot: &Snapshot, offset: usize) -> Option<BlockKind> {
    let header =
        snapshot.tree.tokens_in(offset..offset).find(|found| found.token.end() == offset)?;
    let TokenKind::BlockOpen(block) = header.token.kind else { return None };
    let mut tags: Vec<(BlockKind, bool)> = Vec::new();
    let mut behind = 0;
    for found in snapshot.tree.tokens() {
        match found.token.kind {
            TokenKind::BlockOpen(block) => tags.push((block, true)),
            TokenKind::BlockClose(block) => tags.push((block, false)),
            _ => continue,
        }
        if found.token.end() <= offset {
            behind = tags.len();
        }
    }
    let unpaired = |tags: &[(BlockKind, bool)]| {
        pair_blocks(tags).iter().filter(|(status, _)| *status != TagStatus::Paired).count()
    };
    let before = unpaired(&tags);
    tags.insert(behind, (block, false));
    (unpaired(&tags) < before).then_some(block)
}

#[cfg(test)]
mod tests {
    use promptls_syntax::Dialect;

    use super::*;
    use crate::snapshot::test::{Fixture, with_cursor};

    /// The text after the change, with the cursor in it.
    fn closed(dialect: Dialect, marked: &str) -> String {
        let (mut text, cursor) = with_cursor(marked);
        let snapshot = Fixture::new(dialect, &text).build();
        let typed = text[..cursor].chars().next_back().expect("something was typed");
        if let Some((range, new)) = close_typed(&snapshot, cursor, typed) {
            assert_eq!(range.start, cursor, "{marked}");
            text.replace_range(range, &new);
        }
        text.insert_str(cursor, "$0");
        text
    }

    #[test]
    fn an_opener_gets_one_closer() {
        for (typed, closed_to) in [
            ("Dear {{$0", "Dear {{$0}}"),
            ("Dear {{$0, hello", "Dear {{$0}}, hello"),
            ("{{$0 {{b}}", "{{$0}} {{b}}"),
            ("{{$0\n{{b}}", "{{$0}}\n{{b}}"),
            // It is closed, by an editor or by hand, or is before the text that it is meant for.
            ("Dear {{$0}}", "Dear {{$0}}"),
            ("Dear {{$0}", "Dear {{$0}"),
            ("Dear {{$0 name }}", "Dear {{$0 name }}"),
            ("Dear {{$0name", "Dear {{$0name"),
            ("{{$0{{b}}", "{{$0{{b}}"),
            // It is not an opener.
            ("{$0", "{$0"),
            ("{{{$0", "{{{$0"),
            // An inserted brace is typed.
            ("{{name}$0}}", "{{name}$0}"),
            ("{{name}}$0}", "{{name}}$0"),
            // A brace that is needed.
            (r#"{"a": {{b}}$0}"#, r#"{"a": {{b}}$0}"#),
            ("{\n\"a\": {{b}}$0}", "{\n\"a\": {{b}}$0}"),
            ("}\n{\"a\": {{b}}$0}", "}\n{\"a\": {{b}}$0}"),
            ("{{name}$0}", "{{name}$0}"),
            ("{{name}}$0", "{{name}}$0"),
        ] {
            assert_eq!(closed(Dialect::Agentle, typed), closed_to);
            assert_eq!(closed(Dialect::PromptPack, typed), closed_to);
            assert_eq!(closed(Dialect::Adk, typed), typed);
        }
    }

    #[test]
    fn a_block_is_closed_after_its_header() {
        for (typed, closed_to) in [
            ("{{#if a}}$0", "{{#if a}}$0{{/if}}"),
            ("{{#if a}}$0}", "{{#if a}}$0{{/if}}"),
            ("{{#each a}}$0\nb", "{{#each a}}$0{{/each}}\nb"),
            ("{{#if a}}{{#if b}}$0{{/if}}", "{{#if a}}{{#if b}}$0{{/if}}"),
            ("{{#if a}}\n{{#if b}}$0\n{{/if}}", "{{#if a}}\n{{#if b}}$0{{/if}}\n{{/if}}"),
            ("{{#each a}}\n{{#if b}}$0\n{{/each}}", "{{#each a}}\n{{#if b}}$0{{/if}}\n{{/each}}"),
            // It is closed, or was inserted before the text that it is meant for.
            ("{{#if a}}$0 {{/if}}", "{{#if a}}$0 {{/if}}"),
            ("{{#if a}}$0b", "{{#if a}}$0b"),
            // It is not a header.
            ("{{a}}$0", "{{a}}$0"),
            ("{{/if}}$0", "{{/if}}$0"),
            ("{{#with a}}$0", "{{#with a}}$0"),
            ("{{#if a}$0", "{{#if a}$0"),
        ] {
            assert_eq!(closed(Dialect::Agentle, typed), closed_to);
        }
    }
}
