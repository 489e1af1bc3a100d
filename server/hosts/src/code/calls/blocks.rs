//! Arguments that blocks set in Kotlin: `LlmAgent.builder().apply { instruction("…") }`.

use std::collections::HashMap;
use std::ops::Range;

use super::arguments::{Argument, Call, CallKind, chain};
use crate::code::callees::Callees;
use crate::code::outline::{Function, Outline};
use crate::code::recogniser::Shape;
use crate::code::tokens::Tokens;
use crate::language::Language;

/// Methods whose blocks call those of the object without its name.
const OF_RECEIVER: [&str; 2] = ["apply", "run"];

/// Methods whose blocks have a name for the object.
const OF_ARGUMENT: [&str; 2] = ["also", "let"];

/// The function whose block calls the methods of its argument without a name.
const WITH: &str = "with";

/// The name of the object, unless the block declares another one.
const IT: &str = "it";

/// A block that sets arguments.
struct ReceiverBlock<'s> {
    inside: Range<usize>,
    /// The name of the object in it; `None` if its methods need no name.
    name: Option<&'s str>,
}

/// Reads the arguments that blocks set.
pub(super) struct Blocks<'r, 's> {
    tokens: &'r Tokens<'s>,
}

impl<'r, 's> Blocks<'r, 's> {
    pub fn new(tokens: &'r Tokens<'s>) -> Self {
        Blocks { tokens }
    }

    /// The calls that the blocks after an object make, which has these tokens with its methods; one
    /// for each prompt.
    pub fn calls(&self, object: &Call, tokens: Range<usize>) -> impl Iterator<Item = Call> {
        let mut calls = Vec::new();
        let is_builder = object.recogniser.shape == Shape::Chain;
        if self.tokens.language == Language::Kotlin && is_builder {
            for block in self.blocks(tokens) {
                calls.extend(self.calls_in(&block, object));
            }
        }
        calls.into_iter()
    }

    /// The calls in functions that extend an object, and in blocks that are passed to functions which
    /// run them with one: `fun T.polite() = …`, `fun make(block: T.() -> Unit)`.
    pub fn calls_in_functions(
        &self,
        outline: &Outline<'s>,
        callees: &Callees<'_, 's>,
    ) -> Vec<(usize, Call)> {
        let tokens = self.tokens;
        let mut calls = Vec::new();
        if tokens.language != Language::Kotlin {
            return calls;
        }
        let mut functions: Vec<&Function> = outline.functions.iter().collect();
        functions.sort_by_key(|function| function.parameters.start);
        let mut runs: HashMap<&str, usize> = HashMap::new();
        for (written, row) in callees.types(outline) {
            let (dot, name) = (written.end, written.end + 1);
            if tokens.text(dot) != "." {
                continue;
            }
            let object =
                Call::new(callees.row(row), written.clone(), Vec::new(), CallKind::Factory);
            let is_run = tokens.text(name) == "(";
            // The parameters that the type is in, or those after the name of the function.
            let place = if is_run { written.start } else { name + 2 };
            let behind = functions.partition_point(|it| it.parameters.start <= place);
            let function =
                behind.checked_sub(1).map(|last| functions[last]).filter(|it| match is_run {
                    true => it.parameters.contains(&place),
                    false => it.parameters.start == place,
                });
            let Some(function) = function else { continue };
            let scope = &outline.scopes[function.scope];
            match is_run {
                true => _ = runs.insert(scope.name, row),
                false => {
                    let inside = function.parameters.end + 1..scope.tokens.end;
                    let own = self.calls_in(&ReceiverBlock { inside, name: None }, &object);
                    calls.extend(own.into_iter().map(|call| (row, call)));
                }
            }
        }
        for name in (0..tokens.all.len()).filter(|_| !runs.is_empty()) {
            let Some(row) = runs.get(tokens.text(name)) else { continue };
            let open = tokens.closer(name + 1, "(").map_or(name + 1, |close| close + 1);
            let Some(close) = tokens.closer(open, "{") else { continue };
            let is_declared = name > 0 && matches!(tokens.text(name - 1), "fun" | ".");
            if !is_declared {
                let block = ReceiverBlock { inside: open + 1..close, name: None };
                let object =
                    Call::new(callees.row(*row), name..close, Vec::new(), CallKind::Factory);
                calls.extend(self.calls_in(&block, &object).into_iter().map(|call| (*row, call)));
            }
        }
        calls
    }

