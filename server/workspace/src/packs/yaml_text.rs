//! Edits of a text inside a YAML scalar.
//!
//! There are two methods: to write only the changes, in the style of the scalar, or to rewrite the
//! whole scalar with the YAML editor. The result is parsed again as a separate file with this one
//! entry; a method that yields another text is rejected.

use std::ops::Range;

use promptls_analysis::{FileEdit, difference, edit_file};
use promptls_data::{Decoded, Piece};
use promptls_resolver::{FileId, Format, parse_value};

use crate::readers::text_map::TextMap;
use crate::readers::writing::{CannotWrite, Replacement, Template, Writing, replaced};

/// The styles of a YAML scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    /// Without quotes.
    Plain,
    /// `'…'`
    Single,
    /// `"…"`
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
            let holds = |piece: &&Piece| !decoded.text()[piece.text.clone()].starts_with('\n');
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

/// The number of bytes before an offset in its line.
fn column(file: &str, offset: usize) -> usize {
    let line = file[..offset].rfind(['\n', '\r']).map_or(0, |newline| newline + 1);
    file[line..offset].trim_start_matches('\u{feff}').len()
}

/// Edits a text inside a YAML scalar.
#[derive(Debug)]
pub struct YamlText {
    /// The decoded key of the text.
    key: &'static str,
    /// The range of the key.
    key_range: Range<usize>,
    /// The range of the scalar.
    range: Range<usize>,
    /// The style of the scalar.
    style: Style,
    /// `true` if the entry is in an object in braces.
    is_in_braces: bool,
}

impl Writing for YamlText {
    fn replace(
        &self,
        template: &Template<'_>,
        edits: &[Replacement],
    ) -> Result<Vec<Replacement>, CannotWrite> {
        let entry = self.entry(template.file);
        let expected = replaced(template.text, edits);
        let is_right = |after: &str| {
            // The following line must stay on its own line.
            let ends_line = |text: &str| text.ends_with(['\n', '\r']);
            ends_line(after) == ends_line(entry.text)
                && entry.reads(after, self.key).is_some_and(|it| *it == *expected)
        };

        // If a line end is removed, the indentation of the next line is removed, too.
        for in_file in [TextMap::in_file, TextMap::in_file_to_next] {
            let here = |(range, new): &Replacement| {
                let range = in_file(template.map, range);
                let new = self.written(template.file, range.start, new)?;
                let start = range.start.checked_sub(entry.range.start)?;
                let end = range.end.checked_sub(entry.range.start)?;
                (end <= entry.text.len()).then_some((start..end, new))
            };
            let here: Option<Vec<Replacement>> = edits.iter().map(here).collect();
            if let Some(written) = here.filter(|written| is_right(&replaced(entry.text, written))) {
                let start = entry.range.start;
                let moved =
                    |(range, new): Replacement| (range.start + start..range.end + start, new);
                return Ok(written.into_iter().map(moved).collect());
            }
        }
        let anew = entry.with(self.key, &expected);
        let anew =
            anew.filter(|after| is_right(after) && after.contains(self.comment(template.file)));
        let anew = anew.ok_or_else(|| {
            CannotWrite("this prompt is written in a way that only you can edit".to_owned())
        })?;
        let (range, new) = difference(entry.text, &anew);
        Ok(vec![(range.start + entry.range.start..range.end + entry.range.start, new)])
    }

    fn is_plain(&self, word: &str) -> bool {
        word.bytes().all(|byte| byte.is_ascii_graphic() && !b"'\"\\#:".contains(&byte))
    }
}

impl YamlText {
    /// Creates the editor for the scalar at a range of a file, with its key, whose text is
    /// `decoded`.
    pub fn new(
        file: &str,
        key: (&'static str, Range<usize>),
        range: Range<usize>,
        decoded: &Decoded,
        is_in_braces: bool,
    ) -> YamlText {
        let (key, key_range) = key;
        let style = Style::of(file, range.start, column(file, key_range.start), decoded);
        YamlText { key, key_range, range, style, is_in_braces }
    }

    /// A piece of the text in the style of this scalar, for an offset of the file; `None` if the
    /// style cannot express it.
    fn written(&self, file: &str, at: usize, new: &str) -> Option<String> {
        let (indent, line_break) = match self.style {
            Style::Double => {
                let quoted = serde_json::Value::from(new).to_string();
                return Some(quoted[1..quoted.len() - 1].to_owned());
            }
            _ if new.contains('\r') => return None,
            Style::Single if !new.contains('\n') => return Some(new.replace('\'', "''")),
            Style::Plain if !new.contains('\n') => return Some(new.to_owned()),
            Style::Single | Style::Plain => return None,
            Style::Literal(indent) => (indent, "\n"),
            Style::Folded(indent) => (indent, "\n\n"),
        };
        let newline = if file.contains("\r\n") { "\r\n" } else { "\n" };
        let blanks = " ".repeat(indent);
        let mut lines = new.split('\n').peekable();
        let mut written = lines.next().unwrap_or_default().to_owned();
        // An empty line needs no indentation.
        let here = column(file, at);
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

    /// The comment after a `|` or a `>`; empty if there is none.
    fn comment<'f>(&self, file: &'f str) -> &'f str {
        if !matches!(self.style, Style::Literal(_) | Style::Folded(_)) {
            return "";
        }
        let header = file[self.range.clone()].lines().next().unwrap_or_default();
        header.find('#').map_or("", |at| &header[at..])
    }

    fn entry<'f>(&self, file: &'f str) -> Entry<'f> {
        let start = self.key_range.start;
        if self.is_in_braces {
            let range = start..self.range.end;
            return Entry { text: &file[range.clone()], range, before: "{".to_owned(), after: "}" };
        }
        // A comment after the scalar may have to move, and those below must not become a part of
        // it.
        let line_end = |at: usize| file[at..].find('\n').map_or(file.len(), |it| at + it + 1);
        let is_nothing = |line: &str| matches!(line.trim_start().bytes().next(), None | Some(b'#'));
        let mut end = self.range.end;
        if !file[..end].ends_with(['\n', '\r']) {
            end = line_end(end);
        }
        while end < file.len() && is_nothing(&file[end..line_end(end)]) {
            end = line_end(end);
        }
        let range = start..end;
        let before = " ".repeat(column(file, start));
        Entry { text: &file[range.clone()], range, before, after: "" }
    }
}

/// The entry of a text; with its wrapper, it forms a separate file.
struct Entry<'f> {
    range: Range<usize>,
    text: &'f str,
    before: String,
    after: &'static str,
}

impl Entry<'_> {
    fn file(&self, text: &str) -> String {
        format!("{}{text}{}", self.before, self.after)
    }

    /// The text of such an entry; `None` if the file contains anything else.
    fn reads(&self, text: &str, key: &str) -> Option<Box<str>> {
        let root = parse_value(&self.file(text), Format::Yaml, FileId::PROMPT, "nothing").value?;
        match root.as_object()?.entries() {
            [entry] if *entry.key == *key => Some(entry.value.as_text()?.into()),
            _ => None,
        }
    }

    /// The entry with a different text.
    fn with(&self, key: &str, text: &str) -> Option<String> {
        let value = serde_json::Value::from(text).to_string();
        let edit = FileEdit::Set { path: vec![key.to_owned()], value };
        let file = edit_file(&self.file(self.text), Format::Yaml, &[edit])?;
        Some(file.strip_prefix(&self.before)?.strip_suffix(self.after)?.to_owned())
    }
}
