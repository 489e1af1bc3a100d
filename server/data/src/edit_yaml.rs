//! Edits of a string in YAML that keep its style, and everything else verbatim.
//!
//! Correctness is not derived but verified: the entry of the string is parsed after each way to
//! write the edits, and the first one with the requested text counts.

use std::ops::Range;

use crate::decoded::{Decoded, DecodedPiece};
use crate::format::Format;
use crate::read;
use crate::replacing::{difference, replaced};
use crate::tree::{NodeKey, NodeValue, Tree};
use crate::yaml_form::{Shape, Value, YamlContext, dash_before, double_quoted};

/// The style of a YAML scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    Plain,
    /// In single quotes: only the quote itself can be escaped.
    Single,
    /// In double quotes: any character can be escaped.
    Double,
    /// `|`, with lines indented by this many spaces.
    Literal(usize),
    /// `>`, with lines indented by this many spaces.
    Folded(usize),
}

impl Style {
    /// The style of the scalar at `start`, whose key is in a given column.
    fn of(file: &str, start: usize, key_column: usize, decoded: &Decoded) -> Style {
        // The first non-empty line determines the indentation.
        let indent = || {
            let holds =
                |piece: &&DecodedPiece| !decoded.text()[piece.text.clone()].starts_with('\n');
            let first = decoded.pieces().iter().find(holds).filter(|it| !it.text.is_empty());
            first.map_or(key_column + 2, |piece| column(file, piece.source.start))
        };
        match file.as_bytes().get(start) {
            Some(b'|') => Style::Literal(indent()),
            Some(b'>') => Style::Folded(indent()),
            Some(b'"') => Style::Double,
            Some(b'\'') => Style::Single,
            _ => Style::Plain,
        }
    }
}

/// The replacements in the file for replacements in the text of a string; both are in order, and do
/// not overlap. `number` is the string in the tree, and `decoded` its text. Returns `None` if no way
/// to write the text is found, and for other values.
///
/// Cost: parses the entry of the string a few times.
pub fn replace(
    tree: &Tree<'_>,
    number: usize,
    decoded: &Decoded,
    edits: &[(Range<usize>, String)],
) -> Option<Vec<(Range<usize>, String)>> {
    if !matches!(tree.nodes[number].kind, NodeValue::String { .. }) {
        return None;
    }
    let entry = Entry::of(tree, number, decoded);
    let expected = replaced(decoded.text(), edits)?;
    let is_right = |after: &str| {
        // The following line must stay on its own line.
        let ends_line = |text: &str| text.ends_with(['\n', '\r']);
        ends_line(after) == ends_line(entry.text) && entry.reads(after, &expected)
    };

    // If a line end is removed, the indentation of the next line is removed, too.
    for to_next in [false, true] {
        let here = |(range, new): &(Range<usize>, String)| {
            let mut in_file = decoded.source(range.clone());
            if to_next && !range.is_empty() {
                let next = decoded.pieces().partition_point(|piece| piece.text.start < range.end);
                in_file.end = decoded.pieces().get(next).map_or(in_file.end, |it| it.source.start);
            }
            let new = entry.written(in_file.start, new)?;
            let start = in_file.start.checked_sub(entry.range.start)?;
            let end = in_file.end.checked_sub(entry.range.start)?;
            (end <= entry.text.len()).then_some((start..end, new))
        };
        let here: Option<Vec<(Range<usize>, String)>> = edits.iter().map(here).collect();
        let is_right =
            |here: &Vec<_>| replaced(entry.text, here).is_some_and(|after| is_right(&after));
        if let Some(here) = here.filter(is_right) {
            let start = entry.range.start;
            let moved = |(range, new): (Range<usize>, String)| {
                (range.start + start..range.end + start, new)
            };
            return Some(here.into_iter().map(moved).collect());
        }
    }
    let mut again = entry.again(&expected).into_iter();
    let again = again.find(|after| is_right(after) && after.contains(entry.comment()))?;
    Some(vec![entry.difference(&again)])
}

