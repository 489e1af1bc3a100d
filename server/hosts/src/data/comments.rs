//! Comments, and the values that they refer to.

use std::ops::Range;

use memchr::memchr_iter;

use promptls_data::{NodeValue, Tree};

/// The comment syntax of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CommentStyle {
    /// From `#` on, at the start of a line or after whitespace.
    HashBehindBlank,
    /// From `#` on, also directly after a value.
    Hash,
    /// From `//` on, and `/* … */`.
    Slashes,
}

/// The comments in a range, in order, with their delimiters. No comment can start in one of
/// `strings`.
///
/// Cost: the length of the range, and a search for each `#` or `/` in it.
pub(super) fn comments(
    source: &str,
    range: Range<usize>,
    strings: &[Range<usize>],
    style: CommentStyle,
) -> Vec<Range<usize>> {
    let opener = if style == CommentStyle::Slashes { b'/' } else { b'#' };
    let bytes = &source.as_bytes()[..range.end];
    let mut found: Vec<Range<usize>> = Vec::new();
    for at in memchr_iter(opener, &bytes[range.start..]).map(|at| at + range.start) {
        let before = strings.partition_point(|string| string.start <= at);
        let is_in = |range: &Range<usize>| range.contains(&at);
        if found.last().is_some_and(is_in)
            || before.checked_sub(1).is_some_and(|it| is_in(&strings[it]))
        {
            continue;
        }
        let line_end =
            || memchr::memchr2(b'\n', b'\r', &bytes[at..]).map_or(range.end, |len| at + len);
        let is_behind_blank =
            at == range.start || matches!(bytes[at - 1], b' ' | b'\t' | b'\n' | b'\r');
        let end = match (style, &bytes[at..]) {
            (CommentStyle::HashBehindBlank, _) if !is_behind_blank => continue,
            (CommentStyle::HashBehindBlank | CommentStyle::Hash, _) => line_end(),
            (CommentStyle::Slashes, [_, b'/', ..]) => line_end(),
            (CommentStyle::Slashes, [_, b'*', rest @ ..]) => {
                memchr::memmem::find(rest, b"*/").map_or(range.end, |len| at + 2 + len + 2)
            }
            (CommentStyle::Slashes, _) => continue,
        };
        found.push(at..end);
    }
    found
}

/// Finds the values of a tree by their lines.
pub(super) struct Subjects<'t> {
    source: &'t str,
    tree: &'t Tree<'t>,
    style: CommentStyle,
    /// All values by the start of their entries; of several, the innermost last.
    by_entry: Vec<usize>,
    /// The strings by their start.
    texts: Vec<usize>,
    /// The ends of lines; for a line end of two bytes, both.
    line_ends: Vec<usize>,
}

impl<'t> Subjects<'t> {
    pub fn new(source: &'t str, tree: &'t Tree<'t>, style: CommentStyle) -> Self {
        // A list with dashes starts before its first item, but a comment there is about the item.
        let has_dashes = |&number: &usize| {
            let node = &tree.nodes[number];
            matches!(node.kind, NodeValue::List)
                && node.entry.range().start == node.span.range().start
                && source[node.span.range().start..].starts_with('-')
        };
        let mut by_entry: Vec<usize> =
            (0..tree.nodes.len()).filter(|number| !has_dashes(number)).collect();
        by_entry.sort_by_key(|&number| tree.nodes[number].entry.range().start);
        let is_text = |&number: &usize| {
            matches!(tree.nodes[number].kind, NodeValue::String { is_certain: true, .. })
        };
        let mut texts: Vec<usize> = (0..tree.nodes.len()).filter(is_text).collect();
        texts.sort_by_key(|&number| tree.nodes[number].span.range().start);
        let line_ends = memchr::memchr2_iter(b'\n', b'\r', source.as_bytes()).collect();
        Subjects { source, tree, style, by_entry, texts, line_ends }
    }

    /// The value that a comment refers to.
    ///
    /// Cost: the whitespace around it, and a few searches.
    pub fn of(&self, comment: &Range<usize>) -> Option<usize> {
        let line = self.line_at(comment.start);
        let last_line = self.line_at(comment.end);
        let blanks = |text: &str| text.trim_matches(['\u{feff}', ' ', '\t']).is_empty();
        if !blanks(&self.source[comment.end..last_line.end]) {
            return self.text_behind(comment.end..last_line.end);
        }
        if !blanks(&self.source[line.start..comment.start]) {
            let is_about_one = self.style != CommentStyle::Slashes;
            return is_about_one.then(|| self.text_before(line.start..comment.start)).flatten();
        }
        let next = match &self.source.as_bytes()[last_line.end..] {
            [b'\r', b'\n', ..] => last_line.end + 2,
            [_, ..] => last_line.end + 1,
            [] => return None,
        };
        self.entry_in(self.line_at(next))
    }

    /// The line of an offset, without its line end.
    fn line_at(&self, offset: usize) -> Range<usize> {
        let next = self.line_ends.partition_point(|&end| end < offset);
        let start = next.checked_sub(1).map_or(0, |before| self.line_ends[before] + 1);
        start..self.line_ends.get(next).copied().unwrap_or(self.source.len())
    }

    /// The first entry of a line.
    fn entry_in(&self, line: Range<usize>) -> Option<usize> {
        let start = |&number: &usize| self.tree.nodes[number].entry.range().start;
        let first = self.by_entry.partition_point(|number| start(number) < line.start);
        let first = self.by_entry.get(first).map(start).filter(|start| line.contains(start))?;
        let behind = self.by_entry.partition_point(|number| start(number) <= first);
        self.by_entry.get(behind.checked_sub(1)?).copied()
    }

    /// The first string that starts in the rest of a line.
    fn text_behind(&self, rest: Range<usize>) -> Option<usize> {
        let start = |&number: &usize| self.tree.nodes[number].span.range().start;
        let first = self.texts.partition_point(|number| start(number) < rest.start);
        self.texts.get(first).copied().filter(|number| rest.contains(&start(number)))
    }

    /// The string that ends at the end of a line, or whose `|` or `>` does.
    fn text_before(&self, line: Range<usize>) -> Option<usize> {
        let values = &self.tree.nodes;
        let behind =
            self.texts.partition_point(|&number| values[number].span.range().start < line.end);
        let number = *self.texts.get(behind.checked_sub(1)?)?;
        let value = values[number].span.range();
        if value.start >= line.start && value.end > line.end {
            return Some(number);
        }
        let between = self.source.get(value.end..line.end)?;
        let is_last = between.trim_start_matches([' ', '\t', ',']).is_empty();
        (value.end >= line.start && is_last).then_some(number)
    }
}
