//! The position of the cursor in incomplete YAML, derived from the indentation.

use super::inputs_cursor::{InputsCursor, Slot};
use crate::symbol::PathStep;

/// The position at an offset. `None` in a comment, in a text of several lines, and where neither a
/// key nor a value is valid. Flow style, as in JSON, is not supported.
///
/// Cost: the text.
pub(super) fn place(text: &str, offset: usize) -> Option<InputsCursor> {
    let start = text[..offset].rfind('\n').map_or(0, |at| at + 1);
    let end = text[offset..].find(['\n', '\r']).map_or(text.len(), |len| offset + len);
    let line = &text[start..end];
    let cursor = offset - start;
    let (dashes, column) = dashes(line, cursor);
    let content = &line[column..];
    let before = &line[column..cursor];
    if before.starts_with(NOT_PLAIN) || before.contains('\t') || before.contains(" #") {
        return None;
    }
    // From the inside to the outside.
    let mut steps = Vec::new();
    let (word, has_value) = match split_key(content) {
        Some(YamlKey { name, value, .. }) if value < before.len() => {
            let written = &content[value..];
            let blanks = written.len() - written.trim_start().len();
            let from = (value + blanks).min(before.len());
            let written = without_comment(&content[from..]).trim_end();
            if blanks == 0 || written.starts_with(['{', '[', '|', '>', '&', '*', '!']) {
                return None;
            }
            let word = from..from + written.len();
            if before.len() > word.end {
                return None;
            }
            steps.push(PathStep::Key(name));
            (word, None)
        }
        Some(YamlKey { end, .. }) if before.len() <= end => (0..end, Some(true)),
        Some(_) => return None,
        None if before.contains(' ') => return None,
        None => {
            let rest = &content[before.len()..];
            let len = rest.find(char::is_whitespace).unwrap_or(rest.len());
            (0..before.len() + len, Some(false))
        }
    };

    let mut above =
        Above { level: column, beside: true, may_be_beside: false, steps, present: Vec::new() };
    dashes.iter().rev().try_for_each(|&at| above.take(Mark::Dash(at)))?;
    for line in text[..start].lines().rev() {
        marks(line).into_iter().rev().try_for_each(|mark| above.take(mark))?;
    }
    let Above { mut steps, mut present, .. } = above;
    steps.reverse();
    for line in text[end..].lines().skip(1) {
        let marks = marks(line);
        if marks.first().is_some_and(|first| first.column() < column) {
            break;
        }
        present.extend(marks.into_iter().find_map(|mark| match mark {
            Mark::Key(at, key) if at == column => Some(key.name),
            _ => None,
        }));
    }
    let at = start + column;
    let word = at + word.start..at + word.end;
    let slot = match has_value {
        Some(has_value) => Slot::Key { present, has_value },
        None => Slot::Value,
    };
    Some(InputsCursor { path: steps, slot, word, comma_before: None, comma_behind: false })
}

/// Characters that start something other than a plain key.
const NOT_PLAIN: [char; 9] = ['{', '[', '|', '>', '&', '*', '!', '#', '%'];

/// A key at the start of a text; offsets are bytes from there.
struct YamlKey {
    name: String,
    /// The end of the key, including its quotes.
    end: usize,
    /// The byte after the colon.
    value: usize,
    /// A value is on the same line.
    is_inline: bool,
}

fn split_key(content: &str) -> Option<YamlKey> {
    if content.starts_with(NOT_PLAIN) {
        return None;
    }
    let quote = content.chars().next().filter(|first| "\"'".contains(*first));
    let colon = match quote {
        Some(quote) => {
            let close = content[1..].find(quote)? + 2;
            let blanks = content[close..].len() - content[close..].trim_start().len();
            Some(close + blanks).filter(|&at| content[at..].starts_with(':'))?
        }
        None => content
            .match_indices(':')
            .map(|(at, _)| at)
            .find(|at| content[at + 1..].chars().next().is_none_or(char::is_whitespace))?,
    };
    let written = content[..colon].trim_end();
    let value = without_comment(&content[colon + 1..]).trim();
    Some(YamlKey {
        name: written.trim_matches(['"', '\'']).to_owned(),
        end: written.len(),
        value: colon + 1,
        is_inline: !value.is_empty(),
    })
}

fn without_comment(text: &str) -> &str {
    let comment = text.match_indices('#').map(|(at, _)| at);
    let is_comment = |at: &usize| text[..*at].ends_with(char::is_whitespace) || *at == 0;
    comment.into_iter().find(is_comment).map_or(text, |at| &text[..at])
}

/// The start of a line, as far as it determines the path.
enum Mark {
    /// The dash of an item, at this column.
    Dash(usize),
    /// A key, at this column.
    Key(usize, YamlKey),
    /// Any other text, at this column.
    Text(usize),
}

impl Mark {
    fn column(&self) -> usize {
        match self {
            Mark::Dash(column) | Mark::Key(column, _) | Mark::Text(column) => *column,
        }
    }
}

/// The columns of the dashes at the start of a line, up to an offset, and the column of the
/// following text.
fn dashes(line: &str, until: usize) -> (Vec<usize>, usize) {
    let mut dashes = Vec::new();
    let mut column = 0;
    let bytes = &line.as_bytes()[..until];
    loop {
        match bytes.get(column) {
            Some(b' ') => column += 1,
            Some(b'-') if matches!(bytes.get(column + 1), Some(b' ')) => {
                dashes.push(column);
                column += 1;
            }
            _ => return (dashes, column),
        }
    }
}

