//! The names of a host that stand for framework calls: imports, classes that derive from those of
//! a framework, and other names of either.

mod clients;
mod imported;
mod makers;
mod meaning;
mod passing;
mod unfollowed;
mod values;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Range;

use memchr::memmem;

use super::beside::{is_beside, written_here};
use super::calls::callee::Callee;
use super::factories::Template;
use super::grammar::Members;
use super::grammars::grammar;
use super::outline::{Import, Outline, ScopeKind, Value};
use super::recogniser::{Recogniser, Shape};
use super::recognisers::{Calls, recognisers, value_supply, words_of_use};
use super::tokens::Tokens;
use crate::host_prompt::{Demand, Imported};
use crate::language::Language;
use clients::Clients;
use imported::imported;
use meaning::{alias, meanings};

/// The maximum number of names in a chain.
const MAX_CHAIN: usize = 16;

/// The names of a host that may refer to rows of the table.
pub(super) struct Callees<'h, 's> {
    tokens: &'h Tokens<'s>,
    table: Vec<&'static Recogniser>,
    /// The last names of the classes that others may derive from, and of their methods.
    bases: HashSet<&'static str>,
    /// The rows whose package is imported.
    rows: Vec<usize>,
    /// The possible last names of calls, including those of derived classes.
    last: HashMap<String, Vec<usize>>,
    /// The rows that classes of the host derive from, by scope.
    classes: BTreeMap<usize, Vec<usize>>,
    /// Classes and constants of the module, and imports under other names, that stand for a class
    /// from which others may derive. Other hosts may import them.
    exported: BTreeSet<&'s str>,
    /// Imports whose meaning other hosts have stated.
    known: HashMap<Imported, Vec<usize>>,
    /// The functions of the host that return objects of the framework, with their rows.
    makers: BTreeMap<usize, usize>,
    /// `true` after those with declared types were added.
    have_declared_makers: bool,
    /// The functions of the host that pass parameters to framework calls.
    factories: BTreeMap<usize, Vec<Callee>>,
    /// Those of them with calls, here or in other hosts.
    called: HashSet<usize>,
    /// Imported functions of this kind.
    known_factories: HashMap<Imported, Vec<Callee>>,
    /// The constants of the module that are objects of the framework, with their rows.
    objects: HashMap<&'s str, usize>,
    /// Imported objects, and functions that return one.
    known_objects: HashMap<Imported, usize>,
    /// The functions of the host that put parameters into texts of framework calls.
    templates: BTreeMap<usize, Vec<Template>>,
    /// The starts of the values in them whose functions are called.
    called_templates: HashSet<usize>,
    /// The functions with such values that other hosts call.
    requested_templates: HashSet<usize>,
    /// The scopes of the functions with calls.
    called_scopes: HashSet<usize>,
    /// The functions that were found last.
    new: BTreeSet<usize>,
    /// `true` if the calls of functions of other hosts were looked for.
    are_known_called: bool,
    /// The classes of the host, which hide imports.
    declared: HashSet<&'s str>,
    /// The names that functions of other hosts which pass parameters to framework calls may have
    /// here.
    named: HashSet<String>,
    /// Those of them that the function has only here.
    renamed: BTreeSet<String>,
    clients: Clients<'s>,
    /// Imports that may take prompts, whose meaning only other hosts state.
    pub requested: BTreeSet<Imported>,
    /// The brackets of calls of values that may be classes of a framework.
    pub values: Vec<usize>,
    /// The last tokens of objects that are not followed, and whose attributes the host sets as if they
    /// were agents.
    pub unknown_objects: Vec<usize>,
}