/// The entry of a string: from its key, its dash or, without both, its first character. With the
/// text around it, it is a file of its own.
struct Entry<'f> {
    file: &'f str,
    range: Range<usize>,
    text: &'f str,
    /// The key in its decoded form; `None` for an item, and for a string that is a whole document.
    key: Option<&'f str>,
    key_range: Option<Range<usize>>,
    scalar: Range<usize>,
    style: Style,
    /// `true` if the string is a whole document, with neither a key nor a dash.
    is_document: bool,
    before: String,
    after: &'static str,
}

impl<'f> Entry<'f> {
    fn of(tree: &'f Tree<'_>, number: usize, decoded: &Decoded) -> Entry<'f> {
        let file = tree.source();
        let node = &tree.nodes[number];
        let scalar = node.span.range();
        let key = match &node.key {
            NodeKey::Name(name) => Some(&**name),
            _ => None,
        };
        let key_range = key.map(|_| node.key_span.range());
        let is_document = node.key == NodeKey::Document;
        let is_in_brackets = !is_document && tree.starts_with(node.parent, &['{', '[']);
        let is_item = matches!(node.key, NodeKey::Index(_)) && !is_in_brackets;
        let start = match &key_range {
            Some(key) => key.start,
            None if is_item => dash_before(file, scalar.start).unwrap_or(scalar.start),
            None => scalar.start,
        };
        let style = Style::of(file, scalar.start, column(file, start), decoded);
        let (range, before, after) = match is_in_brackets {
            true if key.is_some() => (start..scalar.end, "{".to_owned(), "}"),
            true => (start..scalar.end, "[".to_owned(), "]"),
            false => {
                let end = end_of_entry(file, scalar.end);
                (start..end, " ".repeat(column(file, start)), "")
            }
        };
        let text = &file[range.clone()];
        Entry { file, range, text, key, key_range, scalar, style, is_document, before, after }
    }

    /// A text in place of the entry, with the rest of its document.
    fn with_around(&self, text: &str) -> String {
        format!("{}{text}{}", self.before, self.after)
    }

    /// `true` if the file of an entry has only this string.
    fn reads(&self, text: &str, expected: &str) -> bool {
        let file = self.with_around(text);
        let Ok(tree) = read(Format::Yaml, &file) else { return false };
        let [document] = &tree.documents[..] else { return false };
        let Some(root) = document.root else { return false };
        let mut children = tree.children(root);
        let string = match (self.is_document, children.next(), children.next()) {
            (true, None, _) => root,
            (false, Some(only), None) => only,
            _ => return false,
        };
        let has_key = match (&tree.nodes[string].key, self.key) {
            (NodeKey::Name(name), Some(key)) => name == key,
            (_, key) => key.is_none(),
        };
        has_key && tree.text(string) == Some(expected)
    }

    /// A piece of the text in the style of this scalar, for an offset of the file; `None` if the
    /// style cannot express it.
    fn written(&self, at: usize, new: &str) -> Option<String> {
        let (indent, line_break) = match self.style {
            Style::Double => {
                let quoted = double_quoted(new);
                return Some(quoted[1..quoted.len() - 1].to_owned());
            }
            _ if new.contains('\r') => return None,
            Style::Single if !new.contains('\n') => return Some(new.replace('\'', "''")),
            Style::Plain if !new.contains('\n') => return Some(new.to_owned()),
            Style::Single | Style::Plain => return None,
            Style::Literal(indent) => (indent, "\n"),
            Style::Folded(indent) => (indent, "\n\n"),
        };
        let newline = if self.file.contains("\r\n") { "\r\n" } else { "\n" };
        let blanks = " ".repeat(indent);
        let mut lines = new.split('\n').peekable();
        let mut written = lines.next().unwrap_or_default().to_owned();
        // An empty line needs no indentation.
        let here = column(self.file, at);
        if here < indent && !written.is_empty() {
            written.insert_str(0, &blanks[here..]);
        }
        while let Some(line) = lines.next() {
            written += &line_break.replace('\n', newline);
            // The last line continues with the rest of the old line.
            if !line.is_empty() || lines.peek().is_none() {
                written += &blanks;
            }
            written += line;
        }
        Some(written)
    }

    /// The entry with the whole text written again, in all ways that may be right.
    fn again(&self, text: &str) -> Vec<String> {
        let file = self.with_around(self.text);
        let moved = |range: &Range<usize>| {
            let start = range.start + self.before.len() - self.range.start;
            start..start + range.len()
        };
        let key = self.key_range.as_ref().map(moved);
        // What is before an entry in brackets is the bracket.
        let value = Value { key, range: moved(&self.scalar), shape: Shape::Scalar, outer: Some(0) };
        let ways = YamlContext::new(&file, value).with_text(text).into_iter();
        let inside = |way: String| {
            Some(way.strip_prefix(&self.before)?.strip_suffix(self.after)?.to_owned())
        };
        ways.filter_map(inside).collect()
    }

    /// The comment after a `|` or a `>`; empty if there is none.
    fn comment(&self) -> &'f str {
        if !matches!(self.style, Style::Literal(_) | Style::Folded(_)) {
            return "";
        }
        let header = self.file[self.scalar.clone()].lines().next().unwrap_or_default();
        header.find('#').map_or("", |at| &header[at..])
    }

    /// The smallest replacement in the file for another text of the entry.
    fn difference(&self, after: &str) -> (Range<usize>, String) {
        let (range, new) = difference(self.text, after);
        (range.start + self.range.start..range.end + self.range.start, new)
    }
}

