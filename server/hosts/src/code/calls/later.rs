//! Arguments that a program sets after it has created an object of a framework:
//! `agent.instruction = "…"`, `builder.instruction("…")`.

use std::collections::HashMap;
use std::ops::Range;

use super::arguments::{Argument, Call, CallKind, argument_of, chain, options};
use crate::code::outline::Outline;
use crate::code::recogniser::Shape;
use crate::code::tokens::Tokens;

/// The maximum number of names of a variable: `self.agents.first`.
const MAX_NAMES: usize = 4;

/// The calls that set arguments of objects which other calls of the host have created, with the
/// other arguments of these.
///
/// Cost: the tokens, if any such object has a name.
pub(super) fn calls_on_objects(
    tokens: &Tokens<'_>,
    outline: &Outline<'_>,
    created: &[(usize, Call)],
) -> Vec<(usize, Call)> {
    let mut objects: HashMap<&str, Vec<(usize, &Call)>> = HashMap::new();
    for (row, call) in created {
        if let Some(name) = variable(tokens, outline, call) {
            objects.entry(tokens.text(name)).or_default().push((*row, call));
        }
    }
    let mut calls = Vec::new();
    if objects.is_empty() {
        return calls;
    }
    for at in 0..tokens.all.len() {
        let Some(objects) = objects.get(tokens.text(at)).filter(|_| tokens.text(at + 1) == ".")
        else {
            continue;
        };
        let is_before = |(_, call): &&(usize, &Call)| {
            let name = variable(tokens, outline, call);
            call.tokens.end <= at && name.is_some_and(|name| is_same(tokens, outline, name, at))
        };
        let Some((row, call)) = objects.iter().rev().find(is_before) else { continue };
        let (mut arguments, end) = match call.recogniser.shape {
            Shape::Chain => chain(tokens, at + 1),
            Shape::Call => match assigned(tokens, outline, at).or_else(|| copied(tokens, at)) {
                Some(found) => found,
                None => continue,
            },
            Shape::Method(_) => continue,
        };
        let is_prompt = |argument: &Argument| {
            let mut parameters = call.recogniser.parameters.iter();
            parameters.any(|parameter| argument.keyword.as_deref() == Some(parameter.keyword))
        };
        if !arguments.iter().any(is_prompt) {
            continue;
        }
        // The first of two arguments counts.
        arguments.extend(call.arguments.iter().cloned());
        let (recogniser, kind) = (call.recogniser, CallKind::Factory);
        let tokens = at..end;
        let call = Call { recogniser, tokens, arguments, around: None, kind, open: None };
        calls.push((*row, call));
    }
    calls
}

/// The last name of the variable whose value is a call.
fn variable(tokens: &Tokens<'_>, outline: &Outline<'_>, call: &Call) -> Option<usize> {
    let statement = outline.statement_at(call.tokens.start)?;
    let mut head = call.tokens.start;
    while head > statement.tokens.start + 1
        && (tokens.text(head - 1) == "." && tokens.is_word(head - 2)
            || matches!(tokens.text(head - 1), "new" | "await" | "&"))
    {
        head -= if tokens.text(head - 1) == "." { 2 } else { 1 };
    }
    let sign = head.checked_sub(1).map(|sign| tokens.text(sign));
    statement.target.filter(|_| matches!(sign, Some("=" | ":=")))
}

/// `true` if names at two tokens, with those before them, are the same variable.
fn is_same(tokens: &Tokens<'_>, outline: &Outline<'_>, one: usize, other: usize) -> bool {
    let (names, others) = (names(tokens, one), names(tokens, other));
    if names != others || names.len() > MAX_NAMES {
        return false;
    }
    let scope = |token: usize| {
        let mut around = outline.outwards(outline.scope_at(token));
        match names.first() {
            Some(&("self" | "this")) => around.find(|it| outline.class_name(*it).is_some()),
            Some(name) => outline.value(outline.scope_at(token), name).map(|(scope, _)| scope),
            None => None,
        }
    };
    scope(one).is_some() && scope(one) == scope(other)
}

/// The names with dots between them that end at a token.
fn names<'s>(tokens: &Tokens<'s>, last: usize) -> Vec<&'s str> {
    let mut names = vec![tokens.text(last)];
    let mut at = last;
    while at > 1 && tokens.text(at - 1) == "." && names.len() <= MAX_NAMES {
        at -= 2;
        names.push(tokens.text(at));
    }
    names.reverse();
    names
}

/// The argument that is assigned to an object whose name is at a token, and the position after it:
/// `agent.instruction = "…"`.
fn assigned(
    tokens: &Tokens<'_>,
    outline: &Outline<'_>,
    object: usize,
) -> Option<(Vec<Argument>, usize)> {
    let (keyword, sign) = (object + 2, object + 3);
    let is_assigned = tokens.is_word(keyword) && tokens.text(sign) == "=";
    let statement = outline.statement_at(object).filter(|_| is_assigned)?;
    let value: Range<usize> = sign + 1..statement.tokens.end;
    let end = value.end;
    let keyword = Some(tokens.text(keyword).to_owned());
    (!value.is_empty()).then(|| (vec![Argument { keyword, value }], end))
}

/// The arguments of a copy of an object whose name is at a token, and the position after them:
/// `agent.clone(update={"instruction": "…"})`.
fn copied(tokens: &Tokens<'_>, object: usize) -> Option<(Vec<Argument>, usize)> {
    let open = object + 3;
    let close = tokens.closer(open, "(").filter(|_| tokens.text(object + 2) == "clone")?;
    let update = argument_of(tokens, open, "update")?;
    Some((options(tokens, update.value), close + 1))
}
