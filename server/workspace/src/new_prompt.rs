//! The initial content of a new prompt: its template, and the files that belong to it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use promptls_analysis::position::line_breaks;
use promptls_analysis::{Snapshot, did_you_mean, skeleton};
use promptls_builder::{Built, Language, Template, Variable, spelled};
use promptls_resolver::{Declarations, Dialect, FileId, Format};
use serde_json::json;

use super::configs::Configs;
use super::files::Files;
use super::kind::kind_of;
use super::project::Project;
use crate::sidecars::naming::sidecar_base;

/// The templates for a folder, in one language.
///
/// User templates are in the folder that a `promptls.toml` names; they hide built-in ones of the
/// same name. `letter.toml` and `letter.pt-BR.toml` are both the template `letter`; in that
/// language, the second takes precedence.
#[derive(Debug)]
pub struct Templates {
    language: &'static Language,
    own: BTreeMap<String, Result<Template, UnusableTemplate>>,
}

/// The reason why a template is missing or unusable.
#[derive(Clone, Debug, thiserror::Error)]
pub enum UnusableTemplate {
    /// No template has this name.
    #[error("unknown template `{name}`{hint}")]
    Unknown {
        /// The requested name, which no template has.
        name: String,
        /// A suggestion of a similar name, or the list of templates.
        hint: String,
    },
    /// The file cannot be read, or is not a valid template.
    #[error("{}: {reason}", path.display())]
    Broken {
        /// The path of the file.
        path: PathBuf,
        /// The error, with its position.
        reason: String,
    },
}

impl Templates {
    /// Finds the templates.
    ///
    /// Cost: reads the files of the user's folder.
    pub fn in_folder(
        files: &dyn Files,
        configs: &Configs,
        folder: &Path,
        language: &'static Language,
    ) -> Templates {
        let config = configs.nearest(files, folder);
        let mut own = BTreeMap::new();
        if let Some(templates) = config.as_deref().and_then(|config| config.templates.as_deref()) {
            let names = files.list(templates);
            // Templates for this language come last, so that they replace the others.
            let (others, of_language): (Vec<_>, Vec<_>) = names
                .iter()
                .filter_map(|name| Some((name, name.strip_suffix(".toml")?)))
                .partition(|(_, stem)| language_of(stem).is_none());
            let of_language = of_language.into_iter().filter_map(|(name, stem)| {
                let (stem, tag) = language_of(stem)?;
                (tag == language.tag()).then_some((name, stem))
            });
            for (name, stem) in others.into_iter().chain(of_language) {
                let path = templates.join(name);
                own.insert(stem.to_owned(), read(files, configs, folder, &path));
            }
        }
        Templates { language, own }
    }

    /// The template of this name.
    pub fn find(&self, name: &str) -> Result<&Template, UnusableTemplate> {
        match self.own.get(name) {
            Some(Ok(template)) => Ok(template),
            Some(Err(error)) => Err(error.clone()),
            None => self.language.templates().get(name).ok_or_else(|| {
                let known: Vec<&str> = self.all().map(|(name, _)| name).collect();
                let near = did_you_mean(name, known.iter().copied());
                let hint = match near.is_empty() {
                    true => format!("; there are {}", known.join(", ")),
                    false => near,
                };
                UnusableTemplate::Unknown { name: name.to_owned(), hint }
            }),
        }
    }

    /// All usable templates, by name.
    pub fn all(&self) -> impl Iterator<Item = (&str, &Template)> {
        let ours = self.language.templates().iter();
        let ours = ours.filter(|(name, _)| !self.own.contains_key(*name));
        let own = self.own.iter();
        let own = own.filter_map(|(name, template)| Some((name, template.as_ref().ok()?)));
        let mut all: Vec<(&str, &Template)> =
            ours.chain(own).map(|(name, template)| (name.as_str(), template)).collect();
        all.sort_by_key(|(name, _)| *name);
        all.into_iter()
    }

    /// The errors of unusable template files.
    pub fn broken(&self) -> impl Iterator<Item = &UnusableTemplate> {
        self.own.values().filter_map(|template| template.as_ref().err())
    }
}

