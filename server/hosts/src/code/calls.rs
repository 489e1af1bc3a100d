//! Framework calls, and their arguments.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use memchr::memmem;

use super::clients::Clients;
use super::grammar::Members;
use super::grammars::grammar;
use super::outline::{Outline, ScopeKind};
use super::recogniser::{Recogniser, Shape};
use super::recognisers::recognisers;
use super::rule::ArgumentPlace;
use super::tokens::Tokens;

/// A call that takes prompts.
pub(crate) struct Call {
    /// The row of the callee in the table.
    pub recogniser: &'static Recogniser,
    /// From the last name before the bracket to the closing bracket.
    pub tokens: Range<usize>,
    arguments: Vec<Argument>,
    /// The token of the innermost bracket around the call; `None` outside of brackets.
    pub around: Option<usize>,
}

/// An argument of a call.
#[derive(Clone, Debug)]
pub(crate) struct Argument {
    pub keyword: Option<String>,
    pub value: Range<usize>,
}

impl Call {
    /// The argument with a keyword, or else at a position.
    pub fn argument(&self, keyword: &str, position: Option<usize>) -> Option<&Argument> {
        by_keyword(&self.arguments, keyword)
            .or_else(|| position.and_then(|position| by_position(&self.arguments, position)))
    }
}

fn by_keyword<'a>(arguments: &'a [Argument], keyword: &str) -> Option<&'a Argument> {
    arguments.iter().find(|argument| argument.keyword.as_deref() == Some(keyword))
}

fn by_position(arguments: &[Argument], position: usize) -> Option<&Argument> {
    arguments.get(position).filter(|argument| argument.keyword.is_none())
}

/// The argument that a rule refers to.
pub(crate) fn at_place<'a>(
    arguments: &'a [Argument],
    place: &ArgumentPlace,
) -> Option<&'a Argument> {
    match place {
        ArgumentPlace::Keyword(keyword) => by_keyword(arguments, keyword),
        ArgumentPlace::Position(position) => by_position(arguments, *position),
    }
}

/// The arguments between two brackets.
pub(crate) fn arguments(tokens: &Tokens<'_>, open: usize, close: usize) -> Vec<Argument> {
    let grammar = grammar(tokens.language);
    let sign = grammar.keyword_sign;
    let argument = |part: Range<usize>| {
        let has_keyword =
            tokens.is_word(part.start) && sign.is_some_and(|it| tokens.text(part.start + 1) == it);
        let keyword = has_keyword.then(|| tokens.text(part.start).to_owned());
        let start = part.start + if has_keyword { 2 } else { 0 };
        Argument { keyword, value: start.min(part.end)..part.end }
    };
    let mut arguments: Vec<_> = tokens.split(open + 1..close).into_iter().map(argument).collect();
    if grammar.has_options {
        let options = arguments.iter().flat_map(|it| options(tokens, it.value.clone()));
        let options: Vec<_> = options.collect();
        arguments.extend(options);
    }
    arguments
}

/// The texts of an argument: those of a list of messages, or else the argument itself.
pub(crate) fn texts(tokens: &Tokens<'_>, argument: Range<usize>) -> Vec<Range<usize>> {
    let close = tokens.closer(argument.start, "[").filter(|close| close + 1 == argument.end);
    let Some(close) = close else { return vec![argument] };
    let messages = tokens.split(argument.start + 1..close).into_iter();
    let contents = messages.filter_map(|message| {
        by_keyword(&options(tokens, message), "content").map(|content| content.value.clone())
    });
    contents.collect()
}

/// The options of an argument that is an object with keys.
fn options(tokens: &Tokens<'_>, argument: Range<usize>) -> Vec<Argument> {
    let close = tokens.closer(argument.start, "{").filter(|close| close + 1 == argument.end);
    let Some(close) = close else { return Vec::new() };
    let option = |part: Range<usize>| {
        let key = tokens.text(part.start);
        let value = match tokens.text(part.start + 1) {
            ":" => part.start + 2..part.end,
            // A name alone is both key and value (shorthand).
            _ if part.len() == 1 && tokens.is_word(part.start) => part,
            _ => return None,
        };
        let keyword = Some(key.trim_matches(['\'', '"']).to_owned());
        Some(Argument { keyword, value })
    };
    tokens.split(argument.start + 1..close).into_iter().filter_map(option).collect()
}

/// The chained method calls after an expression, as arguments, and the end of the chain. Of two
/// with one name, the last counts.
fn chain(tokens: &Tokens<'_>, start: usize) -> (Vec<Argument>, usize) {
    let mut arguments: Vec<Argument> = Vec::new();
    let mut at = start;
    while tokens.text(at) == "." && tokens.is_word(at + 1) {
        let name = at + 1;
        at += 2;
        if let Some(close) = tokens.closer(at, "(") {
            let keyword = Some(tokens.text(name).to_owned());
            arguments.push(Argument { keyword, value: at + 1..close });
            at = close + 1;
        }
        // Kotlin's lambdas follow the brackets, or replace them.
        at = tokens.closer(at, "{").map_or(at, |close| close + 1);
    }
    arguments.reverse();
    (arguments, at)
}

