//! The outline of a TypeScript or JavaScript file: a scope is a pair of braces with its header, or
//! an arrow function.
//!
//! A statement ends with its line, unless the last token of the line, or the first of the next one,
//! continues it. `modules.rs` reads imports and exports.

mod modules;

use super::braces::Braces;
use super::statements::StatementReader;
use crate::code::grammars::grammar;
use crate::code::outline::{Outline, ScopeKind, Value};
use crate::code::tokens::Tokens;
use crate::token::TokenKind;

/// Tokens after which a statement continues in the next line.
const GOES_ON: [&str; 16] = [
    "extends",
    "implements",
    "as",
    "satisfies",
    "in",
    "of",
    "instanceof",
    "new",
    "typeof",
    "else",
    "const",
    "case",
    "import",
    "export",
    "default",
    "await",
];

/// Tokens that continue the statement of the line before.
const CONTINUES: [&str; 8] =
    ["as", "satisfies", "in", "of", "instanceof", "extends", "implements", "from"];

/// Words whose brackets belong to the following block.
const HEADERS: [&str; 5] = ["for", "catch", "while", "if", "switch"];

/// Words before a bracket that are not methods.
const NO_METHODS: [&str; 10] =
    ["for", "catch", "while", "if", "switch", "with", "return", "await", "super", "function"];

/// Words after which a brace opens a block of statements.
const BLOCKS: [&str; 6] = ["else", "do", "try", "catch", "finally", "static"];

/// The maximum number of words before the name of a field.
const MAX_MODIFIERS: usize = 8;

/// The maximum number of tokens in a header or type; longer ones have no end.
const MAX_HEADER: usize = 100;

pub(super) fn outline<'s>(tokens: &Tokens<'s>) -> Outline<'s> {
    let mut reader = ScriptReader { tokens, braces: Braces::new(tokens), named: None, arrow: 0 };
    reader.read_all(tokens, starts_statement);
    reader.braces.finish()
}

struct ScriptReader<'t, 's> {
    tokens: &'t Tokens<'s>,
    braces: Braces<'t, 's>,
    /// The start of a function that is the value of a constant, and the constant.
    named: Option<(usize, usize)>,
    /// The last arrow after brackets: the word before it may be a type.
    arrow: usize,
}

impl<'t, 's: 't> StatementReader<'t, 's> for ScriptReader<'t, 's> {
    fn braces(&mut self) -> &mut Braces<'t, 's> {
        &mut self.braces
    }

    fn open(&mut self, open: usize, close: usize) {
        if self.text(open) == "(" {
            if let Some(arrow) = self.arrow_behind(close) {
                self.arrow = arrow;
                self.arrow(open, close, arrow);
            }
            return self.braces.open_bracket(close, false);
        }
        let before = self.braces.before(open);
        let start = self.braces.statement_start();
        let is_in_block = self.braces.is_in_block();
        let is_statement = start == Some(open)
            || BLOCKS.contains(&before)
            || before == ")"
            || before == ":" && start.is_some_and(|it| matches!(self.text(it), "case" | "default"))
            || start.is_some_and(|it| matches!(self.text(it), "namespace" | "module" | "declare"));
        let is_block =
            self.text(open) == "{" && (self.braces.is_body(close) || is_in_block && is_statement);
        if is_block && !self.braces.is_body(close) {
            self.braces.open_block(open..close + 1);
        }
        self.braces.open_bracket(close, is_block);
    }

    fn token(&mut self, at: usize) {
        match self.text(at) {
            "=" if self.braces.is_in_block() => {
                self.braces.set_target(at.saturating_sub(1));
                self.field(at);
                self.assign(at);
                self.common_exports(at);
            }
            "=" | "+=" | "-=" | "||=" | "&&=" | "??=" => self.assign(at),
            // The type of a field follows its name.
            ":" | "?" | "!" if self.braces.is_in_block() && self.braces.is_in_class() => {
                self.braces.set_target(at.saturating_sub(1));
            }
            "return" if self.braces.may_return() => {
                // A value in the next line belongs to another statement.
                let is_empty = self.tokens.starts_line(at + 1);
                let end = if is_empty { at + 1 } else { self.end(at + 1) };
                self.braces.returns(at + 1..end);
            }
            _ if self.braces.before(at) == "." => {}
            "const" | "let" | "var" => self.declaration(at, at + 1),
            "," if self.braces.is_in_block() => {
                let start = self.braces.statement_start().unwrap_or(at);
                let start = start + usize::from(self.text(start) == "export");
                if matches!(self.text(start), "const" | "let" | "var") {
                    self.declaration(start, at + 1);
                }
            }
            "import" => self.import(at),
            "export" => self.export(at),
            "class" => self.class(at),
            "enum" => self.enumeration(at),
            "function" => self.function(at),
            header if HEADERS.contains(&header) => self.header(at),
            _ if self.tokens.is_word(at) => self.word(at),
            _ => {}
        }
    }
}

