//! `promptls/engine`: the engine that a prompt is resolved for, and the engines that could be
//! named. Also contains the command and the quick fixes that name one.
//!
//! The engines that a project uses affect only prompts in code and data. They are reported
//! separately from engines that a rule names, so that the two are not confused.

use std::ops::Range;

use promptls_analysis::{ActionId, ActionKind, ActionName, Change, CodeAction, ConfigChange};
use promptls_protocol::{
    CommandArgument, EditedInputs, EngineChoice, NamedBy, PromptEngine, PromptParams,
};
use promptls_resolver::{Code, ENGINES, EngineRef, FileId, Problem, Version};
use promptls_workspace::{ProjectEngine, is_code, is_code_or_data, parse_engine};

use crate::context::Context;
use crate::convert::Uri;
use crate::errors::{Result, refused};
use crate::handlers::config_edit::change_config;
use crate::handlers::execute_command::command_prompt::prompt_of;
use crate::session::Session;
use crate::session::documents::Documents;
use crate::session::edits::Planned;
use crate::session::prompt_snapshot::PromptSnapshot;
use crate::workspace_edits::WorkspaceEdits;

/// The engine of a prompt; `None` for a file of another tool.
///
/// Cost: reading the manifests and lock files of the project.
pub fn engine(
    context: Context<Option<PromptSnapshot>>,
    _: PromptParams,
) -> Result<Option<PromptEngine>> {
    let prompt = context.subject.as_ref().filter(|prompt| prompt.snapshot().foreign.is_none());
    let Some((prompt, uri)) = prompt.and_then(|prompt| Some((prompt, prompt.uri()?))) else {
        return Ok(None);
    };
    let found = of_project(&context.session.documents, prompt);
    let engines = prompt.snapshot().engines();
    let usual = context.session.documents.project().usual_engine();
    let named_by = named_by(prompt, &found, usual);
    Ok(Some(PromptEngine {
        uri: uri.to_string(),
        dialect: prompt.snapshot().dialect().spec().id,
        label: label(prompt, named_by, &found),
        about: about(prompt, named_by, &found),
        engines: engines.iter().map(EngineRef::to_string).collect(),
        named_by,
        choices: choices(prompt, &found),
    }))
}

/// The engines that the project uses, among those of the prompt's dialect.
fn of_project(documents: &Documents, prompt: &PromptSnapshot) -> Vec<ProjectEngine> {
    let mut found = documents.project().project_engines(prompt.path());
    found.retain(|found| found.engine.dialect() == prompt.snapshot().dialect());
    found
}

/// What names the engine of a prompt, where `usual` is the engine in the editor's settings.
fn named_by(
    prompt: &PromptSnapshot,
    found: &[ProjectEngine],
    usual: Option<EngineRef>,
) -> Option<NamedBy> {
    // Settings and manifests name an engine for all texts.
    let engines: Vec<EngineRef> =
        prompt.snapshot().engines().iter().map(|engine| engine.of_field("")).collect();
    let rule = prompt.config().and_then(|config| config.rule_for(prompt.path()));
    let by_rule = rule.is_some_and(|rule| !rule.engines.is_empty());
    let by = match by_rule {
        true => NamedBy::Rule,
        false if is_code(prompt.path()) => NamedBy::Language,
        false
            if (rule.is_some() || is_code_or_data(prompt.path()))
                && found.iter().any(|found| engines == [found.engine]) =>
        {
            NamedBy::Project
        }
        false if usual.is_some_and(|usual| engines == [usual]) => NamedBy::Setting,
        false => NamedBy::Framework,
    };
    (!engines.is_empty()).then_some(by)
}

/// The display name of an engine, for example `ADK for Python 2.13`.
fn title(engine: EngineRef) -> String {
    let title = engine.profile.title;
    match engine.to_string().split_once('@') {
        Some((_, version)) => format!("{title} {version}"),
        None => title.to_owned(),
    }
}

/// A short text for a status bar.
fn label(prompt: &PromptSnapshot, by: Option<NamedBy>, found: &[ProjectEngine]) -> String {
    let snapshot = prompt.snapshot();
    let Some(first) = snapshot.engines().first() else {
        return format!("{} as documented", snapshot.dialect().spec().title);
    };
    let mut label = title(*first);
    if snapshot.engines().len() > 1 {
        label.push_str(&format!(" +{}", snapshot.engines().len() - 1));
    }
    if by == Some(NamedBy::Setting) {
        label.push_str(", by a setting");
    }
    let same = found.iter().find(|found| found.engine.profile == first.profile);
    match (same, found) {
        (Some(found), _) if found.engine.engine() == first.of_field("").engine() => {
            label.push_str(&format!(", as in {}", found.file));
        }
        (Some(other), _) | (None, [other, ..]) => {
            label.push_str(&format!(", but {}", other.reason()));
        }
        (None, []) => {}
    }
    label
}

