//! Prompts of code that another file uses: a constant of `prompts.py` that `agent.py` passes to a
//! framework is a prompt of `prompts.py`, although `prompts.py` does not show this.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use promptls_hosts::{
    Demand, Elsewhere, Finds, Imported, Inclusion, Language, OtherFile, Supply, TextDemand,
    find_all_in_data, find_in_text,
};

use super::is_code::{
    MOST_OF_DATA, host_language, is_code, is_data, language_of, may_be_read_by_code,
    may_use_others, names_class,
};
use super::manifests::Manifests;
use super::modules::{ModuleSearch, Packages, is_of_folder};
use super::package_uses::PackageUses;
use super::prompt_cache::has_prompts;
use super::rule_strings::Strings;
use super::sought_names::{NameSearch, SoughtNames};
use super::text_files::{is_absent, text_file};
use super::workspace_folder::is_manifest;
use crate::configs::Configs;
use crate::files::Files;
use crate::files::paths::{at_or_below, folder_of};

/// The maximum length of a chain of re-exports and of requests about classes with their responses:
/// modules may import each other in a cycle.
const MAX_ROUNDS: usize = 8;

/// A use, with the host that it refers to.
pub type Use = (PathBuf, Demand);

/// The uses between the hosts below a folder.
#[derive(Debug, Default)]
pub struct Uses {
    folder: PathBuf,
    /// The uses of each host, each with the used host.
    by_user: BTreeMap<PathBuf, Arc<[Use]>>,
    /// The uses of each used host; derived from `by_user`, and never empty.
    by_host: BTreeMap<PathBuf, Arc<[Demand]>>,
    /// The requests to each host, each with the host that it is from; derived from `by_user`, and
    /// never empty.
    requests: BTreeMap<PathBuf, Vec<Use>>,
    /// The imports of each host.
    imports: BTreeMap<PathBuf, Vec<Imported>>,
    /// The packages that follow from these, once requested.
    package_uses: OnceLock<PackageUses>,
    sought: SoughtNames,
    packages: Packages,
}

/// What a first look at a code file shows.
#[derive(Debug, Default)]
pub struct Look {
    /// `true` if it has prompts by itself; `None` if this cannot be determined.
    pub holds_prompts: Option<bool>,
    /// Its uses of other files; `None` while it ends within a string, so that they cannot be
    /// determined.
    pub used: Option<Vec<Use>>,
    /// The names of its functions and templates by which other files may use these.
    pub sought: Vec<Demand>,
    /// The names that it imports.
    pub imports: Vec<Imported>,
}

impl Look {
    /// `true` if the file uses other files, or may be used by them.
    pub fn shows_any(&self) -> bool {
        self.used.as_ref().is_some_and(|used| !used.is_empty())
            || !self.sought.is_empty()
            || !self.imports.is_empty()
    }
}

impl Uses {
    /// Starts without any uses of the hosts below a folder.
    pub fn none(folder: &Path) -> Uses {
        Uses { folder: folder.to_owned(), ..Uses::default() }
    }

    /// The uses between all hosts below a folder, except those that git ignores.
    ///
    /// Cost: a walk, and a search for a few words in each code file; files with such words are
    /// parsed as hosts.
    pub fn below(folder: &Path, files: &dyn Files, configs: &Configs) -> Uses {
        let uses = Uses::none(folder);
        let looks = Mutex::new(BTreeMap::new());
        files.visit(folder, None, &|file| {
            if !may_use_others(&file.path) {
                return;
            }
            let most = if is_code(&file.path) { u64::MAX } else { MOST_OF_DATA };
            let Ok(text) = files.read_listed(&file, most) else { return };
            let look = match language_of(&file.path) {
                Some(language) => uses.look(&file.path, language, &text, files, configs),
                None if names_class(&file.path, &text) => {
                    uses.look_at_data(&file.path, &text, files)
                }
                None => return,
            };
            if look.shows_any() {
                let mut looks = looks.lock().unwrap_or_else(PoisonError::into_inner);
                looks.insert(file.path, look);
            }
        });
        let looks = looks.into_inner().unwrap_or_else(PoisonError::into_inner);
        uses.with(looks, files, configs)
    }

