//! The names in the state of an application, and the places in its code that refer to them.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use aho_corasick::AhoCorasick;
use dashmap::DashMap;
use memchr::memmem::Finder;
use promptls_analysis::SuppliedNames;
use promptls_hosts::{
    Access, AccessKind, ConstantKey, Flow, JoinedKey, KeyConstant, Language, NamedAccess,
    declarations, flow, mention,
};

use super::agent_files::AgentFiles;
use super::crews::Crews;
use super::is_code::language_of_names;
use super::own_output::is_own_output;
use super::word_set::{WordSet, is_of_word};
use crate::files::Files;
use crate::in_parallel::in_parallel;
use crate::read_error::ReadError;

/// The number of names that are searched for in all files before the words of all files are
/// collected: collecting takes several times as long as one search.
const SEARCHES: usize = 4;

/// The number of files with prompts from which so many names are expected that no name is searched
/// for alone.
const MANY_HOSTS: usize = 32;

/// The names in the code of an application.
#[derive(Debug, Default)]
pub struct AppNames {
    places: BTreeMap<String, Vec<NameOccurrence>>,
    /// The words that may be keys, once they are known.
    mentions: OnceLock<Mentions>,
    /// All files of the application.
    files: Vec<PathBuf>,
    /// The files whose words are not collected yet.
    unread: Vec<PathBuf>,
    /// Those of them that may hold prompts.
    hosts: Vec<PathBuf>,
    /// The words of files with names in braces, once they are known.
    likely: OnceLock<Likely>,
    /// Results of searches for single names, while the words are not known.
    searched: DashMap<String, Arc<OnceLock<bool>>>,
    /// The results of [`AppNames::supplied`], by kinds.
    supplied: DashMap<&'static [AccessKind], Arc<SuppliedNames>>,
    /// The agents of agents in configurations, by their paths.
    loops: AgentFiles,
    /// The crews that configurations of tasks refer to.
    pub crews: Crews,
    /// `true` if it writes keys that are computed at run time, or that are in code that cannot be
    /// read.
    pub computes_keys: bool,
    /// The same for artifacts that it saves.
    pub computes_artifacts: bool,
    /// The names of keys and maps in it that some file declares, unless they are computed.
    elsewhere: BTreeSet<String>,
    /// The places that refer to keys by the names of constants.
    named: Vec<NamedAccess>,
    /// The keys with parts in other files, each with its file.
    joined: Vec<(PathBuf, JoinedKey)>,
    /// The keys that are joined from known parts: the files and offsets of their expressions.
    known_joined: BTreeMap<String, Vec<(PathBuf, usize)>>,
}

/// The key of a constant, and the places where it is a literal, or joined from parts.
#[derive(Debug, Default)]
struct DeclaredKey {
    text: String,
    places: Vec<(Arc<AppFile>, Range<usize>)>,
    joined: Vec<(PathBuf, usize)>,
}

/// The maximum number of declarations of a constant: a name with more is that of many constants.
const MAX_DECLARATIONS: usize = 16;

/// What the files of an application declare for other files.
#[derive(Debug, Default)]
pub struct Declarations {
    /// Hashes of the names of keys and of maps with known keys.
    pub names: HashSet<u64>,
    /// The constants that places name, each with its file.
    pub constants: Vec<(Arc<AppFile>, KeyConstant)>,
}

/// The names in braces in files that may hold prompts, and the words that may be keys of all files
/// with one of them.
#[derive(Debug)]
struct Likely {
    names: BTreeSet<String>,
    mentions: Mentions,
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

    /// `true` if a file has a word.
    fn has(&self, name: &str) -> bool {
        self.all.binary_search(&mention(name)).is_ok()
    }
}

/// A place that refers to a name.
#[derive(Clone, Debug)]
pub struct NameOccurrence {
    /// The file that contains it.
    pub file: Arc<AppFile>,
    /// The access to the name.
    pub access: Access,
    /// The hash of the constant by which other places refer to it, if they do.
    pub constant: Option<u64>,
}

/// A file with such places.
#[derive(Debug)]
pub struct AppFile {
    /// The absolute path of the file.
    pub path: PathBuf,
    /// The text that the places refer to.
    pub text: Arc<str>,
}

impl AppNames {
    /// Adds the certain places of a file. `text` is set if there are any.
    pub fn add(&mut self, path: &Path, flow: &Flow, text: Option<&Arc<str>>) {
        self.computes_keys |= flow.computes_keys;
        self.computes_artifacts |= flow.computes_artifacts;
        self.elsewhere.extend(flow.elsewhere.iter().cloned());
        self.named.extend(flow.named.iter().cloned());
        for key in &flow.joined {
            self.add_joined(path, key, |_| None);
        }
        if let Some(agents) = &flow.sub_agents {
            self.loops.add(path, agents);
        }
        let Some(text) = text else { return };
        let file = Arc::new(AppFile { path: path.to_owned(), text: text.clone() });
        self.crews.add(&file, &flow.crews);
        for access in &flow.accesses {
            let place =
                NameOccurrence { file: file.clone(), access: access.clone(), constant: None };
            self.places.entry(access.name.clone()).or_default().push(place);
        }
    }

