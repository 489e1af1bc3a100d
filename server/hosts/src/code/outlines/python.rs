//! The outline of a Python file: scopes follow the indentation.

use std::ops::Range;

use crate::code::grammars::grammar;
use crate::code::outline::{
    Function, Import, Outline, Receiver, Scope, ScopeKind, Statement, Value,
};
use crate::code::tokens::Tokens;
use crate::token::TokenKind;

/// Words that start a statement with a block after its colon.
const HEADERS: [&str; 15] = [
    "if", "elif", "else", "try", "except", "finally", "for", "while", "with", "async", "def",
    "class", "match", "case", "lambda",
];

/// The maximum number of imports; further ones are names without a value. No file written by hand
/// has as many.
const MAX_IMPORTS: usize = 500;

pub(super) fn outline<'s>(tokens: &Tokens<'s>) -> Outline<'s> {
    let mut reader = PythonReader {
        tokens,
        outline: Outline::of_module(tokens, grammar(tokens.language).members),
        open: Vec::new(),
        decoration: Decoration::None,
        receiver: Receiver::Object,
        headers: Vec::new(),
    };
    let mut at = 0;
    while at < tokens.all.len() {
        let end = reader.statement_end(at);
        if tokens.starts_line(at) {
            let indentation = reader.indentation(at);
            reader.close_scopes(indentation, at);
            while reader.headers.pop_if(|(outer, _)| *outer >= indentation).is_some() {}
        }
        reader.statement(at..end);
        at = end;
        while matches!(tokens.text(at), ";") {
            at += 1;
        }
    }
    reader.close_scopes(0, tokens.all.len());
    reader.outline
}

struct PythonReader<'t, 's> {
    tokens: &'t Tokens<'s>,
    outline: Outline<'s>,
    /// The enclosing scopes, with the indentation of their headers, and their function.
    open: Vec<(usize, usize, Option<usize>)>,
    decoration: Decoration,
    /// The receiver of the next function, if it is a method.
    receiver: Receiver,
    /// The headers of the enclosing blocks, with their indentation, as indices of statements.
    headers: Vec<(usize, usize)>,
}

/// The decorators before a function.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Decoration {
    /// None, or those that change neither arguments nor results.
    None,
    /// Those that keep results for the next call.
    Cache,
    /// One that makes an attribute of a method.
    Property,
    /// Others, which may change both.
    Other,
}

impl Decoration {
    /// The decoration by this, too.
    fn and(self, decorator: &str) -> Decoration {
        match (self, decorator) {
            (known, "staticmethod" | "classmethod") => known,
            (Decoration::None | Decoration::Cache, "cache" | "lru_cache") => Decoration::Cache,
            (Decoration::None, "property" | "cached_property") => Decoration::Property,
            _ => Decoration::Other,
        }
    }
}

