//! Names with keys that are computed: `PROMPTS[kind]`, `CONFIG[name]["instruction"]`.
//!
//! A key whose text is unknown may be any key, so the value is any of those of the object.

use std::ops::Range;

use super::{ExpressionContext, Expressions};
use crate::code::grammar::Members;
use crate::code::outline::objects::is_index;
use crate::code::outline::{ANY, Value};
use crate::code::static_value::StaticValue;

/// The maximum number of names and keys.
const MAX_MEMBERS: usize = 16;

impl<'s> Expressions<'_, 's> {
    /// The members after names, with keys that may be computed, and the position after them; `None`
    /// without such a key. A call ends them.
    pub(in crate::code) fn computed_members(
        &mut self,
        chain: &[&'s str],
        tokens: Range<usize>,
        place: ExpressionContext,
    ) -> Option<(Vec<String>, usize)> {
        let is_computed =
            self.grammar.members == Members::OfModules && self.tokens.text(tokens.start) == "[";
        if !is_computed {
            return None;
        }
        let mut members: Vec<String> = chain[1..].iter().map(|it| (*it).to_owned()).collect();
        let mut at = tokens.start;
        while at < tokens.end && members.len() <= MAX_MEMBERS {
            match self.tokens.text(at) {
                "[" => {
                    let close = self.tokens.partner(at).filter(|close| *close < tokens.end)?;
                    members.push(self.key(at + 1..close, place));
                    at = close + 1;
                }
                "." if self.tokens.is_word(at + 1) && self.tokens.text(at + 2) != "(" => {
                    members.push(self.tokens.text(at + 1).to_owned());
                    at += 2;
                }
                _ => break,
            }
        }
        Some((members, at))
    }

    /// A key in brackets, in the notation of members.
    fn key(&mut self, key: Range<usize>, place: ExpressionContext) -> String {
        let written = &self.tokens.source[self.tokens.range(key.clone())];
        if is_index(written) && key.len() == 1 && !written.contains('\\') {
            return written.to_owned();
        }
        match self.argument_text(key.clone(), place) {
            Some(text) if !text.contains(['"', '\'', '\\']) => format!("\"{text}\""),
            None if self.is_member_of_class(key, place.scope) => format!("[{written}]"),
            _ => ANY.to_owned(),
        }
    }

    /// `true` for a member of a class or of an import, which may be an enum: `Kind.INTAKE`.
    fn is_member_of_class(&self, key: Range<usize>, scope: usize) -> bool {
        let head = self.tokens.text(key.start);
        let (chain, end) = self.chain(key.clone());
        let is_enum = match self.outline.value(scope, head) {
            // Enums of scripts.
            Some((_, Value::Expression(value))) => {
                self.tokens.text(value.start.wrapping_sub(2)) == "enum"
            }
            Some((_, Value::Import(_))) => true,
            _ => self.outline.class(scope, &[head]).is_some(),
        };
        is_enum && chain.len() > 1 && end == key.end
    }

    /// The value of members of a name.
    pub(in crate::code) fn value_of_members(
        &mut self,
        head: &'s str,
        members: &[String],
        place: ExpressionContext,
    ) -> Option<StaticValue> {
        let members: Vec<&str> = members.iter().map(String::as_str).collect();
        let (last, holder) = members.split_last()?;
        self.of_module(head, holder, last, false, place)
    }
}
