//! What a host declares, as far as texts need it: imports, scopes, classes, functions, and what is
//! assigned to which name. A file per language makes it.

mod python;

use std::collections::HashMap;
use std::ops::Range;

use super::tokens::Tokens;
use crate::language::Language;

/// A name that is imported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Import<'s> {
    /// What it is called here; `*` for all that is in the module.
    pub local: &'s str,
    /// The module as the language spells it: `google.adk.agents`, `.prompts`.
    pub module: String,
    /// What it is called there; `None` for the module itself.
    pub name: Option<&'s str>,
}

impl Import<'_> {
    /// Module and name, with a dot between them.
    pub fn path(&self) -> String {
        match self.name {
            Some(name) if self.module.ends_with('.') => format!("{}{name}", self.module),
            Some(name) => format!("{}.{name}", self.module),
            None => self.module.clone(),
        }
    }
}

/// What a scope belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ScopeKind {
    Module,
    /// A class, with the chains of names that it derives from.
    Class {
        bases: Vec<Vec<String>>,
    },
    Function,
}

/// A range of tokens in which names mean the same.
#[derive(Clone, Debug)]
pub(crate) struct Scope<'s> {
    pub kind: ScopeKind,
    /// What declares it; empty for the module.
    pub name: &'s str,
    pub parent: Option<usize>,
    pub tokens: Range<usize>,
}

/// What a name is given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    /// An expression, as tokens.
    Expression(Range<usize>),
    /// A function, by its place in the list.
    Function(usize),
    /// What an import brings, by its place in the list.
    Import(usize),
    /// What is not known: a parameter, the target of a loop, one more value.
    Unknown,
}

/// A function.
#[derive(Clone, Debug, Default)]
pub(crate) struct Function {
    pub scope: usize,
    /// Whether a call of it gives what it returns: no decorator, not asynchronous, no generator.
    pub is_plain: bool,
    /// The expressions that it returns; an empty one for nothing.
    pub returns: Vec<Range<usize>>,
}

/// A statement, and the name of what it assigns to.
#[derive(Clone, Debug)]
pub(crate) struct Statement {
    pub tokens: Range<usize>,
    /// The last word of its target.
    pub target: Option<usize>,
}

/// What a host declares.
pub(crate) struct Outline<'s> {
    pub imports: Vec<Import<'s>>,
    /// In the order of their starts; the first is the module.
    pub scopes: Vec<Scope<'s>>,
    pub functions: Vec<Function>,
    /// In order.
    pub statements: Vec<Statement>,
    /// What names of a scope are given; `Unknown` for those that are given more than one value.
    pub names: HashMap<(usize, &'s str), Value>,
}

impl<'s> Outline<'s> {
    /// The outline of a host; `None` for languages whose outline nothing reads.
    ///
    /// Cost: the number of tokens.
    pub fn new(tokens: &Tokens<'s>) -> Option<Outline<'s>> {
        match tokens.language {
            Language::Python => Some(python::outline(tokens)),
            _ => None,
        }
    }

    /// An outline of nothing but a module.
    fn of_module(tokens: &Tokens<'s>) -> Outline<'s> {
        let tokens = 0..tokens.all.len();
        let module = Scope { kind: ScopeKind::Module, name: "", parent: None, tokens };
        Outline {
            imports: Vec::new(),
            scopes: vec![module],
            functions: Vec::new(),
            statements: Vec::new(),
            names: HashMap::new(),
        }
    }

    /// Gives a name of a scope a value. A second one makes it unknown.
    fn bind(&mut self, scope: usize, name: &'s str, value: Value) {
        let known = self.names.entry((scope, name));
        known.and_modify(|known| *known = Value::Unknown).or_insert(value);
    }

    /// The innermost scope of a token.
    ///
    /// Cost: a binary search, and the depth of the scopes.
    pub fn scope_at(&self, token: usize) -> usize {
        let behind = self.scopes.partition_point(|scope| scope.tokens.start <= token);
        let mut scope = behind.saturating_sub(1);
        while !self.scopes[scope].tokens.contains(&token) {
            match self.scopes[scope].parent {
                Some(parent) => scope = parent,
                None => return 0,
            }
        }
        scope
    }

    /// A scope and those around it, from the inside.
    pub fn outwards(&self, scope: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(scope), |scope| self.scopes[*scope].parent)
    }

    /// What a name means in a scope, and the scope that says so. Names of classes are known in the
    /// class alone.
    pub fn value(&self, scope: usize, name: &'s str) -> Option<(usize, &Value)> {
        self.outwards(scope).find_map(|around| {
            let is_hidden =
                around != scope && matches!(self.scopes[around].kind, ScopeKind::Class { .. });
            if is_hidden {
                return None;
            };
            self.names.get(&(around, name)).map(|value| (around, value))
        })
    }

    /// The statement that a token stands in.
    pub fn statement_at(&self, token: usize) -> Option<&Statement> {
        let behind = self.statements.partition_point(|it| it.tokens.start <= token);
        let statement = self.statements.get(behind.checked_sub(1)?)?;
        statement.tokens.contains(&token).then_some(statement)
    }

    /// The modules and names that a chain of names may mean: `google.adk.agents.LlmAgent` for
    /// `agents.LlmAgent`. Those of `*` come with the others.
    pub fn paths(&self, chain: &[&str]) -> Vec<String> {
        let Some((head, rest)) = chain.split_first() else { return Vec::new() };
        let path = |import: &Import<'s>| {
            if import.local == *head {
                Some([vec![import.path()], owned(rest)].concat().join("."))
            } else if import.local == "*" {
                Some([vec![import.module.clone()], owned(chain)].concat().join("."))
            } else {
                None
            }
        };
        self.imports.iter().filter_map(path).collect()
    }
}

fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}
