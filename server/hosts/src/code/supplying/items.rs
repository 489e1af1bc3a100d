//! Values in maps and objects that are written as literals: `PROMPTS = {"greeting": prompt}`, used as
//! `PROMPTS["greeting"]`.

use std::ops::Range;

use super::contracts::Contracts;
use super::uses::MAX_USES;
use crate::code::grammars::grammar;
use crate::code::outline::objects::without_quotes;

/// A value in a map, by its key.
struct Item<'s> {
    key: &'s str,
    /// The map, with its braces.
    map: Range<usize>,
}

impl<'s> Contracts<'_, 's> {
    /// The expressions that have the value of an item of a map, and the other uses of the map, which
    /// are not followed; `None` for any other value. With `is_first`, it may also be the first part of
    /// the item.
    pub(super) fn uses_of_item(
        &self,
        value: Range<usize>,
        is_first: bool,
    ) -> Option<Vec<Range<usize>>> {
        let Item { key, map } = self.item(value, is_first)?;
        let maps = self.uses_of_value(map, false)?;
        let is_changed = |map: &Range<usize>| {
            self.outline.changed.contains(self.tokens.text(map.end.saturating_sub(1)))
        };
        if maps.len() > MAX_USES || maps.iter().any(is_changed) {
            return None;
        }
        Some(maps.into_iter().filter_map(|map| self.item_after(map, key)).collect())
    }

    /// The item of a map that is a value.
    fn item(&self, value: Range<usize>, is_first: bool) -> Option<Item<'s>> {
        let (key, colon) = (value.start.checked_sub(2)?, value.start - 1);
        let is_key = self.tokens.text(colon) == ":"
            && matches!(self.tokens.text(key.checked_sub(1)?), "{" | ",");
        // In Python, a word is a variable.
        let is_text = self.tokens.is_literal(key)
            || self.tokens.is_word(key) && grammar(self.tokens.language).has_options;
        if !is_key || !is_text {
            return None;
        }
        let open = self.tokens.opener_around(key)?;
        let close = self.tokens.closer(open, "{")?;
        let is_whole = matches!(self.tokens.text(value.end), "," | "}");
        (is_whole || is_first)
            .then(|| Item { key: without_quotes(self.tokens.text(key)), map: open..close + 1 })
    }

    /// The access to the item with a key directly after a map; the map itself for any other use, and
    /// `None` for an access to another item.
    fn item_after(&self, map: Range<usize>, key: &str) -> Option<Range<usize>> {
        let (sign, name) = (self.tokens.text(map.end), self.tokens.text(map.end + 1));
        let (written, end) = match sign {
            "[" => (map.end + 1, self.tokens.partner(map.end)? + 1),
            "." if name == "get" && self.tokens.text(map.end + 2) == "(" => {
                (map.end + 3, self.tokens.partner(map.end + 2)? + 1)
            }
            "." if name == key => return Some(map.start..map.end + 2),
            _ => return Some(map),
        };
        let is_known = self.tokens.is_literal(written)
            && matches!(self.tokens.text(written + 1), "]" | ")" | ",");
        match is_known {
            true => (without_quotes(self.tokens.text(written)) == key).then_some(map.start..end),
            false => Some(map),
        }
    }
}
