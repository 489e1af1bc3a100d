//! The fragments and loops that a part of the output passed through.

#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;
#[cfg(test)]
use ts_rs::TS;

/// A fragment, or an item of a loop, that output passed through.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
#[serde(untagged)]
pub enum Via {
    /// The output is from a fragment.
    Fragment {
        /// The name of the fragment.
        fragment: String,
    },
    /// An item of a loop.
    Each {
        /// The path in the header of the loop.
        each: String,
        /// The index of the item, from 0.
        item: usize,
    },
}
