//! Members of constants: of objects and dictionaries, enums, and the fields of classes.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::expression::{ExpressionContext, Expressions, Keys, MAX_DEPTH, MAX_FOLLOWED};
use super::grammar::Members;
use super::outline::{Outline, ScopeKind, Value};
use super::static_value::StaticValue;
use super::tokens::Tokens;
use crate::language::Language;

/// Functions that return the object that they are passed, or one of their keyword arguments.
const HOLDERS: [&str; 5] =
    ["Object.freeze", "MappingProxyType", "types.MappingProxyType", "dict", "SimpleNamespace"];

/// Base classes of enums in Python; a member of the first kind is a string itself.
const STRING_ENUMS: [&str; 2] = ["StrEnum", "str"];
const ENUMS: [&str; 2] = ["StrEnum", "Enum"];

/// Methods of classes that compute fields when an object is created.
const INITIALISERS: [&str; 3] = ["__init__", "__new__", "__post_init__"];

/// The maximum number of tokens of the type before the braces of a composite value.
const MAX_TYPE: usize = 32;

/// The notation of a key: in brackets, as a quoted text or a number, or after a dot.
pub(super) fn is_index(key: &str) -> bool {
    key.starts_with(['"', '\'']) || is_number(key)
}

/// `true` for the number of an item.
pub(super) fn is_number(key: &str) -> bool {
    !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_digit())
}

