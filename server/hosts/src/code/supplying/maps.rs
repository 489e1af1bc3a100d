//! The keys of maps with which calls supply values: `Map.of("a", 1)`, `{a: 1}`, and variables that
//! are filled before.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::ops::Range;

use crate::code::outline::{Outline, ScopeKind, Value};
use crate::code::tokens::Tokens;
use crate::flow::code::{Constants, assigned, body};
use crate::host_prompt::SuppliedKey;
use crate::language::Language;

/// Map functions whose arguments alternate between keys and values.
const IN_TURN: &str = "of";

/// Map functions whose arguments are entries, and the function that creates one.
const OF_ENTRIES: (&str, &str) = ("ofEntries", "entry");

/// Map functions whose arguments are `key to value`.
const OF_PAIRS: [&str; 5] = ["mapOf", "mutableMapOf", "hashMapOf", "linkedMapOf", "emptyMap"];

/// Maps that start empty, or as a copy of another one.
const COPIES: [&str; 4] = ["HashMap", "LinkedHashMap", "TreeMap", "copyOf"];

/// Methods that add the key that is their first argument.
const ADDS: [&str; 2] = ["put", "putIfAbsent"];

/// Methods of maps that change nothing.
const ONLY_READS: [&str; 5] = ["get", "getOrDefault", "containsKey", "size", "isEmpty"];

/// The maximum number of uses of a variable that are examined.
const MAX_USES: usize = 100;

/// The maximum number of variables and copies between a call and a map.
const MAX_COPIES: usize = 4;

/// The keys that calls supply, as far as they are known.
#[derive(Clone)]
pub(crate) struct Keys {
    pub keys: Vec<SuppliedKey>,
    /// `true` if these are all.
    pub is_whole: bool,
}

impl Keys {
    pub fn none() -> Keys {
        Keys { keys: Vec::new(), is_whole: true }
    }

    /// Marks the keys so far as those that a template has before a call.
    pub fn preset(&mut self) {
        self.keys.iter_mut().for_each(|key| key.is_preset = true);
    }

    pub fn add(&mut self, tokens: &Tokens<'_>, range: Range<usize>) {
        let name = tokens.source[range.clone()].to_owned();
        // The token of the key: its name, or a literal that ends after it.
        let key = tokens.at_or_after(range.end).saturating_sub(1);
        let literal = assigned(tokens, key);
        self.keys.push(SuppliedKey { name, range, literal, is_preset: false });
    }
}

/// The maps of a host.
pub(crate) struct Maps<'h, 's> {
    tokens: &'h Tokens<'s>,
    outline: &'h Outline<'s>,
    constants: OnceCell<Constants<'s>>,
    /// The positions of each word, in order.
    words: OnceCell<HashMap<&'s str, Vec<usize>>>,
}

impl<'h, 's> Maps<'h, 's> {
    pub fn new(tokens: &'h Tokens<'s>, outline: &'h Outline<'s>) -> Self {
        Maps { tokens, outline, constants: OnceCell::new(), words: OnceCell::new() }
    }

