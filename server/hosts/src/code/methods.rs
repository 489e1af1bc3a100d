//! Methods and functions that transform a text. `grammar/` lists them.

use std::ops::Range;

use super::expression::{ExpressionContext, Expressions};
use super::grammar::{Does, Function, Members, Method};
use super::operation::Operation;
use super::outline::Value;
use super::static_value::{StaticValue, Text};
use crate::decode;
use crate::host_prompt::OtherFile;
use crate::language::Language;

impl<'s> Expressions<'_, 's> {
    /// `true` if a name is that of a text method.
    pub(super) fn is_method(&self, name: &str) -> bool {
        self.grammar.methods.iter().any(|method| method.name == name)
    }

    /// The module function that a chain of names refers to.
    pub(super) fn function(&self, chain: &[&'s str], scope: usize) -> Option<&'static Function> {
        let mut paths = self.outline.paths(chain);
        // Built-in functions keep their names, unless something else hides them.
        let is_imported = self.outline.imports.iter().any(|it| Some(&it.local) == chain.first());
        let is_known = self.grammar.members == Members::OfClasses && !is_imported;
        if is_known && chain.first().is_some_and(|it| self.outline.class(scope, &[*it]).is_none()) {
            paths.push(chain.join("."));
        }
        self.grammar.functions.iter().find(|it| paths.iter().any(|path| path == it.path))
    }

    /// The start and the end of what is between brackets, also after a function that changes
    /// nothing.
    pub(super) fn brackets(&self, start: usize, scope: usize) -> Option<(usize, usize)> {
        let name = self.tokens.text(start);
        let is_hidden = match self.outline.value(scope, name) {
            // Parameters of Go bind the names of their types.
            Some((_, Value::Unknown)) => self.tokens.language != Language::Go,
            found => found.is_some(),
        };
        let is_conversion = self.grammar.conversions.contains(&name) && !is_hidden;
        let open = start + usize::from(is_conversion);
        self.tokens.closer(open, "(").map(|close| (open + 1, close))
    }

    /// The text of a template after a tag that removes indentation. Such a tag reads escapes itself,
    /// so only those of characters of the notation are known.
    pub(super) fn tagged(
        &mut self,
        chain: &[&'s str],
        template: usize,
        scope: usize,
    ) -> Option<StaticValue> {
        let written = self.tokens.text(template).strip_prefix('`')?;
        let mut escapes = written.match_indices('\\').map(|(at, _)| &written[at + 1..]);
        if !escapes.all(|escaped| escaped.starts_with(['`', '$', '{'])) {
            return None;
        }
        let function = self.function(chain, scope)?;
        let range = self.tokens.range(template..template + 1);
        let decoded = decode::decode(self.tokens.language, self.tokens.source, range.clone())?;
        let text = Text { decoded, literals: vec![range], ..Text::default() };
        self.apply(StaticValue::Here(text), function.operation.clone())
    }

    /// The text after a method of it.
    pub(super) fn after_method(
        &mut self,
        name: usize,
        arguments: Range<usize>,
        known: StaticValue,
        place: ExpressionContext,
    ) -> Option<StaticValue> {
        let is_join = |method: &&Method| matches!(method.does, Does::Join);
        let mut joins = self.grammar.methods.iter().filter(is_join);
        if joins.any(|method| method.name == self.tokens.text(name)) {
            let StaticValue::Here(separator) = known else { return None };
            let is_known = separator.decoded.holes().next().is_none();
            let (items, place) = self.list_of(arguments, place).filter(|_| is_known)?;
            let joined = self.join(items, separator.decoded.text(), place)?;
            return Some(StaticValue::Here(joined));
        }
        let operation = self.method(name, arguments, &known, place)?;
        self.apply(known, operation)
    }

    /// The operation of a method on the preceding text.
    fn method(
        &mut self,
        name: usize,
        arguments: Range<usize>,
        known: &StaticValue,
        place: ExpressionContext,
    ) -> Option<Operation> {
        let name = self.tokens.text(name);
        let method = self.grammar.methods.iter().find(|method| method.name == name)?;
        let parts = self.tokens.split(arguments);
        match (&method.does, parts.as_slice()) {
            (Does::Alone(operation), []) | (Does::Format(operation), _) => Some(operation.clone()),
            (Does::FormatWritten(operation), _) => {
                let text = match known {
                    StaticValue::Here(text) => text,
                    // A file has no escapes.
                    StaticValue::Elsewhere(reference) => {
                        let is_file = matches!(reference.other, OtherFile::Text(_));
                        return is_file.then(|| operation.clone());
                    }
                };
                let is_plain = |literal: &Range<usize>| {
                    let written = &self.tokens.source[literal.clone()];
                    let prefix = written.split(['"', '\'']).next().unwrap_or_default();
                    !prefix.contains(['f', 'F'])
                };
                let mut literals = text.literals.iter().chain(&text.included);
                literals.all(is_plain).then(|| operation.clone())
            }
            (Does::Replace, [from, to]) => {
                let from = self.argument_text(from.clone(), place)?;
                let to = self.argument_text(to.clone(), place);
                Some(Operation::Replace { from, to })
            }
            (Does::ReplaceByPattern { is_all }, [from, to]) => {
                let from = self.argument_text(from.clone(), place)?;
                let to = self.argument_text(to.clone(), place);
                // Dollar references are not supported.
                let to = to.filter(|to| !to.contains('$'));
                Some(match is_all {
                    true => Operation::Replace { from, to },
                    false => Operation::ReplaceFirst { from, to },
                })
            }
            _ => None,
        }
    }
}
