//! `promptls/preview`: a prompt as the engine will send it, for display.

use std::sync::Arc;

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
#[cfg(test)]
use ts_rs::TS;

use crate::engine_error::EngineError;
use crate::location::{Location, Position, Range, TextDocumentIdentifier};
use crate::preview_edits::PreviewEdits;
use crate::problem::Problem;
use crate::via::Via;

/// The params of `promptls/preview`: a prompt and the case to show.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(JsonSchema, TS), ts(optional_fields))]
pub struct PreviewParams {
    /// The URI of the prompt's file.
    pub text_document: TextDocumentIdentifier,
    /// The case to show; without one, the selected case.
    pub case: Option<String>,
    /// The key of the prompt in a pack.
    pub task: Option<String>,
    /// A position in the prompt of a pack, if `task` is missing. Without both, the first prompt.
    pub position: Option<Position>,
    /// The `resultId` of the preview that the client has, so that the response may contain only
    /// changes. Empty if it has none. Omitted by clients that support only whole previews.
    pub previous_result_id: Option<String>,
}

/// A resolved prompt: all of it, or the changes since the preview with the given `resultId`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct PreviewAnswer {
    /// For clients that sent a `previousResultId`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub result_id: Option<String>,
    /// The URI of the prompt's file.
    pub uri: String,
    /// The version of its text; `null` if it is not open.
    pub version: Option<i32>,
    /// The id of the dialect.
    pub dialect: &'static str,
    /// The engine that it is resolved for, such as `adk-python@2.13`; omitted if none is named.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub engine: Option<String>,
    /// The key of the prompt in a pack.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub task: Option<String>,
    /// The shown case; `null` without any inputs.
    pub case: Option<String>,
    /// All cases of the prompt.
    pub cases: Vec<Case>,
    /// The text with its map, or the edits of those that the client has.
    #[serde(flatten)]
    pub content: PreviewContent,
    /// The error that the engine raises instead of sending the text.
    pub error: Option<EngineError>,
    /// The problems in the shown case.
    pub problems: Vec<Problem>,
    /// The messages that `promptls resolve --format messages` prints; at least one.
    pub messages: Vec<Message>,
    /// The root names that the prompt uses, sorted.
    pub names: Vec<String>,
    /// The size of the text.
    pub stats: Stats,
    /// The reason why the preview does not match the files: one of them cannot be parsed, so its
    /// last valid version is shown.
    pub stale: Option<String>,
}

/// The text with its map, or the edits of those that the client has.
#[derive(Debug, Serialize)]
#[serde(untagged)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub enum PreviewContent {
    /// The whole preview. The server stores it as well, to compute the next edits.
    Whole(Arc<PreviewText>),
    /// The changes since the previous preview.
    Edits {
        /// The edits that turn the previous preview into this one.
        edits: PreviewEdits,
    },
}

/// A resolved text with its source map.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS), schemars(inline))]
pub struct PreviewText {
    /// The text that the engine sends. If the engine would fail, parts that cannot be resolved are
    /// unchanged.
    pub text: String,
    /// The sources of the text, in order and without gaps.
    pub map: Vec<Run>,
}

/// A case that can be shown.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct Case {
    /// The name, from the name of its inputs file.
    pub name: String,
    /// The URI of the inputs file.
    pub uri: Option<String>,
    /// The number of errors of the prompt in this case.
    pub errors: usize,
    /// The number of warnings of the prompt in this case.
    pub warnings: usize,
    /// The URI of its resolved text, for `workspace/textDocumentContent`.
    pub resolved_uri: Option<String>,
}

/// A part of the text with one source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct Run {
    /// The range in the text, as offsets.
    pub output: [usize; 2],
    /// The kind of source, such as `value` for a placeholder.
    pub kind: RunKind,
    /// The range in the prompt.
    pub source: Range,
    /// The name or path of the placeholder; omitted for other kinds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub path: Option<String>,
    /// The location of the value.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub value: Option<Location>,
    /// The fragments and loops that it passed through, outermost first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub via: Vec<Via>,
    /// The sources of a mixed run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Run>,
}

/// The kind of a run's source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub enum RunKind {
    /// Text of the prompt, unchanged.
    Literal,
    /// The value of a placeholder.
    Value,
    /// The text that an escape stands for.
    Escape,
    /// Several of these, which the engine processed more than once; see `parts`.
    Mixed,
    /// A placeholder without a value.
    Missing,
    /// A placeholder whose value is supplied at run time.
    Runtime,
}

/// A message of the chat that the text is sent as.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct Message {
    /// The role of the sender.
    pub role: Role,
    /// The range of the line that names the role; empty if there is none.
    pub heading: [usize; 2],
    /// The range of the message's text.
    pub body: [usize; 2],
}

/// The role of a message's sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(JsonSchema, TS))]
#[expect(missing_docs, reason = "they are the names that chats use")]
pub enum Role {
    System,
    Developer,
    User,
    Assistant,
    Tool,
    Function,
}

/// The size of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct Stats {
    /// The length in bytes of UTF-8.
    pub bytes: usize,
    /// The number of Unicode characters, not of grapheme clusters.
    pub characters: usize,
    /// The number of words, separated by whitespace.
    pub words: usize,
    /// The number of lines; the last one needs no line break.
    pub lines: usize,
}

impl Stats {
    /// Measures a text. Cost: its length.
    pub fn of(text: &str) -> Stats {
        Stats {
            bytes: text.len(),
            characters: text.chars().count(),
            words: text.split_whitespace().count(),
            lines: text.lines().count(),
        }
    }
}
