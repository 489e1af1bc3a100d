//! `promptls/templates`: what a new prompt can begin with.

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
#[cfg(test)]
use ts_rs::TS;

/// What `promptls/templates` asks for.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(JsonSchema, TS), ts(optional_fields))]
pub struct TemplatesParams {
    /// The folder that the prompt is going to be in: its `promptls.toml` may name templates.
    pub folder: String,
    /// The language that the prompt is written in; without it, the one of the settings.
    pub language: Option<String>,
}

/// The templates that count in a folder.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct TemplateList {
    /// The language that they are in.
    pub language: &'static str,
    /// In their order.
    pub templates: Vec<TemplateItem>,
    /// What keeps other files from being templates.
    pub broken: Vec<String>,
}

/// A template.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct TemplateItem {
    /// What it is called.
    pub name: String,
    /// What it is for, in a line.
    pub summary: String,
    /// What it takes, in the order of `promptls.createPrompt`.
    pub arguments: Vec<TemplateArgument>,
}

/// What a template takes.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct TemplateArgument {
    /// The placeholder that it is if it is not given.
    pub name: String,
    /// What it means, if the template says so.
    pub description: String,
    /// A value that shows what is meant, if the template has one.
    pub example: String,
}
