//! Replacement fields of Python's `str.format`: `{name!r:>10}`.
//!
//! Source: CPython `Objects/stringlib/unicode_format.h`, `MarkupIterator_next` and `parse_field`.

use std::cell::{Cell, OnceCell};

use memchr::{memchr, memchr2, memchr2_iter, memrchr};

/// The text between the braces of a replacement field.
///
/// ```
/// use promptls_syntax::Field;
///
/// let field = Field::parse("{user[name]!r:>10}").unwrap();
/// assert_eq!((field.name, field.conversion, field.spec), ("user[name]", Some('r'), ">10"));
/// assert_eq!(Field::parse("{name"), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field<'t> {
    /// The key and its path, with all whitespace.
    pub name: &'t str,
    /// The character after `!`, which may be any.
    pub conversion: Option<char>,
    /// The format specification after `:`; empty without one.
    pub spec: &'t str,
}

impl<'t> Field<'t> {
    /// The parts of a field with its braces; `None` if the text is not exactly one field.
    pub fn parse(source: &'t str) -> Option<Field<'t>> {
        let FieldEnd::Closed { len } = field(source.as_bytes(), 0, true, &FieldEnds::default())
        else {
            return None;
        };
        if len != source.len() {
            return None;
        }
        let inside = &source[1..len - 1];
        let (name, mut rest) = inside.split_at(name_len(inside.as_bytes()));
        let mut conversion = None;
        if let Some(converted) = rest.strip_prefix('!') {
            conversion = converted.chars().next();
            rest = &converted[conversion.map_or(0, char::len_utf8)..];
        }
        Some(Field { name, conversion, spec: rest.strip_prefix(':').unwrap_or_default() })
    }

    /// The fields in the specification, and those in theirs, each with the offset of its name in the
    /// specification. Python refuses deeper ones.
    pub fn nested(&self) -> Vec<(usize, Field<'t>)> {
        let mut found = Vec::new();
        add_fields(self.spec, 0, &mut found);
        for index in 0..found.len() {
            let (at, inner): (usize, Field<'t>) = found[index];
            // Between the name and the specification are only the conversion and the colon.
            let conversion = inner.conversion.map_or(0, |char| "!".len() + char.len_utf8());
            add_fields(inner.spec, at + inner.name.len() + conversion + ":".len(), &mut found);
        }
        found
    }

    /// `true` if the specification contains fields or escapes of its own.
    pub fn is_nested(&self) -> bool {
        memchr2(b'{', b'}', self.spec.as_bytes()).is_some()
    }
}

/// Adds the fields in a specification, which starts at an offset, up to the first brace that Python
/// refuses.
fn add_fields<'t>(spec: &'t str, start: usize, found: &mut Vec<(usize, Field<'t>)>) {
    let (text, ends) = (spec.as_bytes(), FieldEnds::default());
    let mut at = 0;
    while let Some(next) = memchr2(b'{', b'}', &text[at..]) {
        at += next;
        match brace(text, at, true, &ends) {
            Brace::Escape => at += 2,
            Brace::Field { len } => {
                let field = Field::parse(&spec[at..at + len]);
                found.extend(field.map(|field| (start + at + 1, field)));
                at += len;
            }
            Brace::Refused(_) | Brace::Undecided => return,
        }
    }
}

/// Why Python refuses a brace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldError {
    /// `{` at the end of the text.
    SingleOpener,
    /// A `}` that closes no field.
    SingleCloser,
    /// A `{` in a name, outside of brackets.
    OpenerInName,
    /// The text ends in a name.
    EndInName,
    /// The text ends after `!`.
    EndBeforeConversion,
    /// A conversion of more than one character.
    LongConversion,
    /// The text ends in a specification.
    EndInSpec,
}

impl FieldError {
    /// The message of the `ValueError`.
    pub const fn message(self) -> &'static str {
        match self {
            FieldError::SingleOpener => "Single '{' encountered in format string",
            FieldError::SingleCloser => "Single '}' encountered in format string",
            FieldError::OpenerInName => "unexpected '{' in field name",
            FieldError::EndInName => "expected '}' before end of string",
            FieldError::EndBeforeConversion => {
                "end of string while looking for conversion specifier"
            }
            FieldError::LongConversion => "expected ':' after conversion specifier",
            FieldError::EndInSpec => "unmatched '{' in format spec",
        }
    }

    /// The error at the start of a text that continues to the end of the prompt; `None` if a field
    /// or an escape starts there.
    pub fn at_start_of(text: &str) -> Option<FieldError> {
        match brace(text.as_bytes(), 0, true, &FieldEnds::default()) {
            Brace::Refused(error) => Some(error),
            Brace::Escape | Brace::Field { .. } | Brace::Undecided => None,
        }
    }
}

/// The construct at a brace.
pub(crate) enum Brace {
    /// Two equal braces, which are sent as one.
    Escape,
    /// A field, with its braces.
    Field { len: usize },
    /// A brace that Python refuses.
    Refused(FieldError),
    /// The text is cut too early to decide.
    Undecided,
}

/// The construct at a brace of a text. `is_whole` is `true` if the prompt ends with the text, and
/// `ends` belongs to the text.
pub(crate) fn brace(text: &[u8], at: usize, is_whole: bool, ends: &FieldEnds) -> Brace {
    match (text.get(at), text.get(at + 1)) {
        (first, second) if first == second => Brace::Escape,
        (_, None) if !is_whole => Brace::Undecided,
        (Some(b'}'), _) => Brace::Refused(FieldError::SingleCloser),
        (_, None) => Brace::Refused(FieldError::SingleOpener),
        _ => match field(text, at, is_whole, ends) {
            FieldEnd::Closed { len } => Brace::Field { len },
            FieldEnd::Refused(error) => Brace::Refused(error),
            FieldEnd::Undecided => Brace::Undecided,
        },
    }
}

