//! Finds the known name that a misspelt one refers to, for many names and few lists of known ones.

use std::cell::OnceCell;

use crate::snapshot::Snapshot;
use crate::suggest::KnownNames;

/// The known names of a prompt; each list is computed on first use.
pub(crate) struct NameSuggestions<'s> {
    snapshot: &'s Snapshot,
    /// The maximum number of lookups in a list: one for each way in which a name is used, limited
    /// by the number of problems.
    questions: usize,
    values: OnceCell<KnownNames<'s>>,
    values_and_fragments: OnceCell<KnownNames<'s>>,
    fragments: OnceCell<KnownNames<'s>>,
    variables: OnceCell<KnownNames<'s>>,
    /// The keys of each case.
    cases: Vec<OnceCell<KnownNames<'s>>>,
}

impl<'s> NameSuggestions<'s> {
    /// For a prompt with at most `max` reported problems.
    pub fn new(snapshot: &'s Snapshot, max: usize) -> Self {
        NameSuggestions {
            snapshot,
            questions: max.saturating_add(1),
            values: OnceCell::new(),
            values_and_fragments: OnceCell::new(),
            fragments: OnceCell::new(),
            variables: OnceCell::new(),
            cases: snapshot.cases.iter().map(|_| OnceCell::new()).collect(),
        }
    }

    /// All first names that have a value or a declaration, and that a placeholder can contain.
    pub fn values(&self) -> &KnownNames<'s> {
        self.values.get_or_init(|| self.snapshot.names_to_mean([]))
    }

    /// A similar first name or fragment, as the end of a sentence; empty if there is none.
    pub fn value_or_fragment(&self, name: &str) -> String {
        let known = || self.snapshot.names_to_mean(self.fragment_names());
        self.values_and_fragments.get_or_init(known).did_you_mean(name, self.questions)
    }

    /// A similar fragment, as the end of a sentence; empty if there is none.
    pub fn fragment(&self, name: &str) -> String {
        let known = || KnownNames::new(self.fragment_names());
        self.fragments.get_or_init(known).did_you_mean(name, self.questions)
    }

    /// A similar declared variable, as the end of a sentence; empty if there is none.
    pub fn variable(&self, name: &str) -> String {
        let variables = self.snapshot.declarations.variables.iter();
        let known = || KnownNames::new(variables.map(|variable| &*variable.name));
        self.variables.get_or_init(known).did_you_mean(name, self.questions)
    }

    /// A similar key of a case; `None` if there is none.
    pub fn key_of_case(&self, case: usize, name: &str) -> Option<&str> {
        let entries = self.snapshot.cases[case].inputs.root.entries();
        let known = || KnownNames::new(entries.iter().map(|entry| &*entry.key));
        self.cases[case].get_or_init(known).nearest(name, self.questions)
    }

    fn fragment_names(&self) -> impl Iterator<Item = &'s str> {
        self.snapshot.declarations.fragments.iter().map(|fragment| &*fragment.name)
    }
}
