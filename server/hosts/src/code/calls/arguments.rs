//! The arguments of calls.

use std::ops::Range;

use crate::code::grammars::grammar;
use crate::code::outline::Outline;
use crate::code::outline::objects::{parts_of_object, without_quotes};
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
    /// The calls of functions of the host whose arguments are a part of the prompts, the first one
    /// first.
    pub inlined: Vec<Inlined>,
    /// `true` if the texts are only a part of the prompt, the rest of which another host has.
    pub is_part: bool,
}

impl Call {
    /// A call outside of brackets, with these arguments and no others.
    pub fn new(
        recogniser: &'static Recogniser,
        tokens: Range<usize>,
        arguments: Vec<Argument>,
        kind: CallKind,
    ) -> Call {
        let (around, open, inlined, is_part) = (None, None, Vec::new(), false);
        Call { recogniser, tokens, arguments, around, kind, open, inlined, is_part }
    }
}

/// A call of a function of the host.
#[derive(Clone, Debug)]
pub(crate) struct Inlined {
    pub function: usize,
    /// The brackets with the arguments, and all between them.
    pub brackets: Range<usize>,
}

/// The way in which a program passes arguments to a framework.
#[derive(Clone)]
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

impl Call {
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

/// The same, with the options of objects that are passed by name, or that are a part of another by
/// name: `f(options)`, `f({...options, a: 1})`.
pub(super) fn arguments_with_names(
    tokens: &Tokens<'_>,
    outline: &Outline<'_>,
    open: usize,
    close: usize,
) -> Vec<Argument> {
    let mut arguments = arguments(tokens, open, close);
    if !grammar(tokens.language).has_options {
        let parts = tokens.split(open + 1..close).into_iter();
        let spread = parts.filter(|part| tokens.text(part.start) == "**");
        let spread = spread.flat_map(|part| keywords_of(tokens, outline, part.start + 1..part.end));
        arguments.extend(spread.collect::<Vec<_>>());
        return arguments;
    }
    let mut named: Vec<Argument> = Vec::new();
    for part in tokens.split(open + 1..close) {
        if part.len() == 1 && tokens.is_word(part.start) {
            named.extend(options_of_name(tokens, outline, part.start));
            continue;
        }
        let Some(end) = tokens.closer(part.start, "{") else { continue };
        let parts = tokens.split(part.start + 1..end);
        // What follows a key may have the same.
        let spread = parts.iter().rposition(|part| tokens.text(part.start) == "...");
        if spread == Some(0) && parts[0].len() == 2 {
            named.extend(options_of_name(tokens, outline, parts[0].start + 1));
        }
    }
    // The first of two arguments counts.
    arguments.extend(named);
    arguments
}

/// The argument between two brackets that may hold one with a keyword which is not written there:
/// `**options`, `...options`, and in scripts an object with a name.
pub(super) fn open_argument(
    tokens: &Tokens<'_>,
    outline: &Outline<'_>,
    brackets: Range<usize>,
    keywords: &[&str],
) -> Option<Range<usize>> {
    let has_options = grammar(tokens.language).has_options;
    let parts = tokens.split(brackets.start + 1..brackets.end);
    let parts = match parts.as_slice() {
        [only] if has_options => match tokens.closer(only.start, "{") {
            Some(close) => tokens.split(only.start + 1..close),
            None => parts,
        },
        _ => parts,
    };
    let open = parts.into_iter().rev().find(|part| {
        let is_name = has_options && part.len() == 1 && tokens.is_word(part.start);
        let is_whole = is_name && part.start == brackets.start + 1;
        is_whole || matches!(tokens.text(part.start), "**" | "...")
    })?;
    // An object of this host may have only other keys.
    let name = open.end - 1;
    let object = outline.object(outline.scope_at(name), tokens.text(name));
    let mut keys = object.filter(|object| {
        let close = tokens.closer(object.start, "{");
        open.len() <= 2 && close.is_some_and(|close| close + 1 == object.end)
    });
    let is_key = |token: usize| {
        let key = without_quotes(tokens.text(token));
        matches!(key, "**" | "...") || keywords.contains(&key)
    };
    let may_hold = keys.as_mut().is_none_or(|keys| keys.any(is_key));
    may_hold.then_some(open)
}

/// The arguments in a dictionary, or in a constant that is one: `**{"a": 1}`, `**OPTIONS`.
fn keywords_of(tokens: &Tokens<'_>, outline: &Outline<'_>, value: Range<usize>) -> Vec<Argument> {
    let object = match value.len() {
        // A call by name is not followed.
        1 => outline
            .object(outline.scope_at(value.start), tokens.text(value.start))
            .filter(|object| tokens.text(object.start) == "{"),
        _ => Some(value),
    };
    let Some((parts, sign)) = object.and_then(|it| parts_of_object(tokens, it)) else {
        return Vec::new();
    };
    let parts = tokens.split(parts);
    let is_spread = |part: &Range<usize>| tokens.text(part.start) == "**";
    let after = parts.iter().rposition(is_spread).map_or(0, |spread| spread + 1);
    let keyword = |part: &Range<usize>| {
        let keyword = Some(without_quotes(tokens.text(part.start)).to_owned());
        let value = part.start + 2..part.end;
        (tokens.text(part.start + 1) == sign).then_some(Argument { keyword, value })
    };
    parts[after..].iter().filter_map(keyword).collect()
}

/// The options of a constant that is an object.
fn options_of_name(tokens: &Tokens<'_>, outline: &Outline<'_>, name: usize) -> Vec<Argument> {
    let scope = outline.scope_at(name);
    let Some(object) = outline.object(scope, tokens.text(name)) else { return Vec::new() };
    let Some((parts, ":")) = parts_of_object(tokens, object) else { return Vec::new() };
    let has_spread = tokens.split(parts.clone()).iter().any(|it| tokens.text(it.start) == "...");
    if has_spread {
        return Vec::new();
    }
    options(tokens, parts.start - 1..parts.end + 1)
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
pub(super) fn chain(tokens: &Tokens<'_>, start: usize) -> (Vec<Argument>, usize) {
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
