//! What is closed while one types: a placeholder behind `{{`, and a block behind its header.
//!
//! Editors close braces, too, and people type them. So nothing comes twice: what is closed already
//! is left alone, and a brace that is typed in front of one that came by itself takes its place.

use std::ops::Range;

use promptls_syntax::{BlockKind, TagStatus, TokenKind, pair_blocks};

use crate::snapshot::Snapshot;

/// The characters that [`close_typed`] is asked about.
pub const CLOSED_BEHIND: [char; 2] = ['{', '}'];

/// How much of the line is looked at, before the cursor and behind it, in bytes.
const LOOKAHEAD: usize = 1024;

/// What is to be changed behind the cursor, where a character was just typed: a range of bytes, and
/// what comes in its place. The cursor stays in front of it.
///
/// Only a dialect with two braces has something to be closed: editors close single ones themselves.
///
/// Cost: the block tags, and behind a `}` in front of another one the text.
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

/// Whether two braces end here that nothing closes in their line.
fn opened(snapshot: &Snapshot, offset: usize) -> bool {
    let before = snapshot.text.before(offset, 3);
    let after = snapshot.text.after(offset, LOOKAHEAD);
    let line = after.lines().next().unwrap_or_default();
    let brace = line.find(['{', '}']);
    let is_closed = brace.is_some_and(|brace| line[brace..].starts_with('}'));
    before.ends_with("{{") && before != "{{{" && !is_closed && may_go_on(line)
}

/// Whether what stands behind the cursor is not what the braces were put in front of.
fn may_go_on(behind: &str) -> bool {
    behind.chars().next().is_none_or(|next| !next.is_alphanumeric() && next != '_' && next != '{')
}

/// Whether a `}` was typed in front of another one that is more than the line needs, and the text.
fn is_closed_twice(snapshot: &Snapshot, offset: usize) -> bool {
    let (before, after) =
        (snapshot.text.before(offset, LOOKAHEAD), snapshot.text.after(offset, LOOKAHEAD));
    let typed = before.bytes().rev().take_while(|&byte| byte == b'}').count();
    let waiting = after.bytes().take_while(|&byte| byte == b'}').count();
    // Two close a placeholder, and one of these three was typed.
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

/// The block whose header ends here, if it lacks a closer.
///
/// A header inside of another block takes the closer of that one. So what counts is whether one
/// more closer leaves fewer blocks open.
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

    /// The text behind the change, with the cursor in it.
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
    fn what_is_opened_is_closed_once() {
        for (typed, closed_to) in [
            ("Dear {{$0", "Dear {{$0}}"),
            ("Dear {{$0, hello", "Dear {{$0}}, hello"),
            ("{{$0 {{b}}", "{{$0}} {{b}}"),
            ("{{$0\n{{b}}", "{{$0}}\n{{b}}"),
            // It is closed, by an editor or by hand, or stands in front of what it is for.
            ("Dear {{$0}}", "Dear {{$0}}"),
            ("Dear {{$0}", "Dear {{$0}"),
            ("Dear {{$0 name }}", "Dear {{$0 name }}"),
            ("Dear {{$0name", "Dear {{$0name"),
            ("{{$0{{b}}", "{{$0{{b}}"),
            // It is no opener.
            ("{$0", "{$0"),
            ("{{{$0", "{{{$0"),
            // A brace that came by itself is typed.
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
    fn a_block_is_closed_behind_its_header() {
        for (typed, closed_to) in [
            ("{{#if a}}$0", "{{#if a}}$0{{/if}}"),
            ("{{#if a}}$0}", "{{#if a}}$0{{/if}}"),
            ("{{#each a}}$0\nb", "{{#each a}}$0{{/each}}\nb"),
            ("{{#if a}}{{#if b}}$0{{/if}}", "{{#if a}}{{#if b}}$0{{/if}}"),
            ("{{#if a}}\n{{#if b}}$0\n{{/if}}", "{{#if a}}\n{{#if b}}$0{{/if}}\n{{/if}}"),
            ("{{#each a}}\n{{#if b}}$0\n{{/each}}", "{{#each a}}\n{{#if b}}$0{{/if}}\n{{/each}}"),
            // It is closed, or was put in front of what it is for.
            ("{{#if a}}$0 {{/if}}", "{{#if a}}$0 {{/if}}"),
            ("{{#if a}}$0b", "{{#if a}}$0b"),
            // It is no header.
            ("{{a}}$0", "{{a}}$0"),
            ("{{/if}}$0", "{{/if}}$0"),
            ("{{#with a}}$0", "{{#with a}}$0"),
            ("{{#if a}$0", "{{#if a}$0"),
        ] {
            assert_eq!(closed(Dialect::Agentle, typed), closed_to);
        }
    }
}
