//! The position of the cursor in incomplete JSON.
//!
//! Parsers, including the scanner of `jsonc-parser`, fail at the first error, and there is one at
//! the cursor. So brackets are followed token by token. A string ends at its quote or with its
//! line, and unexpected tokens are skipped.

use std::ops::Range;

use super::inputs_cursor::{InputsCursor, Slot};
use crate::symbol::PathStep;

/// The position at an offset; `None` in a comment, and where neither a key nor a value of an object
/// is valid.
///
/// Cost: the text.
pub(super) fn place(text: &str, offset: usize) -> Option<InputsCursor> {
    let mut before = tokens(&text[..offset], 0)?;
    let at_cursor =
        before.pop_if(|last| last.range.end == offset && last.kind != CursorTokenKind::Mark);
    let (path, frame) = follow(text, &before)?;
    let mut word = match &at_cursor {
        Some(token) => token.range.start..end_of(text, token),
        None => offset..offset,
    };
    let mut behind = tokens(text, word.end).unwrap_or_default();
    let is_value = frame.expects == Expects::Value;
    let starts_here =
        |token: &CursorToken| token.range.start == offset && token.kind != CursorTokenKind::Mark;
    if is_value && at_cursor.is_none() && behind.first().is_some_and(starts_here) {
        word = behind.remove(0).range;
    }
    let keys_behind = keys_behind(text, &behind);
    let next = behind.first();
    let comma_behind =
        next.is_some_and(|next| keys_behind.iter().any(|key| key.start == next.range.start));
    if is_value {
        // A later token is the value already.
        let is_taken = |next: &CursorToken| match next.kind {
            CursorTokenKind::Mark => matches!(&text[next.range.clone()], "{" | "["),
            _ => !comma_behind,
        };
        if word.is_empty() && next.is_some_and(is_taken) {
            return None;
        }
        let path = path.into_iter().chain(frame.key.map(PathStep::Key)).collect();
        return Some(InputsCursor {
            path,
            slot: Slot::Value,
            word,
            comma_before: None,
            comma_behind,
        });
    }
    let is_behind = frame.expects == Expects::Comma;
    let comma_before = before.last().filter(|_| is_behind).map(|last| last.range.end);
    let has_value = next.is_some_and(|next| &text[next.range.clone()] == ":");
    let others = keys_behind.into_iter().map(|key| string(&text[key]));
    let present = frame.keys.into_iter().chain(others).collect();
    Some(InputsCursor {
        path,
        slot: Slot::Key { present, has_value },
        word,
        comma_before,
        comma_behind,
    })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CursorTokenKind {
    /// `"…"`, or its existing part.
    String,
    /// A number, a word, or any other text.
    Word,
    /// A single structural character: one of `{}[],:`.
    Mark,
}

#[derive(Clone, Debug)]
struct CursorToken {
    kind: CursorTokenKind,
    range: Range<usize>,
    /// A string has its closing quote.
    is_closed: bool,
}

fn is_mark(character: char) -> bool {
    "{}[],:".contains(character)
}

/// The tokens from an offset on, without comments; `None` if the text ends in a comment.
fn tokens(text: &str, from: usize) -> Option<Vec<CursorToken>> {
    let mut tokens = Vec::new();
    let mut at = from;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        if rest.starts_with("//") {
            at += rest.find('\n')?;
            continue;
        }
        if let Some(comment) = rest.strip_prefix("/*") {
            at += comment.find("*/")? + 4;
            continue;
        }
        if first.is_whitespace() || first == '\u{feff}' {
            at += first.len_utf8();
            continue;
        }
        let (kind, len, is_closed) = match first {
            '"' => {
                let (len, is_closed) = string_len(rest);
                (CursorTokenKind::String, len, is_closed)
            }
            mark if is_mark(mark) => (CursorTokenKind::Mark, 1, true),
            _ => {
                let ends = |c: char| c.is_whitespace() || is_mark(c) || c == '"';
                // A single slash is a word, so that the loop advances.
                let len = rest[first.len_utf8()..].find(ends).map(|len| len + first.len_utf8());
                (CursorTokenKind::Word, len.unwrap_or(rest.len()), true)
            }
        };
        tokens.push(CursorToken { kind, range: at..at + len, is_closed });
        at += len;
    }
    Some(tokens)
}