impl<'s> ScriptReader<'_, 's> {
    fn text(&self, token: usize) -> &'s str {
        self.tokens.text(token)
    }

    /// The end of the value that starts at a token.
    fn end(&mut self, start: usize) -> usize {
        self.braces.end(start, |tokens, at| {
            matches!(tokens.text(at), ";" | ",") || at > start && starts_statement(tokens, at)
        })
    }

    /// The arrow after the parameters and the result type of a function.
    fn arrow_behind(&self, close: usize) -> Option<usize> {
        let mut at = close + 1;
        if self.text(at) == ":" {
            for _ in 0..MAX_HEADER {
                let is_part = self.tokens.is_word(at)
                    || self.tokens.kind(at) == Some(TokenKind::Open)
                    || matches!(self.text(at), ":" | "." | "<" | ">" | "|" | "&" | ",");
                if !is_part || starts_statement(self.tokens, at) {
                    break;
                }
                at = self.tokens.next(at);
            }
        }
        (self.text(at) == "=>").then_some(at)
    }

    /// Reads `(a, b) => …`, `a => …`, whose parameters start at a token.
    fn arrow(&mut self, start: usize, end: usize, arrow: usize) {
        let body_end = match self.tokens.closer(arrow + 1, "{") {
            Some(close) => close + 1,
            None => self.end(arrow + 1),
        };
        let is_async = self.braces.before(start) == "async";
        let opened = if is_async { start - 1 } else { start };
        self.open_value(opened, start..body_end, is_async);
        let parameters = start..(end + 1).min(start + MAX_HEADER);
        let first = match self.text(start) {
            "(" => self.tokens.split(start + 1..end).into_iter().next(),
            _ => Some(start..start + 1),
        };
        match first.zip(self.mapped(opened)) {
            Some((first, list)) => {
                let notation = (self.tokens, grammar(self.tokens.language));
                let scope = self.braces.scope();
                let name = self.without_type(first.clone());
                self.braces.outline.bind_items(notation, scope, name, list);
                self.braces.unknown(first.end..parameters.end.max(first.end));
            }
            None => self.braces.unknown(parameters),
        }
        if self.text(arrow + 1) != "{" {
            self.braces.returns(arrow + 1..body_end);
        }
    }

    /// A parameter without its type.
    fn without_type(&self, parameter: std::ops::Range<usize>) -> std::ops::Range<usize> {
        let end = self.tokens.next(parameter.start).min(parameter.end);
        parameter.start..if self.text(end) == "=" { parameter.end } else { end }
    }

    /// Opens a function that is a value: that of a constant, or an anonymous one.
    fn open_value(&mut self, start: usize, tokens: std::ops::Range<usize>, is_async: bool) {
        match self.named.filter(|(value, _)| *value == start) {
            Some((_, name)) => self.open_named(name, tokens, is_async),
            None => self.braces.open_lambda(tokens),
        }
    }

    /// Opens a function that can be called by name.
    fn open_named(&mut self, name: usize, tokens: std::ops::Range<usize>, is_async: bool) {
        let function = self.braces.outline.functions.len();
        self.braces.bind(name, Value::Function(function));
        self.braces.open_function(self.text(name), false, tokens);
        if let Some(function) = self.braces.outline.functions.last_mut() {
            function.is_async = is_async;
        }
    }

    /// Reads one name of `const a: T = …`, `const {a, b} = …`, `let a, b`, and the word before it.
    fn declaration(&mut self, at: usize, name: usize) {
        let is_constant = self.text(at) == "const";
        if let Some(close) = self.tokens.closer(name, "{").or(self.tokens.closer(name, "[")) {
            let is_import = is_constant && self.require(name, close);
            if !is_import {
                self.pattern(name..close + 1, is_constant);
            }
            return;
        }
        if !self.tokens.is_word(name) || matches!(self.text(name), "enum" | "const") {
            return;
        }
        if self.braces.is_in_block() {
            self.braces.set_target(name);
        }
        let sign = self.behind_type(name + 1);
        let value = sign + 1;
        let has_value = self.text(sign) == "=";
        if is_constant && self.text(sign) == "of" {
            return self.pattern(name..name + 1, true);
        }
        if !self.braces.is_in_block() || is_constant && !has_value {
            return self.braces.bind(name, Value::Unknown);
        }
        if !is_constant {
            let value = if has_value { Some(value..self.end(value)) } else { None };
            return self.braces.declare(name, value);
        }
        if self.require_whole(name, value) {
            return;
        }
        let is_function = matches!(self.text(value), "async" | "function")
            || self.text(value + 1) == "=>"
            || self.tokens.closer(value, "(").is_some_and(|it| self.arrow_behind(it).is_some());
        if is_function {
            self.named = Some((value, name));
            return;
        }
        let end = self.end(value);
        self.braces.bind(name, Value::Expression(value..end));
    }

    /// Reads the names of `const {a, b: c} = …`, `const [a, b] of …`.
    fn pattern(&mut self, pattern: std::ops::Range<usize>, is_constant: bool) {
        let sign = self.behind_type(pattern.end);
        let value = sign + 1;
        let (scope, tokens) = (self.braces.scope(), self.tokens);
        let is_short = pattern.len() <= MAX_HEADER && is_constant;
        match self.text(sign) {
            "=" if is_short => {
                let end = self.end(value);
                self.braces.outline.bind_parts(tokens, scope, pattern, value..end);
            }
            "of" if is_short => {
                let notation = (tokens, grammar(tokens.language));
                let end = self.end(value);
                self.braces.outline.bind_items(notation, scope, pattern, value..end);
            }
            _ => {
                let inside = pattern.start..pattern.end.min(pattern.start + MAX_HEADER);
                self.braces.unknown(inside);
            }
        }
    }

    /// The value whose items a function gets that is the argument of a call, if it is one:
    /// `a.map((b) => …)`.
    fn mapped(&self, start: usize) -> Option<std::ops::Range<usize>> {
        let name = start.checked_sub(2).filter(|_| self.braces.before(start) == "(")?;
        let dot = name.checked_sub(1).filter(|dot| self.text(*dot) == ".")?;
        if !grammar(self.tokens.language).mappers.contains(&self.text(name)) {
            return None;
        }
        let mut at = dot;
        for _ in 0..MAX_HEADER {
            at = at.checked_sub(1)?;
            if self.tokens.kind(at) == Some(TokenKind::Close) {
                at = self.tokens.partner(at)?;
            }
            let is_head = self.tokens.is_word(at) || self.tokens.kind(at) == Some(TokenKind::Open);
            let before = self.braces.before(at);
            match before {
                _ if !is_head => return None,
                "." => at -= 1,
                _ if self.tokens.kind(at) == Some(TokenKind::Open)
                    && at > 0
                    && (self.tokens.is_word(at - 1) && before != "return" && before != "of") => {}
                _ => return Some(at..dot),
            }
        }
        None
    }

    /// The position after a colon with a type, if there is one here.
    fn behind_type(&self, start: usize) -> usize {
        let mut at = start;
        let mut angles = 0_usize;
        for _ in 0..MAX_HEADER {
            match self.text(at) {
                "=" | "" | ";" => break,
                "," | "of" | "in" if angles == 0 => break,
                "<" => angles += 1,
                ">" => angles = angles.saturating_sub(1),
                _ => {}
            }
            let is_end = self.tokens.kind(at) == Some(TokenKind::Close)
                || angles == 0 && starts_statement(self.tokens, at);
            if is_end {
                break;
            }
            at = self.tokens.next(at);
        }
        at
    }

    /// Reads an assignment to a variable.
    fn assign(&mut self, sign: usize) {
        let Some(name) = sign.checked_sub(1).filter(|it| self.tokens.is_word(*it)) else { return };
        let start = self.braces.statement_start().map_or("", |start| self.text(start));
        let is_declared = match self.braces.before(name) {
            "." | "let" | "var" | "const" => true,
            "," => matches!(start, "let" | "var" | "const" | "export"),
            _ => false,
        };
        if !is_declared {
            let value = sign + 1..self.end(sign + 1);
            self.braces.assign(name, self.text(sign), value);
        }
    }

    /// Reads the value of a field of a class: `static readonly a: T = …`.
    fn field(&mut self, sign: usize) {
        let Some(name) = self.braces.target().filter(|_| self.braces.is_in_class()) else { return };
        let start = self.braces.statement_start().unwrap_or(name);
        let is_static = (start..name).take(MAX_MODIFIERS).any(|it| self.text(it) == "static");
        let value = Value::Expression(sign + 1..self.end(sign + 1));
        self.braces.bind(name, value);
        if is_static {
            let scope = self.braces.scope();
            self.braces.outline.statics.insert((scope, self.text(name)));
        }
    }

    /// Names in the header of a block belong to the block.
    fn header(&mut self, at: usize) {
        let open = at + 1 + usize::from(self.text(at + 1) == "await");
        let Some(close) = self.tokens.closer(open, "(") else { return };
        if let Some(end) = self.tokens.closer(close + 1, "{") {
            self.braces.open_block(open..end + 1);
        }
        if self.text(at) == "catch" {
            self.braces.unknown(open + 1..close.min(open + MAX_HEADER));
        }
    }

    /// Reads `class A extends b.C<T> implements D {`.
    fn class(&mut self, at: usize) {
        let is_named =
            self.tokens.is_word(at + 1) && !matches!(self.text(at + 1), "extends" | "implements");
        let mut bases = Vec::new();
        let mut brace = at + 1;
        for _ in 0..MAX_HEADER {
            if let Some(close) = self.tokens.closer(brace, "{") {
                let name = if is_named { self.text(at + 1) } else { "" };
                if is_named {
                    self.braces.bind(at + 1, Value::Unknown);
                }
                let class = ScopeKind::Class { bases };
                let around = self.braces.scope();
                self.braces.open_scope(class, name, brace..close + 1, None);
                self.braces.outline.classes.insert((around, name), self.braces.scope());
                return;
            }
            if self.text(brace) == "extends" {
                let (base, _) = self.braces.dotted(brace + 1);
                bases = vec![base.split('.').map(str::to_owned).collect()];
            }
            if matches!(self.text(brace), ";" | "") {
                return;
            }
            brace = self.tokens.next(brace);
        }
    }

    /// Reads `enum A {`, whose value is its braces.
    fn enumeration(&mut self, at: usize) {
        if let Some(close) = self.tokens.closer(at + 2, "{").filter(|_| self.tokens.is_word(at + 1))
        {
            self.braces.bind(at + 1, Value::Expression(at + 2..close + 1));
        }
    }

    /// Reads `function f(…) {`, `function* (…) {`.
    fn function(&mut self, at: usize) {
        let is_generator = self.text(at + 1) == "*";
        let name = at + 1 + usize::from(is_generator);
        let is_named = self.tokens.is_word(name);
        let parameters = self.behind_angles(name + usize::from(is_named));
        let Some(close) = self.tokens.closer(parameters, "(") else { return };
        let Some(end) = self.body(close + 1) else { return };
        let is_async = self.braces.before(at) == "async";
        let start = if is_async { at.saturating_sub(1) } else { at };
        let is_value = self.named.is_some_and(|(value, _)| value == start);
        let functions = self.braces.outline.functions.len();
        if is_named && !is_value && self.braces.is_in_block() {
            self.open_named(name, name + 1..end + 1, is_async);
        } else {
            self.open_value(start, parameters..end + 1, is_async);
        }
        if let Some(function) = self.braces.outline.functions.get_mut(functions) {
            function.is_plain = !is_generator;
        }
        self.braces.unknown(parameters..close.min(parameters + MAX_HEADER));
    }

    fn behind_angles(&self, start: usize) -> usize {
        let mut at = start;
        let mut depth = 0_usize;
        for _ in 0..MAX_HEADER {
            match self.text(at) {
                "<" => depth += 1,
                ">" => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                return if at > start { at + 1 } else { start };
            }
            at = self.tokens.next(at);
        }
        start
    }

    /// The end of the block of a function, after its result type.
    fn body(&self, start: usize) -> Option<usize> {
        let mut at = start;
        for _ in 0..MAX_HEADER {
            let is_type =
                matches!(self.braces.before(at), ":" | "|" | "&" | "<" | "," | "=>" | "is");
            if let Some(close) = self.tokens.closer(at, "{").filter(|_| !is_type) {
                return Some(close);
            }
            let is_part = at == start && self.text(at) == ":"
                || at > start
                    && self.tokens.kind(at) != Some(TokenKind::Close)
                    && !matches!(self.text(at), "" | ";" | "=");
            if !is_part {
                return None;
            }
            at = self.tokens.next(at);
        }
        None
    }

    /// Reads a method, or an arrow function with one parameter without brackets.
    fn word(&mut self, at: usize) {
        if self.text(at + 1) == "=>" && self.arrow != at + 1 {
            return self.arrow(at, at, at + 1);
        }
        let is_in_block = self.braces.is_in_block();
        let may_be_method = if is_in_block {
            self.braces.is_in_class()
        } else {
            matches!(self.braces.before(at), "{" | "," | "async" | "*" | "get" | "set")
        };
        if !may_be_method || NO_METHODS.contains(&self.text(at)) {
            return;
        }
        let parameters = self.behind_angles(at + 1);
        let Some(close) = self.tokens.closer(parameters, "(") else { return };
        let Some(end) = self.body(close + 1) else { return };
        self.braces.open_function(self.text(at), is_in_block, parameters..end + 1);
        let before = self.braces.before(at);
        if let Some(function) = self.braces.outline.functions.last_mut() {
            function.is_async = before == "async";
            function.is_property = before == "get";
            function.is_plain = before != "*";
        }
        self.braces.unknown(parameters..close.min(parameters + MAX_HEADER));
    }
}

/// `true` if a statement starts at a token, because the line before ends one.
fn starts_statement(tokens: &Tokens<'_>, at: usize) -> bool {
    let Some(before) = at.checked_sub(1) else { return true };
    let goes_on = match tokens.kind(before) {
        Some(TokenKind::Punctuation) => !matches!(tokens.text(before), "++" | "--" | "!" | ">"),
        Some(TokenKind::Open) => true,
        // `as const` ends a value.
        Some(TokenKind::Word) if tokens.text(before) == "const" => {
            before.checked_sub(1).is_none_or(|word| tokens.text(word) != "as")
        }
        Some(TokenKind::Word) => GOES_ON.contains(&tokens.text(before)),
        _ => false,
    };
    let continues = match tokens.kind(at) {
        Some(TokenKind::Punctuation) => {
            !matches!(tokens.text(at), "++" | "--" | "!" | "@" | "#" | "...")
        }
        Some(TokenKind::Open) => tokens.text(at) != "{" || tokens.text(before) == ")",
        Some(TokenKind::Word) => CONTINUES.contains(&tokens.text(at)),
        _ => false,
    };
    !goes_on && !continues && tokens.starts_line(at)
}
