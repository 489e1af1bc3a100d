//! `promptls store push`: saves a prompt from its file into a store.
//!
//! It fails if the store has a version that was never pulled here, according to the lock.

use std::process::ExitCode;

use promptls_stores::{Prompt, Revision, Stored};
use promptls_workspace::{DISK, Pulled, hash};

use crate::args::store::PushArgs;
use crate::errors::CommandError;
use crate::output::terminal::complain;
use crate::paths::Paths;
use crate::stores::{OpenedStore, StoreFailure, block_on};

pub fn run(args: &PushArgs) -> Result<ExitCode, CommandError> {
    let mut store = OpenedStore::of(&args.address)?;
    store.writer = store.writer.force(args.force);
    let id = args.address.id()?;
    if !store.keeps_versions() && (!args.label.is_empty() || args.message.is_some()) {
        return Err(StoreFailure::NoVersions(store.name).into());
    }
    let path = store.path_of(id, args.file.as_deref())?;
    let shown = Paths::new()?.shown(&path);
    let text = DISK.read(&path)?;
    let newest = block_on(async { Ok(store.newest(id).await?) })?;
    if newest.as_ref().is_some_and(|newest| newest.is_chat) {
        return Err(StoreFailure::Chat(id.to_owned()).into());
    }
    let known = store.lock.find(&store.name, id);
    if let Some(why) = moved_on(newest.as_ref(), known).filter(|_| !args.force) {
        return Err(StoreFailure::MovedOn(format!("{}:{id} {why}", store.name)).into());
    }
    let is_same = newest.as_ref().is_some_and(|newest| newest.prompt.content() == &*text);
    if is_same && args.label.is_empty() && args.message.is_none() {
        complain(&format!("{}:{id} equals {shown}; nothing to push", store.name));
        return Ok(ExitCode::SUCCESS);
    }
    store.check_lock()?;
    let prompt = Prompt::in_dialect(store.config.dialect, &*text);
    let revision = Revision { labels: args.label.clone(), message: args.message.clone() };
    let version = block_on(async { Ok(store.save(id, &prompt, &revision).await?) })?;
    store.note(&path, id, version, version, &text)?;
    let named = version.map(|version| format!(", version {version}")).unwrap_or_default();
    complain(&format!("pushed {shown}: {}:{id}{named}", store.name));
    let before = newest.and_then(|newest| newest.version).unwrap_or_default();
    if let Some(version) = version.filter(|version| *version > before + 1) {
        complain(&format!(
            "note: another version was pushed at the same time: see version {}",
            version - 1
        ));
    }
    Ok(ExitCode::SUCCESS)
}

/// Why a store has changed since this prompt was pulled; `None` if it has not.
fn moved_on(newest: Option<&Stored>, known: Option<&Pulled>) -> Option<String> {
    match (newest, known) {
        (None, None) => None,
        (None, Some(_)) => Some("was deleted in the store since it was pulled".to_owned()),
        (Some(_), None) => Some("exists in the store, but was never pulled".to_owned()),
        (Some(newest), Some(known)) => match (newest.version, known.newest) {
            (Some(now), Some(then)) if now != then => Some(format!(
                "has version {now}, but version {then} was the newest when it was pulled"
            )),
            (Some(_), Some(_)) => None,
            _ => (hash(newest.prompt.content()) != known.hash)
                .then(|| "has changed since it was pulled".to_owned()),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_in_the_store_since_the_last_pull_are_detected() {
        let stored = |version, text: &str| Stored {
            prompt: Prompt::of(text),
            version,
            labels: Vec::new(),
            is_chat: false,
        };
        let pulled = |newest, text| Pulled::new("s", "a", Some(1), newest, text);
        for (newest, known, has_moved) in [
            (None, None, false),
            (None, Some(pulled(None, "x")), true),
            (Some(stored(None, "x")), None, true),
            (Some(stored(None, "x")), Some(pulled(None, "x")), false),
            (Some(stored(None, "y")), Some(pulled(None, "x")), true),
            (Some(stored(Some(3), "y")), Some(pulled(Some(3), "x")), false),
            (Some(stored(Some(4), "x")), Some(pulled(Some(3), "x")), true),
            // Deleting the newest version is also a change.
            (Some(stored(Some(2), "x")), Some(pulled(Some(3), "x")), true),
        ] {
            let why = moved_on(newest.as_ref(), known.as_ref());
            assert_eq!(why.is_some(), has_moved, "{newest:?} {known:?} {why:?}");
        }
    }
}
