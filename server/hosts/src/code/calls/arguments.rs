//! The arguments of calls.

use std::ops::Range;

use super::object_arguments::ObjectReader;
use crate::code::grammars::grammar;
use crate::code::outline::objects::without_quotes;
use crate::code::recogniser::Recogniser;
use crate::code::rule::ArgumentPlace;
use crate::code::tokens::Tokens;

/// A call that takes prompts.
#[derive(Clone)]
pub(crate) struct Call {
    /// The row of the callee in the table.
    pub recogniser: &'static Recogniser,
    /// From the last name before the bracket to the closing bracket.
    pub tokens: Range<usize>,
    pub(crate) arguments: Vec<Argument>,
    /// The token of the innermost bracket around the call; `None` outside of brackets.
    pub around: Option<usize>,
    pub kind: CallKind,
    /// An argument that may hold further ones, which are unknown: `**options`.
    pub open: Option<Range<usize>>,
    /// `true` if that may also replace a prompt of the other arguments.
    pub may_change: bool,
    /// The calls of functions of the host whose arguments are a part of the prompts, the first one
    /// first.
    pub inlined: Vec<Inlined>,
    /// The parts of its prompts that are not written here.
    pub rest: Rest,
}

/// The parts of a prompt that a call does not have.
#[derive(Clone, Default)]
pub(crate) enum Rest {
    #[default]
    None,
    /// What another host puts before and after the text.
    Around,
    /// What an object has already, where these tokens extend it by the text.
    Before(Range<usize>),
}

/// A call of a function of the host.
#[derive(Clone, Debug)]
pub(crate) struct Inlined {
    pub function: usize,
    /// The brackets with the arguments, and all between them.
    pub brackets: Range<usize>,
}

/// The way in which a program passes arguments to a framework.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum CallKind {
    Direct,
    /// As the fields of this class.
    Fields(String),
    /// Through a function of its own.
    Factory,
}

/// An argument of a call.
#[derive(Clone, Debug)]
pub(crate) struct Argument {
    pub keyword: Option<String>,
    pub value: Range<usize>,
}

impl Argument {
    /// `true` if its keyword is one of these.
    pub fn is_one_of(&self, keywords: &[&str]) -> bool {
        self.keyword.as_deref().is_some_and(|keyword| keywords.contains(&keyword))
    }
}

impl Call {
    /// A call with these arguments and no others.
    pub fn new(
        recogniser: &'static Recogniser,
        tokens: Range<usize>,
        arguments: Vec<Argument>,
        kind: CallKind,
    ) -> Call {
        let (around, open, may_change) = (None, None, false);
        let (inlined, rest) = (Vec::new(), Rest::None);
        Call { recogniser, tokens, arguments, around, kind, open, may_change, inlined, rest }
    }

    /// The argument with a keyword, or else at a position.
    pub fn argument(&self, keyword: &str, position: Option<usize>) -> Option<&Argument> {
        argument(&self.arguments, keyword, position)
    }
}

/// The argument with a keyword, or else at a position.
pub(crate) fn argument<'a>(
    arguments: &'a [Argument],
    keyword: &str,
    position: Option<usize>,
) -> Option<&'a Argument> {
    by_keyword(arguments, keyword)
        .or_else(|| position.and_then(|position| by_position(arguments, position)))
}

fn by_keyword<'a>(arguments: &'a [Argument], keyword: &str) -> Option<&'a Argument> {
    arguments.iter().find(|argument| argument.keyword.as_deref() == Some(keyword))
}

fn by_position(arguments: &[Argument], position: usize) -> Option<&Argument> {
    arguments.get(position).filter(|argument| argument.keyword.is_none())
}

/// The argument that a rule refers to.
pub(crate) fn at_place<'a>(
    arguments: &'a [Argument],
    place: &ArgumentPlace,
) -> Option<&'a Argument> {
    match place {
        ArgumentPlace::Keyword(keyword) => by_keyword(arguments, keyword),
        ArgumentPlace::Position(position) => by_position(arguments, *position),
    }
}

/// The arguments between two brackets.
pub(crate) fn arguments(tokens: &Tokens<'_>, open: usize, close: usize) -> Vec<Argument> {
    let grammar = grammar(tokens.language);
    let sign = grammar.keyword_sign;
    let argument = |part: Range<usize>| {
        let has_keyword =
            tokens.is_word(part.start) && sign.is_some_and(|it| tokens.text(part.start + 1) == it);
        let keyword = has_keyword.then(|| tokens.text(part.start).to_owned());
        let start = part.start + if has_keyword { 2 } else { 0 };
        Argument { keyword, value: start.min(part.end)..part.end }
    };
    let mut arguments: Vec<_> = tokens.split(open + 1..close).into_iter().map(argument).collect();
    if grammar.has_options {
        let options = arguments.iter().flat_map(|it| options(tokens, it.value.clone()));
        let options: Vec<_> = options.collect();
        arguments.extend(options);
    }
    arguments
}