    /// The same, given a look at each host.
    ///
    /// Cost: if hosts have functions that pass parameters to frameworks, or templates, another walk,
    /// and a search for their names in each code file.
    pub fn with(
        mut self,
        looks: BTreeMap<PathBuf, Look>,
        files: &dyn Files,
        configs: &Configs,
    ) -> Uses {
        let meant = looks.into_iter().flat_map(|(path, look)| self.take(&path, look)).collect();
        self.hand_on(meant, files, configs);
        self
    }

    /// What a code file shows, given what others state about it.
    pub fn look(
        &self,
        path: &Path,
        language: Language,
        text: &str,
        files: &dyn Files,
        configs: &Configs,
    ) -> Look {
        let mut demands = self.of(path);
        let sought = self.sought.in_text(text);
        if !sought.is_empty() {
            demands = demands.iter().cloned().chain(sought).collect();
        }
        let Some(strings) = promising(path, text, &demands, files, configs) else {
            return Look { holds_prompts: Some(false), used: Some(Vec::new()), ..Look::default() };
        };
        let mut finds = strings.find(language, text);
        let holds_prompts =
            if strings.may_be_in(language, text) { has_prompts(&finds) } else { Some(false) };
        let sought = std::mem::take(&mut finds.sought);
        let imports = std::mem::take(&mut finds.imports);
        let mut used = self.resolved(path, language, finds, files);
        used.iter_mut().for_each(|used| note_filled(path, &demands, used));
        Look { holds_prompts, used, sought, imports }
    }

    /// What a file of data or text shows, given what others state about it.
    pub fn look_at_data(&self, path: &Path, text: &str, files: &dyn Files) -> Look {
        let demands = self.of(path);
        let (language, finds) = match host_language(path) {
            Some(language) => (language, find_all_in_data(language, text, None, &[], &demands)),
            None => (Language::Text, find_in_text(text, &demands)),
        };
        Look { used: self.resolved(path, language, finds, files), ..Look::default() }
    }

    /// The imports of each host.
    pub fn imports(&self) -> &BTreeMap<PathBuf, Vec<Imported>> {
        &self.imports
    }

    /// The file of an imported module; `None` if it is not in the workspace.
    ///
    /// Cost: that of [`ModuleSearch::hosts_of`].
    pub fn imported(
        &self,
        language: Language,
        Imported { module, name }: &Imported,
        host: &Path,
        files: &dyn Files,
    ) -> Option<PathBuf> {
        let search = ModuleSearch { root: &self.folder, files, packages: &self.packages };
        let find = |module: &str| search.hosts_of(language, module, name, host).into_iter().next();
        // The name may be a module of a package.
        find(module).or_else(|| find(&format!("{module}.{name}")))
    }

    /// The folders of the applications that run in a program with one in this folder; see
    /// [`PackageUses::together`].
    ///
    /// Cost: that of [`PackageUses::of`], once until an import or a manifest changes.
    pub fn running_with(
        &self,
        app: &Path,
        manifests: &Manifests,
        files: &dyn Files,
    ) -> BTreeSet<PathBuf> {
        let packages = self.package_uses.get_or_init(|| PackageUses::of(self, manifests, files));
        packages.together(app, &self.folder)
    }

    /// The topmost folder of all hosts.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The files that use others, with these uses.
    pub fn users(&self) -> &BTreeMap<PathBuf, Arc<[Use]>> {
        &self.by_user
    }

    /// The uses of others by a file.
    pub fn used_by(&self, user: &Path) -> Arc<[Use]> {
        self.by_user.get(user).cloned().unwrap_or_default()
    }

    /// Reads again what depends on a file that was changed, added or removed: the file itself if it
    /// is code, and the code that reads it or looks for it. Returns the files whose prompts may have
    /// changed.
    pub fn follow(
        &mut self,
        path: &Path,
        files: &dyn Files,
        configs: &Configs,
    ) -> BTreeSet<PathBuf> {
        if is_manifest(path) {
            self.package_uses = OnceLock::new();
        }
        let declared = self.packages.follow(path, files);
        let mut hosts = match language_of(path) {
            Some(_) => self.users_of_new_module(path),
            None => self.readers_of_text(path),
        };
        hosts.push(path.to_owned());
        hosts.extend(self.users_of_names(&declared));
        hosts.iter().flat_map(|host| self.look_again(host, files, configs)).collect()
    }