/// The end of an entry whose value ends at an offset. A comment after the value may have to move,
/// and those below must not become a part of it.
fn end_of_entry(file: &str, value_end: usize) -> usize {
    let line_end = |at: usize| file[at..].find('\n').map_or(file.len(), |it| at + it + 1);
    let is_nothing = |line: &str| matches!(line.trim_start().bytes().next(), None | Some(b'#'));
    let mut end = value_end;
    if !file[..end].ends_with(['\n', '\r']) {
        end = line_end(end);
    }
    while end < file.len() && is_nothing(&file[end..line_end(end)]) {
        end = line_end(end);
    }
    end
}

/// The number of bytes before an offset in its line.
fn column(file: &str, offset: usize) -> usize {
    let line = file[..offset].rfind(['\n', '\r']).map_or(0, |newline| newline + 1);
    file[line..offset].trim_start_matches('\u{feff}').len()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The file after its only string with `old` has `new` instead.
    fn edited(file: &str, old: &str, new: &str) -> Option<String> {
        let tree = read(Format::Yaml, file).expect("it parses");
        let has_old = |&number: &usize| {
            tree.decode(number).is_some_and(|decoded| decoded.text().contains(old))
        };
        let number = (0..tree.nodes.len()).find(has_old).expect("a string has it");
        let decoded = tree.decode(number).expect("it is a string");
        let start = decoded.text().find(old).expect("it is there");
        let edits = [(start..start + old.len(), new.to_owned())];
        replaced(file, &replace(&tree, number, &decoded, &edits)?)
    }

    #[test]
    fn strings_in_all_positions_and_styles_are_edited() {
        for (file, old, new, expected) in [
            ("a b\n", "b", "c", "a c\n"),
            ("a b\n", "b", "c: d", "\"a c: d\"\n"),
            ("- a b\n- c\n", "b", "b\nd", "- |-\n  a b\n  d\n- c\n"),
            ("- |\n  a b\n- c\n", "b", "b\nd", "- |\n  a b\n  d\n- c\n"),
            ("- - 'a b'\n", "b", "it's", "- - 'a it''s'\n"),
            ("[x, a b, y]\n", "b", "b]", "[x, \"a b]\", y]\n"),
            ("{x: 1, y: a b}\n", "b", "b,", "{x: 1, y: \"a b,\"}\n"),
            ("x:\n  - y: >\n      a b\n", "b", "b\nd", "x:\n  - y: >\n      a b\n\n      d\n"),
            ("x: 1\n---\na: b\n--- \nc: d\n", "b", "e", "x: 1\n---\na: e\n--- \nc: d\n"),
        ] {
            assert_eq!(edited(file, old, new).as_deref(), Some(expected), "{file:?}");
        }
    }

    #[test]
    fn values_other_than_strings_are_not_edited() {
        let tree = read(Format::Yaml, "a: 1\n").expect("it parses");
        assert_eq!(replace(&tree, 1, &Decoded::empty_at(3), &[]), None);
    }
}
