//! The outline of a Java file: a scope is a pair of braces with its header.
//!
//! A name is declared if it follows a type, which ends in a word, `>`, `]` or `...`.

use super::braces::Braces;
use crate::code::outline::{Outline, ScopeKind, Value};
use crate::code::tokens::Tokens;
use crate::token::TokenKind;

/// Words before a name that are not types.
const NO_TYPES: [&str; 43] = [
    "abstract",
    "assert",
    "break",
    "case",
    "catch",
    "class",
    "const",
    "continue",
    "default",
    "do",
    "else",
    "enum",
    "extends",
    "final",
    "finally",
    "for",
    "goto",
    "if",
    "implements",
    "import",
    "instanceof",
    "interface",
    "native",
    "new",
    "package",
    "permits",
    "private",
    "protected",
    "public",
    "return",
    "sealed",
    "static",
    "strictfp",
    "super",
    "switch",
    "synchronized",
    "this",
    "throw",
    "throws",
    "transient",
    "try",
    "volatile",
    "yield",
];

/// Words whose brackets belong to the following block.
const HEADERS: [&str; 7] = ["for", "catch", "try", "while", "if", "switch", "synchronized"];

/// The maximum number of tokens in a class header; longer headers have no braces.
const MAX_HEADER: usize = 100;

pub(super) fn outline<'s>(tokens: &Tokens<'s>) -> Outline<'s> {
    let mut reader = JavaReader { braces: Braces::new(tokens), tokens };
    (0..tokens.all.len()).for_each(|at| reader.token(at));
    reader.braces.finish()
}

struct JavaReader<'t, 's> {
    tokens: &'t Tokens<'s>,
    braces: Braces<'t, 's>,
}

