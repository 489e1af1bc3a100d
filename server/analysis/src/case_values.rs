//! The values of a name in each case, at the places where the prompt really reads it.
//!
//! A name inside `{{#if}}` or `{{#each}}` is read only if the branch is taken, once for each item.
//! So a name that only some branch needs is missing only in the cases that take that branch.

use std::collections::HashMap;
use std::rc::Rc;

use promptls_resolver::blocks::{Item, MAX_DEPTH, is_of_item, items};
use promptls_resolver::{Engine, Lookup, ResolveContext, lookup_at_item, lookup_name};
use promptls_syntax::{BlockKind, ScopeId, Tree};

/// The maximum number of items that are visited, over all loops around a place.
const MAX_VISITS: usize = 10_000;

/// The visits of a block: one outside loops, otherwise one for each item.
type Visits<'a> = Rc<Vec<Option<Item<'a>>>>;

/// Evaluates names in the cases of a snapshot.
pub(crate) struct CaseValues<'a> {
    engine: Engine,
    tree: &'a Tree,
    given: Vec<ResolveContext<'a>>,
    visits: HashMap<(usize, ScopeId), Visits<'a>>,
    /// The single visit of names outside of any block, which are the most common.
    outside: Visits<'a>,
}

impl<'a> CaseValues<'a> {
    pub fn new(engine: Engine, tree: &'a Tree, given: Vec<ResolveContext<'a>>) -> Self {
        CaseValues { engine, tree, given, visits: HashMap::new(), outside: Rc::new(vec![None]) }
    }

    pub fn given(&self) -> &[ResolveContext<'a>] {
        &self.given
    }

    /// Passes all values of a name in a case to `visit`, which returns whether to continue. The
    /// name is in a scope; if no branch leads there, there are none.
    ///
    /// Cost: one lookup, or one for each item if the name refers to the item of a loop.
    pub fn each(
        &mut self,
        case: usize,
        scope: ScopeId,
        name: &str,
        mut visit: impl FnMut(Lookup<'a>) -> bool,
    ) {
        let visits = self.visits(case, scope);
        let given = &self.given[case];
        for &item in visits.iter() {
            let goes_on = visit(lookup(self.engine, name, item, given));
            if !goes_on || item.is_none() || !is_of_item(self.tree.dialect(), name) {
                return;
            }
        }
    }

    /// The first value of a name in a case that `is_match` accepts.
    pub fn find(
        &mut self,
        case: usize,
        scope: ScopeId,
        name: &str,
        is_match: impl Fn(&Lookup<'a>) -> bool,
    ) -> Option<Lookup<'a>> {
        let mut found = None;
        self.each(case, scope, name, |lookup| {
            if is_match(&lookup) {
                found = Some(lookup);
            }
            found.is_none()
        });
        found
    }

    fn visits(&mut self, case: usize, id: ScopeId) -> Visits<'a> {
        if id == ScopeId::ROOT {
            return self.outside.clone();
        }
        if let Some(visits) = self.visits.get(&(case, id)) {
            return visits.clone();
        }
        let visits = match self.tree.scope(id) {
            None => self.outside.clone(),
            // Like the engine, this ignores deeper blocks, because it is recursive.
            Some(_) if self.tree.scope_depth(id) > MAX_DEPTH => Visits::default(),
            Some(scope) => {
                let outer = self.visits(case, scope.parent);
                let given = &self.given[case];
                let path = self.tree.name(scope.path);
                Rc::new(match scope.kind {
                    BlockKind::If => {
                        let taken = |item: &Option<Item<'a>>| {
                            lookup(self.engine, path, *item, given).outcome.is_truthy()
                        };
                        // A path that does not refer to the item is the same for all.
                        match outer.first() {
                            Some(first) if !is_of_item(self.tree.dialect(), path) => {
                                if taken(first) { outer.to_vec() } else { Vec::new() }
                            }
                            _ => outer.iter().copied().filter(taken).collect(),
                        }
                    }
                    BlockKind::Each => outer
                        .iter()
                        .flat_map(|&item| {
                            let items = items(&lookup(self.engine, path, item, given).outcome);
                            (0..items.len()).filter_map(move |index| items.get(index))
                        })
                        .take(MAX_VISITS)
                        .map(Some)
                        .collect(),
                })
            }
        };
        self.visits.insert((case, id), visits.clone());
        visits
    }
}

fn lookup<'a>(
    engine: Engine,
    name: &str,
    item: Option<Item<'a>>,
    given: &ResolveContext<'a>,
) -> Lookup<'a> {
    match item {
        Some(item) => lookup_at_item(engine, name, item, given),
        None => lookup_name(engine, name, given),
    }
}