    /// The positions of a word in a scope, in order.
    pub fn uses(&self, scope: usize, name: &str) -> impl Iterator<Item = usize> + use<'_, 'h, 's> {
        let within = &self.outline.scopes[scope].tokens;
        let places = self.words().get(name).map_or(&[][..], Vec::as_slice);
        let first = places.partition_point(|place| *place < within.start);
        places[first..].iter().copied().take_while(|place| *place < within.end)
    }

    /// The positions of each word.
    pub fn words(&self) -> &HashMap<&'s str, Vec<usize>> {
        self.words.get_or_init(|| {
            let mut words: HashMap<&str, Vec<usize>> = HashMap::new();
            for token in (0..self.tokens.all.len()).filter(|token| self.tokens.is_word(*token)) {
                words.entry(self.tokens.text(token)).or_default().push(token);
            }
            words
        })
    }

    /// The maps in a list: those of its items, or the one that a comprehension creates each time.
    /// `None` unless it is written in place.
    pub fn listed_maps(&self, list: Range<usize>) -> Option<Vec<Range<usize>>> {
        let close = self.tokens.closer(list.start, "[").filter(|close| close + 1 == list.end)?;
        let items = self.tokens.split(list.start + 1..close);
        let end = items.first().and_then(|first| self.tokens.closer(first.start, "{"));
        match (items.first(), end) {
            (Some(first), Some(end)) if matches!(self.tokens.text(end + 1), "for" | "async") => {
                let map = first.start..end + 1;
                Some(vec![map])
            }
            _ => Some(items),
        }
    }

    /// Keys and values in turn.
    pub fn read_in_turn(&self, arguments: Vec<Range<usize>>, keys: &mut Keys) {
        keys.is_whole &= arguments.len().is_multiple_of(2);
        arguments.into_iter().step_by(2).for_each(|key| self.read_key(key, keys));
    }

    /// An expression that creates a map, or the variable of one.
    pub fn read_map(&self, map: Range<usize>, keys: &mut Keys) {
        self.read(map, keys, 0);
    }

    fn read(&self, map: Range<usize>, keys: &mut Keys, copies: usize) {
        if copies > MAX_COPIES {
            keys.is_whole = false;
        } else if self.tokens.closer(map.start, "{").is_some_and(|close| close + 1 == map.end) {
            self.read_object(map, keys);
        } else if map.len() == 1 && self.tokens.is_word(map.start) {
            self.read_variable(map.start, keys, copies);
        } else {
            self.read_call(map, keys, copies);
        }
    }

    /// The keys of an object in place: `{topic, "tone": tone}`.
    fn read_object(&self, object: Range<usize>, keys: &mut Keys) {
        for part in self.tokens.split(object.start + 1..object.end - 1) {
            let key = part.start..part.start + 1;
            let is_key = part.len() == 1 || self.tokens.text(key.end) == ":";
            let is_name = self.tokens.is_word(key.start);
            match (is_key, is_name) {
                (true, true) if self.tokens.language != Language::Python => {
                    keys.add(self.tokens, self.tokens.range(key));
                }
                (true, _) => self.read_key(key, keys),
                (false, _) => keys.is_whole = false,
            }
        }
    }

    /// `Map.of("a", 1)`, `mapOf("a" to 1)`, `new HashMap<>()`, `dict(a=1)`
    fn read_call(&self, call: Range<usize>, keys: &mut Keys, copies: usize) {
        let Some((callee, arguments)) = self.call_at_end(call) else {
            keys.is_whole = false;
            return;
        };
        if callee == IN_TURN {
            return self.read_in_turn(arguments, keys);
        }
        let is_copy = COPIES.contains(&callee) && arguments.len() <= 1;
        for argument in arguments {
            let sign = self.tokens.text(argument.start + 1);
            if OF_PAIRS.contains(&callee) && sign == "to" {
                self.read_key(argument.start..argument.start + 1, keys);
                continue;
            }
            if callee == "dict" && sign == "=" {
                keys.add(self.tokens, self.tokens.range(argument.start..argument.start + 1));
                continue;
            }
            if is_copy {
                self.read(argument, keys, copies + 1);
                continue;
            }
            match self.call_at_end(argument) {
                Some((entry, pair)) if (callee, entry) == OF_ENTRIES => {
                    self.read_in_turn(pair, keys);
                }
                _ => keys.is_whole = false,
            }
        }
        let is_known = is_copy || matches!(callee, "dict") || OF_PAIRS.contains(&callee);
        keys.is_whole &= is_known || callee == OF_ENTRIES.0;
    }

    /// A variable of a function, with the keys that are added to it. What else it is used for may
    /// add others.
    fn read_variable(&self, token: usize, keys: &mut Keys, copies: usize) {
        let name = self.tokens.text(token);
        let declared = self.outline.value(self.outline.scope_at(token), name);
        let is_local = |scope: usize| {
            matches!(self.outline.scopes[scope].kind, ScopeKind::Function | ScopeKind::Block)
        };
        let Some((scope, Value::Expression(value))) = declared.filter(|(it, _)| is_local(*it))
        else {
            keys.is_whole = false;
            return;
        };
        self.read(value.clone(), keys, copies + 1);
        for (count, place) in self.uses(scope, name).enumerate() {
            let is_member = place > 0 && self.tokens.text(place - 1) == ".";
            let is_assigned = place + 1 == value.start || self.is_target(place, value.start);
            if place == token || is_member || is_assigned {
                continue;
            }
            if count > MAX_USES || !self.read_use(place, keys) {
                keys.is_whole = false;
                break;
            }
        }
    }

    /// `true` for the name that an expression is assigned to.
    fn is_target(&self, place: usize, value: usize) -> bool {
        self.outline.statement_at(value).and_then(|it| it.target) == Some(place)
    }

    /// Reads a use of a map: `values.put("a", 1)`, `values["a"] = 1`. Returns `false` if it may add
    /// unknown keys.
    fn read_use(&self, place: usize, keys: &mut Keys) -> bool {
        let after = place + 1;
        if let Some(close) = self.tokens.closer(after, "[") {
            let is_set = self.tokens.text(close + 1) == "=" && self.tokens.text(close + 2) != "=";
            if is_set {
                self.read_key(after + 1..close, keys);
            }
            return true;
        }
        if self.tokens.text(after) != "." {
            return false;
        }
        let method = self.tokens.text(after + 1);
        let Some(close) = self.tokens.closer(after + 2, "(") else {
            // JavaScript: `values.topic = topic`. Elsewhere, a property of the map.
            let is_set = self.tokens.text(after + 2) == "=" && self.tokens.text(after + 3) != "=";
            if is_set {
                keys.add(self.tokens, self.tokens.range(after + 1..after + 2));
            }
            return true;
        };
        let first = self.tokens.split(after + 3..close).into_iter().next();
        match first {
            Some(key) if ADDS.contains(&method) => self.read_key(key, keys),
            _ => return ONLY_READS.contains(&method),
        }
        true
    }

    /// The name and the arguments of a call expression; only names and types may precede its
    /// brackets.
    pub fn call_at_end(&self, expression: Range<usize>) -> Option<(&'s str, Vec<Range<usize>>)> {
        let close = expression.end.checked_sub(1)?;
        let open = self.tokens.partner(close).filter(|open| expression.contains(open))?;
        let mut depth = 0_i32;
        let mut name = None;
        for token in expression.start..open {
            match self.tokens.text(token) {
                "." => {}
                "<" => depth += 1,
                ">" if depth > 0 => depth -= 1,
                "," | "?" if depth > 0 => {}
                _ if !self.tokens.is_word(token) => return None,
                word if depth == 0 => name = Some(word),
                _ => {}
            }
        }
        let is_call = self.tokens.closer(open, "(") == Some(close);
        let arguments = self.tokens.split(open + 1..close);
        name.filter(|_| is_call).map(|name| (name, arguments))
    }

    /// A literal, or a constant with a literal value.
    fn read_key(&self, key: Range<usize>, keys: &mut Keys) {
        let last = key.end - 1;
        let range = match self.tokens.is_literal(last) {
            true if key.len() == 1 => body(self.tokens, last),
            true => None,
            false => {
                let constants = self.constants.get_or_init(|| Constants::new(self.tokens));
                constants.key(self.tokens.text(last))
            }
        };
        match range {
            Some(range) => keys.add(self.tokens, range),
            None => keys.is_whole = false,
        }
    }
}