/// The engine and the source of its name, in sentences.
fn about(prompt: &PromptSnapshot, by: Option<NamedBy>, found: &[ProjectEngine]) -> String {
    let dialect = prompt.snapshot().dialect().spec().title;
    let engines = prompt.snapshot().engines();
    let names: Vec<String> = engines.iter().map(|engine| title(*engine)).collect();
    let mut about = match by {
        Some(NamedBy::Language) => {
            format!("{}: the engine for code in this language.", names.join(", "))
        }
        None => format!("As documented for {dialect}: no rule sets an engine."),
        Some(NamedBy::Framework) => {
            format!("{}: the engine of the framework that reads it.", names.join(", "))
        }
        Some(NamedBy::Project) => format!("{}: the engine of the project.", names.join(", ")),
        Some(NamedBy::Rule) => format!("{}: set in promptls.toml.", names.join(", ")),
        Some(NamedBy::Setting) => format!(
            "{}: the setting promptls.engine of this editor, which promptls check does not use.",
            names.join(", ")
        ),
    };
    for found in found {
        about.push_str(&format!(" {}.", found.reason()));
    }
    about
}

fn choices(prompt: &PromptSnapshot, found: &[ProjectEngine]) -> Vec<EngineChoice> {
    // A rule would apply to the whole file.
    if is_code(prompt.path()) {
        return Vec::new();
    }
    let used = found.iter().map(|found| EngineChoice {
        engine: found.engine.to_string(),
        title: title(found.engine),
        reason: Some(found.reason()),
    });
    let is_other = |engine: &EngineRef| {
        engine.dialect() == prompt.snapshot().dialect()
            && found.iter().all(|found| found.engine.profile != engine.profile)
    };
    let newest = ENGINES.iter().filter_map(|profile| {
        let Version([major, minor, _]) = profile.newest;
        EngineRef::parse(&format!("{}@{major}.{minor}", profile.id)).ok()
    });
    let mut others: Vec<EngineRef> = newest.filter(is_other).collect();
    // A client selects the first one, and no other one should be set by mistake.
    let now = prompt.snapshot().engines().first().map(|engine| engine.profile);
    others.sort_by_key(|engine| Some(engine.profile) != now);
    let others = others.into_iter().map(|engine| EngineChoice {
        engine: engine.to_string(),
        title: title(engine),
        reason: None,
    });
    used.chain(others).collect()
}

/// Names an engine in `promptls.toml`. Returns the URI of that file.
pub fn name(
    session: &Session,
    uri: Uri,
    argument: CommandArgument,
) -> Result<Planned<Option<EditedInputs>>> {
    let documents = &session.documents;
    let prompt = prompt_of(session, &uri, &argument)?;
    let (dialect, is_guess) = (prompt.snapshot().dialect(), prompt.snapshot().is_guessed());
    let change = match argument.engine.as_deref().filter(|engine| !engine.is_empty()) {
        None => ConfigChange::Dialect(dialect),
        Some(engine) => {
            let engine = parse_engine(engine).map_err(refused)?;
            if engine.dialect() != dialect && !is_guess {
                let of = engine.dialect().spec().id;
                let id = dialect.spec().id;
                return Err(refused(format!(
                    "`{engine}` is an engine of {of}, but the dialect is {id}"
                )));
            }
            ConfigChange::Engine(engine.to_string())
        }
    };
    let mut edits = WorkspaceEdits::default();
    let config = prompt.config().map(|config| &**config);
    let encoding = session.encoding();
    let rule = change_config(&mut edits, documents, encoding, prompt.path(), config, &change)?;
    let answer = Some(EditedInputs { uri: rule.to_string(), position: None });
    Ok(Planned { edits, answer })
}

/// Quick fixes where engines differ and none is named: each names one that the project uses.
pub fn actions(
    documents: &Documents,
    prompt: &PromptSnapshot,
    file: FileId,
    problems: &[Problem],
    range: &Range<usize>,
) -> Vec<CodeAction> {
    let is_here = |problem: &&Problem| {
        let place = &problem.location;
        problem.code == Code::EngineDiffers
            && place.file == file
            && place.range.start <= range.end
            && range.start <= place.range.end
    };
    let problem = problems.iter().find(is_here);
    let Some(problem) = problem.filter(|_| prompt.snapshot().engines().is_empty()) else {
        return Vec::new();
    };
    let action = |found: &ProjectEngine| CodeAction {
        id: ActionId::of_parts(ActionName::SetEngine, [&found.engine.to_string(), &found.file]),
        title: format!("Set the engine `{}` (from {}) in promptls.toml", found.engine, found.file),
        kind: ActionKind::QuickFix,
        fixes: Some((problem.code, problem.location.clone())),
        is_preferred: false,
        is_safe: false,
        changes: vec![Change::Config(ConfigChange::Engine(found.engine.to_string()))],
        disabled: None,
    };
    of_project(documents, prompt).iter().map(action).collect()
}
