//! Arguments that a program sets after it has created an object of a framework:
//! `agent.instruction = "…"`, `builder.instruction("…")`.

use std::ops::Range;

use super::arguments::{Argument, Call, CallKind, Rest, arguments, chain, options};
use super::blocks::Blocks;
use super::object_arguments::{ObjectReader, Uses};
use super::objects::Objects;
use crate::code::callees::Callees;
use crate::code::outline::Outline;
use crate::code::outline::objects::without_quotes;
use crate::code::recogniser::Shape;
use crate::code::tokens::Tokens;
use crate::language::Language;

/// Methods that copy an object, with other arguments in `update`, which may be the first argument.
const COPIES: [&str; 2] = ["clone", "model_copy"];

/// Arguments that code sets for an object.
struct SetArguments {
    arguments: Vec<Argument>,
    /// The position after them in the source.
    end: usize,
    /// An object that may have others.
    open: Option<Range<usize>>,
    rest: Rest,
}

impl SetArguments {
    /// All arguments that are set up to a position.
    fn of(arguments: Vec<Argument>, end: usize) -> SetArguments {
        SetArguments { arguments, end, open: None, rest: Rest::None }
    }

    /// `true` if they have a prompt, or may have one.
    fn has_prompt(&self, keywords: &[&str]) -> bool {
        self.open.is_some() || self.arguments.iter().any(|it| it.is_one_of(keywords))
    }
}

/// The calls that set arguments of objects which other calls of the host have created, with the
/// other arguments of these.
///
/// Returns also the last tokens of expressions whose attributes the program sets as if they were such
/// objects, and whose meaning is unknown.
///
/// Cost: the tokens.
pub(super) fn calls_on_objects<'s>(
    tokens: &Tokens<'s>,
    outline: &Outline<'s>,
    callees: &Callees<'_, 's>,
    created: &[(usize, Call)],
    uses: &Uses<'s>,
) -> (Vec<(usize, Call)>, Vec<usize>) {
    let objects = Objects::new(tokens, outline, callees, created);
    let changes = ObjectChanges { tokens, outline, uses };
    let blocks = Blocks::new(tokens);
    let mut calls = blocks.calls_in_functions(outline, callees);
    for (row, call) in created {
        // A copy of a new object.
        let copy = matches!(call.recogniser.shape, Shape::Call)
            .then(|| changes.copied(call.tokens.end - 1, &call.recogniser.keywords()))
            .flatten();
        let copy = copy.filter(|set| set.has_prompt(&call.recogniser.keywords()));
        calls.extend(copy.map(|set| (*row, with_set(call, call.tokens.start, set))));
        calls.extend(blocks.calls(call, call.tokens.clone()).map(|call| (*row, call)));
    }
    let attributes = callees.attributes();
    let is_set = |at: usize| {
        let (member, sign) = (tokens.text(at + 2), tokens.text(at + 3));
        tokens.text(at + 1) == "."
            && (attributes.contains(member) && matches!(sign, "=" | "+=")
                || COPIES.contains(&member) && sign == "(")
    };
    let mut unknown = Vec::new();
    for at in 0..tokens.all.len() {
        if !tokens.is_word(at) && !matches!(tokens.text(at), "]" | ")") {
            continue;
        }
        let Some((row, call)) = objects.at(at) else {
            unknown.extend(Some(at).filter(|at| is_set(*at)));
            continue;
        };
        let keywords = call.recogniser.keywords();
        let set = match call.recogniser.shape {
            Shape::Chain => {
                let (arguments, end) = chain(tokens, at + 1);
                calls.extend(blocks.calls(call, at..end.max(at + 1)).map(|call| (*row, call)));
                Some(SetArguments::of(arguments, end))
            }
            Shape::Call | Shape::Map => changes
                .assigned(at)
                .or_else(|| changes.copied(at, &keywords))
                .or_else(|| changes.set_by_function(at)),
            Shape::Method(_) => None,
        };
        let set = set.filter(|set| set.has_prompt(&keywords));
        calls.extend(set.map(|set| (*row, with_set(call, at, set))));
    }
    (calls, unknown)
}

