//! What there is to be seen in the files of a workspace, for who asks once: each is read while the
//! walk goes on, and then for whatever may be asked of it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use promptls_hosts::may_access;

use super::is_code::{language_of, language_of_names};
use super::uses::{Use, Uses};
use crate::configs::Configs;
use crate::files::Files;
use crate::readers::reader_of_text;
use crate::sidecars::naming::sidecar_base;
use crate::walking::walk::by_bytes;
use crate::walking::walker::Listed;

/// A file of code or data, and what was seen there.
#[derive(Debug)]
pub struct Looked {
    /// The file.
    pub path: PathBuf,
    /// Whether it has prompts by itself; `None` where nobody can tell.
    pub holds_prompts: Option<bool>,
    /// Whether it says something of names.
    pub says: Says,
}

/// Whether a file says something of names.
#[derive(Debug)]
pub enum Says {
    /// Nothing for certain.
    Nothing,
    /// Whoever asks for names has to look into this text.
    Perhaps(Arc<str>),
    /// Whoever asks for names has to read it.
    Unread,
}

/// Longer data is read if it is asked for, in bytes: who asks about one prompt need not wait for all
/// that lies around it.
const MOST_OF_DATA: u64 = 1 << 20;

/// Texts are kept up to this many bytes in all, and else read again.
const KEPT: usize = 64 << 20;

/// What all hosts below a folder use of each other, and what was seen in all files of code and data
/// there, sorted [`by_bytes`]; but for those that git ignores.
///
/// Cost: a walk, and a search for a few words in each file; those that have them are read as hosts
/// are.
pub fn look_below(folder: &Path, files: &dyn Files, configs: &Configs) -> (Uses, Vec<Looked>) {
    let uses = Uses::none(folder);
    let found = Mutex::new((Vec::new(), BTreeMap::new()));
    let kept = AtomicUsize::new(0);
    files.walk_looking(folder, &|file| {
        if language_of_names(&file.path).is_none() {
            return;
        }
        let (mut looked, used) = look(file, &uses, files, configs);
        if let Says::Perhaps(text) = &looked.says
            && kept.fetch_add(text.len(), Ordering::Relaxed) > KEPT
        {
            looked.says = Says::Unread;
        }
        let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
        if !used.is_empty() {
            found.1.insert(looked.path.clone(), used);
        }
        found.0.push(looked);
    });
    let (mut looked, by_user) = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    looked.sort_unstable_by(|one, other| by_bytes(&one.path, &other.path));
    (uses.with(by_user, files, configs), looked)
}

/// Looks at a file, and at what it uses of others.
fn look(file: Listed, uses: &Uses, files: &dyn Files, configs: &Configs) -> (Looked, Vec<Use>) {
    let name = file.path.file_name().and_then(|name| name.to_str());
    if name.and_then(sidecar_base).is_some() {
        // It is no host, and there may be thousands.
        return (Looked { path: file.path, holds_prompts: None, says: Says::Unread }, Vec::new());
    }
    let in_code = language_of(&file.path);
    let most = if in_code.is_some() { u64::MAX } else { MOST_OF_DATA };
    let text = files.read_listed(&file, most);
    let path = file.path;
    let says = match (&text, language_of_names(&path)) {
        (Ok(text), Some(language)) if may_access(language, text) => Says::Perhaps(text.clone()),
        (Ok(_), _) => Says::Nothing,
        (Err(_), _) => Says::Unread,
    };
    let (holds_prompts, used) = match (text, in_code) {
        (Err(_), _) => (None, Vec::new()),
        (Ok(text), Some(language)) => uses.look(&path, language, &text, files, configs),
        (Ok(text), None) => {
            let config = configs.nearest(files, path.parent().unwrap_or(Path::new("/")));
            let reader = reader_of_text(&path, config.as_deref(), files, || Ok(text), None);
            // Which reader it is, is for who reads it.
            (reader.is_none().then_some(false), Vec::new())
        }
    };
    (Looked { path, holds_prompts, says }, used)
}
