//! The tokens of TypeScript and JavaScript.
//!
//! The meaning of `/`, `<` and a brace depends on the context: whether a value just ended, and the
//! open templates, brackets and JSX elements. The scanner keeps no other state. A template is one
//! token with everything nested in it. `jsx.rs` reads JSX.

mod jsx;

use memchr::{memchr3, memmem};

use super::cursor::word_bytes;
use crate::language::Language;
use crate::token::{Scan, Token, TokenKind};
use jsx::Element;

/// Words after which an expression starts.
const OPERATORS: [&str; 16] = [
    "return",
    "typeof",
    "instanceof",
    "in",
    "of",
    "new",
    "delete",
    "void",
    "throw",
    "case",
    "do",
    "else",
    "yield",
    "await",
    "default",
    "extends",
];

/// Words whose brackets are followed by a statement.
const HEADERS: [&str; 5] = ["if", "while", "for", "with", "await"];

pub(crate) fn scan(language: Language, source: &str) -> Scan {
    let mut scanner = Scanner::new(language, source);
    scanner.at = if source.starts_with('\u{FEFF}') { 3 } else { 0 };
    scanner.run();
    scanner.refuse_octal_escapes();
    Scan { tokens: scanner.tokens, unclosed: scanner.unclosed, cut_off: None }
}

/// The end of the code in a template that starts at `at`, after `${`.
pub(crate) fn substitution_end(language: Language, source: &str, at: usize) -> Option<usize> {
    let mut scanner = Scanner::new(language, source);
    scanner.at = at;
    scanner.open.push(Open::Substitution);
    scanner.is_nested = true;
    scanner.run();
    scanner.open.is_empty().then_some(scanner.at)
}

/// An open construct at an offset.
enum Open {
    /// `(`; stores whether a statement follows its partner.
    Round {
        is_header: bool,
    },
    Square,
    /// `{`; stores whether it contains statements.
    Brace {
        is_block: bool,
    },
    Template(Template),
    /// `${` in a template; its `}` continues the template.
    Substitution,
    Element(Element),
    /// `{` in a JSX element.
    Container,
}

/// A template that is not closed yet.
struct Template {
    start: usize,
    /// The number of tokens before it.
    tokens: usize,
    kind: TokenKind,
}

struct Scanner<'s> {
    source: &'s str,
    bytes: &'s [u8],
    language: Language,
    at: usize,
    tokens: Vec<Token>,
    open: Vec<Open>,
    unclosed: Option<usize>,
    /// `true` if a value ends before the next token.
    is_value: bool,
    /// `true` if only the code in a template is read.
    is_nested: bool,
    /// The number of bytes that looked like JSX, but were not.
    read_again: usize,
    /// Up to here, a slash is a division: an earlier slash in the line had no end, and another
    /// search would fail as well.
    no_expressions: usize,
    /// The starts of literals with octal escapes.
    octal: Vec<u32>,
    is_module: bool,
}

impl<'s> Scanner<'s> {
    fn new(language: Language, source: &'s str) -> Self {
        Scanner {
            source,
            bytes: source.as_bytes(),
            language,
            at: 0,
            tokens: Vec::new(),
            open: Vec::new(),
            unclosed: None,
            is_value: false,
            is_nested: false,
            read_again: 0,
            no_expressions: 0,
            octal: Vec::new(),
            is_module: false,
        }
    }

    fn run(&mut self) {
        loop {
            while self.at < self.bytes.len() {
                match self.open.last() {
                    Some(Open::Template(_)) => self.template(),
                    Some(Open::Element(_)) => self.element(),
                    None if self.is_nested => return,
                    _ => self.code(),
                }
            }
            if !self.end() {
                return;
            }
        }
    }

    /// Closes everything at the end of the source. Returns `true` if more must be read, because an
    /// element turned out to be none.
    fn end(&mut self) -> bool {
        for index in 0..self.open.len() {
            match &self.open[index] {
                Open::Template(template) => {
                    let (start, kind) = (template.start, template.kind);
                    self.tokens.truncate(template.tokens);
                    self.open.truncate(index);
                    self.unclosed.get_or_insert(start);
                    self.push(kind, start);
                    return false;
                }
                Open::Element(_) => {
                    self.no_element(index);
                    return true;
                }
                _ => {}
            }
        }
        false
    }

    /// Adds a token that ends here.
    fn push(&mut self, kind: TokenKind, start: usize) {
        // Longer sources are no hosts, so four bytes are sufficient.
        self.tokens.push(Token { kind, start: start as u32, end: self.at as u32 });
    }

