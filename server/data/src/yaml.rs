//! YAML: a stream of documents.
//!
//! The grammar is that of the `saphyr-parser` crate. Its events are assembled without recursion,
//! and targets of aliases are not copied, so that aliases of aliases are cheap. Its positions are
//! in characters; [`Positions`] converts them to bytes.
//!
//! Plain scalars follow the core schema, and numbers are in JSON notation: the text of the file if
//! JSON allows it, else the JSON text of the same value (`0x1F` is `31`, `+.5` is `0.5`). `.inf`,
//! `.nan` and integers beyond 128 bits in hex have no such text: they are strings, in source form.
//! `<<` is an ordinary key.

mod meaning;
mod positions;

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use saphyr_parser::{Event, Parser, ScalarStyle, ScanError, Tag};

use crate::format::Format;
use crate::limits::{COPIES_TOO_LARGE, MAX_COPIED_BYTES, MAX_DEPTH, NESTED_TOO_DEEPLY};
use crate::refusal::Refusal;
use crate::tree::{At, NodeRanges, NodeValue, Tree, TreeDocument};
use meaning::scalar;
use positions::Positions;

/// The values of a file from an offset on. Fails for invalid YAML.
pub(crate) fn read(source: &str, start: usize) -> Result<Tree<'_>, Refusal> {
    let text = &source[start..];
    refuse_what_the_parser_gets_wrong(text, start)?;
    let positions = Positions::new(text);
    let mut reader = YamlReader {
        source,
        tree: Tree::new(source, Format::Yaml),
        open: Vec::new(),
        anchors: HashMap::new(),
        copied_bytes: 0,
        at: start,
    };
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error: ScanError| {
            let at = start + positions.byte(error.marker().index());
            Refusal::new(reader.char_at(at), reason(error.info()))
        })?;
        let from = start + positions.byte(span.start.index());
        let to = start + positions.byte(span.end.index());
        reader.take(event, from..to.max(from))?;
    }
    Ok(reader.tree)
}

/// Rejects two inputs that would make all later ranges wrong, or hide the rest of the file. The
/// parser treats U+0000 as the end, and counts the bytes of an unknown directive instead of its
/// characters.
fn refuse_what_the_parser_gets_wrong(text: &str, offset: usize) -> Result<(), Refusal> {
    if let Some(at) = memchr::memchr(0, text.as_bytes()) {
        let at = offset + at;
        return Err(Refusal::new(at..at + 1, "YAML cannot contain the character U+0000"));
    }
    let mut start = offset;
    // Directives are allowed before a document, and after the line that ends one.
    let mut is_before_document = true;
    for line in text.split_inclusive(['\n', '\r']) {
        match line.as_bytes() {
            [b'.', b'.', b'.', ..] => is_before_document = true,
            _ if !is_before_document => {}
            _ => match line.trim_start().as_bytes() {
                [b'%', ..] if !line.is_ascii() => {
                    let range = start..start + line.trim_end().len();
                    return Err(Refusal::new(range, "YAML has no such directive"));
                }
                [] | [b'#' | b'%', ..] => {}
                _ => is_before_document = false,
            },
        }
        start += line.len();
    }
    Ok(())
}

struct YamlReader<'s> {
    /// The file up to the end of the YAML.
    source: &'s str,
    tree: Tree<'s>,
    /// The open collections, the outermost first.
    open: Vec<Open<'s>>,
    /// Completed values with an anchor.
    anchors: HashMap<usize, Anchored<'s>>,
    /// The number of bytes copied for aliases that are keys.
    copied_bytes: usize,
    /// The end of what was read so far.
    at: usize,
}

/// A list or an object that is not closed yet.
struct Open<'s> {
    number: usize,
    is_object: bool,
    is_bracketed: bool,
    /// `true` if it is a key.
    is_key: bool,
    anchor: usize,
    /// The key of the next value.
    key: Option<NextKey<'s>>,
    /// The number of items of a list so far.
    items: usize,
    /// The end of its content so far.
    end: usize,
}

struct NextKey<'s> {
    text: Cow<'s, str>,
    range: Range<usize>,
    entry_start: usize,
}

/// The target of an alias.
enum Anchored<'s> {
    /// The number of a value.
    Value(usize),
    /// A scalar that is a key, with its range.
    Key(NodeValue<'s>, Range<usize>),
}

impl<'s> YamlReader<'s> {
    fn take(&mut self, event: Event<'s>, range: Range<usize>) -> Result<(), Refusal> {
        match event {
            Event::DocumentStart(_) => {
                self.tree.documents.push(TreeDocument { root: None, start: range.start });
                self.at = range.end;
                Ok(())
            }
            Event::Scalar(text, style, anchor, tag) => {
                self.scalar(text, style, anchor, tag.as_deref(), range)
            }
            Event::SequenceStart(anchor, _) => self.open(NodeValue::List, anchor, range),
            Event::MappingStart(anchor, _) => self.open(NodeValue::Object, anchor, range),
            Event::SequenceEnd | Event::MappingEnd => self.close(range.start),
            Event::Alias(anchor) => self.alias(anchor, range),
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => Ok(()),
        }
    }

