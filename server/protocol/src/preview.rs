//! `promptls/preview`: a prompt as the engine will send it, for whoever draws it.

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

/// What `promptls/preview` asks for.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(JsonSchema, TS), ts(optional_fields))]
pub struct PreviewParams {
    /// The file of the prompt.
    pub text_document: TextDocumentIdentifier,
    /// The case to show; without one, the selected case.
    pub case: Option<String>,
    /// Which prompt of a pack, by its key.
    pub task: Option<String>,
    /// Which prompt of a pack, if no key says it: the one there; without it, the first.
    pub position: Option<Position>,
    /// The `resultId` of the preview that the client has: then the answer may say what changed in
    /// it. Empty for none. Left out by clients that take whole previews only.
    pub previous_result_id: Option<String>,
}

/// A prompt with its inputs filled in: all of it, or what changed in the one whose `resultId` was
/// given.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct PreviewAnswer {
    /// For clients that gave a `previousResultId`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub result_id: Option<String>,
    /// The file of the prompt.
    pub uri: String,
    /// The version of its text; `null` if it is not open.
    pub version: Option<i32>,
    /// The id of the dialect.
    pub dialect: &'static str,
    /// The engine that it is resolved for, where one is named: `adk-python@2.13`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub engine: Option<String>,
    /// Which prompt of a pack: the key it stands under.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub task: Option<String>,
    /// The case that is shown; `null` without any inputs.
    pub case: Option<String>,
    /// All that can be shown.
    pub cases: Vec<Case>,
    /// The text with its map, or how to make both of those that the client has.
    #[serde(flatten)]
    pub content: PreviewContent,
    /// What the engine would say instead of sending the text.
    pub error: Option<EngineError>,
    /// What is wrong in the case that is shown.
    pub problems: Vec<Problem>,
    /// The messages that `promptls resolve --format messages` prints; at least one.
    pub messages: Vec<Message>,
    /// The root names that the prompt uses, sorted.
    pub names: Vec<String>,
    /// How much text it is.
    pub stats: Stats,
    /// Why this is not what the files say now: one that counts cannot be read, and what it last
    /// said is shown.
    pub stale: Option<String>,
}

/// The text with its map, or how to make both of those that the client has.
#[derive(Debug, Serialize)]
#[serde(untagged)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub enum PreviewContent {
    /// All of it. The server keeps it as well, to compare the next one with it.
    Whole(Arc<PreviewText>),
    /// What is different.
    Edits {
        /// How to make it of the one before.
        edits: PreviewEdits,
    },
}

/// A resolved text, and where all of it comes from.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS), schemars(inline))]
pub struct PreviewText {
    /// What the engine sends; where it would fail, what could be resolved, the rest as written.
    pub text: String,
    /// In order, without gaps.
    pub map: Vec<Run>,
}

/// A case that can be shown.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct Case {
    /// As the name of its inputs file says it.
    pub name: String,
    /// The inputs file.
    pub uri: Option<String>,
    /// How many the prompt has in this case.
    pub errors: usize,
    /// How many the prompt has in this case.
    pub warnings: usize,
    /// Its resolved text as a document, for `workspace/textDocumentContent`.
    pub resolved_uri: Option<String>,
}

/// A piece of the text that has one origin.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct Run {
    /// Offsets into the text.
    pub output: [usize; 2],
    /// What it is.
    pub kind: RunKind,
    /// Where it comes from in the prompt.
    pub source: Range,
    /// The name or path of the placeholder.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub path: Option<String>,
    /// Where the value is written.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub value: Option<Location>,
    /// The fragments and loops that it came through, outermost first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub via: Vec<Via>,
    /// What a mixed piece was built from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Run>,
}

/// What a piece of a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub enum RunKind {
    /// As it is written in the prompt.
    Literal,
    /// The value of a placeholder.
    Value,
    /// What an escape stands for.
    Escape,
    /// Several of these, which the engine went over more than once; see `parts`.
    Mixed,
    /// A placeholder without a value.
    Missing,
    /// A placeholder whose value comes at run time.
    Runtime,
}

/// A message of the chat that the text is sent as.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct Message {
    /// Who says it.
    pub role: Role,
    /// The line that names the role; empty where nothing does.
    pub heading: [usize; 2],
    /// What is said.
    pub body: [usize; 2],
}

/// Who says a message of a chat.
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

/// How much text it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct Stats {
    /// In UTF-8.
    pub bytes: usize,
    /// Unicode's, not what people may see as one.
    pub characters: usize,
    /// What stands between blanks.
    pub words: usize,
    /// The last one need not end.
    pub lines: usize,
}

impl Stats {
    /// Of a text.
    pub fn of(text: &str) -> Stats {
        Stats {
            bytes: text.len(),
            characters: text.chars().count(),
            words: text.split_whitespace().count(),
            lines: text.lines().count(),
        }
    }
}
