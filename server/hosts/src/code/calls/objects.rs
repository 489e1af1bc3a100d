//! Variables that hold objects of frameworks: `agent = LlmAgent(…)`, `LlmAgent.Builder builder`,
//! `func f(config *llmagent.Config)`.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::arguments::{Call, CallKind};
use crate::code::callees::Callees;
use crate::code::grammars::grammar;
use crate::code::outline::{ANY, EACH, Outline, Value};
use crate::code::recogniser::Recogniser;
use crate::code::tokens::Tokens;
use crate::language::Language;

/// The maximum number of names of a variable: `self.agents.first`.
const MAX_NAMES: usize = 4;

/// Words for the object that a method belongs to.
const OWN: [&str; 2] = ["self", "this"];

/// Words before a type that are no names of variables in Go.
const NO_NAMES: [&str; 8] = ["return", "case", "type", "chan", "range", "go", "defer", "else"];

/// A scope, and the names of a variable in it without those of its own object: `agents.first` for
/// `self.agents.first`. Without a name, the own object of a class.
type Variable<'s> = (usize, Vec<&'s str>);

/// An object, as the call that creates it with its row; a declared one has no arguments.
type Object = (usize, Call);

/// The objects of a host that variables hold.
pub(super) struct Objects<'h, 's> {
    tokens: &'h Tokens<'s>,
    outline: &'h Outline<'s>,
    /// The objects of each variable, in source order.
    by_variable: HashMap<Variable<'s>, Vec<Object>>,
    /// The objects in fields of structs, by their names.
    fields: HashMap<&'s str, Object>,
    /// Those in lists and dictionaries, by the scopes and names of these.
    lists: HashMap<(usize, &'s str), Object>,
    last_names: HashSet<&'s str>,
}

impl<'h, 's> Objects<'h, 's> {
    /// The objects that calls create, and that variables, parameters and classes are.
    ///
    /// Cost: the tokens.
    pub fn new(
        tokens: &'h Tokens<'s>,
        outline: &'h Outline<'s>,
        callees: &Callees<'_, 's>,
        created: &[Object],
    ) -> Self {
        let (by_variable, fields, lists) = (HashMap::new(), HashMap::new(), HashMap::new());
        let mut objects =
            Objects { tokens, outline, by_variable, fields, lists, last_names: HashSet::new() };
        objects.add_own(callees, created);
        objects.add_declared(callees);
        let imported = callees.imported_objects(outline);
        let are_members = imported.iter().any(|(_, name, _)| name.is_some());
        let words: HashSet<&'s str> =
            (0..tokens.all.len()).filter(|_| are_members).map(|at| tokens.text(at)).collect();
        for (local, name, row) in imported {
            let names = match name.map(|name| words.get(name)) {
                None => vec![local],
                Some(Some(name)) => vec![local, *name],
                Some(None) => continue,
            };
            let call = Call::new(callees.row(row), 0..0, Vec::new(), CallKind::Factory);
            objects.add((0, names), (row, call));
        }
        for (row, call) in created {
            let name = created_as(tokens, outline, call);
            if let Some(variable) = name.and_then(|name| objects.variable(name)) {
                objects.add(variable, (*row, call.clone()));
            }
        }
        objects.add_items(created);
        for own in objects.by_variable.values_mut() {
            own.sort_by_key(|(_, call)| call.tokens.end);
        }
        let names = objects.by_variable.keys().map(|it| it.1.last().copied());
        let own = names.clone().any(|name| name.is_none());
        let names = names.flatten().chain(objects.fields.keys().copied());
        objects.last_names = names.chain(OWN.into_iter().filter(|_| own)).collect();
        objects
    }

    /// The object that the variable holds whose last name is at a token, or a list whose index ends
    /// there.
    pub fn at(&self, last: usize) -> Option<&Object> {
        let word = self.tokens.text(last);
        if word == "]" {
            let name = self.tokens.partner(last)?.checked_sub(1)?;
            let scope = self.outline.scope_at(name);
            let (scope, _) = self.outline.value(scope, self.tokens.text(name))?;
            return self.lists.get(&(scope, self.tokens.text(name)));
        }
        if !self.last_names.contains(word) {
            return None;
        }
        let variable = self.variable(last)?;
        let Some(objects) = self.by_variable.get(&variable) else {
            let is_member = last > 0 && self.tokens.text(last - 1) == ".";
            return self.fields.get(word).filter(|_| is_member);
        };
        let before = objects.partition_point(|(_, call)| call.tokens.end <= last);
        // Methods of a class may be written before its fields.
        let is_of_class = self.outline.class_name(variable.0).is_some();
        let index = before.checked_sub(1).or(is_of_class.then_some(0))?;
        objects.get(index)
    }