/// The call that gives an object other arguments, at a token.
fn with_set(object: &Call, at: usize, set: SetArguments) -> Call {
    let keywords = object.recogniser.keywords();
    let mut arguments = set.arguments;
    // The first of two arguments counts. The prompts of the object are those of its own call.
    let others = object.arguments.iter().filter(|it| !it.is_one_of(&keywords));
    arguments.extend(others.cloned());
    let kind = match &object.kind {
        CallKind::Fields(class) => CallKind::Fields(class.clone()),
        _ => CallKind::Factory,
    };
    let call = Call::new(object.recogniser, at..set.end, arguments, kind);
    Call { open: set.open, rest: set.rest, ..call }
}

/// Reads what code changes in objects of a framework.
struct ObjectChanges<'r, 's> {
    tokens: &'r Tokens<'s>,
    outline: &'r Outline<'s>,
    uses: &'r Uses<'s>,
}

impl ObjectChanges<'_, '_> {
    /// The argument that is assigned to an object whose name is at a token: `agent.instruction = "…"`,
    /// `agent.instruction += "…"`.
    fn assigned(&self, object: usize) -> Option<SetArguments> {
        let tokens = self.tokens;
        let keyword = object + 2;
        if tokens.text(object + 1) != "." || !tokens.is_word(keyword) {
            return None;
        }
        let statement = self.outline.statement_at(object)?;
        let sign = match tokens.text(keyword + 1) {
            // A type.
            ":" => tokens
                .at_depth(keyword + 1..statement.tokens.end)
                .find(|at| tokens.text(*at) == "=")?,
            _ => keyword + 1,
        };
        let rest = match tokens.text(sign) {
            "=" | "||=" | "??=" => Rest::None,
            "+=" => Rest::Before(object..sign),
            _ => return None,
        };
        let value = sign + 1..statement.tokens.end;
        let end = value.end;
        let keyword = Some(tokens.text(keyword).to_owned());
        let is_set = !value.is_empty();
        let set = SetArguments::of(vec![Argument { keyword, value }], end);
        is_set.then_some(SetArguments { rest, ..set })
    }

    /// The arguments of a copy of an object that ends at a token:
    /// `agent.clone(update={"instruction": "…"})`.
    fn copied(&self, object: usize, keywords: &[&'static str]) -> Option<SetArguments> {
        let tokens = self.tokens;
        let open = object + 3;
        let is_copied = tokens.text(object + 1) == "." && COPIES.contains(&tokens.text(object + 2));
        let close = tokens.closer(open, "(").filter(|_| is_copied)?;
        let written = arguments(tokens, open, close);
        let update = super::argument(&written, "update", Some(0))?.value.clone();
        let mut reader = ObjectReader::new(tokens, self.outline, keywords, self.uses);
        let is_known = reader.read(update.clone());
        let arguments = reader.found.arguments;
        let open = (!is_known).then_some(update);
        Some(SetArguments { arguments, end: close + 1, open, rest: Rest::None })
    }

    /// The arguments that a function sets in an object whose name is at a token:
    /// `setattr(agent, "instruction", "…")`, `Object.assign(agent, {…})`.
    fn set_by_function(&self, object: usize) -> Option<SetArguments> {
        let tokens = self.tokens;
        let open = object.checked_sub(1).filter(|open| *open > 0)?;
        let close = tokens.closer(open, "(").filter(|_| tokens.text(object + 1) == ",")?;
        let arguments = match (tokens.language, tokens.text(open - 1)) {
            (Language::Python, "setattr") => match tokens.split(object + 2..close).as_slice() {
                [key, value] if key.len() == 1 && tokens.is_literal(key.start) => {
                    let keyword = Some(without_quotes(tokens.text(key.start)).to_owned());
                    vec![Argument { keyword, value: value.clone() }]
                }
                _ => return None,
            },
            (_, "assign") => {
                let parts = tokens.split(object + 2..close).into_iter().rev();
                parts.flat_map(|part| options(tokens, part)).collect()
            }
            _ => return None,
        };
        Some(SetArguments::of(arguments, close + 1))
    }
}
