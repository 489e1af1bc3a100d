//! The names in the code of an application, as far as its prompts read them.
//!
//! A framework takes the value of a placeholder from a state, which code in any file of the
//! application may write. The files are read once; then names are looked up for each prompt.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use promptls_hosts::{
    AccessKind, ConstantKey, Flow, KeyConstant, accesses, data_may_hold, flow, may_hold,
    whole_strings,
};

use super::code_scan::{NameScan, ScannedFile};
use super::is_code::{host_language, language_of_names};
use super::own_output::is_own_output;
use super::state_names::{
    AppFile, AppNames, Declarations, NameOccurrence, text_with_names, with_names,
};
use crate::files::Files;
use crate::in_parallel::in_parallel;

/// The files of an application, and the names in each.
#[derive(Debug)]
pub struct App {
    folders: BTreeSet<PathBuf>,
    by_file: BTreeMap<PathBuf, FileNames>,
}

/// The names in a file.
#[derive(Debug, PartialEq)]
struct FileNames {
    flow: Flow,
    /// `true` if it may hold prompts regardless of rules.
    may_hold: bool,
    /// Its text, if a place in it certainly refers to a name.
    text: Option<Arc<str>>,
}

impl App {
    /// All code and data files below some folders, none of which is in another one, except those
    /// that git ignores.
    ///
    /// Cost: a walk, and the length of each file.
    pub fn below(folders: BTreeSet<PathBuf>, files: &dyn Files) -> App {
        let mut paths: Vec<PathBuf> = folders.iter().flat_map(|it| files.walk(it)).collect();
        paths.retain(|path| language_of_names(path).is_some());
        let names = in_parallel(&paths, |path| read_names(path, files));
        let names = paths.into_iter().zip(names).filter_map(|(path, names)| Some((path, names?)));
        App { folders, by_file: names.collect() }
    }

    /// `true` if a path belongs to the application, even if no file exists there.
    pub fn has(&self, path: &Path) -> bool {
        self.is_below(path) && language_of_names(path).is_some()
    }

    /// `true` if a path is in a folder of the application.
    pub fn is_below(&self, path: &Path) -> bool {
        self.folders.iter().any(|folder| path.starts_with(folder))
    }

    /// The folders of its packages.
    pub fn folders(&self) -> &BTreeSet<PathBuf> {
        &self.folders
    }

    /// Reads again a file that was changed, added or removed. Returns `true` if its names or their
    /// places differ.
    pub fn look_again(&mut self, path: &Path, files: &dyn Files) -> bool {
        let now = read_names(path, files);
        if self.by_file.get(path) == now.as_ref() {
            return false;
        }
        match now {
            Some(now) => self.by_file.insert(path.to_owned(), now),
            None => self.by_file.remove(path),
        };
        true
    }

    /// The places that prevent a rename of a name: where it is a whole string, although nothing certain
    /// is known about it, and where it is joined from parts. `known` are the names of the application.
    ///
    /// Cost: reading the files that mention the name.
    pub fn obstacles(&self, name: &str, known: &AppNames, files: &dyn Files) -> Vec<NameObstacle> {
        let as_artifact = Flow::name_of(AccessKind::Artifact, name);
        let named = [name, &as_artifact].map(|name| known.places(name)).concat();
        let mut found = Vec::new();
        for (path, FileNames { flow, .. }) in &self.by_file {
            let Some(language) = language_of_names(path).filter(|_| flow.mentions(name)) else {
                continue;
            };
            let Ok(text) = files.read(path) else { continue };
            // The file may have changed since.
            let flow = self::flow(language, &text);
            let is_certain = |at: usize| {
                let is_it = |place: &NameOccurrence| {
                    place.access.range.start == at && place.file.path == *path
                };
                flow.accesses.iter().any(|access| access.range.start == at)
                    || named.iter().any(|place| is_it(place) && *place.file.text == *text)
            };
            let places = whole_strings(language, &text, name).into_iter().map(|place| place.start);
            let places = places.filter(|at| !is_certain(*at));
            found.extend(places.map(|at| NameObstacle {
                path: path.clone(),
                text: text.clone(),
                at,
                is_joined: false,
            }));
        }
        found.extend(known.joined(name).iter().filter_map(|(path, at)| {
            let (path, text, at) = (path.clone(), files.read(path).ok()?, *at);
            // The file may have changed since.
            text.is_char_boundary(at).then_some(NameObstacle { path, text, at, is_joined: true })
        }));
        found
    }

