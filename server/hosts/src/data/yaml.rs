//! YAML: a stream of documents, each by itself.
//!
//! The grammar is the `saphyr-parser` crate's. Its events are put together without recursion, and
//! what an alias names is not copied, so that aliases of aliases cost nothing.

mod positions;
mod scalar;

use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

use saphyr_parser::{Event, Parser, ScalarStyle, Tag};

use super::tree::{Key, Kind, Tree};
use crate::unread::Unread;
use positions::Positions;
pub(super) use scalar::decode;

/// Deeper files are not read. Of brackets and braces, the parser itself allows no more than 255.
const MAX_DEPTH: usize = 512;

/// The values in a range of a file. Fails for what is not YAML.
pub(super) fn read(source: &str, range: Range<usize>) -> Result<Tree, Unread> {
    let body = &source[..range.end];
    let bom = if body[range.start..].starts_with('\u{feff}') { 3 } else { 0 };
    let start = range.start + bom;
    let text = &body[start..];
    if let Some(line) = read_wrongly(text) {
        let at = start + line;
        return Err(Unread::new(
            at..at,
            "this line has a character or a directive that is not supported",
        ));
    }
    let positions = Positions::new(text);
    let mut reader = Reader {
        body,
        tree: Tree::default(),
        open: Vec::new(),
        anchors: HashMap::new(),
        document: start,
        at: start,
    };
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| {
            let at = start + positions.byte(error.marker().index());
            Unread::new(at..at, error.info())
        })?;
        let from = start + positions.byte(span.start.index());
        let to = start + positions.byte(span.end.index());
        reader.take(event, from..to.max(from)).map_err(|reason| Unread::new(from..from, reason))?;
    }
    // What stands before the first document is about it.
    if let Some((_, start)) = reader.tree.documents.first_mut() {
        *start = range.start;
    }
    reader.tree.scalars.sort_unstable_by_key(|range| range.start);
    Ok(reader.tree)
}

/// Where one of two things stands that would make all later places wrong, or hide the rest of the
/// file: the parser takes U+0000 for the end, and counts the bytes of an unknown directive instead
/// of its characters.
fn read_wrongly(text: &str) -> Option<usize> {
    let foreign = || {
        let lines = text.lines().filter(|line| line.starts_with('%') && !line.is_ascii());
        lines.map(|line| line.as_ptr() as usize - text.as_ptr() as usize).next()
    };
    memchr::memchr(0, text.as_bytes()).or_else(foreign)
}

struct Reader<'s> {
    /// The file up to where the YAML ends.
    body: &'s str,
    tree: Tree,
    /// The collections around the next event, the outermost first.
    open: Vec<Open>,
    /// The values that have an anchor.
    anchors: HashMap<usize, usize>,
    /// Where the document starts whose value is the next to come.
    document: usize,
    /// The end of what was read so far.
    at: usize,
}

/// A list or an object whose end is yet to come.
struct Open {
    number: usize,
    is_object: bool,
    is_bracketed: bool,
    /// The key whose value is the next to come, and where it starts.
    key: Option<(Rc<str>, usize)>,
    /// The end of what it holds so far.
    end: usize,
}