impl<'s> PythonReader<'_, 's> {
    fn text(&self, token: usize) -> &'s str {
        self.tokens.text(token)
    }

    fn scope(&self) -> usize {
        self.open.last().map_or(0, |(_, scope, _)| *scope)
    }

    /// The indentation of the line of a token; a tab extends to the next multiple of eight.
    fn indentation(&self, token: usize) -> usize {
        let start = self.tokens.range(token..token + 1).start;
        let before = &self.tokens.source[..start];
        let line = before.rfind(['\n', '\r', '\x0c']).map_or(0, |end| end + 1);
        before[line..].bytes().fold(0, |column, byte| match byte {
            b'\t' => column / 8 * 8 + 8,
            _ => column + 1,
        })
    }

    fn close_scopes(&mut self, indentation: usize, at: usize) {
        while let Some((_, scope, _)) = self.open.pop_if(|(outer, ..)| *outer >= indentation) {
            self.outline.scopes[scope].tokens.end = at;
        }
    }

    /// The end of a statement: of its line, at a semicolon, or after the colon of a header.
    fn statement_end(&self, start: usize) -> usize {
        let mut at = start;
        let mut lambdas = 0;
        let is_header = HEADERS.contains(&self.text(start));
        while at < self.tokens.all.len() {
            match self.text(at) {
                ";" => return at.max(start + 1),
                "lambda" => lambdas += 1,
                ":" if lambdas > 0 => lambdas -= 1,
                ":" if is_header => return at + 1,
                _ => {}
            }
            at = self.tokens.next(at);
            if self.tokens.starts_line(at) && !self.is_continued(at) {
                return at;
            }
        }
        self.tokens.all.len()
    }

    /// `true` if a backslash joins the line of a token to the previous one.
    fn is_continued(&self, token: usize) -> bool {
        let (Some(this), Some(before)) = (self.tokens.all.get(token), token.checked_sub(1)) else {
            return false;
        };
        let end = self.tokens.all[before].end as usize;
        let between = &self.tokens.source[end..this.start as usize];
        between.trim_start_matches([' ', '\t']).starts_with('\\')
    }

    fn statement(&mut self, all: Range<usize>) {
        self.walrus(all.clone());
        let parent = self.headers.last().map(|(_, header)| *header);
        let mut statement = Statement { tokens: all.clone(), target: None, parent };
        if self.text(all.end - 1) == ":" && HEADERS.contains(&self.text(all.start)) {
            // A header behind another one in a line has its indentation.
            let around = self.headers.last().map_or(0, |(indentation, _)| *indentation);
            let starts_line = self.tokens.starts_line(all.start);
            let indentation = if starts_line { self.indentation(all.start) } else { around };
            self.headers.push((indentation, self.outline.statements.len()));
        }
        let start = all.start + usize::from(self.text(all.start) == "async");
        let rest = start + 1..all.end.max(start + 1);
        match self.text(start) {
            "@" => {
                let chain = all.skip(1).take_while(|token| self.text(*token) != "(");
                let last = chain.last().map_or("", |token| self.text(token));
                self.decoration = self.decoration.and(last);
                match last {
                    "staticmethod" => self.receiver = Receiver::None,
                    "classmethod" => self.receiver = Receiver::Class,
                    _ => {}
                }
            }
            "def" => self.function(start, all),
            "class" => self.class(start, all),
            "import" => self.import(rest),
            "from" => self.import_from(rest),
            "return" => {
                if let Some(function) = self.function_here() {
                    self.outline.functions[function].returns.push(rest);
                }
            }
            "for" => {
                let is_in = |token: &usize| self.text(*token) == "in";
                match rest.clone().find(is_in) {
                    Some(sign) => self.items(rest.start..sign, sign + 1..rest.end - 1),
                    None => self.targets(rest),
                }
            }
            "del" | "case" => self.targets(rest),
            "global" | "nonlocal" => {
                for token in rest.filter(|token| self.tokens.is_word(*token)) {
                    for scope in self.outline.outwards(self.scope()).collect::<Vec<_>>() {
                        self.outline.bind(scope, self.tokens.text(token), Value::Unknown);
                        self.outline.bind(scope, self.tokens.text(token), Value::Unknown);
                    }
                }
            }
            "with" | "except" => {
                let ases: Vec<usize> = rest.filter(|it| self.text(*it) == "as").collect();
                for token in ases {
                    let target = token + 1;
                    self.targets(target..self.tokens.next(target).min(all.end));
                }
            }
            _ => statement.target = self.assignment(all),
        }
        if self.text(start) != "@" && !matches!(self.text(start), "def" | "class") {
            self.decoration = Decoration::None;
            self.receiver = Receiver::Object;
        }
        self.outline.statements.push(statement);
    }

    /// Binds the targets of a loop, which may be members.
    fn items(&mut self, targets: Range<usize>, iterable: Range<usize>) {
        if targets.clone().any(|token| matches!(self.text(token), "." | "[" | "*")) {
            return self.targets(targets);
        }
        let notation = (self.tokens, grammar(self.tokens.language));
        let scope = self.scope();
        self.outline.bind_items(notation, scope, targets, iterable);
    }

    /// Opens a scope for each comprehension of a statement, whose words `for` are in brackets.
    fn comprehensions(&mut self, all: Range<usize>) {
        let mut open = Vec::new();
        let mut found: Vec<(Range<usize>, usize)> = Vec::new();
        for token in all {
            match self.tokens.kind(token) {
                Some(TokenKind::Open) => open.push(token),
                Some(TokenKind::Close) => _ = open.pop(),
                _ if self.text(token) == "for" => {
                    let inside = open.last().and_then(|it| Some(it + 1..self.tokens.partner(*it)?));
                    found.extend(inside.map(|inside| (inside, token)));
                }
                _ => {}
            }
        }
        found.sort_by_key(|(inside, token)| (inside.start, *token));
        let around = self.scope();
        let mut last = None;
        let mut scopes: Vec<(Range<usize>, usize)> = Vec::new();
        for (inside, token) in found {
            if last.as_ref() != Some(&inside) {
                while scopes.pop_if(|(outer, _)| outer.end <= inside.start).is_some() {}
                let parent = Some(scopes.last().map_or(around, |(_, scope)| *scope));
                scopes.push((inside.clone(), self.outline.scopes.len()));
                let (kind, tokens) = (ScopeKind::Block, inside.clone());
                self.outline.scopes.push(Scope { kind, name: "", parent, tokens });
                last = Some(inside.clone());
            }
            let tokens = self.tokens;
            let is_end = |at: &usize| matches!(tokens.text(*at), "for" | "if" | "async");
            let mut rest = tokens.at_depth(token + 1..inside.end);
            let Some(sign) = rest.find(|at| tokens.text(*at) == "in") else { continue };
            let end = rest.find(is_end).unwrap_or(inside.end);
            let notation = (tokens, grammar(tokens.language));
            let scope = scopes.last().map_or(around, |(_, scope)| *scope);
            self.outline.bind_items(notation, scope, token + 1..sign, sign + 1..end);
        }
    }

    fn walrus(&mut self, all: Range<usize>) {
        let mut is_comprehension = false;
        for token in all.clone() {
            match self.text(token) {
                "for" if token > all.start + 1 => is_comprehension = true,
                ":=" if token > 0 => {
                    self.outline.bind(self.scope(), self.text(token - 1), Value::Unknown);
                }
                "yield" => {
                    if let Some(function) = self.function_here() {
                        self.outline.functions[function].is_plain = false;
                    }
                }
                _ => {}
            }
        }
        if is_comprehension {
            self.comprehensions(all);
        }
    }

    fn function_here(&self) -> Option<usize> {
        self.open.last().and_then(|(.., function)| *function)
    }

    fn open_scope(&mut self, kind: ScopeKind, name: usize, all: Range<usize>) -> usize {
        let scope = self.outline.scopes.len();
        // A scope that starts inside a line has the indentation of the line.
        let indentation = if self.tokens.starts_line(all.start) {
            self.indentation(all.start)
        } else {
            self.open.last().map_or(0, |(indentation, ..)| *indentation)
        };
        let parent = Some(self.scope());
        let tokens = all.end..self.tokens.all.len();
        self.outline.scopes.push(Scope { kind, name: self.text(name), parent, tokens });
        self.open.push((indentation, scope, None));
        scope
    }

    fn function(&mut self, def: usize, mut all: Range<usize>) {
        let decoration = std::mem::replace(&mut self.decoration, Decoration::None);
        let receiver = std::mem::replace(&mut self.receiver, Receiver::Object);
        let is_method = self.outline.class_name(self.scope()).is_some();
        let is_property = decoration == Decoration::Property;
        let is_plain = matches!(decoration, Decoration::None | Decoration::Property);
        let is_cached = decoration == Decoration::Cache && def == all.start;
        let is_async = def != all.start;
        let function = self.outline.functions.len();
        self.outline.bind(self.scope(), self.text(def + 1), Value::Function(function));
        if is_method {
            self.outline.bind_method(self.scope(), self.text(def + 1), Value::Function(function));
        }
        let scope = self.open_scope(ScopeKind::Function, def + 1, all.clone());
        if let Some(open) = self.open.last_mut() {
            open.2 = Some(function);
        }
        let open = all.find(|token| self.text(*token) == "(");
        let brackets = open.and_then(|open| Some((open, self.tokens.partner(open)?)));
        let parameters = brackets.map(|(open, close)| open + 1..close).unwrap_or_default();
        self.outline.functions.push(Function {
            is_plain,
            is_async,
            is_property,
            is_decorated: decoration == Decoration::Other,
            receiver: if is_method { receiver } else { Receiver::None },
            is_cached,
            returns: Vec::new(),
            parameters,
            scope,
        });
        let Some((open, close)) = brackets else { return };
        for parameter in self.tokens.split(open + 1..close) {
            let name = parameter.clone().find(|token| self.tokens.is_word(*token));
            if let Some(name) = name {
                self.outline.bind(scope, self.text(name), Value::Unknown);
            }
        }
    }

    fn class(&mut self, class: usize, all: Range<usize>) {
        self.decoration = Decoration::None;
        self.outline.bind(self.scope(), self.text(class + 1), Value::Unknown);
        let mut bases = Vec::new();
        if let Some(close) = self.tokens.closer(class + 2, "(") {
            for base in self.tokens.split(class + 3..close) {
                let words = base.clone().filter(|token| self.tokens.is_word(*token));
                let is_chain =
                    base.clone().all(|it| self.tokens.is_word(it) || self.text(it) == ".");
                if is_chain {
                    bases.push(words.map(|token| self.text(token).to_owned()).collect());
                }
            }
        }
        let around = self.scope();
        let scope = self.open_scope(ScopeKind::Class { bases }, class + 1, all);
        self.outline.classes.insert((around, self.text(class + 1)), scope);
    }

    /// A dotted name from a token on, and the position after it.
    fn dotted(&self, mut at: usize, end: usize) -> (String, usize) {
        let start = at;
        while at < end && (matches!(self.text(at), "." | "...") || self.tokens.is_word(at)) {
            if self.tokens.is_word(at) && at > start && self.tokens.is_word(at - 1) {
                break;
            }
            if self.text(at) == "import" {
                break;
            }
            at += 1;
        }
        ((start..at).map(|token| self.text(token)).collect(), at)
    }

    fn import(&mut self, rest: Range<usize>) {
        for part in self.tokens.split(rest) {
            let (module, at) = self.dotted(part.start, part.end);
            let Some(first) = self.tokens.is_word(part.start).then(|| self.text(part.start)) else {
                continue;
            };
            let import = if self.text(at) == "as" && at + 1 < part.end {
                Import { local: self.text(at + 1), module, name: None, written: None }
            } else {
                // The bound name is the outermost package, and provides access to all nested ones.
                Import { local: first, module: first.to_owned(), name: None, written: None }
            };
            self.add_import(import);
        }
    }

    fn import_from(&mut self, rest: Range<usize>) {
        let (module, at) = self.dotted(rest.start, rest.end);
        if self.text(at) != "import" {
            return;
        }
        let names = match self.tokens.closer(at + 1, "(") {
            Some(close) => at + 2..close,
            None => at + 1..rest.end,
        };
        for part in self.tokens.split(names) {
            let name = self.text(part.start);
            let is_renamed = self.text(part.start + 1) == "as" && part.len() == 3;
            let local = if is_renamed { self.text(part.start + 2) } else { name };
            self.add_import(Import {
                local,
                module: module.clone(),
                name: Some(name),
                written: None,
            });
        }
    }

    fn add_import(&mut self, import: Import<'s>) {
        if self.outline.imports.len() == MAX_IMPORTS {
            return self.outline.bind(self.scope(), import.local, Value::Unknown);
        }
        // A script imports the modules beside it with and without a dot.
        let is_same = |other: &Import<'s>| {
            let [own, other_module] = [&import, other].map(|it| it.module.trim_start_matches('.'));
            (other.local, other.name, other_module) == (import.local, import.name, own)
        };
        if self.outline.imports.iter().any(is_same) {
            return;
        }
        let value = match self.outline.names.contains_key(&(self.scope(), import.local)) {
            true if !self.is_in_except() => Value::Unknown,
            _ => Value::Import(self.outline.imports.len()),
        };
        self.outline.bind(self.scope(), import.local, value);
        self.outline.imports.push(import);
    }

    /// `true` in a block that runs if an import before it fails.
    fn is_in_except(&self) -> bool {
        let header = self.headers.last().map(|(_, header)| &self.outline.statements[*header]);
        header.is_some_and(|header| self.text(header.tokens.start) == "except")
    }

    /// Binds the assigned names in a range as unknown; members and indexed values are skipped.
    fn targets(&mut self, tokens: Range<usize>) {
        let mut at = tokens.start;
        while at < tokens.end {
            let follows_value = at > tokens.start
                && (self.tokens.is_word(at - 1)
                    || self.tokens.kind(at - 1) == Some(TokenKind::Close));
            if self.tokens.kind(at) == Some(TokenKind::Open) && follows_value {
                at = self.tokens.next(at);
                continue;
            }
            let is_member = at > tokens.start && self.text(at - 1) == ".";
            let has_member = matches!(self.text(at + 1), "." | "[" | "(");
            if self.tokens.is_word(at) && !is_member && !has_member {
                self.outline.bind(self.scope(), self.text(at), Value::Unknown);
            }
            at += 1;
        }
    }

    /// Reads `a = …`, `a: T = …`, `a = b = …`, `a += …`. Returns the last word of a single target.
    fn assignment(&mut self, all: Range<usize>) -> Option<usize> {
        let mut signs = Vec::new();
        let mut colon = None;
        let mut at = all.start;
        while at < all.end {
            match self.text(at) {
                "lambda" => break,
                "=" => signs.push(at),
                ":" if signs.is_empty() => colon = colon.or(Some(at)),
                sign if is_augmented(sign) => {
                    self.targets(all.start..at);
                    return self.last_word(all.start..at);
                }
                _ => {}
            }
            at = self.tokens.next(at);
        }
        let (&first, &last) = (signs.first()?, signs.last()?);
        let target = all.start..colon.unwrap_or(first);
        if signs.len() == 1 && target.len() == 1 && self.tokens.is_word(target.start) {
            let value = Value::Expression(first + 1..all.end);
            self.outline.bind(self.scope(), self.text(target.start), value);
        } else if signs.len() > 1
            || colon.is_some()
            || !self.tuple(target.clone(), first + 1..all.end)
        {
            self.targets(all.start..last);
        }
        self.last_word(target)
    }

    /// Binds the names of `a, b = "x", "y"` or `a, b = pair`; `false` for other targets.
    fn tuple(&mut self, target: Range<usize>, value: Range<usize>) -> bool {
        let names = self.tokens.split(target.clone());
        let values = self.tokens.split(value.clone());
        let is_name = |name: &Range<usize>| name.len() == 1 && self.tokens.is_word(name.start);
        let is_spread = |value: &Range<usize>| self.text(value.start) == "*";
        if names.len() < 2 || !names.iter().all(is_name) || values.iter().any(is_spread) {
            return false;
        }
        let scope = self.scope();
        if names.len() == values.len() {
            for (name, value) in names.into_iter().zip(values) {
                let name = self.text(name.start);
                self.outline.bind(scope, name, Value::Expression(value));
            }
            return true;
        }
        let is_one = values.len() == 1;
        if is_one {
            self.outline.bind_parts(self.tokens, scope, target, value);
        }
        is_one
    }

    fn last_word(&self, target: Range<usize>) -> Option<usize> {
        target.end.checked_sub(1).filter(|it| *it >= target.start && self.tokens.is_word(*it))
    }
}

fn is_augmented(sign: &str) -> bool {
    sign.len() > 1 && sign.ends_with('=') && !matches!(sign, "==" | "!=" | "<=" | ">=" | ":=")
}
