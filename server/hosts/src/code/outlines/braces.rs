//! Shared code for outlines of brace languages: the scopes and statements that are open at a token.
//!
//! An outline reader processes the tokens one by one. It opens scopes, whose ends are known from
//! their brackets, and marks the starts and ends of statements.

use std::ops::Range;

use crate::code::grammars::grammar;
use crate::code::outline::{
    Function, Import, MAX_AROUND, Outline, Scope, ScopeKind, Statement, Value,
};
use crate::code::tokens::Tokens;
use crate::token::TokenKind;

/// The maximum number of returns of a function that are looked at.
const MAX_RETURNS: usize = 10;

/// The maximum number of imports; further ones are names without a value. No file written by hand
/// has as many.
const MAX_IMPORTS: usize = 500;

/// The maximum number of tokens before the parameters of a function.
const MAX_GENERICS: usize = 32;

/// The open scopes and statements at a token.
pub(super) struct Braces<'t, 's> {
    pub tokens: &'t Tokens<'s>,
    pub outline: Outline<'s>,
    scopes: Vec<OpenScope>,
    brackets: Vec<OpenBracket>,
    /// The innermost open statement, by its index in the outline.
    pub statement: Option<usize>,
    /// The last computed end, and the enclosing brackets.
    known_end: (usize, Range<usize>),
}

struct OpenScope {
    scope: usize,
    end: usize,
    /// The function that its returns belong to.
    function: Option<usize>,
}

struct OpenBracket {
    close: usize,
    /// `true` if it contains statements.
    is_block: bool,
    /// The statement that continues after it.
    statement: Option<usize>,
}

impl<'t, 's> Braces<'t, 's> {
    pub fn new(tokens: &'t Tokens<'s>) -> Self {
        Braces {
            tokens,
            outline: Outline::of_module(tokens, grammar(tokens.language).members),
            scopes: Vec::new(),
            brackets: Vec::new(),
            statement: None,
            known_end: (usize::MAX, 0..0),
        }
    }

