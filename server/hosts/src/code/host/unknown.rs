//! Texts that are unknown, and the reasons.

use std::ops::Range;

use promptls_syntax::Dialect;

use super::Host;
use crate::code::computed::{computed, takes_prompt};
use crate::code::expression::Variant;
use crate::code::outline::Value;
use crate::code::static_value::{Reference, StaticValue};
use crate::host_prompt::OtherFile;
use crate::unread::Computed;

impl Host<'_, '_> {
    /// Notes why the text of a value is unknown, if it is.
    pub(super) fn note_unknown(
        &mut self,
        variant: &Variant,
        dialect: Dialect,
        computed: impl FnOnce(&Self, Range<usize>) -> Option<Computed>,
    ) {
        let known = variant.known.as_ref();
        let is_unknown = known.is_none_or(StaticValue::is_computed);
        if is_unknown && self.is_name_of_prompt(&variant.tokens, dialect) {
            return;
        }
        if !is_unknown {
            self.note_unfollowed(variant, dialect);
        }
        let missing = self.missing(known);
        match variant.unread.as_ref().filter(|_| is_unknown) {
            Some(unread) => self.unread.push(unread.clone()),
            None if is_unknown || missing.is_some() => {
                let computed = computed(self, variant.tokens.clone());
                // A data file exists, and only the key may be missing.
                let file = missing.filter(|it| it.name.is_empty()).map(|it| &it.other);
                let computed = computed.map(|computed| match file {
                    Some(OtherFile::Text(path)) => computed.reading(self.tokens, &path.end),
                    _ => computed,
                });
                self.computed.extend(computed);
            }
            None => {}
        }
    }

    /// `true` for the name of a value that takes a text which is a prompt of its own.
    fn is_name_of_prompt(&self, value: &Range<usize>, dialect: Dialect) -> bool {
        let name = self.tokens.text(value.start);
        let declared = self.outline.value(self.outline.scope_at(value.start), name);
        value.len() == 1
            && matches!(declared, Some((_, Value::Expression(it)))
                if takes_prompt(self.tokens, it, dialect))
    }

    /// Notes the lists in a text that are not followed, if a placeholder is in them.
    fn note_unfollowed(&mut self, variant: &Variant, dialect: Dialect) {
        let (tokens, open) = (self.tokens, dialect.spec().open);
        let lists = variant.unfollowed.iter().filter(|list| tokens.may_hold((*list).clone(), open));
        let lists = lists.filter_map(|list| computed(tokens, "", list.clone(), dialect));
        self.computed.extend(lists);
    }

    /// The reference of a value to a name of another file, or to a text file, that does not exist.
    fn missing<'k>(&self, known: Option<&'k StaticValue>) -> Option<&'k Reference> {
        let Some(StaticValue::Elsewhere(reference)) = known else { return None };
        let is_missing = self.missing.contains(&(&reference.other, &*reference.name));
        is_missing.then_some(reference)
    }
}
