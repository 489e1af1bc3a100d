//! The places of a host that stand for texts which are written elsewhere.
//!
//! `noted_texts.rs` collects them. Expressions are also evaluated for other reasons than prompts, and names are cached. So all such
//! places are noted, and [`TextReferences::of_texts`] selects those whose texts are in prompts.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

use crate::host_prompt::TextDemand;
use crate::text_reference::{TextName, TextReference, TextTarget};

/// The maximum number of targets of a place; further ones are ignored.
const MAX_TARGETS: usize = 20;

/// The places of a host that stand for other texts, each with its targets.
#[derive(Default)]
pub(crate) struct TextReferences {
    by_place: BTreeMap<(usize, usize), Vec<TextReference>>,
    /// The starts of literals that a text has without their places: arguments of `format`.
    pub(super) put_in: HashSet<usize>,
}

impl TextReferences {
    /// Adds a target of a place, unless it is known.
    pub(super) fn add(&mut self, reference: TextReference) {
        let place = (reference.place.start, reference.place.end);
        let known = self.by_place.entry(place).or_default();
        if known.len() < MAX_TARGETS && known.iter().all(|it| it.target != reference.target) {
            known.push(reference);
        }
    }

    /// `true` if a target of a place is known.
    pub(super) fn has(&self, place: &Range<usize>, target: &TextTarget) -> bool {
        let known = self.by_place.get(&(place.start, place.end));
        known.is_some_and(|known| known.iter().any(|it| it.target == *target))
    }

    /// The references to texts that prompts have: literals that start at these offsets, and the names
    /// of these uses. Paths are those of all files that are read.
    pub fn of_texts<'d>(
        &self,
        literals: &HashSet<usize>,
        demands: impl Iterator<Item = &'d TextDemand>,
    ) -> Vec<TextReference> {
        let mut by_name: HashMap<&str, Vec<&TextDemand>> = HashMap::new();
        for demand in demands.filter(|demand| demand.is_part()) {
            by_name.entry(&demand.name).or_default().push(demand);
        }
        let is_used = |name: &TextName| {
            let same = name.0.meanings().filter_map(|it| by_name.get(&*it.name));
            same.flatten().any(|demand| name.is_used_by(demand))
        };
        let is_meant = |reference: &TextReference| match &reference.target {
            TextTarget::Here(range) => {
                literals.contains(&range.start) || self.put_in.contains(&range.start)
            }
            TextTarget::Elsewhere(name) => is_used(name),
            TextTarget::File(_) => true,
        };
        self.by_place.values().flatten().filter(|it| is_meant(it)).cloned().collect()
    }
}