    /// The files whose prompts get values from calls of a file.
    ///
    /// Cost: all uses, once.
    pub fn supplied_by(&self, path: &Path) -> impl Iterator<Item = &PathBuf> {
        let is_from = |demand: &Demand| {
            demand.supplies().iter().any(|supply| supply.file.as_deref() == Some(path))
        };
        let hosts = self.by_host.iter().filter(move |(_, demands)| demands.iter().any(is_from));
        hosts.map(|(host, _)| host)
    }

    /// The files whose prompts get a value under a name from calls of a file.
    ///
    /// Cost: all uses, once.
    pub fn supplied_with(&self, path: &Path, name: &str) -> impl Iterator<Item = &PathBuf> {
        let has_it = move |supply: &Supply| {
            supply.file.as_deref() == Some(path) && supply.keys.iter().any(|key| key == name)
        };
        let hosts = self.by_host.iter();
        let hosts =
            hosts.filter(move |(_, all)| all.iter().any(|it| it.supplies().iter().any(has_it)));
        hosts.map(|(host, _)| host)
    }

    /// The files that use one of these names, or look for it.
    fn users_of_names(&self, names: &BTreeSet<String>) -> Vec<PathBuf> {
        let is_it = |(_, demand): &Use| {
            let class = match demand {
                Demand::Text(text) => text.class(),
                Demand::Callee(Imported { module, .. })
                | Demand::Missing(OtherFile::Module(module) | OtherFile::ModuleOf(_, module), _) => {
                    module.rsplit('.').next()
                }
                _ => None,
            };
            names.contains(demand.name()) || class.is_some_and(|class| names.contains(class))
        };
        if names.is_empty() { Vec::new() } else { self.users_with(is_it) }
    }

    /// The files that use a name of a module that was not found, and that may be this file.
    fn users_of_new_module(&self, path: &Path) -> Vec<PathBuf> {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        // The module of a folder may be written as dots only.
        let is_of_folder = is_of_folder(path);
        self.users_with(|(_, demand)| match demand {
            Demand::Missing(OtherFile::Module(module) | OtherFile::ModuleOf(_, module), name) => {
                is_of_folder || *name == stem || module.split(['/', '.']).any(|part| part == stem)
            }
            _ => false,
        })
    }

    /// The files that read a text file, or look for one with its name.
    fn readers_of_text(&self, path: &Path) -> Vec<PathBuf> {
        let name = path.file_name().unwrap_or_default();
        let is_it = |(host, demand): &Use| match demand {
            Demand::Missing(OtherFile::Text(text), _) => Path::new(&text.end).ends_with(name),
            _ => host == path,
        };
        self.users_with(is_it)
    }

    /// The files with a use that meets a condition.
    fn users_with(&self, is_it: impl Fn(&Use) -> bool) -> Vec<PathBuf> {
        let users = self.by_user.iter().filter(|(_, used)| used.iter().any(&is_it));
        users.map(|(user, _)| user.clone()).collect()
    }

    /// The other hosts with texts that prompts of a file, or of the files below a folder, include.
    ///
    /// Cost: all uses, if one of these files uses a part of another one.
    pub fn parts_of(&self, path: &Path) -> Vec<PathBuf> {
        let is_part = |(_, demand): &Use| demand.text().is_some_and(TextDemand::is_part);
        let has_parts = at_or_below(&self.by_user, path).any(|(_, used)| used.iter().any(is_part));
        let hosts = self.by_host.iter().filter(|(host, _)| has_parts && !host.starts_with(path));
        let parts = hosts.filter(|(_, demands)| {
            let mut users = inclusions(demands).filter_map(|inclusion| inclusion.file.as_deref());
            users.any(|file| file.starts_with(path))
        });
        parts.map(|(host, _)| host.clone()).collect()
    }

    /// The other hosts with texts that a file, or the files below a folder, pass to frameworks, as
    /// prompts or as parts of these.
    ///
    /// Cost: that of [`parts_of`](Uses::parts_of), and the uses by these files.
    pub fn texts_used(&self, path: &Path) -> Vec<PathBuf> {
        let mut texts = whole_texts(&self.by_user, path);
        texts.extend(self.parts_of(path));
        texts.into_iter().collect()
    }

