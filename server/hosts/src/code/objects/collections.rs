//! Lists and maps that are written in place: `List.of("a", "b")`, `mapOf("a" to "b")`.

use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

use crate::code::expression::{Expressions, Keys};
use crate::code::grammar::Entries;
use crate::code::outline::objects::{is_number, without_quotes};
use crate::code::tokens::Tokens;

/// Methods that return the first item of a list.
const FIRST: [&str; 2] = ["first()", "getFirst()"];

impl<'s> Expressions<'_, 's> {
    /// The value of a key of a map, or an item of a list, that these tokens create.
    pub(in crate::code) fn item_of(
        &mut self,
        value: Range<usize>,
        key: &str,
    ) -> Option<Range<usize>> {
        let last = value.end.checked_sub(1)?;
        let open = self.tokens.partner(last).filter(|open| value.contains(open))?;
        let inside = open + 1..last;
        let position = match key {
            key if FIRST.contains(&key) => Some(0),
            key => Some(key).filter(|key| is_number(key)).and_then(|key| key.parse::<usize>().ok()),
        };
        let collections = self.grammar.collections;
        if self.tokens.text(open) == "(" {
            let callee = self.tokens.callee_before(open, value.start)?;
            if collections.lists.contains(&callee.as_str()) {
                return self.items(inside).get(position?).cloned();
            }
            let (_, entries) = collections.maps.iter().find(|(name, _)| *name == callee)?;
            let tokens = self.tokens;
            let keys = || entries_of(tokens, inside.clone(), *entries);
            let known = self.objects.entry(inside.start).or_insert_with(keys);
            return known.get(without_quotes(key)).cloned();
        }
        // `{"a", "b"}`, `new String[] {"a", "b"}`, `[]string{"a", "b"}`.
        let before = open.checked_sub(1).map_or("", |before| self.tokens.text(before));
        let is_array = match self.grammar.has_typed_lists {
            true => self.tokens.text(value.start) == "[",
            false => open == value.start || before == "]",
        };
        let is_list = self.tokens.text(open) == "{" && is_array;
        is_list.then(|| self.items_without_keys(inside).get(position?).cloned())?
    }

    /// The items between braces; none if one has a key.
    fn items_without_keys(&mut self, inside: Range<usize>) -> Rc<[Range<usize>]> {
        let tokens = self.tokens;
        let split = || {
            let items = tokens.split(inside.clone());
            let is_keyed = |item: &Range<usize>| tokens.text(item.start + 1) == ":";
            let all = if items.iter().any(is_keyed) { Vec::new() } else { items };
            all.into()
        };
        self.items.entry(inside.start).or_insert_with(split).clone()
    }

    /// The parts between commas. Cached, because a program may use each of many.
    pub(in crate::code) fn items(&mut self, inside: Range<usize>) -> Rc<[Range<usize>]> {
        let tokens = self.tokens;
        let split = || tokens.split(inside.clone()).into();
        self.items.entry(inside.start).or_insert_with(split).clone()
    }
}

/// The values of the entries of a map, by their keys.
fn entries_of<'s>(tokens: &Tokens<'s>, inside: Range<usize>, entries: Entries) -> Keys<'s> {
    let parts = tokens.split(inside);
    let mut known = HashMap::new();
    let mut add = |key: Range<usize>, value: Range<usize>| {
        if key.len() == 1 && tokens.is_literal(key.start) {
            known.insert(without_quotes(tokens.text(key.start)), value);
        }
    };
    match entries {
        Entries::Alternating => {
            for pair in parts.chunks_exact(2) {
                add(pair[0].clone(), pair[1].clone());
            }
        }
        Entries::Pairs => {
            for part in parts {
                if tokens.text(part.start + 1) == "to" {
                    add(part.start..part.start + 1, part.start + 2..part.end);
                }
            }
        }
        Entries::Calls => {
            for part in parts {
                let last = part.end - 1;
                let Some(open) = tokens.partner(last).filter(|open| part.contains(open)) else {
                    continue;
                };
                if let [key, value] = tokens.split(open + 1..last).as_slice() {
                    add(key.clone(), value.clone());
                }
            }
        }
    }
    known
}
