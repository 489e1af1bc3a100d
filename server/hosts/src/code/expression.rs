//! The text of an expression, as far as it is known statically.

mod builders;
mod called;
mod choices;
mod followed;
mod in_place;
mod instances;
mod lists;
mod literals;
mod mapped;
mod names;
mod noted_texts;
mod path;
mod text_references;

use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

use super::factories::Parameter;
use super::grammar::Grammar;
use super::grammars::grammar;
use super::loading::embedded;
use super::operation::{Fields, Operation};
use super::outline::Outline;
use super::outline::attributes::Attributes;
use super::static_value::{Reference, StaticValue, Text};
use super::tokens::Tokens;
use crate::host_prompt::{Demand, Part, TextDemand};
use crate::token::TokenKind;
use crate::unread::Unread;
pub(super) use called::CalledFunction;
use called::{ItemText, NextCall};
use choices::Choices;
pub(crate) use choices::{MAX_VARIANTS, Variant};
pub(super) use text_references::TextReferences;

/// The maximum number of followed names and calls, methods not counted.
pub(crate) const MAX_FOLLOWED: u8 = 4;

/// The maximum nesting depth of expressions; deeper ones are unread.
pub(super) const MAX_DEPTH: usize = 64;

/// The maximum number of bytes of text that are decoded, copied and processed per file; then all
/// further texts are unread.
const MAX_WORK: usize = 16 << 20;

/// The cost of a token of a called function, in bytes of text: a call with arguments is evaluated
/// each time.
const CALL_COST: usize = 16;

