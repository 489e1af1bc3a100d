//! The way of a piece of output through fragments and loops.

#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;
#[cfg(test)]
use ts_rs::TS;

/// A fragment or a loop item that output came through.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
#[serde(untagged)]
pub enum Via {
    /// A fragment.
    Fragment {
        /// Its name.
        fragment: String,
    },
    /// An item of a loop.
    Each {
        /// The path in the header of the loop.
        each: String,
        /// Which item, from 0.
        item: usize,
    },
}
