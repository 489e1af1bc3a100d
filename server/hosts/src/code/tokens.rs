//! The tokens of a host with their bracket partners, for all later steps.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::Range;

use crate::decode::decode;
use crate::language::Language;
use crate::scan;
use crate::token::{Scan, Token, TokenKind};
use crate::unread::Unread;

/// The maximum number of tokens of type arguments.
const MAX_TYPE_ARGUMENTS: usize = 30;

/// The value for a missing partner.
const NONE: u32 = u32::MAX;

/// The tokens of a host. Comments are separate, so that adjacent tokens are neighbours.
pub(crate) struct Tokens<'s> {
    pub language: Language,
    pub source: &'s str,
    pub all: Vec<Token>,
    pub comments: Vec<Token>,
    partners: Vec<u32>,
    pub unclosed: Option<usize>,
    cut_off: Option<usize>,
    nested: RefCell<Nested>,
}

/// The maximum number of tokens between one and the bracket around it, if that is searched: with
/// thousands of values in a literal, the search for each would cost the square of their number.
const MAX_BEFORE: usize = 4_000;

/// The tokens of code in literals, as far as it was requested. Their indices are above those of
/// [`Tokens::all`], with an empty token before each piece of code and at its end, so that tokens of
/// different code are no neighbours.
#[derive(Default)]
struct Nested {
    tokens: Vec<Token>,
    partners: Vec<u32>,
    /// The indices of the tokens of a range of the source; `None` for incomplete code.
    known: HashMap<Range<usize>, Option<Range<usize>>>,
}

impl<'s> Tokens<'s> {
    /// Splits a source of a code language.
    ///
    /// Cost: one pass over the source, one over the tokens.
    pub fn new(language: Language, source: &'s str) -> Option<Tokens<'s>> {
        let Scan { tokens: mut all, unclosed, cut_off } = scan::scan(language, source)?;
        let comments = all.extract_if(.., |token| token.kind == TokenKind::Comment).collect();
        let partners = partners(source, &all);
        let nested = RefCell::default();
        Some(Tokens { language, source, all, comments, partners, unclosed, cut_off, nested })
    }

    /// The tokens of code in a literal; `None` if it has a string or comment without an end.
    ///
    /// Cost: one pass over the code for each range, the first time.
    pub fn nested(&self, code: Range<usize>) -> Option<Range<usize>> {
        let mut nested = self.nested.borrow_mut();
        if let Some(known) = nested.known.get(&code) {
            return known.clone();
        }
        let scanned = scan::scan(self.language, &self.source[code.clone()]);
        let complete = scanned.filter(|it| it.unclosed.is_none() && it.cut_off.is_none());
        let tokens = complete.map(|Scan { mut tokens, .. }| {
            tokens.retain(|token| token.kind != TokenKind::Comment);
            for token in &mut tokens {
                (token.start, token.end) =
                    (token.start + code.start as u32, token.end + code.start as u32);
            }
            let empty =
                |at: usize| Token { kind: TokenKind::Other, start: at as u32, end: at as u32 };
            nested.tokens.push(empty(code.start));
            nested.partners.push(NONE);
            let start = self.all.len() + nested.tokens.len();
            let pairs = partners(self.source, &tokens).into_iter();
            nested
                .partners
                .extend(pairs.map(|it| if it == NONE { NONE } else { it + start as u32 }));
            nested.partners.push(NONE);
            nested.tokens.append(&mut tokens);
            let end = self.all.len() + nested.tokens.len();
            nested.tokens.push(empty(code.end));
            start..end
        });
        nested.known.insert(code, tokens.clone());
        tokens
    }

    /// The tokens of the code in a field of a literal: the name in `$NAME`, and the expression in
    /// `{…}` and `${…}`. A format after it is no part of the expression, and the conversion `!s`
    /// changes no text.
    pub fn in_field(&self, written: Range<usize>) -> Option<Range<usize>> {
        let source = &self.source[written.clone()];
        let sign = usize::from(source.starts_with('$'));
        let brace = usize::from(source[sign..].starts_with('{') && source.ends_with('}'));
        if sign + brace == 0 {
            return None;
        }
        let code = written.start + sign + brace..written.end - brace;
        let conversion = self.source[code.clone()].strip_suffix("!s");
        self.nested(code.start..conversion.map_or(code.end, |text| code.start + text.len()))
    }

    /// A token, perhaps of code in a literal.
    fn token(&self, index: usize) -> Option<Token> {
        match index.checked_sub(self.all.len()) {
            None => self.all.get(index).copied(),
            Some(nested) => self.nested.borrow().tokens.get(nested).copied(),
        }
    }

    /// The reason why the code after a position is unreliable: a string or comment without an end
    /// in the file, or else the first string without an end in its line.
    pub fn unread(&self) -> Option<Unread> {
        if let Some(at) = self.unclosed {
            let reason = "this string or comment is never closed, so the text after it is not read";
            return Some(Unread::new(at..at, reason));
        }
        let mut literals = self.all.iter().filter(|token| token.kind == TokenKind::Literal);
        let open = literals.find(|token| {
            let range = token.range();
            self.cut_off == Some(range.start) || !is_closed(&self.source[range])
        })?;
        Some(Unread::new(open.range(), "this string is not closed"))
    }

    /// The source text of a token; empty after the last one.
    pub fn text(&self, token: usize) -> &'s str {
        self.token(token).map_or("", |token| &self.source[token.range()])
    }

