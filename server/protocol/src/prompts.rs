//! `promptls/prompts`: the prompts of the workspace as a tree.

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
#[cfg(test)]
use ts_rs::TS;

/// Which node of the tree is asked about.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(JsonSchema, TS), ts(optional_fields))]
pub struct PromptsParams {
    /// A folder, or a file that holds prompts; without one, the whole workspace.
    pub uri: Option<String>,
    /// Which prompt of a pack, by its key.
    pub task: Option<String>,
}

/// A node, and what is right below it.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct PromptTree {
    /// The one that was asked about; `null` for the whole workspace.
    pub node: Option<PromptNode>,
    /// What is in it: folders first, prompts of a pack and cases as they are written.
    pub children: Vec<PromptNode>,
}

/// A folder, a file, a prompt or a case.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct PromptNode {
    /// Which of these.
    pub kind: PromptNodeKind,
    /// For people. That of a folder which has nothing but another one names both.
    pub name: String,
    /// The folder; else the file that holds the prompt.
    pub uri: String,
    /// Which prompt of a pack: the key it stands under.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub task: Option<String>,
    /// The line of the file where a prompt of a pack begins, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub line: Option<usize>,
    /// The name of a case.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub case: Option<String>,
    /// The inputs file of a case.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub inputs: Option<String>,
    /// How many are there, as `promptls check` finds them; in a case, those of this case.
    pub errors: usize,
    /// As `errors`.
    pub warnings: usize,
    /// How many the text has in a case, and at most in any case of a prompt; left out for folders
    /// and packs.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub tokens: Option<usize>,
    /// Whether there is something below it.
    pub has_children: bool,
}

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub enum PromptNodeKind {
    /// It has prompts, in it or further down.
    Folder,
    /// A file that holds prompts in strings.
    Pack,
    /// What is sent: a file, or a string of a pack.
    Prompt,
    /// A prompt with one set of inputs.
    Case,
}

/// What is old of what was said about prompts.
#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct PromptsChangedParams {
    /// The files that may be others now, where their folders are not; empty if anything may be.
    pub uris: Vec<String>,
}
