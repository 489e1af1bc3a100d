//! Keys that are members of a state: `context.state.plan`, `const { plan } = session.state`.
//!
//! Interfaces of browsers keep a `state` in much code of TypeScript, so this one must be a member of
//! a session or a context.

use std::ops::Range;

use super::FlowReader;
use super::syntax::{has_bare_keys, has_state};
use crate::flow::access::{AccessKind, is_key};

impl FlowReader<'_, '_> {
    /// Reads the member at a token of the state at another one.
    pub(super) fn member(&mut self, state: usize, member: usize) {
        if self.is_of_session(state) && is_key(self.tokens.text(member)) {
            let supplies = self.is_assigned(member + 1);
            let range = self.tokens.range(member..member + 1);
            self.add(member, range, AccessKind::State, supplies);
        }
    }

    /// Reads the keys for which variables are declared: `{ plan, city: town } = session.state`.
    pub(super) fn variables_of(&mut self, state: usize) {
        let tokens = self.tokens;
        if !self.is_of_session(state) {
            return;
        }
        let mut start = state;
        while start > 1 && (tokens.is_word(start - 1) || is_sign(tokens.text(start - 1))) {
            start -= 1;
        }
        let close = start.checked_sub(2).filter(|_| tokens.text(start - 1) == "=");
        let Some(close) = close.filter(|close| tokens.text(*close) == "}") else { return };
        let Some(open) = tokens.partner(close) else { return };
        for Range { start: key, .. } in tokens.split(open + 1..close) {
            if tokens.is_literal(key) {
                self.key(key, AccessKind::State, false);
            } else if tokens.is_word(key) && is_key(tokens.text(key)) {
                self.add(key, tokens.range(key..key + 1), AccessKind::State, false);
            }
        }
    }

    /// `true` for the state of a session or a context.
    fn is_of_session(&self, state: usize) -> bool {
        let tokens = self.tokens;
        let mut holder = state;
        while holder > 0 && is_sign(tokens.text(holder - 1)) {
            holder -= 1;
        }
        let name = holder.checked_sub(1).filter(|_| holder < state);
        has_bare_keys(tokens.language)
            && name.is_some_and(|name| tokens.is_word(name) && has_state(tokens.text(name)))
    }
}

/// `true` for a sign between the members of a path.
fn is_sign(text: &str) -> bool {
    matches!(text, "." | "?." | "!" | "?")
}