    pub fn kind(&self, token: usize) -> Option<TokenKind> {
        self.token(token).map(|token| token.kind)
    }

    pub fn is_word(&self, token: usize) -> bool {
        self.kind(token) == Some(TokenKind::Word)
    }

    pub fn is_literal(&self, token: usize) -> bool {
        self.kind(token) == Some(TokenKind::Literal)
    }

    /// The matching bracket; `None` for an unmatched one and for other tokens.
    pub fn partner(&self, token: usize) -> Option<usize> {
        let partner = match token.checked_sub(self.all.len()) {
            None => self.partners.get(token).copied(),
            Some(nested) => self.nested.borrow().partners.get(nested).copied(),
        };
        partner.filter(|partner| *partner != NONE).map(|it| it as usize)
    }

    /// The closing bracket of a pair that starts here with this bracket.
    pub fn closer(&self, token: usize, open: &str) -> Option<usize> {
        (self.text(token) == open).then(|| self.partner(token)).flatten()
    }

    /// The source range of tokens.
    pub fn range(&self, tokens: Range<usize>) -> Range<usize> {
        let start = self.token(tokens.start).map_or(self.source.len(), |it| it.range().start);
        let last = tokens.end.checked_sub(1).and_then(|last| self.token(last));
        start..last.map_or(start, |it| it.range().end).max(start)
    }

    /// `true` if the text of a literal in a range contains a sign that opens placeholders.
    pub fn may_hold(&self, tokens: Range<usize>, open: &str) -> bool {
        let is_written = |at: &usize| self.is_literal(*at) && self.text(*at).contains(open);
        tokens.filter(is_written).any(|at| {
            let decoded = decode(self.language, self.source, self.range(at..at + 1));
            decoded.is_none_or(|decoded| decoded.text().contains(open))
        })
    }

    /// The next token at the same depth: a pair of brackets counts as one.
    pub fn next(&self, token: usize) -> usize {
        let opens = self.kind(token) == Some(TokenKind::Open);
        self.partner(token).filter(|_| opens).unwrap_or(token) + 1
    }

