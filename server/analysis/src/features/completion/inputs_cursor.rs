//! The position of the cursor in an incomplete inputs file.
//!
//! Such a file does not parse, so the position is found from its text: `json.rs` and `yaml.rs`.

use std::ops::Range;

use crate::symbol::PathStep;

/// A position where a key or a value is valid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct InputsCursor {
    /// The keys and items around it, from the root. All items of a list are equivalent.
    pub path: Vec<PathStep>,
    /// The kind of text that is valid there.
    pub slot: Slot,
    /// The range to replace: the key or the value at the cursor, including quotes.
    pub word: Range<usize>,
    /// The offset of a missing comma after the previous entry.
    pub comma_before: Option<usize>,
    /// A comma is missing before the following entry.
    pub comma_behind: bool,
}

/// The kind of text that is valid at a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    /// A key of an object.
    Key {
        /// The other keys of the object.
        present: Vec<String>,
        /// A colon follows, so completions insert only the key.
        has_value: bool,
    },
    /// The value of the last key of the path.
    Value,
}

#[cfg(test)]
pub(super) mod test {
    use super::*;
    use crate::symbol::shown_path;

    /// A position on one line: the replaced text, its path, and the rest.
    pub fn shown(text: &str, place: Option<InputsCursor>) -> String {
        let Some(place) = place else { return "nothing\n".to_owned() };
        let InputsCursor { path, slot, word, comma_before, comma_behind } = place;
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
