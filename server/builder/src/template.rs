//! Ready-made outlines for common purposes.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::error::{BuildError, TemplateError};
use crate::outline::Outline;
use crate::text::Text;
use crate::texts::Texts as _;

/// An outline for a purpose, with names for the parts that its user supplies.
///
/// A file of a template is TOML:
///
/// ```
/// let template = promptls_builder::Template::parse(
///     r#"
///     summary = "Answer a letter of a customer"
///     arguments = ["tone"]
///
///     [variables]
///     tone = { description = "How the answer sounds", example = "warm" }
///     letter = { description = "The letter", example = "Where is my parcel?" }
///
///     [prompt]
///     role = "You answer letters for a shop."
///     task = "Answer the letter. The tone is {{tone}}."
///     input = { label = "Letter", text = "{{letter}}" }
///     "#,
/// )
/// .unwrap();
/// assert_eq!(template.arguments, ["tone"]);
/// ```
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Template {
    /// The purpose of the template, in one line.
    pub summary: String,
    /// The names of its arguments, in order. An argument that is not given becomes a placeholder of
    /// the prompt. The last name may end in `...`; it takes all remaining arguments.
    #[serde(default)]
    pub arguments: Vec<String>,
    /// Descriptions of its arguments and placeholders, by name.
    #[serde(default)]
    pub variables: BTreeMap<String, Variable>,
    /// The outline of the prompt.
    pub prompt: Outline,
}

/// The description of a name.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Variable {
    /// The meaning of the name.
    pub description: String,
    /// An example value, such as `warm` for a tone.
    pub example: String,
}

impl Template {
    /// Parses a template file, which is TOML; unknown keys are errors.
    pub fn parse(text: &str) -> Result<Template, TemplateError> {
        Ok(toml::from_str(text)?)
    }

    /// The outline with these arguments filled in.
    pub(crate) fn with(&self, given: Vec<Text>) -> Result<Outline, BuildError> {
        let all = self.arguments.last().is_some_and(|last| last.ends_with("..."));
        if given.len() > self.arguments.len() && !all {
            return Err(BuildError::Arguments {
                takes: match &self.arguments[..] {
                    [] => "no arguments".to_owned(),
                    arguments => arguments.join(", "),
                },
                given: given.len(),
            });
        }
        let mut given = given.into_iter();
        let mut values: Vec<(&str, Text)> = Vec::new();
        for argument in &self.arguments {
            let value = match argument.strip_suffix("...") {
                Some(name) => (name, Text::joined(given.by_ref(), ", ")),
                None => (argument.as_str(), given.next().unwrap_or_default()),
            };
            if !value.1.is_blank() {
                values.push(value);
            }
        }
        let values: Vec<(&str, &Text)> = values.iter().map(|(name, text)| (*name, text)).collect();
        let mut outline = self.prompt.clone();
        outline.each_text(&mut |text| *text = text.filled(&values));
        Ok(outline)
    }
}
