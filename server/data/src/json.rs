//! JSON, with comments and trailing commas.
//!
//! The tokens are from the `jsonc-parser` crate, with its JSON5 extensions disabled. Its parser
//! also supplies the error message for an invalid file. The parser is not used for values, since
//! its tree would be an additional, larger one.

use std::borrow::Cow;
use std::ops::Range;

use jsonc_parser::errors::{ParseError, ParseErrorKind};
use jsonc_parser::tokens::Token;
use jsonc_parser::{
    CollectOptions, CommentCollectionStrategy, ParseOptions, ParseStringErrorKind, Scanner,
    ScannerOptions,
};

use crate::format::Format;
use crate::limits::{MAX_DEPTH, NESTED_TOO_DEEPLY};
use crate::refusal::Refusal;
use crate::tree::{At, Node, NodeKey, NodeValue, Tree, TreeDocument};

const OPTIONS: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_trailing_commas: true,
    allow_loose_object_property_names: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

/// The same for the scanner, so that the parser explains each text that it refuses.
const TOKENS: ScannerOptions = ScannerOptions {
    allow_single_quoted_strings: OPTIONS.allow_single_quoted_strings,
    allow_hexadecimal_numbers: OPTIONS.allow_hexadecimal_numbers,
    allow_unary_plus_numbers: OPTIONS.allow_unary_plus_numbers,
    allow_bare_decimal_point_numbers: OPTIONS.allow_bare_decimal_point_numbers,
    allow_non_finite_numbers: OPTIONS.allow_non_finite_numbers,
    allow_extended_string_escapes: OPTIONS.allow_extended_string_escapes,
};

const COLLECT_NOTHING: CollectOptions =
    CollectOptions { comments: CommentCollectionStrategy::Off, tokens: false };

/// The values of a file from an offset on. Fails for invalid JSON.
pub(crate) fn read(source: &str, start: usize) -> Result<Tree<'_>, Refusal> {
    let text = &source[start..];
    let mut reader = JsonReader::new(source, start);
    let mut scanner = Scanner::new(text, &TOKENS);
    while let Some(token) = scanner.scan().map_err(|_| why_not(text, start))? {
        let range = start + scanner.token_start()..start + scanner.token_end();
        match reader.take(token, range.clone()) {
            Ok(next) => reader.next = next,
            Err(Unexpected::Depth) => return Err(Refusal::new(range, NESTED_TOO_DEEPLY)),
            Err(Unexpected::Token) => return Err(why_not(text, start)),
        }
    }
    match reader.next {
        Next::End => Ok(reader.tree),
        // The file has no value.
        Next::Value if reader.tree.nodes.is_empty() => Ok(reader.tree),
        _ => Err(why_not(text, start)),
    }
}

/// Reads tokens in sequence. Node numbers in the tree represent the open containers, so that only
/// the tree is allocated.
struct JsonReader<'s> {
    tree: Tree<'s>,
    next: Next<'s>,
    /// The innermost open list or object, and the nesting depth.
    open: Option<usize>,
    depth: usize,
    /// The last value in it.
    last: Option<usize>,
}

