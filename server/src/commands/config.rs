//! `promptls config`: the settings that apply, and the origin of each.

mod in_folder;
mod of_prompt;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use promptls_protocol::{CONFIG_OUTPUT_VERSION, ConfigOutput, Origin, OriginKind, Setting};
use promptls_workspace::{Config, Configs, Files, WrittenSetting, written_settings};
use serde_json::Value;

use crate::args::{ConfigArgs, ConfigFormat};
use crate::errors::CommandError;
use crate::output::columns::{Align, in_columns};
use crate::output::terminal::{self, complain};
use crate::output::visible::visible_line;
use crate::paths::Paths;

pub fn run(args: &ConfigArgs) -> Result<ExitCode, CommandError> {
    let mut paths = Paths::new()?;
    let settings = match &args.show {
        Some(file) => of_prompt::settings(file, args.task.as_deref(), &mut paths)?,
        None => in_folder::settings(&args.folder, &mut paths)?,
    };
    if settings.is_empty() {
        complain("no promptls.toml applies there; all settings have their defaults");
    }
    match args.format {
        ConfigFormat::Json => {
            terminal::print_json(&ConfigOutput { version: CONFIG_OUTPUT_VERSION, settings })?;
        }
        ConfigFormat::Text => {
            let rows: Vec<Vec<String>> = settings.iter().map(row).collect();
            terminal::print(&in_columns(&rows, |_| Align::Left))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn row(Setting { name, value, from }: &Setting) -> Vec<String> {
    [name.clone(), in_words(value), origin(from)].map(|cell| visible_line(&cell)).to_vec()
}

fn in_words(value: &Value) -> String {
    match value {
        Value::Null => "-".to_owned(),
        Value::String(text) => text.clone(),
        Value::Array(items) if items.is_empty() => "-".to_owned(),
        Value::Array(items) => items.iter().map(in_words).collect::<Vec<_>>().join(", "),
        value => value.to_string(),
    }
}

fn origin(from: &Origin) -> String {
    match (from.kind, &from.file, from.line) {
        (OriginKind::Config, Some(file), Some(line)) => format!("{file}:{line}"),
        (OriginKind::Config, ..) => from.file.clone().unwrap_or_default(),
        (OriginKind::Name, ..) => "its name".to_owned(),
        (OriginKind::Content, ..) => "its content".to_owned(),
        (OriginKind::Beside, ..) => "beside it".to_owned(),
        (OriginKind::Default, ..) => "default".to_owned(),
    }
}

/// The origin of a setting that is in no config.
fn from(kind: OriginKind) -> Origin {
    Origin { kind, file: None, line: None }
}

/// The content of the configs that apply, the nearest first.
struct ConfigContents<'w> {
    configs: Vec<(PathBuf, Vec<WrittenSetting>)>,
    paths: &'w Paths,
}

impl<'w> ConfigContents<'w> {
    fn of(
        config: Option<&Config>,
        files: &dyn Files,
        configs: &Configs,
        paths: &'w Paths,
    ) -> ConfigContents<'w> {
        let all = config.into_iter().flat_map(Config::and_outer);
        let read = |config: &Config| {
            let text = configs.parse(files, &config.path).map(|(text, _)| text);
            (config.path.clone(), text.map(|text| written_settings(&text)).unwrap_or_default())
        };
        ConfigContents { configs: all.map(read).collect(), paths }
    }

    /// The value of a setting in one config, with its place.
    fn value_of(&self, config: &Path, path: &[&str]) -> Option<(Value, Origin)> {
        let (_, settings) = self.configs.iter().find(|(other, _)| other == config)?;
        let setting = settings.iter().find(|setting| setting.path == path)?;
        Some((setting.value.clone(), self.origin(config, setting)))
    }

    /// The value of a setting in the nearest config that has it.
    fn nearest(&self, path: &[&str]) -> Option<(Value, Origin)> {
        self.configs.iter().find_map(|(config, _)| self.value_of(config, path))
    }

    fn origin(&self, config: &Path, setting: &WrittenSetting) -> Origin {
        let file = Some(self.paths.shown(config));
        Origin { kind: OriginKind::Config, file, line: Some(setting.line) }
    }

    /// All settings that apply: for each name, the nearest one.
    fn all(&self) -> Vec<Setting> {
        let mut named = BTreeMap::new();
        let mut all = Vec::new();
        for (config, settings) in &self.configs {
            for setting in settings {
                let is_in_list = matches!(&*setting.path[0], "prompts" | "ignore");
                let known = named.entry(setting.path.clone()).or_insert(config);
                if is_in_list || *known == config {
                    let (value, from) = (setting.value.clone(), self.origin(config, setting));
                    all.push(Setting { name: name_of(&setting.path), value, from });
                }
            }
        }
        all
    }
}

/// The display name of a setting: `rule 1 files`, `ignore 2 codes`, `problems.unused-input`.
fn name_of(path: &[String]) -> String {
    let what = match path.first().map(String::as_str) {
        Some("prompts") => "rule",
        Some("ignore") => "ignore",
        _ => return path.join("."),
    };
    match path.get(1).and_then(|position| position.parse::<usize>().ok()) {
        Some(position) => format!("{what} {} {}", position + 1, path[2..].join(".")),
        None => path.join("."),
    }
}