/// The length of a string that starts here, in bytes, and whether it is closed on its line.
fn string_len(text: &str) -> (usize, bool) {
    let mut is_escaped = false;
    for (at, character) in text.char_indices().skip(1) {
        match character {
            '\n' | '\r' => return (at, false),
            '"' if !is_escaped => return (at + 1, true),
            _ => is_escaped = character == '\\' && !is_escaped,
        }
    }
    (text.len(), false)
}

/// The end of a token that contains the cursor.
fn end_of(text: &str, token: &CursorToken) -> usize {
    let end = token.range.end;
    let rest = &text[end..];
    if token.kind == CursorTokenKind::String {
        if token.is_closed {
            return end;
        }
        let (len, is_closed) = string_len(&text[token.range.start..]);
        let whole = token.range.start + len;
        // The quote before a word opens the next string.
        if is_closed && !text[whole..].starts_with(char::is_alphanumeric) {
            return whole;
        }
    }
    let is_word = |c: char| c.is_alphanumeric() || "_$.-".contains(c);
    end + rest.find(|c| !is_word(c)).unwrap_or(rest.len())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expects {
    Key,
    Colon,
    Value,
    Comma,
}

/// An object or a list that is open at the cursor.
#[derive(Debug)]
struct Frame {
    /// The step that leads here from the enclosing bracket.
    step: Option<PathStep>,
    is_object: bool,
    keys: Vec<String>,
    /// The last of the keys.
    key: Option<String>,
    expects: Expects,
}

/// The path to the innermost open object, and that object, after the tokens. `None` in a list,
/// outside of all objects, and after a key without a colon.
fn follow(text: &str, tokens: &[CursorToken]) -> Option<(Vec<PathStep>, Frame)> {
    let mut open: Vec<Frame> = Vec::new();
    for token in tokens {
        let written = &text[token.range.clone()];
        let top = open.last_mut();
        match (token.kind, written) {
            (CursorTokenKind::Mark, "{" | "[") => {
                let is_object = written == "{";
                let step = top.map(|frame| {
                    frame.expects = Expects::Comma;
                    frame
                        .key
                        .clone()
                        .filter(|_| frame.is_object)
                        .map_or(PathStep::Item, PathStep::Key)
                });
                let expects = if is_object { Expects::Key } else { Expects::Value };
                open.push(Frame { step, is_object, keys: Vec::new(), key: None, expects });
            }
            (CursorTokenKind::Mark, "}" | "]") => {
                open.pop();
            }
            (CursorTokenKind::Mark, ":") => {
                if let Some(frame) = top.filter(|frame| frame.expects == Expects::Colon) {
                    frame.expects = Expects::Value;
                }
            }
            (CursorTokenKind::Mark, _) => {
                if let Some(frame) = top {
                    frame.expects = if frame.is_object { Expects::Key } else { Expects::Value };
                }
            }
            _ => {
                let Some(frame) = top else { continue };
                if frame.expects == Expects::Value || !frame.is_object {
                    frame.expects = Expects::Comma;
                    continue;
                }
                // With or without the comma before it.
                frame.keys.push(string(written));
                frame.key = Some(string(written));
                frame.expects = Expects::Colon;
            }
        }
    }
    let path = open.iter().filter_map(|frame| frame.step.clone()).collect();
    let frame = open.pop().filter(|frame| frame.is_object && frame.expects != Expects::Colon)?;
    Some((path, frame))
}

/// The remaining keys of an object whose end is in these tokens.
fn keys_behind(text: &str, tokens: &[CursorToken]) -> Vec<Range<usize>> {
    let mut depth = 0usize;
    let mut keys = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        match (token.kind, &text[token.range.clone()]) {
            (CursorTokenKind::Mark, "{" | "[") => depth += 1,
            (CursorTokenKind::Mark, "}" | "]") => match depth.checked_sub(1) {
                Some(less) => depth = less,
                None => break,
            },
            (CursorTokenKind::String, _) if depth == 0 => {
                let next = tokens.get(index + 1);
                if next.is_some_and(|next| &text[next.range.clone()] == ":") {
                    keys.push(token.range.clone());
                }
            }
            _ => {}
        }
    }
    keys
}