impl<'h, 's> Callees<'h, 's> {
    pub fn new(tokens: &'h Tokens<'s>, outline: &Outline<'s>, demands: &[Demand]) -> Self {
        let is_below = |row: &Recogniser, module: &str| {
            let is_around = |package: &&str| {
                package.strip_prefix(module).is_some_and(|rest| rest.starts_with('.'))
            };
            // `import google.adk` binds only `google`.
            row.has_module(module) || row.packages.iter().any(is_around)
        };
        let is_imported =
            |row: &Recogniser| outline.imports.iter().any(|import| is_below(row, &import.path()));
        let has_inner = grammar(tokens.language).members == Members::OfClasses;
        let is_written = |row: &Recogniser| {
            // With its package, a class needs no import.
            let is_in = |package: &&str| {
                memmem::find(tokens.source.as_bytes(), package.as_bytes()).is_some()
            };
            has_inner && row.packages.iter().any(is_in)
        };
        let table: Vec<_> = recognisers(tokens.language).collect();
        let is_here = |row: &usize| is_imported(table[*row]) || is_written(table[*row]);
        let rows: Vec<usize> = (0..table.len()).filter(is_here).collect();
        // In languages with class members, a nested class hides imports only inside its enclosing
        // class.
        let classes = outline.scopes.iter().filter(|scope| {
            let is_class = matches!(scope.kind, ScopeKind::Class { .. });
            is_class && (has_inner || scope.parent == Some(0))
        });
        let mut callees = Callees {
            tokens,
            declared: classes.map(|scope| scope.name).collect(),
            bases: table.iter().filter(|row| row.is_base).map(|row| row.last_name()).collect(),
            table,
            rows,
            last: HashMap::new(),
            classes: BTreeMap::new(),
            exported: BTreeSet::new(),
            known: HashMap::new(),
            makers: BTreeMap::new(),
            have_declared_makers: false,
            factories: BTreeMap::new(),
            called: HashSet::new(),
            known_factories: HashMap::new(),
            objects: HashMap::new(),
            known_objects: HashMap::new(),
            templates: BTreeMap::new(),
            called_templates: HashSet::new(),
            requested_templates: HashSet::new(),
            called_scopes: HashSet::new(),
            new: BTreeSet::new(),
            are_known_called: false,
            named: HashSet::new(),
            renamed: BTreeSet::new(),
            clients: Clients::default(),
            requested: BTreeSet::new(),
            values: Vec::new(),
            unknown_objects: Vec::new(),
        };
        callees.add_imports(outline, demands);
        callees.add_classes(outline);
        callees.add_clients(outline);
        callees
    }

    /// `true` if any name of the host may refer to a row.
    pub fn has_any(&self) -> bool {
        !self.last.is_empty()
    }

    /// `true` if the host imports a framework whose prompts get their values from calls, also of
    /// other hosts.
    pub fn have_calls_with_values(&self) -> bool {
        let rows = self.rows.iter().map(|row| self.table[*row]);
        let mut calls = rows.filter_map(|row| Some(value_supply(row.dialect, row.engine)?.calls));
        calls.any(|calls| !matches!(calls, Calls::None))
    }