/// The name and the language in the file name of a template for one language.
fn language_of(stem: &str) -> Option<(&str, &'static str)> {
    let (name, tag) = stem.rsplit_once('.')?;
    let language = Language::all().iter().find(|language| language.tag() == tag)?;
    Some((name, language.tag()))
}

fn read(
    files: &dyn Files,
    configs: &Configs,
    folder: &Path,
    path: &Path,
) -> Result<Template, UnusableTemplate> {
    let broken = |reason: String| UnusableTemplate::Broken { path: path.to_owned(), reason };
    configs.reach().check(files, folder, path).map_err(|error| broken(error.reason()))?;
    let text = files.read(path).map_err(|error| broken(error.reason()))?;
    Template::parse(&text).map_err(|error| {
        let line = error.range().map(|range| 1 + line_breaks(&text[..range.start]));
        let line = line.map(|line| format!("line {line}: ")).unwrap_or_default();
        broken(format!("{line}{}", error.message()))
    })
}

/// The reason why a new prompt cannot have a name.
#[derive(Clone, Debug, thiserror::Error)]
pub enum UnusableName {
    /// The name belongs to files that are never one prompt: a sidecar, a pack, JSON.
    #[error("a file named {name} is not a single prompt; choose another name")]
    NoPrompt {
        /// The name of the new file.
        name: String,
    },
    /// The name implies another dialect.
    #[error("{name} would be read as {is}, not as {expected}; choose another name or dialect")]
    OtherDialect {
        /// The name of the new file.
        name: String,
        /// The dialect from the name or a rule.
        is: &'static str,
        /// The id of the requested dialect, such as `adk`.
        expected: &'static str,
    },
}

/// The dialect of a prompt that does not exist yet: the requested one, else the one from its name
/// or a rule; `None` if there is neither. An error if the name or a rule sets another dialect than
/// the requested one, or if the name belongs to files that are never one prompt.
pub fn dialect_of_new(
    project: Project<'_>,
    path: &Path,
    requested: Option<Dialect>,
) -> Result<Option<Dialect>, UnusableName> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let config = project.configs.nearest(project.files, path.parent().unwrap_or(path));
    let kind = kind_of(path, config.as_deref(), project);
    let is_data = sidecar_base(&name).is_some() || Format::from_path(path) == Some(Format::Json);
    if is_data || kind.is_some_and(|kind| kind.reader.is_some()) {
        return Err(UnusableName::NoPrompt { name });
    }
    match (requested, kind.and_then(|kind| kind.dialect)) {
        (Some(requested), Some(read)) if requested != read => Err(UnusableName::OtherDialect {
            name,
            is: read.spec().id,
            expected: requested.spec().id,
        }),
        (requested, read) => Ok(requested.or(read)),
    }
}

/// The texts of the files that form a new prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewPrompt {
    /// The text of the prompt.
    pub text: String,
    /// Descriptions of its names, if its template has them.
    pub variables: Option<String>,
    /// Initial values for all its names, if it has any: examples, and samples for names without
    /// one.
    pub inputs: Option<String>,
}

impl NewPrompt {
    /// The files for a built prompt; `variables` are those of its template.
    pub fn new(
        dialect: Dialect,
        built: &Built,
        variables: &BTreeMap<String, Variable>,
    ) -> NewPrompt {
        // A file ends with a newline.
        let text = if built.text.is_empty() { String::new() } else { format!("{}\n", built.text) };
        let declared: Vec<serde_json::Value> = variables
            .iter()
            .filter(|(name, _)| built.placeholders.contains(*name))
            .filter_map(|(name, variable)| {
                let name = spelled(dialect, name)?;
                Some(json!({
                    "name": name,
                    "type": "string",
                    "required": true,
                    "description": variable.description,
                    "example": variable.example,
                }))
            })
            .collect();
        let variables =
            (!declared.is_empty()).then(|| format!("{:#}\n", json!({ "variables": declared })));

        let mut snapshot = Snapshot::new(dialect, &text);
        if let Some(variables) = &variables {
            // The file does not exist yet.
            let parsed = Declarations::parse(variables, Format::Json, FileId(1));
            snapshot.declarations = Arc::new(parsed.value.unwrap_or_default());
        }
        let has_names = snapshot.tree.uses().next().is_some();
        let inputs = has_names.then(|| skeleton(&snapshot));
        NewPrompt { text, variables, inputs }
    }
}
