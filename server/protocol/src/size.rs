//! `promptls/size`: the size of a prompt for a model, and its constant prefix.

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
#[cfg(test)]
use ts_rs::TS;

use crate::location::{Position, Range, TextDocumentIdentifier};

/// The params of `promptls/size`: a prompt, a case and an encoding.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(JsonSchema, TS), ts(optional_fields))]
pub struct SizeParams {
    /// The URI of the prompt's file.
    pub text_document: TextDocumentIdentifier,
    /// The case; without one, the selected case.
    pub case: Option<String>,
    /// The key of the prompt in a pack.
    pub task: Option<String>,
    /// A position in the prompt of a pack, if `task` is missing. Without both, the first prompt.
    pub position: Option<Position>,
    /// The token encoding to use; the default is that of `promptls.toml`.
    pub encoding: Option<String>,
}

/// The size of a text, for a model and for its cache.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct Size {
    /// The version of the prompt; `null` if it is not open.
    pub version: Option<i32>,
    /// The measured case; `null` without any inputs.
    pub case: Option<String>,
    /// The token encoding that was used.
    pub encoding: &'static str,
    /// All supported token encodings, as values of `encoding`.
    pub encodings: Vec<&'static str>,
    /// The number of tokens in the whole text.
    pub tokens: usize,
    /// The maximum that `promptls.toml` allows.
    pub max_tokens: Option<usize>,
    /// The text of the prompt itself.
    pub literal: Share,
    /// The contributions of placeholders, largest first.
    pub placeholders: Vec<PlaceholderSize>,
    /// The prefix that is the same in all cases.
    pub prefix: Prefix,
}

/// A part of a text.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct Share {
    /// The number of Unicode characters.
    pub characters: usize,
    /// The number of tokens whose middle is in the part.
    pub tokens: usize,
}

/// The total contribution of a placeholder.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct PlaceholderSize {
    /// The name or path of the placeholder.
    pub path: String,
    /// The number of Unicode characters.
    pub characters: usize,
    /// The number of tokens whose middle is in its values.
    pub tokens: usize,
    /// The number of its uses in the text.
    pub count: usize,
}

/// The prefix of the text that is the same in all cases.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct Prefix {
    /// The offset of the first difference.
    pub end: usize,
    /// The number of complete tokens in it.
    pub tokens: usize,
    /// The prefix is long enough to be shown as cacheable: 256 tokens or more.
    pub cacheable: bool,
    /// The number of compared cases. With a single one, the prefix ends at the first placeholder.
    pub cases: usize,
    /// The source of the first difference; `null` if the texts are equal.
    pub until: Option<PrefixEnd>,
}

/// The source of the text that ends a prefix.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct PrefixEnd {
    /// The placeholder or block; `null` if none can be named.
    pub path: Option<String>,
    /// The range in the prompt.
    pub source: Range,
}
