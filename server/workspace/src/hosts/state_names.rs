//! The names in the state of an application, and the places in its code that refer to them.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use dashmap::DashMap;
use memchr::memmem::Finder;
use promptls_analysis::SuppliedNames;
use promptls_hosts::{Access, AccessKind, Flow, flow, mention};

use super::agent_files::AgentFiles;
use super::is_code::language_of_names;
use super::own_output::is_own_output;
use crate::files::Files;
use crate::in_parallel::in_parallel;

/// The number of names that are searched for in all files before the words of all files are
/// collected: collecting takes several times as long as one search.
const SEARCHES: usize = 4;

/// The names in the code of an application.
#[derive(Debug, Default)]
pub struct AppNames {
    places: BTreeMap<String, Vec<NameOccurrence>>,
    /// The words that may be keys, once they are known.
    mentions: OnceLock<Mentions>,
    /// The files whose words are not collected yet.
    unread: Vec<PathBuf>,
    /// Results of searches for single names, while the words are not known.
    searched: DashMap<String, Arc<OnceLock<bool>>>,
    /// The results of [`AppNames::supplied`].
    supplied: DashMap<&'static [AccessKind], Arc<SuppliedNames>>,
    /// The agents of agents in configurations, by their paths.
    loops: AgentFiles,
    /// `true` if all of its code was read.
    pub is_whole: bool,
    /// `true` if it writes keys that are computed at run time.
    pub computes_keys: bool,
    /// `true` if it saves artifacts whose names are computed at run time.
    pub computes_artifacts: bool,
    /// The names of keys and maps in it that some file declares, unless they are computed.
    elsewhere: BTreeSet<String>,
}

/// Hashes of the words that may be keys, sorted.
#[derive(Debug, Default)]
struct Mentions {
    all: Vec<u64>,
    /// Those that several files have.
    repeated: Vec<u64>,
}

impl Mentions {
    /// Creates the words of all files; each file has a word once.
    fn new(mut all: Vec<u64>) -> Mentions {
        all.sort_unstable();
        let mut repeated: Vec<u64> =
            all.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect();
        repeated.dedup();
        all.dedup();
        Mentions { all, repeated }
    }
}

/// A place that refers to a name.
#[derive(Clone, Debug)]
pub struct NameOccurrence {
    /// The file that contains it.
    pub file: Arc<AppFile>,
    /// The access to the name.
    pub access: Access,
}

/// A file with such places.
#[derive(Debug)]
pub struct AppFile {
    /// Its path.
    pub path: PathBuf,
    /// Its text.
    pub text: Arc<str>,
}

impl AppNames {
    /// An empty set of names, of an application whose code was read so far.
    pub fn new() -> AppNames {
        AppNames { is_whole: true, ..AppNames::default() }
    }

    /// Adds the certain places of a file. `text` is set if there are any.
    pub fn add(&mut self, path: &Path, flow: &Flow, text: Option<&Arc<str>>) {
        self.computes_keys |= flow.computes_keys;
        self.computes_artifacts |= flow.computes_artifacts;
        self.is_whole &= !flow.is_unread;
        self.elsewhere.extend(flow.elsewhere.iter().cloned());
        if let Some(agents) = &flow.sub_agents {
            self.loops.add(path, agents);
        }
        let Some(text) = text else { return };
        let file = Arc::new(AppFile { path: path.to_owned(), text: text.clone() });
        for access in &flow.accesses {
            let place = NameOccurrence { file: file.clone(), access: access.clone() };
            self.places.entry(access.name.clone()).or_default().push(place);
        }
    }

    /// Decides whether the names of keys are known, once all files are added. `declared` returns the
    /// hashes of the names that files declare as keys, and is called only if they matter.
    pub fn settle(&mut self, declared: impl FnOnce(&BTreeSet<String>) -> HashSet<u64>) {
        if !self.computes_keys && !self.elsewhere.is_empty() {
            let declared = declared(&self.elsewhere);
            self.computes_keys =
                !self.elsewhere.iter().all(|name| declared.contains(&mention(name)));
        }
    }

    /// Sets the words that may be keys, once all are known.
    pub fn set_mentions(&mut self, mentions: Vec<u64>) {
        self.mentions = OnceLock::from(Mentions::new(mentions));
    }

