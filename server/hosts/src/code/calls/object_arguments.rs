//! The arguments in objects that are passed as a whole: `f(**OPTIONS)`, `f({...options})`,
//! `f(make_options("…"))`.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::ops::Range;

use super::arguments::{Argument, Inlined};
use crate::code::grammars::grammar;
use crate::code::outline::objects::without_quotes;
use crate::code::outline::{Outline, Value};
use crate::code::tokens::Tokens;
use crate::language::Language;

/// The maximum number of objects that are parts of each other.
const MAX_DEPTH: usize = 8;

/// The maximum number of objects that functions return for a call.
const MAX_RETURNED: usize = 20;

/// The maximum number of uses of an object that code changes; of more, its arguments are unknown.
const MAX_USES: usize = 200;

/// The tokens of the names whose objects code changes.
pub(super) type Uses<'s> = OnceCell<HashMap<&'s str, Vec<usize>>>;

/// The arguments that objects hold. Of two with one keyword, the first counts.
#[derive(Default)]
pub(super) struct ObjectArguments {
    pub arguments: Vec<Argument>,
    /// Those that code sets after it has created an object. Each may be the last one.
    pub later: Vec<Argument>,
    /// Those of the objects that functions of the host return, with the calls, the outermost first.
    pub returned: Vec<(Vec<Inlined>, Vec<Argument>)>,
    /// `true` if an unknown object that counts first may have a prompt which is also here.
    pub may_change: bool,
}

/// Reads the arguments that objects hold.
pub(super) struct ObjectReader<'r, 's> {
    tokens: &'r Tokens<'s>,
    outline: &'r Outline<'s>,
    /// The keywords of the prompts of the call.
    keywords: &'r [&'static str],
    uses: &'r Uses<'s>,
    pub found: ObjectArguments,
    depth: usize,
    /// `true` after an object that may hold further arguments.
    is_open: bool,
}