/// Evaluates expressions of a host.
pub(crate) struct Expressions<'h, 's> {
    pub(super) tokens: &'h Tokens<'s>,
    pub(super) outline: &'h Outline<'s>,
    pub(super) grammar: &'static Grammar,
    /// Cached values by scope, name, call form, and number of followed names.
    known: HashMap<(usize, &'s str, bool, u8), CachedValue>,
    /// The keys of objects, by their starts.
    pub(super) objects: HashMap<usize, Keys<'s>>,
    /// The parts of lists and arguments, by their starts.
    pub(super) items: HashMap<usize, Rc<[Range<usize>]>>,
    /// The tokens of words, as far as they were requested.
    pub(super) words: Option<HashMap<&'s str, Vec<usize>>>,
    /// The uses of variables as targets of data in Go, by their scopes and names.
    pub(super) unmarshalled: HashMap<(usize, String), Option<(usize, usize)>>,
    /// The keys of fields in their tags, by the format and the field.
    pub(super) field_keys: HashMap<(String, String), Option<String>>,
    /// How often names are used other than in a join; `None` before the first join of a name.
    pub(super) list_uses: Option<HashMap<&'s str, usize>>,
    /// The function that is called with arguments, if any.
    called: Rc<CalledFunction<'s>>,
    /// The list that the next expression is requested as.
    joining: Option<JoinedList<'s>>,
    /// `true` if the last value is a list whose items were joined.
    is_list: bool,
    /// The tokens of lists whose joined texts are not followed.
    unfollowed: Vec<Range<usize>>,
    /// The number of parameters whose values were used.
    bound_uses: usize,
    next_call: NextCall,
    /// A text of a call of another host that would be a part of the value.
    pub(super) lost: Option<String>,
    /// `true` if the result of the next function is awaited.
    pub(super) is_awaited: bool,
    /// The attributes of classes; `None` before the first use.
    attributes: Option<Attributes<'s>>,
    /// The classes that derive from one with a name; `None` before the first use.
    pub(super) derived: Option<HashMap<&'h str, Vec<usize>>>,
    /// The parameters of functions that were called.
    parameters: HashMap<usize, Rc<[Parameter<'s>]>>,
    /// `true` if the host has words that read text files.
    pub(super) may_load: bool,
    /// The text files that comments name as the values of variables.
    embedded: HashMap<&'s str, Range<usize>>,
    /// The places that stand for other texts.
    pub(super) text_references: TextReferences,
    work: usize,
    /// The choices of this evaluation.
    choices: Choices,
    /// The responses of other hosts about parts, by their names there.
    responses: HashMap<&'h str, Vec<&'h Part>>,
    /// The parts of the last requested value that other hosts have.
    parts: Vec<Reference>,
    /// The first part of the last requested value that could not be read.
    unread: Option<Unread>,
}

/// A value, or the reason why it could not be read; an error without a reason is an unknown value.
type CachedValue = Result<Rc<StaticValue>, Option<Unread>>;

/// The values of an object by their keys without quotes.
pub(super) type Keys<'s> = HashMap<&'s str, Range<usize>>;

/// A requested list, whose items are joined.
pub(super) struct JoinedList<'s> {
    /// The text between the items; `None` if it is unknown, or if the list may change.
    separator: Option<String>,
    /// The text that each item is put into, if any.
    into: Option<ItemText<'s>>,
}

/// The context of an expression.
#[derive(Clone, Copy)]
pub(super) struct ExpressionContext {
    pub(super) scope: usize,
    pub(super) followed: u8,
    pub(super) depth: usize,
    /// `true` for an operand of a concatenation, where unknown names are holes.
    pub(super) is_operand: bool,
    /// The token at which names have their values; the maximum for the end of the host.
    pub(super) at: usize,
}

impl ExpressionContext {
    /// That of a whole expression.
    pub(super) fn new(scope: usize, followed: u8, at: usize) -> Self {
        ExpressionContext { scope, followed, depth: 0, is_operand: false, at }
    }
}

impl<'h, 's> Expressions<'h, 's> {
    /// `demands` contain the responses of other hosts.
    pub fn new(tokens: &'h Tokens<'s>, outline: &'h Outline<'s>, demands: &'h [Demand]) -> Self {
        let mut responses: HashMap<&str, Vec<&Part>> = HashMap::new();
        for demand in demands {
            if let Demand::Part(part) = demand {
                responses.entry(demand.name()).or_default().push(part);
            }
        }
        let grammar = grammar(tokens.language);
        let known = HashMap::new();
        let objects = HashMap::new();
        let readers = grammar.loading.map_or(&[][..], |loading| loading.readers);
        let may_load = readers.iter().any(|word| tokens.source.contains(word));
        Expressions {
            tokens,
            outline,
            grammar,
            known,
            objects,
            items: HashMap::new(),
            words: None,
            unmarshalled: HashMap::new(),
            field_keys: HashMap::new(),
            list_uses: None,
            called: Rc::default(),
            joining: None,
            is_list: false,
            unfollowed: Vec::new(),
            bound_uses: 0,
            next_call: NextCall::default(),
            lost: None,
            is_awaited: false,
            attributes: None,
            derived: None,
            parameters: HashMap::new(),
            may_load,
            embedded: embedded(tokens, grammar),
            text_references: TextReferences::default(),
            work: 0,
            choices: Choices::default(),
            responses,
            parts: Vec::new(),
            unread: None,
        }
    }

    /// The value of the expression of these tokens; `None` if it is unknown.
    ///
    /// `followed` is the number of names that were followed so far.
    pub fn known(&mut self, tokens: Range<usize>, followed: u8) -> Option<StaticValue> {
        (self.unread, self.parts) = (None, Vec::new());
        let scope = self.outline.scope_at(tokens.start);
        let place = ExpressionContext::new(scope, followed, tokens.start);
        let known = self.expression(tokens, place);
        self.or_requested(known.filter(|known| match known {
            StaticValue::Here(text) => !text.is_computed() && !text.literals.is_empty(),
            StaticValue::Elsewhere(_) => true,
        }))
    }

    /// The reason why the value that was requested last is unknown, if a part of it could not be
    /// read: an invalid string, or more than the limits of this file.
    pub fn why_unknown(&mut self) -> Option<Unread> {
        self.unread.take()
    }