    /// The paths of its files.
    pub fn files(&self) -> impl Iterator<Item = &PathBuf> {
        self.by_file.keys()
    }

    /// The files that may hold prompts regardless of rules.
    pub fn hosts(&self) -> impl Iterator<Item = &PathBuf> {
        self.by_file.iter().filter(|(_, names)| names.may_hold).map(|(path, _)| path)
    }

    /// The names in all files.
    ///
    /// Cost: the words that may be keys.
    pub fn names(&self, files: &dyn Files) -> AppNames {
        self.names_with(&HashMap::new(), files)
    }

    /// The same with some texts replaced, which `files` also have.
    pub fn names_with(&self, texts: &HashMap<PathBuf, Arc<str>>, files: &dyn Files) -> AppNames {
        let replaced: HashMap<&PathBuf, FileNames> = texts
            .iter()
            .filter(|(path, _)| self.by_file.contains_key(*path))
            .filter_map(|(path, text)| Some((path, names_in(path, text.clone())?)))
            .collect();
        let all =
            || self.by_file.iter().map(|(path, own)| (path, replaced.get(path).unwrap_or(own)));
        let (mut names, mut mentions) = (AppNames::default(), Vec::new());
        for (path, FileNames { flow, text, .. }) in all() {
            mentions.extend(flow.all_mentions());
            names.add(path, flow, text.as_ref());
        }
        names.settle(|names| {
            let named = names.named();
            let mut declared = Declarations::default();
            for (path, FileNames { flow, .. }) in all() {
                declared.names.extend(flow.declared.iter().copied());
                let constants = flow.constants.iter().filter(|it| named.contains(&it.name));
                declared.constants.extend(with_file(path, constants.cloned().collect(), files));
            }
            declared
        });
        names.set_mentions(mentions);
        names.set_files(self.files().cloned().collect());
        names
    }
}

/// A place that prevents a rename of a name.
#[derive(Debug)]
pub struct NameObstacle {
    /// The absolute path of its file.
    pub path: PathBuf,
    /// The text of that file, as it is now.
    pub text: Arc<str>,
    /// The offset of the place in the text, in bytes.
    pub at: usize,
    /// `true` if the name is joined from parts; otherwise, it is a string of unknown meaning.
    pub is_joined: bool,
}

/// The names in all code and data files of an application, for a single use: mentions are searched
/// only on request.
///
/// Cost: the length of those that may contain names.
pub fn names_of(scanned: &[&ScannedFile], files: &dyn Files) -> AppNames {
    let mut to_read: Vec<&ScannedFile> = scanned.to_vec();
    to_read.retain(|it| !matches!(it.names, NameScan::Nothing));
    to_read.sort_unstable_by(|one, other| one.path.cmp(&other.path));
    let facts = in_parallel(&to_read, |ScannedFile { path, names, .. }| {
        let language = language_of_names(path)?;
        let text = match names {
            NameScan::Perhaps(text) => Ok(text.clone()),
            _ => files.read(path),
        };
        let text = match with_names(text) {
            Ok(text) => text.filter(|text| !is_own_output(path, text))?,
            Err(_) => return Some((Flow::unread(language), None)),
        };
        let flow = accesses(language, &text);
        let text = flow.has_places().then_some(text);
        Some((flow, text))
    });
    let mut names = AppNames::default();
    for (file, facts) in to_read.into_iter().zip(facts) {
        if let Some((flow, text)) = facts {
            names.add(&file.path, &flow, text.as_ref());
        }
    }
    let hosts = scanned.iter().filter(|it| it.holds_prompts != Some(false));
    let hosts = hosts.map(|it| it.path.clone()).collect();
    let paths: Vec<PathBuf> = scanned.iter().map(|it| it.path.clone()).collect();
    names.set_files(paths.clone());
    names.look_later(paths, hosts);
    names.settle_by_search(files);
    names
}