impl<'r, 's> ObjectReader<'r, 's> {
    pub fn new(
        tokens: &'r Tokens<'s>,
        outline: &'r Outline<'s>,
        keywords: &'r [&'static str],
        uses: &'r Uses<'s>,
    ) -> Self {
        ObjectReader {
            tokens,
            outline,
            keywords,
            uses,
            found: ObjectArguments::default(),
            depth: 0,
            is_open: false,
        }
    }

    /// Reads an object before those that count first. Returns `false` if it may hold further
    /// arguments, which are unknown.
    pub fn read(&mut self, value: Range<usize>) -> bool {
        if value.is_empty() || self.depth > MAX_DEPTH {
            self.is_open = true;
            return false;
        }
        self.depth += 1;
        let is_known = self.expression(value);
        self.depth -= 1;
        self.is_open |= !is_known;
        is_known
    }

    fn expression(&mut self, value: Range<usize>) -> bool {
        let tokens = self.tokens;
        let value = self.without_cast(value);
        if value.len() == 1 && tokens.is_word(value.start) {
            return self.named(value.start);
        }
        if let Some(close) = tokens.closer(value.start, "{").filter(|it| it + 1 == value.end) {
            return self.parts(value.start + 1..close);
        }
        if tokens.language == Language::Python {
            let signs = tokens.at_depth(value.clone()).filter(|at| tokens.text(*at) == "|");
            let signs: Vec<usize> = signs.collect();
            if !signs.is_empty() {
                let starts = std::iter::once(value.start).chain(signs.iter().map(|it| it + 1));
                let ends = signs.iter().copied().chain([value.end]);
                let operands: Vec<_> = starts.zip(ends).map(|(start, end)| start..end).collect();
                return self.all(operands);
            }
        }
        let open = tokens.partner(value.end - 1).filter(|open| *open > value.start);
        let callee = open.and_then(|open| Some((open, tokens.callee_before(open, value.start)?)));
        let Some((open, callee)) = callee else { return false };
        let inside = open + 1..value.end - 1;
        match (tokens.language, &*callee) {
            (Language::Python, "dict") => self.keywords_of_dict(inside),
            (_, "Object.freeze" | "MappingProxyType" | "types.MappingProxyType") => {
                self.read(inside)
            }
            (_, "Object.assign") => {
                let parts = tokens.split(inside);
                self.all(parts)
            }
            _ => self.returned(&callee, open..value.end),
        }
    }

    /// Reads objects of which the last one counts first.
    fn all(&mut self, objects: Vec<Range<usize>>) -> bool {
        let mut is_known = true;
        for object in objects.into_iter().rev() {
            is_known &= self.read(object);
        }
        is_known
    }

    /// An object without the cast after it: `{…} as Options`.
    fn without_cast(&self, value: Range<usize>) -> Range<usize> {
        let casts = grammar(self.tokens.language).casts;
        let is_cast = |at: &usize| casts.contains(&self.tokens.text(*at));
        let end = self.tokens.at_depth(value.clone()).find(is_cast);
        let mut value = value.start..end.unwrap_or(value.end);
        while let Some(close) = self.tokens.closer(value.start, "(")
            && close + 1 == value.end
            && value.len() > 2
        {
            value = value.start + 1..close;
        }
        value
    }

    /// Reads the keys and values between two braces.
    pub fn parts(&mut self, inside: Range<usize>) -> bool {
        let tokens = self.tokens;
        let is_script = grammar(tokens.language).has_options;
        let mut is_known = true;
        for part in tokens.split(inside).into_iter().rev() {
            let (first, sign) = (tokens.text(part.start), tokens.text(part.start + 1));
            let is_key = tokens.is_literal(part.start) || is_script && tokens.is_word(part.start);
            if matches!(first, "**" | "...") {
                is_known &= self.read(part.start + 1..part.end);
            } else if is_key && sign == ":" {
                self.add(without_quotes(first), part.start + 2..part.end);
            } else if is_key && is_script && part.len() == 1 {
                // A name alone is both key and value.
                self.add(first, part);
            } else {
                // A method, or a computed key.
                is_known &= is_script && tokens.is_word(part.start);
            }
        }
        is_known
    }

    /// Reads the arguments of `dict(…)`.
    fn keywords_of_dict(&mut self, inside: Range<usize>) -> bool {
        let tokens = self.tokens;
        let mut is_known = true;
        for part in tokens.split(inside).into_iter().rev() {
            if tokens.text(part.start) == "**" {
                is_known &= self.read(part.start + 1..part.end);
            } else if tokens.is_word(part.start) && tokens.text(part.start + 1) == "=" {
                self.add(tokens.text(part.start), part.start + 2..part.end);
            } else {
                is_known &= self.read(part);
            }
        }
        is_known
    }

    fn add(&mut self, keyword: &str, value: Range<usize>) {
        self.note_key(keyword);
        self.found.arguments.push(Argument { keyword: Some(keyword.to_owned()), value });
    }

    /// Notes a key before the objects that were read.
    pub fn note_key(&mut self, keyword: &str) {
        self.found.may_change |= self.is_open && self.keywords.contains(&keyword);
    }

    /// Reads the object that is the value of a name, and what code sets in it.
    fn named(&mut self, at: usize) -> bool {
        let (tokens, outline) = (self.tokens, self.outline);
        let name = tokens.text(at);
        let Some((scope, value)) = outline.value(outline.scope_at(at), name) else { return false };
        let value = match value {
            Value::Assigned(index) => match outline.assignments[*index].values.as_slice() {
                [only] if !outline.assignments[*index].is_given => Some(only.clone()),
                _ => None,
            },
            Value::Expression(value) => Some(value.clone()),
            _ => None,
        };
        let is_known = value.is_some_and(|value| match tokens.text(value.start) {
            "{" | "Object" => self.read(value),
            "dict" => {
                // A call by name is not followed.
                let mut words = value.map(|at| tokens.text(at));
                !words.any(|word| word == "**" || self.keywords.contains(&word))
            }
            _ => self.read(value),
        });
        self.changes(scope, name) && is_known
    }

    /// Reads what code sets in the object that a name of a scope stands for.
    fn changes(&mut self, scope: usize, name: &'s str) -> bool {
        let (tokens, outline) = (self.tokens, self.outline);
        if !outline.changed.contains(name) {
            return true;
        }
        let uses = self.uses.get_or_init(|| {
            let mut uses: HashMap<&str, Vec<usize>> = HashMap::new();
            for at in (0..tokens.all.len()).filter(|at| tokens.is_word(*at)) {
                let name = tokens.text(at);
                if outline.changed.contains(name) {
                    uses.entry(name).or_default().push(at);
                }
            }
            uses
        });
        let uses = uses.get(name).map_or(&[][..], Vec::as_slice);
        let mut is_known = uses.len() <= MAX_USES;
        for at in uses.iter().copied().take(MAX_USES) {
            let is_member = at > 0 && tokens.text(at - 1) == ".";
            let declared = outline.value(outline.scope_at(at), name).map(|(scope, _)| scope);
            if !is_member && declared == Some(scope) {
                is_known &= self.change(at);
            }
        }
        is_known
    }

    /// Reads what code sets in an object whose name is at a token.
    fn change(&mut self, at: usize) -> bool {
        let tokens = self.tokens;
        match (tokens.text(at + 1), tokens.text(at + 2), tokens.text(at + 3)) {
            ("[", key, "]") if tokens.is_literal(at + 2) => {
                self.set(without_quotes(key), at, at + 4)
            }
            ("[", ..) => tokens.partner(at + 1).is_none_or(|close| !sets(tokens.text(close + 1))),
            (".", "setdefault", "(") => {
                let close = tokens.partner(at + 3).unwrap_or(at + 3);
                match tokens.split(at + 4..close).as_slice() {
                    [key, value] if key.len() == 1 && tokens.is_literal(key.start) => {
                        let keyword = Some(without_quotes(tokens.text(key.start)).to_owned());
                        self.found.later.push(Argument { keyword, value: value.clone() });
                        true
                    }
                    _ => false,
                }
            }
            (".", "update", "(") => {
                let close = tokens.partner(at + 3).unwrap_or(at + 4);
                self.later(|it| it.keywords_of_dict(at + 4..close))
            }
            (".", key, _) if grammar(tokens.language).has_options => self.set(key, at, at + 3),
            (",", ..)
                if at > 2 && tokens.text(at - 1) == "(" && tokens.text(at - 2) == "assign" =>
            {
                let close = tokens.partner(at - 1).unwrap_or(at + 2);
                let parts = tokens.split(at + 2..close);
                self.later(|it| it.all(parts))
            }
            _ => true,
        }
    }

    /// Adds the value that a sign sets for a key of the object whose name is at a token.
    fn set(&mut self, key: &str, at: usize, sign: usize) -> bool {
        let statement = self.outline.statement_at(at);
        match (self.tokens.text(sign), statement) {
            ("=", Some(statement)) if sign + 1 < statement.tokens.end => {
                let value = sign + 1..statement.tokens.end;
                self.found.later.push(Argument { keyword: Some(key.to_owned()), value });
                true
            }
            (sign, _) => !sets(sign) || !self.keywords.contains(&key),
        }
    }

    /// Reads arguments that code sets after it has created an object.
    fn later(&mut self, read: impl FnOnce(&mut Self) -> bool) -> bool {
        let around = std::mem::take(&mut self.found);
        let is_known = read(self);
        let own = std::mem::replace(&mut self.found, around);
        self.found.later.extend(own.arguments);
        self.found.later.extend(own.later);
        is_known && own.returned.is_empty()
    }

    /// Reads the objects that a function of the host returns; `brackets` are those of its call.
    fn returned(&mut self, callee: &str, brackets: Range<usize>) -> bool {
        let (tokens, outline) = (self.tokens, self.outline);
        let name = brackets.start - 1;
        let found = outline.called(outline.scope_at(name), tokens.text(name));
        let Some((_, Value::Function(function))) = found.filter(|_| !callee.contains('.')) else {
            return false;
        };
        let known = &outline.functions[*function];
        let is_one = known.is_plain && !known.is_async && known.always_returns_a_value();
        if !is_one || known.returns.len() + self.found.returned.len() > MAX_RETURNED {
            return false;
        }
        let mut is_known = !known.returns.is_empty();
        for value in &known.returns {
            let around = std::mem::take(&mut self.found);
            is_known &= self.read(value.clone());
            let own = std::mem::replace(&mut self.found, around);
            let call = Inlined { function: *function, brackets: brackets.clone() };
            let of_call = |inner: Vec<Inlined>| [vec![call.clone()], inner].concat();
            for later in own.later {
                let arguments = [vec![later], own.arguments.clone()].concat();
                self.found.returned.push((of_call(Vec::new()), arguments));
            }
            let inner = own.returned.into_iter();
            self.found.returned.extend(inner.map(|(inner, all)| (of_call(inner), all)));
            self.found.returned.push((of_call(Vec::new()), own.arguments));
        }
        is_known
    }
}

/// `true` for a sign that sets or changes a value.
fn sets(sign: &str) -> bool {
    sign.ends_with('=') && !matches!(sign, "==" | "!=" | "<=" | ">=" | "===" | "!==")
}