    /// The value as a text without holes; `None` for others.
    pub fn text(&mut self, tokens: Range<usize>, followed: u8) -> Option<String> {
        let before = self.choices.count;
        match self.known(tokens, followed)? {
            StaticValue::Here(text)
                if !text.is_computed()
                    && text.decoded.holes().next().is_none()
                    && self.choices.count == before =>
            {
                Some(text.decoded.text().to_owned())
            }
            _ => None,
        }
    }

    /// The value of a name in a scope, or of a call of it.
    pub fn named(
        &mut self,
        scope: usize,
        name: &'s str,
        is_called: bool,
        followed: u8,
    ) -> Option<StaticValue> {
        (self.unread, self.parts) = (None, Vec::new());
        let place = ExpressionContext::new(scope, followed, usize::MAX);
        let known = self.follow(name, is_called, place).and_then(|known| self.copy(&known));
        self.or_requested(known)
    }

    /// A value; without one, its parts that other hosts have, whose texts may make it known.
    fn or_requested(&mut self, known: Option<StaticValue>) -> Option<StaticValue> {
        let parts = std::mem::take(&mut self.parts);
        let requested = (!parts.is_empty()).then(|| Text { parts, ..Text::default() });
        known.or(requested.map(StaticValue::Here))
    }

    /// Applies the operations that another host requests.
    pub fn apply_all(&mut self, known: StaticValue, demand: &TextDemand) -> Option<StaticValue> {
        if known.is_computed() {
            return Some(known);
        }
        // A list is joined already.
        let is_left = |operation: &&Operation| !matches!(operation, Operation::Join { .. });
        let mut operations = demand.operations.iter().filter(is_left);
        operations.try_fold(known, |known, operation| self.apply(known, operation.clone()))
    }

    /// Each use of a name copies its value.
    fn copy(&mut self, known: &StaticValue) -> Option<StaticValue> {
        if let StaticValue::Here(text) = known {
            self.spend(text)?;
        }
        Some(known.clone())
    }

    /// Adds the cost of one pass over a text; `None` if the limit of the file is exceeded.
    pub(super) fn spend(&mut self, text: &Text) -> Option<()> {
        let literals = text.literals.len() + text.included.len();
        let size = text.decoded.text().len() + text.decoded.pieces().len() + literals;
        self.work += size;
        if self.work > MAX_WORK {
            let range = text.literals.first().cloned().unwrap_or_default();
            return self.too_long(range);
        }
        Some(())
    }

    /// Records the text at which the limit of the file is exceeded.
    fn too_long<T>(&mut self, text: Range<usize>) -> Option<T> {
        let reason = format!(
            "the prompts of this file are longer than {} MiB together, so this text is not read",
            MAX_WORK >> 20
        );
        self.not_read(text, &reason)
    }

    fn not_read<T>(&mut self, range: Range<usize>, reason: &str) -> Option<T> {
        self.unread.get_or_insert_with(|| Unread::new(range, reason));
        None
    }