/// The closing partner of an argument bracket.
pub(crate) fn closer(tokens: &Tokens<'_>, open: usize) -> Option<usize> {
    let brackets = grammar(tokens.language).brackets;
    brackets.iter().find_map(|bracket| tokens.closer(open, bracket))
}

/// The argument with a keyword of the call with this bracket.
pub(crate) fn argument_of(tokens: &Tokens<'_>, open: usize, keyword: &str) -> Option<Argument> {
    let close = closer(tokens, open).filter(|_| open > 0 && tokens.is_word(open - 1))?;
    by_keyword(&arguments(tokens, open, close), keyword).cloned()
}

/// All framework calls, in order.
///
/// Cost: the tokens, and the imports for each call with a name in the table.
pub(crate) fn calls(tokens: &Tokens<'_>, outline: &Outline<'_>) -> Vec<Call> {
    let names = CallNames::new(tokens, outline);
    let mut calls = Vec::new();
    if names.rows.is_empty() {
        return calls;
    }
    let mut around: Vec<usize> = Vec::new();
    for open in 0..tokens.all.len() {
        let Some(close) = tokens.partner(open) else { continue };
        if close < open {
            around.pop();
            continue;
        }
        let outer = around.last().copied();
        around.push(open);
        if open == 0 || closer(tokens, open).is_none() {
            continue;
        }
        let rows = names.rows_of(tokens, outline, open);
        for row in rows {
            let recogniser = names.rows[row];
            let (arguments, end) = match recogniser.shape {
                Shape::Call | Shape::Method(_) => (arguments(tokens, open, close), close + 1),
                Shape::Chain => chain(tokens, close + 1),
            };
            let tokens = open - 1..end;
            calls.push(Call { recogniser, tokens, arguments, around: outer });
        }
    }
    calls
}

/// The names of a host that may refer to rows of the table.
struct CallNames<'s> {
    /// The rows whose package is imported.
    rows: Vec<&'static Recogniser>,
    /// The possible last names of calls, including those of derived classes.
    last: HashMap<String, Vec<usize>>,
    /// The rows that classes of the host derive from, by scope.
    classes: HashMap<usize, Vec<usize>>,
    /// The same by class name; of two classes with one name, the later one.
    derived: HashMap<&'s str, Vec<usize>>,
    /// The classes of the host, which hide imports.
    declared: HashSet<&'s str>,
    clients: Clients<'s>,
}

