//! Methods and functions that make a text of a text, as tables.

use std::ops::Range;

use super::expression::{Expressions, Known, Place};
use super::operation::Operation;

/// A method of texts: how it is called, and what it does.
struct Method {
    name: &'static str,
    operation: Operation,
}

/// Methods without arguments.
const METHODS: [Method; 3] = [
    Method { name: "strip", operation: Operation::Trim { start: true, end: true } },
    Method { name: "lstrip", operation: Operation::Trim { start: true, end: false } },
    Method { name: "rstrip", operation: Operation::Trim { start: false, end: true } },
];

/// Whether a method of texts is called so.
pub(super) fn is_method(name: &str) -> bool {
    matches!(name, "format" | "replace") || METHODS.iter().any(|method| method.name == name)
}

/// Functions of modules that take a text.
const FUNCTIONS: [(&str, Operation); 1] = [("textwrap.dedent", Operation::Dedent)];

impl Expressions<'_, '_> {
    /// What a function of a module does to its text.
    pub(super) fn function(&self, chain: &[&str]) -> Option<Operation> {
        let paths = self.outline.paths(chain);
        let known = FUNCTIONS.iter().find(|(path, _)| paths.iter().any(|it| it == path));
        known.map(|(_, operation)| operation.clone())
    }

    /// What a method does to the text before it. `is_form`: whether that is written in place.
    pub(super) fn method(
        &mut self,
        name: usize,
        arguments: Range<usize>,
        known: &Known,
        is_form: bool,
        place: Place,
    ) -> Option<Operation> {
        let name = self.tokens.text(name);
        let parts = self.tokens.split(arguments.clone());
        match (name, parts.as_slice()) {
            ("format", _) => {
                let Known::Here(text) = known else { return None };
                let is_plain = |literal: &Range<usize>| {
                    let written = &self.tokens.source[literal.clone()];
                    let prefix = written.split(['"', '\'']).next().unwrap_or_default();
                    !prefix.contains(['f', 'F'])
                };
                let is_written = is_form && text.name.is_none();
                let fits = is_written && text.literals.iter().all(is_plain);
                fits.then_some(Operation::FormatBraces)
            }
            ("replace", [from, to]) => {
                let followed = place.followed;
                let from = self.text_in(from.clone(), place.scope, followed)?;
                let to = self.text_in(to.clone(), place.scope, followed);
                Some(Operation::Replace { from, to })
            }
            (name, []) => {
                let method = METHODS.iter().find(|method| method.name == name)?;
                Some(method.operation.clone())
            }
            _ => None,
        }
    }
}