    pub(super) fn expression(
        &mut self,
        tokens: Range<usize>,
        place: ExpressionContext,
    ) -> Option<StaticValue> {
        if tokens.is_empty() {
            return None;
        }
        if place.depth > MAX_DEPTH {
            let reason = format!(
                "this expression is nested more than {MAX_DEPTH} levels deep, so its text is not read"
            );
            return self.not_read(self.tokens.range(tokens.start..tokens.start + 1), &reason);
        }
        let joining = self.joining.take();
        let values = self.alternatives(self.without_brackets(tokens.clone()));
        if !values.is_empty() && values.iter().all(|value| !value.is_empty()) {
            let value = self.chosen(tokens, &values)?;
            self.joining = joining;
            return self.expression(value, ExpressionContext { depth: place.depth + 1, ..place });
        }
        if let Some(list) = joining {
            return self.list(tokens, list, place);
        }
        let tokens = self.without_block(tokens);
        let mut joined: Option<Text> = None;
        let mut at = tokens.start;
        let is_joined = self.has_plus(tokens.clone());
        loop {
            let is_operand = place.is_operand || is_joined;
            let operand = self.operand(at..tokens.end, ExpressionContext { is_operand, ..place });
            let unknown = || self.unknown_operand(at..tokens.end).filter(|_| is_operand);
            let (known, next) = operand.or_else(unknown)?;
            let next = self.behind_cast(next..tokens.end);
            let (known, next) = self.formatted(known, next..tokens.end, place)?;
            let known = match known {
                StaticValue::Elsewhere(_) if is_operand => {
                    StaticValue::Here(self.part(Some(known), self.tokens.range(at..next)))
                }
                known => known,
            };
            if next == tokens.end && joined.is_none() {
                return Some(known);
            }
            let StaticValue::Here(text) = known else { return None };
            self.spend(&text)?;
            match &mut joined {
                Some(joined) => joined.append(text),
                None => joined = Some(Text { name: None, ..text }),
            }
            if next == tokens.end {
                let whole = self.tokens.range(tokens);
                return joined.map(|joined| StaticValue::Here(joined.or_at(whole)));
            }
            if self.tokens.text(next) != "+" || next + 1 >= tokens.end {
                return None;
            }
            at = next + 1;
        }
    }

    /// A hole for an operand of a concatenation that begins with a string or a bracket and whose text
    /// is unknown, and the position after it; `None` if a string in it could not be read.
    fn unknown_operand(&self, tokens: Range<usize>) -> Option<(StaticValue, usize)> {
        let is_text =
            matches!(self.tokens.kind(tokens.start), Some(TokenKind::Literal | TokenKind::Open));
        let end = self.operand_end(tokens.clone());
        let is_whole = end == tokens.end || self.tokens.text(end) == "+";
        let hole = || Text::part(None, self.tokens.range(tokens.start..end));
        (is_text && is_whole && self.unread.is_none()).then(|| (StaticValue::Here(hole()), end))
    }

    /// A text after values are put into it by a sign: `"…" % value`. Returns also the position after
    /// them.
    fn formatted(
        &mut self,
        known: StaticValue,
        tokens: Range<usize>,
        place: ExpressionContext,
    ) -> Option<(StaticValue, usize)> {
        let mut at = tokens.start;
        let sign = self.grammar.format_sign.filter(|(sign, _)| self.tokens.text(at) == *sign);
        let Some((_, fields)) = sign.filter(|_| at < tokens.end) else {
            return Some((known, at));
        };
        while at < tokens.end && self.tokens.text(at) != "+" {
            at = self.tokens.next(at);
        }
        let end = at.min(tokens.end);
        let values = match self.tokens.closer(tokens.start + 1, "(") {
            Some(close) if close + 1 == end => self.tokens.split(tokens.start + 2..close),
            _ => std::iter::once(tokens.start + 1..end).collect(),
        };
        let arguments = self.arguments_of_format(&values, place);
        Some((self.apply(known, Operation::Format { fields, arguments })?, end))
    }

    /// The position after a type cast, which ends the expression.
    pub(super) fn behind_cast(&self, tokens: Range<usize>) -> usize {
        let is_cast = self.grammar.casts.contains(&self.tokens.text(tokens.start));
        let is_type = |token: &usize| {
            !matches!(self.tokens.text(*token), "+" | "-" | "*" | "/" | "?" | "??" | "||" | "&&")
        };
        let mut at = tokens.start;
        while is_cast && at < tokens.end && is_type(&at) {
            at = self.tokens.next(at);
        }
        at
    }

    /// The expression in a block with nothing else.
    fn without_block(&self, tokens: Range<usize>) -> Range<usize> {
        match self.tokens.text(tokens.start) {
            "{" => self.without_brackets(tokens),
            _ => tokens,
        }
    }

