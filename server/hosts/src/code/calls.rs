//! Framework calls, and their arguments.

mod arguments;
mod blocks;
pub(crate) mod callee;
pub(crate) mod chats;
mod elements;
mod later;
mod messages;
mod object_arguments;
mod objects;

use std::collections::BTreeSet;
use std::ops::Range;

use super::callees::Callees;
use super::grammar::Members;
use super::grammars::grammar;
use super::outline::{Outline, Value};
use super::recogniser::{NamedBy, Recogniser, Shape};
use super::tokens::Tokens;
pub(crate) use arguments::chain;
pub(crate) use arguments::{
    Argument, Call, CallKind, Inlined, Rest, argument, argument_of, arguments, at_place, closer,
};
use arguments::{arguments_with_objects, map_argument};
use elements::elements;
pub(crate) use messages::{ArgumentText, ArgumentTexts, ListedMessage, texts};
use object_arguments::{ObjectArguments, ObjectReader, Uses};

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
    let uses = Uses::default();
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
            promising.remove(&open);
            let place = CallPlace { tokens, outline, brackets: open..close, around: outer };
            let found = place.calls(callees.row(row), &uses);
            direct.extend(found.into_iter().map(|call| (row, call)));
        }
    }
    for _ in 0..MAX_LEVELS {
        let made = callees.calls_of_makers(outline, &direct);
        if made.is_empty() {
            break;
        }
        direct.extend(made);
    }
    let (later, unknown) = later::calls_on_objects(tokens, outline, callees, &direct, &uses);
    callees.request_objects(outline, &unknown);
    callees.note_objects(outline, &unknown);
    direct.extend(later);
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
            callees.note_value(outline, open);
        }
    }
    calls
}

/// A call of a framework.
struct CallPlace<'r, 's> {
    tokens: &'r Tokens<'s>,
    outline: &'r Outline<'s>,
    brackets: Range<usize>,
    /// The innermost bracket around it.
    around: Option<usize>,
}

impl<'s> CallPlace<'_, 's> {
    /// The call of a recogniser here, and the same with the arguments that code sets or returns.
    fn calls(&self, recogniser: &'static Recogniser, uses: &Uses<'s>) -> Vec<Call> {
        let (tokens, around) = (self.tokens, self.around);
        let Range { start: open, end: close } = self.brackets;
        let name = tokens.before_call(open);
        let end = close + 1;
        let keywords = recogniser.keywords();
        let mut reader = ObjectReader::new(tokens, self.outline, &keywords, uses);
        let (arguments, open) = match recogniser.shape {
            Shape::Chain => {
                let (arguments, end) = chain(tokens, end);
                let call = Call::new(recogniser, name..end, arguments, CallKind::Direct);
                return vec![Call { around, ..call }];
            }
            Shape::Map => map_argument(tokens, open..close, &mut reader),
            Shape::Call if let Some(elements) = elements(tokens, open) => {
                let element = |(open, close): (usize, usize)| {
                    let arguments = arguments(tokens, open, close);
                    Call::new(recogniser, open..close + 1, arguments, CallKind::Direct)
                };
                return elements.into_iter().map(element).collect();
            }
            Shape::Call | Shape::Method(_) => {
                arguments_with_objects(tokens, open..close, &mut reader)
            }
        };
        // What a class passes on to its base are arguments of its own calls.
        let is_base = grammar(tokens.language).base.last() == Some(&tokens.text(name));
        let may_be_open = matches!(recogniser.shape, Shape::Call | Shape::Map) && !is_base;
        let call = Call::new(recogniser, name..end, arguments, CallKind::Direct);
        let call = Call { around, open: open.filter(|_| may_be_open), ..call };
        let ObjectArguments { later, returned, may_change, .. } = reader.found;
        let call = Call { may_change, ..call };
        let is_prompt = |argument: &Argument| argument.is_one_of(&keywords);
        let others: Vec<_> = call.arguments.iter().filter(|it| !is_prompt(it)).cloned().collect();
        let with = |own: Vec<Argument>, inlined: Vec<Inlined>| {
            let arguments = [own, others.clone()].concat();
            let call = Call::new(recogniser, name..end, arguments, CallKind::Factory);
            Call { around, inlined, ..call }
        };
        let later = later.into_iter().filter(is_prompt).map(|it| with(vec![it], Vec::new()));
        let returned = returned.into_iter().map(|(calls, own)| with(own, calls));
        let more: Vec<Call> = later.chain(returned).collect();
        std::iter::once(call).chain(more).collect()
    }
}

/// The bracket of the call that has a keyword, or that starts the chain with a method of this name.
fn call_around(tokens: &Tokens<'_>, around: &[usize], keyword: usize) -> Option<usize> {
    let grammar = grammar(tokens.language);
    if grammar.members == Members::OfClasses {
        let is_method = tokens.text(keyword + 1) == "(";
        return is_method.then(|| start_of_chain(tokens, keyword)).flatten();
    }
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

/// The bracket of the first call of a chain with a method at a token.
fn start_of_chain(tokens: &Tokens<'_>, method: usize) -> Option<usize> {
    let mut first = None;
    let mut name = method;
    while let Some(close) = name.checked_sub(2).filter(|_| tokens.text(name - 1) == ".") {
        let Some(open) = tokens.partner(close).filter(|open| *open > 0 && *open < close) else {
            break;
        };
        first = Some(open);
        name = tokens.before_call(open);
    }
    first
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
