//! The names by which other hosts can use templates of this one: `PLAN`, `chain = PLAN | model`,
//! functions that return one, and classes with one.

use std::collections::{BTreeSet, HashSet};
use std::ops::Range;

use super::contracts::Contracts;
use crate::code::outline::Value;
use crate::host_prompt::Demand;

/// The maximum number of names between a template and one by which others use it.
const MAX_LEVELS: usize = 3;

impl<'s> Contracts<'_, 's> {
    /// The names, sorted, given the first tokens of the calls that create templates, in order. Names
    /// in `demands` that others declare as templates count as such.
    ///
    /// Cost: if there are any, the values of all names, a few times.
    pub(crate) fn template_names(&self, calls: &[usize], demands: &[Demand]) -> Vec<String> {
        let outline = self.outline;
        let mut known: HashSet<&str> = HashSet::new();
        let mut shared: BTreeSet<&str> = BTreeSet::new();
        for demand in demands {
            if let Demand::Template(name) = demand {
                known.insert(name);
                let others = outline.imports.iter().filter(|it| it.name == Some(&**name));
                let others = others.map(|it| it.local).filter(|local| local != name);
                shared.extend(others);
            }
        }
        known.extend(&shared);
        if calls.is_empty() && known.is_empty() {
            return Vec::new();
        }
        for call in calls {
            shared.extend(self.module_class_around(outline.scope_at(*call)));
        }
        for _ in 0..MAX_LEVELS {
            let before = known.len();
            let is_one = |value: &Range<usize>| {
                let next = calls.get(calls.partition_point(|call| *call < value.start));
                next.is_some_and(|call| *call < value.end)
                    || value.clone().any(|at| known.contains(self.tokens.text(at)))
            };
            let values = outline.names.iter().filter_map(|((scope, name), value)| match value {
                Value::Expression(value) if is_one(value) => Some((*scope, *name)),
                _ => None,
            });
            let returning = outline.functions.iter().filter(|it| it.returns.iter().any(is_one));
            let returning = returning.filter_map(|function| {
                let scope = &outline.scopes[function.scope];
                Some((scope.parent?, scope.name))
            });
            let found: Vec<(usize, &'s str)> = values.chain(returning).collect();
            for (scope, name) in found {
                known.insert(name);
                match scope {
                    0 => _ = shared.insert(name),
                    scope => shared.extend(self.module_class_around(scope)),
                }
            }
            if known.len() == before {
                break;
            }
        }
        shared.into_iter().map(str::to_owned).collect()
    }

    /// The name of the class of the module that contains a scope.
    fn module_class_around(&self, scope: usize) -> Option<&'s str> {
        let mut around = self.outline.outwards(scope);
        around.find_map(|scope| {
            let is_of_module = self.outline.scopes[scope].parent == Some(0);
            self.outline.class_name(scope).filter(|_| is_of_module)
        })
    }
}
