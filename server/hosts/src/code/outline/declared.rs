//! What a host declares, and what names mean by it.

use std::collections::HashMap;
use std::ops::Range;

use crate::code::grammar::{Grammar, Members};
use crate::code::tokens::Tokens;

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
    /// Something in a function: what is between braces, a lambda, the header of a loop with it.
    Block,
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
    /// The statement that it stands in, by its place in the list.
    pub parent: Option<usize>,
}

/// What a host declares.
pub(crate) struct Outline<'s> {
    /// The package that the host says it is in.
    pub package: Option<String>,
    pub imports: Vec<Import<'s>>,
    /// In the order of their starts; the first is the module.
    pub scopes: Vec<Scope<'s>>,
    pub functions: Vec<Function>,
    /// In the order of their starts.
    pub statements: Vec<Statement>,
    /// What names of a scope are given; `Unknown` for those that are given more than one value.
    pub names: HashMap<(usize, &'s str), Value>,
    /// The same for what is called, in languages where a name may be both.
    pub methods: HashMap<(usize, &'s str), Value>,
    /// The scopes of classes by the scope that they are declared in, and their names.
    pub(super) classes: HashMap<(usize, &'s str), usize>,
    members: Members,
}

/// Scopes and statements around a place are looked at this often.
pub(super) const MAX_AROUND: usize = 100;

impl<'s> Outline<'s> {
    /// An outline of nothing but a module.
    pub(super) fn of_module(tokens: &Tokens<'s>) -> Outline<'s> {
        let members = Grammar::of(tokens.language).members;
        let tokens = 0..tokens.all.len();
        let module = Scope { kind: ScopeKind::Module, name: "", parent: None, tokens };
        Outline {
            package: None,
            imports: Vec::new(),
            scopes: vec![module],
            functions: Vec::new(),
            statements: Vec::new(),
            names: HashMap::new(),
            methods: HashMap::new(),
            classes: HashMap::new(),
            members,
        }
    }

    /// Gives a name of a scope a value. A second one makes it unknown.
    pub(super) fn bind(&mut self, scope: usize, name: &'s str, value: Value) {
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

    /// What a name means in a scope, and the scope that says so.
    pub fn value(&self, scope: usize, name: &'s str) -> Option<(usize, &Value)> {
        self.outwards(scope).find_map(|around| {
            let is_hidden = around != scope && !self.is_known_within(around);
            if is_hidden {
                return None;
            };
            self.names.get(&(around, name)).map(|value| (around, value))
        })
    }

    /// What is called by a name in a scope, and the scope that says so.
    pub fn called(&self, scope: usize, name: &'s str) -> Option<(usize, &Value)> {
        if self.members == Members::OfModules {
            return self.value(scope, name);
        }
        self.outwards(scope).find_map(|around| {
            let value = self.methods.get(&(around, name)).or(self.names.get(&(around, name)));
            value.map(|value| (around, value))
        })
    }

    /// The name of a class by its scope.
    pub fn class_name(&self, scope: usize) -> Option<&'s str> {
        let is_class = matches!(self.scopes[scope].kind, ScopeKind::Class { .. });
        is_class.then(|| self.scopes[scope].name)
    }

    /// The class all of whose names are imported, if it is the only one.
    pub fn only_class_imported(&self) -> Option<&str> {
        let last = |module: &'_ str| module.rsplit('.').next().is_some_and(is_class_name);
        let is_class = |import: &&Import<'_>| import.local == "*" && last(&import.module);
        let mut classes = self.imports.iter().filter(is_class);
        let class = classes.next().filter(|_| self.members == Members::OfClasses)?;
        classes.next().is_none().then_some(class.module.as_str())
    }

    /// Whether a scope itself gives a name a value.
    pub fn declares(&self, scope: usize, name: &'s str, is_called: bool) -> bool {
        let names = if is_called { &self.methods } else { &self.names };
        names.contains_key(&(scope, name))
    }

    /// Whether names of a scope are known in those within it.
    fn is_known_within(&self, scope: usize) -> bool {
        let is_class = matches!(self.scopes[scope].kind, ScopeKind::Class { .. });
        !is_class || self.members == Members::OfClasses
    }

    /// Whether other hosts can use the names of a scope, and rules mean them.
    pub fn is_shared(&self, scope: usize) -> bool {
        match self.scopes[scope].kind {
            ScopeKind::Module => true,
            ScopeKind::Class { .. } => self.members == Members::OfClasses,
            _ => false,
        }
    }

    /// The scope of the class that a chain of names means; `this` is the one around.
    pub fn class(&self, scope: usize, chain: &[&'s str]) -> Option<usize> {
        let (head, inner) = chain.split_first()?;
        let is_class = |it: &usize| matches!(self.scopes[*it].kind, ScopeKind::Class { .. });
        let outermost = match *head {
            "this" => self.outwards(scope).find(is_class),
            head => {
                self.outwards(scope).find_map(|around| self.classes.get(&(around, head)).copied())
            }
        };
        inner.iter().try_fold(outermost?, |class, name| self.classes.get(&(class, *name)).copied())
    }

    /// The innermost statement that a token stands in.
    pub fn statement_at(&self, token: usize) -> Option<&Statement> {
        self.statements_around(token).next()
    }

    /// The statements that a token stands in, from the inside.
    pub fn statements_around(&self, token: usize) -> impl Iterator<Item = &Statement> + '_ {
        let behind = self.statements.partition_point(|it| it.tokens.start <= token);
        let last = behind.checked_sub(1).map(|last| &self.statements[last]);
        let parent = |it: &&Statement| it.parent.map(|parent| &self.statements[parent]);
        let around = std::iter::successors(last, parent).take(MAX_AROUND);
        around.filter(move |it| it.tokens.contains(&token))
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
        let mut paths: Vec<String> = self.imports.iter().filter_map(path).collect();
        // With its package, a class needs no import.
        if self.members == Members::OfClasses && chain.len() > 2 {
            paths.push(chain.join("."));
        }
        paths
    }
}

fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// Whether a name is that of a class, and not of a package, as everybody writes them.
pub(crate) fn is_class_name(name: &str) -> bool {
    name.starts_with(char::is_uppercase)
}
