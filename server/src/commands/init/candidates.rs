//! Text files in a folder that may be prompts, though neither a rule nor their names make them one.

use std::path::{Path, PathBuf};

use promptls_syntax::Dialect;
use promptls_workspace::{
    Configs, Disk, DiskOnce, LeftOut, LoadedText, Standing, Walking, has_text_ending, kind_of,
    loaded_texts, prompt_folder, standing, walker,
};

/// The largest file that is read, in bytes.
const LONGEST: u64 = 1 << 20;

/// A text file and its classification.
#[derive(Debug)]
pub struct Candidate {
    /// The path of the file.
    pub path: PathBuf,
    /// The classification of the file.
    pub standing: Standing,
    /// The dialect in its name.
    pub named: Option<Dialect>,
    /// The outermost folder above it whose name suggests prompts.
    pub prompt_folder: Option<PathBuf>,
}

/// The files found in a folder.
#[derive(Debug, Default)]
pub struct FolderCandidates {
    /// All files that may be prompts, sorted.
    pub candidates: Vec<Candidate>,
    /// All files that are already prompts, sorted.
    pub prompts: Vec<PathBuf>,
    /// What could not be read, human-readable.
    pub failures: Vec<String>,
}

/// Searches a folder as `check` does. Files below a different `promptls.toml` than that of the
/// folder are skipped.
pub fn find_candidates(folder: &Path, disk: &DiskOnce, configs: &Configs) -> FolderCandidates {
    let own = configs.nearest(disk, folder).map(|config| config.path.clone());
    let project = disk.project(configs);
    let mut found = FolderCandidates::default();
    let left_out = LeftOut::default();
    let mut walker = walker(folder, &Walking::default(), &left_out);
    let entries = walker.as_mut().map(|walker| walker.sort_by_file_path(Ord::cmp).build());
    for entry in entries.into_iter().flatten() {
        let path = match entry {
            Ok(entry) if entry.file_type().is_some_and(|kind| kind.is_file()) => entry.into_path(),
            Ok(_) => continue,
            Err(error) => {
                found.failures.push(error.to_string());
                continue;
            }
        };
        let config = configs.nearest(disk, path.parent().unwrap_or(folder));
        let kind = kind_of(&path, config.as_deref(), project);
        if kind.is_some() {
            found.prompts.push(path.clone());
        }
        let is_ours = config.as_ref().map(|config| &config.path) == own.as_ref();
        let has_rule = kind.is_some_and(|kind| kind.rule.is_some());
        let is_read = kind.is_some_and(|kind| kind.reader.is_some());
        if is_ours && !has_rule && !is_read && has_text_ending(&path) {
            let prompt_folder = prompt_folder(folder, &path);
            let named = kind.and_then(|kind| kind.dialect);
            let is_long = Disk.stamp(&path).is_ok_and(|stamp| stamp.len > LONGEST);
            // The dialect of a rule would override that of the name.
            let standing = match named.is_some() || is_long {
                true => Standing::Other,
                false => standing(&path, folder, project, config.as_deref()),
            };
            found.candidates.push(Candidate { path, standing, named, prompt_folder });
        }
    }
    found.failures.extend(left_out.reasons());
    for path in &found.prompts {
        for text in loaded_texts(project, path) {
            note_loaded(&mut found.candidates, path, &text);
        }
    }
    found
}

/// Marks the only file with a name that code loads as a prompt of the code's dialect.
fn note_loaded(candidates: &mut [Candidate], code: &Path, text: &LoadedText) {
    let has_name = |candidate: &&mut Candidate| candidate.path.ends_with(&text.written);
    let mut named = candidates.iter_mut().filter(has_name);
    let (Some(candidate), None) = (named.next(), named.next()) else { return };
    let Standing::Prompt(guess) = &mut candidate.standing else { return };
    let code = code.file_name().unwrap_or_default().to_string_lossy();
    guess.detection.dialect = text.dialect;
    guess.detection.fits = vec![text.dialect];
    guess.reasons = vec![format!("{code} passes it to an agent")];
    (guess.is_evident, guess.is_likely) = (true, true);
}