    fn scalar(
        &mut self,
        text: Cow<'s, str>,
        style: ScalarStyle,
        anchor: usize,
        tag: Option<&Tag>,
        range: Range<usize>,
    ) -> Result<(), Refusal> {
        let has_properties = anchor > 0 || tag.is_some();
        let is_nothing = text.is_empty() && style == ScalarStyle::Plain && !has_properties;
        if is_nothing && self.open.is_empty() {
            // A document without content.
            return Ok(());
        }
        let place = match is_nothing {
            true => NodeRanges::from(self.empty_range(range.start)),
            false => self.place(range, style, has_properties),
        };
        let body = place.body.clone();
        self.at = self.at.max(body.end);
        let is_block = matches!(style, ScalarStyle::Literal | ScalarStyle::Folded);
        let text = match is_block && body.end == self.source.len() {
            true => self.as_it_ends(text),
            false => text,
        };
        let kind = |text| scalar(text, style, tag).map_err(|it| Refusal::new(body.clone(), it));
        if !self.expects_key() {
            let number = self.add(kind(text)?, place);
            self.name(anchor, Anchored::Value(number));
            return Ok(());
        }
        if anchor > 0 {
            self.name(anchor, Anchored::Key(kind(text.clone())?, body.clone()));
        }
        self.set_key(NextKey { text, range: body, entry_start: place.range.start });
        Ok(())
    }

    fn alias(&mut self, anchor: usize, range: Range<usize>) -> Result<(), Refusal> {
        self.at = range.end;
        let Some(anchored) = self.anchors.get(&anchor) else {
            let reason = "this alias is inside the value that it refers to";
            return Err(Refusal::new(range, reason));
        };
        if !self.expects_key() {
            let kind = match anchored {
                Anchored::Value(number) => NodeValue::Alias(*number),
                Anchored::Key(kind, _) => kind.clone(),
            };
            self.add(kind, range.into());
            return Ok(());
        }
        let (kind, written) = match anchored {
            Anchored::Value(number) => {
                let node = &self.tree.nodes[*number];
                (&node.kind, node.body.range())
            }
            Anchored::Key(kind, written) => (kind, written.clone()),
        };
        let text = match kind {
            NodeValue::String { text, .. } => text.clone(),
            _ => self.written(&written),
        };
        self.copied_bytes += text.len();
        if self.copied_bytes > MAX_COPIED_BYTES {
            return Err(Refusal::new(self.char_at(range.start), COPIES_TOO_LARGE));
        }
        let entry_start = range.start;
        self.set_key(NextKey { text, range, entry_start });
        Ok(())
    }

    fn open(
        &mut self,
        kind: NodeValue<'s>,
        anchor: usize,
        range: Range<usize>,
    ) -> Result<(), Refusal> {
        // A collection without brackets starts no later than its first part.
        let start = match range.is_empty() {
            true => range.start,
            false => self.skip(range.start, b"").min(range.end),
        };
        let is_bracketed = start < range.end && self.source[start..].starts_with(['[', '{']);
        let is_object = kind == NodeValue::Object;
        let start = match !is_object && range.is_empty() {
            true => self.dash_before(start).unwrap_or(start),
            false => start,
        };
        if self.open.len() >= MAX_DEPTH {
            return Err(Refusal::new(self.char_at(start), NESTED_TOO_DEEPLY));
        }
        self.at = self.at.max(start);
        let is_key = self.expects_key();
        let place = NodeRanges::from(start..start);
        // A collection that is a key is removed again at its end.
        let number = if is_key { self.tree.push_root(kind, place) } else { self.add(kind, place) };
        self.open.push(Open {
            number,
            is_object,
            is_bracketed,
            is_key,
            anchor,
            key: None,
            items: 0,
            end: start,
        });
        Ok(())
    }

    fn close(&mut self, closer: usize) -> Result<(), Refusal> {
        let Some(Open { number, is_bracketed, is_key, anchor, end, .. }) = self.open.pop() else {
            return Ok(());
        };
        let end = if is_bracketed { closer + 1 } else { end };
        self.at = self.at.max(end);
        self.tree.close(number, end);
        if let Some(around) = self.open.last_mut() {
            around.end = end.max(around.end);
        }
        if !is_key {
            self.name(anchor, Anchored::Value(number));
            return Ok(());
        }
        let range = self.tree.nodes[number].span.range();
        self.tree.nodes.truncate(number);
        self.anchors.retain(|_, it| !matches!(it, Anchored::Value(value) if *value >= number));
        let text = self.written(&range);
        if anchor > 0 {
            let kind = NodeValue::String { text: text.clone(), is_certain: false };
            self.name(anchor, Anchored::Key(kind, range.clone()));
        }
        let entry_start = range.start;
        self.set_key(NextKey { text, range, entry_start });
        Ok(())
    }