    /// Closes everything still open at the end.
    pub fn finish(mut self) -> Outline<'s> {
        self.step(usize::MAX);
        self.end_statement(self.tokens.all.len());
        self.outline
    }

    pub fn text(&self, token: usize) -> &'s str {
        self.tokens.text(token)
    }

    /// The text of the previous token; empty at the start.
    pub fn before(&self, token: usize) -> &'s str {
        token.checked_sub(1).map_or("", |before| self.tokens.text(before))
    }

    /// Closes scopes and brackets that end before a token. Returns `true` if a block ended.
    pub fn step(&mut self, token: usize) -> bool {
        while self.scopes.pop_if(|it| it.end <= token).is_some() {}
        let Some(bracket) = self.brackets.pop_if(|it| it.close <= token) else { return false };
        if bracket.is_block {
            self.end_statement(token);
            self.statement = bracket.statement;
        }
        bracket.is_block
    }

    /// Closes scopes and brackets that end before a token, and separates statements there. Returns
    /// `true` if the token has no other effect.
    pub fn pass(
        &mut self,
        token: usize,
        starts_statement: impl Fn(&Tokens<'s>, usize) -> bool,
    ) -> bool {
        self.step(token)
            || self.tokens.kind(token) == Some(TokenKind::Close)
            || self.separate(token, starts_statement)
    }

    pub fn open_bracket(&mut self, close: usize, is_block: bool) {
        // The enclosing statement is the parent of nested ones, even if it has ended.
        let statement = self.statement;
        self.brackets.push(OpenBracket { close, is_block, statement });
        if is_block {
            self.statement = None;
        }
    }

    /// The end of a construct that starts at a token: a closing bracket, or a token for which
    /// `is_end` returns `true`.
    ///
    /// A construct inside it, between the same brackets, has the same end, so several ends in one
    /// line are computed once.
    pub fn end(&mut self, start: usize, is_end: impl Fn(&Tokens<'s>, usize) -> bool) -> usize {
        let around = self.innermost();
        let (known_around, known) = &self.known_end;
        if *known_around == around && known.contains(&start) {
            return known.end;
        }
        let mut at = start;
        while at < self.tokens.all.len()
            && self.tokens.kind(at) != Some(TokenKind::Close)
            && !is_end(self.tokens, at)
        {
            at = self.tokens.next_operand(at);
        }
        self.known_end = (around, start..at);
        at
    }

    /// `true` if statements are expected here, and not arguments.
    pub fn is_in_block(&self) -> bool {
        self.brackets.last().is_none_or(|it| it.is_block)
    }

    /// The end of the innermost brackets, which identifies them.
    pub fn innermost(&self) -> usize {
        self.brackets.last().map_or(usize::MAX, |it| it.close)
    }

    pub fn start_statement(&mut self, token: usize) {
        let parent = self.brackets.iter().rev().take(MAX_AROUND).find_map(|it| it.statement);
        self.statement = Some(self.outline.statements.len());
        let tokens = token..self.tokens.all.len();
        self.outline.statements.push(Statement { tokens, target: None, parent });
    }

    /// Separates statements where lines end: before a token that starts one, and at `;`. Returns
    /// `true` if the token has no other effect.
    fn separate(
        &mut self,
        token: usize,
        starts_statement: impl Fn(&Tokens<'s>, usize) -> bool,
    ) -> bool {
        if !self.is_in_block() {
            return false;
        }
        let is_separator = self.text(token) == ";";
        if is_separator || starts_statement(self.tokens, token) {
            self.end_statement(token);
        }
        if !is_separator && self.statement.is_none() {
            self.start_statement(token);
        }
        is_separator
    }

    pub fn end_statement(&mut self, token: usize) {
        if let Some(statement) = self.statement.take() {
            self.outline.statements[statement].tokens.end = token;
        }
    }

    /// The start of the statement of a token.
    pub fn statement_start(&self) -> Option<usize> {
        self.statement.map(|it| self.outline.statements[it].tokens.start)
    }

    /// Sets the target of the statement, unless it already has one.
    pub fn set_target(&mut self, token: usize) {
        if let Some(statement) = self.statement.filter(|_| self.tokens.is_word(token)) {
            self.outline.statements[statement].target.get_or_insert(token);
        }
    }

    pub fn has_target(&self) -> bool {
        self.target().is_some()
    }

    /// The target of the statement.
    pub fn target(&self) -> Option<usize> {
        self.statement.and_then(|it| self.outline.statements[it].target)
    }

    pub fn scope(&self) -> usize {
        self.scopes.last().map_or(0, |it| it.scope)
    }

    pub fn is_in_class(&self) -> bool {
        matches!(self.outline.scopes[self.scope()].kind, ScopeKind::Class { .. })
    }

    /// `true` if a bracket ends with the innermost scope, and so is its body.
    pub fn is_body(&self, close: usize) -> bool {
        self.scopes.last().is_some_and(|it| it.end == close + 1)
    }

    /// Opens a scope that starts at or after this token. Beyond the maximum depth, no scope is
    /// opened.
    pub fn open_scope(
        &mut self,
        kind: ScopeKind,
        name: &'s str,
        tokens: Range<usize>,
        function: Option<usize>,
    ) {
        if self.scopes.len() >= MAX_AROUND {
            return;
        }
        let end = self.scopes.last().map_or(tokens.end, |around| tokens.end.min(around.end));
        let tokens = tokens.start..end.max(tokens.start);
        let scope = self.outline.scopes.len();
        let parent = Some(self.scope());
        self.scopes.push(OpenScope { scope, end: tokens.end, function });
        self.outline.scopes.push(Scope { kind, name, parent, tokens });
    }

    /// Opens a block of the enclosing function.
    pub fn open_block(&mut self, tokens: Range<usize>) {
        self.open_scope(ScopeKind::Block, "", tokens, self.function());
    }

    /// Opens a class with a name. Its header ends at a token.
    pub fn open_class(&mut self, name: &'s str, tokens: Range<usize>, header_end: usize) {
        let around = self.scope();
        self.outline.bind(around, name, Value::Unknown);
        let bases = self.bases(tokens.start..header_end);
        self.open_scope(ScopeKind::Class { bases }, name, tokens, None);
        self.outline.classes.insert((around, name), self.scope());
    }

    /// The classes and interfaces in the header of a class: after `extends`, `implements` or `:`, and
    /// commas after these.
    fn bases(&self, header: Range<usize>) -> Vec<Vec<String>> {
        let mut bases = Vec::new();
        let mut at = header.start;
        let (mut is_in_bases, mut angles) = (false, 0_usize);
        while at < header.end {
            let starts = match self.text(at) {
                "extends" | "implements" | ":" if angles == 0 => {
                    is_in_bases = true;
                    true
                }
                "permits" | "where" => return bases,
                "," => is_in_bases && angles == 0,
                "<" => {
                    angles += 1;
                    false
                }
                ">" => {
                    angles = angles.saturating_sub(1);
                    false
                }
                _ => false,
            };
            if starts && self.tokens.is_word(at + 1) {
                let (path, end) = self.dotted(at + 1);
                bases.push(path.split('.').map(str::to_owned).collect());
                at = end;
            } else {
                at = self.tokens.next(at);
            }
        }
        bases
    }

    /// Binds the constants of the innermost class, an enum, which start after a brace and have
    /// arguments. The value of a constant is itself.
    pub fn bind_constants(&mut self, brace: usize) {
        let close = self.tokens.partner(brace).unwrap_or(brace);
        let mut at = brace + 1;
        while at < close && self.text(at) != ";" {
            let name = at;
            while at < close && !matches!(self.text(at), "," | ";") {
                at = self.tokens.next(at);
            }
            at += usize::from(self.text(at) == ",");
            if let Some(end) =
                self.tokens.closer(name + 1, "(").filter(|_| self.tokens.is_word(name))
            {
                self.bind(name, Value::Expression(name..end + 1));
            }
        }
    }

    /// Opens a function; `is_called` determines whether calls by its name refer to it.
    pub fn open_function(&mut self, name: &'s str, is_called: bool, tokens: Range<usize>) {
        let function = self.outline.functions.len();
        let class = self.scope();
        if is_called {
            self.bind_method(name, Value::Function(function));
        } else if self.outline.class_name(class) == Some(name) {
            let others = self.outline.constructors.entry(class);
            others.and_modify(|it| *it = None).or_insert(Some(function));
        }
        let open = (tokens.start..tokens.end).take(MAX_GENERICS).find(|it| self.text(*it) == "(");
        let parameters = open.and_then(|open| Some(open + 1..self.tokens.partner(open)?));
        self.open_scope(ScopeKind::Function, name, tokens, Some(function));
        self.outline.functions.push(Function {
            is_plain: true,
            parameters: parameters.unwrap_or_default(),
            scope: self.scope(),
            ..Function::default()
        });
    }

    /// Opens an anonymous function, whose returns are not followed.
    pub fn open_lambda(&mut self, tokens: Range<usize>) {
        self.open_scope(ScopeKind::Block, "", tokens, None);
    }

    /// The function that a return here belongs to.
    pub fn function(&self) -> Option<usize> {
        self.scopes.last().and_then(|it| it.function)
    }

    /// `true` if another return matters for a function: of many, only the first are looked at.
    pub fn may_return(&self) -> bool {
        self.function().is_some_and(|it| self.outline.functions[it].returns.len() < MAX_RETURNS)
    }

    pub fn returns(&mut self, value: Range<usize>) {
        if let Some(function) = self.function() {
            self.outline.functions[function].returns.push(value);
        }
    }

    /// Assigns a value to a name of the innermost scope.
    pub fn bind(&mut self, name: usize, value: Value) {
        self.outline.bind(self.scope(), self.tokens.text(name), value);
    }

    /// Assigns a value to a method of the innermost scope.
    pub fn bind_method(&mut self, name: &'s str, value: Value) {
        self.outline.bind_method(self.scope(), name, value);
    }

    /// Makes the names in a range unknown. Members of other values are not names.
    pub fn unknown(&mut self, tokens: Range<usize>) {
        for token in tokens.filter(|it| self.tokens.is_word(*it)) {
            if self.before(token) != "." && self.text(token + 1) != "." {
                self.bind(token, Value::Unknown);
            }
        }
    }

    /// Declares a variable of the innermost scope, with or without a first value.
    pub fn declare(&mut self, name: usize, value: Option<Range<usize>>) {
        self.outline.declare(self.scope(), self.tokens.text(name), value);
    }

    /// Declares a field of the innermost scope that is assigned once, elsewhere.
    pub fn declare_final(&mut self, name: usize) {
        let key = (self.scope(), self.tokens.text(name));
        self.outline.declare(key.0, key.1, None);
        if let Some(Value::Assigned(index)) = self.outline.names.get(&key) {
            self.outline.assignments[*index].is_final = true;
        }
    }

    /// Assigns a value to a field of the innermost class, if the field is assigned only there.
    pub fn assign_field(&mut self, name: usize, value: Range<usize>) {
        let is_class = |scope: &usize| self.outline.class_name(*scope).is_some();
        let class = self.outline.outwards(self.scope()).find(is_class);
        let name = self.tokens.text(name);
        if let Some(class) = class
            && let Some(Value::Assigned(_)) = self.outline.names.get(&(class, name))
        {
            self.outline.bind(class, name, Value::Expression(value));
        }
    }

    /// Assigns a value to a variable by a sign, in the scope that declares it; returns `false` for a
    /// name that is no variable.
    pub fn assign(&mut self, name: usize, sign: &str, value: Range<usize>) -> bool {
        let name = self.tokens.text(name);
        let Some((scope, known)) = self.outline.value(self.scope(), name) else { return false };
        if !self.is_local(scope) && !matches!(known, Value::Assigned(_)) {
            return false;
        }
        let value = if sign == "=" { Value::Expression(value) } else { Value::Unknown };
        self.outline.bind(scope, name, value);
        true
    }

    /// `true` for a scope whose names are local variables.
    pub fn is_local(&self, scope: usize) -> bool {
        matches!(self.outline.scopes[scope].kind, ScopeKind::Function | ScopeKind::Block)
    }

    /// Makes the value of a name unknown, in the scope that declares it.
    pub fn forget(&mut self, name: &'s str) {
        let scope = self.outline.value(self.scope(), name).map(|(scope, _)| scope);
        // A name of the module may be declared after its assignment.
        self.outline.bind(scope.unwrap_or(0), name, Value::Unknown);
    }

    /// A dotted name from a token on, and the position after it.
    pub fn dotted(&self, start: usize) -> (String, usize) {
        let mut at = start;
        while self.tokens.is_word(at) && self.text(at + 1) == "." && self.tokens.is_word(at + 2) {
            at += 2;
        }
        let end = at + usize::from(self.tokens.is_word(at));
        ((start..end).map(|token| self.text(token)).collect(), end)
    }

    /// Adds the import of a dotted name, or of all its members.
    pub fn import(&mut self, path: &str, end: usize, local: &'s str, is_all: bool) {
        let import = if is_all {
            Import { local: "*", module: path.to_owned(), name: None, written: None }
        } else {
            let Some(name) = end.checked_sub(1).map(|last| self.text(last)) else { return };
            let module = path.strip_suffix(name).map_or(path, |it| it.trim_end_matches('.'));
            Import { local, module: module.to_owned(), name: Some(name), written: None }
        };
        self.add_import(import);
    }

    /// Adds an import, unless it already exists.
    pub fn add_import(&mut self, import: Import<'s>) {
        if self.outline.imports.contains(&import) {
            return;
        }
        let is_known = self.outline.imports.len() < MAX_IMPORTS;
        let value =
            if is_known { Value::Import(self.outline.imports.len()) } else { Value::Unknown };
        if import.local != "*" {
            self.outline.bind(0, import.local, value);
        }
        if is_known {
            self.outline.imports.push(import);
        }
    }
}