    fn code(&mut self) {
        let start = self.at;
        let rest = &self.bytes[start..];
        match rest[0] {
            b' ' | b'\t' | b'\n' | b'\r' | b'\x0b' | b'\x0c' => self.at += 1,
            b'#' if start == 0 && rest.starts_with(b"#!") => self.comment(line_end(self.source, 0)),
            b'/' if rest.starts_with(b"//") => self.comment(line_end(self.source, start)),
            b'/' if rest.starts_with(b"/*") => {
                let end = memmem::find(&rest[2..], b"*/").map(|end| start + end + 4);
                if end.is_none() {
                    self.unclosed.get_or_insert(start);
                }
                self.comment(end.unwrap_or(self.bytes.len()));
            }
            quote @ (b'"' | b'\'') => {
                self.at = quoted_end(self.source, start, quote);
                if has_octal_escape(&self.bytes[start..self.at]) {
                    self.octal.push(start as u32);
                }
                self.push(TokenKind::Literal, start);
                self.is_value = true;
            }
            b'`' => self.open_template(),
            b'/' if !self.is_value && start >= self.no_expressions => {
                match regular_expression_end(self.bytes, start) {
                    Ok(end) => {
                        self.at = end;
                        self.push(TokenKind::Other, start);
                        self.is_value = true;
                    }
                    Err(line_end) => {
                        self.no_expressions = line_end;
                        self.operator();
                    }
                }
            }
            b'<' if !self.is_value && self.may_be_element() => self.open_element(),
            b'(' | b'[' | b'{' => self.open_bracket(rest[0]),
            b')' | b']' | b'}' => self.close_bracket(rest[0]),
            byte if is_word(byte) => self.word(),
            _ => self.operator(),
        }
    }

    fn comment(&mut self, end: usize) {
        let start = self.at;
        self.at = end;
        self.push(TokenKind::Comment, start);
    }

    /// The last two tokens that are no comments.
    fn last_texts(&self) -> (&'s str, &'s str) {
        let mut texts = self.tokens.iter().rev().filter(|it| it.kind != TokenKind::Comment);
        let mut text = || texts.next().map_or("", |token| &self.source[token.range()]);
        let last = text();
        (last, text())
    }

    fn word(&mut self) {
        let start = self.at;
        let rest = &self.source[start..];
        let is_end = |it: char| {
            is_blank(it) || it.is_ascii() && !it.is_ascii_alphanumeric() && !matches!(it, '_' | '$')
        };
        let part_len = |rest: &str| rest.find(is_end).unwrap_or(rest.len());
        let mut len = part_len(rest);
        if len == 0 {
            // Non-ASCII whitespace looks like the start of a word.
            self.at = char_end(self.source, start);
            return;
        }
        if rest.starts_with(|first: char| first.is_ascii_digit()) && rest[len..].starts_with('.') {
            len += 1 + part_len(&rest[len + 1..]);
        }
        let (last, _) = self.last_texts();
        self.at += len;
        let word = &rest[..len];
        let is_member = matches!(last, "." | "?.");
        self.is_value = is_member || !OPERATORS.contains(&word);
        if matches!(word, "import" | "export") && !is_member && self.open.is_empty() {
            // A call of `import` does not make a file a module.
            self.is_module |= !self.source[self.at..].trim_start().starts_with('(');
        }
        self.push(TokenKind::Word, start);
    }

    fn operator(&mut self) {
        let start = self.at;
        self.at += operator_len(&self.bytes[start..]);
        // After a value these belong to it, and before one they change nothing.
        let keeps = matches!(&self.source[start..self.at], "!" | "++" | "--");
        self.is_value &= keeps;
        self.push(TokenKind::Punctuation, start);
    }

    fn open_bracket(&mut self, byte: u8) {
        let (last, before) = self.last_texts();
        self.open.push(match byte {
            b'(' => {
                let is_header = HEADERS.contains(&last) && !matches!(before, "." | "?.");
                Open::Round { is_header: is_header && (last != "await" || before == "for") }
            }
            b'[' => Open::Square,
            _ => {
                let starts = matches!(last, "" | ")" | "=>" | "{" | "}" | ";" | ">");
                let is_block = starts || self.is_value || matches!(last, "else" | "do");
                Open::Brace { is_block }
            }
        });
        let start = self.at;
        self.at += 1;
        self.push(TokenKind::Open, start);
        self.is_value = false;
    }

    fn close_bracket(&mut self, byte: u8) {
        let start = self.at;
        self.at += 1;
        self.is_value = match (byte, self.open.last()) {
            (b')', Some(Open::Round { is_header })) => {
                let is_value = !is_header;
                self.open.pop();
                is_value
            }
            (b']', Some(Open::Square)) => {
                self.open.pop();
                true
            }
            (b'}', _) => return self.close_brace(start),
            _ => true,
        };
        self.push(TokenKind::Close, start);
    }

    /// A brace also closes everything open inside it.
    fn close_brace(&mut self, start: usize) {
        while self.open.pop_if(|it| matches!(it, Open::Round { .. } | Open::Square)).is_some() {}
        self.is_value = false;
        match self.open.last() {
            Some(Open::Brace { is_block }) => {
                self.is_value = !is_block;
                self.open.pop();
            }
            Some(Open::Container) => {
                self.open.pop();
            }
            Some(Open::Substitution) => {
                self.open.pop();
                return;
            }
            _ => {}
        }
        self.push(TokenKind::Close, start);
    }