enum FieldEnd {
    /// The end; `len` includes both braces.
    Closed {
        len: usize,
    },
    Refused(FieldError),
    Undecided,
}

/// What is known about the ends of fields in a text, so that many fields without an end do not cost
/// a search each.
#[derive(Debug, Default)]
pub(crate) struct FieldEnds {
    /// `true` once a field has no end.
    has_endless: Cell<bool>,
    /// The braces, once a second field has no end.
    braces: OnceCell<Vec<BraceDepth>>,
    /// No `]` is at this offset or after it, if it is known.
    without_bracket: Cell<Option<usize>>,
}

#[derive(Debug)]
struct BraceDepth {
    at: usize,
    /// The number of open braces before it. Negative if more were closed than opened.
    before: isize,
    /// The lowest number after it, or after a later one.
    lowest: isize,
}

impl FieldEnds {
    /// `false` if a specification that starts at an offset certainly has no end.
    fn may_end(&self, at: usize) -> bool {
        let Some(braces) = self.braces.get() else { return true };
        let next = braces.partition_point(|brace| brace.at < at);
        braces.get(next).is_some_and(|brace| brace.lowest < brace.before)
    }

    /// Notes that the field at an offset has no end. The second time, it looks at all braces from
    /// there on. Cost: the text, once.
    fn note_endless(&self, text: &[u8], from: usize) {
        if !self.has_endless.replace(true) {
            return;
        }
        self.braces.get_or_init(|| {
            let mut depth = 0;
            let mut braces: Vec<BraceDepth> = memchr2_iter(b'{', b'}', &text[from..])
                .map(|at| {
                    let before = depth;
                    depth += if text[from + at] == b'{' { 1 } else { -1 };
                    BraceDepth { at: from + at, before, lowest: depth }
                })
                .collect();
            let mut lowest = isize::MAX;
            for brace in braces.iter_mut().rev() {
                lowest = lowest.min(brace.lowest);
                brace.lowest = lowest;
            }
            braces
        });
    }
}

/// The field at an offset of a text.
fn field(text: &[u8], start: usize, is_whole: bool, ends: &FieldEnds) -> FieldEnd {
    let cut = |error| match is_whole {
        true => FieldEnd::Refused(error),
        false => FieldEnd::Undecided,
    };
    let mut at = start + 1;
    at += match ends.without_bracket.get() {
        Some(known) if known <= at => name_len_without_brackets(&text[at..]),
        _ => name_len(&text[at..]),
    };
    if at == text.len() && is_whole {
        let known = ends.without_bracket.get().unwrap_or_else(|| last_bracket(text));
        ends.without_bracket.set(Some(known));
    }
    match text.get(at) {
        None => return cut(FieldError::EndInName),
        Some(b'{') => return FieldEnd::Refused(FieldError::OpenerInName),
        Some(b'}') => return FieldEnd::Closed { len: at + 1 - start },
        Some(b'!') => {
            let Some(&first) = text.get(at + 1) else {
                return cut(FieldError::EndBeforeConversion);
            };
            at += 1 + len_utf8(first);
            match text.get(at) {
                None => return cut(FieldError::EndInSpec),
                Some(b'}') => return FieldEnd::Closed { len: at + 1 - start },
                Some(b':') => {}
                Some(_) => return FieldEnd::Refused(FieldError::LongConversion),
            }
        }
        Some(_) => {}
    }
    if is_whole && !ends.may_end(at) {
        return FieldEnd::Refused(FieldError::EndInSpec);
    }
    let mut depth = 1_usize;
    while let Some(found) = memchr2(b'{', b'}', text.get(at..).unwrap_or_default()) {
        at += found + 1;
        match text[at - 1] {
            b'{' => depth += 1,
            _ if depth == 1 => return FieldEnd::Closed { len: at - start },
            _ => depth -= 1,
        }
    }
    if is_whole {
        ends.note_endless(text, start);
    }
    cut(FieldError::EndInSpec)
}

/// The offset after the last `]` of a text.
fn last_bracket(text: &[u8]) -> usize {
    memrchr(b']', text).map_or(0, |at| at + 1)
}

/// [`name_len`] for a text without a `]`.
fn name_len_without_brackets(text: &[u8]) -> usize {
    let is_end = |byte: &u8| matches!(byte, b'{' | b'}' | b':' | b'!' | b'[');
    match text.iter().position(is_end) {
        Some(end) if text[end] != b'[' => end,
        _ => text.len(),
    }
}

/// The length of the name at the start of a text; in brackets, any character belongs to it.
pub(crate) fn name_len(text: &[u8]) -> usize {
    let mut at = 0;
    loop {
        let rest = &text[at..];
        let is_end = |byte: &u8| matches!(byte, b'{' | b'}' | b':' | b'!' | b'[');
        let Some(found) = rest.iter().position(is_end) else { return text.len() };
        if rest[found] != b'[' {
            return at + found;
        }
        match memchr(b']', &rest[found..]) {
            Some(closer) => at += found + closer + 1,
            None => return text.len(),
        }
    }
}

/// The length of a character, by its first byte.
const fn len_utf8(first: u8) -> usize {
    match first {
        0..0x80 => 1,
        0x80..0xE0 => 2,
        0xE0..0xF0 => 3,
        _ => 4,
    }
}
