//! The declarations of a host, as far as texts require them: imports, scopes, classes, functions,
//! and the values of names.

mod assignments;
pub(crate) mod attributes;
pub(crate) mod objects;
mod parts;

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::grammar::Members;
use super::tokens::Tokens;
pub(crate) use assignments::Assignments;
pub(crate) use parts::{ANY, EACH, PartOf};

/// A name that an import binds in this host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Import<'s> {
    /// Its local name; `*` for all names of the module.
    pub local: &'s str,
    /// The module in the notation of the language: `google.adk.agents`, `.prompts`.
    pub module: String,
    /// Its name in the module; `None` for the module itself.
    pub name: Option<&'s str>,
    /// The module in the source, if `module` has another notation.
    pub written: Option<&'s str>,
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

/// The kind of a scope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ScopeKind {
    Module,
    /// A class, with the chains of names that it derives from.
    Class {
        bases: Vec<Vec<String>>,
    },
    Function,
    /// A block in a function: braces, a lambda, a loop with its header.
    Block,
}

/// A range of tokens in which names have the same meaning.
#[derive(Clone, Debug)]
pub(crate) struct Scope<'s> {
    pub kind: ScopeKind,
    /// The name of its declaration; empty for the module.
    pub name: &'s str,
    pub parent: Option<usize>,
    pub tokens: Range<usize>,
}

/// The value of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    /// An expression, as a range of tokens.
    Expression(Range<usize>),
    /// A function, by its index.
    Function(usize),
    /// An import, by its index.
    Import(usize),
    /// Several values, by the index of its assignments.
    Assigned(usize),
    /// A part of another value, by its index.
    Part(usize),
    /// An unknown value: a parameter, the target of a loop, a second value.
    Unknown,
}

/// The value of the first parameter of a function, if no argument of a call is written for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Receiver {
    /// There is none: the first parameter is the first argument.
    #[default]
    None,
    /// The class before the name in a call, or that of the object there.
    Class,
    /// The object before the name in a call; a call by the name of the class passes it as an
    /// argument.
    Object,
}

/// A function whose returned expression may be the value of a call.
#[derive(Clone, Debug, Default)]
pub(crate) struct Function {
    /// `true` if a call returns the returned expression: no decorator, not asynchronous, no
    /// generator.
    pub is_plain: bool,
    /// `true` if its result is awaited.
    pub is_async: bool,
    /// `true` if it is read like an attribute.
    pub is_property: bool,
    /// `true` if a decorator may change the arguments of a call.
    pub is_decorated: bool,
    /// The meaning of its first parameter.
    pub receiver: Receiver,
    /// `true` if it would be plain without a decorator that keeps results for the next call.
    pub is_cached: bool,
    /// The returned expressions; an empty one for `return` without a value.
    pub returns: Vec<Range<usize>>,
    /// The tokens between the brackets of its parameters.
    pub parameters: Range<usize>,
    /// The scope of its body and its parameters.
    pub scope: usize,
}

impl Function {
    /// `true` if no return of it is without a value.
    pub fn always_returns_a_value(&self) -> bool {
        self.returns.iter().all(|value| !value.is_empty())
    }
}

/// A statement, with the target of its assignment.
#[derive(Clone, Debug)]
pub(crate) struct Statement {
    pub tokens: Range<usize>,
    /// The last word of its target.
    pub target: Option<usize>,
    /// The enclosing statement, by its index; in Python, the header of its block.
    pub parent: Option<usize>,
}

