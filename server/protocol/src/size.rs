//! `promptls/size`: how large a prompt is for a model, and how much of it is always the same.

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
#[cfg(test)]
use ts_rs::TS;

use crate::location::{Position, Range, TextDocumentIdentifier};

/// What `promptls/size` asks for.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(JsonSchema, TS), ts(optional_fields))]
pub struct SizeParams {
    /// The file of the prompt.
    pub text_document: TextDocumentIdentifier,
    /// The case; without one, the selected case.
    pub case: Option<String>,
    /// Which prompt of a pack, by its key.
    pub task: Option<String>,
    /// Which prompt of a pack, if no key says it: the one there; without it, the first.
    pub position: Option<Position>,
    /// The tokens to count; without them, those that `promptls.toml` says.
    pub encoding: Option<String>,
}

/// How large a text is, for a model and for its cache.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct Size {
    /// The version of the prompt; `null` if it is not open.
    pub version: Option<i32>,
    /// The case that is measured; `null` without any inputs.
    pub case: Option<String>,
    /// Which tokens were counted.
    pub encoding: &'static str,
    /// Which can be.
    pub encodings: Vec<&'static str>,
    /// Of the whole text.
    pub tokens: usize,
    /// The most that `promptls.toml` allows.
    pub max_tokens: Option<usize>,
    /// The text of the prompt itself.
    pub literal: Share,
    /// What placeholders bring, the largest first.
    pub placeholders: Vec<PlaceholderSize>,
    /// How much is the same in all cases.
    pub prefix: Prefix,
}

/// A part of a text.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct Share {
    /// Unicode's.
    pub characters: usize,
    /// Those that have their middle in it.
    pub tokens: usize,
}

/// What a placeholder brings, in all its places.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct PlaceholderSize {
    /// Its name or path.
    pub path: String,
    /// Unicode's.
    pub characters: usize,
    /// Those that have their middle in it.
    pub tokens: usize,
    /// In how many places it stands.
    pub count: usize,
}

/// How much of the text is the same in all cases.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct Prefix {
    /// Offset of the first difference.
    pub end: usize,
    /// Those that are whole.
    pub tokens: usize,
    /// Whether it is long enough to be shown as a cacheable start: 256 tokens or more.
    pub cacheable: bool,
    /// How many cases were compared. With one, it ends at the first placeholder.
    pub cases: usize,
    /// What ends it; `null` if the texts are the same.
    pub until: Option<PrefixEnd>,
}

/// What ends a prefix.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct PrefixEnd {
    /// The placeholder or block; `null` where none can be named.
    pub path: Option<String>,
    /// Where it is in the prompt.
    pub source: Range,
}
