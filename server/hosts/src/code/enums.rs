//! Texts of enum constants in Java and Kotlin: `PLAN("…")` with `Prompts.PLAN.text`.

use std::ops::Range;

use super::expression::{ExpressionContext, Expressions, MAX_FOLLOWED};
use super::outline::{Outline, Value};
use super::static_value::StaticValue;
use super::tokens::Tokens;
use crate::host_prompt::TextDemand;
use crate::language::Language;

/// The maximum number of tokens before the brace of an enum.
const MAX_HEADER: usize = 100;

impl<'s> Expressions<'_, 's> {
    /// The text that a field of an enum constant returns, or a method without arguments.
    pub(super) fn of_constant(
        &mut self,
        class: usize,
        constant: &str,
        field: &str,
        is_called: bool,
        place: ExpressionContext,
    ) -> Option<StaticValue> {
        if !self.outline.enums.contains(&class) || place.followed >= MAX_FOLLOWED {
            return None;
        }
        let arguments = self.arguments_of_constant(class, constant)?;
        let field = match is_called {
            true => returned_field(self.tokens, self.outline, class, field)?,
            false => field,
        };
        let position = match self.tokens.language {
            Language::Kotlin => property(self.tokens, self.outline, class, field)?,
            _ => assigned_parameter(self.tokens, self.outline, class, field)?,
        };
        let all = self.tokens.split(arguments);
        let named = all.iter().position(|it| self.tokens.text(it.start + 1) == "=");
        let argument = match named {
            None => all.get(position)?.clone(),
            Some(_) => {
                let is_it = |it: &&Range<usize>| {
                    self.tokens.text(it.start) == field && self.tokens.text(it.start + 1) == "="
                };
                let found = all.iter().find(is_it)?;
                found.start + 2..found.end
            }
        };
        let (followed, depth) = (place.followed + 1, place.depth + 1);
        let place =
            ExpressionContext { depth, ..ExpressionContext::new(class, followed, argument.start) };
        let known = self.expression(argument, place)?;
        Some(match known {
            StaticValue::Here(mut text) => {
                text.name.get_or_insert_with(|| constant.to_owned());
                StaticValue::Here(text)
            }
            elsewhere => elsewhere,
        })
    }

    /// The same for another host.
    pub(super) fn constant_demanded(
        &mut self,
        class: usize,
        constant: &str,
        demand: &TextDemand,
    ) -> Option<StaticValue> {
        let (followed, is_called) = (demand.followed, demand.is_called);
        let place = ExpressionContext::new(class, followed, usize::MAX);
        self.of_constant(class, constant, &demand.name, is_called, place)
    }

    /// The tokens between the brackets of a constant. Cached, because a program may use each of
    /// many.
    fn arguments_of_constant(&mut self, class: usize, constant: &str) -> Option<Range<usize>> {
        let tokens = self.tokens;
        let scope = &self.outline.scopes[class];
        let open = brace(tokens, scope.tokens.clone())?;
        let constants = || constants(tokens, open).collect();
        self.objects.entry(open + 1).or_insert_with(constants).get(constant).cloned()
    }
}

/// The opening brace of an enum.
fn brace(tokens: &Tokens<'_>, scope: Range<usize>) -> Option<usize> {
    let mut at = scope.start;
    for _ in 0..MAX_HEADER {
        match tokens.text(at) {
            "{" => return Some(at),
            "" => return None,
            _ => at = tokens.next(at),
        }
    }
    None
}

/// The constants of the enum with a brace that have arguments, with these.
pub(super) fn constants<'s>(
    tokens: &Tokens<'s>,
    brace: usize,
) -> impl Iterator<Item = (&'s str, Range<usize>)> {
    let close = tokens.partner(brace).unwrap_or(brace);
    let mut at = brace + 1;
    std::iter::from_fn(move || {
        while at < close && tokens.text(at) != ";" {
            let name = at;
            while at < close && !matches!(tokens.text(at), "," | ";") {
                at = tokens.next(at);
            }
            at += usize::from(tokens.text(at) == ",");
            if let Some(end) = tokens.closer(name + 1, "(").filter(|_| tokens.is_word(name)) {
                return Some((tokens.text(name), name + 2..end));
            }
        }
        None
    })
}

/// The field that a method returns: `return text;`, `return this.text;`.
fn returned_field<'s>(
    tokens: &Tokens<'s>,
    outline: &Outline<'s>,
    class: usize,
    method: &str,
) -> Option<&'s str> {
    let Value::Function(function) = outline.methods.get(&(class, method))? else { return None };
    let [returned] = outline.functions[*function].returns.as_slice() else { return None };
    let start = match (tokens.text(returned.start), tokens.text(returned.start + 1)) {
        ("this", ".") => returned.start + 2,
        _ => returned.start,
    };
    (start + 1 == returned.end && tokens.is_word(start)).then(|| tokens.text(start))
}

/// The position of the parameter that declares a property in Kotlin.
fn property(tokens: &Tokens<'_>, outline: &Outline<'_>, class: usize, name: &str) -> Option<usize> {
    let start = outline.scopes[class].tokens.start;
    let close = tokens.closer(start, "(")?;
    tokens.split(start + 1..close).into_iter().position(|part| {
        let colon = part.clone().find(|token| tokens.text(*token) == ":");
        let name_at = colon.and_then(|colon| colon.checked_sub(1)).filter(|it| part.contains(it));
        name_at.is_some_and(|at| {
            tokens.text(at) == name && at > part.start && tokens.text(at - 1) == "val"
        })
    })
}

/// The position of the parameter that the only constructor in Java assigns to a field.
fn assigned_parameter(
    tokens: &Tokens<'_>,
    outline: &Outline<'_>,
    class: usize,
    field: &str,
) -> Option<usize> {
    let name = outline.scopes[class].name;
    let is_constructor = |function: &&super::outline::Function| {
        let scope = &outline.scopes[function.scope];
        scope.parent == Some(class) && scope.name == name
    };
    let mut constructors = outline.functions.iter().filter(is_constructor);
    let constructor = constructors.next().filter(|_| constructors.next().is_none())?;
    let mut body = outline.scopes[constructor.scope].tokens.clone();
    let assigned = body.find(|at| {
        tokens.text(*at) == "this" && tokens.text(at + 1) == "." && tokens.text(at + 2) == field
    })?;
    let value = assigned + 4;
    if tokens.text(assigned + 3) != "=" || tokens.text(value + 1) != ";" {
        return None;
    }
    let parameters = tokens.split(constructor.parameters.clone());
    parameters.iter().position(|part| tokens.text(part.end - 1) == tokens.text(value))
}
