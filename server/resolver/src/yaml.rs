//! YAML 1.2 files to values with their places.
//!
//! The grammar is the `saphyr-parser` crate's. Its events are put together
//! without recursion. It counts characters; [`Positions`] makes bytes of them.
//!
//! Plain scalars mean what the core schema says. The rest of this crate lives
//! by JSON, so a [`ValueKind::Number`] always holds a JSON number: the text as
//! written wherever JSON could have written it, the nearest JSON text of the
//! same value for the rest (`0x1F` is `31`, `+.5` is `0.5`). `.inf`, `.nan` and
//! integers beyond 128 bits in hex have no such text: they are strings, as
//! written. `<<` is a key like any other.

mod positions;
mod scalar;

use std::collections::HashMap;
use std::ops::Range;

use saphyr_parser::{Event, Parser, ScalarStyle, ScanError};

use crate::findings::problem::FileId;
use crate::inputs::{Entries, Parsed, invalid, without_bom};
use crate::value::{Entry, Object, Span, Value, ValueKind};
use positions::Positions;
use scalar::scalar;

/// Deeper values are refused: they are walked and dropped by recursion.
///
/// Of brackets and braces, the parser itself allows no more than 255.
const MAX_DEPTH: usize = 512;

const NESTED_TOO_DEEPLY: &str = "this is nested too deeply";

/// How much memory the copies may take that aliases ask for.
///
/// A few kilobytes of aliases to aliases can ask for all there is. 16 MiB is
/// more than anybody repeats by hand, and is filled in some ten milliseconds.
const MAX_COPIED_BYTES: usize = 16 << 20;

/// Reads a YAML file. Neither a value nor a problem means that nothing is in it.
pub(crate) fn parse(text: &str, file: FileId) -> Parsed<Value> {
    let (body, bom) = without_bom(text);
    let mut reader = Reader::new(body, bom, file);
    match reader.read() {
        Ok(()) => Parsed { value: reader.root, problems: reader.entries.problems },
        Err(Refusal { range, reason }) => {
            let range = range.start + bom..range.end + bom;
            Parsed { value: None, problems: vec![invalid(file, range, text, reason)] }
        }
    }
}

/// Why a file cannot be read, and where; bytes of the text without its byte order mark.
struct Refusal {
    range: Range<usize>,
    reason: String,
}

impl Refusal {
    fn new(range: Range<usize>, reason: impl Into<String>) -> Self {
        Refusal { range, reason: reason.into() }
    }
}

/// All ranges inside are bytes of `text`; only a [`Span`] counts the byte order mark.
struct Reader<'a> {
    /// The file without its byte order mark.
    text: &'a str,
    /// The size of that mark.
    bom: usize,
    positions: Positions<'a>,
    entries: Entries,
    /// The collections around the next event, the outermost first.
    open: Vec<Collection>,
    /// The finished values that have an anchor.
    anchors: HashMap<usize, Anchored>,
    copied_bytes: usize,
    root: Option<Value>,
}

/// A list or an object whose end is yet to come.
struct Collection {
    content: Content,
    start: usize,
    /// The end of what it holds so far.
    end: usize,
    /// Whether it stands in brackets or braces.
    bracketed: bool,
    anchor: usize,
}

enum Content {
    List(Vec<Value>),
    /// With the key whose value is the next to come.
    Object(Object, Option<(Box<str>, Range<usize>)>),
}