    /// `String.raw` counts as a prefix; other templates after a value are calls.
    fn open_template(&mut self) {
        let start = self.at;
        let is_raw = self.source[..start].ends_with("String.raw")
            && self.tokens.last().is_some_and(|last| last.end as usize == start)
            && self.tokens.len() >= 3
            && &self.source[self.tokens[self.tokens.len() - 3].range()] == "String";
        let tokens = self.tokens.len() - if is_raw { 3 } else { 0 };
        let kind = if self.is_value && !is_raw { TokenKind::Other } else { TokenKind::Literal };
        let start = if is_raw { start - "String.raw".len() } else { start };
        self.open.push(Open::Template(Template { start, tokens, kind }));
        self.at += 1;
    }

    /// Reads the text of a template up to its end, or to code in it.
    fn template(&mut self) {
        let Some(found) = memchr3(b'`', b'\\', b'$', &self.bytes[self.at..]) else {
            self.at = self.bytes.len();
            return;
        };
        self.at += found;
        match self.bytes[self.at] {
            b'\\' => self.at = char_end(self.source, self.at + 1),
            b'$' if self.bytes.get(self.at + 1) == Some(&b'{') => {
                self.at += 2;
                self.open.push(Open::Substitution);
                self.is_value = false;
            }
            b'$' => self.at += 1,
            _ => {
                self.at += 1;
                if let Some(Open::Template(template)) = self.open.pop() {
                    self.tokens.truncate(template.tokens);
                    self.push(template.kind, template.start);
                }
                self.is_value = true;
            }
        }
    }

    /// Octal escapes are allowed only in scripts.
    fn refuse_octal_escapes(&mut self) {
        if !self.is_module {
            return;
        }
        for start in &self.octal {
            if let Ok(token) = self.tokens.binary_search_by_key(start, |token| token.start) {
                self.tokens[token].kind = TokenKind::Other;
            }
        }
    }
}

fn is_blank(char: char) -> bool {
    char.is_whitespace() || char == '\u{FEFF}'
}

fn is_word(byte: u8) -> bool {
    const WORD: [bool; 256] = word_bytes(b"_$");
    WORD[usize::from(byte)]
}

/// `>>` is split, because it closes two type lists.
fn operator_len(bytes: &[u8]) -> usize {
    match bytes {
        [b'.', b'.', b'.', ..] | [b'=' | b'!', b'=', b'=', ..] => 3,
        [b'?', b'?', b'=', ..] | [b'*', b'*', b'=', ..] => 3,
        [b'&', b'&', b'=', ..] | [b'|', b'|', b'=', ..] => 3,
        // In `a ? .5 : b`, a number follows the sign.
        [b'?', b'.', next, ..] if next.is_ascii_digit() => 1,
        [b'=', b'>', ..] | [b'?', b'?' | b'.', ..] | [b'*', b'*', ..] => 2,
        [b'+', b'+', ..] | [b'-', b'-', ..] | [b'&', b'&', ..] | [b'|', b'|', ..] => 2,
        [first, b'=', ..] if b"=!<>+-*/%&|^".contains(first) => 2,
        _ => 1,
    }
}

fn line_end(source: &str, at: usize) -> usize {
    let is_end = |char| matches!(char, '\n' | '\r' | '\u{2028}' | '\u{2029}');
    source[at..].find(is_end).map_or(source.len(), |end| at + end)
}

/// The end of the character at an offset.
fn char_end(source: &str, at: usize) -> usize {
    at + source.get(at..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8)
}

/// The end of a string, or of its line if it has none.
fn quoted_end(source: &str, start: usize, quote: u8) -> usize {
    let bytes = source.as_bytes();
    let mut at = start + 1;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\n' | b'\r' => return at,
            b'\\' if bytes[at + 1..].starts_with(b"\r\n") => at += 3,
            b'\\' => at = char_end(source, at + 1),
            _ if byte == quote => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

fn has_octal_escape(bytes: &[u8]) -> bool {
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'\\', &bytes[at..]) {
        at += found + 1;
        match bytes.get(at..).unwrap_or_default() {
            [b'1'..=b'9', ..] | [b'0', b'0'..=b'9', ..] => return true,
            [] => return false,
            _ => at += 1,
        }
    }
    false
}

/// The end of a regular expression with its flags, on its line; as an error, the end of the line.
fn regular_expression_end(bytes: &[u8], start: usize) -> Result<usize, usize> {
    let mut at = start + 1;
    let mut is_in_class = false;
    loop {
        match bytes.get(at) {
            None | Some(b'\n' | b'\r') => return Err(at),
            Some(b'\\') => at += 1,
            Some(b'[') => is_in_class = true,
            Some(b']') => is_in_class = false,
            Some(b'/') if !is_in_class => break,
            _ => {}
        }
        at += 1;
    }
    let flags = bytes[at + 1..].iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    Ok(at + 1 + flags)
}
