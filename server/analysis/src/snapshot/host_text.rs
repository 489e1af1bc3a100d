//! What the file knows of a prompt that stands in it as a string of another language.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use promptls_resolver::Location;

use super::supplied_names::SuppliedNames;

/// What is to be known of a prompt that is a string of another language.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HostText {
    /// The parts of the text that only the running program knows, in order.
    pub holes: Vec<Hole>,
    /// What the program says of names.
    pub program: ProgramNames,
    /// The calls next to it that give it its values.
    pub contracts: Vec<Contract>,
}

/// A call next to a prompt that gives it values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contract {
    /// Where it is.
    pub call: Location,
    /// The names that it gives values to, and where these are written, without quotes.
    pub keys: Vec<(String, Location)>,
    /// Whether these are all that the prompt gets.
    pub is_whole: bool,
    /// Whether nothing but this prompt reads them.
    pub is_own: bool,
}

/// A part of a text that only the running program knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hole {
    /// Where it is in the text, as U+FFFC, in bytes.
    pub range: Range<usize>,
    /// How it is written in the host: `{city}`, `${city}`, `city`.
    pub written: String,
}

impl Hole {
    /// The key of its value in an inputs file.
    pub fn key(&self) -> String {
        let inner = self.written.strip_prefix('$').unwrap_or(&self.written);
        let inner = inner.strip_prefix('{').and_then(|inner| inner.strip_suffix('}'));
        format!("={}", inner.unwrap_or(self.written.trim_start_matches('$')).trim())
    }
}

/// What the program around a prompt says of names.
///
/// It may make a name known; that one is not known is said only where nothing could set it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProgramNames {
    /// Whether all prompts of the program get their values from one state, in which a name means
    /// the same to each.
    pub has_state: bool,
    /// The places that certainly are about names which the prompt reads.
    pub places: Vec<NamePlace>,
    /// The names that the code of its application gives values to.
    pub supplied: Arc<SuppliedNames>,
    /// The other names that calls next to it give values to, each with the name of that file.
    pub from_calls: BTreeMap<String, String>,
    /// The names that the prompt reads and nothing in the program could set.
    pub nowhere: BTreeSet<String>,
    /// Whether it sets names that only the running program knows.
    pub computes_keys: bool,
}

/// A place in code that gives or takes the value of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamePlace {
    /// The name.
    pub name: String,
    /// What sort of place it is, as people call it: `output_key`.
    pub what: &'static str,
    /// Whether it gives the name a value.
    pub supplies: bool,
    /// Where the name is written there, without quotes.
    pub location: Location,
}

impl ProgramNames {
    /// The name of a file that gives a name its value, for people.
    pub fn file_that_supplies(&self, name: &str) -> Option<&str> {
        self.supplied.file_of(name).or_else(|| self.from_calls.get(name).map(String::as_str))
    }

    /// All names that it gives values to.
    pub fn supplied_names(&self) -> impl Iterator<Item = &str> {
        self.supplied.files().keys().chain(self.from_calls.keys()).map(String::as_str)
    }

    /// The same, as if nobody knew where in its files a place is.
    pub fn without_places(mut self) -> ProgramNames {
        self.places.iter_mut().for_each(|place| place.location.range = 0..0);
        self
    }
}

impl HostText {
    /// Whether a range of the text contains a hole, or touches one.
    pub fn has_hole_at(&self, range: &Range<usize>) -> bool {
        let next = self.holes.partition_point(|hole| hole.range.end < range.start);
        self.holes.get(next).is_some_and(|hole| hole.range.start <= range.end)
    }
}
