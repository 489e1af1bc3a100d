//! Arguments that a program sets after it has created an object of a framework:
//! `agent.instruction = "…"`, `builder.instruction("…")`.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::arguments::{Argument, Call, CallKind, argument_of, chain, options};
use crate::code::callees::Callees;
use crate::code::outline::Outline;
use crate::code::recogniser::Shape;
use crate::code::tokens::Tokens;

/// The maximum number of names of a variable: `self.agents.first`.
const MAX_NAMES: usize = 4;

/// Methods that copy an object, with other arguments in `update`.
const COPIES: [&str; 2] = ["clone", "model_copy"];

/// The calls that set arguments of objects which other calls of the host have created, with the
/// other arguments of these.
///
/// Cost: the tokens, if any such object has a name.
pub(super) fn calls_on_objects<'s>(
    tokens: &Tokens<'s>,
    outline: &Outline<'s>,
    callees: &Callees<'_, 's>,
    created: &[(usize, Call)],
) -> Vec<(usize, Call)> {
    let given = parameters(tokens, outline, callees);
    let mut objects: HashMap<Variable<'_>, Vec<&(usize, Call)>> = HashMap::new();
    for created in created {
        let name = created_as(tokens, outline, &created.1);
        if let Some(variable) = name.and_then(|name| variable(tokens, outline, name)) {
            objects.entry(variable).or_default().push(created);
        }
    }
    for (variable, call) in &given {
        objects.entry(variable.clone()).or_insert_with(|| vec![call]);
    }
    let last_names: HashSet<&str> = objects.keys().filter_map(|it| it.1.last().copied()).collect();
    let mut calls = Vec::new();
    for at in 0..tokens.all.len() {
        if tokens.text(at + 1) != "." || !last_names.contains(tokens.text(at)) {
            continue;
        }
        let objects = variable(tokens, outline, at).and_then(|it| objects.get(&it));
        let Some(objects) = objects else { continue };
        let before = objects.partition_point(|(_, call)| call.tokens.end <= at);
        let Some((row, call)) = before.checked_sub(1).map(|last| objects[last]) else { continue };
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
        calls.push((*row, Call::new(call.recogniser, at..end, arguments, CallKind::Factory)));
    }
    calls
}

/// The parameters of functions whose type is a class of a framework, as calls without arguments.
fn parameters<'s>(
    tokens: &Tokens<'s>,
    outline: &Outline<'s>,
    callees: &Callees<'_, 's>,
) -> Vec<(Variable<'s>, (usize, Call))> {
    let mut found = Vec::new();
    for function in &outline.functions {
        for part in tokens.split(function.parameters.clone()) {
            let row = (part.len() > 2 && tokens.text(part.start + 1) == ":")
                .then(|| callees.row_of_type(outline, part.start + 2..part.end));
            let Some(row) = row.flatten() else { continue };
            let recogniser = callees.row(row);
            let call = Call::new(recogniser, part.clone(), Vec::new(), CallKind::Factory);
            found.push(((function.scope, vec![tokens.text(part.start)]), (row, call)));
        }
    }
    found
}

/// A scope, and the names of a variable in it: `self.agents.first`.
type Variable<'s> = (usize, Vec<&'s str>);

/// The last name of the variable whose value is a call.
fn created_as(tokens: &Tokens<'_>, outline: &Outline<'_>, call: &Call) -> Option<usize> {
    let statement = outline.statement_at(call.tokens.start)?;
    let mut head = call.tokens.start;
    while head > statement.tokens.start + 1 {
        head -= match tokens.text(head - 1) {
            "." if tokens.is_word(head - 2) => 2,
            "new" | "await" | "&" => 1,
            _ => break,
        };
    }
    let sign = head.checked_sub(1).map(|sign| tokens.text(sign));
    statement.target.filter(|_| matches!(sign, Some("=" | ":=")))
}

/// The variable whose last name is at a token, with the scope that has it.
fn variable<'s>(tokens: &Tokens<'s>, outline: &Outline<'s>, last: usize) -> Option<Variable<'s>> {
    let names = names(tokens, last);
    let mut around = outline.outwards(outline.scope_at(last));
    let scope = match names.first()? {
        &("self" | "this") => around.find(|it| outline.class_name(*it).is_some()),
        name => outline.value(outline.scope_at(last), name).map(|(scope, _)| scope),
    };
    Some((scope?, names)).filter(|(_, names)| names.len() <= MAX_NAMES)
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
    let is_copied = COPIES.contains(&tokens.text(object + 2));
    let close = tokens.closer(open, "(").filter(|_| is_copied)?;
    let update = argument_of(tokens, open, "update")?;
    Some((options(tokens, update.value), close + 1))
}
