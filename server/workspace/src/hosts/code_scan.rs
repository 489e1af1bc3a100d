//! The code and data files of a workspace, for a single run: each is read once, during the walk,
//! and all needed facts are extracted.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use promptls_hosts::may_access;

use super::is_code::{MOST_OF_DATA, language_of, language_of_names, names_class};
use super::program_facts::NoProgram;
use super::prompt_uses::{Look, Uses};
use super::tool_files::is_data_of_tool;
use crate::configs::Configs;
use crate::files::Files;
use crate::files::paths::folder_of;
use crate::readers::reader_of_text;
use crate::walking::walk::by_bytes;
use crate::walking::walker::WalkedFile;

/// A file of code or data, with the facts extracted from it.
#[derive(Debug)]
pub struct ScannedFile {
    /// The file.
    pub path: PathBuf,
    /// `true` if it has prompts by itself; `None` if this cannot be determined.
    pub holds_prompts: Option<bool>,
    /// The names in it.
    pub names: NameScan,
}

/// The state of knowledge about names in a file.
#[derive(Debug)]
pub enum NameScan {
    /// The file has no certain places of names.
    Nothing,
    /// This text must be searched for names.
    Perhaps(Arc<str>),
    /// The file must be read for names.
    Unread,
}

/// The maximum total size of cached texts, in bytes; other texts are read again.
const KEPT: usize = 64 << 20;

/// The uses between all hosts below a folder, and the facts of all code and data files there,
/// sorted [`by_bytes`]; files that git ignores are left out.
///
/// Cost: a walk, and a search for a few words in each file; files with such words are parsed as
/// hosts.
pub fn scan_below(folder: &Path, files: &dyn Files, configs: &Configs) -> (Uses, Vec<ScannedFile>) {
    let uses = Uses::none(folder);
    let found = Mutex::new((Vec::new(), BTreeMap::new()));
    let kept = AtomicUsize::new(0);
    files.visit(folder, None, &|file| {
        if language_of_names(&file.path).is_none() && !is_data_of_tool(&file.path) {
            return;
        }
        let (mut scanned, look) = scan(file, &uses, files, configs);
        if let NameScan::Perhaps(text) = &scanned.names
            && kept.fetch_add(text.len(), Ordering::Relaxed) > KEPT
        {
            scanned.names = NameScan::Unread;
        }
        let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
        if look.shows_any() {
            found.1.insert(scanned.path.clone(), look);
        }
        found.0.push(scanned);
    });
    let (mut scanned, looks) = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    scanned.sort_unstable_by(|one, other| by_bytes(&one.path, &other.path));
    (uses.with(looks, files, configs), scanned)
}

/// Extracts the facts of a file.
fn scan(
    file: WalkedFile,
    uses: &Uses,
    files: &dyn Files,
    configs: &Configs,
) -> (ScannedFile, Look) {
    let in_code = language_of(&file.path);
    let most = if in_code.is_some() { u64::MAX } else { MOST_OF_DATA };
    let text = files.read_listed(&file, most);
    let path = file.path;
    let names = match (&text, language_of_names(&path)) {
        (Ok(text), Some(language)) if may_access(language, text) => NameScan::Perhaps(text.clone()),
        (Ok(_), _) => NameScan::Nothing,
        (Err(_), _) => NameScan::Unread,
    };
    let look = match (text, in_code) {
        (Err(_), _) => Look::default(),
        (Ok(text), Some(language)) => uses.look(&path, language, &text, files, configs),
        (Ok(text), None) => {
            let config = configs.nearest(files, folder_of(&path));
            let names_class = names_class(&path, &text);
            let look = names_class.then(|| uses.look_at_data(&path, &text, files));
            let reader = reader_of_text(&path, config.as_deref(), &NoProgram, || Ok(text), None);
            // The reader is determined when the file is read.
            let holds_prompts = reader.is_none().then_some(false);
            Look { holds_prompts, ..look.unwrap_or_default() }
        }
    };
    (ScannedFile { path, holds_prompts: look.holds_prompts, names }, look)
}
