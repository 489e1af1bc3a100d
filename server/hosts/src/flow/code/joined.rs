//! Keys that are joined from parts: `PREFIX + "city"`, `f"{PREFIX}city"`, `"trip_" "city"`.

use std::ops::Range;

use promptls_data::PieceKind;

use super::super::access::{JoinedKey, KeyPart, is_key};
use super::constants::{ConstantPath, ConstantValue, Constants, hash};
use super::syntax::is_constant;
use crate::code::Tokens;
use crate::decode;
use crate::language::Language;

/// The maximum number of parts of a key.
const MAX_PARTS: usize = 8;

/// The maximum number of constants that are declared by each other.
const MAX_DEPTH: u8 = 4;

impl<'s> Constants<'s> {
    /// The key in an expression that joins several parts; `None` for any other expression, and for
    /// one with a value that is unknown in each file.
    pub(super) fn joined(
        &self,
        tokens: &Tokens<'s>,
        expression: Range<usize>,
    ) -> Option<JoinedKey> {
        let (mut parts, mut operands) = (Vec::new(), 0);
        let start = tokens.range(expression.clone()).start;
        self.add_parts(tokens, expression, (&mut parts, &mut operands), 0)?;
        (operands > 1).then_some(())?;
        let key = JoinedKey { parts: parts.into(), start };
        let is_possible = key.text(|_| None).is_none_or(|text| is_key(&text));
        is_possible.then_some(key)
    }

    /// The key in the value of a constant; `None` if another file declares a part of it, or if it is
    /// no key.
    pub(super) fn key_of(&self, tokens: &Tokens<'s>, value: &ConstantValue) -> Option<String> {
        let text = match value.written(tokens) {
            Err(text) => text,
            Ok(expression) => {
                let mut parts = Vec::new();
                self.add_parts(tokens, expression, (&mut parts, &mut 0), 0)?;
                JoinedKey { parts: parts.into(), start: 0 }.text(|_| None)?
            }
        };
        is_key(&text).then_some(text)
    }

    /// `true` for a constant with such a key.
    pub(super) fn is_joined(&self, tokens: &Tokens<'s>, name: &'s str) -> bool {
        let value = self.declared("", name).and_then(Option::as_ref);
        value.is_some_and(|value| self.key_of(tokens, value).is_some())
    }

    /// Adds the parts of an expression, and counts its operands.
    fn add_parts(
        &self,
        tokens: &Tokens<'s>,
        expression: Range<usize>,
        (parts, operands): (&mut Vec<KeyPart>, &mut usize),
        depth: u8,
    ) -> Option<()> {
        let mut at = expression.start;
        while at < expression.end {
            if *operands >= MAX_PARTS || depth > MAX_DEPTH {
                return None;
            }
            if tokens.is_literal(at) {
                self.add_literal(tokens, at, (parts, operands), depth)?;
                at += 1;
            } else if tokens.is_word(at) {
                let path = ConstantPath::at(tokens, at);
                self.add_constant(tokens, &path, (parts, operands), depth)?;
                at = path.end + 1;
            } else {
                return None;
            }
            let is_sum = tokens.text(at) == "+" && at + 1 < expression.end;
            let is_next = tokens.language == Language::Python && tokens.is_literal(at);
            match is_sum {
                true => at += 1,
                false if at == expression.end => {}
                false if is_next && tokens.is_literal(at - 1) => {}
                false => return None,
            }
        }
        Some(())
    }

    fn add_literal(
        &self,
        tokens: &Tokens<'s>,
        literal: usize,
        (parts, operands): (&mut Vec<KeyPart>, &mut usize),
        depth: u8,
    ) -> Option<()> {
        let range = tokens.range(literal..literal + 1);
        let decoded = decode::decode(tokens.language, tokens.source, range)?;
        for piece in decoded.pieces() {
            if piece.kind == PieceKind::Hole {
                let code = tokens.in_field(piece.source.clone())?;
                self.add_parts(tokens, code, (parts, operands), depth)?;
            } else {
                *operands += 1;
                parts.push(KeyPart::Text(decoded.text()[piece.text.clone()].to_owned()));
            }
        }
        Some(())
    }

    fn add_constant(
        &self,
        tokens: &Tokens<'s>,
        &ConstantPath { name, holder, .. }: &ConstantPath<'s>,
        (parts, operands): (&mut Vec<KeyPart>, &mut usize),
        depth: u8,
    ) -> Option<()> {
        *operands += 1;
        if let Some(value) = self.declared(holder, name) {
            return match value.as_ref()?.written(tokens) {
                // These parts count as well: there would be many of them, level by level.
                Ok(expression) => self.add_parts(tokens, expression, (parts, operands), depth + 1),
                Err(text) => {
                    parts.push(KeyPart::Text(text));
                    Some(())
                }
            };
        }
        let name = match (is_constant(name), is_constant(holder)) {
            (true, _) => ("", name),
            (false, true) => (holder, name),
            (false, false) => return None,
        };
        parts.push(KeyPart::Constant { name: hash(name), word: name.1.to_owned() });
        Some(())
    }
}
