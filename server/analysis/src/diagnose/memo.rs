//! Remembers between keystrokes that the names of a prompt have no problems.
//!
//! Most keystrokes do not change the names, and looking up each of them costs more than all other
//! work for a key. So the last state without problems is stored, with all inputs of the checks of
//! names. A state with problems is not stored, because its messages may also depend on the text.

use std::sync::{Arc, Mutex, PoisonError};

use promptls_resolver::Declarations;
use promptls_syntax::Dialect;

use crate::snapshot::{Case, Settings, Snapshot};

/// See the module. A clone of a snapshot shares it.
#[derive(Debug, Default)]
pub struct Memo(Mutex<Option<State>>);

/// A state of a prompt whose names have no problems.
#[derive(Debug)]
struct State {
    /// The hash of all uses: [`promptls_syntax::Tree::digest_of_uses`].
    uses: u64,
    dialect: Dialect,
    cases: Vec<Case>,
    declarations: Arc<Declarations>,
    has_variables_file: bool,
    shared_variables: bool,
    settings: Arc<Settings>,
}

impl State {
    fn of(snapshot: &Snapshot) -> State {
        State {
            uses: snapshot.tree.digest_of_uses(),
            dialect: snapshot.dialect(),
            cases: snapshot.cases.clone(),
            declarations: snapshot.declarations.clone(),
            has_variables_file: snapshot.has_variables_file,
            shared_variables: snapshot.shared_variables,
            settings: snapshot.settings.clone(),
        }
    }

    /// Returns whether a snapshot is in this state. Values and declarations must be identical, not
    /// only equal.
    fn is_that_of(&self, snapshot: &Snapshot) -> bool {
        let same_case = |(case, other): (&Case, &Case)| {
            Arc::ptr_eq(&case.inputs, &other.inputs) && case.shared == other.shared
        };
        self.dialect == snapshot.dialect()
            && self.cases.len() == snapshot.cases.len()
            && self.cases.iter().zip(&snapshot.cases).all(same_case)
            && Arc::ptr_eq(&self.declarations, &snapshot.declarations)
            && self.has_variables_file == snapshot.has_variables_file
            && self.shared_variables == snapshot.shared_variables
            && Arc::ptr_eq(&self.settings, &snapshot.settings)
            && self.uses == snapshot.tree.digest_of_uses()
    }
}

/// Returns whether the names of a prompt are known to have no problems, from a state before the
/// last keystrokes. Cost: a few nanoseconds for each distinct name.
pub(super) fn are_names_fine(snapshot: &Snapshot) -> bool {
    let Some(Memo(state)) = snapshot.memo.as_deref() else { return false };
    let state = state.lock().unwrap_or_else(PoisonError::into_inner);
    state.as_ref().is_some_and(|state| state.is_that_of(snapshot))
}

/// Stores the present state as one without problems.
pub(super) fn note_that_names_are_fine(snapshot: &Snapshot) {
    let Some(Memo(state)) = snapshot.memo.as_deref() else { return };
    *state.lock().unwrap_or_else(PoisonError::into_inner) = Some(State::of(snapshot));
}

#[cfg(test)]
mod tests {
    use promptls_syntax::Edit;
    use proptest::prelude::*;
    use ropey::Rope;

    use super::*;
    use crate::diagnose::diagnose;
    use crate::snapshot::test::Fixture;

    /// There are no problems if exactly `a` is read.
    const CASES: [(&str, &str); 2] =
        [("default", r#"{"a": [{"c": 1}]}"#), ("other", r#"{"a": "1"}"#)];

    fn piece() -> impl Strategy<Value = &'static str> {
        prop::sample::select(vec![
            "{{a}}",
            "{{a}} {{a}}",
            "{{b}}",
            "{{#each a}}",
            "{{this.c}}",
            "{{/each}}",
            "{{#if a}}",
            "{{/if}}",
            "{a}",
            " text ",
            "{{",
            "}}",
        ])
    }

    proptest! {
        /// The problems of a prompt are the same as after opening it, whatever was typed before.
        #[test]
        fn cached_problems_equal_those_of_a_fresh_document(
            dialect in prop::sample::select(Dialect::ALL.to_vec()),
            edits in prop::collection::vec((any::<prop::sample::Index>(), 0..8_usize, piece()), 1..12),
        ) {
            let mut text = "{{a}}".to_owned();
            let mut snapshot = Fixture::new(dialect, &text).cases(&CASES).build();
            snapshot.memo = Some(Arc::default());
            for (at, removed, inserted) in edits {
                let start = at.index(text.len() + 1);
                let removed = removed.min(text.len() - start);
                text.replace_range(start..start + removed, inserted);
                let rope = Rope::from_str(&text);
                let edit = Edit { start, removed, inserted: inserted.len() };
                Arc::make_mut(&mut snapshot.tree).edit(&rope, edit);
                snapshot.text = rope.into();
                let fresh = Fixture::new(dialect, &text).cases(&CASES).build();
                prop_assert_eq!(diagnose(&snapshot, 100), diagnose(&fresh, 100), "{:?}", text);
            }
        }
    }

    #[test]
    fn problems_that_depend_on_more_than_names_are_not_cached() {
        // Without its loop, the closer is the problem, not the name.
        let mut snapshot =
            Fixture::new(Dialect::Agentle, "{{this.c}}{{/each}}").cases(&CASES).build();
        snapshot.memo = Some(Arc::default());
        diagnose(&snapshot, 100);
        assert!(!are_names_fine(&snapshot));
    }

    #[test]
    fn the_cache_is_valid_only_for_equal_names_and_values() {
        let fixture = |text| Fixture::new(Dialect::Agentle, text).cases(&[("a", r#"{"a": 1}"#)]);
        let mut snapshot = fixture("{{a}}").build();
        diagnose(&snapshot, 100);
        assert!(!are_names_fine(&snapshot), "never typed");

        snapshot.memo = Some(Arc::default());
        diagnose(&snapshot, 100);
        assert!(are_names_fine(&snapshot));
        let longer = fixture("text {{a}} and {{a}}").build();
        assert!(are_names_fine(&Snapshot { tree: longer.tree, ..snapshot.clone() }));
        let another = fixture("{{a}} {{b}}").build();
        assert!(!are_names_fine(&Snapshot { tree: another.tree, ..snapshot.clone() }));
        let equal_values = fixture("{{a}}").build();
        assert!(!are_names_fine(&Snapshot { cases: equal_values.cases, ..snapshot }));
    }
}
