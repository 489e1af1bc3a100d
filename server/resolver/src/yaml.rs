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

use std::collections::HashMap;
use std::ops::Range;

use saphyr_parser::{Event, Parser, ScalarStyle, ScanError, Tag};

use crate::inputs::{Entries, Parsed, invalid, without_bom};
use crate::problem::FileId;
use crate::value::{Entry, Object, Span, Value, ValueKind};

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
                    let is_key = self.expects_key();
                    if !is_key || anchor > 0 {
                        let kind = scalar(&text, style, tag.as_deref())
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

/// What a scalar means, or why it cannot mean what its tag says.
fn scalar(text: &str, style: ScalarStyle, tag: Option<&Tag>) -> Result<ValueKind, String> {
    let string = || ValueKind::String(text.into());
    let by_style = || match style {
        ScalarStyle::Plain => plain(text),
        _ => string(),
    };
    let Some(Tag { handle, suffix }) = tag else {
        return Ok(by_style());
    };

    let name = format!("{handle}{suffix}");
    let Some(name) = name.strip_prefix("tag:yaml.org,2002:") else {
        // `!` alone means: not what it looks like. All other tags are somebody else's.
        return Ok(if name == "!" { string() } else { by_style() });
    };
    let kind = match name {
        "str" => return Ok(string()),
        "null" | "bool" | "int" | "float" => plain(text),
        _ => return Ok(by_style()),
    };
    let fits = match (name, &kind) {
        ("null", ValueKind::Null) | ("bool", ValueKind::Bool(_)) => true,
        ("int", ValueKind::Number(number)) => !number.contains(['.', 'e', 'E']),
        ("float", ValueKind::Number(_)) => true,
        ("float", ValueKind::String(_)) => is_not_finite(text),
        _ => false,
    };
    match fits {
        true => Ok(kind),
        false => Err(format!("this is not what its tag `!!{name}` says")),
    }
}

/// What a plain scalar means in the core schema.
fn plain(text: &str) -> ValueKind {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => ValueKind::Null,
        "true" | "True" | "TRUE" => ValueKind::Bool(true),
        "false" | "False" | "FALSE" => ValueKind::Bool(false),
        _ => match number(text) {
            Some(number) => ValueKind::Number(number),
            None => ValueKind::String(text.into()),
        },
    }
}

fn is_not_finite(text: &str) -> bool {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    matches!(unsigned, ".inf" | ".Inf" | ".INF") || matches!(text, ".nan" | ".NaN" | ".NAN")
}

