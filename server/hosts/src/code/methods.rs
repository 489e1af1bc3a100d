//! Methods and functions that transform a text. `grammar/` lists them.

use std::ops::Range;

use super::expression::{ExpressionContext, Expressions};
use super::grammar::{Does, Function, Members, Method};
use super::operation::{Operation, TextArgument};
use super::outline::Value;
use super::static_value::{StaticValue, Text};
use crate::decode;
use crate::language::Language;
use promptls_data::HOLE;

/// The maximum number of values that are put into a text; further ones are holes.
const MAX_VALUES: usize = 100;

impl<'s> Expressions<'_, 's> {
    /// `true` if a name is that of a text method.
    pub(super) fn is_method(&self, name: &str) -> bool {
        self.grammar.methods.iter().any(|method| method.name == name)
            || self.outline.extensions.contains_key(name)
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
        let operation =
            self.operation(&function.does, &[], ExpressionContext::new(scope, 0, template))?;
        self.apply(StaticValue::Here(text), operation)
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
            return self.joined(arguments, known.into_text(), place);
        }
        let name = self.tokens.text(name);
        let Some(method) = self.grammar.methods.iter().find(|method| method.name == name) else {
            return self.after_extension(name, known, place);
        };
        if matches!(method.does, Does::Append) {
            let StaticValue::Here(mut text) = known else { return None };
            let depth = place.depth + 1;
            let place = ExpressionContext { depth, is_operand: true, ..place };
            for argument in self.tokens.split(arguments) {
                let StaticValue::Here(more) = self.expression(argument, place)? else {
                    return None;
                };
                self.spend(&more)?;
                text.append(more);
            }
            return Some(StaticValue::Here(text));
        }
        let operation = self.operation(&method.does, &self.tokens.split(arguments), place)?;
        self.apply(known, operation)
    }

    /// The operation of a method or function with these arguments on its text.
    pub(super) fn operation(
        &mut self,
        does: &Does,
        arguments: &[Range<usize>],
        place: ExpressionContext,
    ) -> Option<Operation> {
        match (does, arguments) {
            (Does::Alone(operation), []) => Some(operation.clone()),
            (Does::Format(fields), values) => {
                let arguments = self.arguments_of_format(values, place);
                Some(Operation::Format { fields: *fields, arguments })
            }
            (Does::Replace, [from, to, count]) => {
                let from = self.argument_text(from.clone(), place)?;
                let to = self.text_put_in(to.clone(), place);
                match &self.tokens.source[self.tokens.range(count.clone())] {
                    "-1" => Some(Operation::Replace { from, to }),
                    "1" => Some(Operation::ReplaceFirst { from, to }),
                    _ => None,
                }
            }
            (Does::Replace, [from, to]) => {
                let from = self.argument_text(from.clone(), place)?;
                let to = self.text_put_in(to.clone(), place);
                Some(Operation::Replace { from, to })
            }
            (Does::ReplaceByPattern { is_all }, [from, to]) => {
                let from = self.argument_text(from.clone(), place)?;
                let to = self.text_put_in(to.clone(), place);
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

    /// The known texts among the values that are put into a text.
    pub(super) fn arguments_of_format(
        &mut self,
        values: &[Range<usize>],
        place: ExpressionContext,
    ) -> Vec<TextArgument> {
        let sign = self.grammar.keyword_sign;
        let mut known = Vec::new();
        for (position, part) in values.iter().take(MAX_VALUES).enumerate() {
            // What follows has no certain position.
            if matches!(self.tokens.text(part.start), "*" | "**") {
                break;
            }
            let has_keyword = self.tokens.is_word(part.start)
                && part.len() > 2
                && Some(self.tokens.text(part.start + 1)) == sign;
            let value = part.start + if has_keyword { 2 } else { 0 }..part.end;
            let keyword = has_keyword.then(|| self.tokens.text(part.start).to_owned());
            // In a text, this character would be a hole.
            let text = self.written_text_put_in(value, place);
            let text = text.filter(|(text, _)| !text.contains(HOLE));
            known.extend(text.map(|(text, written)| TextArgument {
                keyword,
                position,
                text,
                written,
            }));
        }
        known
    }

    /// `true` if a literal of a text has doubled braces for single ones, as in an f-string.
    pub(super) fn has_doubled_braces(&self, text: &Text) -> bool {
        let is_formatted = |literal: &Range<usize>| {
            let written = &self.tokens.source[literal.clone()];
            let prefix = written.split(['"', '\'']).next().unwrap_or_default();
            prefix.contains(['f', 'F'])
        };
        text.literals.iter().chain(&text.included).any(is_formatted)
    }
}
