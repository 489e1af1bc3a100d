//! The text of an expression, as far as it is known statically.

mod builders;
mod called;
mod choices;
mod instances;
mod lists;
mod mapped;
mod noted_texts;
mod path;
mod text_references;

use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

use super::factories::Parameter;
use super::grammar::Grammar;
use super::grammars::grammar;
use super::loading::embedded;
use super::operation::{Fields, Operation};
use super::outline::attributes::Attributes;
use super::outline::{Outline, Value};
use super::static_value::{Reference, StaticValue, Text, either};
use super::tokens::Tokens;
use crate::decode;
use crate::host_prompt::{Demand, OtherFile, Part, TextDemand, TextPath};
use crate::token::TokenKind;
use crate::unread::Unread;
pub(super) use called::CalledFunction;
use called::{ItemText, NextCall};
use choices::Choices;
pub(crate) use choices::{MAX_VARIANTS, Variant};
use promptls_data::PieceKind;
pub(super) use text_references::TextReferences;

/// The maximum number of followed names and calls, methods not counted.
pub(crate) const MAX_FOLLOWED: u8 = 4;

/// The maximum nesting depth of expressions; deeper ones are unread.
pub(super) const MAX_DEPTH: usize = 64;

/// The maximum number of tokens of the type of an object.
const MAX_TYPE: usize = 32;

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
                Some(StaticValue::Here(Text { decoded, is_filled, ..text }))
            }
            StaticValue::Elsewhere(mut reference) => {
                reference.change_all(&|it| it.operations.push(operation.clone()));
                Some(StaticValue::Elsewhere(reference))
            }
        }
    }

    /// The text of adjacent literals and the token after them; of only one if the language joins
    /// none.
    fn literals(
        &mut self,
        tokens: Range<usize>,
        place: ExpressionContext,
    ) -> Option<(Text, usize)> {
        let mut text = Text::default();
        let mut first = None;
        let mut at = tokens.start;
        while at < tokens.end && self.tokens.is_literal(at) {
            let range = self.tokens.range(at..at + 1);
            self.work += range.len();
            if self.work > MAX_WORK {
                return self.too_long(range);
            }
            let (language, source) = (self.tokens.language, self.tokens.source);
            let Some(decoded) = decode::decode(language, source, range.clone()) else {
                let reason = decode::why_unread(language, &source[range.clone()])?;
                return self.not_read(range, reason);
            };
            first.get_or_insert(decoded.source(0..0).start);
            let has_holes = decoded.holes().next().is_some();
            let literal = Text { decoded, literals: vec![range], ..Text::default() };
            text.append(if has_holes { self.filled(literal, place) } else { literal });
            at += 1;
            if !self.grammar.joins_neighbours {
                break;
            }
        }
        text.decoded = text.decoded.or_empty_at(first?);
        Some((text, at))
    }

    /// A literal, with the values of constants in place of holes that are their names.
    fn filled(&mut self, literal: Text, place: ExpressionContext) -> Text {
        let mut filled = Text { literals: literal.literals, ..Text::default() };
        for piece in literal.decoded.pieces() {
            if piece.kind != PieceKind::Hole {
                filled.decoded.push_part(&literal.decoded, piece.text.clone());
                continue;
            }
            let known = self.interpolated(piece.source.clone(), place);
            let known = known.filter(|known| match known {
                StaticValue::Here(text) => self.spend(text).is_some(),
                StaticValue::Elsewhere(_) => true,
            });
            let part = self.part(known, piece.source.clone());
            filled.append(part);
        }
        filled
    }

    /// A part of a text that is written at `place`.
    pub(super) fn part(&mut self, known: Option<StaticValue>, place: Range<usize>) -> Text {
        self.part_named(known, place.clone(), place)
    }

    /// The same, where only a name in it stands for the part: `rules` in `rules("a")`.
    fn part_named(
        &mut self,
        known: Option<StaticValue>,
        place: Range<usize>,
        named: Range<usize>,
    ) -> Text {
        if let Some(known) = &known {
            self.note_text(named, known);
        }
        match known {
            Some(StaticValue::Elsewhere(reference)) => {
                let reference = reference.into_part();
                let text = self.text_elsewhere(&reference);
                self.parts.push(reference.clone());
                Text::part_elsewhere(reference, text.as_deref(), place)
            }
            Some(StaticValue::Here(text)) => Text::part(Some(text), place),
            None => Text::part(None, place),
        }
    }

    /// The text of a name of another host, as far as that host has responded; `None` if several
    /// files of a package have different ones.
    pub(super) fn text_elsewhere(&self, reference: &Reference) -> Option<Arc<str>> {
        reference.meanings().find_map(|reference| {
            let responses = self.responses.get(&*reference.name)?.iter();
            let mut meant = responses.filter(|part| part.demand.is_of(reference));
            let text = &meant.next()?.text;
            meant.all(|part| part.text == *text).then(|| text.clone())
        })
    }

    /// The value of the code in a [field](super::Tokens::in_field), if it has a name.
    fn interpolated(
        &mut self,
        written: Range<usize>,
        place: ExpressionContext,
    ) -> Option<StaticValue> {
        let tokens = self.tokens.in_field(written)?;
        if !tokens.clone().any(|token| self.tokens.is_word(token)) {
            return None;
        }
        let place = ExpressionContext { depth: place.depth + 1, is_operand: false, ..place };
        self.expression(tokens, place)
    }

    /// The value of a name, or of a member of one.
    pub(super) fn value_of_path(
        &mut self,
        path: &[&'s str],
        is_called: bool,
        place: ExpressionContext,
    ) -> Option<StaticValue> {
        match path {
            [name] => {
                let known = self.follow(name, is_called, place)?;
                self.copy(&known)
            }
            [holder @ .., name] => self.member(holder, name, is_called, place),
            [] => None,
        }
    }

    /// An operand that starts with a name: a text function, a followed name, or a hole. Returns
    /// also the position after it.
    fn named_operand(
        &mut self,
        tokens: Range<usize>,
        place: ExpressionContext,
    ) -> Option<(StaticValue, usize)> {
        let is_new = self.has_objects() && self.tokens.text(tokens.start) == "new";
        let start = tokens.start + usize::from(is_new);
        let head = self.tokens.text(start);
        if self.grammar.keywords.contains(&head)
            || head.starts_with(|char: char| char.is_ascii_digit())
        {
            return None;
        }
        let (chain, at) = self.chain(start..tokens.end);
        let close = self.tokens.closer(at, "(").filter(|close| *close < tokens.end);
        if is_new && close.is_none_or(|close| self.tokens.text(close + 1) != ".") {
            return None;
        }
        if let (Some(function), Some(close)) = (self.function(&chain, place.scope), close) {
            let (text, rest) = match self.tokens.split(at + 1..close).split_first() {
                Some((text, rest)) if function.takes_more => (text.clone(), rest.to_vec()),
                _ => (at + 1..close, Vec::new()),
            };
            let known = self.expression(text, ExpressionContext { is_operand: false, ..place })?;
            let operation = self.operation(&function.does, &rest, place)?;
            return Some((self.apply(known, operation)?, close + 1));
        }
        if let Some(tagged) = self.tagged(&chain, at, place.scope) {
            return Some((tagged, at + 1));
        }
        if place.is_operand {
            return Some(self.part_of_name(start..at, tokens, place));
        }
        if let Some(close) = close
            && let (keys, next) = self.members_after(close + 1..tokens.end)
            && !keys.is_empty()
            && let Some(known) = self.member_of_value(start..close + 1, &keys, place)
        {
            return Some((known, next));
        }
        if let Some(close) = close.filter(|_| self.has_objects())
            && self.tokens.text(close + 1) == "."
            && !self.is_method(self.tokens.text(close + 2))
        {
            return self.member_of_call(tokens, close, place);
        }
        if let Some((members, next)) = self.computed_members(&chain, at..tokens.end, place) {
            return Some((self.value_of_members(head, &members, place)?, next));
        }
        let next = close.map_or(at, |close| close + 1);
        if next <= at + 2
            && let Some(known) = self.path_or_call(&chain, at..next, place)
        {
            return Some((known, next));
        }
        let uses = self.bound_uses;
        if let Some(close) = close {
            self.prepare_call(at + 1..close, place);
        }
        let mut known = self.value_of_path(&chain, close.is_some(), place);
        self.forget_call();
        if let Some(known) = known.as_ref().filter(|_| self.bound_uses > uses && close.is_some()) {
            self.note_text(self.tokens.range(start..at), known);
        }
        if let Some(StaticValue::Here(text)) = &mut known
            && self.bound_uses > uses
            && close.is_some()
        {
            // The literals of the function belong to all of its calls.
            let call = self.tokens.range(start..next);
            *text = Text::part(Some(std::mem::take(text)), call.clone()).or_at(call);
        }
        if let Some((holder, "get")) = chain.split_last().map(|(last, holder)| (holder, *last))
            && let Some((key, _)) = self.got_key(at.saturating_sub(2))
            && !holder.is_empty()
        {
            // The method of a dictionary, unless a module has a function of this name.
            let keyed = self.value_of_path(&[holder, &[key]].concat(), false, place);
            known = either(known, keyed);
        }
        if !matches!(known, Some(StaticValue::Here(_)))
            && let Some((default, end)) = self.default_of(tokens).filter(|(_, end)| *end >= next)
        {
            let value = self.chosen(start..end, &[start..end, default])?;
            return match value.end < end {
                true => Some((self.expression(value, place)?, end)),
                false => Some((known.filter(|_| next == end)?, end)),
            };
        }
        Some((known?, next))
    }

    /// An operand of a concatenation that starts with a name, whose own tokens are `named`, as a part
    /// of the text. Returns also the position after it.
    fn part_of_name(
        &mut self,
        named: Range<usize>,
        tokens: Range<usize>,
        place: ExpressionContext,
    ) -> (StaticValue, usize) {
        let end = self.operand_end(named.start..tokens.end);
        let alone = ExpressionContext { is_operand: false, ..place };
        let known = self.operand(tokens.start..end, alone).filter(|(_, next)| *next == end);
        let known = known.map(|(known, _)| known);
        let name = self.tokens.range(named.start..named.end.clamp(named.start + 1, end));
        let part = self.part_named(known, self.tokens.range(tokens.start..end), name);
        (StaticValue::Here(part), end)
    }

    /// The value of a path to a member of a constant, perhaps called, with these brackets.
    fn path_or_call(
        &mut self,
        chain: &[&'s str],
        brackets: Range<usize>,
        place: ExpressionContext,
    ) -> Option<StaticValue> {
        let (last, holder) = chain.split_last()?;
        let called = &self.tokens.source[self.tokens.range(brackets.start - 1..brackets.end)];
        let last = if brackets.is_empty() { last } else { called };
        self.object_path(&[holder, &[last]].concat(), place)
    }

    /// The argument that a call in an operand returns if it has no other value, and the position
    /// after the call.
    fn default_of(&self, tokens: Range<usize>) -> Option<(Range<usize>, usize)> {
        let end = self.operand_end(tokens.clone());
        self.tokens.at_depth(tokens.start..end).find_map(|at| {
            let name = self.tokens.text(at);
            let (_, position) = self.grammar.defaults.iter().find(|(known, _)| *known == name)?;
            let close = self.tokens.closer(at + 1, "(")?;
            let default = self.tokens.split(at + 2..close).into_iter().nth(*position)?;
            Some((default, close + 1))
        })
    }

    /// The member of an object that is created here, not by a name, and the position after it:
    /// `new C("…").text()`, `[]string{"…"}[0]`, `(&c{}).Text()`.
    fn member_in_place(
        &mut self,
        tokens: Range<usize>,
        place: ExpressionContext,
    ) -> Option<(StaticValue, usize)> {
        let end = self.end_of_object(tokens.clone())?;
        let (members, next) = self.members_after(end..tokens.end);
        if members.is_empty() {
            return None;
        }
        let alone = ExpressionContext { is_operand: false, ..place };
        let known = self.member_of_value(tokens.start..end, &members, alone)?;
        Some(match place.is_operand {
            true => {
                let range = self.tokens.range(tokens.start..next);
                (StaticValue::Here(self.part(Some(known), range)), next)
            }
            false => (known, next),
        })
    }

    /// The end of an object that is created at the start of some tokens.
    fn end_of_object(&self, tokens: Range<usize>) -> Option<usize> {
        let is_bracket = |at: &usize| self.tokens.kind(*at) == Some(TokenKind::Open);
        let start = tokens.start;
        let limit = tokens.end.min(start + MAX_TYPE);
        if !self.grammar.has_typed_lists {
            let is_new = self.tokens.text(start) == "new" && self.grammar.keywords.contains(&"new");
            let open = (start..limit).find(is_bracket)?;
            let mut close = self.tokens.partner(open)?;
            // `new String[] {…}`
            while let Some(next) = self.tokens.closer(close + 1, "{").filter(|_| is_new) {
                close = next;
            }
            // `new Parser().read(…)`
            let parsers = self.grammar.loading.map_or(&[][..], |loading| loading.parsers);
            let parser = Some(close + 2).filter(|at| {
                self.tokens.text(at - 1) == "." && parsers.contains(&self.tokens.text(*at))
            });
            let parsed = parser.and_then(|parser| self.tokens.closer(parser + 1, "("));
            let end = parsed.or(Some(close).filter(|_| is_new))?;
            return Some(end + 1).filter(|end| *end <= tokens.end);
        }
        if self.tokens.text(start) == "(" {
            return Some(self.tokens.partner(start)? + 1);
        }
        let braces = self.tokens.at_depth(start..limit).take_while(|at| {
            self.tokens.is_word(*at) || matches!(self.tokens.text(*at), "." | "[" | "{" | "*" | "&")
        });
        let is_type = |at: &usize| {
            let before = at.checked_sub(1).map_or("", |before| self.tokens.text(before));
            self.tokens.text(*at) == "{" && !matches!(before, "struct" | "interface")
        };
        let open = braces.into_iter().find(is_type).filter(|open| *open > start)?;
        Some(self.tokens.partner(open)? + 1)
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

    /// The text of an argument, if it has no holes.
    pub(super) fn argument_text(
        &mut self,
        tokens: Range<usize>,
        place: ExpressionContext,
    ) -> Option<String> {
        self.argument_text_with(tokens, place, |_, _, _| ())
    }

    /// The text of an argument that is put into another text, if it has no holes.
    pub(super) fn text_put_in(
        &mut self,
        tokens: Range<usize>,
        place: ExpressionContext,
    ) -> Option<String> {
        self.argument_text_with(tokens, place, Self::note_put_in)
    }

    fn argument_text_with(
        &mut self,
        tokens: Range<usize>,
        place: ExpressionContext,
        note: fn(&mut Self, Range<usize>, &StaticValue),
    ) -> Option<String> {
        if tokens.len() == 1
            && let Some(text) = self.parameter(self.tokens.text(tokens.start), place)
        {
            return Some(text);
        }
        let depth = place.depth + 1;
        let place = ExpressionContext { depth, is_operand: false, ..place };
        let range = self.tokens.range(tokens.clone());
        let known = self.expression(tokens, place)?;
        note(self, range, &known);
        known.into_text()
    }

    /// The value of a name, or of a call of it.
    fn follow(
        &mut self,
        name: &'s str,
        is_called: bool,
        place: ExpressionContext,
    ) -> Option<Rc<StaticValue>> {
        if place.followed >= MAX_FOLLOWED {
            return None;
        }
        let followed = place.followed + 1;
        if let Some(file) = self.embedded.get(name).filter(|_| !is_called).cloned() {
            let path = TextPath { end: self.tokens.source[file.clone()].to_owned(), up: Some(0) };
            self.note_path(file, &OtherFile::Text(path.clone()));
            return Some(Rc::new(StaticValue::Elsewhere(Reference::text_file(path, followed))));
        }
        if !is_called
            && let Some(known) = self.parameter_value(name, ExpressionContext { followed, ..place })
        {
            return known.map(Rc::new);
        }
        let found = match is_called {
            true => self.outline.called(place.scope, name),
            false => self.outline.value(place.scope, name),
        };
        let Some((scope, value)) = found else {
            if let Some(known) = self.inherited(name, is_called, place) {
                return Some(Rc::new(known));
            }
            return self.undeclared(name, is_called, followed).map(Rc::new);
        };
        let value = value.clone();
        if let Value::Assigned(assignments) = value {
            let known = (!is_called).then(|| self.assigned(assignments, scope, place, followed));
            return known?.map(Rc::new);
        }
        if let Value::Part(part) = value {
            let place = ExpressionContext { followed, ..place };
            let known = (!is_called).then(|| self.part_of(part, &[], place))??;
            return self.copy(&known).map(Rc::new);
        }
        // What depends on the texts of a call is another value for each.
        let is_list = self.joining.is_some();
        if is_list || self.has_arguments() || self.is_awaited || self.is_in_called(scope) {
            if self.work > MAX_WORK {
                return None;
            }
            return self.value(name, scope, value, is_called, followed).map(Rc::new);
        }
        let key = (scope, name, is_called, followed);
        if let Some(known) = self.known.get(&key) {
            if let Err(Some(unread)) = known {
                self.unread.get_or_insert_with(|| unread.clone());
            }
            return known.clone().ok();
        }
        // A name that refers to itself finds this entry.
        self.known.insert(key, Err(None));
        let before = self.choices.count;
        let known = self.value(name, scope, value, is_called, followed).map(Rc::new);
        match self.choices.count == before {
            true => self.known.insert(key, known.clone().ok_or_else(|| self.unread.clone())),
            false => self.known.remove(&key),
        };
        known
    }

    fn value(
        &mut self,
        name: &str,
        scope: usize,
        value: Value,
        is_called: bool,
        followed: u8,
    ) -> Option<StaticValue> {
        match (value, is_called) {
            (Value::Expression(tokens), false) => {
                let place = ExpressionContext::new(scope, followed, tokens.start);
                let before = self.choices.count;
                let mut known = self.expression(tokens, place)?;
                // A name of several texts is that of none.
                let is_one = self.choices.count == before;
                if let StaticValue::Here(text) = &mut known
                    && is_one
                {
                    text.name.get_or_insert_with(|| name.to_owned());
                }
                Some(known)
            }
            // Another name of a function.
            (Value::Expression(tokens), true) if tokens.len() == 1 => {
                let place = ExpressionContext::new(scope, followed, tokens.start);
                let known = self.follow(self.tokens.text(tokens.start), true, place)?;
                self.copy(&known)
            }
            (Value::Function(index), true) => {
                let function = &self.outline.functions[index];
                // A cache changes no text, but a cached function is followed only to a text file.
                let is_awaited = std::mem::take(&mut self.is_awaited);
                let is_plain = function.is_plain && (is_awaited || !function.is_async);
                let is_cached = function.is_cached;
                if !is_plain && !is_cached {
                    return None;
                }
                let before = self.choices.count;
                let returned = match function.returns.as_slice() {
                    [returned] => returned.clone(),
                    [first, .., last] if is_plain && function.always_returns_a_value() => {
                        self.chosen(first.start..last.end, &function.returns)?
                    }
                    _ => return None,
                };
                let scope = self.outline.scope_at(returned.start);
                let place = ExpressionContext::new(scope, followed, returned.start);
                let around = self.enter(index);
                self.work += returned.len() * CALL_COST;
                let known = self.expression(returned, place);
                self.leave(around);
                let is_one = self.choices.count == before;
                let is_loaded = known.as_ref().is_some_and(StaticValue::is_text_file);
                match known.filter(|_| is_plain || is_loaded)? {
                    StaticValue::Here(text) if is_one => {
                        Some(StaticValue::Here(Text { name: Some(name.to_owned()), ..text }))
                    }
                    known => Some(known),
                }
            }
            (Value::Import(import), _) => {
                let import = &self.outline.imports[import];
                self.elsewhere(import.module.clone(), import.name?, is_called, followed)
            }
            _ => None,
        }
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
