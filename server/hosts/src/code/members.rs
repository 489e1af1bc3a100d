//! The values of qualified names.

use super::expression::{ExpressionContext, Expressions, MAX_FOLLOWED, Reference, StaticValue};
use super::grammar::Members;
use super::outline::{Value, is_class_name};

impl<'s> Expressions<'_, 's> {
    /// The value of a member, or of a call of it.
    pub(super) fn member(
        &mut self,
        holder: &[&'s str],
        name: &'s str,
        is_called: bool,
        place: ExpressionContext,
    ) -> Option<StaticValue> {
        match self.grammar.members {
            Members::OfModules => self.of_module(holder, name, is_called, place),
            Members::OfClasses => self.of_class(holder, name, is_called, place),
        }
    }

    /// The value of a class member.
    fn of_class(
        &mut self,
        class: &[&'s str],
        name: &'s str,
        is_called: bool,
        place: ExpressionContext,
    ) -> Option<StaticValue> {
        let (head, inner) = class.split_first()?;
        if let Some(scope) = self.outline.class(place.scope, class) {
            let has_name = self.outline.declares(scope, name, is_called);
            return has_name.then(|| self.named(scope, name, is_called, place.followed))?;
        }
        let module = match self.outline.value(place.scope, head) {
            Some((_, Value::Import(import))) => {
                let path = self.outline.imports[*import].path();
                inner.iter().fold(path, |path, name| format!("{path}.{name}"))
            }
            Some(_) => return None,
            // A class of the same package, or one with its package.
            None if inner.is_empty() && is_class_name(head) => {
                let package = self.outline.package.as_ref();
                package.map_or((*head).to_owned(), |package| format!("{package}.{head}"))
            }
            None if class.last().is_some_and(|it| is_class_name(it)) => class.join("."),
            None => return None,
        };
        self.elsewhere(module, name, is_called, place.followed + 1)
    }

    /// The value of a name of an imported module.
    fn of_module(
        &mut self,
        module: &[&'s str],
        name: &str,
        is_called: bool,
        place: ExpressionContext,
    ) -> Option<StaticValue> {
        let head = module.first()?;
        let (_, Value::Import(_)) = self.outline.value(place.scope, head)? else { return None };
        let module = self.outline.paths(module).into_iter().next()?;
        self.elsewhere(module, name, is_called, place.followed + 1)
    }

    /// The value of a name of another host.
    pub(super) fn elsewhere(
        &self,
        module: String,
        name: &str,
        is_called: bool,
        followed: u8,
    ) -> Option<StaticValue> {
        let last = module.rsplit('.').next().unwrap_or_default();
        let has_class = self.grammar.members == Members::OfClasses && is_class_name(last);
        let class = has_class.then(|| last.to_owned());
        let (name, operations) = (name.to_owned(), Vec::new());
        let is_part = false;
        let reference = Reference { module, class, name, is_called, operations, followed, is_part };
        (followed <= MAX_FOLLOWED).then_some(StaticValue::Elsewhere(reference))
    }
}
