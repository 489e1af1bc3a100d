//! `promptls store pull`: writes prompts of a store into files.
//!
//! A prompt becomes a file with the same text, byte for byte. A file with local changes is not
//! overwritten.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use promptls_analysis::{DEFAULT_CASE, skeleton};
use promptls_resolver::FileId;
use promptls_stores::Filters;
use promptls_syntax::Dialect;
use promptls_workspace::{
    Configs, DISK, Disk, DiskOnce, Files, Overrides, PromptFile, default_inputs, hash,
};
use serde_json::{Value, json};

use crate::args::store::PullArgs;
use crate::errors::CommandError;
use crate::output::terminal::complain;
use crate::output::write;
use crate::paths::Paths;
use crate::stores::{OpenedStore, StoreFailure, block_on};

pub fn run(args: &PullArgs) -> Result<ExitCode, CommandError> {
    let mut store = OpenedStore::of(&args.some.address)?;
    store.writer = store.writer.force(args.force);
    let filters = store.filters(&args.some.which)?;
    let ids = match &args.some.address.id {
        Some(id) => vec![id.clone()],
        // One file cannot hold several prompts.
        None if args.file.is_some() => return Err(StoreFailure::NeedsId(store.name).into()),
        None => {
            let listed = block_on(async { Ok(store.list().await?) })?;
            listed.into_iter().map(|listed| listed.id).collect()
        }
    };
    let mut failures = 0;
    for id in &ids {
        match pull(&mut store, id, &filters, args) {
            Ok(()) => {}
            // One failed prompt does not stop the others.
            Err(error) if ids.len() > 1 => {
                failures += 1;
                complain(&format!("promptls: {error}"));
            }
            Err(error) => return Err(error),
        }
    }
    if args.some.address.id.is_none() {
        complain(&format!("{} of {} prompts pulled", ids.len() - failures, ids.len()));
    }
    Ok(if failures == 0 { ExitCode::SUCCESS } else { ExitCode::from(crate::args::COULD_NOT_RUN) })
}

fn pull(
    store: &mut OpenedStore,
    id: &str,
    filters: &Filters,
    args: &PullArgs,
) -> Result<(), CommandError> {
    let path = store.path_of(id, args.file.as_deref())?;
    let shown = Paths::new()?.shown(&path);
    let (stored, newest) = block_on(async {
        let stored = store.find(id, filters).await?;
        let newest = match store.keeps_versions() {
            true => store.newest(id).await?.and_then(|newest| newest.version),
            false => None,
        };
        Ok((stored, newest))
    })?;
    let text = stored.prompt.content();
    let here = match DISK.read(&path) {
        Ok(here) => Some(here),
        Err(_) if !Disk.is_there(&path) => None,
        Err(error) => return Err(error.into()),
    };
    // The local text is unchanged since the pull, or equals that of the store.
    let is_known = |here: &str| {
        let pulled = store.lock.find(&store.name, id);
        here == text || pulled.is_some_and(|pulled| pulled.hash == hash(here))
    };
    if !args.force && here.as_deref().is_some_and(|here| !is_known(here)) {
        return Err(StoreFailure::LocalChanges(shown).into());
    }
    store.check_lock()?;
    let writer = store.writer.making_folders();
    let pulled = match &here {
        // The file may be saved while the request is pending.
        Some(here) => writer.replace(&path, here.as_bytes(), text.as_bytes()),
        None => writer.create(&path, text.as_bytes()),
    };
    pulled.map_err(write::failed(&shown))?;
    let mut written = vec![shown];
    for (beside, text) in first_files(&path, text, store.config.dialect) {
        let shown = Paths::new()?.shown(&beside);
        writer.create(&beside, text.as_bytes()).map_err(write::failed(&shown))?;
        written.push(shown);
    }
    store.note(&path, id, stored.version, newest, text)?;
    let version = stored.version.map(|version| format!(", version {version}")).unwrap_or_default();
    complain(&format!("pulled {}:{id}{version}: {}", store.name, written.join(", ")));
    if stored.is_chat {
        complain(
            "note: it is a chat; its messages are lines `role: content`, and cannot be pushed",
        );
    }
    Ok(())
}

/// The variables and inputs files that are missing: declarations of the names that a prompt uses,
/// with inferred types, and initial values.
fn first_files(path: &Path, text: &str, dialect: Dialect) -> Vec<(PathBuf, String)> {
    let (disk, configs) = (DiskOnce::default(), Configs::default());
    let overrides = Overrides { dialect: Some(dialect), ..Overrides::default() };
    let file = PromptFile::read(disk.project(&configs), path, text.into(), &overrides, None);
    let Some(prompt) = file.prompts.first() else { return Vec::new() };
    let inputs = skeleton(&prompt.snapshot);
    let mut files = Vec::new();
    if prompt.snapshot.declarations.file == FileId::PROMPT {
        files.extend(declared(&inputs).map(|text| (file.new_variables(prompt), text)));
    }
    let reads_any = inputs.trim() != "{}";
    if reads_any && prompt.snapshot.cases.is_empty() && file.broken_cases().is_empty() {
        let path = file.new_case(prompt, DEFAULT_CASE).unwrap_or_else(|| default_inputs(path));
        files.push((path, inputs));
    }
    // A symbolic link out of the project counts as existing, though it cannot be read.
    files.retain(|(path, _)| !Disk.is_there(path) && !DISK.is_link(path));
    files
}

/// The variables file for the values of an inputs file; `None` if there are no values.
fn declared(inputs: &str) -> Option<String> {
    let inputs: Value = serde_json::from_str(inputs).ok()?;
    let names = inputs.as_object().filter(|names| !names.is_empty())?;
    let declared = names.iter().map(|(name, value)| {
        let kind = match value {
            Value::Array(_) => "array",
            Value::Object(_) => "object",
            Value::Bool(_) => "boolean",
            Value::Number(_) => "number",
            Value::String(_) | Value::Null => "string",
        };
        json!({"name": name, "type": kind, "required": true})
    });
    let variables = json!({"variables": declared.collect::<Vec<_>>()});
    Some(format!("{variables:#}\n"))
}
