//! Methods of templates, and of chains that start with one, that supply its values:
//! `template.partial(a=1).format(b=2)`, `(template | model).invoke({"a": 1})`.

use std::collections::HashSet;
use std::ops::Range;

use super::contracts::{Contracts, Method, Object, PIPE};
use super::maps::Keys;
use super::uses::MAX_USES;
use crate::code::calls::Call;
use crate::code::grammars::grammar;
use crate::code::outline::Value;
use crate::code::outline::objects::without_quotes;
use crate::code::recogniser::{Taken, TemplateMethod, TemplateMethods};
use crate::code::recognisers::recognisers;
use crate::host_prompt::{Contract, ListedNames, SuppliedKey};
use crate::language::Language;

/// The maximum number of names and brackets between a template and the method that fills it.
const MAX_STEPS: usize = 8;

/// The maximum number of lines between a call and the block that expects its error.
const MAX_LINES: usize = 50;

/// Options of the methods of chains, which are among the values.
const OPTIONS: [&str; 5] = ["callbacks", "metadata", "signal", "tags", "timeout"];

/// The methods that add to a list.
const GROWING: [&str; 6] = ["append", "extend", "insert", "push", "unshift", "splice"];

/// What an expression that is a template leads to.
enum Next {
    /// The calls that supply the rest of the values, with all of these.
    Filled(Vec<(Range<usize>, Keys)>),
    /// Larger expressions with the same value, or its uses under a name.
    Expressions(Vec<Range<usize>>, Keys),
    /// A use that is not followed.
    Lost(Lost),
}

/// A use of a template that is not followed.
struct Lost {
    /// The values that it has so far.
    keys: Keys,
    /// `true` if the use may change its values.
    changes: bool,
}

/// The calls and other uses that a template leads to.
#[derive(Default)]
struct Ends {
    filled: Vec<(Range<usize>, Keys)>,
    lost: Vec<Lost>,
    /// `true` if a name has more uses than are followed, so that there may be other calls.
    is_cut: bool,
}