    /// The uses of each used host.
    pub fn hosts(&self) -> &BTreeMap<PathBuf, Arc<[Demand]>> {
        &self.by_host
    }

    /// The uses of a host by others.
    pub fn of(&self, host: &Path) -> Arc<[Demand]> {
        self.by_host.get(host).cloned().unwrap_or_default()
    }

    /// Reads again a host that was changed, added or removed. Returns the other hosts whose prompts
    /// may have changed.
    ///
    /// Cost: reading the host, and all hosts affected by the difference.
    fn look_again(
        &mut self,
        host: &Path,
        files: &dyn Files,
        configs: &Configs,
    ) -> BTreeSet<PathBuf> {
        let meant = self.note(host, files, configs);
        self.hand_on(meant, files, configs)
    }

    /// Reads a host, and returns the hosts whose uses differ.
    fn note(&mut self, user: &Path, files: &dyn Files, configs: &Configs) -> BTreeSet<PathBuf> {
        let demands = self.of(user);
        let text = || files.read(user).ok();
        let look = match language_of(user) {
            Some(language) => text().map(|text| self.look(user, language, &text, files, configs)),
            None if demands.is_empty() && !may_use_others(user) => None,
            None => text()
                .filter(|text| !demands.is_empty() || names_class(user, text))
                .map(|text| self.look_at_data(user, &text, files)),
        };
        self.take(user, look.unwrap_or_else(|| Look { used: Some(Vec::new()), ..Look::default() }))
    }

    /// Records what a host shows, and returns the hosts whose uses differ.
    fn take(&mut self, user: &Path, look: Look) -> BTreeSet<PathBuf> {
        let Some(used) = look.used else { return BTreeSet::new() };
        self.sought.note(user, look.sought);
        if self.imports.get(user).map_or(&[][..], Vec::as_slice) != look.imports {
            self.package_uses = OnceLock::new();
            match look.imports.is_empty() {
                true => self.imports.remove(user),
                false => self.imports.insert(user.to_owned(), look.imports),
            };
        }
        let last = self.by_user.remove(user).unwrap_or_default();
        let differs = |one: &[(PathBuf, Demand)], other: &[(PathBuf, Demand)]| {
            let other: HashSet<&Use> = other.iter().collect();
            let others = one.iter().filter(|it| !other.contains(it));
            others.map(|(host, _)| host.clone()).collect::<Vec<_>>()
        };
        let meant = [differs(&used, &last), differs(&last, &used)].concat();
        if !used.is_empty() {
            self.by_user.insert(user.to_owned(), used.into());
        }
        meant.into_iter().collect()
    }

    /// Reads the code files that may call functions of other files that pass texts to frameworks, or
    /// fill their templates, as far as this has not been done. Returns the hosts whose uses differ.
    ///
    /// Cost: a walk, and a search in each code file, unless there are no new names; again for names
    /// under which modules export such functions.
    fn look_for_calls(&mut self, files: &dyn Files, configs: &Configs) -> BTreeSet<PathBuf> {
        let mut different = BTreeSet::new();
        for _ in 0..MAX_ROUNDS {
            let Some(names) = self.sought.take_new() else { break };
            different.extend(self.look_for_calls_of(&names, files, configs));
        }
        different
    }

    fn look_for_calls_of(
        &mut self,
        names: &NameSearch,
        files: &dyn Files,
        configs: &Configs,
    ) -> BTreeSet<PathBuf> {
        let looks = Mutex::new(BTreeMap::new());
        files.visit(&self.folder, None, &|file| {
            let Some(language) = language_of(&file.path) else { return };
            let Ok(text) = files.read_listed(&file, u64::MAX) else { return };
            if names.is_in(&text) {
                let look = self.look(&file.path, language, &text, files, configs);
                looks.lock().unwrap_or_else(PoisonError::into_inner).insert(file.path, look);
            }
        });
        let looks = looks.into_inner().unwrap_or_else(PoisonError::into_inner);
        looks.into_iter().flat_map(|(path, look)| self.take(&path, look)).collect()
    }

