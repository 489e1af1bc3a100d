//! Shared code of scanners: whitespace, words, brackets, comments, and the ends of tokens.

use memchr::{memchr2, memmem};

use crate::token::{Scan, Token, TokenKind};

/// The language-specific part of a scanner.
pub(super) trait Lexer {
    /// The bytes of words; see [`word_bytes`].
    const WORD: [bool; 256];
    /// `true` if a backslash between tokens is whitespace.
    const HAS_LINE_JOINS: bool = false;

    /// The length of the operator at the start.
    fn operator_len(rest: &[u8]) -> usize;

    /// Advances to the end of a language-specific token; `None` if there is none here.
    fn own(&mut self, cursor: &mut Cursor<'_>, byte: u8) -> Option<TokenKind>;

    /// The kind of a word that was just read: in some languages, it may be a string prefix.
    fn word(&mut self, _: &mut Cursor<'_>) -> TokenKind {
        TokenKind::Word
    }
}

/// A position in a source, and the start of its token.
pub(super) struct Cursor<'s> {
    pub source: &'s str,
    pub bytes: &'s [u8],
    /// The start of the token.
    pub start: usize,
    /// The offset of the next byte to read.
    pub at: usize,
    pub scan: Scan,
}

impl<'s> Cursor<'s> {
    pub fn rest(&self) -> &'s [u8] {
        &self.bytes[self.at..]
    }

    /// Advances to the end of a token. A token without an end extends to that of the source, and is
    /// recorded.
    pub fn close(&mut self, end: Option<usize>) {
        if end.is_none() {
            self.scan.unclosed.get_or_insert(self.start);
        }
        self.at = end.unwrap_or(self.bytes.len());
    }

    /// A block comment as in C.
    pub fn block_comment(&mut self) -> TokenKind {
        let end = memmem::find(&self.bytes[self.start + 2..], b"*/");
        self.close(end.map(|end| self.start + end + 4));
        TokenKind::Comment
    }

    /// A comment up to the end of its line.
    pub fn line_comment(&mut self) -> TokenKind {
        self.at = line_end(self.bytes, self.at);
        TokenKind::Comment
    }
}

/// The tokens of a source.
pub(super) fn scan<L: Lexer>(source: &str, lexer: &mut L) -> Scan {
    let bytes = source.as_bytes();
    let scan = Scan { tokens: Vec::with_capacity(bytes.len() / 5), ..Scan::default() };
    let at = if source.starts_with('\u{FEFF}') { 3 } else { 0 };
    let mut cursor = Cursor { source, bytes, start: at, at, scan };
    while let Some(&byte) = bytes.get(cursor.at) {
        cursor.start = cursor.at;
        let kind = match byte {
            b' ' | b'\t' | b'\n' | b'\r' | b'\x0c' => {
                cursor.at += 1;
                continue;
            }
            b'\\' if L::HAS_LINE_JOINS => {
                cursor.at += 1;
                continue;
            }
            b'(' | b'[' | b'{' => {
                cursor.at += 1;
                TokenKind::Open
            }
            b')' | b']' | b'}' => {
                cursor.at += 1;
                TokenKind::Close
            }
            _ if L::WORD[usize::from(byte)] => {
                let word = cursor.rest().iter().take_while(|byte| L::WORD[usize::from(**byte)]);
                cursor.at += word.count();
                lexer.word(&mut cursor)
            }
            _ => lexer.own(&mut cursor, byte).unwrap_or_else(|| {
                cursor.at += L::operator_len(cursor.rest());
                TokenKind::Punctuation
            }),
        };
        // Longer sources are no hosts, so four bytes are sufficient.
        let token = Token { kind, start: cursor.start as u32, end: cursor.at as u32 };
        cursor.scan.tokens.push(token);
    }
    cursor.scan
}

/// The end of the line of an offset; a carriage return also ends a line.
pub(super) fn line_end(bytes: &[u8], at: usize) -> usize {
    memchr2(b'\n', b'\r', &bytes[at..]).map_or(bytes.len(), |end| at + end)
}

/// A table of the bytes in words, including some signs. A table, because most code is words.
pub(super) const fn word_bytes(signs: &[u8]) -> [bool; 256] {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = (byte as u8).is_ascii_alphanumeric() || byte >= 0x80;
        byte += 1;
    }
    let mut sign = 0;
    while sign < signs.len() {
        table[signs[sign] as usize] = true;
        sign += 1;
    }
    table
}
