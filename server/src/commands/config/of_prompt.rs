//! The settings of one prompt: from its rule, its file name and its sidecars.

use std::path::Path;

use promptls_analysis::{SharedWith, Snapshot};
use promptls_protocol::{Origin, OriginKind, Setting};
use promptls_resolver::{Code, EngineRef, FileId};
use promptls_workspace::{
    Configs, Disk, DiskOnce, NoSuchPrompt, Prompt, PromptFile, PromptKind, PromptReader, Rule,
    kind_of,
};
use serde_json::{Value, json};

use super::{ConfigContents, from};
use crate::errors::CommandError;
use crate::output::unread::require_config;
use crate::paths::Paths;

/// The settings of the prompt of a name in a file, by default of the first.
pub fn settings(
    file: &Path,
    name: Option<&str>,
    paths: &mut Paths,
) -> Result<Vec<Setting>, CommandError> {
    // Checks the path as the user wrote it, for the error message.
    Disk.stamp(file)?;
    let path = paths.absolute(file);
    let (disk, configs) = (DiskOnce::default(), Configs::default());
    let project = disk.project(&configs);
    let read = project.read(&path)?;
    if let Some(config) = read.config() {
        require_config(config, project)?;
    }
    let config = read.config().map(|config| &**config);
    let Some(kind) = kind_of(&path, config, project) else {
        let reason = "neither its name nor a rule of promptls.toml makes it one".to_owned();
        let file = file.display().to_string();
        return Err(NoSuchPrompt::NoPrompts { file, reason }.into());
    };
    let named = name.map(|name| read.choose(Some(name), &paths.shown(&path))).transpose()?;
    let prompt = read.prompts.get(named.unwrap_or(0));
    let written = ConfigContents::of(config, &disk, &configs, paths);
    let shown = PromptSettings { file: &read, prompt, kind, written: &written, paths };
    let mut settings = shown.of_the_file();
    settings.extend(shown.sidecars());
    settings.extend(shown.of_its_rule());
    settings.extend(shown.severities());
    Ok(settings)
}

/// A prompt whose settings are shown.
struct PromptSettings<'s> {
    file: &'s PromptFile,
    /// `None` if the file has no prompt.
    prompt: Option<&'s Prompt>,
    kind: PromptKind<'s>,
    written: &'s ConfigContents<'s>,
    paths: &'s Paths,
}

fn setting(name: &str, value: impl Into<Value>, from: Origin) -> Setting {
    Setting { name: name.to_owned(), value: value.into(), from }
}

impl PromptSettings<'_> {
    /// A key of its rule, with its place.
    fn in_rule(&self, keys: &[&str]) -> Option<(Value, Origin)> {
        let Rule { config, position, .. } = self.kind.rule?;
        let position = position.to_string();
        self.written.value_of(config, &[&["prompts", &*position], keys].concat())
    }

    fn of_rule_or(&self, key: &str, kind: OriginKind) -> Origin {
        self.in_rule(&[key]).map_or_else(|| from(kind), |(_, origin)| origin)
    }

    /// The reason why it is a prompt, and its dialect.
    fn of_the_file(&self) -> Vec<Setting> {
        let path = &self.file.files[0];
        let by_content = self.kind.reader.is_some() && PromptReader::by_name(path).is_none();
        let by_itself = if by_content { OriginKind::Content } else { OriginKind::Name };
        let mut settings =
            vec![setting("prompt", self.paths.shown(path), self.of_rule_or("files", by_itself))];
        if let Some(prompt) = self.prompt {
            let origin = match (self.kind.reader, self.kind.dialect) {
                (Some(_), _) => from(by_itself),
                (None, Some(_)) => self.of_rule_or("dialect", OriginKind::Name),
                (None, None) => from(OriginKind::Content),
            };
            settings.push(setting("dialect", prompt.snapshot.dialect().spec().id, origin));
            settings.push(self.engines(&prompt.snapshot));
        }
        settings
    }

    /// The engines that it is written for.
    fn engines(&self, snapshot: &Snapshot) -> Setting {
        let names: Vec<String> = snapshot.engines().iter().map(EngineRef::to_string).collect();
        match &names[..] {
            [] => setting("engine", Value::Null, from(OriginKind::Default)),
            [one] if self.in_rule(&["engines"]).is_none() => {
                setting("engine", one.as_str(), self.of_rule_or("engine", OriginKind::Default))
            }
            _ => setting("engines", names, self.of_rule_or("engines", OriginKind::Default)),
        }
    }

    /// Its inputs by case, and its variables.
    fn sidecars(&self) -> Vec<Setting> {
        let path = |file: FileId| Some(self.paths.shown(self.file.files.get(file.0 as usize)?));
        let origin = |is_of_rule: bool, key: &str| match is_of_rule {
            true => self.of_rule_or(key, OriginKind::Beside),
            false => from(OriginKind::Beside),
        };
        let mut settings = Vec::new();
        let Some(prompt) = self.prompt else { return settings };
        let snapshot = &prompt.snapshot;
        for case in &snapshot.cases {
            let from = origin(case.shared == SharedWith::ItsRule, "inputs");
            let name = format!("inputs of case {}", case.name);
            settings.extend(path(case.inputs.file).map(|path| setting(&name, path, from)));
        }
        for (case, file) in self.file.broken_cases() {
            let is_of_rule =
                self.file.files.get(file.0 as usize).is_some_and(|path| self.file.shares(path));
            let name = format!("inputs of case {case} (unusable)");
            settings
                .extend(path(*file).map(|path| setting(&name, path, origin(is_of_rule, "inputs"))));
        }
        let declared = snapshot.declarations.file;
        let variables = match path(declared).filter(|_| declared != FileId::PROMPT) {
            Some(path) if declared == self.file.file => {
                setting("variables", path, from(OriginKind::Content))
            }
            Some(path) => {
                setting("variables", path, origin(snapshot.shared_variables, "variables"))
            }
            None => setting("variables", Value::Null, from(OriginKind::Default)),
        };
        settings.push(variables);
        settings
    }

    /// Settings that only rules have.
    fn of_its_rule(&self) -> Vec<Setting> {
        let Some(prompt) = self.prompt else { return Vec::new() };
        let settings = &prompt.snapshot.settings;
        let values = [
            ("agent", json!(settings.agent)),
            ("runtime", json!(*settings.runtime)),
            ("literal", json!(*settings.literal)),
            ("max_tokens", json!(settings.max_tokens)),
            ("max_output_tokens", json!(settings.max_output_tokens)),
            ("task", json!(settings.task)),
            ("encoding", json!(settings.encoding.id())),
        ];
        let values = values.into_iter();
        values
            .map(|(key, value)| setting(key, value, self.of_rule_or(key, OriginKind::Default)))
            .collect()
    }

    /// The severity of problems, where a rule or a config sets one.
    fn severities(&self) -> Vec<Setting> {
        let value_of = |code: &Code| {
            let id = code.id();
            let of_rule = self.in_rule(&["problems", id]);
            let (value, from) = of_rule.or_else(|| self.written.nearest(&["problems", id]))?;
            Some(Setting { name: format!("problems.{id}"), value, from })
        };
        Code::ALL.iter().filter_map(value_of).collect()
    }
}
