//! `promptls/prompts`: the prompts of the workspace as a tree.

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
#[cfg(test)]
use ts_rs::TS;

/// The params of `promptls/prompts`: a node of the tree.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(JsonSchema, TS), ts(optional_fields))]
pub struct PromptsParams {
    /// The URI of a folder, or of a file that contains prompts; without one, the whole workspace.
    pub uri: Option<String>,
    /// The key of the prompt in a pack.
    pub task: Option<String>,
}

/// A node and its children.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct PromptTree {
    /// The requested node; `null` for the whole workspace.
    pub node: Option<PromptNode>,
    /// Its children: folders first; prompts of a pack and cases in source order.
    pub children: Vec<PromptNode>,
}

/// A folder, a file, a prompt or a case.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct PromptNode {
    /// The kind of the node.
    pub kind: PromptNodeKind,
    /// The display name. If a folder contains only another folder, it names both.
    pub name: String,
    /// The URI of the folder, or of the file that contains the prompt.
    pub uri: String,
    /// The key of the prompt in a pack.
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
    /// The URI of the inputs file of a case.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub inputs: Option<String>,
    /// The number of errors in the node, as `promptls check` counts them; in a case, those of this
    /// case.
    pub errors: usize,
    /// The number of warnings, counted in the same way.
    pub warnings: usize,
    /// The number of tokens of the text in a case; for a prompt, the maximum over its cases.
    /// Omitted for folders and packs.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub tokens: Option<usize>,
    /// The node has children, which another `promptls/prompts` returns.
    pub has_children: bool,
}

/// The kind of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub enum PromptNodeKind {
    /// A folder with prompts, directly or in subfolders.
    Folder,
    /// A file that contains prompts in strings.
    Pack,
    /// A text that is sent: a file, or a string of a pack.
    Prompt,
    /// A prompt with one set of inputs.
    Case,
}

/// The files whose previous results are stale.
#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct PromptsChangedParams {
    /// The URIs of files that may have changed, while their folders have not. Empty if any file or
    /// folder may have changed.
    pub uris: Vec<String>,
}