/// The JSON text of a number of the core schema; `None` for all other texts.
fn number(text: &str) -> Option<Box<str>> {
    if !text.starts_with(|char: char| char.is_ascii_digit() || "+-.".contains(char)) {
        return None;
    }
    let in_base = |digits: &str, base| match digits.starts_with('+') {
        true => None,
        false => u128::from_str_radix(digits, base).ok().map(|value| value.to_string().into()),
    };
    if let Some(digits) = text.strip_prefix("0x") {
        return in_base(digits, 16);
    }
    if let Some(digits) = text.strip_prefix("0o") {
        return in_base(digits, 8);
    }

    let all_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (mantissa, exponent) = match unsigned.find(['e', 'E']) {
        Some(at) => unsigned.split_at(at),
        None => (unsigned, ""),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let has_digits = !whole.is_empty() || fraction.is_some_and(|fraction| !fraction.is_empty());
    if !has_digits || !all_digits(whole) || !all_digits(fraction.unwrap_or_default()) {
        return None;
    }
    if let Some(exponent) = exponent.get(1..) {
        let digits = exponent.strip_prefix(['-', '+']).unwrap_or(exponent);
        if digits.is_empty() || !all_digits(digits) {
            return None;
        }
    }

    let is_json = !text.starts_with('+')
        && (whole == "0" || !whole.is_empty() && !whole.starts_with('0'))
        && fraction != Some("");
    if is_json {
        return Some(text.into());
    }
    let sign = if text.starts_with('-') { "-" } else { "" };
    let whole = match whole.trim_start_matches('0') {
        "" => "0",
        digits => digits,
    };
    Some(match fraction {
        None => format!("{sign}{whole}{exponent}").into(),
        Some("") => format!("{sign}{whole}.0{exponent}").into(),
        Some(fraction) => format!("{sign}{whole}.{fraction}{exponent}").into(),
    })
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

/// Turns the parser's positions, in characters, into bytes.
struct Positions<'a> {
    text: &'a str,
    /// The byte at which every [`STRIDE`]th character starts; empty if all are one byte long.
    starts: Vec<usize>,
}

/// At most so many characters are counted for a position.
const STRIDE: usize = 64;

impl<'a> Positions<'a> {
    fn new(text: &'a str) -> Self {
        let starts = match text.is_ascii() {
            true => Vec::new(),
            false => text.char_indices().step_by(STRIDE).map(|(byte, _)| byte).collect(),
        };
        Positions { text, starts }
    }

    /// Cost: constant. A position behind the end is the end.
    fn byte(&self, char_index: usize) -> usize {
        let end = self.text.len();
        if self.starts.is_empty() {
            return char_index.min(end);
        }
        let Some(&start) = self.starts.get(char_index / STRIDE) else {
            return end;
        };
        let mut chars = self.text[start..].char_indices();
        chars.nth(char_index % STRIDE).map_or(end, |(byte, _)| start + byte)
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use proptest::prelude::*;

    use super::*;
    use crate::inputs::tests::{assert_spans_fit, outline, outline_problems};
    use crate::json::tests::json;

    #[track_caller]
    fn check(text: &str, expected: Expect) {
        let parsed = parse(text, FileId(1));
        assert_spans_fit(text, &parsed);
        let value = parsed.value.map_or("nothing\n".to_owned(), |value| outline(&value));
        expected.assert_eq(&(value + &outline_problems(&parsed.problems)));
    }

    /// Shows the text that stands at the place of every key and scalar.
    #[track_caller]
    fn check_places(text: &str, expected: Expect) {
        fn write(text: &str, value: &Value, places: &mut String) {
            places.push_str(&format!("{:?}\n", &text[value.span.range()]));
            for item in value.as_list().unwrap_or_default() {
                write(text, item, places);
            }
            for entry in value.as_object().map(Object::entries).unwrap_or_default() {
                places.push_str(&format!("{:?}: ", &text[entry.key_span.range()]));
                write(text, &entry.value, places);
            }
        }
        let mut places = String::new();
        let value = parse(text, FileId(1)).value.unwrap();
        write(text, &value, &mut places);
        expected.assert_eq(&places);
    }

    #[test]
    fn every_kind_of_value_has_its_place() {
        check(
            "a: ~\nb:\n  - true\n  - 1.50\n  - \"x\\ny\"\nü: {}\n",
            expect![[r#"
                0..43 object
                  0..1 a: 3..4 null
                  5..6 b: 10..36 list
                    12..16 true
                    21..25 number 1.50
                    30..36 string "x\ny"
                  37..39 ü: 41..43 object
            "#]],
        );
    }

    #[test]
    fn plain_scalars_follow_the_core_schema() {
        check(
            "[null, Null, NULL, ~, nULL, true, True, FALSE, yes, no, on]",
            expect![[r#"
                0..59 list
                  1..5 null
                  7..11 null
                  13..17 null
                  19..20 null
                  22..26 string "nULL"
                  28..32 true
                  34..38 true
                  40..45 false
                  47..50 string "yes"
                  52..54 string "no"
                  56..58 string "on"
            "#]],
        );
    }

    #[test]
    fn numbers_that_json_can_write_keep_their_text() {
        check(
            "[0, -0, 1.50, 1e2, 1.0E+05, 123456789012345678901234567890]",
            expect![[r#"
            0..59 list
              1..2 number 0
              4..6 number -0
              8..12 number 1.50
              14..17 number 1e2
              19..26 number 1.0E+05
              28..58 number 123456789012345678901234567890
        "#]],
        );
    }

    #[test]
    fn numbers_that_json_cannot_write_become_json() {
        for (text, expected) in [
            ("0x1F", "31"),
            ("0o17", "15"),
            ("0xffffffffffffffffffffffffffffffff", "340282366920938463463374607431768211455"),
            ("+1", "1"),
            ("007", "7"),
            ("-00", "-0"),
            (".5", "0.5"),
            ("+.5", "0.5"),
            ("-.5e3", "-0.5e3"),
            ("5.", "5.0"),
            ("5.e3", "5.0e3"),
            ("00.50", "0.50"),
        ] {
            assert_eq!(plain(text), ValueKind::Number(expected.into()), "{text}");
        }
    }

    #[test]
    fn what_is_no_number_in_json_is_a_string() {
        for text in [
            ".inf",
            "-.Inf",
            ".NAN",
            ".",
            "-",
            "+",
            "e5",
            ".e5",
            "1e",
            "1e+",
            "1_000",
            "0x",
            "0x+1",
            "-0x1",
            "0b1",
            "0o8",
            "1:30",
            "1.2.3",
            "12a",
            "2001-01-01",
            "0x100000000000000000000000000000000",
        ] {
            assert_eq!(plain(text), ValueKind::String(text.into()), "{text}");
        }
    }

    #[test]
    fn quoted_and_block_scalars_are_strings() {
        check(
            "a: '1'\nb: \"true\"\nc: |\n  1\nd: >-\n  null\n",
            expect![[r#"
            0..38 object
              0..1 a: 3..6 string "1"
              7..8 b: 10..16 string "true"
              17..18 c: 24..25 string "1\n"
              26..27 d: 34..38 string "null"
        "#]],
        );
    }

    #[test]
    fn tags_say_what_a_scalar_is() {
        check(
            "[!!str 1, ! 2, !!int \"3\", !!float 4, !!bool 'true', !!null '', !<tag:yaml.org,2002:str> 5, !mine 6, !!str ]",
            expect![[r#"
                0..107 list
                  7..8 string "1"
                  12..13 string "2"
                  21..24 number 3
                  34..35 number 4
                  44..50 true
                  59..61 null
                  88..89 string "5"
                  97..98 number 6
                  105..105 string ""
            "#]],
        );
        check(
            "a: !!int 1.5",
            expect![[r#"
            nothing
            1:9..12 error invalid-inputs: this is not what its tag `!!int` says
        "#]],
        );
        check(
            "a: !!float .nan",
            expect![[r#"
            0..15 object
              0..1 a: 11..15 string ".nan"
        "#]],
        );
    }

    #[test]
    fn keys_are_taken_as_written() {
        check(
            "1: a\ntrue: b\n~: c\n0x1F: d\n'e f': e\n[1, 2]: f\n? - g\n: h\n: i\n<<: j\n",
            expect![[r#"
                0..64 object
                  0..1 1: 3..4 string "a"
                  5..9 true: 11..12 string "b"
                  13..14 ~: 16..17 string "c"
                  18..22 0x1F: 24..25 string "d"
                  26..31 e f: 33..34 string "e"
                  35..41 [1, 2]: 43..44 string "f"
                  47..50 - g: 53..54 string "h"
                  55..55 : 57..58 string "i"
                  59..61 <<: 63..64 string "j"
            "#]],
        );
    }

    #[test]
    fn places_leave_out_blanks_comments_anchors_and_tags() {
        check_places(
            "a: b  # c\n'd' : 'it''s' # 'e'\n\"f\": \"\\\"\" # \"\ng: &g h \ni: !!str  &x\n  j\nk: [ 1 ] # ]\nl: &l { m: 1 } # }\n",
            expect![[r#"
                "a: b  # c\n'd' : 'it''s' # 'e'\n\"f\": \"\\\"\" # \"\ng: &g h \ni: !!str  &x\n  j\nk: [ 1 ] # ]\nl: &l { m: 1 }"
                "a": "b"
                "'d'": "'it''s'"
                "\"f\"": "\"\\\"\""
                "g": "h"
                "i": "j"
                "k": "[ 1 ]"
                "1"
                "l": "{ m: 1 }"
                "m": "1"
            "#]],
        );
    }

    #[test]
    fn places_of_block_collections_end_with_their_last_part() {
        check_places(
            "a:\n  b: 1\n  c:\n    - 2\n    -   3  # d\n\n# e\nf:\n- 4\n- - 5\n  - 6\n- g: 7\n  h: 8\n",
            expect![[r#"
                "a:\n  b: 1\n  c:\n    - 2\n    -   3  # d\n\n# e\nf:\n- 4\n- - 5\n  - 6\n- g: 7\n  h: 8"
                "a": "b: 1\n  c:\n    - 2\n    -   3"
                "b": "1"
                "c": "- 2\n    -   3"
                "2"
                "3"
                "f": "- 4\n- - 5\n  - 6\n- g: 7\n  h: 8"
                "4"
                "- 5\n  - 6"
                "5"
                "6"
                "g: 7\n  h: 8"
                "g": "7"
                "h": "8"
            "#]],
        );
        check_places(
            "a: &x # -\n- 1\nb: &y\n  c: 1\n? - d\n: - e\n",
            expect![[r#"
            "a: &x # -\n- 1\nb: &y\n  c: 1\n? - d\n: - e"
            "a": "- 1"
            "1"
            "b": "c: 1"
            "c": "1"
            "- d": "- e"
            "e"
        "#]],
        );
        check_places(
            "- ? - a\n- ?\n  - b\n- c:\n  - # d\n    e\n",
            expect![[r#"
            "- ? - a\n- ?\n  - b\n- c:\n  - # d\n    e"
            "? - a"
            "- a": ""
            "?\n  - b"
            "- b": ""
            "c:\n  - # d\n    e"
            "c": "- # d\n    e"
            "e"
        "#]],
        );
    }

    #[test]
    fn places_of_block_scalars_are_their_lines() {
        check_places(
            "a: |\n  x\n   y\n\nb: >-\n\n  z\n  z\nc: |+\n\nd: |2\n   q\n",
            expect![[r#"
                "a: |\n  x\n   y\n\nb: >-\n\n  z\n  z\nc: |+\n\nd: |2\n   q"
                "a": "x\n   y"
                "b": "z\n  z"
                "c": ""
                "d": " q"
            "#]],
        );
    }

    #[test]
    fn an_empty_value_stands_behind_its_key() {
        check(
            "a:\nb: # x\n? c\n? d\ne: {f, g: , h: }\ni:\n-\n- j\n",
            expect![[r#"
            0..43 object
              0..1 a: 2..2 null
              3..4 b: 5..5 null
              12..13 c: 13..13 null
              16..17 d: 17..17 null
              18..19 e: 21..34 object
                22..23 f: 23..23 null
                25..26 g: 27..27 null
                30..31 h: 32..32 null
              35..36 i: 38..43 list
                39..39 null
                42..43 string "j"
        "#]],
        );
    }

    #[test]
    fn places_are_bytes_where_characters_are_longer() {
        check_places(
            &format!("ü: \"é😀\" # {}\nß: [ä, {{ö: 😀}}]\n", "ü".repeat(200)),
            expect![[r#"
                "ü: \"é😀\" # üüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüü\nß: [ä, {ö: 😀}]"
                "ü": "\"é😀\""
                "ß": "[ä, {ö: 😀}]"
                "ä"
                "{ö: 😀}"
                "ö": "😀"
            "#]],
        );
        check_places(
            "ü: é\r\nß: |\r\n  ä\r\n  ö\r\nz: 1\r\n",
            expect![[r#"
            "ü: é\r\nß: |\r\n  ä\r\n  ö\r\nz: 1"
            "ü": "é"
            "ß": "ä\r\n  ö"
            "z": "1"
        "#]],
        );
    }

    #[test]
    fn a_file_may_start_with_a_byte_order_mark() {
        check(
            "\u{feff}ü: 1\nb:\n",
            expect![[r#"
            3..11 object
              3..5 ü: 7..8 number 1
              9..10 b: 11..11 null
        "#]],
        );
        check(
            "\u{feff}ü: 1\n b: ]",
            expect![[r#"
            nothing
            1:11..12 error invalid-inputs: a key cannot stand here; indent it, or put the text in quotes
        "#]],
        );
    }

    #[test]
    fn the_last_of_several_equal_keys_counts() {
        check(
            "a: 1\nb: 2\na: 3\n'a': 4\n",
            expect![[r#"
            0..21 object
              15..18 a: 20..21 number 4
              5..6 b: 8..9 number 2
            1:10..11 warning duplicate-key: `a` is written twice; the last one counts
              1:0..1 first written here
            1:15..18 warning duplicate-key: `a` is written twice; the last one counts
              1:0..1 first written here
        "#]],
        );
    }

    #[test]
    fn an_alias_repeats_the_value_of_its_anchor() {
        check(
            "a: &x [1, {b: c}]\nd: *x\n&k e: f\n*k : g\n",
            expect![[r#"
            0..38 object
              0..1 a: 6..17 list
                7..8 number 1
                10..16 object
                  11..12 b: 14..15 string "c"
              18..19 d: 21..23 list
                7..8 number 1
                10..16 object
                  11..12 b: 14..15 string "c"
              32..34 e: 37..38 string "g"
            1:32..34 warning duplicate-key: `e` is written twice; the last one counts
              1:27..28 first written here
        "#]],
        );
        check(
            "a: &x [1]\n*x : &y true\n*y : 3\n",
            expect![[r#"
            0..29 object
              0..1 a: 6..9 list
                7..8 number 1
              10..12 [1]: 18..22 true
              23..25 true: 28..29 number 3
        "#]],
        );
    }

    #[test]
    fn an_alias_needs_a_finished_anchor() {
        check(
            "a: *x\n",
            expect![[r#"
            nothing
            1:3..4 error invalid-inputs: no anchor before this alias has its name
        "#]],
        );
        check(
            "a: &x [*x]\n",
            expect![[r#"
            nothing
            1:7..9 error invalid-inputs: this alias stands inside the value that it names
        "#]],
        );
    }

    #[test]
    fn aliases_cannot_fill_the_memory() {
        let mut text = "a0: &a0 [lol]\n".to_owned();
        for level in 1..30 {
            let before = format!("*a{}", level - 1);
            text.push_str(&format!("a{level}: &a{level} [{}]\n", [&*before; 9].join(", ")));
        }
        check(
            &text,
            expect![[r#"
            nothing
            1:238..239 error invalid-inputs: the aliases of this file repeat more than 16 MiB
        "#]],
        );
    }

    #[test]
    fn aliases_cannot_nest_without_end() {
        let mut text = "a0: &a0 1\n".to_owned();
        for level in 1..7 {
            let (open, close) = ("[".repeat(100), "]".repeat(100));
            text.push_str(&format!("a{level}: &a{level} {open}*a{}{close}\n", level - 1));
        }
        let parsed = parse(&text, FileId(1));
        let [problem] = &parsed.problems[..] else { panic!("one problem") };
        assert_eq!(problem.message, NESTED_TOO_DEEPLY);
    }

    #[test]
    fn a_file_without_content_is_nothing() {
        for text in ["", " \n", "# a", "---", "---\n# a\n...\n", "%YAML 1.2\n---\n"] {
            check(
                text,
                expect![[r#"
                nothing
            "#]],
            );
        }
    }

    #[test]
    fn a_second_document_is_a_problem() {
        check(
            "---\na: 1\n---\nb: 2\n",
            expect![[r#"
            nothing
            1:9..10 error invalid-inputs: a second document starts here; the file may hold only one
        "#]],
        );
    }

    #[test]
    fn mistakes_are_named_at_their_place() {
        let mut actual = String::new();
        for text in [
            "a: b: c",
            "a: 1\n b: 2",
            "a: 1\nb",
            "a\nb: 1",
            "a: [1",
            "a: [1 2]\nb: }",
            "a: {b: 1",
            "a: ]",
            "a: 'x\nb: 1\n",
            "a: \"\\q\"",
            "a: \"\\ud800\"",
            "a:\n\t- b",
            "a: - b",
            "a: @b",
            "a: %b",
            "a: `b`",
            "a: &x",
            "- a\nb: 1",
            "'a':1",
            "a: !x!y 1",
            "a: b\0c: d",
            "%é\n---\na: 1",
            "a: \u{feff}b",
            "a: *",
            "a: |x\n  b",
        ] {
            let parsed = parse(text, FileId(1));
            assert_spans_fit(text, &parsed);
            let outcome = match &parsed.value {
                Some(value) => outline(value),
                None => outline_problems(&parsed.problems),
            };
            actual.push_str(&format!("{text:?}\n{outcome}"));
        }
        expect![[r#"
            "a: b: c"
            1:4..5 error invalid-inputs: a key cannot stand here; indent it, or put the text in quotes
            "a: 1\n b: 2"
            1:7..8 error invalid-inputs: a key cannot stand here; indent it, or put the text in quotes
            "a: 1\nb"
            1:6..6 error invalid-inputs: expected a colon after the key
            "a\nb: 1"
            1:3..4 error invalid-inputs: a key cannot stand here; indent it, or put the text in quotes
            "a: [1"
            1:5..5 error invalid-inputs: expected a comma or `]`
            "a: [1 2]\nb: }"
            1:12..13 error invalid-inputs: this bracket closes nothing
            "a: {b: 1"
            1:8..8 error invalid-inputs: expected a comma or `}`
            "a: ]"
            1:3..4 error invalid-inputs: this bracket closes nothing
            "a: 'x\nb: 1\n"
            1:3..4 error invalid-inputs: this quoted text is never closed; add the quote, or indent its next line
            "a: \"\\q\""
            1:3..4 error invalid-inputs: YAML has no such escape; write `\\` for a backslash
            "a: \"\\ud800\""
            1:3..4 error invalid-inputs: found invalid Unicode character escape code
            "a:\n\t- b"
            1:4..5 error invalid-inputs: a tab cannot indent YAML; use spaces
            "a: - b"
            1:3..4 error invalid-inputs: a list cannot start here; write `- ` on a new line
            "a: @b"
            1:3..4 error invalid-inputs: a text cannot start with this character; put it in quotes
            "a: %b"
            1:3..4 error invalid-inputs: a text cannot start with this character; put it in quotes
            "a: `b`"
            1:3..4 error invalid-inputs: a text cannot start with this character; put it in quotes
            "a: &x"
            0..5 object
              0..1 a: 5..5 null
            "- a\nb: 1"
            1:4..5 error invalid-inputs: expected `- ` at this indentation
            "'a':1"
            1:3..4 error invalid-inputs: expected the end of the file
            "a: !x!y 1"
            1:3..4 error invalid-inputs: the handle of this tag is not declared
            "a: b\0c: d"
            1:4..5 error invalid-inputs: YAML cannot hold the character U+0000
            "%é\n---\na: 1"
            1:0..3 error invalid-inputs: YAML has no such directive
            "a: \u{feff}b"
            1:3..6 error invalid-inputs: a byte order mark must not appear inside a document
            "a: *"
            1:3..4 error invalid-inputs: expected alphabetic or numeric character
            "a: |x\n  b"
            1:3..4 error invalid-inputs: expected comment or line break
        "#]].assert_eq(&actual);
    }

    #[test]
    fn endless_nesting_is_one_problem_and_takes_little_stack() {
        let in_a_small_stack = || {
            for text in [
                "[".repeat(100_000),
                "{a: ".repeat(100_000),
                "- ".repeat(100_000),
                "? ".repeat(100_000),
                "- ? ".repeat(100_000),
                (0..2_000).map(|depth| format!("{}a:\n", " ".repeat(depth))).collect(),
            ] {
                let parsed = parse(&text, FileId(1));
                assert_eq!(parsed.value, None);
                let [problem] = &parsed.problems[..] else { panic!("one problem") };
                assert_eq!(problem.message, NESTED_TOO_DEEPLY);
            }
        };
        // The workers of the server have 2 MiB.
        std::thread::Builder::new()
            .stack_size(2 << 20)
            .spawn(in_a_small_stack)
            .unwrap()
            .join()
            .unwrap();
    }

    #[test]
    fn two_hundred_levels_are_fine() {
        for text in ["[".repeat(200) + &"]".repeat(200), "- ".repeat(200) + "a"] {
            assert_eq!(parse(&text, FileId(1)).problems, []);
        }
    }

    proptest! {
        /// Any text gives a value, a problem or nothing, at places that exist.
        #[test]
        fn any_text_can_be_parsed(text in any::<String>()) {
            assert_spans_fit(&text, &parse(&text, FileId(1)));
        }

        /// The same for texts that are nearly YAML.
        #[test]
        fn broken_yaml_can_be_parsed(
            text in "(\u{feff})?([-?:,{}\\[\\]&*!|>'\"%@`#~<ab1.é😀\r\n\t ]|: |- |\n |\n  |---|\\.\\.\\.|&a |\\*a|!!str |\\\\x|: \\|\n|%a|\u{feff}|\u{85}|\u{2028}){0,40}"
        ) {
            assert_spans_fit(&text, &parse(&text, FileId(1)));
        }

        /// JSON is YAML: the same values at the same places.
        #[test]
        fn json_is_yaml(text in json("\n")) {
            let places = |parsed: Parsed<Value>| {
                outline(&parsed.value.unwrap()) + &outline_problems(&parsed.problems)
            };
            let expected = places(crate::json::parse(&text, FileId(1)));
            prop_assert_eq!(places(parse(&text, FileId(1))), expected);
        }

        /// A number is one in JSON too.
        #[test]
        fn every_number_is_json(text in "[-+]?[0-9]{0,3}(\\.[0-9]{0,3})?([eE][-+]?[0-9]{1,2})?|0[xo][0-9a-fA-F]{1,40}") {
            if let ValueKind::Number(number) = plain(&text) {
                prop_assert!(serde_json::from_str::<serde_json::Number>(&number).is_ok(), "{number}");
            }
        }
    }
}