/// The expected next token; comments are allowed everywhere.
#[derive(Debug)]
enum Next<'s> {
    Value,
    /// The value of a member.
    ValueOf(Cow<'s, str>, Range<usize>),
    /// The `:` after a key.
    Colon(Cow<'s, str>, Range<usize>),
    /// A value, or the end of a list.
    ItemOrEnd,
    /// A key, or the end of an object.
    KeyOrEnd,
    /// A comma, or the end of a list or an object.
    CommaOrEnd,
    End,
}

/// The reason why a token is rejected.
enum Unexpected {
    Token,
    /// Another list or object inside all that are open.
    Depth,
}

impl<'s> JsonReader<'s> {
    fn new(source: &'s str, start: usize) -> JsonReader<'s> {
        let mut tree = Tree::new(source, Format::Json);
        // Each value but the first follows one of these bytes. Most files are small and read once.
        let before_values = memchr::memchr3_iter(b',', b'[', b'{', &source.as_bytes()[start..]);
        tree.nodes.reserve_exact(1 + before_values.count());
        JsonReader { tree, next: Next::Value, open: None, depth: 0, last: None }
    }

    /// Consumes a token; returns what may follow.
    fn take(&mut self, token: Token<'s>, range: Range<usize>) -> Result<Next<'s>, Unexpected> {
        let next = std::mem::replace(&mut self.next, Next::End);
        let is_object = self.open.is_some_and(|open| self.tree.is_object(open));
        match (next, token) {
            (next, Token::CommentLine(_) | Token::CommentBlock(_)) => Ok(next),
            (Next::KeyOrEnd, Token::String(name)) => Ok(Next::Colon(name, range)),
            (Next::Colon(name, key), Token::Colon) => Ok(Next::ValueOf(name, key)),
            (Next::CommaOrEnd, Token::Comma) if is_object => Ok(Next::KeyOrEnd),
            (Next::CommaOrEnd, Token::Comma) => Ok(Next::ItemOrEnd),
            (Next::KeyOrEnd | Next::CommaOrEnd, Token::CloseBrace) if is_object => {
                Ok(self.close(range.end))
            }
            (Next::ItemOrEnd | Next::CommaOrEnd, Token::CloseBracket) if !is_object => {
                Ok(self.close(range.end))
            }
            (Next::ValueOf(name, key), token) => self.value(Some((name, key)), token, range),
            (Next::Value | Next::ItemOrEnd, token) => self.value(None, token, range),
            _ => Err(Unexpected::Token),
        }
    }

    fn value(
        &mut self,
        key: Option<(Cow<'s, str>, Range<usize>)>,
        token: Token<'s>,
        range: Range<usize>,
    ) -> Result<Next<'s>, Unexpected> {
        let kind = match token {
            Token::OpenBrace => NodeValue::Object,
            Token::OpenBracket => NodeValue::List,
            Token::String(text) => NodeValue::String { text, is_certain: true },
            Token::Number(text) => NodeValue::Number(text.into()),
            Token::Boolean(value) => NodeValue::Bool(value),
            Token::Null => NodeValue::Null,
            _ => return Err(Unexpected::Token),
        };
        let opens = match kind {
            NodeValue::Object => Some(Next::KeyOrEnd),
            NodeValue::List => Some(Next::ItemOrEnd),
            _ => None,
        };
        if opens.is_some() && self.depth == MAX_DEPTH {
            return Err(Unexpected::Depth);
        }
        let number = match (self.open, key) {
            (Some(parent), Some((name, key))) => {
                self.tree.push(At::member(parent, name, key), kind, range.into())
            }
            (Some(parent), None) => {
                let before = self.last.map(|last| &self.tree.nodes[last].key);
                let index =
                    before.map_or(0, |key| if let NodeKey::Index(at) = key { at + 1 } else { 0 });
                self.tree.push(At::item(parent, index, range.start), kind, range.into())
            }
            (None, _) => {
                let start = range.start;
                self.tree.documents.push(TreeDocument { root: Some(0), start });
                self.tree.push_root(kind, range.into())
            }
        };
        Ok(match opens {
            Some(next) => {
                (self.open, self.last) = (Some(number), None);
                self.depth += 1;
                next
            }
            None => self.end_value(number),
        })
    }

    fn close(&mut self, end: usize) -> Next<'s> {
        let Some(closed) = self.open else { return Next::End };
        self.tree.close(closed, end);
        self.depth -= 1;
        let Node { parent, key, .. } = &self.tree.nodes[closed];
        self.open = (*key != NodeKey::Document).then_some(*parent);
        self.end_value(closed)
    }

    fn end_value(&mut self, number: usize) -> Next<'s> {
        self.last = Some(number);
        if self.open.is_some() { Next::CommaOrEnd } else { Next::End }
    }
}

/// The reason why a text is invalid JSON.
fn why_not(text: &str, start: usize) -> Refusal {
    match jsonc_parser::parse_to_ast(text, &COLLECT_NOTHING, &OPTIONS) {
        Err(error) => {
            let range = error_range(&error, text);
            Refusal::new(range.start + start..range.end + start, reason(&error, text))
        }
        Ok(_) => Refusal::new(start..start, "this is not JSON"),
    }
}

/// The parser marks everything from an opener to the end of the file; one line is enough here.
fn error_range(error: &ParseError, text: &str) -> Range<usize> {
    let range = error.range();
    let marked = text.get(range.start..range.end).unwrap_or_default();
    let end = match error.kind() {
        ParseErrorKind::UnterminatedArray | ParseErrorKind::UnterminatedObject => 1,
        _ => marked.find(['\n', '\r']).unwrap_or(marked.len()),
    };
    range.start..range.start + end.min(marked.len())
}

fn reason(error: &ParseError, text: &str) -> String {
    let words = match error.kind() {
        // The parser reads `01` as two numbers.
        ParseErrorKind::ExpectedComma if splits_a_number(text, error.range().start) => {
            "a number cannot start with 0; leave the 0 out, or put it in double quotes"
        }
        ParseErrorKind::ExpectedComma => "expected a comma before the next entry",
        ParseErrorKind::ExpectedColonAfterObjectKey => "expected a colon after the key",
        ParseErrorKind::ExpectedObjectValue => "expected a value after the colon",
        ParseErrorKind::ExpectedStringObjectProperty => "expected a key in double quotes",
        ParseErrorKind::UnexpectedTokenInObject => "expected a key in double quotes or `}`",
        ParseErrorKind::SingleQuotedStringsNotAllowed => {
            "strings need double quotes, not single quotes"
        }
        ParseErrorKind::MultipleRootJsonValues => {
            "expected the end of the file; it can contain only one value"
        }
        ParseErrorKind::UnexpectedWord | ParseErrorKind::UnexpectedToken => {
            "this is not JSON; strings need double quotes"
        }
        ParseErrorKind::UnexpectedCloseBrace => {
            "unexpected `}`; a value or `]` is missing before it"
        }
        ParseErrorKind::UnexpectedCloseBracket => {
            "unexpected `]`; a value or `[` is missing before it"
        }
        ParseErrorKind::UnexpectedComma => "expected a value before the comma",
        ParseErrorKind::HexadecimalNumbersNotAllowed => {
            "JSON has no hexadecimal numbers; write it in decimal"
        }
        ParseErrorKind::UnaryPlusNumbersNotAllowed => {
            "a number cannot start with `+`; leave it out"
        }
        ParseErrorKind::BareDecimalPointNumbersNotAllowed => {
            "a decimal point needs a digit on both sides"
        }
        ParseErrorKind::ExpectedDigitFollowingNegativeSign => {
            "expected a digit after the minus sign"
        }
        ParseErrorKind::UnterminatedArray => "`[` is never closed; add `]`",
        ParseErrorKind::UnterminatedObject => "`{` is never closed; add `}`",
        ParseErrorKind::UnterminatedCommentBlock => "`/*` is never closed; add `*/`",
        ParseErrorKind::NestingDepthExceeded => NESTED_TOO_DEEPLY,
        ParseErrorKind::String(kind) => match kind {
            ParseStringErrorKind::UnterminatedStringLiteral => {
                "this string is never closed; add `\"`"
            }
            ParseStringErrorKind::InvalidUnicodeEscapeSequence(_) => {
                "this escape is half of a surrogate pair; write both halves or the character itself"
            }
            ParseStringErrorKind::ExpectedFourHexDigits => "expected four hex digits after `\\u`",
            _ => "JSON has no such escape; write `\\\\` for a backslash",
        },
        // The parser's message starts with a capital letter.
        kind => {
            let words = kind.to_string();
            let first = words.chars().next().map(char::to_lowercase);
            return first.into_iter().flatten().chain(words.chars().skip(1)).collect();
        }
    };
    words.to_owned()
}

fn splits_a_number(text: &str, at: usize) -> bool {
    let (before, after) = text.split_at_checked(at).unwrap_or_default();
    before.ends_with('0') && after.starts_with(|char: char| char.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        /// The reader and the parser accept the same texts.
        #[test]
        fn the_reader_accepts_the_same_texts_as_the_parser(
            text in "([\\[\\]{},:/* \n]|\"a\"|\"b\\\\n\"|\"|1|01|-|true|null|x|// c\n|/\\* c \\*/|\"a\":){0,14}",
        ) {
            let is_json = jsonc_parser::parse_to_ast(&text, &COLLECT_NOTHING, &OPTIONS).is_ok();
            let read = read(&text, 0);
            prop_assert_eq!(read.is_ok(), is_json, "{:?}", read);
        }
    }
}