/// Constants of a file, with its text; none if the file has changed since, so that they are
/// somewhere else.
fn with_file(
    path: &Path,
    constants: Vec<KeyConstant>,
    files: &dyn Files,
) -> Vec<(Arc<AppFile>, KeyConstant)> {
    if constants.is_empty() {
        return Vec::new();
    }
    let Ok(Some(text)) = text_with_names(path, files) else { return Vec::new() };
    let file = Arc::new(AppFile { path: path.to_owned(), text });
    let is_there = |it: &KeyConstant| match &it.key {
        Some(ConstantKey::Literal(range)) => file.text.get(range.clone()).is_some(),
        Some(ConstantKey::Joined(..)) | None => true,
    };
    let constants = constants.into_iter().filter(is_there);
    constants.map(|constant| (file.clone(), constant)).collect()
}

/// The names in a file; `None` if it does not exist.
fn read_names(path: &Path, files: &dyn Files) -> Option<FileNames> {
    match text_with_names(path, files) {
        Ok(text) => names_in(path, text?),
        Err(_) => Some(FileNames {
            flow: Flow::unread(language_of_names(path)?),
            may_hold: false,
            text: None,
        }),
    }
}

fn names_in(path: &Path, text: Arc<str>) -> Option<FileNames> {
    let language = language_of_names(path)?;
    if is_own_output(path, &text) {
        return None;
    }
    let flow = flow(language, &text);
    let may_hold = match language.is_code() {
        true => may_hold(language, &text, &[]),
        false => host_language(path).is_some() && data_may_hold(&text, &[]),
    };
    let text = flow.has_places().then_some(text);
    Some(FileNames { flow, may_hold, text })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::configs::Configs;
    use crate::files::Disk;
    use crate::hosts::code_scan::scan_below;

    /// The same for a search on request, and for all files at once.
    #[test]
    fn constants_of_one_name_are_keys_if_they_agree() {
        for (other, expected) in [("'plan'", 2), ("'other'", 0), ("make()", 0), ("", 1)] {
            let folder = tempfile::tempdir().expect("a folder");
            let write = |name: &str, text: &str| {
                std::fs::write(folder.path().join(name), text).expect("it is written");
            };
            write("keys.py", "PLAN = 'plan'");
            write("agent.py", "from keys import PLAN\nAgent(output_key=PLAN)\nstate[PLAN]");
            if !other.is_empty() {
                write("other.py", &format!("PLAN = {other}"));
            }
            let all = App::below([folder.path().to_owned()].into(), &Disk).names(&Disk);
            let (_, scanned) = scan_below(folder.path(), &Disk, &Configs::default());
            let on_request = names_of(&scanned.iter().collect::<Vec<_>>(), &Disk);
            for names in [all, on_request] {
                let supplies = |place: &&NameOccurrence| place.access.supplies;
                let places = names.places("plan").iter().filter(supplies);
                assert_eq!(places.count(), expected, "{other}");
            }
        }
    }

    /// The same for a search on request, and for all files at once.
    #[test]
    fn keys_are_joined_from_parts_in_other_files() {
        const KEYS: &str = "P = 'trip_'\nCITY = P + 'city'\nclass K(StrEnum):\n  PLAN = auto()\n";
        for (agent, joined) in [
            ("state[CITY] = 1", Some(("trip_city", "keys.py"))),
            ("state[keys.P + 'day'] = 1", Some(("trip_day", "agent.py"))),
            ("state[f'{P}day'] = 1", Some(("trip_day", "agent.py"))),
            ("state[K.PLAN] = 1", Some(("plan", "keys.py"))),
            ("state[OTHER + 'day'] = 1", None),
        ] {
            let folder = tempfile::tempdir().expect("a folder");
            std::fs::write(folder.path().join("keys.py"), KEYS).expect("it is written");
            std::fs::write(folder.path().join("agent.py"), agent).expect("it is written");
            let all = App::below([folder.path().to_owned()].into(), &Disk).names(&Disk);
            let (_, scanned) = scan_below(folder.path(), &Disk, &Configs::default());
            let on_request = names_of(&scanned.iter().collect::<Vec<_>>(), &Disk);
            for names in [all, on_request] {
                assert_eq!(names.computes_keys, joined.is_none(), "{agent}");
                for known in ["trip_city", "trip_day", "plan"] {
                    let file = joined.filter(|(name, _)| *name == known).map(|(_, file)| file);
                    assert_eq!(names.mentions(known, &Disk), file.is_some(), "{agent}: {known}");
                    let supplied = names.supplied(&[AccessKind::State]);
                    assert_eq!(supplied.file_of(known), file, "{agent}: {known}");
                }
            }
        }
    }

    #[test]
    fn an_application_collects_the_names_of_all_its_files() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        std::fs::write(path("a.py"), "Agent(output_key='plan')\nx['topic']")
            .expect("it is written");
        std::fs::write(path("b.yaml"), "output_key: plan\nname: city\n").expect("it is written");
        std::fs::write(path("c.txt"), "'other'").expect("it is written");
        let mut app = App::below([folder.path().to_owned()].into(), &Disk);
        let names = app.names(&Disk);
        assert_eq!(names.places("plan").len(), 2);
        let supplied = names.supplied(&[AccessKind::OutputKey]);
        assert_eq!(supplied.files().len(), 1);
        assert_eq!(supplied.file_of("plan"), Some("a.py"));
        assert!(
            names.mentions("topic", &Disk)
                && names.mentions("city", &Disk)
                && !names.mentions("other", &Disk)
        );

        assert!(!app.look_again(&path("a.py"), &Disk));
        std::fs::write(path("a.py"), "state[key] = 1").expect("it is written");
        assert!(app.look_again(&path("a.py"), &Disk));
        let names = app.names(&Disk);
        assert!(names.computes_keys && !names.mentions("topic", &Disk));
        std::fs::remove_file(path("b.yaml")).expect("it is gone");
        assert!(app.look_again(&path("b.yaml"), &Disk));
        assert!(app.names(&Disk).places("plan").is_empty());
        assert!(app.has(&path("d.go")) && !app.has(&path("c.txt")));
    }

    #[test]
    fn searches_for_names_have_the_results_of_collected_words() {
        let folder = tempfile::tempdir().expect("a folder");
        let names: Vec<String> = (0..24).map(|number| format!("n{number}")).collect();
        let in_braces: String = names[..14].iter().map(|name| format!("{{{name}}} ")).collect();
        let agent = format!(
            "from google.adk.agents import LlmAgent\n\
            LlmAgent(name='a', instruction='''{in_braces} {{ user:p }} {{{{q?}}}}''')\n"
        );
        for (name, text) in [
            ("agent.py", agent.as_str()),
            ("a.py", "x['n1']\nprint('n2 and n3')\nf(n4=1)\nn5 = 1\nx['user:p'] = 1\n"),
            ("b.yaml", "n6: 1\nkey: n7\nother: n8 and more\nn20: 1\n"),
            ("c.ts", "const o = { n9: 1, q: `n10` };\nconst n21 = 'n22';\n"),
            ("d.go", "package d\nvar m = map[string]int{\"n11\": 1}\n"),
        ] {
            std::fs::write(folder.path().join(name), text).expect("it is written");
        }
        let (_, scanned) = scan_below(folder.path(), &Disk, &Configs::default());
        let collected = App::below([folder.path().to_owned()].into(), &Disk).names(&Disk);
        let others = ["p", "user:p", "q", "nothing"].map(str::to_owned);
        let all: Vec<String> = names.into_iter().chain(others).collect();
        // In each order, because the first names are searched for one by one.
        for all in [all.clone(), all.into_iter().rev().collect()] {
            let searched = names_of(&scanned.iter().collect::<Vec<_>>(), &Disk);
            for name in &all {
                let expected = collected.mentions(name, &Disk);
                assert_eq!(searched.mentions(name, &Disk), expected, "{name}");
            }
        }
    }
}
