//! `promptls/templates`: templates for new prompts.

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
#[cfg(test)]
use ts_rs::TS;

/// The params of `promptls/templates`: a folder and a language.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(JsonSchema, TS), ts(optional_fields))]
pub struct TemplatesParams {
    /// The folder of the new prompt, whose `promptls.toml` may name templates.
    pub folder: String,
    /// The language of the new prompt; the default is that of the settings.
    pub language: Option<String>,
}

/// The templates that are available in a folder.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct TemplateList {
    /// The language of the templates.
    pub language: &'static str,
    /// The dialect of the engine that the project around the folder uses; `None` unless there is
    /// exactly one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub dialect: Option<&'static str>,
    /// The templates, in display order.
    pub templates: Vec<TemplateItem>,
    /// The reasons why other files are not valid templates.
    pub broken: Vec<String>,
}

/// A template for a new prompt.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct TemplateItem {
    /// The name of the template.
    pub name: String,
    /// Its purpose, in one line.
    pub summary: String,
    /// Its arguments, in the order of `promptls.createPrompt`.
    pub arguments: Vec<TemplateArgument>,
}

/// An argument of a template.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct TemplateArgument {
    /// The name of the placeholder that remains if the argument is missing.
    pub name: String,
    /// The description; empty if the template has none.
    pub description: String,
    /// An example value; empty if the template has none.
    pub example: String,
}
