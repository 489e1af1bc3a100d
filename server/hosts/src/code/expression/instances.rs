//! Members of objects: attributes that a constructor sets, properties and methods.

use std::ops::Range;

use super::{ExpressionContext, Expressions, Keys, MAX_FOLLOWED};
use crate::code::grammar::Members;
use crate::code::outline::attributes::attributes;
use crate::code::outline::objects::is_index;
use crate::code::outline::{Receiver, ScopeKind, Value};
use crate::code::static_value::StaticValue;

/// The maximum number of classes between a class and the one that declares its member.
const MAX_BASES: usize = 4;

/// Methods of classes that compute fields when an object is created.
const INITIALISERS: [&str; 2] = ["__new__", "__post_init__"];

/// Signs before an argument that stands for any number of them.
const SPREADS: [&str; 2] = ["*", "**"];

/// A class, or an object of one.
#[derive(Clone, Copy)]
pub(in crate::code) struct Holder {
    pub class: usize,
    pub is_object: bool,
}

impl<'s> Expressions<'_, 's> {
    /// The class that names refer to, in a scope; or that of the object that they refer to.
    fn holder(&self, scope: usize, head: &'s str, inner: &[&str]) -> Option<Holder> {
        let is_class =
            |it: &usize| matches!(self.outline.scopes[*it].kind, ScopeKind::Class { .. });
        if inner.is_empty() && self.grammar.own.contains(&head) {
            let class = self.outline.outwards(scope).find(is_class)?;
            return Some(Holder { class, is_object: true });
        }
        let class = self.outline.class(scope, &[head]);
        let classes = &self.outline.classes;
        let class = class.and_then(|class| {
            inner.iter().try_fold(class, |class, name| classes.get(&(class, *name)).copied())
        });
        if let Some(class) = class {
            return Some(Holder { class, is_object: false });
        }
        let Some((_, Value::Expression(value))) = self.outline.value(scope, head) else {
            return None;
        };
        let (class, _) = self.created(value.clone()).filter(|_| inner.is_empty())?;
        Some(Holder { class, is_object: true })
    }

    /// The class of the object that an expression creates, and the brackets with its arguments.
    fn created(&self, value: Range<usize>) -> Option<(usize, Range<usize>)> {
        let start = value.start + usize::from(self.tokens.text(value.start) == "new");
        let (chain, open) = self.chain(start..value.end);
        let close = self.tokens.closer(open, "(").filter(|close| close + 1 == value.end)?;
        let class = self.outline.class(self.outline.scope_at(value.start), &chain)?;
        Some((class, open..close + 1))
    }

    /// A method of a class or of one that it derives from, in this host.
    fn method(&self, class: usize, name: &str) -> Option<(usize, usize)> {
        let mut class = class;
        for _ in 0..MAX_BASES {
            if let Some(method) = self.outline.methods.get(&(class, name)) {
                let Value::Function(function) = method else { return None };
                return Some((class, *function));
            }
            let ScopeKind::Class { bases } = &self.outline.scopes[class].kind else { return None };
            let around = self.outline.scopes[class].parent.unwrap_or_default();
            let base = bases.first()?.last()?;
            class = *self.outline.classes.get(&(around, base.as_str()))?;
        }
        None
    }

    /// The result of a method with the arguments of the next call.
    fn result_of_method(
        &mut self,
        holder: Holder,
        name: &str,
        place: ExpressionContext,
    ) -> Option<StaticValue> {
        let (class, function) = self.method(holder.class, name)?;
        let needs_object = self.outline.functions[function].receiver == Receiver::Object;
        let may_call = place.followed < MAX_FOLLOWED && (holder.is_object || !needs_object);
        let value = Value::Function(function);
        may_call.then(|| self.value(name, class, value, true, place.followed + 1))?
    }

    /// The result of a method of names in this host with the arguments of the next call.
    pub(in crate::code) fn called_member(
        &mut self,
        head: &'s str,
        inner: &[&str],
        name: &str,
        place: ExpressionContext,
    ) -> Option<StaticValue> {
        let holder = self.holder(place.scope, head, inner)?;
        self.result_of_method(holder, name, place)
    }

    /// The same for a class of this host whose method another host calls.
    pub(in crate::code) fn method_demanded(
        &mut self,
        class: usize,
        name: &str,
        followed: u8,
    ) -> Option<StaticValue> {
        (self.unread, self.parts) = (None, Vec::new());
        let place = ExpressionContext::new(class, followed, usize::MAX);
        let known = self.result_of_method(Holder { class, is_object: true }, name, place);
        self.or_requested(known)
    }

    /// A member of the result of a call, and the position after it: `Prompts().intake`,
    /// `Loader().load("a.txt")`. The tokens are those of the call and of all that follows it.
    pub(super) fn member_of_call(
        &mut self,
        tokens: Range<usize>,
        close: usize,
        place: ExpressionContext,
    ) -> Option<(StaticValue, usize)> {
        let object = tokens.start..close + 1;
        let (mut members, mut at) = (Vec::new(), close + 1);
        while at + 1 < tokens.end {
            match self.tokens.text(at) {
                "." if self.tokens.is_word(at + 1) => {
                    let name = self.tokens.text(at + 1);
                    if self.is_method(name) && self.tokens.text(at + 2) == "(" {
                        break;
                    }
                    members.push(name);
                    at += 2;
                }
                "[" if self.is_key(at) => {
                    members.push(self.tokens.text(at + 1));
                    at += 3;
                }
                _ => break,
            }
        }
        let Some(end) = self.tokens.closer(at, "(").filter(|end| *end < tokens.end) else {
            let known = self.member_of_value(object.clone(), &members, place);
            let known = known.or_else(|| self.member_of_imported(object, &members, None, place));
            return Some((known?, at));
        };
        let [name] = members.as_slice() else { return None };
        let known = match self.created(object.clone()) {
            Some((class, _)) => {
                self.prepare_call(at + 1..end, place);
                self.result_of_method(Holder { class, is_object: true }, name, place)
            }
            None => self.member_of_imported(object, &[name], Some(at + 1..end), place),
        };
        self.forget_call();
        Some((known?, end + 1))
    }

    /// A member of an object whose class another host has: a method with these arguments, or an
    /// attribute of an object that is created without arguments.
    fn member_of_imported(
        &mut self,
        object: Range<usize>,
        members: &[&str],
        arguments: Option<Range<usize>>,
        place: ExpressionContext,
    ) -> Option<StaticValue> {
        let start = object.start + usize::from(self.tokens.text(object.start) == "new");
        let (chain, open) = self.chain(start..object.end);
        let followed = place.followed + 1;
        let imported = self.outline.value(place.scope, chain[0]);
        let Some((_, Value::Import(import))) = imported.filter(|_| followed <= MAX_FOLLOWED) else {
            return None;
        };
        let import = *import;
        let reference = match arguments {
            Some(arguments) => {
                self.prepare_call(arguments, place);
                self.of_import(import, &[&chain[1..], members].concat(), true, followed)?
            }
            None if open + 2 == object.end => {
                self.of_import(import, &chain[1..], true, followed)?.with_keys(members)
            }
            None => return None,
        };
        Some(StaticValue::Elsewhere(reference))
    }

    /// A member of an object of a class of this host that another host creates without arguments.
    pub(in crate::code) fn member_of_new(
        &mut self,
        class: usize,
        members: &[&str],
        place: ExpressionContext,
    ) -> Option<StaticValue> {
        let (member, rest) = members.split_first().filter(|(member, _)| !is_index(member))?;
        if let Some(known) = self.property(class, member, place).filter(|_| rest.is_empty()) {
            return Some(known);
        }
        match self.attribute(class, member) {
            Some(value) => Some(self.member_of_value(value, rest, place)?.with_name(member)),
            None => self.own_field(class, members, place),
        }
    }

    /// The value of a member of an object that an expression creates, whose class is in this host.
    pub(in crate::code) fn member_of_instance(
        &mut self,
        value: Range<usize>,
        members: &[&str],
        place: ExpressionContext,
    ) -> Option<StaticValue> {
        let (member, rest) = members.split_first().filter(|(member, _)| !is_index(member))?;
        let (class, brackets) = self.created(value.clone())?;
        let is_computed = |name: &&str| self.outline.names.contains_key(&(class, *name));
        if INITIALISERS.iter().any(is_computed) {
            return None;
        }
        if let Some(known) = self.property(class, member, place).filter(|_| rest.is_empty()) {
            return Some(known);
        }
        let scope = self.outline.scope_at(value.start);
        if let Some((_, function)) = self.constructor(class) {
            let Some(value) = self.attribute(class, member) else {
                return self.own_field(class, members, place);
            };
            let around = ExpressionContext { scope, ..place };
            self.prepare_call(brackets.start + 1..brackets.end - 1, around);
            let around = self.enter(function);
            let uses = self.bound_uses;
            let known = self.member_of_value(value, rest, place);
            self.leave(around);
            self.bound_uses = uses;
            return known.map(|known| known.with_name(member));
        }
        let fields = self.fields(class, brackets.start + 1..brackets.end - 1)?;
        match fields.get(member).cloned() {
            Some(value) => Some(self.member_of_value(value, rest, place)?.with_name(member)),
            None => self.own_field(class, members, place),
        }
    }

    /// The fields of an object by the arguments that create it; `None` if some of these are unknown.
    /// Cached, because a program may use each of many.
    fn fields(&mut self, class: usize, arguments: Range<usize>) -> Option<&Keys<'s>> {
        let (tokens, sign) = (self.tokens, self.grammar.keyword_sign);
        let start = arguments.start;
        if !self.objects.contains_key(&start) {
            let declared: Vec<&str> = self.declared_fields(class).collect();
            let mut fields = Keys::new();
            for (position, part) in tokens.split(arguments).into_iter().enumerate() {
                let text = tokens.text(part.start);
                match declared.get(position) {
                    _ if Some(tokens.text(part.start + 1)) == sign => {
                        fields.insert(text, part.start + 2..part.end);
                    }
                    Some(name) if !SPREADS.contains(&text) && sign.is_some() => {
                        fields.insert(name, part);
                    }
                    _ => _ = fields.insert("*", part),
                }
            }
            self.objects.insert(start, fields);
        }
        self.objects.get(&start).filter(|fields| !fields.contains_key("*"))
    }

    /// The value of a field of an object, from its class; a field that anything sets is unknown.
    fn own_field(
        &mut self,
        class: usize,
        members: &[&str],
        place: ExpressionContext,
    ) -> Option<StaticValue> {
        let member = members.first().filter(|it| !self.outline.assigned.contains(*it));
        let is_python = self.grammar.own.contains(&"cls");
        member.and_then(|_| self.field(class, members, !is_python, place))
    }

    /// The value of a property of a class.
    pub(in crate::code) fn property(
        &mut self,
        class: usize,
        name: &str,
        place: ExpressionContext,
    ) -> Option<StaticValue> {
        let (class, function) = self.method(class, name)?;
        let is_property = self.outline.functions[function].is_property;
        let value = Value::Function(function);
        let may_follow = is_property && place.followed < MAX_FOLLOWED;
        may_follow.then(|| self.value(name, class, value, true, place.followed + 1))?
    }

    /// The constructor of a class.
    fn constructor(&self, class: usize) -> Option<(usize, usize)> {
        self.method(class, self.grammar.constructor?)
    }

    /// The only value of an attribute that the constructor of a class sets.
    pub(in crate::code) fn attribute(&mut self, class: usize, name: &str) -> Option<Range<usize>> {
        let (class, _) = self.constructor(class)?;
        let (tokens, outline, grammar) = (self.tokens, self.outline, self.grammar);
        let read = || attributes(tokens, outline, grammar.own, grammar.constructor);
        let attributes = self.attributes.get_or_insert_with(read);
        let is_own = !attributes.foreign.contains(name);
        attributes.values.get(&(class, name)).filter(|_| is_own)?.clone()
    }

    /// The fields that a class declares with a type, in order: those of a dataclass.
    fn declared_fields(&self, class: usize) -> impl Iterator<Item = &'s str> + use<'_, 's> {
        let body = self.outline.scopes[class].tokens.clone();
        let statements = &self.outline.statements;
        let first = statements.partition_point(|it| it.tokens.start < body.start);
        let inside = statements[first..].iter().take_while(move |it| it.tokens.start < body.end);
        inside.filter_map(move |statement| {
            let start = statement.tokens.start;
            let is_field = self.tokens.is_word(start)
                && self.tokens.text(start + 1) == ":"
                && self.outline.scope_at(start) == class;
            is_field.then(|| self.tokens.text(start))
        })
    }

    /// `true` if the language has objects whose members are found here.
    pub(in crate::code) fn has_objects(&self) -> bool {
        self.grammar.members == Members::OfModules && self.grammar.constructor.is_some()
    }
}
