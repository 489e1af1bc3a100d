//! The values of names, and of calls of them.

use std::rc::Rc;

use super::{CALL_COST, ExpressionContext, Expressions, MAX_FOLLOWED, MAX_WORK};
use crate::code::outline::Value;
use crate::code::static_value::{Reference, StaticValue, Text};
use crate::host_prompt::{OtherFile, TextPath};

impl<'s> Expressions<'_, 's> {
    /// The value of a name, or of a member of one.
    pub(in crate::code) fn value_of_path(
        &mut self,
        path: &[&'s str],
        is_called: bool,
        place: ExpressionContext,
    ) -> Option<StaticValue> {
        match path {
            [name] => {
                let known = self.follow(name, is_called, place)?;
                self.copy(&known)
            }
            [holder @ .., name] => self.member(holder, name, is_called, place),
            [] => None,
        }
    }

    /// The value of a name, or of a call of it.
    pub(super) fn follow(
        &mut self,
        name: &'s str,
        is_called: bool,
        place: ExpressionContext,
    ) -> Option<Rc<StaticValue>> {
        if place.followed >= MAX_FOLLOWED {
            return None;
        }
        let followed = place.followed + 1;
        if let Some(file) = self.embedded.get(name).filter(|_| !is_called).cloned() {
            let path = TextPath { end: self.tokens.source[file.clone()].to_owned(), up: Some(0) };
            self.note_path(file, &OtherFile::Text(path.clone()));
            return Some(Rc::new(StaticValue::Elsewhere(Reference::text_file(path, followed))));
        }
        if !is_called
            && let Some(known) = self.parameter_value(name, ExpressionContext { followed, ..place })
        {
            return known.map(Rc::new);
        }
        let found = match is_called {
            true => self.outline.called(place.scope, name),
            false => self.outline.value(place.scope, name),
        };
        let Some((scope, value)) = found else {
            if let Some(known) = self.inherited(name, is_called, place) {
                return Some(Rc::new(known));
            }
            return self.undeclared(name, is_called, followed).map(Rc::new);
        };
        let value = value.clone();
        if let Value::Assigned(assignments) = value {
            let known = (!is_called).then(|| self.assigned(assignments, scope, place, followed));
            return known?.map(Rc::new);
        }
        if let Value::Part(part) = value {
            let place = ExpressionContext { followed, ..place };
            let known = (!is_called).then(|| self.part_of(part, &[], place))??;
            return self.copy(&known).map(Rc::new);
        }
        // What depends on the texts of a call is another value for each.
        let is_list = self.joining.is_some();
        if is_list || self.has_arguments() || self.is_awaited || self.is_in_called(scope) {
            if self.work > MAX_WORK {
                return None;
            }
            return self.value(name, scope, value, is_called, followed).map(Rc::new);
        }
        let key = (scope, name, is_called, followed);
        if let Some(known) = self.known.get(&key) {
            if let Err(Some(unread)) = known {
                self.unread.get_or_insert_with(|| unread.clone());
            }
            return known.clone().ok();
        }
        // A name that refers to itself finds this entry.
        self.known.insert(key, Err(None));
        let before = self.choices.count;
        let known = self.value(name, scope, value, is_called, followed).map(Rc::new);
        match self.choices.count == before {
            true => self.known.insert(key, known.clone().ok_or_else(|| self.unread.clone())),
            false => self.known.remove(&key),
        };
        known
    }

    /// The value of a declaration in a scope, or of a call of it.
    pub(super) fn value(
        &mut self,
        name: &str,
        scope: usize,
        value: Value,
        is_called: bool,
        followed: u8,
    ) -> Option<StaticValue> {
        match (value, is_called) {
            (Value::Expression(tokens), false) => {
                let place = ExpressionContext::new(scope, followed, tokens.start);
                let before = self.choices.count;
                let mut known = self.expression(tokens, place)?;
                // A name of several texts is that of none.
                let is_one = self.choices.count == before;
                if let StaticValue::Here(text) = &mut known
                    && is_one
                {
                    text.name.get_or_insert_with(|| name.to_owned());
                }
                Some(known)
            }
            // Another name of a function.
            (Value::Expression(tokens), true) if tokens.len() == 1 => {
                let place = ExpressionContext::new(scope, followed, tokens.start);
                let known = self.follow(self.tokens.text(tokens.start), true, place)?;
                self.copy(&known)
            }
            (Value::Function(index), true) => {
                let function = &self.outline.functions[index];
                // A cache changes no text, but a cached function is followed only to a text file.
                let is_awaited = std::mem::take(&mut self.is_awaited);
                let is_plain = function.is_plain && (is_awaited || !function.is_async);
                let is_cached = function.is_cached;
                if !is_plain && !is_cached {
                    return None;
                }
                let before = self.choices.count;
                let returned = match function.returns.as_slice() {
                    [returned] => returned.clone(),
                    [first, .., last] if is_plain && function.always_returns_a_value() => {
                        self.chosen(first.start..last.end, &function.returns)?
                    }
                    _ => return None,
                };
                let scope = self.outline.scope_at(returned.start);
                let place = ExpressionContext::new(scope, followed, returned.start);
                let around = self.enter(index);
                self.work += returned.len() * CALL_COST;
                let known = self.expression(returned, place);
                self.leave(around);
                let is_one = self.choices.count == before;
                let is_loaded = known.as_ref().is_some_and(StaticValue::is_text_file);
                match known.filter(|_| is_plain || is_loaded)? {
                    StaticValue::Here(text) if is_one => {
                        Some(StaticValue::Here(Text { name: Some(name.to_owned()), ..text }))
                    }
                    known => Some(known),
                }
            }
            (Value::Import(import), _) => {
                let import = &self.outline.imports[import];
                self.elsewhere(import.module.clone(), import.name?, is_called, followed)
            }
            _ => None,
        }
    }
}
