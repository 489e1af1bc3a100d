//! What the outlines of languages with braces share: the scopes and statements that are open at a
//! token.
//!
//! A reader goes through the tokens one by one. It opens scopes, whose ends are known from their
//! brackets, and says where statements start and end.

use std::ops::Range;

use crate::code::grammars::grammar;
use crate::code::outline::{
    Function, Import, MAX_AROUND, Outline, Scope, ScopeKind, Statement, Value,
};
use crate::code::tokens::Tokens;
use crate::token::TokenKind;

/// Further ones are names without a value: no file that people write has as many.
const MAX_IMPORTS: usize = 500;

/// What is open at a token.
pub(super) struct Braces<'t, 's> {
    pub tokens: &'t Tokens<'s>,
    pub outline: Outline<'s>,
    scopes: Vec<OpenScope>,
    brackets: Vec<OpenBracket>,
    /// The innermost statement.
    pub statement: Option<usize>,
    /// The last end that was looked for, and the brackets that it stands in.
    known_end: (usize, Range<usize>),
}

struct OpenScope {
    scope: usize,
    end: usize,
    /// The function that returns in it.
    function: Option<usize>,
}

struct OpenBracket {
    close: usize,
    /// Whether statements stand in it.
    is_block: bool,
    /// The statement that goes on behind it.
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

