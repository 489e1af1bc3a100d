//! `promptls/engine`: the engine that a prompt is resolved for, and the engines that could be
//! named.

#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;
#[cfg(test)]
use ts_rs::TS;

/// The engine of a prompt, and the possible choices.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct PromptEngine {
    /// The URI of the prompt's file.
    pub uri: String,
    /// The id of the dialect.
    pub dialect: &'static str,
    /// A short text for a status bar: `ADK for Python 2.13, as in uv.lock`.
    pub label: String,
    /// The same in sentences, with the engines that the project uses.
    pub about: String,
    /// The named engines; the first one determines what is displayed. Empty if the specification of
    /// the dialect applies.
    pub engines: Vec<String>,
    /// The source of the names; `null` if no engine is named.
    pub named_by: Option<NamedBy>,
    /// The engines that could be named: first those that the project uses, then the newest of the
    /// others.
    pub choices: Vec<EngineChoice>,
}

/// The source that names the engine of a prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub enum NamedBy {
    /// A rule in `promptls.toml`, which applies to all users.
    Rule,
    /// The setting `promptls.engine` of this editor, which `promptls check` does not use.
    Setting,
    /// The language of the code that contains the prompt, and the installed version of the project.
    Language,
    /// The packages of the project: it is a prompt in data.
    Project,
    /// The framework that reads the text file or the data, without a known version.
    Framework,
}

/// An engine that a rule could name.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct EngineChoice {
    /// The engine in the syntax of `promptls.toml`: `adk-python@2.13`.
    pub engine: String,
    /// The display name: `ADK for Python 2.13`.
    pub title: String,
    /// The evidence that the project uses it: `uv.lock has google-adk 2.13.0`. Omitted if there is
    /// none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub reason: Option<String>,
}