    /// The tokens of a range that are in no brackets of it.
    pub fn at_depth(&self, tokens: Range<usize>) -> impl Iterator<Item = usize> + '_ {
        let next = move |at: &usize| Some(self.next(*at));
        std::iter::successors(Some(tokens.start), next).take_while(move |at| *at < tokens.end)
    }

    /// The same as [`Tokens::next`] in an expression, in which the type arguments of a call count as one, too:
    /// `<String, Object>(`.
    pub fn next_operand(&self, token: usize) -> usize {
        if self.text(token) != "<" {
            return self.next(token);
        }
        let mut depth = 0_usize;
        for at in token..self.all.len().min(token + MAX_TYPE_ARGUMENTS) {
            match self.text(at) {
                "<" => depth += 1,
                ">" if depth == 1 && self.text(at + 1) == "(" => return at + 1,
                ">" if depth > 1 => depth -= 1,
                "," | "." | "?" => {}
                _ if self.is_word(at) => {}
                _ => break,
            }
        }
        self.next(token)
    }

    /// The previous token at the same depth.
    pub fn previous(&self, token: usize) -> Option<usize> {
        let before = token.checked_sub(1)?;
        let closes = self.kind(before) == Some(TokenKind::Close);
        Some(self.partner(before).filter(|_| closes).unwrap_or(before))
    }

    /// The opening bracket around a token; `None` beyond [`MAX_BEFORE`] tokens.
    ///
    /// Cost: the tokens between them, without those in other brackets.
    pub fn opener_around(&self, token: usize) -> Option<usize> {
        let mut before = std::iter::successors(self.previous(token), |it| self.previous(*it));
        let mut before = before.by_ref().take(MAX_BEFORE);
        before.find(|it| {
            // An opening bracket of a pair before the token stands for the whole pair.
            self.kind(*it) == Some(TokenKind::Open)
                && self.partner(*it).is_none_or(|close| close > token)
        })
    }

    /// `true` if a line ends between a token and the previous one.
    pub fn starts_line(&self, token: usize) -> bool {
        let before = token.checked_sub(1).and_then(|before| self.token(before));
        let (Some(this), Some(before)) = (self.token(token), before) else { return true };
        self.lines_between(before.end as usize, this.start as usize) > 0
    }

    /// The number of line ends in a part of the source.
    pub fn lines_between(&self, from: usize, to: usize) -> usize {
        let between = self.source.as_bytes().get(from..to).unwrap_or_default();
        let is_end = |at: &usize| match between[*at] {
            b'\n' => true,
            b'\r' => between.get(at + 1) != Some(&b'\n'),
            _ => false,
        };
        (0..between.len()).filter(is_end).count()
    }

    /// The first token at or after an offset.
    pub fn at_or_after(&self, offset: usize) -> usize {
        self.all.partition_point(|token| (token.start as usize) < offset)
    }

    /// The parts between commas at one depth, as ranges of tokens.
    pub fn split(&self, tokens: Range<usize>) -> Vec<Range<usize>> {
        let mut parts = Vec::new();
        let (mut start, mut at) = (tokens.start, tokens.start);
        while at < tokens.end {
            if self.text(at) == "," {
                parts.push(start..at);
                start = at + 1;
            }
            at = self.next(at);
        }
        if start < tokens.end {
            parts.push(start..tokens.end);
        }
        parts
    }

    /// The names with dots between them from a token to a bracket, without type arguments; `None` if
    /// anything else is there.
    pub fn callee_before(&self, open: usize, start: usize) -> Option<String> {
        let mut name = String::new();
        let mut at = start;
        while at < open {
            match self.text(at) {
                "<" if !name.is_empty() && self.text(open - 1) == ">" => break,
                "." if !name.is_empty() => name.push('.'),
                word if self.is_word(at) => name.push_str(word),
                _ => return None,
            }
            at += 1;
        }
        (!name.is_empty()).then_some(name)
    }

    /// The token before the bracket of a call, or before its type arguments: the last name of the
    /// callee in `f(x)` and `f<T>(x)`.
    pub fn before_call(&self, open: usize) -> usize {
        let last = open.saturating_sub(1);
        if self.text(last) != ">" {
            return last;
        }
        let (mut at, mut depth) = (last, 0_usize);
        for _ in 0..MAX_TYPE_ARGUMENTS {
            match self.text(at) {
                ">" => depth += 1,
                "<" if depth == 1 => {
                    return at.checked_sub(1).filter(|it| self.is_word(*it)).unwrap_or(last);
                }
                "<" => depth -= 1,
                _ if self.may_be_in_type(at) => {}
                _ => return last,
            }
            let Some(before) = self.previous(at) else { return last };
            at = before;
        }
        last
    }

    /// The bracket of a call with this last name, perhaps after type arguments: `f(x)`, `f<T>(x)`.
    pub fn call_after(&self, name: usize) -> Option<usize> {
        let mut depth = 0_usize;
        let mut at = name + 1;
        for _ in 0..MAX_TYPE_ARGUMENTS {
            match self.text(at) {
                "(" if depth == 0 => return Some(at),
                "<" => depth += 1,
                close if !close.is_empty() && close.bytes().all(|byte| byte == b'>') => {
                    depth = depth.checked_sub(close.len())?;
                }
                _ if depth == 0 || !self.may_be_in_type(at) => return None,
                _ => {}
            }
            at = self.partner(at).filter(|close| *close > at).unwrap_or(at) + 1;
        }
        None
    }

    /// `true` for a token that may be a part of type arguments, other than their signs.
    fn may_be_in_type(&self, token: usize) -> bool {
        matches!(self.text(token), "," | "." | "?" | ":" | "|" | "&")
            || self.is_word(token)
            || self.is_literal(token)
            || self.partner(token).is_some()
    }

    /// The sign before a member of the value that ends before a token: `a.b`, `a?.b`, `a!.b`.
    pub fn member_sign(&self, after: usize) -> Option<usize> {
        let sign = after + usize::from(matches!(self.text(after), "!" | "!!"));
        matches!(self.text(sign), "." | "?.").then_some(sign)
    }

    /// The chain of names before a call: `a.b.c` for the bracket in `a.b.c(`, innermost last.
    pub fn callee(&self, open: usize) -> Vec<&'s str> {
        let mut chain = Vec::new();
        let mut at = self.before_call(open) + 1;
        while let Some(word) = at.checked_sub(1).filter(|word| self.is_word(*word)) {
            chain.push(self.text(word));
            match word.checked_sub(1).filter(|dot| self.text(*dot) == ".") {
                // Known names have no longer chains.
                Some(dot) if chain.len() < 16 => at = dot,
                Some(_) => return Vec::new(),
                None => {
                    chain.reverse();
                    return chain;
                }
            }
        }
        Vec::new()
    }
}