    /// Adds a value at the expected place, and returns its number.
    fn add(&mut self, kind: NodeValue<'s>, place: NodeRanges) -> usize {
        let number = self.tree.nodes.len();
        let Some(open) = self.open.last_mut() else {
            if let Some(document) = self.tree.documents.last_mut() {
                document.root = Some(number);
            }
            return self.tree.push_root(kind, place);
        };
        open.end = place.body.end.max(open.end);
        let start = place.range.start;
        let parent = open.number;
        let at = match open.key.take() {
            Some(NextKey { text, range, entry_start }) => {
                At { entry_start, ..At::member(parent, text, range) }
            }
            None => {
                open.items += 1;
                At::item(parent, open.items - 1, start)
            }
        };
        self.tree.push(at, kind, place)
    }

    /// Records the target of an anchor.
    fn name(&mut self, anchor: usize, anchored: Anchored<'s>) {
        if anchor > 0 {
            self.anchors.insert(anchor, anchored);
        }
    }

    fn expects_key(&self) -> bool {
        self.open.last().is_some_and(|open| open.is_object && open.key.is_none())
    }

    fn set_key(&mut self, key: NextKey<'s>) {
        if let Some(open) = self.open.last_mut() {
            open.end = key.range.end.max(open.end);
            open.key = Some(key);
        }
    }

    /// The range of one character; empty at the end of a line.
    fn char_at(&self, start: usize) -> Range<usize> {
        match self.source[start..].chars().next() {
            None | Some('\n' | '\r') => start..start,
            Some(char) => start..start + char.len_utf8(),
        }
    }

    fn written(&self, range: &Range<usize>) -> Cow<'s, str> {
        self.source.get(range.clone()).unwrap_or_default().into()
    }

    /// The range of an omitted value: after the colon or the key that it belongs to.
    fn empty_range(&self, start: usize) -> Range<usize> {
        let key = self.open.last().and_then(|open| open.key.as_ref());
        let at = match key {
            Some(_) if self.source[start..].starts_with(':') => start + 1,
            Some(key) => key.range.end,
            None => start,
        };
        at..at
    }

    /// The ranges of a scalar, without its anchor and its tag.
    fn place(&self, range: Range<usize>, style: ScalarStyle, has_properties: bool) -> NodeRanges {
        let start = match has_properties {
            true => self.skip(range.start, b"").min(range.end),
            false => range.start,
        };
        let written = &self.source[start..range.end];
        match style {
            ScalarStyle::Plain => NodeRanges::from(start..range.end),
            // The parser includes what follows on the same line.
            ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => {
                NodeRanges::from(start..start + quoted_len(written))
            }
            // The parser starts at the first line, and continues to the next non-empty line.
            ScalarStyle::Literal | ScalarStyle::Folded => {
                let sign = self.skip(self.at, b":-?").min(range.end);
                let start = range.start.max(sign);
                let end = sign + self.source[sign..range.end].trim_end().len();
                NodeRanges { range: sign..end, body: start..end.max(start) }
            }
        }
    }

    /// The text of a block scalar at the end of the file: the parser ends the last line with a
    /// break even if the file does not.
    fn as_it_ends(&self, text: Cow<'s, str>) -> Cow<'s, str> {
        let last_line = self.source.rsplit(['\n', '\r']).next().unwrap_or_default();
        let last_line = last_line.trim_start_matches(' ');
        let body = text.strip_suffix('\n').unwrap_or(&text);
        let is_last = !last_line.is_empty() && body.ends_with(last_line);
        if is_last { body.to_owned().into() } else { text }
    }

    /// For a list that is not indented more than its key, the parser points after the first dash.
    /// Such a dash is at the start of its line.
    fn dash_before(&self, start: usize) -> Option<usize> {
        self.open.last().filter(|open| open.is_object)?;
        let line = &self.source[..start];
        let line = &line[line.rfind(['\n', '\r']).map_or(0, |at| at + 1)..];
        let rest = line.trim_start().strip_prefix('-')?.trim_start();
        let dash = start - line.trim_start().len();
        (rest.is_empty() || rest.starts_with('#')).then_some(dash)
    }

    /// The first byte at or after `start` that is outside of anchors, tags, whitespace and
    /// comments, and is none of these marks.
    fn skip(&self, mut start: usize, marks: &[u8]) -> usize {
        loop {
            let rest = &self.source[start..];
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

/// The length of the quoted string at the start of a text.
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

/// The parser's error, rephrased so that it makes sense without its source.
fn reason(info: &str) -> String {
    let words = match info {
        "recursion limit exceeded" => NESTED_TOO_DEEPLY,
        "simple key expect ':'" | "simple key expected" => "expected a colon after the key",
        "mapping values are not allowed in this context" => {
            "a key is not allowed here; indent it, or put the text in quotes"
        }
        "while parsing node, found unknown anchor" => "there is no anchor for this alias before it",
        "did not find expected <document start>" => "expected the end of the file",
        "block sequence entries are not allowed in this context" => {
            "a list is not allowed here; write `- ` on a new line"
        }
        "misplaced bracket" => "unexpected closing bracket",
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
