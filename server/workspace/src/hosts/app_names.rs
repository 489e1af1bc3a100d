//! The names in the state of an application, and where its code is about them.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use promptls_hosts::{Access, mention};

/// What the code of an application says of names.
#[derive(Debug, Default)]
pub struct AppNames {
    places: BTreeMap<String, Vec<Place>>,
    /// Hashes of all words that may be keys, sorted.
    mentions: Vec<u64>,
    /// Whether its folder has a manifest, so that no code beside it belongs to it.
    pub is_whole: bool,
    /// Whether it writes keys that only the running program knows.
    pub computes_keys: bool,
}

/// A place that is about a name.
#[derive(Clone, Debug)]
pub struct Place {
    /// Where it is.
    pub file: Arc<AppFile>,
    /// What it says.
    pub access: Access,
}

/// A file with such places.
#[derive(Debug)]
pub struct AppFile {
    /// Its path.
    pub path: PathBuf,
    /// Its text.
    pub text: Arc<str>,
}

impl AppNames {
    /// No names yet, of an application that has a manifest or not.
    pub fn new(is_whole: bool) -> AppNames {
        AppNames { is_whole, ..AppNames::default() }
    }

    /// Adds a place.
    pub fn add(&mut self, place: Place) {
        self.places.entry(place.access.name.clone()).or_default().push(place);
    }

    /// Takes in words that may be keys, once all are there.
    pub fn set_mentions(&mut self, mut mentions: Vec<u64>) {
        mentions.sort_unstable();
        mentions.dedup();
        self.mentions = mentions;
    }

    /// The places that certainly are about a name.
    pub fn places(&self, name: &str) -> &[Place] {
        self.places.get(name).map_or(&[], Vec::as_slice)
    }

    /// The names with places that are wanted, each with the first of these.
    pub fn first_places(
        &self,
        is_wanted: impl Fn(&Access) -> bool,
    ) -> impl Iterator<Item = (&str, &Place)> {
        let wanted = move |places: &'_ [Place]| places.iter().position(|it| is_wanted(&it.access));
        let names = self.places.iter();
        names.filter_map(move |(name, places)| Some((&**name, &places[wanted(places)?])))
    }

    /// Whether a name may well be a key somewhere.
    pub fn mentions(&self, name: &str) -> bool {
        self.mentions.binary_search(&mention(name)).is_ok()
    }
}
