//! The values of qualified names.

use std::ops::Range;

use super::beside::{modules_beside, modules_of_class};
use super::expression::{ExpressionContext, Expressions, MAX_FOLLOWED};
use super::grammar::Members;
use super::operation::Operation;
use super::outline::objects::{is_index, is_number, without_quotes};
use super::outline::{Value, is_certain_class, is_class_name};
use super::static_value::{Reference, StaticValue, either};
use crate::host_prompt::{DEFAULT_EXPORT, OtherFile, TextDemand, TextPath};
use crate::language::Language;

impl<'s> Expressions<'_, 's> {
    /// The names with dots between them from a token on, and the keys in brackets between them with
    /// their quotes; and the position after them. A text method ends them.
    pub(super) fn chain(&self, tokens: Range<usize>) -> (Vec<&'s str>, usize) {
        let mut chain = vec![self.tokens.text(tokens.start)];
        let mut at = tokens.start + 1;
        while at < tokens.end {
            if self.tokens.text(at) == "!!" && self.tokens.language == Language::Kotlin {
                at += 1;
                continue;
            }
            if at + 1 >= tokens.end {
                break;
            }
            // After a key, or before one, `get` is a method of a dictionary in Python.
            if let Some((key, after)) = self.got_key(at)
                && match self.has_objects() {
                    true => {
                        chain.last().is_some_and(|last| is_index(last))
                            || self.tokens.text(after) == "["
                            || self.got_key(after).is_some()
                    }
                    false => chain.last().is_some_and(|last| !is_certain_class(last)),
                }
            {
                chain.push(key);
                at = after;
                continue;
            }
            let next = self.tokens.text(at + 1);
            match self.tokens.text(at) {
                "." if self.tokens.is_word(at + 1) => {
                    if self.is_method(next) && self.tokens.text(at + 2) == "(" {
                        break;
                    }
                    chain.push(next);
                    at += 2;
                }
                "[" if self.is_key(at) => {
                    chain.push(next);
                    at += 3;
                }
                _ => break,
            }
        }
        (chain, at)
    }

    /// `true` if a literal key or the number of an item is in brackets at a position.
    pub(super) fn is_key(&self, at: usize) -> bool {
        let key = self.tokens.text(at + 1);
        let is_key = match self.tokens.is_literal(at + 1) {
            true => !key.contains('\\'),
            false => is_number(key),
        };
        is_key && self.tokens.text(at) == "[" && self.tokens.text(at + 2) == "]"
    }

    /// The key of `.get("key")` at a position, with its quotes, and the position after it.
    pub(super) fn got_key(&self, at: usize) -> Option<(&'s str, usize)> {
        let getters = self.grammar.collections.getters;
        let is_get = self.tokens.text(at) == "." && getters.contains(&self.tokens.text(at + 1));
        let close = self.tokens.closer(at + 2, "(").filter(|_| is_get)?;
        let key = self.tokens.text(at + 3);
        let is_python = self.has_objects();
        let is_alone = match self.tokens.text(at + 4) {
            ")" => true,
            "," => is_python,
            _ => false,
        };
        let is_text = self.tokens.is_literal(at + 3) || !is_python;
        let is_key = is_text && is_index(key) && !key.contains('\\');
        (is_key && is_alone).then_some((key, close + 1))
    }

    /// The members after the end of an object, with brackets after those that are called, and the
    /// position after them. A text method ends them.
    pub(super) fn members_after(&self, tokens: Range<usize>) -> (Vec<&'s str>, usize) {
        let (mut members, mut at) = (Vec::new(), tokens.start);
        let has_only_keys = self.grammar.collections.lists.is_empty();
        while at < tokens.end {
            let next = self.tokens.text(at + 1);
            if self.is_key(at) {
                members.push(next);
                at += 3;
            } else if has_only_keys {
                break;
            } else if let Some((key, after)) = self.got_key(at) {
                members.push(key);
                at = after;
            } else if self.tokens.text(at) == "!!" {
                at += 1;
            } else if self.tokens.text(at) == "." && self.tokens.is_word(at + 1) {
                let close = self.tokens.closer(at + 2, "(");
                if close.is_some_and(|close| close > at + 3 || self.is_method(next)) {
                    break;
                }
                let end = close.map_or(at + 2, |close| close + 1);
                members.push(&self.tokens.source[self.tokens.range(at + 1..end)]);
                at = end;
            } else {
                break;
            }
        }
        (members, at.min(tokens.end))
    }

    /// The value of a member, or of a call of it.
    pub(super) fn member(
        &mut self,
        holder: &[&'s str],
        name: &'s str,
        is_called: bool,
        place: ExpressionContext,
    ) -> Option<StaticValue> {
        match self.grammar.members {
            Members::OfModules => {
                let (head, inner) = holder.split_first()?;
                self.of_module(head, inner, name, is_called, place)
            }
            Members::OfClasses => self.of_class(holder, name, is_called, place),
        }
    }

    /// The value of a class member.
    fn of_class(
        &mut self,
        class: &[&'s str],
        name: &'s str,
        is_called: bool,
        place: ExpressionContext,
    ) -> Option<StaticValue> {
        let (head, inner) = class.split_first()?;
        if let Some(scope) = self.outline.class(place.scope, class) {
            let place = ExpressionContext { scope, depth: 0, is_operand: false, ..place };
            return match self.outline.declares(scope, name, is_called) {
                true => self.value_of_path(&[name], is_called, place),
                false => self.of_bases(scope, name, is_called, place),
            };
        }
        let modules = match self.outline.value(place.scope, head) {
            Some((_, Value::Import(import))) => {
                let path = self.outline.imports[*import].path();
                vec![inner.iter().fold(path, |path, name| format!("{path}.{name}"))]
            }
            Some(_) => return None,
            // In Kotlin, a constant may have its package before it.
            None if self.tokens.language == Language::Kotlin
                && class.len() > 1
                && is_class_name(name)
                && !class.iter().any(|name| is_class_name(name)) =>
            {
                vec![class.join(".")]
            }
            None => modules_of_class(self.outline, class),
        };
        let known = modules
            .into_iter()
            .map(|module| self.elsewhere(module, name, is_called, place.followed + 1));
        known.fold(None, either)
    }

    /// The value of a path that ends in members of a constant, with brackets after those that are
    /// called; `None` for a path that is only a class and a name of it.
    pub(super) fn object_path(
        &mut self,
        path: &[&str],
        place: ExpressionContext,
    ) -> Option<StaticValue> {
        let (head, rest) = path.split_first().filter(|_| place.followed < MAX_FOLLOWED)?;
        if self.grammar.members == Members::OfModules {
            let is_call = self.grammar.beside.is_some() && rest.last()?.ends_with(')');
            let (scope, value) = self.outline.value(place.scope, head).filter(|_| is_call)?;
            return match value {
                Value::Import(import) if rest.len() > 1 => self
                    .of_import(*import, rest, false, place.followed + 1)
                    .map(StaticValue::Elsewhere),
                Value::Import(_) => None,
                _ => self.member_of(scope, head, rest, place),
            };
        }
        let mut classes = 0;
        let mut class = None;
        while classes + 1 < path.len()
            && let Some(inner) = self.outline.class(place.scope, &path[..=classes])
        {
            (class, classes) = (Some(inner), classes + 1);
        }
        let (constant, members) = path[classes..].split_first()?;
        if members.is_empty() || constant.ends_with(')') {
            return None;
        }
        // Names of classes end in a constant.
        let is_of_classes = is_class_name(members[members.len() - 1]);
        let found = match class {
            Some(class) => self.outline.names.get(&(class, *constant)).map(|it| (class, it)),
            None => self.outline.value(place.scope, constant),
        };
        match found {
            Some((scope, Value::Expression(_))) => self.member_of(scope, constant, members, place),
            _ if is_of_classes => None,
            Some((_, Value::Import(import))) if class.is_none() => {
                let import = &self.outline.imports[*import];
                // The names of a package are classes, except for those of files in Kotlin.
                let is_class = import.name.is_some_and(is_certain_class)
                    || self.tokens.language == Language::Java
                        && !import.module.rsplit('.').next().is_some_and(is_class_name);
                match is_class {
                    true => self.object_elsewhere(vec![import.path()], members, place),
                    false => {
                        let name = import.name?;
                        let path = [&[name], members].concat();
                        self.object_elsewhere(vec![import.module.clone()], &path, place)
                    }
                }
            }
            None if class.is_none() => {
                let (modules, path) = match is_certain_class(constant) {
                    true => (modules_of_class(self.outline, &[*constant]), members),
                    false if self.tokens.language == Language::Java => {
                        let class = is_class_name(constant);
                        let modules = class.then(|| modules_of_class(self.outline, &[*constant]));
                        let classes = || self.outline.classes_imported().map(str::to_owned);
                        (modules.unwrap_or_else(|| classes().collect()), members)
                    }
                    false => (modules_beside(self.tokens.language, self.outline), path),
                };
                self.object_elsewhere(modules, path, place)
            }
            _ => None,
        }
    }

    /// The value of members of a name of a class or module of another host.
    fn object_elsewhere(
        &self,
        modules: Vec<String>,
        path: &[&str],
        place: ExpressionContext,
    ) -> Option<StaticValue> {
        let is_class = |name: &&&str| is_certain_class(name);
        let inner = path.iter().take_while(is_class).count().min(path.len().saturating_sub(1));
        let (name, members) = path[inner..].split_first().filter(|(_, rest)| !rest.is_empty())?;
        let known = modules.into_iter().map(|module| {
            let module = [&[module.as_str()], &path[..inner]].concat().join(".");
            let known = self.elsewhere(module, name, false, place.followed + 1)?;
            let StaticValue::Elsewhere(reference) = known else { return None };
            Some(StaticValue::Elsewhere(reference.with_keys(members)))
        });
        known.fold(None, either)
    }

    /// The value of a name of an imported module, or of a member of a constant.
    pub(super) fn of_module(
        &mut self,
        head: &'s str,
        inner: &[&str],
        name: &str,
        is_called: bool,
        place: ExpressionContext,
    ) -> Option<StaticValue> {
        let members = [inner, &[name]].concat();
        let known = match is_called {
            true => self.called_member(head, inner, name, place),
            false => self.own_member(head, &members, place),
        };
        if known.is_some() {
            return known;
        }
        let (scope, value) = self.outline.value(place.scope, head)?;
        match value {
            Value::Import(import) => {
                let followed = place.followed + 1;
                let reference = self.of_import(*import, &members, is_called, followed)?;
                (followed <= MAX_FOLLOWED).then_some(StaticValue::Elsewhere(reference))
            }
            _ if is_called => None,
            _ => self.member_of(scope, head, &members, place),
        }
    }

    /// The value of a constant of this host, or of a member of it; the items of a list are joined.
    pub(super) fn demanded(
        &mut self,
        scope: usize,
        name: &'s str,
        demand: &TextDemand,
    ) -> Option<StaticValue> {
        match demand.operations.first() {
            Some(Operation::Join { separator }) => {
                self.list_demanded(scope, name, demand, separator.clone())
            }
            _ => self.value_demanded(scope, name, demand),
        }
    }

    /// The value of a constant of this host, or of a member of it.
    pub(super) fn value_demanded(
        &mut self,
        scope: usize,
        name: &'s str,
        demand: &TextDemand,
    ) -> Option<StaticValue> {
        let (is_called, followed) = (demand.is_called, demand.followed);
        match is_called {
            true => self.prepare_arguments(&demand.arguments),
            false => self.forget_call(),
        }
        // The other host awaits the result, if there is anything to await.
        self.is_awaited = is_called;
        let is_of_module = self.grammar.members == Members::OfModules;
        if is_called && is_of_module && self.outline.class_name(scope).is_some() {
            return self.method_demanded(scope, name, followed);
        }
        if demand.members.is_empty() {
            return self.named(scope, name, is_called, followed);
        }
        let members: Vec<&str> = demand.members.iter().map(String::as_str).collect();
        let place = ExpressionContext::new(scope, followed, usize::MAX);
        if is_called && let Some(class) = self.outline.classes.get(&(scope, name)) {
            return self.member_of_new(*class, &members, place);
        }
        if is_called {
            return match self.outline.called(scope, name)?.1.clone() {
                Value::Function(function) => self.data_of_function(function, &members, place),
                Value::Import(import) => {
                    let reference = self.of_import(import, &[], true, followed + 1)?;
                    let reference = reference.with_keys(&members);
                    (followed < MAX_FOLLOWED).then_some(StaticValue::Elsewhere(reference))
                }
                _ => None,
            };
        }
        match self.outline.names.get(&(scope, name))? {
            Value::Import(import) => {
                let reference = self.of_import(*import, &members, false, followed + 1)?;
                (followed < MAX_FOLLOWED).then_some(StaticValue::Elsewhere(reference))
            }
            _ => self.member_of(scope, name, &members, place),
        }
    }

    /// The names after an import, as a name of a module, or of the longest module that exists, and
    /// members of its value.
    pub(super) fn of_import(
        &self,
        import: usize,
        members: &[&str],
        is_called: bool,
        followed: u8,
    ) -> Option<Reference> {
        let import = &self.outline.imports[import];
        if let Some(file) = data_module(&import.module) {
            let own = import.name.filter(|name| *name != DEFAULT_EXPORT);
            let keys: Vec<&str> = own.into_iter().chain(members.iter().copied()).collect();
            let keys: Vec<&str> = keys.into_iter().map(without_quotes).collect();
            return (!is_called).then(|| Reference::in_data(file, &keys, followed));
        }
        if let Some(path) = text_module(&import.module) {
            let is_text = import.name == Some(DEFAULT_EXPORT) && members.is_empty() && !is_called;
            return is_text.then(|| Reference::text_file(path, followed));
        }
        let reference = |module: String, name: &str, members: &[&str]| {
            let members = members.iter().map(|name| (*name).to_owned()).collect();
            let arguments = self.next_arguments();
            Reference { members, arguments, ..Reference::new(module, name, is_called, followed) }
        };
        if let Some(written) = import.written {
            let (name, rest) = members.split_first()?;
            let is_known = !is_called || rest.is_empty();
            return is_known.then(|| reference(written.to_owned(), name, rest));
        }
        let direct = import.name.map(|name| reference(import.module.clone(), name, members));
        let of_method = |module: String, class: &str, name: &str| {
            is_class_name(class).then(|| reference(module, name, &[]).of_class(class))
        };
        let mut found = match (members, import.name) {
            ([name], Some(class)) if is_called => of_method(import.module.clone(), class, name),
            _ => direct.filter(|_| !is_called || members.is_empty()),
        };
        let mut module = import.path();
        for (index, name) in members.iter().enumerate() {
            if is_index(name) {
                break;
            }
            let rest = &members[index + 1..];
            if !is_called || rest.is_empty() {
                let class = index.checked_sub(1).filter(|_| is_called).map(|last| members[last]);
                let outer = class.and_then(|class| module.strip_suffix(class)?.strip_suffix('.'));
                let method = outer.zip(class);
                let method = method.and_then(|(outer, it)| of_method(outer.to_owned(), it, name));
                found = either_reference(method, found);
                let longer = reference(module.clone(), name, rest);
                found = either_reference(Some(longer), found);
            }
            module = format!("{module}.{name}");
        }
        found
    }

    /// The value of a name that this host does not declare.
    pub(super) fn undeclared(
        &self,
        name: &str,
        is_called: bool,
        followed: u8,
    ) -> Option<StaticValue> {
        let mut found = None;
        for module in modules_beside(self.tokens.language, self.outline) {
            // Of two modules, the later import counts.
            let known = self.elsewhere(module, name, is_called, followed)?;
            let StaticValue::Elsewhere(mut reference) = known else { return None };
            reference.otherwise = found.map(Box::new);
            found = Some(reference);
        }
        found.map(StaticValue::Elsewhere)
    }

    /// The value of a name of another host.
    pub(super) fn elsewhere(
        &self,
        module: String,
        name: &str,
        is_called: bool,
        followed: u8,
    ) -> Option<StaticValue> {
        if let Some(file) = data_module(&module) {
            let reference = || Reference::in_data(file, &[name], followed);
            return (name != DEFAULT_EXPORT && !is_called)
                .then(|| StaticValue::Elsewhere(reference()));
        }
        if let Some(path) = text_module(&module) {
            let reference = || StaticValue::Elsewhere(Reference::text_file(path, followed));
            return (name == "default" && !is_called).then(reference);
        }
        // The names of a companion belong to its class.
        let module = module.strip_suffix(".Companion").map_or(module.clone(), str::to_owned);
        let last = module.rsplit('.').next().unwrap_or_default();
        let has_class = self.grammar.members == Members::OfClasses && is_class_name(last);
        let class = has_class.then(|| last.to_owned());
        let arguments = self.next_arguments();
        let reference =
            Reference { class, arguments, ..Reference::new(module, name, is_called, followed) };
        (followed <= MAX_FOLLOWED).then_some(StaticValue::Elsewhere(reference))
    }
}

/// The text file that an import names: `./plan.txt`, `./plan.html?raw`.
fn text_module(module: &str) -> Option<TextPath> {
    let raw = module.strip_suffix("?raw");
    let is_text = [".txt", ".md"].iter().any(|end| module.ends_with(end));
    let end = raw.or(is_text.then_some(module)).filter(|end| end.starts_with('.'))?;
    Some(TextPath { end: end.to_owned(), up: Some(0) })
}

/// The first reference, or else the second one.
fn either_reference(first: Option<Reference>, second: Option<Reference>) -> Option<Reference> {
    match (first, second) {
        (Some(first), Some(second)) => Some(first.or(second)),
        (first, second) => first.or(second),
    }
}

/// The file that an import of JSON names: `./config.json`.
fn data_module(module: &str) -> Option<OtherFile> {
    let is_file = module.starts_with('.') && module.ends_with(".json");
    is_file.then(|| OtherFile::Text(TextPath { end: module.to_owned(), up: Some(0) }))
}
