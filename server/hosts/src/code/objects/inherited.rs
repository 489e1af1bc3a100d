//! Names that a class inherits: constants and methods of its base class and of its interfaces.

use crate::code::beside::modules_of_base;
use crate::code::expression::{ExpressionContext, Expressions, MAX_FOLLOWED};
use crate::code::grammar::Members;
use crate::code::outline::ScopeKind;
use crate::code::static_value::{StaticValue, either};

impl<'s> Expressions<'_, 's> {
    /// The value of a name that no scope around a place declares, but a base of a class there.
    pub(in crate::code) fn inherited(
        &mut self,
        name: &'s str,
        is_called: bool,
        place: ExpressionContext,
    ) -> Option<StaticValue> {
        if self.grammar.members != Members::OfClasses || place.followed >= MAX_FOLLOWED {
            return None;
        }
        let outline = self.outline;
        let mut around = outline.outwards(place.scope);
        around.find_map(|class| self.of_bases(class, name, is_called, place))
    }

    /// The value of a name of the bases of a class.
    pub(in crate::code) fn of_bases(
        &mut self,
        class: usize,
        name: &'s str,
        is_called: bool,
        place: ExpressionContext,
    ) -> Option<StaticValue> {
        let outline = self.outline;
        let ScopeKind::Class { bases } = &outline.scopes[class].kind else { return None };
        let place = ExpressionContext { followed: place.followed + 1, ..place };
        let mut elsewhere = None;
        for base in bases {
            let chain: Vec<&str> = base.iter().map(String::as_str).collect();
            let scope = outline.class(outline.scopes[class].parent?, &chain);
            let Some(scope) = scope.filter(|scope| *scope != class) else {
                for module in modules_of_base(outline, class, &chain) {
                    let known = self.elsewhere(module, name, is_called, place.followed);
                    elsewhere = either(elsewhere, known);
                }
                continue;
            };
            let known = match outline.declares(scope, name, is_called) {
                true => {
                    let place = ExpressionContext::new(scope, place.followed, usize::MAX);
                    self.value_of_path(&[name], is_called, place)
                }
                false if place.followed < MAX_FOLLOWED => {
                    self.of_bases(scope, name, is_called, place)
                }
                false => None,
            };
            if known.is_some() {
                return known;
            }
        }
        elsewhere
    }
}