    /// Passes on the uses of some hosts to the hosts that they re-export from. Returns all hosts
    /// whose uses differ.
    fn hand_on(
        &mut self,
        mut meant: BTreeSet<PathBuf>,
        files: &dyn Files,
        configs: &Configs,
    ) -> BTreeSet<PathBuf> {
        let mut all = BTreeSet::new();
        for _ in 0..MAX_ROUNDS {
            meant.extend(self.look_for_calls(files, configs));
            if meant.is_empty() {
                break;
            }
            let mut demands: BTreeMap<&PathBuf, Vec<&Demand>> = BTreeMap::new();
            let mut seen: HashSet<&Use> = HashSet::new();
            let mut requests: BTreeMap<&PathBuf, Vec<Use>> = BTreeMap::new();
            for (user, used) in &self.by_user {
                for it in used.iter().filter(|(host, _)| meant.contains(host)) {
                    let (host, demand) = it;
                    if demand.has_response() {
                        requests.entry(host).or_default().push((user.clone(), demand.clone()));
                    }
                    // A hundred agents may use the same string.
                    if seen.insert(it) {
                        demands.entry(host).or_default().push(demand);
                    }
                }
            }
            let mut different = BTreeSet::new();
            for host in &meant {
                let now = requests.remove(host).unwrap_or_default();
                let last = match now.is_empty() {
                    true => self.requests.remove(host),
                    false => self.requests.insert(host.clone(), now.clone()),
                };
                if last.unwrap_or_default() != now {
                    different.insert(host.clone());
                }
                let now = demands.get(host).into_iter().flatten().copied().cloned();
                let now: Arc<[Demand]> = now.collect();
                let last = match now.is_empty() {
                    true => self.by_host.remove(host),
                    false => self.by_host.insert(host.clone(), now.clone()),
                };
                if last.unwrap_or_default() != now {
                    different.insert(host.clone());
                }
            }
            meant = different.iter().flat_map(|host| self.note(host, files, configs)).collect();
            all.extend(different);
        }
        all
    }

    /// The uses of a host, resolved to files; `None` while it ends within a string, so that they
    /// cannot be determined.
    fn resolved(
        &self,
        host: &Path,
        language: Language,
        finds: Finds,
        files: &dyn Files,
    ) -> Option<Vec<Use>> {
        let mut used = Vec::new();
        let mut seen: HashSet<Use> = HashSet::new();
        if finds.cut_off.is_some() {
            return None;
        }
        let file = host.to_string_lossy();
        let mut responses: HashMap<Demand, Vec<Demand>> = HashMap::new();
        for (request, response) in finds.responses(&file) {
            responses.entry(request).or_default().push(response);
        }
        for (requester, request) in self.requests.get(host).into_iter().flatten() {
            let responses = responses.get(request).into_iter().flatten();
            let responses = responses.map(|it| (requester.clone(), it.clone()));
            used.extend(responses.filter(|it| seen.insert(it.clone())));
        }
        let responded = self.of(host);
        let mut unmet: HashMap<&TextDemand, usize> = HashMap::new();
        for demand in responded.iter() {
            if let Demand::Unmet(demand, _) = demand {
                *unmet.entry(demand).or_default() += 1;
            }
        }
        for mut elsewhere in finds.elsewhere {
            elsewhere.name_host(host);
            let search = ModuleSearch { root: &self.folder, files, packages: &self.packages };
            let hosts_of = |elsewhere: &Elsewhere| match &elsewhere.other {
                OtherFile::Module(module) => {
                    search.hosts_of(language, module, elsewhere.demand.name(), host)
                }
                OtherFile::ModuleOf(file, module) => {
                    let language = language_of(file).unwrap_or(language);
                    search.hosts_of(language, module, elsewhere.demand.name(), file)
                }
                OtherFile::Text(path) => {
                    let may_be_read = match elsewhere.demand.name() {
                        // A file as a whole.
                        "" => may_be_read_by_code,
                        _ => is_data,
                    };
                    let root = &self.folder;
                    text_file(language, path, may_be_read, host, root, files).into_iter().collect()
                }
            };
            let missing =
                Demand::Missing(elsewhere.other.clone(), elsewhere.demand.name().to_owned());
            let mut meanings = Some(elsewhere);
            while let Some(mut elsewhere) = meanings {
                meanings = elsewhere.otherwise.take().map(|it| *it);
                let hosts = hosts_of(&elsewhere);
                let text = elsewhere.demand.text();
                // Each file of a package responds.
                let count = text.and_then(|text| unmet.get(text)).copied().unwrap_or(0);
                let is_unmet = text.is_some() && count >= hosts.len();
                for other in &hosts {
                    let demand = (other.clone(), elsewhere.demand.clone());
                    used.extend(Some(demand).filter(|it| seen.insert(it.clone())));
                }
                if !is_unmet && !hosts.is_empty() {
                    break;
                }
                // A part that does not exist is a hole.
                let is_part = elsewhere.demand.text().is_some_and(TextDemand::is_part);
                // A file with configurations is no text, but is looked for as well.
                let is_absent = match (&elsewhere.demand, &elsewhere.other) {
                    (Demand::Crew(_), OtherFile::Text(path)) => {
                        is_absent(path, host, &self.folder, files)
                    }
                    _ => false,
                };
                if is_absent || is_unmet && !is_part && meanings.is_none() {
                    let missing = (host.to_owned(), missing.clone());
                    used.extend(Some(missing).filter(|it| seen.insert(it.clone())));
                }
            }
        }
        Some(used)
    }
}