    fn add(&mut self, variable: Variable<'s>, object: Object) {
        self.by_variable.entry(variable).or_default().push(object);
    }

    /// Adds the own objects of classes that derive from those of a framework, with the arguments that
    /// their constructors pass on.
    fn add_own(&mut self, callees: &Callees<'_, 's>, created: &[Object]) {
        let base = grammar(self.tokens.language).base.last();
        let class_at = |token: usize| {
            let mut around = self.outline.outwards(self.outline.scope_at(token));
            around.find(|it| self.outline.class_name(*it).is_some())
        };
        let mut passed: HashMap<usize, &Call> = HashMap::new();
        for (_, call) in created {
            let is_base = base.is_some_and(|it| self.tokens.text(call.tokens.start) == *it);
            if let Some(class) = is_base.then(|| class_at(call.tokens.start)).flatten() {
                passed.entry(class).or_insert(call);
            }
        }
        let mut own = Vec::new();
        for (class, rows) in callees.classes() {
            let (Some(row), Some(name)) = (rows.first(), self.outline.class_name(class)) else {
                continue;
            };
            let arguments = passed.get(&class).map(|call| call.arguments.clone());
            let kind = CallKind::Fields(name.to_owned());
            let start = self.outline.scopes[class].tokens.start;
            let arguments = arguments.unwrap_or_default();
            let call = Call::new(callees.row(*row), start..start, arguments, kind);
            own.push(((class, Vec::new()), (*row, call)));
        }
        own.into_iter().for_each(|(variable, object)| self.add(variable, object));
    }

    /// Adds the variables, parameters and fields whose declared type is a class of a framework.
    fn add_declared(&mut self, callees: &Callees<'_, 's>) {
        let (tokens, outline) = (self.tokens, self.outline);
        let functions = outline.functions.iter().map(|it| (it.parameters.clone(), it.scope));
        let mut functions: Vec<_> = functions.collect();
        functions.sort_by_key(|(parameters, _)| parameters.start);
        for (written, row) in callees.types(outline) {
            let new = new_as(tokens, outline, written.start);
            for name in new.into_iter().chain(declared_as(tokens, written.clone())) {
                let behind = functions.partition_point(|(it, _)| it.start <= name);
                let function = behind.checked_sub(1).map(|last| &functions[last]);
                let function = function.filter(|(parameters, _)| parameters.contains(&name));
                let word = tokens.text(name);
                let scope = match function {
                    Some((_, scope)) => Some(*scope),
                    None => outline.value(outline.scope_at(name), word).map(|(scope, _)| scope),
                };
                let place = name.min(written.start)..name.max(written.end - 1) + 1;
                let call = Call::new(callees.row(row), place, Vec::new(), CallKind::Factory);
                match scope {
                    Some(scope) => self.add((scope, vec![word]), (row, call)),
                    None => _ = self.fields.entry(word).or_insert((row, call)),
                }
            }
        }
    }

    /// Adds the variables of loops over new objects, and the lists and dictionaries of such.
    fn add_items(&mut self, created: &[Object]) {
        let outline = self.outline;
        let ends: HashMap<usize, &Object> =
            created.iter().map(|object| (object.1.tokens.end, object)).collect();
        for ((scope, name), value) in &outline.names {
            let list = match value {
                Value::Expression(list) => list,
                Value::Part(part) if matches!(outline.parts[*part].path[..], [ANY | EACH]) => {
                    &outline.parts[*part].of
                }
                _ => continue,
            };
            let Some((row, recogniser)) = self.row_of_items(list, &ends) else { continue };
            let call = Call::new(recogniser, 0..0, Vec::new(), CallKind::Factory);
            match value {
                Value::Part(_) => self.add((*scope, vec![*name]), (row, call)),
                _ => _ = self.lists.insert((*scope, name), (row, call)),
            }
        }
    }

    /// The row of the objects in a list or dictionary, perhaps by its name.
    fn row_of_items(
        &self,
        list: &Range<usize>,
        ends: &HashMap<usize, &Object>,
    ) -> Option<(usize, &'static Recogniser)> {
        let tokens = self.tokens;
        let named = (list.len() == 1).then(|| {
            let scope = self.outline.scope_at(list.start);
            self.outline.object(scope, tokens.text(list.start))
        });
        let list = named.flatten().unwrap_or(list.clone());
        let close = list.end.checked_sub(1)?;
        let open = tokens.partner(close).filter(|open| *open < close)?;
        // In Go, a type is before the values.
        let is_list = matches!(tokens.text(open), "[" | "{" | "(")
            && (open == list.start || tokens.language == Language::Go);
        let items = tokens.split(open + 1..close).into_iter().filter(|_| is_list);
        items.into_iter().find_map(|item| {
            let (row, call) = ends.get(&item.end)?;
            Some((*row, call.recogniser))
        })
    }