/// `true` if a single-line literal ends with its opening quote. Only the end of the file can cut
/// off a multi-line literal.
fn is_closed(literal: &str) -> bool {
    let Some(start) = literal.find(['"', '\'', '`']) else { return true };
    let body = &literal[start..];
    let (quote, inner) = body.split_at(1);
    if quote == "`" || inner.starts_with(&quote.repeat(2)) {
        return true;
    }
    let Some(text) = inner.strip_suffix(quote) else { return false };
    let escapes = text.len() - text.trim_end_matches('\\').len();
    escapes % 2 == 0
}

/// Pairs brackets. An unclosed bracket has no partner, and enclosing ones keep theirs.
fn partners(source: &str, tokens: &[Token]) -> Vec<u32> {
    let mut partners = vec![NONE; tokens.len()];
    let mut open: Vec<(usize, u8)> = Vec::new();
    let mut counts = [0_usize; 3];
    let place = |byte: u8| match byte {
        b'(' | b')' => 0,
        b'[' | b']' => 1,
        _ => 2,
    };
    for (index, token) in tokens.iter().enumerate() {
        let kind = place(source.as_bytes()[token.start as usize]);
        match token.kind {
            TokenKind::Open => {
                open.push((index, kind as u8));
                counts[kind] += 1;
            }
            // An unmatched closing bracket is skipped, and closes no other.
            TokenKind::Close if counts[kind] > 0 => {
                while let Some((opener, other)) = open.pop() {
                    counts[other as usize] -= 1;
                    if other as usize == kind {
                        partners[opener] = index as u32;
                        partners[index] = opener as u32;
                        break;
                    }
                }
            }
            _ => {}
        }
    }
    partners
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_string_that_ends_with_its_line_is_unclosed() {
        for (literal, expected) in [
            ("'a'", true),
            ("''", true),
            ("rb\"a\"", true),
            ("'a\\\\'", true),
            ("f'{x['a']}'", true),
            ("\"\"\"a\nb\"\"\"", true),
            ("`a", true),
            ("'", false),
            ("'a", false),
            ("u'a\\'", false),
            ("\"a'", false),
        ] {
            assert_eq!(is_closed(literal), expected, "{literal}");
        }
    }
}
