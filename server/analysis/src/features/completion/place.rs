//! Where in an inputs file the cursor is, while the file is half typed.
//!
//! Such a file does not parse, so the place is found in its text: `json.rs` and
//! `yaml.rs`.

use std::ops::Range;

use crate::symbol::PathStep;

/// A place where a key or a value may stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// The keys and items around, from the top. All items of a list are alike.
    pub path: Vec<PathStep>,
    /// What may stand there.
    pub slot: Slot,
    /// What stands there and gives way: the key or the value at the cursor, quotes included.
    pub word: Range<usize>,
    /// Where a comma is missing behind what stands before.
    pub comma_before: Option<usize>,
    /// Whether one is missing before what follows.
    pub comma_behind: bool,
}

/// What may stand at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    /// A key, besides these.
    Key {
        /// The other keys of the object.
        present: Vec<String>,
        /// Whether a colon follows.
        has_value: bool,
    },
    /// The value of the last key of the path.
    Value,
}

#[cfg(test)]
pub(super) mod test {
    use super::*;
    use crate::symbol::shown_path;

    /// A place on one line: what it replaces, where, and what is there besides.
    pub fn shown(text: &str, place: Option<Place>) -> String {
        let Some(place) = place else { return "nothing\n".to_owned() };
        let Place { path, slot, word, comma_before, comma_behind } = place;
        let kind = match slot {
            Slot::Key { present, has_value: true } => {
                format!("key with a value, beside {present:?}")
            }
            Slot::Key { present, .. } => format!("key, beside {present:?}"),
            Slot::Value => "value".to_owned(),
        };
        let before = comma_before.map(|at| format!(", comma at {at}")).unwrap_or_default();
        let behind = if comma_behind { ", comma behind" } else { "" };
        format!("{:?} {kind} of {:?}{before}{behind}\n", &text[word], shown_path(&path))
    }
}