/// The same, with the arguments in objects that are passed as a whole, or that are a part of another:
/// `f(options)`, `f({...options, a: 1})`, `f(**options)`. Returns also the tokens of an object that may
/// hold others.
pub(super) fn arguments_with_objects(
    tokens: &Tokens<'_>,
    brackets: Range<usize>,
    reader: &mut ObjectReader<'_, '_>,
) -> (Vec<Argument>, Option<Range<usize>>) {
    let has_options = grammar(tokens.language).has_options;
    let mut open = None;
    let mut objects = Vec::new();
    for part in tokens.split(brackets.start + 1..brackets.end) {
        let close = tokens.closer(part.start, "{").filter(|it| has_options && it + 1 == part.end);
        let is_spread = matches!(tokens.text(part.start), "**" | "...");
        match close {
            Some(close) => objects.extend(tokens.split(part.start + 1..close)),
            None if is_spread || has_options && part.start == brackets.start + 1 => {
                objects.push(part);
            }
            None => {}
        }
    }
    for object in objects.into_iter().rev() {
        let is_spread = matches!(tokens.text(object.start), "**" | "...");
        let is_option = object.start > brackets.start + 1 && !is_spread;
        let is_text = tokens.is_literal(object.start) || tokens.text(object.start + 1) == "=>";
        if is_option {
            reader.note_key(without_quotes(tokens.text(object.start)));
        }
        if is_option || is_text {
            continue;
        }
        let value = object.start + usize::from(is_spread)..object.end;
        if !reader.read(value) {
            open.get_or_insert(object);
        }
    }
    // The first of two arguments counts.
    let mut all = arguments(tokens, brackets.start, brackets.end);
    all.extend(reader.found.arguments.iter().cloned());
    (all, open)
}

/// The arguments in the map that is the first argument between two brackets, perhaps with a keyword.
/// Returns also its tokens if it may hold others.
pub(super) fn map_argument(
    tokens: &Tokens<'_>,
    brackets: Range<usize>,
    reader: &mut ObjectReader<'_, '_>,
) -> (Vec<Argument>, Option<Range<usize>>) {
    let first = arguments(tokens, brackets.start, brackets.end).into_iter().next();
    let Some(Argument { value, .. }) = first else { return (Vec::new(), None) };
    let open = (!reader.read(value.clone())).then_some(value);
    (reader.found.arguments.clone(), open)
}

/// The options of an argument that is an object with keys.
pub(super) fn options(tokens: &Tokens<'_>, argument: Range<usize>) -> Vec<Argument> {
    let close = tokens.closer(argument.start, "{").filter(|close| close + 1 == argument.end);
    let Some(close) = close else { return Vec::new() };
    let option = |part: Range<usize>| {
        let key = tokens.text(part.start);
        let value = match tokens.text(part.start + 1) {
            ":" => part.start + 2..part.end,
            // A name alone is both key and value (shorthand).
            _ if part.len() == 1 && tokens.is_word(part.start) => part,
            _ => return None,
        };
        let keyword = Some(key.trim_matches(['\'', '"']).to_owned());
        Some(Argument { keyword, value })
    };
    tokens.split(argument.start + 1..close).into_iter().filter_map(option).collect()
}

/// The chained method calls after an expression, as arguments, and the end of the chain. Of two
/// with one name, the last counts.
pub(crate) fn chain(tokens: &Tokens<'_>, start: usize) -> (Vec<Argument>, usize) {
    let mut arguments: Vec<Argument> = Vec::new();
    let mut at = start;
    while tokens.text(at) == "." && tokens.is_word(at + 1) {
        let name = at + 1;
        at += 2;
        if let Some(close) = tokens.closer(at, "(") {
            let keyword = Some(tokens.text(name).to_owned());
            arguments.push(Argument { keyword, value: at + 1..close });
            at = close + 1;
        }
        // Kotlin's lambdas follow the brackets, or replace them.
        at = tokens.closer(at, "{").map_or(at, |close| close + 1);
    }
    arguments.reverse();
    (arguments, at)
}

/// The closing partner of an argument bracket.
pub(crate) fn closer(tokens: &Tokens<'_>, open: usize) -> Option<usize> {
    let brackets = grammar(tokens.language).brackets;
    brackets.iter().find_map(|bracket| tokens.closer(open, bracket))
}

/// The argument with a keyword of the call with this bracket.
pub(crate) fn argument_of(tokens: &Tokens<'_>, open: usize, keyword: &str) -> Option<Argument> {
    let close = closer(tokens, open).filter(|_| open > 0 && tokens.is_word(open - 1))?;
    by_keyword(&arguments(tokens, open, close), keyword).cloned()
}
