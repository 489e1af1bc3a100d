//! Members of constants: of objects and dictionaries, enums, and the fields of classes.

mod collections;
mod created;
mod inherited;
mod overridden;
mod unmarshal;

use std::collections::HashMap;
use std::ops::Range;

use super::expression::{
    ExpressionContext, Expressions, Keys, MAX_DEPTH, MAX_FOLLOWED, MAX_VARIANTS,
};
use super::grammar::Members;
use super::outline::objects::{is_index, is_number, parts_of_object, without_quotes};
use super::outline::{ANY, EACH, ScopeKind, Value};
use super::static_value::StaticValue;
use super::tokens::Tokens;
use crate::language::Language;

/// Base classes of enums in Python; a member of the first kind is a string itself.
const STRING_ENUMS: [&str; 2] = ["StrEnum", "str"];
const ENUMS: [&str; 2] = ["StrEnum", "Enum"];

impl<'s> Expressions<'_, 's> {
    /// The value of a member of a constant of this host; `members` are the names after it.
    pub(super) fn member_of(
        &mut self,
        scope: usize,
        name: &str,
        members: &[&str],
        place: ExpressionContext,
    ) -> Option<StaticValue> {
        if place.followed >= MAX_FOLLOWED || self.outline.changed.contains(name) {
            return None;
        }
        let place = ExpressionContext { followed: place.followed + 1, ..place };
        if let Some(read) = self.read_into(scope, name)
            && let Some(known) = self.unmarshalled(read, members, place)
        {
            return Some(known);
        }
        if let Some(class) = self.outline.classes.get(&(scope, name)).copied() {
            return match members.split_first() {
                Some((&EACH, rest)) => self.any_member_of_enum(class, rest, place),
                _ => self.field(class, members, false, place),
            };
        }
        if let Some(known) = self
            .in_argument(name, place, |it, value, place| it.member_of_value(value, members, place))
        {
            return known;
        }
        match self.outline.names.get(&(scope, name))?.clone() {
            Value::Expression(value) => self.member_of_value(value, members, place),
            Value::Part(part) => self.part_of(part, members, place),
            _ => None,
        }
    }

    /// The value of a member of a part of an expression.
    pub(super) fn part_of(
        &mut self,
        part: usize,
        members: &[&str],
        place: ExpressionContext,
    ) -> Option<StaticValue> {
        let part = &self.outline.parts[self.outline.part_at(part, place.at)?];
        let path = [&part.path, members].concat();
        self.member_of_value(part.of.clone(), &path, place)
    }

    /// The value of a field of the object that a method belongs to: `self.a`, `this.a`. A field that
    /// anything assigns is unknown.
    pub(super) fn own_member(
        &mut self,
        holder: &str,
        members: &[&str],
        place: ExpressionContext,
    ) -> Option<StaticValue> {
        let (member, rest) = members.split_first()?;
        if !self.grammar.own.contains(&holder) {
            return None;
        }
        let is_class =
            |it: &usize| matches!(self.outline.scopes[*it].kind, ScopeKind::Class { .. });
        let class = self.outline.outwards(place.scope).find(is_class)?;
        let place = ExpressionContext { followed: place.followed + 1, ..place };
        if place.followed > MAX_FOLLOWED {
            return None;
        }
        if rest.is_empty()
            && let Some(known) = self.property(class, member, place)
        {
            return Some(known);
        }
        if !self.outline.assigned.contains(member) {
            return self.field_or_override(class, members, place);
        }
        let value = self.attribute(class, member)?;
        Some(self.member_of_value(value, rest, place)?.with_name(member))
    }

    /// The value of a member of an expression.
    pub(super) fn member_of_value(
        &mut self,
        mut value: Range<usize>,
        members: &[&str],
        place: ExpressionContext,
    ) -> Option<StaticValue> {
        if place.depth > MAX_DEPTH {
            return None;
        }
        let Some((member, rest)) = members.split_first() else {
            let scope = self.outline.scope_at(value.start);
            let (depth, at) = (place.depth + 1, value.start);
            let place = ExpressionContext { scope, is_operand: false, depth, at, ..place };
            return self.expression(value, place);
        };
        let is_whole = |close: usize| close + 1 == value.end && value.len() > 2;
        if self.grammar.has_typed_lists
            && self.tokens.closer(value.start, "(").is_some_and(is_whole)
        {
            value = value.start + 1..value.end - 1;
        }
        // A name may have the text of any key.
        let is_name =
            member.starts_with('[') && self.member_of_object(value.clone(), member).is_none();
        if (is_name || matches!(*member, ANY | EACH))
            && let Some(values) = self.any_item(value.clone(), *member != EACH)
        {
            let chosen = self.one_of(value, &values)?;
            return self.member_of_value(chosen, rest, place);
        }
        if let Some(found) = self.member_of_object(value.clone(), member) {
            let known = self.member_of_value(found, rest, place)?;
            let name = without_quotes(member).trim_matches(['[', ']']);
            return Some(known.with_name(name.rsplit('.').next().unwrap_or(name)));
        }
        if let Some(item) = self.item_of_list(value.clone(), member) {
            return self.member_of_value(item, rest, place);
        }
        if let Some(item) = self.item_of(value.clone(), member) {
            let known = self.member_of_value(item, rest, place)?;
            return Some(match is_index(member) && !is_number(member) {
                true => known.with_name(without_quotes(member)),
                false => known,
            });
        }
        if let Some(known) = self.member_of_created(value.clone(), members, place) {
            return Some(known);
        }
        if let Some(known) = self.loaded_data(value.clone(), members, place) {
            return Some(known);
        }
        if let Some(known) = self.member_of_path(value.clone(), members, place) {
            return Some(known);
        }
        self.member_of_instance(value, members, place)
    }

    /// The value of a member of a name, or of a member of one: `PART = CONFIG["part"]`.
    fn member_of_path(
        &mut self,
        value: Range<usize>,
        members: &[&str],
        place: ExpressionContext,
    ) -> Option<StaticValue> {
        let (path, end) = self.chain(value.clone());
        if end != value.end {
            return None;
        }
        if self.grammar.members == Members::OfClasses {
            let path: Vec<&str> = path.iter().copied().chain(members.iter().copied()).collect();
            return self.object_path(&path, place);
        }
        let (head, inner) = path.split_first()?;
        let members = [inner, members].concat();
        let scope = self.outline.scope_at(value.start);
        match self.outline.value(scope, head)? {
            (_, Value::Import(import)) => {
                let reference = self.of_import(*import, &members, false, place.followed + 1)?;
                (place.followed < MAX_FOLLOWED).then_some(StaticValue::Elsewhere(reference))
            }
            (scope, _) => self.member_of(scope, head, &members, place),
        }
    }

    /// The values of a list, and those of an object if any of them is meant; `None` for others, if
    /// some of them are not written there, and if there are too many to choose from.
    fn any_item(&self, value: Range<usize>, is_any: bool) -> Option<Vec<Range<usize>>> {
        let tokens = self.tokens;
        let object = parts_of_object(tokens, value.clone()).filter(|_| is_any);
        let inside = match &object {
            Some((parts, _)) => parts.clone(),
            None => value.start + 1..tokens.partner(value.start)?,
        };
        let mut commas = tokens.at_depth(inside).filter(|at| tokens.text(*at) == ",");
        if commas.nth(MAX_VARIANTS).is_some() {
            return None;
        }
        let is_spread = |part: &Range<usize>| {
            matches!(tokens.text(part.start), "*" | "**" | "...")
                || tokens.at_depth(part.clone()).any(|at| tokens.text(at) == "for")
        };
        let items = match object {
            Some((parts, sign)) => {
                let value = |part: Range<usize>| {
                    let sign = tokens.at_depth(part.clone()).find(|at| tokens.text(*at) == sign);
                    sign.map_or(part.start, |sign| sign + 1)..part.end
                };
                let parts = tokens.split(parts);
                let is_known = !parts.iter().any(is_spread);
                is_known.then(|| parts.into_iter().map(value).collect())?
            }
            None => self.items_of_list(value)?,
        };
        (!items.iter().any(is_spread)).then_some(items)
    }

    /// The value that this evaluation takes of some values, of which there may be one.
    fn one_of(&mut self, choice: Range<usize>, values: &[Range<usize>]) -> Option<Range<usize>> {
        match values {
            [] => None,
            [only] => Some(only.clone()),
            values => self.chosen(choice, values),
        }
    }

    /// The value of any member of an enum, or of a member of it.
    fn any_member_of_enum(
        &mut self,
        class: usize,
        members: &[&str],
        place: ExpressionContext,
    ) -> Option<StaticValue> {
        if self.tokens.language != Language::Python || !self.derives(class, &ENUMS) {
            return None;
        }
        let rest = match members {
            ["value", rest @ ..] => rest,
            [] if self.derives(class, &STRING_ENUMS) => members,
            _ => return None,
        };
        let whole = self.outline.scopes[class].tokens.clone();
        let statements = &self.outline.statements;
        let first = statements.partition_point(|it| it.tokens.start < whole.start);
        let inside = statements[first..].iter().take_while(|it| it.tokens.start < whole.end);
        let names = inside.filter_map(|it| Some(self.tokens.text(it.target?)));
        let values = names.filter_map(|name| match self.outline.names.get(&(class, name))? {
            Value::Expression(value) => Some(value.clone()),
            _ => None,
        });
        let values: Vec<Range<usize>> = values.take(MAX_VARIANTS + 1).collect();
        let chosen = self.one_of(whole, &values)?;
        self.member_of_value(chosen, rest, place)
    }

    /// `true` if a class derives from one with such a name.
    fn derives(&self, class: usize, names: &[&str]) -> bool {
        let ScopeKind::Class { bases } = &self.outline.scopes[class].kind else { return false };
        let is_it = |base: &Vec<String>| base.last().is_some_and(|it| names.contains(&it.as_str()));
        bases.iter().any(is_it)
    }

    /// An item of a list in brackets: `["a", "b"]`, or a tuple in Python.
    fn item_of_list(&self, value: Range<usize>, number: &str) -> Option<Range<usize>> {
        let number: usize = Some(number).filter(|number| is_number(number))?.parse().ok()?;
        let items = self.items_of_list(value)?;
        let before = items.get(..=number)?;
        let is_spread = |item: &Range<usize>| matches!(self.tokens.text(item.start), "*" | "...");
        (!before.iter().any(is_spread)).then(|| items[number].clone())
    }

    /// The items of a list in brackets, or of a tuple in Python.
    fn items_of_list(&self, value: Range<usize>) -> Option<Vec<Range<usize>>> {
        let close = self.tokens.partner(value.start)?;
        let items = self.tokens.split(value.start + 1..close);
        let is_list = match self.tokens.text(value.start) {
            "[" => true,
            "(" => self.tokens.language == Language::Python && items.len() > 1,
            _ => false,
        };
        let is_whole =
            close + 1 == value.end || self.behind_cast(close + 1..value.end) == value.end;
        (is_list && is_whole).then_some(items)
    }

    /// The value of a key of an object, a dictionary or a composite value.
    fn member_of_object(&mut self, value: Range<usize>, key: &str) -> Option<Range<usize>> {
        if let Some(found) = self.member_of_map(value.clone(), key) {
            return Some(found);
        }
        let (parts, sign) = parts_of_object(self.tokens, value.clone())?;
        // In Python, keys of dictionaries and attributes of objects are different things.
        let has_keys = sign == ":" || self.tokens.text(value.start) == "dict";
        if self.tokens.language == Language::Python && has_keys != is_index(key) {
            return None;
        }
        self.keyed(parts, without_quotes(key), sign)
    }

    /// The value of a key of `new Map([["a", "…"]])` in a script.
    fn member_of_map(&self, value: Range<usize>, key: &str) -> Option<Range<usize>> {
        let tokens = self.tokens;
        let is_map = tokens.text(value.start) == "new" && tokens.text(value.start + 1) == "Map";
        let last = value.end.checked_sub(1).filter(|_| is_map && is_index(key))?;
        let open = tokens.partner(last)?;
        let close = tokens.closer(open + 1, "[").filter(|close| close + 1 == last)?;
        let pairs = tokens.split(open + 2..close).into_iter().rev();
        let mut values = pairs.filter_map(|pair| {
            let end = tokens.closer(pair.start, "[").filter(|end| end + 1 == pair.end)?;
            match tokens.split(pair.start + 1..end).as_slice() {
                [name, value] if name.len() == 1 => Some((tokens.text(name.start), value.clone())),
                _ => None,
            }
        });
        let is_key = |name: &str| without_quotes(name) == without_quotes(key);
        values.find(|(name, _)| is_key(name)).map(|(_, value)| value)
    }

    /// The value of a key among parts. Cached, because a program may use each of many.
    fn keyed(&mut self, parts: Range<usize>, key: &str, sign: &str) -> Option<Range<usize>> {
        let tokens = self.tokens;
        let keys = self.objects.entry(parts.start).or_insert_with(|| keys(tokens, parts, sign));
        let key = key.strip_prefix('[').and_then(|key| key.strip_suffix(']')).unwrap_or(key);
        keys.get(key).cloned()
    }

    /// The value of a field of a class, or of a member of an enum.
    pub(super) fn field(
        &mut self,
        class: usize,
        members: &[&str],
        is_own: bool,
        place: ExpressionContext,
    ) -> Option<StaticValue> {
        let (member, rest) = members.split_first().filter(|(member, _)| !is_index(member))?;
        let is_python = self.tokens.language == Language::Python;
        let is_enum = is_python && self.derives(class, &ENUMS);
        let rest = match rest {
            ["value"] if is_enum => &[],
            [] if is_enum && !self.derives(class, &STRING_ENUMS) => return None,
            rest => rest,
        };
        if let Some(inner) = self.outline.classes.get(&(class, *member)).copied() {
            return self.field(inner, rest, false, place);
        }
        let Value::Expression(value) = self.outline.names.get(&(class, *member))?.clone() else {
            return None;
        };
        let is_script = !is_python && self.grammar.members == Members::OfModules;
        if is_script && is_own == self.outline.statics.contains(&(class, *member)) {
            return None;
        }
        let value = self.outline.default_of(self.tokens, value)?;
        self.member_of_value(value, rest, place).map(|known| known.with_name(member))
    }
}

