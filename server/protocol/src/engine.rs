//! `promptls/engine`: which engine a prompt is resolved for, and which ones could be named.

#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;
#[cfg(test)]
use ts_rs::TS;

/// The engine of a prompt.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct PromptEngine {
    /// The file of the prompt.
    pub uri: String,
    /// The id of the dialect.
    pub dialect: &'static str,
    /// For a status, in a few words: `ADK for Python 2.13, as in uv.lock`.
    pub label: String,
    /// The same in sentences, with what the project uses.
    pub about: String,
    /// The engines that are named, the one that is shown first; empty where the document of the
    /// dialect counts.
    pub engines: Vec<String>,
    /// Who names them; `null` where nobody does.
    pub named_by: Option<NamedBy>,
    /// What could be named: first what the project uses, then the newest of the others.
    pub choices: Vec<EngineChoice>,
}

/// Who names the engine of a prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub enum NamedBy {
    /// A rule of `promptls.toml`, for everybody.
    Rule,
    /// The setting `promptls.engine` of this editor, which `promptls check` knows nothing of.
    Setting,
    /// The language of the code that it is a string of, and what the project has installed.
    Language,
}

/// An engine that a rule could name.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct EngineChoice {
    /// As it is written there: `adk-python@2.13`.
    pub engine: String,
    /// In words: `ADK for Python 2.13`.
    pub title: String,
    /// How we know that the project uses it: `uv.lock has google-adk 2.13.0`; left out if we do
    /// not.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub reason: Option<String>,
}
