//! Lists of texts that are joined: `["a", "b"].join("\n")`, `"\n".join(["a", "b"])`.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::called::ItemText;
use super::mapped::TRANSFORMS;
use super::{ExpressionContext, Expressions, JoinedList};
use crate::code::grammar::SeparatorPlace;
use crate::code::operation::Operation;
use crate::code::static_value::{StaticValue, Text};
use crate::host_prompt::{OtherFile, TextDemand};
use crate::language::Language;

/// The maximum number of tokens before the method that joins a stream.
const MAX_STREAM: usize = 16;

impl<'s> Expressions<'_, 's> {
    /// The text of a list that is joined and starts here, and the position after it.
    pub(super) fn joined_list(
        &mut self,
        tokens: Range<usize>,
        place: ExpressionContext,
    ) -> Option<(StaticValue, usize)> {
        if self.grammar.join.is_some() {
            let joined = self.join_function(tokens.clone(), place);
            return joined.or_else(|| self.joined_stream(tokens, place));
        }
        let joining = self.grammar.joining.as_ref()?;
        let dot = self.dot_before(&[joining.method], tokens.clone())?;
        let end = self.tokens.closer(dot + 2, "(").filter(|end| *end < tokens.end)?;
        let has_keyword = self.tokens.text(dot + 3) == "separator"
            && Some(self.tokens.text(dot + 4)) == self.grammar.keyword_sign;
        let separator = dot + if has_keyword { 5 } else { 3 }..end;
        let separator = match self.tokens.split(separator).as_slice() {
            [] => Some(joining.separator.to_owned()),
            [separator] => self.argument_text(separator.clone(), place),
            _ => return None,
        };
        Some((self.joined(tokens.start..dot, separator, place)?, end + 1))
    }

    /// The dot before a call of one of some methods, in the operand that starts here.
    pub(super) fn dot_before(&self, methods: &[&str], tokens: Range<usize>) -> Option<usize> {
        let mut at = self.tokens.next(tokens.start);
        while at < tokens.end {
            let is_it = methods.contains(&self.tokens.text(at + 1))
                && matches!(self.tokens.text(at + 2), "(" | "{");
            at = match self.tokens.text(at) {
                "." if is_it => return Some(at),
                "." => at + 2,
                "!!" | "!" => at + 1,
                "(" | "[" | "{" => self.tokens.next(at),
                _ => return None,
            };
        }
        None
    }

    /// The text of `String.join("\n", "a", "b")` or `strings.Join([]string{"a", "b"}, "\n")`, and the
    /// position after it.
    fn join_function(
        &mut self,
        tokens: Range<usize>,
        place: ExpressionContext,
    ) -> Option<(StaticValue, usize)> {
        let (path, separator) = self.grammar.join?;
        let (head, name) = path.split_once('.')?;
        let open = tokens.start + 3;
        let is_it = self.tokens.text(tokens.start) == head && self.tokens.text(open - 1) == name;
        let close = self.tokens.closer(open, "(").filter(|close| is_it && *close < tokens.end)?;
        let arguments = self.tokens.split(open + 1..close);
        let (separator, list, items) = match (separator, arguments.as_slice()) {
            (SeparatorPlace::Last, [list, separator]) => (separator, Some(list), None),
            (SeparatorPlace::First, [separator, list]) => {
                (separator, Some(list), Some(list.clone()))
            }
            (SeparatorPlace::First, [separator, first, .., last]) => {
                (separator, None, Some(first.start..last.end))
            }
            _ => return None,
        };
        let separator = self.argument_text(separator.clone(), place);
        let listed = list.and_then(|list| self.joined(list.clone(), separator.clone(), place));
        let joined = match listed {
            Some(joined) => joined,
            None => StaticValue::Here(self.join(items?, &separator?, place)?),
        };
        Some((joined, close + 1))
    }

    /// The text of `List.of("a", "b").stream().collect(Collectors.joining("\n"))`, and the position
    /// after it.
    fn joined_stream(
        &mut self,
        tokens: Range<usize>,
        place: ExpressionContext,
    ) -> Option<(StaticValue, usize)> {
        let text = |at: usize| self.tokens.text(at);
        let words = |from: usize, words: &[&str]| {
            words.iter().enumerate().all(|(index, word)| text(from + index) == *word)
        };
        let is_collected = |at: &usize| words(*at, &[".", "collect", "(", "Collectors", "."]);
        let collected = self.tokens.at_depth(tokens.clone()).take(MAX_STREAM).find(is_collected)?;
        let joining = collected + 5;
        let close = self.tokens.closer(joining + 1, "(").filter(|_| text(joining) == "joining")?;
        let end = self.tokens.closer(collected + 2, "(").filter(|end| *end == close + 1)?;
        let streamed = collected.checked_sub(4).filter(|at| words(*at, &[".", "stream", "(", ")"]));
        let list = tokens.start..streamed.unwrap_or(collected);
        let separator = match close - (joining + 2) {
            0 => Some(String::new()),
            _ => self.argument_text(joining + 2..close, place),
        };
        Some((self.joined(list, separator, place)?, end + 1))
    }

    /// The text of a list with a separator between its items; with an unknown separator, only a list
    /// of another host has a value.
    pub(crate) fn joined(
        &mut self,
        list: Range<usize>,
        separator: Option<String>,
        place: ExpressionContext,
    ) -> Option<StaticValue> {
        let place = ExpressionContext { depth: place.depth + 1, is_operand: false, ..place };
        let known = self.as_list(separator, |it| it.expression(list.clone(), place));
        if !matches!(known, Some(StaticValue::Here(_))) {
            self.unfollowed.push(list);
        }
        known
    }

    /// The list of a name that another host joins.
    pub(crate) fn list_demanded(
        &mut self,
        scope: usize,
        name: &'s str,
        demand: &TextDemand,
        separator: Option<String>,
    ) -> Option<StaticValue> {
        let is_changed = self.other_uses(name) > 1;
        let known_separator = separator.filter(|_| !is_changed);
        let known = self.as_list(known_separator, |it| it.value_demanded(scope, name, demand));
        // A single text is joined with nothing.
        let is_text = self.tokens.language == Language::Java && demand.members.is_empty();
        known.or_else(|| self.value_demanded(scope, name, demand).filter(|_| is_text))
    }

    /// Evaluates a list whose items are joined.
    fn as_list(
        &mut self,
        separator: Option<String>,
        evaluate: impl FnOnce(&mut Self) -> Option<StaticValue>,
    ) -> Option<StaticValue> {
        self.is_list = false;
        let evaluate = |it: &mut Self| Some((evaluate(it)?, 0));
        let (known, _) = self.requested_as(JoinedList { separator, into: None }, evaluate)?;
        match known {
            StaticValue::Here(_) => std::mem::take(&mut self.is_list).then_some(known),
            // The items of a list in data are prompts by themselves.
            StaticValue::Elsewhere(reference) if reference.is_value_of_data() => {
                Some(StaticValue::Elsewhere(reference.items_of_data()))
            }
            StaticValue::Elsewhere(ref reference) => {
                matches!(reference.other, OtherFile::Module(_)).then_some(known)
            }
        }
    }

    /// Evaluates what has a list, and lets another host join its list.
    fn requested_as(
        &mut self,
        list: JoinedList<'s>,
        evaluate: impl FnOnce(&mut Self) -> Option<(StaticValue, usize)>,
    ) -> Option<(StaticValue, usize)> {
        let separator = list.separator.clone().filter(|_| list.into.is_none());
        let join = Operation::Join { separator };
        self.joining = Some(list);
        let known = evaluate(self);
        self.joining = None;
        let (mut known, next) = known?;
        if let StaticValue::Elsewhere(reference) = &mut known {
            reference.change_all(&|it| {
                if it.operations.is_empty() {
                    it.operations.push(join.clone());
                }
            });
        }
        Some((known, next))
    }

    /// The joined text of a list that is written in place, or that a name or a call has.
    pub(super) fn list(
        &mut self,
        tokens: Range<usize>,
        mut joined: JoinedList<'s>,
        place: ExpressionContext,
    ) -> Option<StaticValue> {
        let mapped = self.mapped(tokens.clone(), place).filter(|_| joined.into.is_none());
        let changed = || Some((None, self.changed_list(tokens.clone())?));
        if let Some((into, list)) = mapped.map(|(into, list)| (Some(into), list)).or_else(changed) {
            let separator = joined.separator.filter(|_| into.is_some());
            self.joining = Some(JoinedList { separator, into });
            let known = self.expression(list, place);
            self.joining = None;
            return known;
        }
        if let Some(items) = self.literal_list(&tokens) {
            let (separator, into) = (joined.separator, joined.into.as_ref());
            let text = separator.and_then(|it| self.join_items(items, &it, into, place));
            self.is_list = text.is_some();
            if text.is_none() {
                self.unfollowed.push(tokens);
            }
            return text.map(StaticValue::Here);
        }
        let (chain, at) = self.chain(tokens.clone());
        let end = self.tokens.closer(at, "(").map_or(at, |close| close + 1);
        if !self.tokens.is_word(tokens.start) || end != tokens.end {
            return None;
        }
        // Its list may change.
        if self.other_uses(chain.last()?) > 1 {
            joined.separator = None;
        }
        let evaluate = |it: &mut Self| it.named_operand(tokens.clone(), place);
        let (known, next) = self.requested_as(joined, evaluate)?;
        (next == tokens.end).then_some(known)
    }

    /// The items of a list that is written in place: `["a"]`, `[]string{…}`, `List.of(…)`, and a
    /// tuple in Python.
    fn literal_list(&self, list: &Range<usize>) -> Option<Range<usize>> {
        let lists = self.grammar.collections.lists;
        let open = match self.tokens.text(list.start) {
            "[" if lists.is_empty() => list.start,
            "(" if self.tokens.language == Language::Python => list.start,
            _ => self.tokens.partner(list.end.checked_sub(1)?)?,
        };
        let close = self.tokens.partner(open).filter(|close| open < *close && *close < list.end)?;
        if open < list.start || self.behind_cast(close + 1..list.end) < list.end {
            return None;
        }
        let before: Vec<&str> = (list.start..open).map(|token| self.tokens.text(token)).collect();
        let is_list = match self.tokens.text(open) {
            // Without a comma, it is the value in the brackets.
            "(" if open == list.start => {
                self.tokens.at_depth(open + 1..close).any(|at| self.tokens.text(at) == ",")
            }
            "[" if open == list.start => true,
            _ => lists.contains(&before.concat().as_str()),
        };
        is_list.then_some(open + 1..close)
    }

    /// The texts between commas, with a separator between each two of them.
    pub(crate) fn join(
        &mut self,
        items: Range<usize>,
        separator: &str,
        place: ExpressionContext,
    ) -> Option<Text> {
        self.join_items(items, separator, None, place)
    }

    /// The same, after each item is put into a text, if there is one.
    fn join_items(
        &mut self,
        items: Range<usize>,
        separator: &str,
        into: Option<&ItemText<'s>>,
        place: ExpressionContext,
    ) -> Option<Text> {
        let place = ExpressionContext { depth: place.depth + 1, is_operand: true, ..place };
        let whole = self.tokens.range(items.clone());
        let mut joined = Text::default();
        for (index, item) in self.tokens.split(items).into_iter().enumerate() {
            if index > 0 {
                joined
                    .decoded
                    .push_atomic(separator, self.tokens.range(item.start - 1..item.start));
            }
            let is_spread = matches!(self.tokens.text(item.start), "*" | "...");
            let known = match into {
                Some(_) if is_spread => return None,
                Some(into) => self.item_text(into, item, place)?,
                None if is_spread => {
                    let list = item.start + 1..item.end;
                    let known = self.joined(list, Some(separator.to_owned()), place)?;
                    StaticValue::Here(self.part(Some(known), self.tokens.range(item)))
                }
                None => self.expression(item, place)?,
            };
            let StaticValue::Here(text) = known else { return None };
            self.spend(&text)?;
            joined.append(text);
        }
        let mut joined = joined.or_at(whole);
        let first = joined.literals.first()?.start;
        joined.decoded = joined.decoded.or_empty_at(first);
        Some(joined)
    }

    /// The number of uses of a name in this host that may change its list, its declaration included.
    fn other_uses(&mut self, name: &str) -> usize {
        if self.list_uses.is_none() {
            self.list_uses = Some(self.count_uses());
        }
        self.list_uses.as_ref().and_then(|uses| uses.get(name)).copied().unwrap_or_default()
    }

    /// How often each name is used other than to read its list.
    fn count_uses(&self) -> HashMap<&'s str, usize> {
        let (tokens, method) = (self.tokens, self.grammar.joining.as_ref().map(|it| it.method));
        let text = |at: Option<usize>| at.map_or("", |at| tokens.text(at));
        // `export { RULES }`
        let exports = (0..tokens.all.len()).filter(|at| tokens.text(*at) == "export");
        let exported = exports.filter_map(|at| Some(at + 2..tokens.closer(at + 1, "{")?));
        let exported: HashSet<usize> = exported.flatten().collect();
        let is_only_read = |at: usize| {
            let name = tokens.text(at + 2);
            let is_read = Some(name) == method || TRANSFORMS.contains(&name);
            let is_receiver = tokens.text(at + 1) == "." && is_read;
            let mut before = at.checked_sub(1);
            while text(before) == "." {
                before = before.and_then(|dot| dot.checked_sub(2));
            }
            let open = match before.filter(|open| tokens.text(*open) == "(") {
                None => tokens.partner(at + 1).filter(|_| tokens.text(at + 1) == ")"),
                before => before,
            };
            let function = open.and_then(|open| open.checked_sub(1));
            is_receiver
                || text(function).eq_ignore_ascii_case("join")
                || matches!(text(before), "in" | "of" | "default" | "*" | "...")
                || exported.contains(&at)
        };
        let mut uses = HashMap::new();
        let is_use = |at: &usize| tokens.is_word(*at) && !is_only_read(*at);
        for at in (0..tokens.all.len()).filter(is_use) {
            *uses.entry(tokens.text(at)).or_default() += 1;
        }
        uses
    }
}