/// The declarations of a host.
pub(crate) struct Outline<'s> {
    /// The declared package of the host.
    pub package: Option<String>,
    pub imports: Vec<Import<'s>>,
    /// Scopes by their starts; the first is the module.
    pub scopes: Vec<Scope<'s>>,
    pub functions: Vec<Function>,
    /// Statements, sorted by their first tokens.
    pub statements: Vec<Statement>,
    /// The values of names in a scope.
    pub names: HashMap<(usize, &'s str), Value>,
    /// The assignments to names that may have several values.
    pub assignments: Vec<Assignments>,
    /// The names that stand for parts of other values.
    pub parts: Vec<PartOf<'s>>,
    /// The other parts that a name stands for, by the first one.
    pub other_parts: HashMap<usize, Vec<usize>>,
    /// The same for methods: of classes, and in languages in which a name may be both, of all scopes.
    pub methods: HashMap<(usize, &'s str), Value>,
    /// The names with more than one value, with their scopes.
    pub rebound: HashSet<(usize, &'s str)>,
    /// The scopes of classes, by the enclosing scope and their names.
    pub classes: HashMap<(usize, &'s str), usize>,
    /// The only constructors of classes, by the scopes of these; `None` for a class with several.
    pub constructors: HashMap<usize, Option<usize>>,
    /// The functions that extend a type in Kotlin, by their names; `None` for several.
    pub extensions: HashMap<&'s str, Option<usize>>,
    /// The functions with a receiver in Go, by its type and their names.
    pub receivers: HashMap<(&'s str, &'s str), usize>,
    /// The fields that belong to their class as a whole, in scripts.
    pub statics: HashSet<(usize, &'s str)>,
    /// The names whose members the host changes.
    pub changed: HashSet<&'s str>,
    /// The members that the host assigns.
    pub assigned: HashSet<&'s str>,
    members: Members,
}

/// Functions that return the default of a field.
const DEFAULTS: [&str; 2] = ["pydantic.Field", "dataclasses.field"];

/// The maximum number of tokens before the bracket of such a function.
const MAX_DEFAULT: usize = 8;

/// The maximum number of examined scopes and statements around a position.
pub(crate) const MAX_AROUND: usize = 100;

impl<'s> Outline<'s> {
    /// An outline that contains only a module.
    pub fn of_module(tokens: &Tokens<'s>, members: Members) -> Outline<'s> {
        let tokens = 0..tokens.all.len();
        let module = Scope { kind: ScopeKind::Module, name: "", parent: None, tokens };
        Outline {
            package: None,
            imports: Vec::new(),
            scopes: vec![module],
            functions: Vec::new(),
            statements: Vec::new(),
            names: HashMap::new(),
            assignments: Vec::new(),
            parts: Vec::new(),
            other_parts: HashMap::new(),
            rebound: HashSet::new(),
            methods: HashMap::new(),
            classes: HashMap::new(),
            constructors: HashMap::new(),
            extensions: HashMap::new(),
            receivers: HashMap::new(),
            statics: HashSet::new(),
            changed: HashSet::new(),
            assigned: HashSet::new(),
            members,
        }
    }

    /// Assigns a value to a name of a scope. Of several, only expressions and imports are known.
    pub fn bind(&mut self, scope: usize, name: &'s str, value: Value) {
        match self.names.entry((scope, name)) {
            Entry::Vacant(entry) => _ = entry.insert(value),
            Entry::Occupied(mut entry) => {
                if let (Value::Part(first), Value::Part(other)) = (entry.get(), &value) {
                    self.other_parts.entry(*first).or_default().push(*other);
                    return;
                }
                let is_first = self.rebound.insert((scope, name));
                let known = match entry.get() {
                    Value::Unknown if !is_first => Value::Unknown,
                    known => add_value(&mut self.assignments, known, value),
                };
                entry.insert(known);
            }
        }
    }

    /// Declares a variable of a scope, which is known only if a condition chooses its value.
    pub fn declare(&mut self, scope: usize, name: &'s str, value: Option<Range<usize>>) {
        if self.names.contains_key(&(scope, name)) {
            return self.bind(scope, name, Value::Unknown);
        }
        self.names.insert((scope, name), Value::Assigned(self.assignments.len()));
        let values = value.into_iter().collect();
        self.assignments.push(Assignments { values, ..Assignments::default() });
    }

    /// Assigns a function to a method of a scope. A second one makes it unknown.
    pub fn bind_method(&mut self, scope: usize, name: &'s str, value: Value) {
        let known = self.methods.entry((scope, name));
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

    /// A scope and its ancestors, from the inside.
    pub fn outwards(&self, scope: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(scope), |scope| self.scopes[*scope].parent)
    }

    /// The value of a name in a scope, and the scope that declares it.
    pub fn value(&self, scope: usize, name: &'s str) -> Option<(usize, &Value)> {
        self.outwards(scope).find_map(|around| {
            let is_hidden = around != scope && !self.is_known_within(around);
            if is_hidden {
                return None;
            };
            self.names.get(&(around, name)).map(|value| (around, value))
        })
    }

    /// The expression of a value that other hosts and rules can refer to; the first one of several.
    pub fn first_value<'o>(&'o self, value: &'o Value) -> Option<&'o Range<usize>> {
        match value {
            Value::Expression(tokens) => Some(tokens),
            Value::Assigned(index) => {
                let assignments = Some(&self.assignments[*index]);
                assignments.filter(|it| it.are_several())?.values.first()
            }
            _ => None,
        }
    }

    /// The method of a name in a scope, and the scope that declares it.
    pub fn called(&self, scope: usize, name: &'s str) -> Option<(usize, &Value)> {
        if self.members == Members::OfModules {
            return self.value(scope, name);
        }
        self.outwards(scope).find_map(|around| {
            let value = self.methods.get(&(around, name)).or(self.names.get(&(around, name)));
            value.map(|value| (around, value))
        })
    }

    /// The chains of names that a class derives from, by its scope; empty for other scopes.
    pub fn bases(&self, scope: usize) -> &[Vec<String>] {
        match &self.scopes[scope].kind {
            ScopeKind::Class { bases } => bases,
            _ => &[],
        }
    }

    /// The name of a class by its scope; `None` for other scopes.
    pub fn class_name(&self, scope: usize) -> Option<&'s str> {
        let is_class = matches!(self.scopes[scope].kind, ScopeKind::Class { .. });
        is_class.then(|| self.scopes[scope].name)
    }

    /// The classes of which all members are imported.
    pub fn classes_imported(&self) -> impl Iterator<Item = &str> {
        let has_classes = self.members == Members::OfClasses;
        let last = |module: &str| module.rsplit('.').next().is_some_and(is_class_name);
        let is_class =
            move |import: &&Import<'_>| has_classes && import.local == "*" && last(&import.module);
        self.imports.iter().filter(is_class).map(|import| import.module.as_str())
    }

    /// The modules of which all names are imported, in languages with modules.
    pub fn wildcards(&self) -> impl Iterator<Item = &str> {
        let is_module = self.members == Members::OfModules;
        let all = self.imports.iter().filter(move |import| is_module && import.local == "*");
        all.map(|import| import.module.as_str())
    }

    /// `true` if a scope itself declares a name.
    pub fn declares(&self, scope: usize, name: &'s str, is_called: bool) -> bool {
        let names = if is_called { &self.methods } else { &self.names };
        names.contains_key(&(scope, name))
    }

    /// `true` if names of a scope are visible in nested scopes.
    fn is_known_within(&self, scope: usize) -> bool {
        let is_class = matches!(self.scopes[scope].kind, ScopeKind::Class { .. });
        !is_class || self.members == Members::OfClasses
    }

    /// `true` if other hosts and rules can refer to the names of a scope.
    pub fn is_shared(&self, scope: usize) -> bool {
        match self.scopes[scope].kind {
            ScopeKind::Module => true,
            ScopeKind::Class { .. } => self.members == Members::OfClasses,
            _ => false,
        }
    }

    /// The scope of the class that a chain of names refers to; `this` is the enclosing one.
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

    /// The default of a field: its value, or that of `Field(default=…)` in Python.
    pub fn default_of(&self, tokens: &Tokens<'_>, value: Range<usize>) -> Option<Range<usize>> {
        let open = (value.start..value.end.min(value.start + MAX_DEFAULT))
            .find(|token| tokens.text(*token) == "(")
            .filter(|open| *open > value.start && tokens.partner(*open) == Some(value.end - 1));
        let Some(open) = open else { return Some(value) };
        let is_field = |path: &String| DEFAULTS.contains(&path.as_str());
        if !self.paths(&tokens.callee(open)).iter().any(is_field) {
            return Some(value);
        }
        let parts = tokens.split(open + 1..value.end - 1);
        let default = parts.iter().find(|part| {
            matches!(tokens.text(part.start), "default" | "default_factory")
                && tokens.text(part.start + 1) == "="
        });
        let is_lambda =
            |value: usize| tokens.text(value) == "lambda" && tokens.text(value + 1) == ":";
        match default {
            Some(part) if is_lambda(part.start + 2) => Some(part.start + 4..part.end),
            Some(part) => Some(part.start + 2..part.end),
            None => parts.first().filter(|it| tokens.text(it.start + 1) != "=").cloned(),
        }
    }

    /// The innermost statement that contains a token.
    pub fn statement_at(&self, token: usize) -> Option<&Statement> {
        self.statements_around(token).next()
    }

    /// The statements that contain a token, from the inside.
    pub fn statements_around(&self, token: usize) -> impl Iterator<Item = &Statement> + '_ {
        let behind = self.statements.partition_point(|it| it.tokens.start <= token);
        let last = behind.checked_sub(1).map(|last| &self.statements[last]);
        let parent = |it: &&Statement| it.parent.map(|parent| &self.statements[parent]);
        let around = std::iter::successors(last, parent).take(MAX_AROUND);
        around.filter(move |it| it.tokens.contains(&token))
    }

    /// The qualified names that a chain of names may refer to: `google.adk.agents.LlmAgent` for
    /// `agents.LlmAgent`. Includes those from wildcard imports.
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

/// A further value of a name with a known one; only expressions and imports may be several.
fn add_value(all: &mut Vec<Assignments>, known: &Value, value: Value) -> Value {
    let index = match known {
        Value::Assigned(index) => *index,
        known => {
            let mut first = Assignments::default();
            match known {
                Value::Expression(tokens) => first.values.push(tokens.clone()),
                Value::Import(import) => first.imports.push(*import),
                Value::Unknown => first.is_given = true,
                Value::Function(_) | Value::Assigned(_) | Value::Part(_) => return Value::Unknown,
            }
            all.push(first);
            all.len() - 1
        }
    };
    match value {
        Value::Expression(tokens) => all[index].values.push(tokens),
        Value::Import(import) => all[index].imports.push(import),
        _ => return Value::Unknown,
    }
    Value::Assigned(index)
}

fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// `true` if a name is conventionally that of a class, and not of a package or a constant.
pub(crate) fn is_certain_class(name: &str) -> bool {
    is_class_name(name) && name.contains(char::is_lowercase) && !name.ends_with(')')
}

/// `true` if a name is conventionally that of a class, and not of a package.
pub(crate) fn is_class_name(name: &str) -> bool {
    name.starts_with(char::is_uppercase)
}