    /// Decides whether the names of keys are known, once all files are added. `declared` returns
    /// what files declare, and is called only if it matters.
    pub fn settle(&mut self, declared: impl FnOnce(&mut AppNames) -> Declarations) {
        let is_open = !self.computes_keys && !self.elsewhere.is_empty();
        if !is_open && self.named.is_empty() && self.joined.is_empty() {
            return;
        }
        let Declarations { names, constants } = declared(self);
        if is_open {
            self.computes_keys = !self.elsewhere.iter().all(|name| names.contains(&mention(name)));
        }
        let declared = declared_keys(constants);
        self.add_named(&declared);
        for (path, key) in std::mem::take(&mut self.joined) {
            self.add_joined(&path, &key, |name| Some(&*declared.get(&name)?.text));
        }
        // Some part is declared nowhere.
        self.computes_keys |= !self.joined.is_empty();
    }

    /// The hashes of the names of constants that places refer to.
    pub fn named(&self) -> HashSet<u64> {
        let in_joined = self.joined.iter().flat_map(|(_, key)| key.constants());
        let named = self.named.iter().map(|access| access.name);
        named.chain(in_joined.map(|(name, _)| name)).collect()
    }

    /// Adds a key that is joined from parts, once all of these are known.
    fn add_joined<'v>(
        &mut self,
        path: &Path,
        key: &JoinedKey,
        value: impl Fn(u64) -> Option<&'v str>,
    ) {
        match key.text(value) {
            Some(name) => {
                self.known_joined.entry(name).or_default().push((path.to_owned(), key.start));
            }
            None => self.joined.push((path.to_owned(), key.clone())),
        }
    }

    /// Adds the places that name constants, where these have their keys.
    fn add_named(&mut self, declared: &HashMap<u64, DeclaredKey>) {
        for NamedAccess { name: constant, kind, supplies, value, .. } in
            std::mem::take(&mut self.named)
        {
            let Some(DeclaredKey { text, places, joined }) = declared.get(&constant) else {
                continue;
            };
            let name = Flow::name_of(kind, text);
            if supplies && !joined.is_empty() {
                self.known_joined.entry(name.clone()).or_default().extend_from_slice(joined);
            }
            for (file, range) in places {
                let places = self.places.entry(name.clone()).or_default();
                let known = places
                    .iter_mut()
                    .find(|place| place.access.range == *range && place.file.path == file.path);
                let (name, range, value) = (name.clone(), range.clone(), value.clone());
                let access = Access { name, range, kind, supplies, value };
                let place = NameOccurrence { file: file.clone(), access, constant: Some(constant) };
                match known {
                    // Supplying a value takes precedence over reading it.
                    Some(known) if supplies && !known.access.supplies => *known = place,
                    Some(known) => known.constant = place.constant,
                    None => places.push(place),
                }
            }
        }
    }

    /// The same in the files of [`AppNames::look_later`]: one search of all files for all names. If
    /// there are many prompts, their names are searched for at the same time.
    pub fn settle_by_search(&mut self, files: &dyn Files) {
        self.settle(|names| {
            let in_joined = names.joined.iter().flat_map(|(_, key)| key.constants());
            let named = names.named.iter().map(|access| &*access.word);
            let words = named.chain(in_joined.map(|(_, word)| word));
            // Too many names for a searcher may be in any file.
            let sought =
                AhoCorasick::new(names.elsewhere.iter().map(String::as_str).chain(words)).ok();
            let named = names.named();
            let declared = |language, path: &Path, text: &str| {
                let may_have_one = sought.as_ref().is_none_or(|sought| sought.is_match(text));
                may_have_one.then(|| {
                    let (names, constants) = declarations(language, text);
                    let mut constants = constants.into_vec();
                    constants.retain(|constant| named.contains(&constant.name));
                    let file = || AppFile { path: path.to_owned(), text: text.into() };
                    let file = (!constants.is_empty()).then(|| Arc::new(file()));
                    (names, file, constants)
                })
            };
            let found = if names.hosts.len() < MANY_HOSTS {
                names.in_all(files, declared)
            } else {
                let (likely, declared) = names.read_likely_and(files, declared);
                names.likely = OnceLock::from(likely);
                declared
            };
            let mut declared = Declarations::default();
            for (names, file, constants) in found.into_iter().flatten() {
                declared.names.extend(names);
                let file = file.into_iter().flat_map(std::iter::repeat);
                declared.constants.extend(file.zip(constants));
            }
            declared
        });
    }

    /// Sets the words that may be keys, once all are known.
    pub fn set_mentions(&mut self, mentions: Vec<u64>) {
        self.mentions = OnceLock::from(Mentions::new(mentions));
    }

    /// Sets the files in which words that may be keys are searched on request, and those of them
    /// that may hold prompts.
    pub fn look_later(&mut self, files: Vec<PathBuf>, hosts: Vec<PathBuf>) {
        (self.unread, self.hosts) = (files, hosts);
    }

    /// Sets the files of the application.
    pub fn set_files(&mut self, files: Vec<PathBuf>) {
        self.files = files;
    }

    /// `true` if a file has a name in braces, so that a prompt may read it.
    ///
    /// Cost: a search of all files.
    pub fn has_in_braces(&self, name: &str, files: &dyn Files) -> bool {
        let name_finder = Finder::new(name);
        let is_found = AtomicBool::new(false);
        in_parallel(&self.files, |path| {
            if is_found.load(Ordering::Relaxed) {
                return;
            }
            // A file that cannot be read may have the name.
            let has_it = match text_with_names(path, files) {
                Ok(Some(text)) => {
                    name_finder.find(text.as_bytes()).is_some()
                        && names_in_braces(&text).any(|it| it == name)
                }
                Ok(None) => false,
                Err(_) => true,
            };
            is_found.fetch_or(has_it, Ordering::Relaxed);
        });
        is_found.into_inner()
    }

    /// The configurations of agents that run only after that of a file in its loop.
    pub fn later_files(&self, path: &Path) -> BTreeSet<PathBuf> {
        self.loops.later(path)
    }

    /// The places that certainly refer to a name.
    pub fn places(&self, name: &str) -> &[NameOccurrence] {
        self.places.get(name).map_or(&[], Vec::as_slice)
    }

    /// The files and offsets of the expressions that join a name from parts.
    pub fn joined(&self, name: &str) -> &[(PathBuf, usize)] {
        self.known_joined.get(name).map_or(&[], Vec::as_slice)
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
        let all = || {
            let mut all: BTreeMap<String, String> = self.places.iter().filter_map(first).collect();
            if kinds.contains(&AccessKind::State) {
                for (name, places) in &self.known_joined {
                    let file = places.first().map(|(path, _)| file_name(path));
                    all.entry(name.clone()).or_insert_with(|| file.unwrap_or_default());
                }
            }
            Arc::new(SuppliedNames::new(all))
        };
        self.supplied.entry(kinds).or_insert_with(all).clone()
    }

    /// `true` if a name may be a key somewhere.
    ///
    /// Cost: for the first calls, a search of all files, unless all words are known; then, once, one
    /// search for the names of all prompts in code, and reading the files that have one; for many
    /// names of other prompts, once, collecting the words of all files.
    pub fn mentions(&self, name: &str, files: &dyn Files) -> bool {
        if self.known_joined.contains_key(name) {
            return true;
        }
        if let Some(known) = self.mentions.get() {
            return known.has(name);
        }
        let are_many = self.searched.len() >= SEARCHES || self.hosts.len() >= MANY_HOSTS;
        if are_many && !self.searched.contains_key(name) {
            let likely = self.likely.get_or_init(|| self.read_likely_and(files, |_, _, _| ()).0);
            if likely.names.contains(own_name(name)) {
                return likely.mentions.has(name);
            }
            if self.searched.len() >= 2 * SEARCHES {
                return self.mentions.get_or_init(|| self.read_mentions(files)).has(name);
            }
        }
        let known = self.searched.entry(name.to_owned()).or_default().clone();
        *known.get_or_init(|| self.search(name, None, files))
    }

    /// `true` if a name that a file mentions may be a key in another one.
    ///
    /// Cost: a search of all files, unless all words are known.
    pub fn mentions_besides(&self, name: &str, file: &Path, files: &dyn Files) -> bool {
        if self.known_joined.contains_key(name) {
            return true;
        }
        match self.mentions.get() {
            Some(known) => known.repeated.binary_search(&mention(name)).is_ok(),
            None => self.search(name, Some(file), files),
        }
    }

    /// Collects the names in braces of files that may hold prompts, and the words that may be keys
    /// of all files with one of these names; and the results of `other` for all files.
    fn read_likely_and<T: Send>(
        &self,
        files: &dyn Files,
        other: impl Fn(Language, &Path, &str) -> T + Sync,
    ) -> (Likely, Vec<T>) {
        let in_braces = in_parallel(&self.hosts, |path| {
            let text = text_with_names(path, files).ok().flatten();
            text.map(|text| names_in_braces(&text).map(str::to_owned).collect::<Vec<_>>())
        });
        let mut names: BTreeSet<String> = in_braces.into_iter().flatten().flatten().collect();
        // Of these, no words are needed.
        names.retain(|name| !self.places(name).iter().any(|place| place.access.supplies));
        let words = WordSet::new(names.iter().map(String::as_str));
        let (all, others): (Vec<_>, Vec<T>) = self
            .in_all(files, |language, path, text| {
                let mentions = words.is_in(text).then(|| mentions(language, path, text)).flatten();
                (mentions, other(language, path, text))
            })
            .into_iter()
            .unzip();
        let mentions = Mentions::new(all.into_iter().flatten().flatten().collect());
        (Likely { names, mentions }, others)
    }

    /// Collects all words that may be keys.
    fn read_mentions(&self, files: &dyn Files) -> Mentions {
        let all = self.in_all(files, mentions);
        Mentions::new(all.into_iter().flatten().flatten().collect())
    }

    /// The results for the files to search that can be read.
    fn in_all<T: Send>(
        &self,
        files: &dyn Files,
        result: impl Fn(Language, &Path, &str) -> T + Sync,
    ) -> Vec<T> {
        let all = in_parallel(&self.unread, |path| {
            let (language, text) = (language_of_names(path)?, text_with_names(path, files).ok()??);
            Some(result(language, path, &text))
        });
        all.into_iter().flatten().collect()
    }

    /// `true` if a file, except for one, contains this name as a word. Nearly no file does.
    fn search(&self, name: &str, but: Option<&Path>, files: &dyn Files) -> bool {
        let name_finder = Finder::new(own_name(name));
        let is_found = AtomicBool::new(false);
        in_parallel(&self.unread, |path| {
            let Some(language) = language_of_names(path) else { return };
            if is_found.load(Ordering::Relaxed) || but == Some(path) {
                return;
            }
            let Ok(Some(text)) = text_with_names(path, files) else { return };
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

/// The keys of constants, by names. A name whose declarations have different keys, or another value,
/// is unknown.
fn declared_keys(constants: Vec<(Arc<AppFile>, KeyConstant)>) -> HashMap<u64, DeclaredKey> {
    let mut by_name: HashMap<u64, Option<DeclaredKey>> = HashMap::new();
    for (file, KeyConstant { name, key }) in constants {
        let (text, place) = match key {
            Some(ConstantKey::Literal(range)) => (file.text[range.clone()].to_owned(), Ok(range)),
            Some(ConstantKey::Joined(text, start)) => (text.into(), Err(start)),
            None => {
                by_name.insert(name, None);
                continue;
            }
        };
        let known = by_name
            .entry(name)
            .or_insert_with(|| Some(DeclaredKey { text: text.clone(), ..DeclaredKey::default() }));
        match known {
            Some(known)
                if known.text == text
                    && known.places.len() + known.joined.len() < MAX_DECLARATIONS =>
            {
                match place {
                    Ok(range) => known.places.push((file, range)),
                    Err(start) => known.joined.push((file.path.clone(), start)),
                }
            }
            _ => *known = None,
        }
    }
    by_name.into_iter().filter_map(|(name, key)| Some((name, key?))).collect()
}

/// The text of a file in which names are searched; `None` if it can have none: nothing is at its
/// path, or only a pipe or a socket.
pub fn text_with_names(path: &Path, files: &dyn Files) -> Result<Option<Arc<str>>, ReadError> {
    with_names(files.read(path))
}

/// The same for a file that was read. Nearly all keys are ASCII, so they are readable in a text of
/// another encoding.
pub fn with_names(text: Result<Arc<str>, ReadError>) -> Result<Option<Arc<str>>, ReadError> {
    match text {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.is_missing() || error.is_no_file() => Ok(None),
        Err(error) => error.readable().cloned().map(Some).ok_or(error),
    }
}

/// The words of a file that may be keys; `None` for output of this program.
fn mentions(language: Language, path: &Path, text: &str) -> Option<Vec<u64>> {
    (!is_own_output(path, text)).then(|| flow(language, text).all_mentions().collect())
}

/// A name without its prefix, which may be a constant.
fn own_name(name: &str) -> &str {
    name.rsplit_once(':').map_or(name, |(_, name)| name)
}

/// The words directly in braces, without the prefix: all names that prompts in a text may read, and
/// others.
fn names_in_braces(text: &str) -> impl Iterator<Item = &str> {
    memchr::memchr_iter(b'{', text.as_bytes()).filter_map(|at| {
        let inside = text[at + 1..].trim_start_matches(['{', ' ']);
        let is_name = |character: char| is_of_word(character) || character == ':';
        let end = inside.find(|character| !is_name(character)).unwrap_or(inside.len());
        Some(own_name(&inside[..end])).filter(|name| !name.is_empty())
    })
}

/// The name of a file without its folder.
pub fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