    /// The variable whose last name is at a token, with the scope that has it.
    fn variable(&self, last: usize) -> Option<Variable<'s>> {
        let mut names = names(self.tokens, last);
        let scope = self.outline.scope_at(last);
        let scope = if OWN.contains(names.first()?) {
            names.remove(0);
            let mut around = self.outline.outwards(scope);
            around.find(|it| self.outline.class_name(*it).is_some())
        } else {
            self.outline.value(scope, names[0]).map(|(scope, _)| scope)
        };
        Some((scope?, names)).filter(|(_, names)| names.len() <= MAX_NAMES)
    }
}

/// The names that declarations give a type at some tokens: `name: T`, `T name`, `a, b T`.
fn declared_as(tokens: &Tokens<'_>, written: Range<usize>) -> Vec<usize> {
    let is_name = |at: &usize| tokens.is_word(*at);
    if tokens.text(written.end) == "." {
        return Vec::new();
    }
    match tokens.language {
        Language::Java => Some(written.end).filter(is_name).into_iter().collect(),
        // An embedded field has the name of its type.
        Language::Go if tokens.starts_line(written.start) && tokens.starts_line(written.end) => {
            vec![written.end - 1]
        }
        Language::Go => {
            let mut names = Vec::new();
            let mut at = written.start;
            if at > 0 && tokens.text(at - 1) == "*" {
                at -= 1;
            }
            while let Some(name) = at.checked_sub(1).filter(is_name) {
                if tokens.starts_line(at) || NO_NAMES.contains(&tokens.text(name)) {
                    return Vec::new();
                }
                names.push(name);
                match name.checked_sub(1).filter(|before| tokens.text(*before) == ",") {
                    Some(comma) if names.len() < MAX_NAMES => at = comma,
                    _ => break,
                }
            }
            names
        }
        _ => {
            let mut start = written.start;
            while start > 1 && matches!(tokens.text(start - 1), "[" | "Optional" | "." | "typing") {
                start -= 1;
            }
            let sign = start.checked_sub(1).filter(|at| tokens.text(*at) == ":");
            let name = sign.and_then(|sign| sign.checked_sub(1));
            // TypeScript marks optional ones.
            let is_marked = |at: &usize| matches!(tokens.text(*at), "?" | "!");
            let name =
                name.and_then(|at| if is_marked(&at) { at.checked_sub(1) } else { Some(at) });
            name.filter(is_name).into_iter().collect()
        }
    }
}

/// The variable whose value is a new object of a type at a token in Go: `c := new(T)`.
fn new_as(tokens: &Tokens<'_>, outline: &Outline<'_>, written: usize) -> Option<usize> {
    let word = written.checked_sub(2).filter(|_| tokens.language == Language::Go)?;
    let sign = word.checked_sub(1).map(|sign| tokens.text(sign));
    let is_new = tokens.text(word) == "new" && tokens.text(word + 1) == "(";
    let is_value = is_new && matches!(sign, Some("=" | ":="));
    outline.statement_at(word).filter(|_| is_value)?.target
}

/// The last name of the variable whose value is a call.
fn created_as(tokens: &Tokens<'_>, outline: &Outline<'_>, call: &Call) -> Option<usize> {
    let statement = outline.statement_at(call.tokens.start)?;
    let mut head = call.tokens.start;
    while head > statement.tokens.start + 1 {
        head -= match tokens.text(head - 1) {
            "." if tokens.is_word(head - 2) => 2,
            "new" | "await" | "&" => 1,
            _ => break,
        };
    }
    let sign = head.checked_sub(1).map(|sign| tokens.text(sign));
    statement.target.filter(|_| matches!(sign, Some("=" | ":=")))
}

/// The names with dots between them that end at a token.
fn names<'s>(tokens: &Tokens<'s>, last: usize) -> Vec<&'s str> {
    let mut names = vec![tokens.text(last)];
    let mut at = last;
    while at > 1 && tokens.text(at - 1) == "." && names.len() <= MAX_NAMES {
        at -= 2;
        names.push(tokens.text(at));
    }
    names.reverse();
    names
}
