//! Dynamic completion values: problem codes, and the cases and prompts of the files on the line.
//!
//! The shell runs this program with the words typed so far after a `--`.

use std::collections::BTreeSet;
use std::env;
use std::path::Path;

use clap_complete::engine::{ArgValueCandidates, CompletionCandidate};
use promptls_resolver::{Code, ENGINES, Profile};
use promptls_syntax::Dialect;
use promptls_workspace::{Configs, Disk, Project, PromptFile, absolute, kind_of};

use crate::call::arguments;
use crate::schemas::SCHEMAS;

/// Values for `explain`: problem codes and engines.
pub fn codes() -> ArgValueCandidates {
    ArgValueCandidates::new(|| {
        let codes = Code::ALL.iter().map(|code| code.id().to_owned());
        let engines = ENGINES.iter().map(|profile| format!("engine:{}", profile.id));
        codes.chain(engines).map(CompletionCandidate::new).collect()
    })
}

/// The names of engines, each with its title.
pub fn engines() -> ArgValueCandidates {
    ArgValueCandidates::new(|| {
        let named = |profile: &&Profile| {
            CompletionCandidate::new(profile.id).help(Some(profile.title.into()))
        };
        ENGINES.iter().map(named).collect()
    })
}

/// Dialects, followed by their engines.
pub fn targets() -> ArgValueCandidates {
    ArgValueCandidates::new(|| {
        let titled =
            |id: String, title: &'static str| CompletionCandidate::new(id).help(Some(title.into()));
        let dialects = Dialect::ALL.map(Dialect::spec);
        let dialects = dialects.into_iter().map(|spec| titled(spec.id.to_owned(), spec.title));
        let engines = ENGINES.iter().filter_map(|profile| {
            let dialect = profile.engines().next()?.dialect().spec().id;
            Some(titled(format!("{dialect}/{}", profile.id), profile.title))
        });
        dialects.chain(engines).collect()
    })
}

/// The names of schemas, as `promptls schema` accepts them.
pub fn schemas() -> ArgValueCandidates {
    ArgValueCandidates::new(|| SCHEMAS.iter().map(|it| CompletionCandidate::new(it.name)).collect())
}

/// Cases of the prompts on the line.
pub fn cases() -> ArgValueCandidates {
    ArgValueCandidates::new(|| {
        named(|file| {
            let cases = file.prompts.iter().flat_map(|prompt| &prompt.snapshot.cases);
            let cases = cases.map(|case| case.name.to_string());
            cases.chain(file.broken_cases().iter().map(|(name, _)| name.clone())).collect()
        })
    })
}

/// Names of the prompts in the packs on the line.
pub fn tasks() -> ArgValueCandidates {
    ArgValueCandidates::new(|| {
        named(|file| {
            let names = file.prompts.iter().filter_map(|prompt| prompt.name.as_deref());
            names.map(str::to_owned).collect()
        })
    })
}

fn named(names: impl Fn(&PromptFile) -> Vec<String>) -> Vec<CompletionCandidate> {
    let found: BTreeSet<String> = prompts().iter().flat_map(names).collect();
    found.into_iter().map(CompletionCandidate::new).collect()
}

/// The files on the line that contain prompts.
fn prompts() -> Vec<PromptFile> {
    let Ok(current) = env::current_dir() else { return Vec::new() };
    let (files, configs) = (Disk, Configs::default());
    let project = Project::without_program(&files, &configs);
    let words = arguments().skip_while(|word| *word != "--").skip(1);
    let read = words.filter_map(|word| {
        let path = absolute(&current, Path::new(&word));
        let config = configs.nearest(&files, path.parent()?);
        kind_of(&path, config.as_deref(), project)?;
        project.read(&path).ok()
    });
    read.collect()
}
