//! JSX: tags and text, in which quotes and braces have a different meaning.
//!
//! Apparent elements may be lists of type parameters. So each is read as an element first, and
//! rescanned as something else if it has no end.

use super::{Open, Scanner, char_end, line_end};
use crate::language::Language;
use crate::token::TokenKind;
use memchr::{memchr, memchr2, memmem};

/// The maximum total length of rescanned apparent elements, as a multiple of the source length.
/// Beyond it, nothing is read as an element.
const MAX_READ_AGAIN: usize = 8;

/// An element that is not closed yet.
pub(super) struct Element {
    start: usize,
    /// The number of tokens before it.
    tokens: usize,
    /// The range of its name; empty for a fragment.
    name: std::ops::Range<usize>,
    /// `true` if its tag has ended, so that text follows.
    has_children: bool,
}

impl Scanner<'_> {
    /// `true` if `<` at the start of an expression may open an element.
    pub(super) fn may_be_element(&self) -> bool {
        let has_elements = matches!(self.language, Language::Tsx | Language::JavaScript);
        if !has_elements || self.read_again > MAX_READ_AGAIN * self.source.len() {
            return false;
        }
        let rest = &self.source[self.at + 1..];
        let name = name_len(rest);
        let behind = rest[name..].trim_start();
        let is_generic = behind.starts_with(',')
            || behind.strip_prefix("extends").is_some_and(|it| it.starts_with([' ', '\n', '\r']));
        match name {
            0 => rest.starts_with('>'),
            _ => !is_generic && !rest.starts_with(|first: char| first.is_ascii_digit()),
        }
    }

    /// Opens the element whose `<` is here.
    pub(super) fn open_element(&mut self) {
        let start = self.at;
        let name = start + 1..start + 1 + name_len(&self.source[start + 1..]);
        self.at = name.end;
        let tokens = self.tokens.len();
        self.open.push(Open::Element(Element { start, tokens, name, has_children: false }));
        self.push(TokenKind::Other, start);
    }

    /// Reads the next part of the innermost element.
    pub(super) fn element(&mut self) {
        let Some(Open::Element(element)) = self.open.last_mut() else { return };
        let start = self.at;
        let rest = &self.bytes[start..];
        if element.has_children {
            let text = memchr2(b'<', b'{', rest).unwrap_or(rest.len());
            if text > 0 {
                self.at += text;
                return self.push(TokenKind::Other, start);
            }
            match rest {
                [b'{', ..] => self.open_container(),
                [b'<', b'/', ..] => self.close_element(),
                _ => self.child(),
            }
            return;
        }
        match rest {
            [b'{', ..] => self.open_container(),
            [b'>', ..] => {
                element.has_children = true;
                self.at += 1;
            }
            [b'/', b'>', ..] => {
                self.at += 2;
                self.pop_element();
            }
            [b'/', b'/', ..] => self.comment(line_end(self.source, start)),
            [b'/', b'*', ..] => match memmem::find(rest, b"*/") {
                Some(end) => self.comment(start + end + 2),
                None => self.refuse_at_end(),
            },
            [quote @ (b'"' | b'\''), ..] => match memchr(*quote, &rest[1..]) {
                Some(end) => {
                    self.at += end + 2;
                    self.push(TokenKind::Other, start);
                }
                None => self.refuse_at_end(),
            },
            [b'<', ..] if start == element.name.end => match types_end(rest) {
                Some(end) => self.at += end,
                None => self.refuse_at_end(),
            },
            [b'<', ..] => self.child(),
            [b'=' | b':' | b'.' | b'-', ..] => self.at += 1,
            [byte, ..] if byte.is_ascii_whitespace() || super::is_word(*byte) => {
                self.at = char_end(self.source, start);
            }
            _ => self.refuse(),
        }
    }

    fn child(&mut self) {
        let rest = &self.source[self.at + 1..];
        if rest.starts_with('>') || name_len(rest) > 0 {
            self.open_element();
        } else {
            self.refuse();
        }
    }

    /// Opens code in the innermost element.
    fn open_container(&mut self) {
        let start = self.at;
        self.at += 1;
        self.push(TokenKind::Open, start);
        self.open.push(Open::Container);
        self.is_value = false;
    }

    fn close_element(&mut self) {
        let start = self.at;
        let Some(Open::Element(element)) = self.open.last() else { return };
        let rest = self.source[start + 2..].trim_start();
        let name = &rest[..name_len(rest)];
        let behind = rest[name.len()..].trim_start();
        if name != &self.source[element.name.clone()] || !behind.starts_with('>') {
            return self.refuse();
        }
        self.at = self.source.len() - behind.len() + 1;
        self.push(TokenKind::Other, start);
        self.pop_element();
    }

    fn pop_element(&mut self) {
        self.open.pop();
        self.is_value = true;
    }

    /// The same after the whole source was searched for an end.
    fn refuse_at_end(&mut self) {
        self.at = self.source.len();
        self.refuse();
    }

    /// Rejects the outermost of the open elements.
    fn refuse(&mut self) {
        let is_part = |it: &Open| !matches!(it, Open::Template(_) | Open::Substitution);
        let around = self.open.iter().rposition(|it| !is_part(it)).map_or(0, |it| it + 1);
        let is_element = |it: &Open| matches!(it, Open::Element(_));
        if let Some(index) = self.open[around..].iter().position(is_element) {
            self.no_element(around + index);
        }
    }

    /// Returns to the start of an element, and reads it as an operator.
    pub(super) fn no_element(&mut self, index: usize) {
        self.open.truncate(index + 1);
        if let Some(Open::Element(element)) = self.open.pop() {
            self.read_again += self.at - element.start;
            self.tokens.truncate(element.tokens);
            self.octal.retain(|start| (*start as usize) < element.start);
            self.unclosed = self.unclosed.filter(|start| *start < element.start);
            self.at = element.start;
            self.operator();
        }
    }
}

/// The length of the name of a tag or of a part of it.
fn name_len(text: &str) -> usize {
    let is_name = |it: char| it.is_alphanumeric() || matches!(it, '_' | '$' | '.' | '-' | ':');
    text.find(|it| !is_name(it)).unwrap_or(text.len())
}

/// The end of a type list that starts here.
fn types_end(bytes: &[u8]) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'<' => depth += 1,
            b'>' if at > 0 && bytes[at - 1] == b'=' => {}
            b'>' => depth -= 1,
            b';' => return None,
            _ => {}
        }
        if depth == 0 {
            return Some(at + 1);
        }
    }
    None
}