impl<'s> CallNames<'s> {
    fn new(tokens: &Tokens<'s>, outline: &Outline<'s>) -> CallNames<'s> {
        let is_below = |row: &Recogniser, module: &str| {
            let rest = module.strip_prefix(row.package);
            // `import google.adk` binds only `google`.
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
                || row.package.strip_prefix(module).is_some_and(|rest| rest.starts_with('.'))
        };
        let is_imported =
            |row: &Recogniser| outline.imports.iter().any(|import| is_below(row, &import.path()));
        let is_written = |row: &Recogniser| {
            // With its package, a class needs no import.
            grammar(tokens.language).members == Members::OfClasses
                && memmem::find(tokens.source.as_bytes(), row.package.as_bytes()).is_some()
        };
        let rows = recognisers(tokens.language).filter(|row| is_imported(row) || is_written(row));
        let rows: Vec<_> = rows.collect();
        // In languages with class members, a nested class hides imports only inside its enclosing
        // class.
        let has_inner = grammar(tokens.language).members == Members::OfClasses;
        let classes = outline.scopes.iter().filter(|scope| {
            let is_class = matches!(scope.kind, ScopeKind::Class { .. });
            is_class && (has_inner || scope.parent == Some(0))
        });
        let mut names = CallNames {
            rows,
            last: HashMap::new(),
            classes: HashMap::new(),
            derived: HashMap::new(),
            declared: classes.map(|scope| scope.name).collect(),
            clients: Clients::default(),
        };
        for (row, recogniser) in names.rows.iter().enumerate() {
            let callee = recogniser.callee;
            let last = callee.rsplit('.').next().unwrap_or(callee);
            names.last.entry(last.to_owned()).or_default().push(row);
            for import in &outline.imports {
                if import.name == Some(last) && import.local != last {
                    names.last.entry(import.local.to_owned()).or_default().push(row);
                }
            }
        }
        names.add_classes(outline);
        names.add_clients(tokens, outline);
        names
    }

    /// Finds the objects whose methods take prompts.
    fn add_clients(&mut self, tokens: &Tokens<'s>, outline: &Outline<'s>) {
        let mut clients = Clients::default();
        for row in &self.rows {
            let Shape::Method(sources) = row.shape else { continue };
            for source in sources {
                let is_source = |chain: &[&str]| self.is_callee(outline, chain, row, source);
                clients.add(tokens, outline, source, is_source);
            }
        }
        self.clients = clients;
    }

    /// `true` if the call with this bracket is a method of an object of the framework.
    fn is_method(
        &self,
        tokens: &Tokens<'s>,
        outline: &Outline<'s>,
        open: usize,
        row: &Recogniser,
        sources: &[&str],
    ) -> bool {
        let names: Vec<&str> = row.callee.split('.').collect();
        let Some(start) = (open + 1).checked_sub(2 * names.len()) else { return false };
        let mut written = (start..open).step_by(2).zip(&names);
        let is_named = written.all(|(token, name)| tokens.text(token) == *name);
        let Some(dot) = start.checked_sub(1).filter(|dot| is_named && is_dot(tokens, *dot)) else {
            return false;
        };
        sources.iter().any(|source| {
            let is_source = |chain: &[&str]| self.is_callee(outline, chain, row, source);
            self.clients.ends_with(tokens, dot, source, is_source)
        })
    }

    /// `true` if a chain of names refers to a function or class of the package of a row.
    fn is_callee(
        &self,
        outline: &Outline<'_>,
        chain: &[&str],
        row: &Recogniser,
        callee: &str,
    ) -> bool {
        let is_declared = chain.first().is_none_or(|head| self.declared.contains(head));
        let mut paths = outline.paths(chain).into_iter();
        !is_declared && paths.any(|path| row.is_in_package(&path, callee))
    }

    /// Base classes are declared before derived ones, so one pass is sufficient.
    fn add_classes(&mut self, outline: &Outline<'s>) {
        if self.rows.is_empty() {
            return;
        }
        for (scope, declared) in outline.scopes.iter().enumerate() {
            let ScopeKind::Class { bases } = &declared.kind else { continue };
            let mut rows = Vec::new();
            for base in bases {
                let chain: Vec<&str> = base.iter().map(String::as_str).collect();
                if let Some(known) = base.last().and_then(|last| self.last.get(last)) {
                    let is_base = |row: &&usize| self.rows[**row].is_base;
                    rows.extend(
                        known
                            .iter()
                            .filter(is_base)
                            .filter(|row| self.is_row(outline, &chain, **row)),
                    );
                }
                if let [name] = chain.as_slice() {
                    rows.extend(self.derived.get(name).into_iter().flatten());
                }
            }
            rows.sort_unstable();
            rows.dedup();
            if !rows.is_empty() {
                self.derived.insert(declared.name, rows.clone());
                self.classes.insert(scope, rows);
            }
        }
        for (name, rows) in &self.derived {
            self.last.entry((*name).to_owned()).or_default().extend(rows);
        }
    }

    /// The rows that a call refers to.
    fn rows_of(&self, tokens: &Tokens<'s>, outline: &Outline<'s>, open: usize) -> Vec<usize> {
        let last = tokens.text(open - 1);
        let base = grammar(tokens.language).base;
        if base.last() == Some(&last) {
            return self.rows_of_base(tokens, outline, open, base);
        }
        let Some(rows) = self.last.get(last) else { return Vec::new() };
        let before = open.checked_sub(2).map_or("", |before| tokens.text(before));
        if grammar(tokens.language).declares.contains(&before) {
            return Vec::new();
        }
        let chain = tokens.callee(open);
        if let [name] = chain.as_slice()
            && let Some(rows) = self.derived.get(name)
        {
            return rows.clone();
        }
        let is_called = |row: &usize| match self.rows[*row].shape {
            Shape::Method(sources) => {
                self.is_method(tokens, outline, open, self.rows[*row], sources)
            }
            Shape::Call | Shape::Chain => self.is_row(outline, &chain, *row),
        };
        rows.iter().copied().filter(is_called).collect()
    }

    /// The rows of `super().__init__(` in a class that derives from them.
    fn rows_of_base(
        &self,
        tokens: &Tokens<'_>,
        outline: &Outline<'_>,
        open: usize,
        base: &[&str],
    ) -> Vec<usize> {
        let Some(start) = open.checked_sub(base.len()) else { return Vec::new() };
        if (start..open).zip(base).any(|(token, text)| tokens.text(token) != *text) {
            return Vec::new();
        }
        let mut around = outline.outwards(outline.scope_at(open));
        let is_class =
            |scope: &usize| matches!(outline.scopes[*scope].kind, ScopeKind::Class { .. });
        around
            .find(is_class)
            .and_then(|class| self.classes.get(&class).cloned())
            .unwrap_or_default()
    }

    /// `true` if a chain of names refers to a row by the imports, and no class of the module has
    /// its name.
    fn is_row(&self, outline: &Outline<'_>, chain: &[&str], row: usize) -> bool {
        self.is_callee(outline, chain, self.rows[row], self.rows[row].callee)
    }
}

/// `true` for the sign before a method.
fn is_dot(tokens: &Tokens<'_>, token: usize) -> bool {
    matches!(tokens.text(token), "." | "?.")
}
