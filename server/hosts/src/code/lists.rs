//! Lists of texts that are joined: `["a", "b"].join("\n")`, `"\n".join(["a", "b"])`.

use std::ops::Range;

use super::expression::{ExpressionContext, Expressions};
use super::grammar::SeparatorPlace;
use super::static_value::{StaticValue, Text};

impl Expressions<'_, '_> {
    /// The text of a list that is joined, whose bracket or name starts here, and the position
    /// after it.
    pub(super) fn joined_list(
        &mut self,
        tokens: Range<usize>,
        place: ExpressionContext,
    ) -> Option<(StaticValue, usize)> {
        if self.grammar.join.is_some() {
            return self.join_function(tokens, place);
        }
        let joining = self.grammar.joining.as_ref()?;
        let start = tokens.start;
        let open = match joining.list {
            Some(name) => (self.tokens.text(start) == name).then_some(start + 1)?,
            None => (self.tokens.text(start) == "[").then_some(start)?,
        };
        let close =
            self.tokens.partner(open).filter(|close| open < *close && *close < tokens.end)?;
        let is_joined =
            self.tokens.text(close + 1) == "." && self.tokens.text(close + 2) == joining.method;
        let end =
            self.tokens.closer(close + 3, "(").filter(|end| is_joined && *end < tokens.end)?;
        let separator = match end - (close + 4) {
            0 => joining.separator.to_owned(),
            _ => self.argument_text(close + 4..end, place)?,
        };
        let text = self.join(open + 1..close, &separator, place)?;
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
        let (separator, items) = match (separator, arguments.as_slice()) {
            (SeparatorPlace::Last, [list, separator]) => (separator, self.literal_list(list)?),
            (SeparatorPlace::Last, _) => return None,
            (SeparatorPlace::First, [separator, list]) => {
                (separator, self.literal_list(list).unwrap_or(list.clone()))
            }
            (SeparatorPlace::First, [separator, first, .., last]) => {
                (separator, first.start..last.end)
            }
            _ => return None,
        };
        let separator = self.argument_text(separator.clone(), place)?;
        let text = self.join(items, &separator, place)?;
        Some((StaticValue::Here(text), close + 1))
    }

    /// The items of a list that is written in place: `[]string{…}`, `List.of(…)`.
    fn literal_list(&self, list: &Range<usize>) -> Option<Range<usize>> {
        let last = list.end.checked_sub(1)?;
        let open = self.tokens.partner(last).filter(|open| *open > list.start)?;
        let before: Vec<&str> = (list.start..open).map(|token| self.tokens.text(token)).collect();
        let is_list = matches!(before.concat().as_str(), "[]string" | "List.of" | "Arrays.asList");
        is_list.then_some(open + 1..last)
    }

    /// The texts between commas, with a separator between each two of them.
    pub(super) fn join(
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

    /// The list that is the only argument of `join`, without its brackets.
    pub(super) fn list_of(&self, argument: Range<usize>) -> Option<Range<usize>> {
        let is_list = matches!(self.tokens.text(argument.start), "[" | "(");
        let close = self.tokens.partner(argument.start).filter(|_| is_list)?;
        (close + 1 == argument.end).then_some(argument.start + 1..close)
    }
}