/// Adds to the uses by a file the names of templates of others that it fills, as uses of the file
/// itself, so that its calls are found whenever it is read.
fn note_filled(path: &Path, demands: &[Demand], used: &mut Vec<Use>) {
    if !used.iter().any(|(_, demand)| matches!(demand, Demand::Object(_))) {
        return;
    }
    let mut seen = HashSet::new();
    let names = demands.iter().filter(|demand| matches!(demand, Demand::Template(_)));
    let names = names.filter(|name| seen.insert(*name));
    used.extend(names.map(|name| (path.to_owned(), name.clone())));
}

/// The prompts that include texts of a host, by its uses.
pub fn inclusions(demands: &[Demand]) -> impl Iterator<Item = &Inclusion> {
    demands.iter().filter_map(|demand| demand.text()?.included_by.as_ref())
}

/// The other hosts with texts that a file, or the files below a folder, use as whole prompts.
pub fn whole_texts(by_user: &BTreeMap<PathBuf, Arc<[Use]>>, path: &Path) -> BTreeSet<PathBuf> {
    let is_whole = |(_, demand): &&Use| demand.text().is_some_and(|text| !text.is_part());
    let used = at_or_below(by_user, path).flat_map(|(_, used)| used.iter());
    let hosts = used.filter(is_whole).map(|(host, _)| host);
    hosts.filter(|host| !host.starts_with(path)).cloned().collect()
}

