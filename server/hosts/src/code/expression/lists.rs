//! Lists of texts that are joined: `["a", "b"].join("\n")`, `"\n".join(["a", "b"])`.

use std::collections::HashMap;
use std::ops::Range;

use super::{ExpressionContext, Expressions, MAX_FOLLOWED};
use crate::code::grammar::SeparatorPlace;
use crate::code::outline::Value;
use crate::code::static_value::{StaticValue, Text};

/// The maximum number of tokens before the method that joins a stream.
const MAX_STREAM: usize = 16;

impl Expressions<'_, '_> {
    /// The text of a list that is joined, whose bracket or name starts here, and the position
    /// after it.
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
        let start = tokens.start;
        let is_named = self.tokens.text(start + 1) == ".";
        if is_named && self.tokens.text(start + 2) != joining.method {
            return None;
        }
        let (list, items_place) = match is_named {
            true => self.list_value(start..start + 1, place),
            false => (tokens.clone(), place),
        };
        let first = self.tokens.text(list.start);
        let open = match self.grammar.collections.lists {
            [] => (first == "[").then_some(list.start)?,
            lists => lists.contains(&first).then_some(list.start + 1)?,
        };
        let close = self.tokens.partner(open).filter(|close| open < *close && *close < list.end)?;
        if is_named && self.behind_cast(close + 1..list.end) < list.end {
            return None;
        }
        let dot = if is_named { start + 1 } else { close + 1 };
        let is_joined = self.tokens.text(dot) == "." && self.tokens.text(dot + 1) == joining.method;
        let end = self.tokens.closer(dot + 2, "(").filter(|end| is_joined && *end < tokens.end)?;
        let has_keyword = self.tokens.text(dot + 3) == "separator"
            && Some(self.tokens.text(dot + 4)) == self.grammar.keyword_sign;
        let separator = dot + if has_keyword { 5 } else { 3 }..end;
        let separator = match separator.is_empty() {
            true => joining.separator.to_owned(),
            false => self.argument_text(separator, place)?,
        };
        let text = self.join(open + 1..close, &separator, items_place)?;
        Some((StaticValue::Here(text), end + 1))
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
        let (separator, items, items_place) = match (separator, arguments.as_slice()) {
            (SeparatorPlace::Last, [list, separator]) => {
                let (list, items_place) = self.list_value(list.clone(), place);
                (separator, self.literal_list(&list)?, items_place)
            }
            (SeparatorPlace::Last, _) => return None,
            (SeparatorPlace::First, [separator, list]) => {
                let (value, items_place) = self.list_value(list.clone(), place);
                match self.literal_list(&value) {
                    Some(items) => (separator, items, items_place),
                    None => (separator, list.clone(), place),
                }
            }
            (SeparatorPlace::First, [separator, first, .., last]) => {
                (separator, first.start..last.end, place)
            }
            _ => return None,
        };
        let separator = self.argument_text(separator.clone(), place)?;
        let text = self.join(items, &separator, items_place)?;
        Some((StaticValue::Here(text), close + 1))
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
        let (list, items_place) = self.list_value(list, place);
        let items = self.literal_list(&list)?;
        let separator = match close - (joining + 2) {
            0 => String::new(),
            _ => self.argument_text(joining + 2..close, place)?,
        };
        let text = self.join(items, &separator, items_place)?;
        Some((StaticValue::Here(text), end + 1))
    }

    /// The items of a list that is written in place: `[]string{…}`, `List.of(…)`.
    fn literal_list(&self, list: &Range<usize>) -> Option<Range<usize>> {
        let last = list.end.checked_sub(1)?;
        let open = self.tokens.partner(last).filter(|open| *open > list.start)?;
        let before: Vec<&str> = (list.start..open).map(|token| self.tokens.text(token)).collect();
        let is_list = self.grammar.collections.lists.contains(&before.concat().as_str());
        is_list.then_some(open + 1..last)
    }

    /// The texts between commas, with a separator between each two of them.
    pub(crate) fn join(
        &mut self,
        items: Range<usize>,
        separator: &str,
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
            let StaticValue::Here(text) = self.expression(item, place)? else { return None };
            self.spend(&text)?;
            joined.append(text);
        }
        let mut joined = joined.or_at(whole);
        let first = joined.literals.first()?.start;
        joined.decoded = joined.decoded.or_empty_at(first);
        Some(joined)
    }

    /// The list that is the only argument of `join`, without its brackets, and the place of its
    /// items.
    pub(crate) fn list_of(
        &mut self,
        argument: Range<usize>,
        place: ExpressionContext,
    ) -> Option<(Range<usize>, ExpressionContext)> {
        let (list, place) = self.list_value(argument, place);
        let is_list = matches!(self.tokens.text(list.start), "[" | "(");
        let close = self.tokens.partner(list.start).filter(|_| is_list)?;
        (close + 1 == list.end).then_some((list.start + 1..close, place))
    }

    /// The value of a name that is nothing but joined, so that its list does not change, and its
    /// place; these tokens for all else.
    fn list_value(
        &mut self,
        list: Range<usize>,
        place: ExpressionContext,
    ) -> (Range<usize>, ExpressionContext) {
        let name = self.tokens.text(list.start);
        if list.len() == 1
            && let Some((scope, Value::Expression(value))) = self.outline.value(place.scope, name)
            && place.followed < MAX_FOLLOWED
            && self.other_uses(name) == 1
        {
            let followed = place.followed + 1;
            let at = value.start;
            return (value.clone(), ExpressionContext { scope, followed, at, ..place });
        }
        (list, place)
    }

    /// The number of times that this host has a name which is not joined there, its declaration
    /// included.
    fn other_uses(&mut self, name: &str) -> usize {
        let (tokens, method) = (self.tokens, self.grammar.joining.as_ref().map(|it| it.method));
        let is_joined = |at: usize| {
            let is_receiver = tokens.text(at + 1) == "." && Some(tokens.text(at + 2)) == method;
            let open = match at.checked_sub(1).filter(|open| tokens.text(*open) == "(") {
                None => tokens.partner(at + 1).filter(|_| tokens.text(at + 1) == ")"),
                before => before,
            };
            let function = open.and_then(|open| open.checked_sub(1));
            is_receiver || function.is_some_and(|it| tokens.text(it).eq_ignore_ascii_case("join"))
        };
        let uses = self.list_uses.get_or_insert_with(|| {
            let mut uses = HashMap::new();
            let words = (0..tokens.all.len()).filter(|at| tokens.is_word(*at) && !is_joined(*at));
            words.for_each(|at| *uses.entry(tokens.text(at)).or_default() += 1);
            uses
        });
        uses.get(name).copied().unwrap_or_default()
    }
}