    /// Ends what is still open, behind the last token.
    pub fn finish(mut self) -> Outline<'s> {
        self.step(usize::MAX);
        self.end_statement(self.tokens.all.len());
        self.outline
    }

    pub fn text(&self, token: usize) -> &'s str {
        self.tokens.text(token)
    }

    /// What stands before a token; empty at the start.
    pub fn before(&self, token: usize) -> &'s str {
        token.checked_sub(1).map_or("", |before| self.tokens.text(before))
    }

    /// Closes what ends before a token. Returns whether a block did.
    pub fn step(&mut self, token: usize) -> bool {
        while self.scopes.pop_if(|it| it.end <= token).is_some() {}
        let Some(bracket) = self.brackets.pop_if(|it| it.close <= token) else { return false };
        if bracket.is_block {
            self.end_statement(token);
            self.statement = bracket.statement;
        }
        bracket.is_block
    }

    /// Closes what ends before a token, and ends and starts statements there. Returns whether the token
    /// does no more than that.
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
        // The statement around is parent of those within, be it over or not.
        let statement = self.statement;
        self.brackets.push(OpenBracket { close, is_block, statement });
        if is_block {
            self.statement = None;
        }
    }

    /// The end of what starts at a token: a closing bracket, or what `is_end` says.
    ///
    /// What starts within it, between the same brackets, ends where it does, so that many ends of
    /// one line are looked for once.
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
            at = self.tokens.next(at);
        }
        self.known_end = (around, start..at);
        at
    }

    /// Whether statements stand here, and not arguments.
    pub fn is_in_block(&self) -> bool {
        self.brackets.last().is_none_or(|it| it.is_block)
    }

    /// The end of the innermost brackets: which ones they are.
    pub fn innermost(&self) -> usize {
        self.brackets.last().map_or(usize::MAX, |it| it.close)
    }

    pub fn start_statement(&mut self, token: usize) {
        let parent = self.brackets.iter().rev().take(MAX_AROUND).find_map(|it| it.statement);
        self.statement = Some(self.outline.statements.len());
        let tokens = token..self.tokens.all.len();
        self.outline.statements.push(Statement { tokens, target: None, parent });
    }

    /// Ends and starts statements where lines do: before a token that starts one, and at `;`. Returns
    /// whether the token does no more than that.
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

    /// Where the statement of a token starts.
    pub fn statement_start(&self) -> Option<usize> {
        self.statement.map(|it| self.outline.statements[it].tokens.start)
    }

    /// The target of the statement, unless it has one.
    pub fn set_target(&mut self, token: usize) {
        if let Some(statement) = self.statement.filter(|_| self.tokens.is_word(token)) {
            self.outline.statements[statement].target.get_or_insert(token);
        }
    }

    pub fn has_target(&self) -> bool {
        self.statement.is_some_and(|it| self.outline.statements[it].target.is_some())
    }

    pub fn scope(&self) -> usize {
        self.scopes.last().map_or(0, |it| it.scope)
    }

    pub fn is_in_class(&self) -> bool {
        matches!(self.outline.scopes[self.scope()].kind, ScopeKind::Class { .. })
    }

    /// Whether a bracket ends with the innermost scope, and so is its body.
    pub fn is_body(&self, close: usize) -> bool {
        self.scopes.last().is_some_and(|it| it.end == close + 1)
    }

    /// Opens a scope that starts at or behind this token. What lies deeper than all that people
    /// write has none of its own.
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

    /// Opens a block, whose function is that around it.
    pub fn open_block(&mut self, tokens: Range<usize>) {
        self.open_scope(ScopeKind::Block, "", tokens, self.function());
    }

    /// Opens a class with a name.
    pub fn open_class(&mut self, name: &'s str, tokens: Range<usize>) {
        let around = self.scope();
        self.outline.bind(around, name, Value::Unknown);
        self.open_scope(ScopeKind::Class { bases: Vec::new() }, name, tokens, None);
        self.outline.classes.insert((around, name), self.scope());
    }

    /// Opens a function, which is called by its name where that is said.
    pub fn open_function(&mut self, name: &'s str, is_called: bool, tokens: Range<usize>) {
        let function = self.outline.functions.len();
        if is_called {
            self.bind_method(name, Value::Function(function));
        }
        self.outline.functions.push(Function { is_plain: true, returns: Vec::new() });
        self.open_scope(ScopeKind::Function, name, tokens, Some(function));
    }

    /// Opens a function without a name, whose returns nobody follows.
    pub fn open_lambda(&mut self, tokens: Range<usize>) {
        self.open_scope(ScopeKind::Block, "", tokens, None);
    }

    /// The function that a return here belongs to.
    pub fn function(&self) -> Option<usize> {
        self.scopes.last().and_then(|it| it.function)
    }

    /// Whether one more return says anything of a function: after two it is unknown.
    pub fn may_return(&self) -> bool {
        self.function().is_some_and(|it| self.outline.functions[it].returns.len() < 2)
    }

    pub fn returns(&mut self, value: Range<usize>) {
        if let Some(function) = self.function() {
            self.outline.functions[function].returns.push(value);
        }
    }

    /// Gives a name of the innermost scope a value.
    pub fn bind(&mut self, name: usize, value: Value) {
        self.outline.bind(self.scope(), self.tokens.text(name), value);
    }

    /// The same for what is called.
    pub fn bind_method(&mut self, name: &'s str, value: Value) {
        let known = self.outline.methods.entry((self.scope(), name));
        known.and_modify(|known| *known = Value::Unknown).or_insert(value);
    }

    /// Gives names that stand in a range what is not known. Members of others are no names.
    pub fn unknown(&mut self, tokens: Range<usize>) {
        for token in tokens.filter(|it| self.tokens.is_word(*it)) {
            if self.before(token) != "." && self.text(token + 1) != "." {
                self.bind(token, Value::Unknown);
            }
        }
    }

    /// Takes a name its value, wherever it is declared.
    pub fn forget(&mut self, name: &'s str) {
        let scope = self.outline.value(self.scope(), name).map(|(scope, _)| scope);
        // A name of the module may be declared behind what assigns to it.
        self.outline.bind(scope.unwrap_or(0), name, Value::Unknown);
    }

    /// Takes a name its value, if it is that of a local.
    pub fn reassign(&mut self, name: usize) {
        let name = self.tokens.text(name);
        let scope = self.outline.value(self.scope(), name).map(|(scope, _)| scope);
        let is_local = |scope: &usize| {
            matches!(self.outline.scopes[*scope].kind, ScopeKind::Function | ScopeKind::Block)
        };
        if let Some(scope) = scope.filter(is_local) {
            self.outline.bind(scope, name, Value::Unknown);
        }
    }

    /// A dotted name from a token on, and what follows it.
    pub fn dotted(&self, start: usize) -> (String, usize) {
        let mut at = start;
        while self.tokens.is_word(at) && self.text(at + 1) == "." && self.tokens.is_word(at + 2) {
            at += 2;
        }
        let end = at + usize::from(self.tokens.is_word(at));
        ((start..end).map(|token| self.text(token)).collect(), end)
    }

    /// Adds the import of a dotted name, or of all that is below.
    pub fn import(&mut self, path: &str, end: usize, local: &'s str, is_all: bool) {
        let import = if is_all {
            Import { local: "*", module: path.to_owned(), name: None }
        } else {
            let Some(name) = end.checked_sub(1).map(|last| self.text(last)) else { return };
            let module = path.strip_suffix(name).map_or(path, |it| it.trim_end_matches('.'));
            Import { local, module: module.to_owned(), name: Some(name) }
        };
        self.add_import(import);
    }

    /// Adds an import, unless it is known.
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
