//! Keys for the answers of agents: `output_key="plan"`, and expressions that choose or compute one.

use super::syntax::{computes, is_constant};
use super::{FlowReader, MAKES_MAP};
use crate::code::Tokens;
use crate::flow::access::AccessKind;
use crate::language::Language;

/// Signs and words before one of several values, and after it. A condition has others on one side.
const BEFORE_CHOICE: [&str; 7] = ["?", ":", "?:", "??", "||", "else", "or"];
const AFTER_CHOICE: [&str; 6] = [":", "?:", "??", "||", "if", "or"];

impl FlowReader<'_, '_> {
    /// Reads `output_key="plan"`, `outputKey: "plan"`, `.outputKey("plan")`, `OutputKey: Plan`; a
    /// variable is read where it gets its value.
    pub(super) fn output_key(&mut self, at: usize) {
        let tokens = self.tokens;
        let (sign, start) = (tokens.text(at + 1), at + 2);
        if !matches!(sign, "=" | ":" | "(") || tokens.text(start) == "=" {
            return;
        }
        let end = self.end_of(start);
        // The default of a parameter or field follows its type.
        let default = (start..end).find(|token| sign == ":" && is_assignment(tokens, *token));
        let has_types = matches!(tokens.language, Language::Python | Language::Kotlin);
        if sign == ":" && default.is_none() && has_types {
            return;
        }
        let value = default.map_or(start, |equals| equals + 1)..end;
        let mut at = value.start;
        while at < value.end {
            let is_value = tokens.is_literal(at) || tokens.is_word(at);
            let last = if is_value { self.end_of_constant(at) } else { at };
            let is_first = at == value.start || BEFORE_CHOICE.contains(&tokens.text(at - 1));
            let is_last = last + 1 >= end || AFTER_CHOICE.contains(&tokens.text(last + 1));
            let is_known =
                !(is_value && is_first && is_last) || self.key(at, AccessKind::OutputKey, true);
            // A parameter has the values of its calls.
            let name = tokens.text(last);
            if !is_known && is_constant(name) && !MAKES_MAP.contains(&name) {
                self.unknown(at..last + 1);
            }
            at = last + 1;
        }
        if computes(tokens, value.clone()) {
            self.unknown(value);
        }
    }
}

/// `true` for a sign that is no part of a comparison or an arrow.
fn is_assignment(tokens: &Tokens<'_>, sign: usize) -> bool {
    tokens.text(sign) == "="
        && !matches!(tokens.text(sign - 1), "=" | "!" | "<" | ">")
        && !matches!(tokens.text(sign + 1), "=" | ">")
}