impl<'s> JavaReader<'_, 's> {
    fn text(&self, token: usize) -> &'s str {
        self.tokens.text(token)
    }

    fn token(&mut self, at: usize) {
        if self.braces.step(at) {
            return;
        }
        let is_in_block = self.braces.is_in_block();
        match self.tokens.kind(at) {
            Some(TokenKind::Open) => return self.open(at),
            Some(TokenKind::Close) => return,
            _ if is_in_block && self.text(at) == ";" => return self.braces.end_statement(at),
            _ => {}
        }
        if is_in_block && self.braces.statement.is_none() {
            self.braces.start_statement(at);
            match self.text(at) {
                "package" => {
                    self.braces.outline.package = Some(self.braces.dotted(at + 1).0);
                }
                "import" => return self.import(at + 1),
                _ => {}
            }
        }
        match self.text(at) {
            "=" if is_in_block => self.braces.set_target(at.saturating_sub(1)),
            "class" | "interface" | "enum" | "record" => self.class(at),
            "return" if self.braces.may_return() => {
                self.braces.returns(at + 1..self.end(at + 1));
            }
            "," if self.is_declarator(at + 1) => self.declare(at + 1),
            header if HEADERS.contains(&header) => self.header(at),
            _ if self.tokens.is_word(at) => self.word(at),
            _ => {}
        }
    }

    fn import(&mut self, at: usize) {
        let start = at + usize::from(self.text(at) == "static");
        let (path, end) = self.braces.dotted(start);
        let is_all = self.text(end) == "." && self.text(end + 1) == "*";
        let local = self.text(end.saturating_sub(1));
        self.braces.import(&path, end, local, is_all);
    }

    fn open(&mut self, open: usize) {
        let Some(close) = self.tokens.partner(open) else { return };
        if self.text(open) == "(" && self.text(close + 1) == "->" {
            self.lambda(open, close);
        }
        let before = self.braces.before(open);
        let is_list = matches!(before, "=" | "]" | "," | "(");
        let is_nested_list = before == "{" && !self.braces.is_in_block();
        if self.text(open) != "{" || is_list || is_nested_list {
            if self.braces.is_in_block() && self.braces.statement.is_none() {
                self.braces.start_statement(open);
            }
            return self.braces.open_bracket(close, false);
        }
        let is_new = before == ")" && self.is_new(open);
        let start = self.braces.statement_start().map_or("", |start| self.text(start));
        let goes_on = !self.braces.is_in_block()
            || is_new
            || before == "->" && !matches!(start, "case" | "default")
            || before == ")" && start != "switch" && self.is_switch(open);
        if !goes_on {
            self.braces.end_statement(open);
        }
        if is_new {
            let class = ScopeKind::Class { bases: Vec::new() };
            self.braces.open_scope(class, "", open..close + 1, None);
        } else if before == "->" && goes_on && !self.braces.is_body(close) {
            self.braces.open_scope(ScopeKind::Block, "", open..close + 1, None);
        } else if !self.braces.is_body(close) {
            self.braces.open_block(open..close + 1);
        }
        self.braces.open_bracket(close, true);
    }

    /// `true` if the brackets before a brace are those of `new T(…)`.
    fn is_new(&self, brace: usize) -> bool {
        let Some(mut at) = self.tokens.previous(brace) else { return false };
        let mut angles = 0_usize;
        for _ in 0..MAX_HEADER {
            let Some(before) = at.checked_sub(1) else { return false };
            at = before;
            match self.text(at) {
                "new" => return true,
                ">" => angles += 1,
                "<" if angles > 0 => angles -= 1,
                "." => {}
                _ if angles > 0 => {}
                word if self.tokens.is_word(at) && !NO_TYPES.contains(&word) => {}
                _ => return false,
            }
        }
        false
    }

    /// `true` if the brackets before a brace are those of a `switch`.
    fn is_switch(&self, brace: usize) -> bool {
        let open = self.tokens.previous(brace);
        open.is_some_and(|open| self.braces.before(open) == "switch")
    }

    fn class(&mut self, at: usize) {
        let is_record = self.text(at) == "record";
        let is_declared = self.tokens.is_word(at + 1)
            && self.braces.before(at) != "."
            && (!is_record || matches!(self.text(at + 2), "(" | "<"));
        if !is_declared {
            return self.word(at);
        }
        let mut brace = at + 2;
        for _ in 0..MAX_HEADER {
            if let Some(close) = self.tokens.closer(brace, "{") {
                let name = self.text(at + 1);
                self.braces.open_class(name, at + 2..close + 1, brace);
                if self.text(at) == "enum" {
                    self.braces.bind_constants(brace);
                }
                return;
            }
            if self.text(brace) == ";" || brace >= self.tokens.all.len() {
                return;
            }
            brace = self.tokens.next(brace);
        }
    }

    /// Names in the header of a block belong to the block.
    fn header(&mut self, at: usize) {
        let block = self.tokens.closer(at + 1, "(").map(|close| close + 1);
        if let Some(close) = block.and_then(|block| self.tokens.closer(block, "{")) {
            self.braces.open_block(at + 1..close + 1);
        }
    }

    /// The parameters of `(a, b) -> …`.
    fn lambda(&mut self, open: usize, close: usize) {
        if let Some(end) = self.tokens.closer(close + 2, "{") {
            self.braces.open_scope(ScopeKind::Block, "", open..end + 1, None);
        }
        for parameter in self.tokens.split(open + 1..close) {
            let last = parameter.end - 1;
            if self.tokens.is_word(last) {
                self.braces.bind(last, Value::Unknown);
            }
        }
    }

    fn word(&mut self, at: usize) {
        let next = self.text(at + 1);
        let before = self.braces.before(at);
        // The header of a record is no constructor.
        if before == "record" && self.braces.is_in_class() && next == "(" {
            return;
        }
        if self.follows_type(at) {
            match next {
                "(" => self.method(at, true),
                "=" | ";" | "," | ")" | ":" | "->" | "&&" | "||" | "[" => self.declare(at),
                _ => {}
            }
            return;
        }
        let is_class = |name: &str| {
            let scope = &self.braces.outline.scopes[self.braces.scope()];
            self.braces.is_in_class() && scope.name == name
        };
        match next {
            "(" if !matches!(before, "new" | "." | "@") && is_class(self.text(at)) => {
                self.method(at, false);
            }
            "->" if before != "case" => self.braces.bind(at, Value::Unknown),
            "=" if before == "." && at > 1 && self.text(at - 2) == "this" => {
                self.braces.assign_field(at, at + 2..self.end(at + 2));
            }
            sign if is_assignment(sign) && before != "." && !self.is_declarator(at) => {
                self.braces.assign(at, sign, at + 2..self.end(at + 2));
            }
            _ => {}
        }
    }

    fn follows_type(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1) else { return false };
        let is_type = |word: &str| {
            !NO_TYPES.contains(&word) && !word.starts_with(|first: char| first.is_ascii_digit())
        };
        match self.tokens.kind(before) {
            Some(TokenKind::Word) => is_type(self.text(before)),
            _ => matches!(self.text(before), ">" | "]" | "..."),
        }
    }

    /// `true` if a comma starts another name of a declaration.
    fn is_declarator(&self, at: usize) -> bool {
        let is_ended = matches!(self.text(at + 1), "=" | ";" | ",");
        let is_behind = self.braces.before(at) == "," && self.braces.is_in_block();
        self.tokens.is_word(at) && is_behind && is_ended && self.braces.has_target()
    }

    /// Reads a method with a name, or a constructor.
    fn method(&mut self, name: usize, is_called: bool) {
        let Some(close) = self.tokens.closer(name + 1, "(") else { return };
        if !self.braces.is_in_class() || !self.braces.is_in_block() {
            return;
        }
        let mut brace = close + 1;
        if self.text(brace) == "throws" {
            let is_name =
                |at: usize| self.tokens.is_word(at) || matches!(self.text(at), "." | "," | "@");
            while is_name(brace) && brace < close + MAX_HEADER {
                brace += 1;
            }
        }
        if let Some(end) = self.tokens.closer(brace, "{") {
            self.braces.open_function(self.text(name), is_called, name + 1..end + 1);
        } else if is_called {
            self.braces.bind_method(self.text(name), Value::Unknown);
        }
    }

    /// Reads a field, a local or a parameter.
    fn declare(&mut self, name: usize) {
        let is_first = self.braces.is_in_block() && !self.braces.has_target();
        let is_resource = || {
            let around = Some(self.braces.innermost()).filter(|close| *close < usize::MAX);
            let open = around.and_then(|close| self.tokens.partner(close));
            open.is_some_and(|open| self.braces.before(open) == "try")
        };
        let has_value = self.text(name + 1) == "="
            && (is_first || is_resource() || self.braces.before(name) == ",")
            && (!self.braces.is_in_class() || self.is_final(name));
        if has_value {
            return self.braces.bind(name, Value::Expression(name + 2..self.end(name + 2)));
        }
        let is_variable = self.braces.is_in_block() && self.braces.is_local(self.braces.scope());
        match self.text(name + 1) {
            ";" if is_first && self.braces.is_in_class() && self.is_final(name) => {
                self.braces.declare_final(name);
            }
            ";" | "," if is_variable => self.braces.declare(name, None),
            _ => self.braces.bind(name, Value::Unknown),
        }
    }

    /// `true` if the field with a name is final.
    fn is_final(&self, name: usize) -> bool {
        let start = self.braces.statement_start().unwrap_or(name);
        let mut words = (start..name).take(MAX_HEADER).map(|it| self.text(it));
        words.any(|word| word == "final") || self.is_in_interface()
    }

    fn is_in_interface(&self) -> bool {
        let scope = &self.braces.outline.scopes[self.braces.scope()];
        scope.tokens.start.checked_sub(2).is_some_and(|it| self.text(it) == "interface")
    }

    /// The end of the value that starts at a token.
    fn end(&self, start: usize) -> usize {
        let mut at = start;
        while at < self.tokens.all.len() && !matches!(self.text(at), ";" | ",") {
            if self.tokens.kind(at) == Some(TokenKind::Close) {
                break;
            }
            at = self.tokens.next_operand(at);
        }
        at
    }
}

fn is_assignment(sign: &str) -> bool {
    sign.ends_with('=') && !matches!(sign, "==" | "!=" | "<=" | ">=")
}