    /// The row of a callee.
    pub fn row(&self, callee: usize) -> &'static Recogniser {
        self.table[callee]
    }

    /// The parameters of classes that others may derive from, and of builders, as far as a call with
    /// one of them shows that it may take prompts.
    pub fn keywords(&self) -> BTreeSet<&'static str> {
        let language = self.tokens.language;
        let grammar = grammar(language);
        let shows = |row: &Recogniser, keyword: &str| {
            let written = match row.shape {
                Shape::Chain => format!(".{keyword}("),
                _ if grammar.has_options => format!("{keyword}:"),
                _ => format!("{keyword}="),
            };
            words_of_use(language).iter().any(|word| written.ends_with(word))
        };
        let rows = self.table.iter().filter(|row| row.is_base || row.shape == Shape::Chain);
        let keywords = rows.flat_map(|row| row.parameters.iter().map(move |it| (row, it.keyword)));
        keywords.filter(|(row, keyword)| shows(row, keyword)).map(|(_, keyword)| keyword).collect()
    }

    /// The classes of the host that derive from those of a framework, by scope.
    pub fn classes(&self) -> impl Iterator<Item = (usize, &[usize])> {
        self.classes.iter().map(|(scope, rows)| (*scope, rows.as_slice()))
    }

    fn add_imports(&mut self, outline: &Outline<'s>, demands: &[Demand]) {
        let tokens = self.tokens;
        for row in &self.rows {
            let last = self.table[*row].last_name();
            self.last.entry(last.to_owned()).or_default().push(*row);
            for import in &outline.imports {
                if import.name == Some(last) && import.local != last {
                    self.last.entry(import.local.to_owned()).or_default().push(*row);
                }
            }
        }
        for demand in demands {
            let (imported, callees) = match demand {
                Demand::Known(imported, callees) => (imported, callees),
                Demand::Factory(name) => {
                    let is_it = |import: &&Import<'_>| import.name == Some(name.as_str());
                    let locals = outline.imports.iter().filter(is_it).map(|it| it.local);
                    let others = locals.filter(|local| local != name).map(str::to_owned);
                    self.renamed.extend(others.clone());
                    self.named.extend(others.chain([name.clone()]));
                    continue;
                }
                _ => continue,
            };
            // Kotlin has more rows than Java.
            let callees = callees.iter().filter(|callee| callee.row < self.table.len());
            let object = callees.clone().find(|callee| callee.is_object).map(|it| it.row);
            self.known_objects.extend(object.map(|row| (imported.clone(), row)));
            let callees = callees.filter(|callee| !callee.is_object);
            let (factories, direct): (Vec<_>, Vec<_>) =
                callees.cloned().partition(|callee| !callee.passed.is_empty());
            let rows: Vec<usize> = direct.iter().map(|callee| callee.row).collect();
            let is_it = |import: &&Import<'_>| import.name == Some(imported.name.as_str());
            let locals = outline.imports.iter().filter(is_it).map(|import| import.local);
            let last = imported.name.rsplit('.').next().unwrap_or(&imported.name);
            for local in locals.chain([last]) {
                self.last.entry(local.to_owned()).or_default().extend(&rows);
            }
            if !rows.is_empty() || factories.is_empty() {
                self.known.entry(imported.clone()).or_default().extend(rows);
            }
            if !factories.is_empty() {
                self.known_factories.insert(imported.clone(), factories);
            }
            // A response remains as long as its request.
            let is_used = |import: &Import<'_>| {
                import.module == imported.module
                    || import.written == Some(&imported.module)
                    || imported.module.starts_with(&import.path())
            };
            if outline.imports.iter().any(is_used)
                || is_beside(tokens.language, outline, &imported.module)
            {
                self.requested.insert(imported.clone());
            }
        }
    }

    /// Adds the classes that derive from those of a framework, and other names of these.
    fn add_classes(&mut self, outline: &Outline<'s>) {
        for (scope, declared) in outline.scopes.iter().enumerate() {
            let around = declared.parent.unwrap_or_default();
            let mut rows = Vec::new();
            for base in outline.bases(scope) {
                let chain: Vec<&str> = base.iter().map(String::as_str).collect();
                let of_base = self.rows_of_chain(outline, around, &chain);
                rows.extend(of_base.into_iter().filter(|row| self.table[*row].is_base));
            }
            rows.sort_unstable();
            rows.dedup();
            if !rows.is_empty() {
                self.last.entry(declared.name.to_owned()).or_default().extend(&rows);
                self.exported.extend((around == 0).then_some(declared.name));
                self.classes.insert(scope, rows);
            }
        }
        self.add_aliases(outline);
        self.note_bases(outline);
    }

    fn add_aliases(&mut self, outline: &Outline<'s>) {
        if self.last.is_empty() && self.named.is_empty() {
            return;
        }
        for ((scope, name), value) in &outline.names {
            let chain = match value {
                Value::Expression(value) => alias(self.tokens, value.clone(), true),
                Value::Import(import) if outline.imports[*import].name != Some(*name) => {
                    Some(vec![*name])
                }
                _ => None,
            };
            let Some(chain) = chain else { continue };
            let rows = self.rows_of_chain(outline, *scope, &chain);
            if *scope == 0 && rows.iter().any(|row| self.table[*row].is_base) {
                self.exported.insert(name);
            }
            if !rows.is_empty() {
                self.last.entry((*name).to_owned()).or_default().extend(rows);
            } else if chain.last().is_some_and(|last| self.named.contains(*last)) {
                self.note_unknown(outline, *scope, &chain);
            }
        }
    }

    /// Records the imported base classes whose meaning is unknown.
    fn note_bases(&mut self, outline: &Outline<'s>) {
        if !self.table.iter().any(|row| row.is_base) {
            return;
        }
        for (scope, declared) in outline.scopes.iter().enumerate() {
            if self.classes.contains_key(&scope) {
                continue;
            }
            for base in outline.bases(scope) {
                let chain: Vec<&str> = base.iter().map(String::as_str).collect();
                self.note_unknown(outline, declared.parent.unwrap_or_default(), &chain);
            }
        }
    }

    /// The meaning of the names that other hosts request.
    pub fn responses(
        &mut self,
        outline: &Outline<'s>,
        demands: &[Demand],
    ) -> Vec<(Imported, Vec<Callee>)> {
        let mut responses = Vec::new();
        for demand in demands {
            let Demand::Callee(imported) = demand else { continue };
            let chain = written_here(self.tokens.language, imported);
            let rows = self.rows_of_chain(outline, 0, &chain);
            let rows = rows.into_iter().map(Callee::itself);
            let mut callees: Vec<Callee> =
                rows.chain(self.factories_of_chain(outline, 0, &chain)).collect();
            callees.extend(self.object_of_chain(outline, &chain));
            let function = self.factory_of_chain(outline, 0, &chain);
            self.requested_templates.extend(function);
            let templates = function.and_then(|function| self.templates.get(&function));
            callees.extend(templates.into_iter().flatten().filter_map(|template| {
                let (row, passed) = (template.row, template.parts.clone());
                (!passed.is_empty()).then(|| Callee::passing(row, passed))
            }));
            match callees.is_empty() {
                true => self.note_unknown(outline, 0, &chain),
                false => responses.push((imported.clone(), callees)),
            }
        }
        responses
    }

    /// Records the imported names of unknown meaning that a chain of names stands for, and which
    /// may take prompts.
    pub fn note_unknown(&mut self, outline: &Outline<'_>, scope: usize, chain: &[&str]) {
        let is_framework =
            |imported: &Imported| self.table.iter().any(|row| row.has_module(&imported.module));
        let is_known =
            |it: &Imported| self.known.contains_key(it) || self.known_factories.contains_key(it);
        for meaning in meanings(self.tokens, outline, scope, chain) {
            let is_hidden = meaning.chain.first().is_none_or(|head| self.declared.contains(head));
            if is_hidden {
                continue;
            }
            let mut imported =
                imported(self.tokens.language, outline, meaning.scope, &meaning.chain);
            imported.retain(|it| !is_framework(it) && !is_known(it));
            self.requested.extend(imported);
        }
    }

    /// The rows that a call refers to.
    pub fn rows_of(&self, outline: &Outline<'_>, open: usize) -> Vec<usize> {
        let tokens = self.tokens;
        let last = tokens.text(tokens.before_call(open));
        let grammar = grammar(tokens.language);
        if grammar.base.last() == Some(&last) {
            return self.rows_of_base(outline, open, grammar.base);
        }
        if let Some(chain) = completed(tokens, open) {
            return self.rows_of_chain(outline, outline.scope_at(open), &chain);
        }
        if !self.last.contains_key(last) || self.is_declaration(open) {
            return Vec::new();
        }
        let mut rows = self.rows_of_chain(outline, outline.scope_at(open), &tokens.callee(open));
        let methods = self.last.get(last).into_iter().flatten();
        rows.extend(methods.filter(|row| self.is_method(outline, open, self.table[**row])));
        rows
    }

    /// The places that may name the class of a framework as a type, with its first row.
    pub fn types(&self, outline: &Outline<'_>) -> Vec<(Range<usize>, usize)> {
        let tokens = self.tokens;
        let is_type = |row: &usize| {
            let row = self.table[*row];
            row.is_base || row.shape == Shape::Chain || tokens.language == Language::Go
        };
        let mut types = Vec::new();
        for at in (0..tokens.all.len()).filter(|at| self.last.contains_key(tokens.text(*at))) {
            // The type before the name or the brackets of a function in Kotlin.
            let is_receiver = tokens.language == Language::Kotlin
                && (tokens.text(at + 2) == "(" || tokens.text(at + 3) == "(");
            match tokens.text(at + 1) {
                "(" => continue,
                "." if !is_receiver => continue,
                _ => {}
            }
            let chain = tokens.callee(at + 1);
            // In Go, a function has the types of its parameters as names.
            let scope = if tokens.language == Language::Go { 0 } else { outline.scope_at(at) };
            let rows = self.rows_of_chain(outline, scope, &chain);
            let row = rows.into_iter().find(is_type).filter(|_| !chain.is_empty());
            types.extend(row.map(|row| (at + 2 - 2 * chain.len()..at + 1, row)));
        }
        types
    }

    /// Finds the objects whose methods take prompts.
    fn add_clients(&mut self, outline: &Outline<'s>) {
        let mut clients = Clients::default();
        for row in self.rows.iter().map(|row| self.table[*row]) {
            let Shape::Method(sources) = row.shape else { continue };
            for source in sources {
                let is_source = |chain: &[&str]| self.is_callee(outline, chain, row, source);
                clients.add(self.tokens, outline, source, is_source);
            }
        }
        self.clients = clients;
    }

    /// `true` if the call with this bracket is a method of an object of the framework.
    fn is_method(&self, outline: &Outline<'_>, open: usize, row: &Recogniser) -> bool {
        let Shape::Method(sources) = row.shape else { return false };
        let tokens = self.tokens;
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

    /// `true` if a bracket follows the name of a declaration.
    pub fn is_declaration(&self, open: usize) -> bool {
        let before = open.checked_sub(2).map_or("", |before| self.tokens.text(before));
        grammar(self.tokens.language).declares.contains(&before)
    }

    /// The rows of `super().__init__(` in a class that derives from them.
    fn rows_of_base(&self, outline: &Outline<'_>, open: usize, base: &[&str]) -> Vec<usize> {
        let Some(start) = open.checked_sub(base.len()) else { return Vec::new() };
        if (start..open).zip(base).any(|(token, text)| self.tokens.text(token) != *text) {
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

    /// The rows that a chain of names refers to.
    fn rows_of_chain(&self, outline: &Outline<'_>, scope: usize, chain: &[&str]) -> Vec<usize> {
        let mut rows = Vec::new();
        for meaning in meanings(self.tokens, outline, scope, chain) {
            let all = self.rows_of_import(outline, meaning.scope, &meaning.chain);
            let is_inherited = |row: &usize| {
                let row = self.table[*row];
                let mut constructors = meaning.constructors.iter();
                (!meaning.is_derived || row.is_base)
                    && constructors.all(|function| self.takes_the_same(outline, *function, row))
            };
            rows.extend(all.into_iter().filter(is_inherited));
        }
        rows.sort_unstable();
        rows.dedup();
        rows
    }

    /// `true` if the arguments of a constructor that are parameters of its base class are passed to
    /// that unchanged, as far as calls name them. Positions are those of the constructor.
    fn takes_the_same(&self, outline: &Outline<'_>, constructor: usize, row: &Recogniser) -> bool {
        let function = &outline.functions[constructor];
        let body = &outline.scopes[function.scope].tokens;
        let has_options = grammar(self.tokens.language).has_options;
        let is = |at: usize, text: &str| self.tokens.text(at) == text;
        row.parameters.iter().all(|parameter| {
            let keyword = parameter.keyword;
            let is_passed = |at: usize| is(at, keyword) && is(at + 1, "=") && is(at + 2, keyword);
            let is_declared = || function.parameters.clone().any(|at| is(at, keyword));
            parameter.position.is_none()
                && (has_options || !is_declared() || body.clone().any(is_passed))
        })
    }

    /// The rows that a chain of names refers to which stands for no other name of this host.
    fn rows_of_import(&self, outline: &Outline<'_>, scope: usize, chain: &[&str]) -> Vec<usize> {
        if chain.first().is_none_or(|head| self.declared.contains(head)) {
            return Vec::new();
        }
        if let Some(known) = self.known_of(outline, scope, chain) {
            return known.clone();
        }
        let paths = outline.paths(chain);
        let is_row = |row: &usize| {
            let row = self.table[*row];
            let is_method = matches!(row.shape, Shape::Method(_));
            !is_method && paths.iter().any(|path| row.is_in_package(path, row.callee))
        };
        self.rows.iter().copied().filter(is_row).collect()
    }

    /// The rows of an imported name according to its own host.
    fn known_of(&self, outline: &Outline<'_>, scope: usize, chain: &[&str]) -> Option<&Vec<usize>> {
        if self.known.is_empty() {
            return None;
        }
        imported(self.tokens.language, outline, scope, chain)
            .iter()
            .find_map(|imported| self.known.get(imported))
    }
}

/// The function of which a call with this bracket sets some arguments, in Python:
/// `functools.partial(f, a=1)`, or sets more: `partial(f, a=1)(b=2)`.
fn completed<'s>(tokens: &Tokens<'s>, open: usize) -> Option<Vec<&'s str>> {
    let callee = open.checked_sub(1)?;
    let open = if tokens.text(callee) == ")" { tokens.partner(callee)? } else { open };
    let is_partial =
        tokens.language == Language::Python && tokens.text(open.checked_sub(1)?) == "partial";
    let close = tokens.closer(open, "(").filter(|_| is_partial)?;
    chain_of(tokens, tokens.split(open + 1..close).into_iter().next()?)
}

/// The names of an expression that is only a chain of names: `a.b.c`.
fn chain_of<'s>(tokens: &Tokens<'s>, expression: Range<usize>) -> Option<Vec<&'s str>> {
    let is_short = expression.len() % 2 == 1 && expression.len() < 2 * MAX_CHAIN;
    let mut chain = Vec::new();
    for (index, token) in expression.filter(|_| is_short).enumerate() {
        let fits = if index % 2 == 0 { tokens.is_word(token) } else { tokens.text(token) == "." };
        if !fits {
            return None;
        }
        if index % 2 == 0 {
            chain.push(tokens.text(token));
        }
    }
    (!chain.is_empty()).then_some(chain)
}

/// `true` for the sign before a method.
fn is_dot(tokens: &Tokens<'_>, token: usize) -> bool {
    matches!(tokens.text(token), "." | "?.")
}
