//! Answers questions about the files around prompts: configs, locks, sidecars and manifests.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use promptls_analysis::position::line_breaks;
use promptls_resolver::{EngineRef, FileId, Problem};
use promptls_syntax::Dialect;
use promptls_workspace::{
    Config, Files, Lock, NameObstacle, ProgramFacts, ProjectEngine, Pulled, ReadError, Siblings,
    StoreConfig, UsedIgnores, folder_of, is_shared_below, is_sidecar, moved_sidecars, orphan,
    project_engines,
};
use ropey::Rope;

use super::Documents;
use crate::convert;
use crate::errors::{Error, changed_meanwhile};
use crate::session::overlay::Wait;
use crate::session::prompt_snapshot::PromptSnapshot;

/// The problems of a config.
pub struct ConfigProblems {
    /// The text of the config; empty if it cannot be read.
    pub text: Rope,
    pub problems: Vec<Problem>,
    /// An editor can open the config: it is a regular file, or open already.
    pub opens: bool,
}

/// The files around prompts, as the editor shows them.
#[derive(Clone, Copy)]
pub struct ProjectFiles<'d> {
    documents: &'d Documents,
}

impl Documents {
    /// Reads configs, locks and other files around prompts.
    pub fn project(&self) -> ProjectFiles<'_> {
        ProjectFiles { documents: self }
    }
}