impl<'s> Contracts<'_, 's> {
    /// The contracts of a template: the values that it is created with, and those of the methods in
    /// the same expression, or on the uses of its value.
    pub(crate) fn of_template(&self, call: &Call) -> Vec<Contract> {
        let Some(methods) = call.recogniser.methods else { return Vec::new() };
        let mut keys = Keys::none();
        if let Some(some) = call.argument(methods.argument, None) {
            self.maps.read_map(some.value.clone(), &mut keys);
        }
        keys.preset();
        let ends = self.ends(self.head(call)..call.tokens.end, methods, keys);
        // Other prompts of the call read the same values.
        let is_alone = call.recogniser.parameters.len() == 1
            && methods.renaming.iter().all(|it| call.argument(it, None).is_none());
        self.contracts(ends, methods, (self.tokens.range(call.tokens.clone()), is_alone))
    }

    /// The contracts of a text that is filled by methods of its own, or through its uses.
    pub(crate) fn of_text(&self, text: Range<usize>, methods: &TemplateMethods) -> Vec<Contract> {
        let whole = (self.tokens.range(text.clone()), true);
        let ends = self.ends(text, methods, Keys::none());
        self.contracts(ends, methods, whole)
    }

    /// The contracts of a template with these ends. `whole` is the range of its call, and whether that
    /// has one prompt.
    fn contracts(
        &self,
        ends: Ends,
        methods: &TemplateMethods,
        (whole, is_alone): (Range<usize>, bool),
    ) -> Vec<Contract> {
        let may_change = ends.lost.iter().any(|it| it.changes);
        let is_own = is_alone && ends.lost.is_empty();
        let contract = |(call, Keys { keys, is_whole }): (Range<usize>, Keys)| {
            let is_open = !is_whole;
            let is_whole = is_whole && methods.is_strict && !may_change;
            let is_whole = is_whole && !self.is_expected_to_fail(call.start);
            Contract { call: self.tokens.range(call), keys, is_whole, is_open, is_own }
        };
        let mut contracts: Vec<Contract> = ends.filled.into_iter().map(contract).collect();
        let known = contracts.iter().flat_map(|it| it.keys.iter().map(|key| key.range.start));
        let mut known: HashSet<usize> = known.collect();
        let lost = ends.lost.into_iter().flat_map(|lost| lost.keys.keys);
        let presets = lost.filter(|key| key.is_preset);
        let keys: Vec<SuppliedKey> = presets.filter(|key| known.insert(key.range.start)).collect();
        if !keys.is_empty() || ends.is_cut {
            let (is_whole, is_open, is_own) = (false, ends.is_cut, is_alone);
            contracts.push(Contract { call: whole, keys, is_whole, is_open, is_own });
        }
        contracts
    }

    /// `true` for a call in a test that expects an error: `with pytest.raises(KeyError): …`.
    fn is_expected_to_fail(&self, call: usize) -> bool {
        if self.tokens.language != Language::Python {
            return false;
        }
        let mut indent = usize::MAX;
        let before = &self.tokens.source[..self.tokens.range(call..call + 1).start];
        for line in before.lines().rev().take(MAX_LINES) {
            let code = line.trim_start();
            let own = line.len() - code.len();
            if code.is_empty() || own >= indent {
                continue;
            }
            let is_block = ["with ", "async with "].iter().any(|word| code.starts_with(word));
            if is_block && (code.contains("raises(") || code.contains("assertRaises")) {
                return true;
            }
            indent = own;
            if indent == 0 {
                break;
            }
        }
        false
    }

    /// The name of the list of messages of a call, if messages are added to the list, or that of the
    /// chat which it creates, if they are added to that.
    pub(crate) fn grown_list(&self, call: &Call) -> Option<Range<usize>> {
        let has_messages = call.recogniser.parameters.iter().any(|it| it.messages.is_some());
        self.grown_argument(call).or_else(|| self.grown_result(call).filter(|_| has_messages))
    }

    /// The name that a call is assigned to, if the code adds to its value.
    fn grown_result(&self, call: &Call) -> Option<Range<usize>> {
        let target = self.outline.statement_at(call.tokens.start)?.target?;
        let name = self.tokens.text(target);
        let (scope, value) = self.outline.value(self.outline.scope_at(target), name)?;
        let Value::Expression(value) = value else { return None };
        let is_it = *value == (self.head(call)..call.tokens.end);
        (is_it && self.grows(scope, name)).then(|| target..target + 1)
    }

    fn grown_argument(&self, call: &Call) -> Option<Range<usize>> {
        let parameters = call.recogniser.parameters.iter();
        let mut lists = parameters.filter(|parameter| parameter.messages.is_some());
        lists.find_map(|parameter| {
            let list = &call.argument(parameter.keyword, parameter.position)?.value;
            if list.len() != 1 || !self.tokens.is_word(list.start) {
                return None;
            }
            let name = self.tokens.text(list.start);
            let (scope, _) = self.outline.value(self.outline.scope_at(list.start), name)?;
            self.grows(scope, name).then(|| list.clone())
        })
    }

    /// `true` if the code adds to the value of a variable.
    fn grows(&self, scope: usize, name: &str) -> bool {
        let grows = |at: usize| match self.tokens.text(at + 1) {
            "." => GROWING.contains(&self.tokens.text(at + 2)),
            sign => sign == "+=",
        };
        self.maps.uses(scope, name).any(grows)
    }

    /// The list of the names of a template; `None` if there is none, or if it is computed.
    pub(crate) fn listed(&self, call: &Call) -> Option<ListedNames> {
        let methods = call.recogniser.methods.filter(|methods| !methods.listed.is_empty())?;
        let list = call.argument(methods.listed, None)?.value.clone();
        let close = self.tokens.closer(list.start, "[").filter(|close| close + 1 == list.end)?;
        let mut names = Keys::none();
        for item in self.tokens.split(list.start + 1..close) {
            let is_literal = item.len() == 1 && self.tokens.is_literal(item.start);
            let text = self.tokens.text(item.start);
            let name = without_quotes(text);
            // An escape is no part of a name.
            if !is_literal || name.len() + 2 != text.len() || name.contains('\\') {
                return None;
            }
            let start = self.tokens.range(item).start + 1;
            names.add(self.tokens, start..start + name.len());
        }
        let mut supplied = Keys::none();
        if let Some(some) = call.argument(methods.argument, None) {
            self.maps.read_map(some.value.clone(), &mut supplied);
        }
        let known = supplied.keys.into_iter().map(|key| key.name).collect();
        Some(ListedNames {
            keyword: methods.listed,
            list: self.tokens.range(list),
            names: names.keys.into_iter().map(|key| (key.name, key.range)).collect(),
            supplied: supplied.is_whole.then_some(known),
        })
    }

    /// The templates of other hosts that this one fills, and the calls that do so.
    ///
    /// Cost: the imported names, and the code after the uses of each.
    pub(crate) fn imported_templates(&self) -> Vec<Object<'s>> {
        let mut tables = recognisers(self.tokens.language).filter_map(|row| row.methods);
        // Whether the template is filled completely, its own host decides.
        let Some(methods) = tables.find(|methods| methods.is_strict) else { return Vec::new() };
        let names = self.outline.names.iter();
        let imported = names.filter(|(_, value)| matches!(value, Value::Import(_)));
        let mut found: Vec<Object<'s>> = Vec::new();
        for ((scope, name), _) in imported {
            // The first one is in the import.
            let Some(import) = self.maps.uses(*scope, name).next() else { continue };
            let uses = self.uses_of(import, *scope);
            if uses.len() > MAX_USES {
                found.push(self.cut(import));
                continue;
            }
            for used in uses {
                // Two maps are merged with the same sign.
                let may_be_map =
                    self.tokens.text(used.start - 1) == PIPE && self.tokens.text(used.end) != PIPE;
                if !may_be_map {
                    self.add_imported(used, methods, &mut found);
                }
            }
        }
        // The order of a map differs from run to run.
        found.sort_by_key(|object| object.token);
        found
    }

    /// An imported name with more uses than are followed.
    fn cut(&self, import: usize) -> Object<'s> {
        let call = self.tokens.range(import..import + 1);
        let (keys, is_whole, is_open) = (Vec::new(), false, true);
        let contract = Contract { call, keys, is_whole, is_open, is_own: false };
        let chain = vec![self.tokens.text(import)];
        Object { chain, token: import, is_called: false, contract }
    }

    /// Adds the objects that the use of an imported name is, with the calls that fill them: itself, a
    /// member of it, or the result of a call.
    fn add_imported(
        &self,
        name: Range<usize>,
        methods: &TemplateMethods,
        found: &mut Vec<Object<'s>>,
    ) {
        let (mut object, mut chain) = (name.clone(), vec![self.tokens.text(name.start)]);
        while self.tokens.text(object.end) == "."
            && self.tokens.is_word(object.end + 1)
            && !methods.has(self.tokens.text(object.end + 1))
        {
            chain.push(self.tokens.text(object.end + 1));
            object.end += 2;
        }
        let open = self.tokens.call_after(object.end - 1);
        let close = open.and_then(|open| self.tokens.partner(open));
        object.end = close.map_or(object.end, |close| close + 1);
        let ends = self.ends(object, methods, Keys::none());
        let whole = (self.tokens.range(name.clone()), true);
        let contracts = self.contracts(ends, methods, whole).into_iter();
        found.extend(contracts.map(|contract| Object {
            chain: chain.clone(),
            token: name.start,
            is_called: close.is_some(),
            contract,
        }));
    }

    /// The calls and other uses that an expression with a template leads to, which has some values
    /// already.
    fn ends(&self, template: Range<usize>, methods: &TemplateMethods, keys: Keys) -> Ends {
        let mut ends = Ends::default();
        let mut seen = HashSet::from([(template.start, template.end)]);
        let mut open = vec![(template, keys, 0)];
        while let Some((expression, keys, steps)) = open.pop() {
            match self.step(expression, methods, keys) {
                Next::Filled(calls) => ends.filled.extend(calls),
                Next::Lost(lost) => ends.lost.push(lost),
                Next::Expressions(all, keys) if all.len() > MAX_USES => {
                    ends.is_cut = true;
                    ends.lost.push(Lost { keys, changes: false });
                }
                Next::Expressions(all, keys) if steps < MAX_STEPS && !all.is_empty() => {
                    // A function may return its own result.
                    let new = all.into_iter().filter(|it| seen.insert((it.start, it.end)));
                    open.extend(new.map(|it| (it, keys.clone(), steps + 1)));
                }
                Next::Expressions(_, keys) => ends.lost.push(Lost { keys, changes: false }),
            }
        }
        ends.filled.sort_by_key(|(call, _)| call.start);
        ends
    }

    /// Reads the methods after an expression that is a template.
    fn step(&self, expression: Range<usize>, methods: &TemplateMethods, mut keys: Keys) -> Next {
        let Range { mut start, mut end } = expression;
        for method in self.methods_behind(end) {
            let is_it = |it: &&TemplateMethod| it.name == method.name;
            if let Some(fills) = methods.fills.iter().find(is_it) {
                let call = method.open - 1..method.close + 1;
                let calls = self.read_calls(&method, fills.takes, &keys).into_iter();
                let calls = calls.map(|mut keys| {
                    keys.keys.retain(|key| !methods.own.contains(&&*key.name));
                    (call.clone(), keys)
                });
                return Next::Filled(calls.collect());
            }
            match methods.partial.iter().find(is_it) {
                Some(partial) => {
                    let calls = self.read_calls(&method, partial.takes, &keys);
                    keys = calls.into_iter().next().unwrap_or(keys);
                    keys.preset();
                }
                None if methods.chains.contains(&method.name) => {}
                None => return Next::Lost(Lost { keys, changes: false }),
            }
            end = method.close + 1;
        }
        let mut with_part = keys.clone();
        if let Some(before) = self.part_before(start..end, methods, &mut with_part) {
            let Some(chain) = before.adding else {
                return Next::Filled(vec![(before.part, with_part)]);
            };
            with_part.preset();
            return Next::Expressions(vec![chain], with_part);
        }
        if let Some(sequence) = self.sequence_around(start..end, methods) {
            return Next::Expressions(vec![sequence], keys);
        }
        while start > 0 && self.tokens.text(start - 1) == "await" {
            start -= 1;
        }
        end = self.end_with_type(end);
        let is_first = self.tokens.text(end) == PIPE && !methods.chains.is_empty();
        let branches = self.branches_around(start..end, is_first, methods);
        if let Some(chain) = branches.or_else(|| self.wrapping(start..end, methods)) {
            return Next::Expressions(vec![chain], keys);
        }
        if let Some(open) = start.checked_sub(1)
            && let Some(close) = self.tokens.closer(open, "(")
            && (close == end || is_first)
        {
            let is_argument = open > 0
                && !self.tokens.starts_line(open)
                && (self.tokens.is_word(open - 1) || self.tokens.partner(open - 1).is_some())
                && !matches!(self.tokens.text(open - 1), "await" | "return" | "(" | "[" | "{");
            let whole = open..close + 1;
            return match is_argument {
                true => Next::Lost(Lost { keys, changes: false }),
                false => Next::Expressions(vec![whole], keys),
            };
        }
        match self.uses_of_value(start..end, is_first) {
            Some(uses) => Next::Expressions(uses, keys),
            None => Next::Lost(Lost { keys, changes: self.may_change(end, methods) }),
        }
    }

    /// `true` if the code after a template may set an attribute of it, or one of its values.
    fn may_change(&self, end: usize, methods: &TemplateMethods) -> bool {
        let Some(sign) = self.tokens.member_sign(end) else { return false };
        let is_set = self.tokens.text(sign + 2) == "=" && self.tokens.text(sign + 3) != "=";
        is_set || self.tokens.text(sign + 1) == methods.argument
    }

    /// The end of an expression with what only states its type: `x!`, `x as T`.
    fn end_with_type(&self, end: usize) -> usize {
        let end = end + usize::from(matches!(self.tokens.text(end), "!" | "!!"));
        if !grammar(self.tokens.language).casts.contains(&self.tokens.text(end)) {
            return end;
        }
        // The type ends with the statement, or before the bracket or comma after the expression.
        let of_statement = self.outline.statement_at(end).map_or(end, |it| it.tokens.end);
        let mut at = end;
        while at < of_statement && !matches!(self.tokens.text(at), ")" | "]" | "}" | "," | ";") {
            at = self.tokens.partner(at).filter(|close| *close > at).unwrap_or(at) + 1;
        }
        at
    }

    /// The values of the calls that a method makes, which are several for a list of maps. `known` are
    /// those from before.
    fn read_calls(&self, method: &Method<'_>, takes: Taken, known: &Keys) -> Vec<Keys> {
        let arguments = self.arguments(method);
        let argument = |keyword: &str| {
            let is_named = |it: &&Range<usize>| {
                self.tokens.text(it.start) == keyword && self.tokens.text(it.start + 1) == "="
            };
            let named = arguments.iter().find(is_named).map(|it| it.start + 2..it.end);
            named.or_else(|| arguments.first().cloned())
        };
        let with = |map: Option<Range<usize>>| {
            let mut keys = known.clone();
            match map {
                Some(map) => self.maps.read_map(map, &mut keys),
                None => keys.is_whole = false,
            }
            keys
        };
        match takes {
            Taken::Keywords => {
                let mut keys = known.clone();
                self.read_keywords(arguments, &mut keys);
                vec![keys]
            }
            Taken::KeywordsOrMap => {
                let mut keys = known.clone();
                match arguments.first().filter(|first| self.tokens.text(first.start) == "{") {
                    Some(map) => self.maps.read_map(map.clone(), &mut keys),
                    None => self.read_keywords(arguments, &mut keys),
                }
                // Whether these are options or values, the class of the chain decides.
                let count = keys.keys.len();
                keys.keys.retain(|key| !OPTIONS.contains(&&*key.name));
                keys.is_whole &= keys.keys.len() == count;
                vec![keys]
            }
            Taken::Map(keyword) => vec![with(argument(keyword))],
            Taken::Maps(keyword) => {
                let list = argument(keyword).and_then(|list| self.maps.listed_maps(list));
                match list {
                    Some(maps) => maps.into_iter().map(|map| with(Some(map))).collect(),
                    None => vec![with(None)],
                }
            }
        }
    }
}

impl TemplateMethods {
    /// `true` if templates have a method of this name that is followed.
    fn has(&self, name: &str) -> bool {
        let mut methods = self.fills.iter().chain(self.partial);
        methods.any(|it| it.name == name) || self.chains.contains(&name)
    }
}