struct Anchored {
    value: Value,
    size: Size,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str, bom: usize, file: FileId) -> Self {
        Reader {
            text,
            bom,
            positions: Positions::new(text),
            entries: Entries::new(file),
            open: Vec::new(),
            anchors: HashMap::new(),
            copied_bytes: 0,
            root: None,
        }
    }

    fn read(&mut self) -> Result<(), Refusal> {
        self.refuse_what_the_parser_gets_wrong()?;
        let mut documents = 0;
        for event in Parser::new_from_str(self.text) {
            let (event, span) = event.map_err(|error| self.refusal(&error))?;
            let start = self.positions.byte(span.start.index());
            let range = start..self.positions.byte(span.end.index()).max(start);
            match event {
                Event::DocumentStart(_) => {
                    documents += 1;
                    if documents > 1 {
                        let reason = "a second document starts here; the file may hold only one";
                        return Err(Refusal::new(self.char_at(start), reason));
                    }
                }
                Event::Scalar(text, style, anchor, tag) => {
                    let has_properties = anchor > 0 || tag.is_some();
                    let empty = text.is_empty() && style == ScalarStyle::Plain && !has_properties;
                    if empty && self.open.is_empty() {
                        // A document without content.
                        continue;
                    }
                    let range = if empty {
                        self.empty_range(start)
                    } else {
                        self.scalar_range(range, style, has_properties)
                    };
                    let text = match style {
                        ScalarStyle::Literal | ScalarStyle::Folded
                            if range.end == self.text.len() =>
                        {
                            self.as_it_ends(&text)
                        }
                        _ => &text,
                    };
                    let is_key = self.expects_key();
                    if !is_key || anchor > 0 {
                        let kind = scalar(text, style, tag.as_deref())
                            .map_err(|reason| Refusal::new(range.clone(), reason))?;
                        let value = Value { kind, span: self.span(&range) };
                        self.keep_anchored(anchor, &value, &range)?;
                        if !is_key {
                            self.attach_value(value, range.end);
                        }
                    }
                    if is_key {
                        self.attach_key(text.into(), range);
                    }
                }
                Event::SequenceStart(anchor, _) => {
                    self.open(Content::List(Vec::new()), range, anchor)?;
                }
                Event::MappingStart(anchor, _) => {
                    self.open(Content::Object(Object::default(), None), range, anchor)?;
                }
                Event::SequenceEnd | Event::MappingEnd => self.close(start)?,
                Event::Alias(anchor) => self.alias(anchor, range)?,
                Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => {}
            }
        }
        Ok(())
    }

    /// Two things would make all later places wrong, or hide the rest of the file.
    fn refuse_what_the_parser_gets_wrong(&self) -> Result<(), Refusal> {
        // It takes this character for the end of the file.
        if let Some(at) = memchr::memchr(0, self.text.as_bytes()) {
            return Err(Refusal::new(at..at + 1, "YAML cannot hold the character U+0000"));
        }
        // It counts the bytes of an unknown directive instead of its characters.
        let mut start = 0;
        for line in self.text.split_inclusive(['\n', '\r']) {
            match line.trim_start().as_bytes() {
                [b'%', ..] if !line.is_ascii() => {
                    let range = start..start + line.trim_end().len();
                    return Err(Refusal::new(range, "YAML has no such directive"));
                }
                [] | [b'#' | b'%', ..] | [b'.', b'.', b'.', ..] => start += line.len(),
                _ => break,
            }
        }
        Ok(())
    }

    fn refusal(&self, error: &ScanError) -> Refusal {
        let start = self.positions.byte(error.marker().index());
        Refusal::new(self.char_at(start), reason(error.info()))
    }

    fn span(&self, range: &Range<usize>) -> Span {
        Span::from(range.start + self.bom..range.end + self.bom)
    }

    /// One character, or nothing at the end of a line.
    fn char_at(&self, start: usize) -> Range<usize> {
        match self.text[start..].chars().next() {
            None | Some('\n' | '\r') => start..start,
            Some(char) => start..start + char.len_utf8(),
        }
    }

    fn expects_key(&self) -> bool {
        matches!(self.open.last(), Some(Collection { content: Content::Object(_, None), .. }))
    }

    /// Where nothing was written: behind the colon or the key it belongs to.
    fn empty_range(&self, start: usize) -> Range<usize> {
        let at = match self.open.last() {
            Some(Collection { content: Content::Object(_, Some((_, key))), .. }) => {
                if self.text[start..].starts_with(':') { start + 1 } else { key.end }
            }
            _ => start,
        };
        at..at
    }

    /// Where a scalar stands, without its anchor and its tag.
    fn scalar_range(
        &self,
        range: Range<usize>,
        style: ScalarStyle,
        has_properties: bool,
    ) -> Range<usize> {
        let start = match has_properties {
            true => self.skip_properties(range.start).min(range.end),
            false => range.start,
        };
        let written = &self.text[start..range.end];
        let len = match style {
            ScalarStyle::Plain => written.len(),
            // The parser adds what follows on the same line.
            ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => quoted_len(written),
            // The parser goes on to the next line that holds something.
            ScalarStyle::Literal | ScalarStyle::Folded => written.trim_end().len(),
        };
        start..start + len
    }

    /// What stands in lines at the end of the file: the parser ends the last one with a break even
    /// if the file does not.
    fn as_it_ends<'t>(&self, text: &'t str) -> &'t str {
        let last_line = self.text.rsplit(['\n', '\r']).next().unwrap_or_default();
        let last_line = last_line.trim_start_matches(' ');
        let body = text.strip_suffix('\n').unwrap_or(text);
        let is_last = !last_line.is_empty() && body.ends_with(last_line);
        if is_last { body } else { text }
    }

    /// The first byte at or after `start` that belongs to no anchor, tag, blank or comment.
    fn skip_properties(&self, mut start: usize) -> usize {
        loop {
            let rest = &self.text[start..];
            start += match rest.as_bytes() {
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

    fn open(
        &mut self,
        content: Content,
        range: Range<usize>,
        anchor: usize,
    ) -> Result<(), Refusal> {
        // What has no bracket ends where its first part starts, if not before.
        let start = match range.is_empty() {
            true => range.start,
            false => self.skip_properties(range.start).min(range.end),
        };
        let bracketed = start < range.end && self.text[start..].starts_with(['[', '{']);
        let start = match content {
            Content::List(_) if range.is_empty() => self.dash_before(start).unwrap_or(start),
            _ => start,
        };
        if self.open.len() >= MAX_DEPTH {
            return Err(Refusal::new(self.char_at(start), NESTED_TOO_DEEPLY));
        }
        self.open.push(Collection { content, start, end: start, bracketed, anchor });
        Ok(())
    }

    /// The parser points behind the first dash of a list that is not indented
    /// more than the key it belongs to. Such a dash begins its line.
    fn dash_before(&self, start: usize) -> Option<usize> {
        let Some(Collection { content: Content::Object(..), .. }) = self.open.last() else {
            return None;
        };
        let line = &self.text[..start];
        let line = &line[line.rfind(['\n', '\r']).map_or(0, |at| at + 1)..];
        let rest = line.trim_start().strip_prefix('-')?.trim_start();
        let dash = start - line.trim_start().len();
        (rest.is_empty() || rest.starts_with('#')).then_some(dash)
    }

    fn close(&mut self, closer: usize) -> Result<(), Refusal> {
        let Some(Collection { content, start, end, bracketed, anchor }) = self.open.pop() else {
            return Ok(());
        };
        let range = start..if bracketed { closer + 1 } else { end };
        let kind = match content {
            Content::List(items) => ValueKind::List(items),
            Content::Object(object, _) => ValueKind::Object(object),
        };
        let value = Value { kind, span: self.span(&range) };
        self.keep_anchored(anchor, &value, &range)?;
        if self.expects_key() {
            self.attach_key(self.written(&range), range);
        } else {
            self.attach_value(value, range.end);
        }
        Ok(())
    }

    fn written(&self, range: &Range<usize>) -> Box<str> {
        self.text.get(range.clone()).unwrap_or_default().into()
    }

    fn attach_key(&mut self, key: Box<str>, range: Range<usize>) {
        if let Some(Collection { content: Content::Object(_, next), end, .. }) =
            self.open.last_mut()
        {
            *end = range.end;
            *next = Some((key, range));
        }
    }

    fn attach_value(&mut self, value: Value, value_end: usize) {
        let Some(Collection { content, end, .. }) = self.open.last_mut() else {
            self.root = Some(value);
            return;
        };
        *end = value_end.max(*end);
        match content {
            Content::List(items) => items.push(value),
            Content::Object(object, key) => {
                if let Some((key, range)) = key.take() {
                    let key_span = Span::from(range.start + self.bom..range.end + self.bom);
                    self.entries.insert(object, Entry { key, key_span, value });
                }
            }
        }
    }

    fn keep_anchored(
        &mut self,
        anchor: usize,
        value: &Value,
        range: &Range<usize>,
    ) -> Result<(), Refusal> {
        if anchor > 0 {
            let size = Size::of(value);
            self.count_copy(size.bytes, range)?;
            self.anchors.insert(anchor, Anchored { value: value.clone(), size });
        }
        Ok(())
    }

    fn alias(&mut self, anchor: usize, range: Range<usize>) -> Result<(), Refusal> {
        let Some(Anchored { value, size }) = self.anchors.get(&anchor) else {
            let reason = "this alias stands inside the value that it names";
            return Err(Refusal::new(range, reason));
        };
        if self.open.len() + size.depth > MAX_DEPTH {
            return Err(Refusal::new(range, NESTED_TOO_DEEPLY));
        }
        if self.expects_key() {
            let key = match &value.kind {
                ValueKind::String(text) => text.clone(),
                _ => {
                    let span = value.span.range();
                    self.written(&(span.start - self.bom..span.end - self.bom))
                }
            };
            self.count_copy(key.len(), &range)?;
            self.attach_key(key, range);
        } else {
            let bytes = size.bytes;
            self.count_copy(bytes, &range)?;
            let Some(Anchored { value, .. }) = self.anchors.get(&anchor) else {
                return Ok(());
            };
            let value = Value { kind: value.kind.clone(), span: self.span(&range) };
            self.attach_value(value, range.end);
        }
        Ok(())
    }

    fn count_copy(&mut self, bytes: usize, range: &Range<usize>) -> Result<(), Refusal> {
        self.copied_bytes = self.copied_bytes.saturating_add(bytes);
        if self.copied_bytes > MAX_COPIED_BYTES {
            let reason = "the aliases of this file repeat more than 16 MiB";
            return Err(Refusal::new(self.char_at(range.start), reason));
        }
        Ok(())
    }
}

/// What a copy of a value takes.
struct Size {
    bytes: usize,
    /// 0 for a scalar.
    depth: usize,
}

impl Size {
    fn of(value: &Value) -> Size {
        let mut size = Size { bytes: size_of::<Value>(), depth: 0 };
        match &value.kind {
            ValueKind::String(text) | ValueKind::Number(text) => size.bytes += text.len(),
            ValueKind::List(items) => {
                size.depth = 1;
                items.iter().for_each(|item| size.add(0, item));
            }
            ValueKind::Object(object) => {
                size.depth = 1;
                for entry in object.entries() {
                    size.add(size_of::<Entry>() + entry.key.len(), &entry.value);
                }
            }
            ValueKind::Null | ValueKind::Bool(_) | ValueKind::File(_) => {}
        }
        size
    }

    fn add(&mut self, bytes: usize, part: &Value) {
        let part = Size::of(part);
        self.bytes += bytes + part.bytes;
        self.depth = self.depth.max(part.depth + 1);
    }
}

/// How many bytes a quoted text has, its quotes included.
fn quoted_len(written: &str) -> usize {
    let bytes = written.as_bytes();
    let mut at = 1;
    while at < bytes.len() {
        match (bytes[0], bytes[at]) {
            (b'"', b'\\') => at += 2,
            (b'\'', b'\'') if bytes.get(at + 1) == Some(&b'\'') => at += 2,
            (quote, byte) if quote == byte => return at + 1,
            _ => at += 1,
        }
    }
    written.len()
}

/// The parser's reason in words that do not need its source to be understood.
fn reason(info: &str) -> String {
    let words = match info {
        "recursion limit exceeded" => NESTED_TOO_DEEPLY,
        "simple key expect ':'" | "simple key expected" => "expected a colon after the key",
        "mapping values are not allowed in this context" => {
            "a key cannot stand here; indent it, or put the text in quotes"
        }
        "while parsing node, found unknown anchor" => "no anchor before this alias has its name",
        "did not find expected <document start>" => "expected the end of the file",
        "block sequence entries are not allowed in this context" => {
            "a list cannot start here; write `- ` on a new line"
        }
        "misplaced bracket" => "this bracket closes nothing",
        "the handle wasn't declared" => "the handle of this tag is not declared",
        "invalid indentation" => "this line must be indented",
        "invalid indentation in quoted scalar" => {
            "this quoted text is never closed; add the quote, or indent its next line"
        }
        "while parsing a quoted scalar, found unknown escape character" => {
            "YAML has no such escape; write `\\\\` for a backslash"
        }
        "while parsing a flow sequence, expected ',' or ']'" => "expected a comma or `]`",
        "while parsing a flow mapping, did not find expected ',' or '}'" => {
            "expected a comma or `}`"
        }
        "while parsing a block collection, did not find expected '-' indicator" => {
            "expected `- ` at this indentation"
        }
        _ if info.starts_with("unexpected character") => {
            "a text cannot start with this character; put it in quotes"
        }
        "while parsing a block mapping, did not find expected key" => {
            "expected a key at this indentation"
        }
        "while scanning a quoted scalar, found unexpected end of stream" => {
            "this file ends inside a quoted text; add the closing quote"
        }
        "tabs disallowed within this context (block indentation)"
        | "tabs disallowed in this context"
        | "tab cannot be used as indentation"
        | "a block scalar content cannot start with a tab" => {
            "a tab cannot indent YAML; use spaces"
        }
        _ => {
            let known = info.strip_prefix("while ").and_then(|rest| rest.split_once(", "));
            let words = known.map_or(info, |(_, words)| words);
            return match words.strip_prefix("did not find ") {
                Some(expected) => expected.to_owned(),
                None => words.to_owned(),
            };
        }
    };
    words.to_owned()
}

#[cfg(test)]
mod tests;