/// The strings of a host that are prompts; `None` if it cannot contain any.
fn promising(
    host: &Path,
    text: &str,
    demands: &Arc<[Demand]>,
    files: &dyn Files,
    configs: &Configs,
) -> Option<Strings> {
    let config = configs.nearest(files, folder_of(host));
    let strings = Strings::of_file(host, config.as_deref(), demands)?;
    strings.may_use(language_of(host)?, text).then_some(strings)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::Disk;

    const AGENT: &str = "from google.adk.agents import LlmAgent\nfrom .prompts import PLAN\n\
        root = LlmAgent(name='a', instruction=PLAN)\n";

    /// Files in a temporary folder, and their uses.
    fn laid(texts: &[(&str, &str)]) -> (tempfile::TempDir, Uses) {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, text) in texts {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("it is made");
            std::fs::write(path, text).expect("it is written");
        }
        std::fs::create_dir(folder.path().join(".git")).expect("a repository");
        let uses = Uses::below(folder.path(), &Disk, &Configs::default());
        (folder, uses)
    }

    fn used(uses: &Uses, path: &Path) -> Vec<String> {
        uses.of(path).iter().map(|demand| demand.name().to_owned()).collect()
    }

    #[test]
    fn a_reexported_constant_is_used_in_its_declaring_file() {
        let (folder, uses) = laid(&[
            ("app/agent.py", AGENT),
            ("app/prompts.py", "from app.texts import PLAN\n"),
            ("app/texts/__init__.py", "from .plan import TEXT as PLAN\n"),
            ("app/texts/plan.py", "TEXT = 'Plan {x}'\n"),
        ]);
        let used = |name: &str| used(&uses, &folder.path().join(name));
        assert_eq!(used("app/prompts.py"), ["PLAN"]);
        assert_eq!(used("app/texts/__init__.py"), ["PLAN"]);
        assert_eq!(used("app/texts/plan.py"), ["TEXT"]);
        assert!(used("app/agent.py").is_empty());
    }

    #[test]
    fn a_constant_of_another_class_is_used_in_the_file_of_the_class() {
        let agent = "package com.x;\nimport net.agentensemble.Task;\nimport com.x.text.More;\n\
            class A {\n Object a = Task.of(Prompts.PLAN, More.Inner.END);\n}\n";
        let (folder, uses) = laid(&[
            ("src/main/java/com/x/Agent.java", agent),
            ("src/main/java/com/x/Prompts.java", "package com.x;\nclass Prompts {}\n"),
            ("src/main/java/com/x/text/More.java", "package com.x.text;\nclass More {}\n"),
        ]);
        let used = |name: &str| used(&uses, &folder.path().join("src/main/java/com/x").join(name));
        assert_eq!(used("Prompts.java"), ["PLAN"]);
        assert_eq!(used("text/More.java"), ["END"]);
    }

    #[test]
    fn a_changed_file_updates_all_uses_that_depend_on_it() {
        let (folder, mut uses) = laid(&[
            ("agent.py", AGENT),
            ("prompts.py", "from plan import PLAN\n"),
            ("plan.py", "PLAN = 'Plan {x}'\n"),
        ]);
        let (agent, plan) = (folder.path().join("agent.py"), folder.path().join("plan.py"));
        assert_eq!(used(&uses, &plan), ["PLAN"]);
        std::fs::write(&agent, AGENT.replace("instruction", "description")).expect("written");
        let changed = uses.look_again(&agent, &Disk, &Configs::default());
        assert_eq!(changed.len(), 2);
        assert!(used(&uses, &plan).is_empty() && uses.by_host.is_empty());
        std::fs::write(&agent, AGENT).expect("written");
        uses.look_again(&agent, &Disk, &Configs::default());
        assert_eq!(used(&uses, &plan), ["PLAN"]);
        assert!(uses.look_again(&agent, &Disk, &Configs::default()).is_empty());
    }

    /// Which of `a.py`, `b.py` and `c.py` know a function or class of another file, and whether
    /// `p.py` has a prompt.
    fn known_in(uses: &Uses, folder: &Path) -> [bool; 4] {
        let knows = |name: &str| {
            uses.of(&folder.join(name)).iter().any(|demand| matches!(demand, Demand::Known(..)))
        };
        [knows("a.py"), knows("b.py"), knows("c.py"), !uses.of(&folder.join("p.py")).is_empty()]
    }

    #[test]
    fn a_class_derived_from_an_agent_is_recognised_in_other_files() {
        let (folder, mut uses) = laid(&[
            ("app/base.py", "from google.adk.agents import LlmAgent\nclass Mine(LlmAgent): pass\n"),
            ("app/__init__.py", "from .base import Mine\n"),
            ("a.py", "from app import Mine\nfrom p import P\nx = Mine(instruction=P)\n"),
            ("b.py", "from app.base import Mine\nx = Mine(instruction='{b}')\n"),
            ("c.py", "from app.base import Other\nx = Other(instruction='{b}')\n"),
            ("p.py", "P = '{a}'\n"),
        ]);
        let path = |name: &str| folder.path().join(name);
        let look = |uses: &Uses| known_in(uses, folder.path());
        assert_eq!(look(&uses), [true, true, false, true]);
        let base = path("app/base.py");
        let text = std::fs::read_to_string(&base).expect("it is read");
        std::fs::write(&base, text.replace("Mine(LlmAgent)", "Mine")).expect("it is written");
        let changed = uses.look_again(&base, &Disk, &Configs::default());
        assert!(changed.contains(&path("a.py")) && changed.contains(&path("b.py")), "{changed:?}");
        assert_eq!(look(&uses), [false; 4]);
        std::fs::write(&base, text).expect("it is written");
        uses.look_again(&base, &Disk, &Configs::default());
        assert_eq!(look(&uses), [true, true, false, true]);
        std::fs::remove_file(path("b.py")).expect("it is removed");
        uses.look_again(&path("b.py"), &Disk, &Configs::default());
        assert_eq!(look(&uses), [true, false, false, true]);
        let lower = "from app.base import Mine\nx = Mine(instruction='{b}')\n";
        std::fs::write(path("c.py"), lower).expect("it is written");
        uses.look_again(&path("c.py"), &Disk, &Configs::default());
        assert_eq!(look(&uses), [true, false, true, true]);
    }

    #[test]
    fn a_function_that_passes_a_text_is_recognised_in_calling_files() {
        let factory = "from google.adk.agents import LlmAgent\n\
            def make(name, text): return LlmAgent(name=name, instruction=text)\n";
        let (folder, mut uses) = laid(&[
            ("app/make.py", factory),
            ("app/__init__.py", "from .make import make\n"),
            ("a.py", "from app import make as m\nx = m('a', '{a}')\n"),
            ("b.py", "from app.make import make\nfrom p import P\nx = make('b', P)\n"),
            ("c.py", "from other import make\nx = make('c', '{c}')\n"),
            ("p.py", "P = '{b}'\n"),
        ]);
        let path = |name: &str| folder.path().join(name);
        let look = |uses: &Uses| known_in(uses, folder.path());
        assert_eq!(look(&uses), [true, true, false, true]);
        let make = path("app/make.py");
        std::fs::write(&make, factory.replace("return LlmAgent", "return Other")).expect("written");
        let changed = uses.follow(&make, &Disk, &Configs::default());
        assert!(changed.contains(&path("a.py")) && changed.contains(&path("b.py")), "{changed:?}");
        assert_eq!(look(&uses), [false; 4]);
        std::fs::write(&make, factory).expect("it is written");
        uses.follow(&make, &Disk, &Configs::default());
        assert_eq!(look(&uses), [true, true, false, true]);
        std::fs::write(path("other.py"), factory).expect("it is written");
        uses.follow(&path("other.py"), &Disk, &Configs::default());
        uses.follow(&path("c.py"), &Disk, &Configs::default());
        assert_eq!(look(&uses), [true; 4]);
    }

    #[test]
    fn a_name_of_a_package_is_used_in_the_file_that_declares_it() {
        let agent = "package x\nimport \"google.golang.org/adk/agent/llmagent\"\n\
            var a, _ = llmagent.New(llmagent.Config{Instruction: PLAN})\n";
        let (folder, mut uses) = laid(&[
            ("agent.go", agent),
            ("one.go", "package x\nconst PLAN = \"{a}\"\n"),
            ("two.go", "package x\nconst Other = \"{a}\"\n"),
        ]);
        let path = |name: &str| folder.path().join(name);
        let of = |uses: &Uses| [used(uses, &path("one.go")), used(uses, &path("two.go"))];
        assert_eq!(of(&uses), [vec!["PLAN".to_owned()], Vec::new()]);
        for (name, text) in [("one.go", "package x\n"), ("two.go", "package x\nvar PLAN = 1\n")] {
            std::fs::write(path(name), text).expect("it is written");
            uses.follow(&path(name), &Disk, &Configs::default());
        }
        assert_eq!(of(&uses), [Vec::new(), vec!["PLAN".to_owned()]]);
    }

    #[test]
    fn following_cyclic_imports_is_limited() {
        let (folder, uses) = laid(&[
            ("agent.py", AGENT),
            ("prompts.py", "from other import P\nPLAN = P.strip()\n"),
            ("other.py", "from prompts import PLAN\nP = PLAN.strip()\n"),
        ]);
        assert!(uses.of(&folder.path().join("other.py")).len() <= MAX_ROUNDS);
    }

    #[test]
    fn a_rule_with_an_empty_list_of_strings_uses_nothing() {
        let (folder, uses) = laid(&[
            ("agent.py", AGENT),
            ("prompts.py", "PLAN = 'Plan {x}'\n"),
            ("promptls.toml", "[[prompts]]\nfiles = ['agent.py']\nstrings = []\n"),
        ]);
        assert!(used(&uses, &folder.path().join("prompts.py")).is_empty());
    }
}
