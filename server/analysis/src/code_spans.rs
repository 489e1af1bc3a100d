//! Code in a prompt: between fences, and between backticks in a line.
//!
//! Prompts are not quite Markdown: they enclose sections in tags, inside of which Markdown has no
//! code. So only these two marks count, at any place.

use std::ops::Range;

/// The code spans of a text. All ranges are bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct CodeSpans {
    /// Blocks between fences, including the fences; up to the end of the text without a second
    /// fence.
    fenced: Vec<Range<usize>>,
    /// Code in a line, including the backticks.
    inline: Vec<Range<usize>>,
}

impl CodeSpans {
    /// Finds all code in a text. Cost: one pass over the text.
    pub fn of(text: &str) -> CodeSpans {
        let mut spans = CodeSpans::default();
        let mut open: Option<(usize, &str)> = None;
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            let end = start + line.len();
            match open {
                Some((opened_at, fence)) if closes(line, fence) => {
                    spans.fenced.push(opened_at..end);
                    open = None;
                }
                Some(_) => {}
                None => match fence(line) {
                    Some(fence) => open = Some((start, fence)),
                    None => spans.add_inline(start, line),
                },
            }
            start = end;
        }
        spans.fenced.extend(open.map(|(opened_at, _)| opened_at..text.len()));
        spans
    }

    fn add_inline(&mut self, start: usize, line: &str) {
        let mut at = 0;
        while let Some(found) = line[at..].find('`') {
            let opened_at = at + found;
            let ticks = run(&line[opened_at..]);
            at = opened_at + ticks.len();
            if let Some(end) = end_of_code(line, at, ticks) {
                self.inline.push(start + opened_at..start + end);
                at = end;
            }
        }
    }

    /// Returns whether an offset is in code.
    pub fn contains(&self, offset: usize) -> bool {
        self.is_fenced(offset) || covers(&self.inline, offset)
    }

    /// Returns whether an offset is in a fenced block.
    pub fn is_fenced(&self, offset: usize) -> bool {
        covers(&self.fenced, offset)
    }
}

/// The text without its fenced blocks, and without code in lines unless `with_inline` is set.
pub fn prose(text: &str, with_inline: bool) -> String {
    let CodeSpans { fenced, inline } = CodeSpans::of(text);
    let mut code = fenced;
    if !with_inline {
        code.extend(inline);
        code.sort_by_key(|range| range.start);
    }
    let mut prose = String::with_capacity(text.len());
    let mut at = 0;
    for range in code {
        prose.push_str(&text[at..range.start]);
        at = range.end;
    }
    prose + &text[at..]
}

fn covers(ranges: &[Range<usize>], offset: usize) -> bool {
    let next = ranges.partition_point(|range| range.end <= offset);
    ranges.get(next).is_some_and(|range| range.contains(&offset))
}

/// The fence that a line opens, also in a list or a quotation.
fn fence(line: &str) -> Option<&str> {
    let before = |character: char| character.is_ascii_digit() || " \t>-*+.)".contains(character);
    let rest = line.trim_start_matches(before);
    let fence = run(rest);
    // "```{code}```" is code in a line.
    let is_fence =
        fence.len() >= 3 && (fence.starts_with('~') || !rest[fence.len()..].contains('`'));
    is_fence.then_some(fence)
}

fn closes(line: &str, open: &str) -> bool {
    let line = line.trim_matches([' ', '\t', '>', '\r', '\n']);
    line.len() >= open.len() && line.starts_with(open) && run(line).len() == line.len()
}

/// The backticks or tildes at the start of a text.
fn run(text: &str) -> &str {
    let Some(mark) = text.chars().next().filter(|mark| matches!(mark, '`' | '~')) else {
        return "";
    };
    &text[..text.len() - text.trim_start_matches(mark).len()]
}

/// The end of code that was opened by these backticks.
fn end_of_code(line: &str, from: usize, ticks: &str) -> Option<usize> {
    let mut at = from;
    while let Some(found) = line[at..].find('`') {
        let closer = run(&line[at + found..]);
        at += found + closer.len();
        if closer == ticks {
            return Some(at);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares with a text that marks code by `x`, and fenced code by `f`.
    #[track_caller]
    fn check(text: &str, expected: &str) {
        let spans = CodeSpans::of(text);
        let mark = |(offset, character): (usize, char)| match character {
            '\n' => '\n',
            _ if spans.is_fenced(offset) => 'f',
            _ if spans.contains(offset) => 'x',
            _ => '.',
        };
        assert_eq!(text.char_indices().map(mark).collect::<String>(), expected, "{text:?}");
    }

    #[test]
    fn fences_end_at_the_next_fence_of_their_kind() {
        check("a\n```js\nb\n~~~\n````\nc", ".\nfffff\nf\nfff\nffff\n.");
        check("~~~~\na\n~~~\n~~~~\nb", "ffff\nf\nfff\nffff\n.");
        check("- ```\n  a\n  ```\nb", "fffff\nfff\nfffff\n.");
        check("> ```\n> a\n> ```\nb", "fffff\nfff\nfffff\n.");
        check("a\n```\nb\n```js\nc", ".\nfff\nf\nfffff\nf");
    }

    #[test]
    fn inline_code_ends_on_its_line_with_the_same_number_of_backticks() {
        check("a `b` c", "..xxx..");
        check("a ``b ` c`` d", "..xxxxxxxxx..");
        check("it's ` and\nb`", "..........\n..");
        check("```{a}``` b", "xxxxxxxxx..");
        check("`a", "..");
    }

    #[test]
    fn prose_excludes_fenced_code_and_optionally_inline_code() {
        let text = "a {x}\n```js\n{y}\n```\n`{z}` b\n~~~\n{w}\n";
        assert_eq!(prose(text, true), "a {x}\n`{z}` b\n");
        assert_eq!(prose(text, false), "a {x}\n b\n");
    }
}