pub(super) fn without_quotes(key: &str) -> &str {
    key.trim_matches(['"', '\'', '`'])
}

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
        if let Some(known) = self.unmarshalled(scope, name, members, place) {
            return Some(known);
        }
        if let Some(class) = self.outline.classes.get(&(scope, name)).copied() {
            return self.field(class, members, false, place);
        }
        let Value::Expression(value) = self.outline.names.get(&(scope, name))?.clone() else {
            return None;
        };
        self.member_of_value(value, members, place)
    }

    /// The value of a field of the object that a method belongs to: `self.a`, `this.a`. A field that
    /// anything assigns is unknown.
    pub(super) fn own_member(
        &mut self,
        holder: &str,
        members: &[&str],
        place: ExpressionContext,
    ) -> Option<StaticValue> {
        let is_own = match self.tokens.language {
            Language::Python => matches!(holder, "self" | "cls"),
            _ => holder == "this",
        };
        let is_assigned = |member: &&str| self.outline.assigned.contains(*member);
        members.first().filter(|member| is_own && !is_assigned(member))?;
        let is_class =
            |it: &usize| matches!(self.outline.scopes[*it].kind, ScopeKind::Class { .. });
        let class = self.outline.outwards(place.scope).find(is_class)?;
        let followed = place.followed + 1;
        let place = ExpressionContext { followed, ..place };
        (followed <= MAX_FOLLOWED).then(|| self.field(class, members, true, place))?
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
        if let Some(found) = self.member_of_object(value.clone(), member) {
            let known = self.member_of_value(found, rest, place)?;
            return Some(named(known, without_quotes(member)));
        }
        if let Some(item) = self.item_of_list(value.clone(), member) {
            return self.member_of_value(item, rest, place);
        }
        if let Some(item) = self.item_of(value.clone(), member) {
            let known = self.member_of_value(item, rest, place)?;
            return Some(match is_index(member) && !is_number(member) {
                true => named(known, without_quotes(member)),
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

    /// An item of a list in brackets: `["a", "b"]`, or a tuple in Python.
    fn item_of_list(&self, value: Range<usize>, number: &str) -> Option<Range<usize>> {
        let number: usize = Some(number).filter(|number| is_number(number))?.parse().ok()?;
        let close = self.tokens.partner(value.start)?;
        let items = self.tokens.split(value.start + 1..close);
        let is_list = match self.tokens.text(value.start) {
            "[" => true,
            "(" => self.tokens.language == Language::Python && items.len() > 1,
            _ => false,
        };
        let is_whole =
            close + 1 == value.end || self.behind_cast(close + 1..value.end) == value.end;
        let before = items.get(..=number).filter(|_| is_list && is_whole)?;
        let is_spread = |item: &Range<usize>| matches!(self.tokens.text(item.start), "*" | "...");
        (!before.iter().any(is_spread)).then(|| items[number].clone())
    }

    /// The value of a key of an object, a dictionary or a composite value.
    fn member_of_object(&mut self, value: Range<usize>, key: &str) -> Option<Range<usize>> {
        let (parts, sign) = parts_of_object(self.tokens, value.clone())?;
        // In Python, keys of dictionaries and attributes of objects are different things.
        let has_keys = sign == ":" || self.tokens.text(value.start) == "dict";
        if self.tokens.language == Language::Python && has_keys != is_index(key) {
            return None;
        }
        self.keyed(parts, without_quotes(key), sign)
    }

    /// The value of a key among parts. Cached, because a program may use each of many.
    fn keyed(&mut self, parts: Range<usize>, key: &str, sign: &str) -> Option<Range<usize>> {
        let tokens = self.tokens;
        let keys = self.objects.entry(parts.start).or_insert_with(|| keys(tokens, parts, sign));
        keys.get(key).cloned()
    }

    /// The value of a field of `C(a="…")`, whose class is in this host.
    fn member_of_instance(
        &mut self,
        value: Range<usize>,
        members: &[&str],
        place: ExpressionContext,
    ) -> Option<StaticValue> {
        let [member] = members else { return None };
        let open = value.start + 1;
        let is_call = self.tokens.closer(open, "(").is_some_and(|close| close + 1 == value.end);
        let class = self.outline.class(0, &[self.tokens.text(value.start)]).filter(|_| is_call)?;
        let is_computed = |name: &&str| self.outline.names.contains_key(&(class, *name));
        if is_index(member) || INITIALISERS.iter().any(is_computed) {
            return None;
        }
        if open + 2 == value.end {
            return self.field(class, members, false, place);
        }
        let argument = self.keyed(open + 1..value.end - 1, member, "=")?;
        self.member_of_value(argument, &[], place).map(|known| named(known, member))
    }

    /// The value of a field of a class, or of a member of an enum.
    fn field(
        &mut self,
        class: usize,
        members: &[&str],
        is_own: bool,
        place: ExpressionContext,
    ) -> Option<StaticValue> {
        let (member, rest) = members.split_first().filter(|(member, _)| !is_index(member))?;
        let ScopeKind::Class { bases } = &self.outline.scopes[class].kind else { return None };
        let is_python = self.tokens.language == Language::Python;
        let derives = |all: &[&str]| {
            let is_it =
                |base: &Vec<String>| base.last().is_some_and(|it| all.contains(&it.as_str()));
            bases.iter().any(is_it)
        };
        let is_enum = is_python && derives(&ENUMS);
        let rest = match rest {
            ["value"] if is_enum => &[],
            [] if is_enum && !derives(&STRING_ENUMS) => return None,
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
        self.member_of_value(value, rest, place).map(|known| named(known, member))
    }
}

pub(super) fn named(known: StaticValue, name: &str) -> StaticValue {
    match known {
        StaticValue::Here(mut text) => {
            text.name.get_or_insert_with(|| name.to_owned());
            StaticValue::Here(text)
        }
        elsewhere => elsewhere,
    }
}

/// The tokens between the braces of an object, and the sign between key and value.
pub(super) fn parts_of_object<'t>(
    tokens: &Tokens<'_>,
    value: Range<usize>,
) -> Option<(Range<usize>, &'t str)> {
    let last = value.end.checked_sub(1)?;
    let start = value.start;
    // `{…}`, `{…} as const`, and the braces of an enum.
    if let Some(close) = tokens.closer(start, "{") {
        let is_whole = close == last || matches!(tokens.text(close + 1), "as" | "satisfies");
        let sign = if tokens.text(start.wrapping_sub(2)) == "enum" { "=" } else { ":" };
        return is_whole.then_some((start + 1..close, sign));
    }
    let open = tokens.partner(last).filter(|open| *open > start && *open - start < MAX_TYPE)?;
    if tokens.language == Language::Go {
        return (tokens.text(open) == "{").then_some((open + 1..last, ":"));
    }
    let callee = tokens.callee(open).join(".");
    let is_start = open == start + callee.split('.').count() * 2 - 1;
    if !is_start || tokens.text(open) != "(" || !HOLDERS.contains(&callee.as_str()) {
        return None;
    }
    match tokens.closer(open + 1, "{") {
        Some(close) if close + 1 == last => Some((open + 2..close, ":")),
        Some(_) => None,
        None => Some((open + 1..last, "=")),
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
        } else if matches!(written, "..." | "**" | "[") {
            // A spread, or a computed key.
            keys.clear();
        } else {
            keys.remove(key);
        }
    }
    keys
}

/// The names whose members a host assigns or changes, and the members that it assigns.
///
/// Cost: the tokens.
pub(super) fn changed<'s>(tokens: &Tokens<'s>) -> (HashSet<&'s str>, HashSet<&'s str>) {
    const CHANGES: [&str; 9] =
        ["update", "setdefault", "pop", "clear", "popitem", "push", "splice", "append", "set"];
    let (mut changed, mut assigned) = (HashSet::new(), HashSet::new());
    let head = |last: usize| {
        let mut at = last;
        for _ in 0..16 {
            if tokens.text(at) == "]" {
                at = tokens.partner(at)?.checked_sub(1)?;
                continue;
            }
            match at.checked_sub(2).filter(|_| tokens.is_word(at)) {
                Some(before) if tokens.text(at - 1) == "." => at = before,
                _ => return tokens.is_word(at).then(|| tokens.text(at)),
            }
        }
        None
    };
    for at in 1..tokens.all.len() {
        let text = tokens.text(at);
        let assigns =
            text.ends_with('=') && !matches!(text, "==" | "!=" | "<=" | ">=" | "===" | "!==");
        let is_member = tokens.text(at - 1) == "]"
            || at > 1 && tokens.is_word(at - 1) && tokens.text(at - 2) == ".";
        if assigns && is_member
            || text == "(" && is_member && CHANGES.contains(&tokens.text(at - 1))
        {
            changed.extend(head(at - 1));
            assigned.insert(tokens.text(at - 1));
        }
        // `del a["b"]`, `delete a.b`, `Object.assign(a, …)`.
        let takes =
            matches!(text, "del" | "delete") || text == "(" && tokens.text(at - 1) == "assign";
        if takes && tokens.is_word(at + 1) {
            changed.insert(tokens.text(at + 1));
        }
    }
    (changed, assigned)
}

impl<'s> Outline<'s> {
    /// The object that is the value of a name in a scope, if nothing changes it.
    pub(super) fn object(&self, scope: usize, name: &'s str) -> Option<Range<usize>> {
        match self.value(scope, name)? {
            (_, Value::Expression(value)) if !self.changed.contains(name) => Some(value.clone()),
            _ => None,
        }
    }
}