    fn has_plus(&self, tokens: Range<usize>) -> bool {
        let mut at = tokens.start;
        while at < tokens.end {
            if self.tokens.text(at) == "+" {
                return true;
            }
            at = self.tokens.next(at);
        }
        false
    }

    /// An operand with its methods, and the position after it.
    fn operand(
        &mut self,
        tokens: Range<usize>,
        place: ExpressionContext,
    ) -> Option<(StaticValue, usize)> {
        let start = tokens.start;
        let inner = ExpressionContext { depth: place.depth + 1, ..place };
        let (mut known, mut at) = if let Some(built) = self.built(tokens.clone(), inner) {
            built
        } else if let Some(loaded) = self.loaded(tokens.clone(), inner) {
            loaded
        } else if self.tokens.is_literal(start) {
            let (text, next) = self.literals(tokens.clone(), inner)?;
            (StaticValue::Here(text), next)
        } else if let Some(member) = self.member_in_place(tokens.clone(), inner) {
            member
        } else if let Some((text, close)) = self.brackets(start, place.scope) {
            (self.expression(text..close, inner)?, close + 1)
        } else if let Some(joined) = self.joined_list(tokens.clone(), inner) {
            joined
        } else if self.tokens.text(start) == "await" && self.tokens.is_word(start + 1) {
            let around = std::mem::replace(&mut self.is_awaited, true);
            let known = self.operand(start + 1..tokens.end, place);
            self.is_awaited = around;
            known?
        } else if self.tokens.is_word(start) {
            self.named_operand(tokens.clone(), inner)?
        } else {
            return None;
        };
        while at < tokens.end && self.tokens.text(at) == "." {
            let close = self.tokens.closer(at + 2, "(")?;
            known = self.after_method(at + 1, at + 3..close, known, place)?;
            at = close + 1;
        }
        Some((known, at))
    }

    pub(super) fn apply(
        &mut self,
        known: StaticValue,
        operation: Operation,
    ) -> Option<StaticValue> {
        match known {
            StaticValue::Here(text) => {
                self.spend(&text)?;
                let is_filled = match operation {
                    Operation::Format { fields: Fields::Braces, .. } => {
                        (!self.has_doubled_braces(&text)).then_some(true)?
                    }
                    Operation::Format { .. } => true,
                    _ => text.is_filled,
                };
                let decoded = operation.apply(&text.decoded)?;
                let mut changed = Text { decoded, is_filled, ..text };
                if let Operation::Format { arguments, .. } = &operation {
                    changed.put_in(arguments);
                }
                Some(StaticValue::Here(changed))
            }
            StaticValue::Elsewhere(mut reference) => {
                let operation = operation.elsewhere();
                reference.change_all(&|it| it.operations.push(operation.clone()));
                Some(StaticValue::Elsewhere(reference))
            }
        }
    }

    /// The end of an operand with its members, calls, indices and lambdas.
    fn operand_end(&self, tokens: Range<usize>) -> usize {
        let mut at = self.tokens.next(tokens.start);
        while at < tokens.end {
            at = match self.tokens.text(at) {
                "." | "?." => at + 2,
                "!!" | "!" => at + 1,
                "(" | "[" | "{" => self.tokens.next(at),
                _ => break,
            };
        }
        at.min(tokens.end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::outlines::outline;
    use crate::language::Language;

    #[test]
    fn each_use_of_a_constant_counts_towards_the_work_limit() {
        let len = 1 << 20;
        let source = format!("A = '{}'\n", "x".repeat(len));
        let tokens = Tokens::new(Language::Python, &source).unwrap();
        let outline = outline(&tokens).unwrap();
        let mut expressions = Expressions::new(&tokens, &outline, &[]);
        let uses = (0..1000).filter(|_| expressions.named(0, "A", false, 0).is_some()).count();
        assert!((1..=MAX_WORK / len).contains(&uses), "{uses}");
    }
}