    /// The blocks after an object.
    fn blocks(&self, object: Range<usize>) -> Vec<ReceiverBlock<'s>> {
        let tokens = self.tokens;
        let mut blocks = Vec::new();
        for open in tokens.at_depth(object.clone()).filter(|at| tokens.text(*at) == "{") {
            let (Some(close), Some(word)) = (tokens.partner(open), open.checked_sub(1)) else {
                continue;
            };
            if word <= object.start || tokens.text(word - 1) != "." {
                continue;
            }
            let named = OF_ARGUMENT.contains(&tokens.text(word));
            let arrow = tokens.is_word(open + 1) && tokens.text(open + 2) == "->";
            let name = named.then(|| if arrow { tokens.text(open + 1) } else { IT });
            if named || OF_RECEIVER.contains(&tokens.text(word)) {
                blocks.push(ReceiverBlock { inside: open + 1..close, name });
            }
        }
        blocks.extend(self.with(object));
        blocks
    }

    /// The block of `with(…) { … }` around an object.
    fn with(&self, object: Range<usize>) -> Option<ReceiverBlock<'s>> {
        let tokens = self.tokens;
        let mut start = object.start;
        while start > 1 && tokens.text(start - 1) == "." && tokens.is_word(start - 2) {
            start -= 2;
        }
        let open = start.checked_sub(1).filter(|open| *open > 0)?;
        let close = tokens.closer(open, "(").filter(|close| *close == object.end)?;
        let end = tokens.closer(close + 1, "{").filter(|_| tokens.text(open - 1) == WITH)?;
        Some(ReceiverBlock { inside: close + 2..end, name: None })
    }

    fn calls_in(&self, block: &ReceiverBlock<'s>, object: &Call) -> Vec<Call> {
        let tokens = self.tokens;
        let keywords = object.recogniser.keywords();
        let mut prompts = Vec::new();
        let mut others = Vec::new();
        let mut at = block.inside.start;
        while at < block.inside.end {
            if tokens.text(at) == "{" && self.has_own_object(at) {
                at = tokens.next(at);
                continue;
            }
            for (argument, place) in self.arguments_at(at, block.name) {
                match argument.is_one_of(&keywords) {
                    true => prompts.push((argument, place)),
                    false => others.push(argument),
                }
            }
            at += 1;
        }
        others.extend(object.arguments.iter().filter(|it| !it.is_one_of(&keywords)).cloned());
        let call = |(prompt, place): (Argument, Range<usize>)| {
            let arguments = [vec![prompt], others.clone()].concat();
            Call::new(object.recogniser, place, arguments, CallKind::Factory)
        };
        prompts.into_iter().map(call).collect()
    }

    /// `true` if the block of a brace calls the methods of another object without its name.
    fn has_own_object(&self, brace: usize) -> bool {
        let tokens = self.tokens;
        let Some(before) = brace.checked_sub(1) else { return false };
        let is_method = before > 0 && tokens.text(before - 1) == ".";
        let with = tokens.partner(before).and_then(|open| open.checked_sub(1));
        is_method && OF_RECEIVER.contains(&tokens.text(before))
            || with.is_some_and(|with| with < before && tokens.text(with) == WITH)
    }

    /// The arguments that methods of the object set which start at a token, with their tokens.
    fn arguments_at(&self, at: usize, name: Option<&str>) -> Vec<(Argument, Range<usize>)> {
        let tokens = self.tokens;
        let before = at.checked_sub(1).map_or("", |before| tokens.text(before));
        let (mut found, end) = match name {
            Some(name) if tokens.text(at) == name && before != "." => chain(tokens, at + 1),
            None if tokens.text(at) == "this" => chain(tokens, at + 1),
            None if tokens.is_word(at) && !matches!(before, "." | "?.") => {
                let Some(close) = tokens.closer(at + 1, "(") else { return Vec::new() };
                let (mut all, end) = chain(tokens, close + 1);
                let keyword = Some(tokens.text(at).to_owned());
                all.push(Argument { keyword, value: at + 2..close });
                (all, end)
            }
            _ => return Vec::new(),
        };
        found.reverse();
        found.into_iter().map(|argument| (argument, at..end)).collect()
    }
}
