//! Framework calls, and their arguments.

mod arguments;
pub(crate) mod callee;
pub(crate) mod chats;
mod later;
mod messages;

use std::collections::BTreeSet;

use super::callees::Callees;
use super::grammars::grammar;
use super::outline::{Outline, Value};
use super::recogniser::{NamedBy, Shape};
use super::tokens::Tokens;
pub(crate) use arguments::{
    Argument, Call, CallKind, Inlined, argument, argument_of, arguments, at_place, closer,
};
use arguments::{arguments_with_names, chain, open_argument};
pub(crate) use messages::{ArgumentText, ArgumentTexts, ListedMessage, texts};

/// The maximum number of functions between a text and the framework call that gets it.
const MAX_LEVELS: usize = 3;

/// All framework calls, in order, and the classes of the host that are agents with fields.
///
/// Cost: the tokens, and the imports for each call with a name in the table.
pub(crate) fn calls<'s>(
    tokens: &Tokens<'s>,
    outline: &Outline<'s>,
    callees: &mut Callees<'_, 's>,
) -> Vec<Call> {
    let mut calls = fields(tokens, outline, callees);
    let keywords = callees.keywords();
    if !callees.has_any() && keywords.is_empty() && !callees.have_named_factories() {
        return calls;
    }
    let mut direct: Vec<(usize, Call)> = Vec::new();
    let mut around: Vec<usize> = Vec::new();
    // The brackets of calls with a keyword of an agent, or with the name of a class, or of a function
    // that passes its parameters to one.
    let mut promising: BTreeSet<usize> = BTreeSet::new();
    for open in 0..tokens.all.len() {
        let Some(close) = tokens.partner(open) else {
            if keywords.contains(tokens.text(open)) {
                promising.extend(call_around(tokens, &around, open));
            }
            continue;
        };
        if close < open {
            around.pop();
            continue;
        }
        let outer = around.last().copied();
        around.push(open);
        if open == 0 || closer(tokens, open).is_none() {
            continue;
        }
        if callees.may_take_prompts(open) {
            promising.insert(open);
        }
        for row in callees.rows_of(outline, open) {
            let recogniser = callees.row(row);
            let (arguments, end) = match recogniser.shape {
                Shape::Call | Shape::Method(_) => {
                    (arguments_with_names(tokens, outline, open, close), close + 1)
                }
                Shape::Chain => chain(tokens, close + 1),
            };
            promising.remove(&open);
            let name = tokens.before_call(open);
            let range = name..end;
            let keywords: Vec<&str> = recogniser.parameters.iter().map(|it| it.keyword).collect();
            // What a class passes on to its base are arguments of its own calls.
            let is_base = grammar(tokens.language).base.last() == Some(&tokens.text(name));
            let open = match recogniser.shape {
                Shape::Call if !is_base => open_argument(tokens, outline, open..close, &keywords),
                _ => None,
            };
            let call = Call::new(recogniser, range, arguments, CallKind::Direct);
            let call = Call { around: outer, open, ..call };
            direct.push((row, call));
        }
    }
    direct.extend(later::calls_on_objects(tokens, outline, callees, &direct));
    // Functions that call those of the level before are factories, too.
    for _ in 0..MAX_LEVELS {
        let (has_new, defaults) = callees.add_factories(outline, &direct);
        calls.extend(direct.drain(..).map(|(_, call)| call));
        calls.extend(defaults);
        if has_new || !callees.have_called_known() {
            direct = callees.calls_of_factories(outline);
        }
    }
    calls.extend(direct.into_iter().map(|(_, call)| call));
    for open in promising {
        if callees.rows_of(outline, open).is_empty() && !callees.is_declaration(open) {
            callees.note_unknown(outline, outline.scope_at(open), &tokens.callee(open));
        }
    }
    calls
}

/// The bracket of the call that has a keyword.
fn call_around(tokens: &Tokens<'_>, around: &[usize], keyword: usize) -> Option<usize> {
    let grammar = grammar(tokens.language);
    let sign = if grammar.has_options { Some(":") } else { grammar.keyword_sign };
    let (last, outer) = around.split_last().filter(|(last, _)| **last > 0)?;
    let is_keyword = sign == Some(tokens.text(keyword + 1)) && tokens.is_word(keyword);
    match grammar.has_options {
        _ if !is_keyword => None,
        true => outer
            .last()
            .copied()
            .filter(|open| *open > 0 && tokens.text(*last) == "{" && *open + 1 == *last),
        false => Some(*last),
    }
}

/// The fields of the classes of the host that derive from those of a framework, as arguments.
fn fields<'s>(tokens: &Tokens<'s>, outline: &Outline<'s>, callees: &Callees<'_, 's>) -> Vec<Call> {
    let mut calls = Vec::new();
    for (class, rows) in callees.classes() {
        for row in rows {
            let recogniser = callees.row(*row);
            let name = match recogniser.name {
                Some(NamedBy::Argument(name)) => Some(name),
                _ => None,
            };
            let keywords = recogniser.parameters.iter().map(|parameter| parameter.keyword);
            let field = |keyword: &'static str| {
                let Some(Value::Expression(value)) = outline.names.get(&(class, keyword)) else {
                    return None;
                };
                if outline.statics.contains(&(class, keyword)) {
                    return None;
                }
                let value = outline.default_of(tokens, value.clone())?;
                Some(Argument { keyword: Some(keyword.to_owned()), value })
            };
            let arguments: Vec<_> = keywords.chain(name).filter_map(field).collect();
            let scope = &outline.scopes[class];
            let tokens = scope.tokens.clone();
            let kind = CallKind::Fields(scope.name.to_owned());
            calls.push(Call::new(recogniser, tokens, arguments, kind));
        }
    }
    calls
}
