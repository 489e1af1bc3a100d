//! Fields that derived classes replace: a method of the base class that reads `self.template` reads
//! that of the class of its object.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use crate::code::expression::{ExpressionContext, Expressions};
use crate::code::outline::Value;
use crate::code::static_value::StaticValue;

impl Expressions<'_, '_> {
    /// The value of a field in a class, or one that replaces it in a class that derives from it.
    pub(super) fn field_or_override(
        &mut self,
        class: usize,
        members: &[&str],
        place: ExpressionContext,
    ) -> Option<StaticValue> {
        let replaced = self.overrides(class, members[0]);
        let Some((first, last)) = replaced.first().zip(replaced.last()) else {
            return self.field(class, members, true, place);
        };
        let has_own = self.outline.names.contains_key(&(class, members[0]));
        let own = usize::from(has_own);
        let choice = first.start..last.end;
        let index = match own + replaced.len() {
            1 => 0,
            count => self.choose(choice.clone(), count)?,
        };
        let Some(value) = index.checked_sub(own).and_then(|index| replaced.get(index)) else {
            return self.field(class, members, true, place);
        };
        self.take(&choice, index, value.clone());
        let known = self.member_of_value(value.clone(), &members[1..], place)?;
        Some(known.with_name(members[0]))
    }

    /// The values of a field in the classes of the host that derive from a class and replace it, in
    /// source order.
    fn overrides(&mut self, class: usize, member: &str) -> Vec<Range<usize>> {
        let outline = self.outline;
        let derived = self.derived.get_or_insert_with(|| {
            let mut derived: HashMap<&str, Vec<usize>> = HashMap::new();
            for scope in 0..outline.scopes.len() {
                for base in outline.bases(scope).iter().filter_map(|chain| chain.last()) {
                    derived.entry(base).or_default().push(scope);
                }
            }
            derived
        });
        let mut values = Vec::new();
        let mut seen = HashSet::from([class]);
        let mut waiting = vec![class];
        while let Some(base) = waiting.pop() {
            let name = outline.scopes[base].name;
            for scope in derived.get(name).into_iter().flatten() {
                // A class of this name in another scope is another one.
                if outline.scopes[*scope].parent != outline.scopes[base].parent
                    || !seen.insert(*scope)
                {
                    continue;
                }
                if let Some(Value::Expression(value)) = outline.names.get(&(*scope, member)) {
                    values.extend(outline.default_of(self.tokens, value.clone()));
                }
                waiting.push(*scope);
            }
        }
        values.sort_unstable_by_key(|value| value.start);
        values
    }
}