    /// Sets the files in which words that may be keys are searched on request.
    pub fn look_later(&mut self, files: Vec<PathBuf>) {
        self.unread = files;
    }

    /// The configurations of agents that run only after that of a file in its loop.
    pub fn later_files(&self, path: &Path) -> BTreeSet<PathBuf> {
        self.loops.later(path)
    }

    /// The places that certainly refer to a name.
    pub fn places(&self, name: &str) -> &[NameOccurrence] {
        self.places.get(name).map_or(&[], Vec::as_slice)
    }

    /// The name at an offset of a file that certainly refers to it.
    ///
    /// Cost: all places.
    pub fn name_at(&self, path: &Path, offset: usize) -> Option<&str> {
        let is_here = |place: &NameOccurrence| {
            let range = &place.access.range;
            range.start <= offset && offset <= range.end && place.file.path == path
        };
        let mut names = self.places.iter();
        names.find_map(|(name, places)| places.iter().any(is_here).then_some(&**name))
    }

    /// All names that places of these kinds supply, each with the name of the first file that does.
    ///
    /// Cost: all places, once.
    pub fn supplied(&self, kinds: &'static [AccessKind]) -> Arc<SuppliedNames> {
        let supplies =
            |place: &&NameOccurrence| place.access.supplies && kinds.contains(&place.access.kind);
        let first = |(name, places): (&String, &Vec<NameOccurrence>)| {
            let place = places.iter().find(supplies)?;
            Some((name.clone(), file_name(&place.file.path)))
        };
        let all = || Arc::new(SuppliedNames::new(self.places.iter().filter_map(first).collect()));
        self.supplied.entry(kinds).or_insert_with(all).clone()
    }

    /// `true` if a name may be a key somewhere.
    ///
    /// Cost: for the first calls, a search of all files, unless all words are known; then, once,
    /// collecting the words of all files.
    pub fn mentions(&self, name: &str, files: &dyn Files) -> bool {
        let is_known = self.mentions.get().is_some() || self.searched.len() >= SEARCHES;
        if is_known && !self.searched.contains_key(name) {
            let all = self.mentions.get_or_init(|| self.read_mentions(files));
            return all.all.binary_search(&mention(name)).is_ok();
        }
        let known = self.searched.entry(name.to_owned()).or_default().clone();
        *known.get_or_init(|| self.search(name, None, files))
    }

    /// `true` if a name that a file mentions may be a key in another one.
    ///
    /// Cost: a search of all files, unless all words are known.
    pub fn mentions_besides(&self, name: &str, file: &Path, files: &dyn Files) -> bool {
        match self.mentions.get() {
            Some(known) => known.repeated.binary_search(&mention(name)).is_ok(),
            None => self.search(name, Some(file), files),
        }
    }

    /// Collects all words that may be keys.
    fn read_mentions(&self, files: &dyn Files) -> Mentions {
        let all = in_parallel(&self.unread, |path| {
            let (language, text) = (language_of_names(path)?, files.read(path).ok()?);
            if is_own_output(path, &text) {
                return None;
            }
            let flow = flow(language, &text);
            Some(flow.all_mentions().collect::<Vec<_>>())
        });
        Mentions::new(all.into_iter().flatten().flatten().collect())
    }

    /// `true` if a file, except for one, contains this name as a word. Nearly no file does.
    fn search(&self, name: &str, but: Option<&Path>, files: &dyn Files) -> bool {
        // The prefix may be a constant.
        let written = name.rsplit_once(':').map_or(name, |(_, name)| name);
        let name_finder = Finder::new(written);
        let is_found = AtomicBool::new(false);
        in_parallel(&self.unread, |path| {
            let Some(language) = language_of_names(path) else { return };
            if is_found.load(Ordering::Relaxed) || but == Some(path) {
                return;
            }
            let Ok(text) = files.read(path) else { return };
            if name_finder.find(text.as_bytes()).is_some()
                && !is_own_output(path, &text)
                && flow(language, &text).mentions(name)
            {
                is_found.store(true, Ordering::Relaxed);
            }
        });
        is_found.into_inner()
    }
}

/// The name of a file without its folder.
pub fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