/// The content of a string, which may be incomplete.
fn string(written: &str) -> String {
    serde_json::from_str(written).unwrap_or_else(|_| written.trim_matches('"').to_owned())
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::super::inputs_cursor::test::shown;
    use super::*;
    use crate::snapshot::test::with_cursor;

    #[track_caller]
    fn check(marked: &str, expected: Expect) {
        let (text, offset) = with_cursor(marked);
        expected.assert_eq(&shown(&text, place(&text, offset)));
    }

    #[test]
    fn keys_are_completed_in_objects() {
        check(
            "{$0}",
            expect![[r#"
            "" key, beside [] of ""
        "#]],
        );
        check(
            r#"{"$0"}"#,
            expect![[r#"
            "\"\"" key, beside [] of ""
        "#]],
        );
        check(
            r#"{"na$0}"#,
            expect![[r#"
            "\"na" key, beside [] of ""
        "#]],
        );
        check(
            r#"{na$0me}"#,
            expect![[r#"
            "name" key, beside [] of ""
        "#]],
        );
        check(
            r#"{"a": 1, "na$0me": 2, "b": {"c": 3}}"#,
            expect![[r#"
            "\"name\"" key with a value, beside ["a", "b"] of ""
        "#]],
        );
        check(
            "{\n  \"a\": 1\n  $0\n}",
            expect![[r#"
            "" key, beside ["a"] of "", comma at 10
        "#]],
        );
        check(
            "{\n  $0\n  \"a\": 1\n}",
            expect![[r#"
            "" key, beside ["a"] of "", comma behind
        "#]],
        );
        check(
            r#"{"na$0, "b": 1}"#,
            expect![[r#"
            "\"na" key, beside ["b"] of ""
        "#]],
        );
        check(
            "{\"a\": 1,\n \"na$0\n \"b\": 1}",
            expect![[r#"
            "\"na" key, beside ["a", "b"] of "", comma behind
        "#]],
        );
    }

    #[test]
    fn the_path_includes_objects_and_lists() {
        check(
            r#"{"user": {$0"#,
            expect![[r#"
            "" key, beside [] of "user"
        "#]],
        );
        check(
            r#"{"xs": [{"a": 1}, {"b": 1, $0}], "c": 1}"#,
            expect![[r#"
            "" key, beside ["b"] of "xs[]"
        "#]],
        );
        check(
            r#"{"a": {"b": 1}, $0"#,
            expect![[r#"
            "" key, beside ["a"] of ""
        "#]],
        );
    }

    #[test]
    fn values_are_completed_after_colons() {
        check(
            r#"{"tone": $0}"#,
            expect![[r#"
            "" value of "tone"
        "#]],
        );
        check(
            r#"{"tone": "d$0"}"#,
            expect![[r#"
            "\"d\"" value of "tone"
        "#]],
        );
        check(
            r#"{"tone": d$0ry, "b": 1}"#,
            expect![[r#"
            "dry" value of "tone"
        "#]],
        );
        check(
            "{\"tone\": $0\n \"b\": 1}",
            expect![[r#"
            "" value of "tone", comma behind
        "#]],
        );
        check(
            r#"{"tone": $0 "dry"}"#,
            expect![[r#"
            nothing
        "#]],
        );
        check(
            r#"{"tone": $0"dry"}"#,
            expect![[r#"
            "\"dry\"" value of "tone"
        "#]],
        );
    }

    #[test]
    fn nothing_is_completed_elsewhere() {
        for text in ["$0", "{} $0", "[$0]", r#"{"a" $0}"#, "{ // $0", "{ /* $0 */ }"] {
            let (text, offset) = with_cursor(text);
            assert_eq!(place(&text, offset), None, "{text}");
        }
    }

    #[test]
    fn completion_works_at_every_offset_of_broken_json() {
        let text = r#"{"é": [{"a": 1}, /x/ "b" {]}}, // "c"
            "d": "é" /* : */ "e", 'f': {"g" "h": tru"#;
        for (offset, _) in text.char_indices() {
            if let Some(place) = place(text, offset) {
                assert!(text.get(place.word).is_some(), "{offset}");
            }
        }
    }
}