impl Reader<'_> {
    /// Fails for what is not supported: deep nesting, and collections as keys.
    fn take(&mut self, event: Event<'_>, range: Range<usize>) -> Result<(), &'static str> {
        match event {
            Event::DocumentStart(_) => {
                self.document = range.start;
                self.at = range.end;
            }
            Event::Scalar(text, style, anchor, tag) => {
                self.scalar(&text, style, anchor, tag.as_deref(), range);
            }
            Event::SequenceStart(anchor, _) => self.open(Kind::List(0), anchor, range)?,
            Event::MappingStart(anchor, _) => {
                self.open(Kind::Object(HashMap::new()), anchor, range)?;
            }
            Event::SequenceEnd | Event::MappingEnd => self.close(range.start),
            Event::Alias(anchor) => self.alias(anchor, range),
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => {}
        }
        Ok(())
    }

    fn scalar(
        &mut self,
        text: &str,
        style: ScalarStyle,
        anchor: usize,
        tag: Option<&Tag>,
        range: Range<usize>,
    ) {
        let start = match style {
            // The parser points to its first line.
            ScalarStyle::Literal | ScalarStyle::Folded => self.skip(self.at, b":-?"),
            _ if anchor > 0 || tag.is_some() => self.skip(range.start, b""),
            _ => range.start,
        };
        let start = start.min(range.end);
        let written = &self.body[start..range.end];
        let (header, len) = match style {
            ScalarStyle::Plain => (0, written.len()),
            // The parser adds what follows on the same line.
            ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => (0, quoted_len(written)),
            // The parser goes on to the next line that holds something. Behind the `|`, there may
            // be a comment.
            ScalarStyle::Literal | ScalarStyle::Folded => {
                let len = written.trim_end().len();
                (written.find(['\n', '\r']).unwrap_or(len).min(len), len)
            }
        };
        let value = start..start + len;
        self.at = value.end;
        self.tree.scalars.push(start + header..value.end);
        if self.expects_key() {
            self.set_key(Rc::from(text), value.start);
            return;
        }
        let kind = match is_string(text, style, tag) {
            true => Kind::Text(text.into()),
            false => Kind::Other,
        };
        self.add(kind, value, anchor);
    }

    fn alias(&mut self, anchor: usize, range: Range<usize>) {
        self.at = range.end;
        let target = self.anchors.get(&anchor).copied();
        if self.expects_key() {
            let text = target.and_then(|target| self.tree.text(target)).unwrap_or_default();
            self.set_key(Rc::from(text), range.start);
        } else {
            self.add(target.map_or(Kind::Other, Kind::Alias), range, 0);
        }
    }

    fn open(&mut self, kind: Kind, anchor: usize, range: Range<usize>) -> Result<(), &'static str> {
        if self.open.len() >= MAX_DEPTH {
            return Err("this is nested too deeply");
        }
        if self.expects_key() {
            return Err("a list or an object as a key is not supported");
        }
        let is_object = matches!(kind, Kind::Object(_));
        // What has no bracket ends where its first part starts, if not before.
        let start = match range.is_empty() {
            true => range.start,
            false => self.skip(range.start, b"").min(range.end),
        };
        self.at = start;
        let is_bracketed = start < range.end && self.body[start..].starts_with(['[', '{']);
        let number = self.add(kind, start..start, anchor);
        self.open.push(Open { number, is_object, is_bracketed, key: None, end: start });
        Ok(())
    }

    fn close(&mut self, closer: usize) {
        let Some(open) = self.open.pop() else { return };
        let end = if open.is_bracketed { closer + 1 } else { open.end };
        self.at = self.at.max(end);
        self.tree.end_at(open.number, end);
        if let Some(around) = self.open.last_mut() {
            around.end = end.max(around.end);
        }
    }

    fn expects_key(&self) -> bool {
        self.open.last().is_some_and(|open| open.is_object && open.key.is_none())
    }

    fn set_key(&mut self, text: Rc<str>, start: usize) {
        if let Some(open) = self.open.last_mut() {
            open.key = Some((text, start));
        }
    }

    /// Adds a value where one is expected, and says its number.
    fn add(&mut self, kind: Kind, value: Range<usize>, anchor: usize) -> usize {
        let (end, number) = (value.end, self.tree.nodes.len());
        match self.open.last_mut() {
            None => {
                self.tree.documents.push((number, self.document));
                self.tree.push(0, Key::Document, kind, value.start, value);
            }
            Some(open) => {
                open.end = end.max(open.end);
                let (key, start) = match open.key.take() {
                    Some((name, start)) => (Key::Name(name), start),
                    None => (self.tree.next_index(open.number), value.start),
                };
                self.tree.push(open.number, key, kind, start.min(value.start), value);
            }
        }
        if anchor > 0 {
            self.anchors.insert(anchor, number);
        }
        number
    }

    /// The first byte at or after `start` that belongs to no anchor, tag, blank or comment, and is
    /// none of these marks.
    fn skip(&self, mut start: usize, marks: &[u8]) -> usize {
        loop {
            let rest = &self.body[start..];
            start += match rest.as_bytes() {
                [mark, ..] if marks.contains(mark) => 1,
                [b'!', b'<', ..] => rest.find('>').map_or(rest.len(), |end| end + 1),
                [b'&' | b'!', ..] => {
                    let ends = |char: char| char.is_ascii_whitespace() || ",[]{}".contains(char);
                    rest.find(ends).unwrap_or(rest.len())
                }
                [b'#', ..] => rest.find(['\n', '\r']).unwrap_or(rest.len()),
                [b' ' | b'\t' | b'\n' | b'\r', ..] => 1,
                _ => return start,
            };
        }
    }
}

/// How long the string in quotes is that a text starts with.
fn quoted_len(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = 1;
    while let Some(byte) = bytes.get(at) {
        at += match (bytes[0], byte) {
            (b'"', b'\\') => 2,
            (b'\'', b'\'') if bytes.get(at + 1) == Some(&b'\'') => 2,
            (quote, byte) if quote == *byte => return at + 1,
            _ => 1,
        };
    }
    text.len()
}

/// Whether a scalar is a string to every reader, of YAML 1.1 and of 1.2.
fn is_string(text: &str, style: ScalarStyle, tag: Option<&Tag>) -> bool {
    const WORDS: [&str; 10] = ["", "~", "null", "true", "false", "yes", "no", "on", "off", "="];
    if let Some(tag) = tag {
        let name = format!("{}{}", tag.handle, tag.suffix);
        return matches!(&*name, "!" | "tag:yaml.org,2002:str");
    }
    // Numbers, times and `.inf`: no prompt is written with these alone.
    let is_numeric = || {
        text.starts_with(|char: char| char.is_ascii_digit() || "+-.".contains(char))
            && !text.bytes().any(|byte| matches!(byte, b'{' | b'}' | b'$'))
            && text.split(' ').all(|word| {
                word.bytes()
                    .all(|byte| byte.is_ascii_hexdigit() || b"xoTZinfNa+-.:_".contains(&byte))
            })
    };
    style != ScalarStyle::Plain
        || !WORDS.iter().any(|word| word.eq_ignore_ascii_case(text)) && !is_numeric()
}
