//! Literals, the values that stand in them, and the parts of a text that other hosts have.

use std::ops::Range;
use std::sync::Arc;

use promptls_data::PieceKind;

use super::{ExpressionContext, Expressions, MAX_WORK};
use crate::code::operation::WrittenArgument;
use crate::code::static_value::{Reference, StaticValue, Text};
use crate::decode;

impl<'s> Expressions<'_, 's> {
    /// The text of adjacent literals and the token after them; of only one if the language joins
    /// none.
    pub(super) fn literals(
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

    /// A part of a text that is written at `place`.
    pub(in crate::code) fn part(
        &mut self,
        known: Option<StaticValue>,
        place: Range<usize>,
    ) -> Text {
        self.part_named(known, place.clone(), place)
    }

    /// The same, where only a name in it stands for the part: `rules` in `rules("a")`.
    pub(super) fn part_named(
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
    pub(in crate::code) fn text_elsewhere(&self, reference: &Reference) -> Option<Arc<str>> {
        reference.meanings().find_map(|reference| {
            let responses = self.responses.get(&*reference.name)?.iter();
            let mut meant = responses.filter(|part| part.demand.is_of(reference));
            let text = &meant.next()?.text;
            meant.all(|part| part.text == *text).then(|| text.clone())
        })
    }

    /// The text of an argument, if it has no holes.
    pub(in crate::code) fn argument_text(
        &mut self,
        tokens: Range<usize>,
        place: ExpressionContext,
    ) -> Option<String> {
        Some(self.argument_with(tokens, place, |_, _, _| ())?.0)
    }

    /// The text of an argument that is put into another text, if it has no holes.
    pub(in crate::code) fn text_put_in(
        &mut self,
        tokens: Range<usize>,
        place: ExpressionContext,
    ) -> Option<String> {
        Some(self.argument_with(tokens, place, Self::note_put_in)?.0)
    }

    /// The same, with the place where it is written.
    pub(in crate::code) fn written_text_put_in(
        &mut self,
        tokens: Range<usize>,
        place: ExpressionContext,
    ) -> Option<(String, Option<WrittenArgument>)> {
        self.argument_with(tokens, place, Self::note_put_in)
    }

    fn argument_with(
        &mut self,
        tokens: Range<usize>,
        place: ExpressionContext,
        note: fn(&mut Self, Range<usize>, &StaticValue),
    ) -> Option<(String, Option<WrittenArgument>)> {
        if tokens.len() == 1
            && let Some(text) = self.parameter(self.tokens.text(tokens.start), place)
        {
            return Some((text, None));
        }
        let depth = place.depth + 1;
        let place = ExpressionContext { depth, is_operand: false, ..place };
        let range = self.tokens.range(tokens.clone());
        let known = self.expression(tokens, place)?;
        note(self, range, &known);
        let written = match &known {
            StaticValue::Here(text) => text.written(),
            StaticValue::Elsewhere(_) => None,
        };
        Some((known.into_text()?, written))
    }
}
