//! Symbols of names: values, by their path from the root of an inputs file, and fragments.

use promptls_resolver::{Location, Step};

/// The meaning of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Symbol {
    /// The values that a path leads to; never empty.
    Value(Vec<PathStep>),
    /// The fragment with this name.
    Fragment(String),
}

/// One step from the root of an inputs file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathStep {
    /// The value of a key.
    Key(String),
    /// An item of a list, from 0.
    Index(usize),
    /// The elements of a loop: the items of a list, or the entries of a map.
    Item,
}

/// A symbol, and a location that refers to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reference {
    pub symbol: Symbol,
    pub location: Location,
}

/// A path in the syntax of PromptPack.
pub(crate) fn written(path: &[PathStep]) -> String {
    let mut text = String::new();
    for step in path {
        match step {
            PathStep::Key(key) if text.is_empty() => text.push_str(key),
            PathStep::Key(key) => text.extend([".", key]),
            PathStep::Index(index) => text.push_str(&format!("[{index}]")),
            PathStep::Item => {}
        }
    }
    text
}

/// A path for display; `items[].title` is the title of each item.
pub(crate) fn shown_path(path: &[PathStep]) -> String {
    let mut text = String::new();
    for (index, step) in path.iter().enumerate() {
        match step {
            PathStep::Key(key) if index == 0 => text.push_str(key),
            PathStep::Key(key) => text.extend([".", key]),
            PathStep::Index(index) => text.push_str(&format!("[{index}]")),
            PathStep::Item => text.push_str("[]"),
        }
    }
    text
}

impl From<Step<'_>> for PathStep {
    fn from(step: Step<'_>) -> PathStep {
        match step {
            Step::Key(key) => PathStep::Key(key.to_owned()),
            Step::Index(index) => PathStep::Index(index),
        }
    }
}
