//! What scanners of languages share: blanks, words, brackets, comments, and where tokens end.

use memchr::{memchr2, memmem};

use crate::token::{Scan, Token, TokenKind};

/// What a language has of its own.
pub(super) trait Lexer {
    /// The bytes of words; see [`word_bytes`].
    const WORD: [bool; 256];
    /// Whether a backslash between tokens is a blank.
    const HAS_LINE_JOINS: bool = false;

    /// How long an operator is.
    fn operator_len(rest: &[u8]) -> usize;

    /// Goes to the end of a comment, a string or the like; `None` where there is none of them.
    fn own(&mut self, cursor: &mut Cursor<'_>, byte: u8) -> Option<TokenKind>;

    /// What a word is that was just read: in some languages, strings begin with one.
    fn word(&mut self, _: &mut Cursor<'_>) -> TokenKind {
        TokenKind::Word
    }
}

/// A place in a source, and what stands before it.
pub(super) struct Cursor<'s> {
    pub source: &'s str,
    pub bytes: &'s [u8],
    /// The start of the token.
    pub start: usize,
    /// How far it was read.
    pub at: usize,
    pub scan: Scan,
}

impl<'s> Cursor<'s> {
    pub fn rest(&self) -> &'s [u8] {
        &self.bytes[self.at..]
    }

    /// Goes to the end of a token. One without an end goes up to that of the source, and is noted.
    pub fn close(&mut self, end: Option<usize>) {
        if end.is_none() {
            self.scan.unclosed.get_or_insert(self.start);
        }
        self.at = end.unwrap_or(self.bytes.len());
    }

    /// A comment as in C.
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
    let scan = Scan { tokens: Vec::with_capacity(bytes.len() / 5), unclosed: None };
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
        // Longer sources are no hosts, so that four bytes suffice.
        let token = Token { kind, start: cursor.start as u32, end: cursor.at as u32 };
        cursor.scan.tokens.push(token);
    }
    cursor.scan
}

/// The end of the line of a place, where a carriage return ends one, too.
pub(super) fn line_end(bytes: &[u8], at: usize) -> usize {
    memchr2(b'\n', b'\r', &bytes[at..]).map_or(bytes.len(), |end| at + end)
}

/// A table of the bytes that words consist of, with some signs among them: most of all code is words.
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