impl ProjectFiles<'_> {
    /// The text of any file as the editor shows it. Call it on a worker, because the file may be
    /// large.
    pub fn text(&self, path: &Path) -> Result<Rope, ReadError> {
        let files = self.documents.overlay_with(Wait::ForLarge);
        match files.open_text(path) {
            Some(text) => Ok(text),
            None => files.as_files().read(path).map(|text| Rope::from_str(&text)),
        }
    }

    /// Returns whether the text of a file is still `text`; `None` stands for a missing file. A file
    /// that has become large since counts as changed.
    pub fn still_has(&self, path: &Path, text: Option<&Rope>) -> bool {
        let files = self.documents.overlay();
        match files.open_text(path) {
            Some(now) => text == Some(&now),
            None => match (files.as_files().read(path), text) {
                (Ok(now), Some(text)) => *text == *now,
                (now, text) => now.is_err() && text.is_none(),
            },
        }
    }

    /// Fails if a file of a prompt is not open and has changed on disk: an edit would be computed for
    /// an obsolete text.
    pub fn check_on_disk(&self, prompt: &PromptSnapshot, file: FileId) -> Result<(), Error> {
        let (text, uri) = prompt.place(file).ok_or_else(changed_meanwhile)?;
        if self.documents.version(&uri).is_some() {
            return Ok(());
        }
        match self.still_has(&convert::path(&uri), Some(text)) {
            true => Ok(()),
            false => Err(changed_meanwhile()),
        }
    }

    /// Returns whether a file of the surrounding program is unchanged since it was read.
    pub fn is_as_read(&self, prompt: &PromptSnapshot, file: FileId) -> bool {
        let file = prompt.file().path_of(file).zip(prompt.place(file));
        file.is_some_and(|(path, (text, _))| {
            self.documents
                .overlay_with(Wait::ForLarge)
                .as_files()
                .read(path)
                .is_ok_and(|now| *text == *now)
        })
    }

    /// The text of a config and the parsed config; `None` if it cannot be read at once.
    pub fn config(&self, path: &Path) -> Option<(Rope, Config)> {
        let (text, config) = self.documents.configs.parse(&self.documents.overlay(), path).ok()?;
        Some((Rope::from_str(&text), config))
    }

    /// The problems of a config; `None` if it is missing.
    pub fn config_problems(&self, path: &Path) -> Option<ConfigProblems> {
        let (text, problems, opens) =
            match self.documents.configs.parse(&self.documents.overlay(), path) {
                Ok((text, config)) => (Rope::from_str(&text), config.problems, true),
                Err(error) if error.is_missing() => return None,
                Err(error) => {
                    let opens = !error.is_no_file();
                    (Rope::new(), Config::unread(path, &error).problems, opens)
                }
            };
        Some(ConfigProblems { text, problems, opens })
    }

    /// The effective config of a file.
    pub fn config_of(&self, path: &Path) -> Option<Arc<Config>> {
        self.documents.configs.nearest(&self.documents.overlay(), folder_of(path))
    }

    /// Returns whether a link in the path of a file leads out of its project. The file need not
    /// exist.
    pub fn leads_out(&self, path: &Path) -> bool {
        let (files, reach) = (self.documents.overlay(), self.documents.configs.reach());
        let there = path.ancestors().find(|path| files.is_there(path)).unwrap_or(path);
        let folder = if there == path { path.parent().unwrap_or(path) } else { there };
        let root = reach.root(&files, folder);
        reach.check(&files, &root.0, there).is_err()
    }

    /// The engine in the editor's settings, for prompts whose rule names none.
    pub fn usual_engine(&self) -> Option<EngineRef> {
        self.documents.configs.usual_engine()
    }

    /// The engines that the surrounding project uses.
    ///
    /// Cost: see [`project_engines`].
    pub fn project_engines(&self, path: &Path) -> Vec<ProjectEngine> {
        let (folder, reach) = (folder_of(path), self.documents.configs.reach());
        // Lock files are long, and this is not called at each keystroke.
        let files = self.documents.overlay_with(Wait::ForLarge);
        let root = reach.root(&files, folder);
        project_engines(&files, reach, folder, &root.0)
    }

    /// The dialects of the engines that the surrounding project uses, without duplicates. They are
    /// cached until files of the project change.
    pub fn dialects(&self, path: &Path) -> Vec<Dialect> {
        let files = self.documents.overlay_with(Wait::ForLarge);
        let found = self.documents.configs.project_engines(&files, path);
        let mut dialects: Vec<Dialect> = Vec::new();
        for dialect in found.iter().map(|found| found.engine.dialect()) {
            if !dialects.contains(&dialect) {
                dialects.push(dialect);
            }
        }
        dialects
    }

    /// The sidecars to move with a prompt, from and to; see [`moved_sidecars`].
    pub fn moved_sidecars(&self, old: &Path, new: &Path) -> Vec<(PathBuf, PathBuf)> {
        let files = self.documents.overlay_with(Wait::ForLarge);
        moved_sidecars(old, new, self.documents.project_with(&files))
    }

    /// The problem of a sidecar whose prompt is missing; see [`orphan`].
    pub fn orphan(&self, path: &Path) -> Option<Problem> {
        let files = self.documents.overlay_with(Wait::ForLarge);
        let configs = &self.documents.configs;
        let is_shared = || is_shared_below(path, &files, configs);
        let siblings = Siblings::of(path, &files);
        orphan(path, &siblings, &files, configs, is_shared, &mut UsedIgnores::default())
    }

    /// The store entry that a prompt was pulled from; `None` if it was not.
    ///
    /// Cost: reading the locks of the stores that apply to it.
    pub fn pulled(&self, prompt: &PromptSnapshot) -> Option<Pulled> {
        let config = prompt.config().filter(|config| !config.stores.is_empty())?;
        // A store contains single prompts, not files with several. In an untrusted workspace, no
        // store is accessed.
        if prompt.name().is_some() || self.documents.configs.reach().is_untrusted() {
            return None;
        }
        let files = self.documents.files();
        let homes: BTreeSet<&Path> = config.stores.values().map(StoreConfig::home).collect();
        // Problems of a lock are reported by commands that write it.
        let locks =
            homes.into_iter().filter_map(|it| Lock::read(&files, &self.documents.configs, it).ok());
        let mut pulled = locks.filter_map(|lock| lock.of_file(prompt.path(), config).cloned());
        pulled.next()
    }

    /// The number of places in the surrounding application that refer to a name.
    pub fn places_in_app(&self, prompt: &PromptSnapshot, name: &str) -> usize {
        self.documents.code.names(prompt.path()).map_or(0, |app| app.places(name).len())
    }

    /// A place in the surrounding application that prevents renaming a state key: the file name and
    /// line, for the user, and whether the key is joined from parts there.
    ///
    /// Inputs and variables files are left out: those of prompts that read the name are renamed
    /// with them, and the others mean something else.
    pub fn in_the_way(&self, prompt: &PromptSnapshot, name: &str) -> Option<(String, bool)> {
        let files = self.documents.overlay_with(Wait::ForLarge);
        // Code has the name of an artifact without the prefix.
        let of_file = prompt.snapshot().dialect().spec().file_prefix;
        let name = of_file.and_then(|prefix| name.strip_prefix(prefix)).unwrap_or(name);
        let mut found = self.documents.code.obstacles(prompt.path(), name, &files)?.into_iter();
        let configs = &self.documents.configs;
        let NameObstacle { path, text, at, is_joined } =
            found.find(|it| !is_sidecar(&it.path, &files, configs))?;
        let line = line_breaks(&text[..at]) + 1;
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        Some((format!("{file}, line {line}"), is_joined))
    }
}