/// The values of the keys among parts; without those that something later may have, too.
fn keys<'s>(tokens: &Tokens<'s>, parts: Range<usize>, sign: &str) -> Keys<'s> {
    use Language::{JavaScript, Tsx, TypeScript};
    let is_script = matches!(tokens.language, TypeScript | Tsx | JavaScript);
    let mut keys = HashMap::new();
    for part in tokens.split(parts) {
        let written = tokens.text(part.start);
        let key = without_quotes(written);
        if tokens.text(part.start + 1) == sign {
            keys.insert(key, part.start + 2..part.end);
        } else if part.len() == 1 && tokens.is_word(part.start) && is_script {
            // A name alone is both key and value.
            keys.insert(key, part);
        } else if let Some((name, value)) = named_key(tokens, part.clone(), sign) {
            // It may be any text.
            keys.retain(|key, _| key.contains('.'));
            keys.insert(name, value);
        } else if matches!(written, "..." | "**" | "[") {
            // A spread, or a computed key.
            keys.clear();
        } else {
            keys.remove(key);
        }
    }
    keys
}

/// A key that is a member of a name, and its value: `Kind.A: "…"`, in scripts `[Kind.A]: "…"`.
fn named_key<'s>(
    tokens: &Tokens<'s>,
    part: Range<usize>,
    sign: &str,
) -> Option<(&'s str, Range<usize>)> {
    let (key, after) = match tokens.closer(part.start, "[") {
        Some(close) => (part.start + 1..close, close + 1),
        None => {
            let sign = part.clone().find(|at| tokens.text(*at) == sign)?;
            (part.start..sign, sign)
        }
    };
    let is_name = |(index, at): (usize, usize)| match index % 2 {
        0 => tokens.is_word(at),
        _ => tokens.text(at) == ".",
    };
    let is_member = key.len() > 1 && key.len() % 2 == 1;
    let is_key = is_member && key.clone().enumerate().all(is_name) && tokens.text(after) == sign;
    is_key.then(|| (&tokens.source[tokens.range(key)], after + 1..part.end))
}
