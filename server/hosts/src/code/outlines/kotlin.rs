//! The outline of a Kotlin file: a scope is a pair of braces with its header.
//!
//! A statement ends with its line, unless the last token of the line, or the first of the next one,
//! continues it.

use std::ops::Range;

use super::braces::Braces;
use super::statements::StatementReader;
use crate::code::outline::{Outline, ScopeKind, Value};
use crate::code::tokens::Tokens;
use crate::token::TokenKind;

/// Tokens after which a statement continues in the next line.
const GOES_ON: [&str; 30] = [
    "=", "+", "-", "*", "/", "%", "&&", "||", "?:", ".", "?.", "::", ",", ":", "(", "[", "==",
    "!=", "===", "!==", "<", "<=", ">=", "+=", "-=", "..", "else", "in", "as", "to",
];

/// Tokens that continue the statement of the line before.
const CONTINUES: [&str; 13] =
    [".", "?.", "?:", "&&", "||", "as", "else", "catch", "finally", "{", "where", "by", ":"];

/// Words whose brackets belong to the following block.
const HEADERS: [&str; 5] = ["for", "catch", "while", "if", "when"];

/// The maximum number of tokens in a header of a class or function; longer headers have no bodies.
const MAX_HEADER: usize = 100;

/// The maximum number of modifiers of a declaration.
const MAX_MODIFIERS: usize = 8;

pub(super) fn outline<'s>(tokens: &Tokens<'s>) -> Outline<'s> {
    let braces = Braces::new(tokens);
    let mut reader = KotlinReader { tokens, braces, companion: None, function_sign: None };
    reader.read_all(tokens, starts_statement);
    reader.braces.finish()
}

struct KotlinReader<'t, 's> {
    tokens: &'t Tokens<'s>,
    braces: Braces<'t, 's>,
    /// The brace of a companion object: its names belong to the enclosing class.
    companion: Option<usize>,
    /// The sign before the value of a function, which is no assignment of its statement.
    function_sign: Option<usize>,
}

impl<'t, 's: 't> StatementReader<'t, 's> for KotlinReader<'t, 's> {
    fn braces(&mut self) -> &mut Braces<'t, 's> {
        &mut self.braces
    }

    fn open(&mut self, open: usize, close: usize) {
        let is_brace = self.text(open) == "{";
        if is_brace && self.companion != Some(open) && !self.braces.is_body(close) {
            self.braces.open_block(open..close + 1);
            self.parameters_of_lambda(open + 1, close);
        }
        self.braces.open_bracket(close, is_brace);
    }

    fn token(&mut self, at: usize) {
        match self.text(at) {
            "=" if self.braces.is_in_block() && self.function_sign != Some(at) => {
                self.braces.set_target(at.saturating_sub(1));
                self.assign(at);
            }
            "+=" | "-=" => self.assign(at),
            "val" | "var" if self.braces.before(at) != "." => self.property(at),
            "fun" => self.function(at),
            "class" | "interface" | "object" if self.braces.before(at) != "::" => self.class(at),
            "return" if self.text(at + 1) != "@" && self.braces.may_return() => {
                let end = self.braces.end(at + 1, ends_statement);
                self.braces.returns(at + 1..end);
            }
            "package" if self.braces.statement_start() == Some(at) => {
                self.braces.outline.package = Some(self.braces.dotted(at + 1).0);
            }
            "import" if self.braces.statement_start() == Some(at) => self.import(at + 1),
            header if HEADERS.contains(&header) => self.header(at),
            _ => {}
        }
    }
}