/// The marks of a line, from the left; none for a blank line, a comment, or the start of a
/// document.
fn marks(line: &str) -> Vec<Mark> {
    let line = line.trim_end();
    // A single dash starts an item whose content is below.
    let (dashes, column) = match line.strip_suffix('-') {
        Some(blanks) if blanks.trim_start_matches(['-', ' ']).is_empty() && line != "---" => {
            let (mut dashes, _) = dashes(line, blanks.len());
            dashes.push(blanks.len());
            (dashes, line.len())
        }
        _ => dashes(line, line.len()),
    };
    let content = &line[column..];
    let mut marks: Vec<Mark> = dashes.into_iter().map(Mark::Dash).collect();
    if content.is_empty() || content.starts_with('#') || line.starts_with("---") {
        return marks;
    }
    marks.push(match split_key(content) {
        Some(key) => Mark::Key(column, key),
        None => Mark::Text(column),
    });
    marks
}

/// The state of the search upwards from the cursor.
struct Above {
    /// The column of the object that the search has reached.
    level: usize,
    /// The search is still in the object of the cursor.
    beside: bool,
    /// The key of a list may be in the same column as its dashes.
    may_be_beside: bool,
    /// The path, from the inside to the outside.
    steps: Vec<PathStep>,
    /// The keys of the object of the cursor.
    present: Vec<String>,
}

impl Above {
    /// Processes the next mark above; `None` if the cursor is in the value of that mark.
    fn take(&mut self, mark: Mark) -> Option<()> {
        match mark {
            Mark::Key(column, key) if self.beside && column == self.level => {
                self.present.push(key.name);
            }
            Mark::Key(column, key)
                if column < self.level || self.may_be_beside && column == self.level =>
            {
                if key.is_inline {
                    return None;
                }
                self.go_to(column, PathStep::Key(key.name));
            }
            Mark::Dash(column) if column < self.level => {
                self.go_to(column, PathStep::Item);
                self.may_be_beside = true;
            }
            _ => {}
        }
        Some(())
    }

    fn go_to(&mut self, column: usize, step: PathStep) {
        self.level = column;
        self.beside = false;
        self.may_be_beside = false;
        self.steps.push(step);
    }
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
    fn keys_are_completed_at_the_start_of_a_line() {
        check(
            "$0",
            expect![[r#"
            "" key, beside [] of ""
        "#]],
        );
        check(
            "a: 1\nna$0\nb:\n  c: 1\n",
            expect![[r#"
            "na" key, beside ["a", "b"] of ""
        "#]],
        );
        check(
            "a: 1\nna$0me: 2\n",
            expect![[r#"
            "name" key with a value, beside ["a"] of ""
        "#]],
        );
        check(
            "app:$0\n",
            expect![[r#"
            nothing
        "#]],
        );
        check(
            "\"na$0\n",
            expect![[r#"
            "\"na" key, beside [] of ""
        "#]],
        );
        check(
            "# what\n---\nna$0",
            expect![[r#"
            "na" key, beside [] of ""
        "#]],
        );
    }

    #[test]
    fn the_path_follows_the_indentation() {
        check(
            "user:\n  $0",
            expect![[r#"
            "" key, beside [] of "user"
        "#]],
        );
        check(
            "user:\n  age: 1\n\n  na$0\n  x: 1\ny: 1\n",
            expect![[r#"
            "na" key, beside ["age", "x"] of "user"
        "#]],
        );
        check(
            "xs:\n- a: 1\n- b: 1\n  $0\n- c: 1\n",
            expect![[r#"
            "" key, beside ["b"] of "xs[]"
        "#]],
        );
        check(
            "xs:\n  - a: 1\n  - $0\n",
            expect![[r#"
            "" key, beside [] of "xs[]"
        "#]],
        );
        check(
            "xs:\n  -\n    $0\n",
            expect![[r#"
            "" key, beside [] of "xs[]"
        "#]],
        );
        check(
            "a:\n  b:\n    c: 1\n  $0\n",
            expect![[r#"
            "" key, beside ["b"] of "a"
        "#]],
        );
        check(
            "a:\n  b:\n    c: 1\n$0\n",
            expect![[r#"
            "" key, beside ["a"] of ""
        "#]],
        );
    }

    #[test]
    fn values_are_completed_after_colons() {
        check(
            "tone: $0",
            expect![[r#"
            "" value of "tone"
        "#]],
        );
        check(
            "tone: d$0ry # how\n",
            expect![[r#"
            "dry" value of "tone"
        "#]],
        );
        check(
            "user:\n  tone: \"d$0\"\n",
            expect![[r#"
            "\"d\"" value of "user.tone"
        "#]],
        );
    }

    #[test]
    fn nothing_is_completed_elsewhere() {
        for text in [
            "a:$0",
            "a: b $0",
            "a: x\n  $0",
            "a: |\n  some$0",
            "# $0",
            "{$0}",
            "a: [$0]",
            "some te$0xt",
        ] {
            let (text, offset) = with_cursor(text);
            assert_eq!(place(&text, offset), None, "{text}");
        }
    }

    #[test]
    fn completion_works_at_every_offset_of_broken_yaml() {
        let text = "é: 'x\n- - \"é\": |\n  \tb\n-\n    : :\n\r\n{é: [\n' é ':x # y\n--- \n";
        for (offset, _) in text.char_indices().chain([(text.len(), ' ')]) {
            if let Some(place) = place(text, offset) {
                assert!(text.get(place.word).is_some(), "{offset}");
            }
        }
    }
}