impl<'s> KotlinReader<'_, 's> {
    fn text(&self, token: usize) -> &'s str {
        self.tokens.text(token)
    }

    fn import(&mut self, start: usize) {
        let (path, end) = self.braces.dotted(start);
        let is_all = self.text(end) == "." && self.text(end + 1) == "*";
        let local = if self.text(end) == "as" { end + 1 } else { end.saturating_sub(1) };
        self.braces.import(&path, end, self.text(local), is_all);
    }

    /// Names before the arrow of a lambda.
    fn parameters_of_lambda(&mut self, start: usize, close: usize) {
        let is_part = |at: &usize| {
            self.tokens.is_word(*at)
                || matches!(self.text(*at), "," | ":" | "<" | ">" | "?" | "." | "(" | ")")
        };
        let limit = close.min(start + MAX_HEADER);
        let Some(arrow) = (start..limit).find(|at| !is_part(at)) else { return };
        if self.text(arrow) == "->" {
            self.unknown(start..arrow);
        }
    }

    /// Binds all words in a range as names with unknown values.
    fn unknown(&mut self, tokens: Range<usize>) {
        for token in tokens.filter(|it| self.tokens.is_word(*it)) {
            self.braces.bind(token, Value::Unknown);
        }
    }

    /// Names in the header of a block belong to the block.
    fn header(&mut self, at: usize) {
        let Some(close) = self.tokens.closer(at + 1, "(") else { return };
        if let Some(end) = self.tokens.closer(close + 1, "{") {
            self.braces.open_block(at + 1..end + 1);
        }
        let limit = close.min(at + MAX_HEADER);
        let behind = match self.text(at) {
            "for" => (at + 2..limit).find(|it| self.text(*it) == "in"),
            "catch" => (at + 2..limit).find(|it| self.text(*it) == ":"),
            _ => None,
        };
        if let Some(behind) = behind {
            self.unknown(at + 2..behind);
        }
    }

    /// Reads `val a: T = …`, `var a`, `val (a, b) = …`.
    fn property(&mut self, at: usize) {
        let mut name = at + 1;
        if self.text(name) == "<" {
            name = self.behind_angles(name);
        }
        if let Some(close) = self.tokens.closer(name, "(") {
            return self.unknown(name + 1..close);
        }
        if !self.tokens.is_word(name) || matches!(self.text(name + 1), "." | "?.") {
            return;
        }
        let is_statement = self.braces.is_in_block();
        if is_statement {
            self.braces.set_target(name);
        }
        let is_open = self.is_open(at);
        let sign = self.behind_type(name + 1);
        let is_local = is_statement && self.braces.is_local(self.braces.scope());
        let is_unset = !matches!(self.text(sign), "=" | "by" | "get");
        if is_local && (self.text(at) == "var" && self.text(sign) == "=" || is_unset) {
            let value = sign + 1..self.braces.end(sign + 1, ends_statement);
            return self.braces.declare(name, (!is_unset).then_some(value));
        }
        let has_value =
            is_statement && self.text(at) == "val" && self.text(sign) == "=" && !is_open;
        let is_computed = is_statement && self.text(at) == "val" && !is_open;
        let computed = is_computed.then(|| self.computed(sign)).flatten();
        let value = match has_value {
            true => Value::Expression(sign + 1..self.braces.end(sign + 1, ends_statement)),
            false => computed.map_or(Value::Unknown, Value::Expression),
        };
        self.braces.bind(name, value);
    }

    /// Reads an assignment to a variable.
    fn assign(&mut self, sign: usize) {
        let Some(name) = sign.checked_sub(1).filter(|it| self.tokens.is_word(*it)) else { return };
        if !matches!(self.braces.before(name), "." | "?." | "val" | "var" | ":") {
            let end = self.braces.end(sign + 1, ends_statement);
            // The `else` of a condition that assigns without braces ends its value.
            let mut conditions = 0_usize;
            let is_end = |at: &usize| match self.text(*at) {
                "if" => {
                    conditions += 1;
                    false
                }
                "else" if conditions == 0 => true,
                "else" => {
                    conditions -= 1;
                    false
                }
                _ => false,
            };
            let end = (sign + 1..end).find(is_end).unwrap_or(end);
            self.braces.assign(name, self.text(sign), sign + 1..end);
        }
    }

    /// The value of a property that is computed by an expression alone: `by lazy { … }`,
    /// `get() = …`.
    fn computed(&mut self, at: usize) -> Option<Range<usize>> {
        match (self.text(at), self.text(at + 1)) {
            ("by", "lazy") => {
                let close = self.tokens.closer(at + 2, "{")?;
                Some(at + 3..close)
            }
            ("get", "(") if self.text(at + 3) == "=" => {
                Some(at + 4..self.braces.end(at + 4, ends_statement))
            }
            _ => None,
        }
    }

    /// `true` if the declaration of a word can be overridden.
    fn is_open(&self, at: usize) -> bool {
        let start = self.braces.statement_start().unwrap_or(at);
        (start..at).rev().take(MAX_MODIFIERS).any(|it| self.text(it) == "open")
    }

    /// The position after a colon with a type, if there is one here.
    fn behind_type(&self, start: usize) -> usize {
        if self.text(start) != ":" {
            return start;
        }
        let mut at = start + 1;
        for _ in 0..MAX_HEADER {
            let is_end = matches!(self.text(at), "=" | "{" | "" | ";" | "get" | "by")
                || self.tokens.kind(at) == Some(TokenKind::Close)
                || starts_statement(self.tokens, at);
            if is_end {
                break;
            }
            at = self.tokens.next(at);
        }
        at
    }

    fn behind_angles(&self, start: usize) -> usize {
        let mut depth = 0_usize;
        for at in start..self.tokens.all.len().min(start + MAX_HEADER) {
            match self.text(at) {
                "<" => depth += 1,
                ">" => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                return at + 1;
            }
        }
        start
    }

    /// Reads `fun f() { … }` or `fun f() = …`, with or without a receiver type.
    fn function(&mut self, at: usize) {
        let mut name = at + 1;
        if self.text(name) == "<" {
            name = self.behind_angles(name);
        }
        let mut is_extension = false;
        for _ in 0..MAX_HEADER {
            match self.text(name + 1) {
                "<" => name = self.behind_angles(name + 1).max(name + 2) - 1,
                "." | "?." => name += 2,
                "?" => name += 1,
                _ => break,
            }
            is_extension = true;
        }
        let Some(close) = self.tokens.closer(name + 1, "(") else { return };
        if !self.tokens.is_word(name) || name <= at {
            return;
        }
        let sign = self.behind_type(close + 1);
        let is_open = self.is_open(at);
        let is_called = !is_extension && !is_open;
        let end = match self.text(sign) {
            "{" => self.tokens.partner(sign).map(|close| close + 1),
            "=" => Some(self.braces.end(sign + 1, ends_statement)),
            _ => None,
        };
        let Some(end) = end else {
            return self.braces.bind_method(self.text(name), Value::Unknown);
        };
        if is_open {
            self.braces.bind_method(self.text(name), Value::Unknown);
        }
        if is_extension {
            let function = self.braces.outline.functions.len();
            let others = self.braces.outline.extensions.entry(self.text(name));
            others.and_modify(|it| *it = None).or_insert(Some(function));
        }
        self.braces.open_function(self.text(name), is_called, name + 1..end);
        if self.text(sign) == "=" {
            self.function_sign = Some(sign);
            self.braces.returns(sign + 1..end);
        }
        self.parameters(name + 1, close);
    }

    fn parameters(&mut self, open: usize, close: usize) {
        for parameter in self.tokens.split(open + 1..close) {
            let limit = parameter.end.min(parameter.start + MAX_HEADER);
            let colon = (parameter.start..limit).find(|it| self.text(*it) == ":");
            if let Some(name) = colon.and_then(|it| it.checked_sub(1)).filter(|it| *it > open) {
                self.unknown(name..name + 1);
            }
        }
    }

    /// Reads a class or an object, with or without a name.
    fn class(&mut self, at: usize) {
        let is_companion = self.braces.before(at) == "companion";
        let is_named = self.tokens.is_word(at + 1);
        let mut parameters = None;
        let mut brace = at + 1;
        for _ in 0..MAX_HEADER {
            let is_over = matches!(self.text(brace), "" | ";" | "=" | ",")
                || self.tokens.kind(brace) == Some(TokenKind::Close)
                || brace > at + 1 && starts_statement(self.tokens, brace);
            if self.text(brace) == "{" || is_over {
                break;
            }
            if self.text(brace) == "(" && parameters.is_none() {
                parameters = Some(brace);
            }
            brace = self.tokens.next(brace);
        }
        let body = self.tokens.closer(brace, "{");
        if is_companion {
            self.companion = body.map(|_| brace);
            let around = self.braces.scope();
            let name = if is_named { self.text(at + 1) } else { "Companion" };
            self.braces.outline.classes.insert((around, name), around);
            return;
        }
        let end = body.map_or(brace, |close| close + 1);
        if is_named {
            self.braces.open_class(self.text(at + 1), at + 2..end.max(at + 2), brace);
            if self.braces.before(at) == "enum" && body.is_some() {
                self.braces.bind_constants(brace);
            }
        } else if self.text(at) == "object" && body.is_some() {
            let class = ScopeKind::Class { bases: Vec::new() };
            self.braces.open_scope(class, "", brace..end, None);
        } else {
            return;
        }
        let parameters = parameters.filter(|it| is_named && *it == at + 2);
        if let Some((open, close)) = parameters.and_then(|it| Some((it, self.tokens.partner(it)?)))
        {
            self.parameters(open, close);
        }
    }
}

/// `true` if a statement ends before a token, because its line does.
fn starts_statement(tokens: &Tokens<'_>, at: usize) -> bool {
    let text = |back: usize| at.checked_sub(back).map_or("", |before| tokens.text(before));
    // The sign that ends an import of all names is no operator.
    let goes_on = GOES_ON.contains(&text(1)) && (text(1), text(2)) != ("*", ".");
    tokens.starts_line(at) && !CONTINUES.contains(&tokens.text(at)) && !goes_on
}

/// `true` if a value ends before a token: with its statement, or as an argument.
fn ends_statement(tokens: &Tokens<'_>, at: usize) -> bool {
    matches!(tokens.text(at), ";" | ",") || starts_statement(tokens, at)
}
