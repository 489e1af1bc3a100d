//! The names by which files of a workspace may use functions of others that pass parameters to
//! frameworks, and templates of others. Such a file may contain no word of a framework, so it is found
//! by the name.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use aho_corasick::{AhoCorasick, MatchKind};
use promptls_hosts::{DEFAULT_EXPORT, Demand};

use super::modules::is_of_folder;
use crate::files::paths::folder_of;

/// The names, by the file that declares them; each as the demand of a file that has it.
#[derive(Debug, Default)]
pub struct SoughtNames {
    by_host: HashMap<PathBuf, Vec<Demand>>,
    /// The number of files that declare a name, with the word by which it is found.
    counts: HashMap<(String, Demand), usize>,
    /// The search for all names; built when it is needed.
    all: OnceLock<NameSearch>,
    /// Words that have not been searched for.
    new: BTreeSet<String>,
}

impl SoughtNames {
    /// Records the names of a file instead of its last ones.
    pub fn note(&mut self, host: &Path, names: Vec<Demand>) {
        let last = match names.is_empty() {
            true => self.by_host.remove(host),
            false => self.by_host.insert(host.to_owned(), names.clone()),
        };
        let last = last.unwrap_or_default();
        if last == names {
            return;
        }
        for name in last {
            let key = (word_of(host, &name), name);
            if let Some(count) = self.counts.get_mut(&key) {
                *count -= 1;
                if *count == 0 {
                    self.counts.remove(&key);
                }
            }
        }
        for name in names {
            let word = word_of(host, &name);
            let count = self.counts.entry((word.clone(), name)).or_default();
            *count += 1;
            if *count == 1 {
                self.new.insert(word);
            }
        }
        self.all = OnceLock::new();
    }

    /// The names that were added since the last call.
    pub fn take_new(&mut self) -> Option<NameSearch> {
        let new = std::mem::take(&mut self.new);
        (!new.is_empty()).then(|| NameSearch::new(new.iter().map(String::as_str)))
    }

    /// The names that a text may use.
    ///
    /// Cost: one pass over the text.
    pub fn in_text(&self, text: &str) -> Vec<Demand> {
        let all =
            self.all.get_or_init(|| NameSearch::new(self.counts.keys().map(|(word, _)| &**word)));
        let found: BTreeSet<&str> = all.find(text).collect();
        let kinds =
            |name: &str| [Demand::Factory(name.to_owned()), Demand::Template(name.to_owned())];
        let demands = found.into_iter().flat_map(|word| {
            let demands = [word, DEFAULT_EXPORT].into_iter().flat_map(kinds);
            demands.map(|demand| (word.to_owned(), demand))
        });
        let known = demands.filter(|demand| self.counts.contains_key(demand));
        known.map(|(_, demand)| demand).collect()
    }
}

/// The word that a file has which uses a name of another one. An import gives a default export any
/// name, so it has the name of the module.
fn word_of(host: &Path, demand: &Demand) -> String {
    if demand.name() != DEFAULT_EXPORT {
        return demand.name().to_owned();
    }
    let named = if is_of_folder(host) { folder_of(host) } else { host };
    named.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// A search for names in texts.
#[derive(Debug, Default)]
pub struct NameSearch {
    /// The automaton; `None` for no names.
    search: Option<AhoCorasick>,
}

impl NameSearch {
    fn new<'n>(names: impl Iterator<Item = &'n str>) -> NameSearch {
        let names: BTreeSet<&str> = names.collect();
        let has_any = !names.is_empty();
        let build = || AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(names);
        // It is `None` also for more names than it supports, which takes gigabytes of code.
        NameSearch { search: has_any.then(build).and_then(Result::ok) }
    }

    /// `true` if a text contains one of the names as a whole word.
    pub fn is_in(&self, text: &str) -> bool {
        self.find(text).next().is_some()
    }

    /// The names in a text, as whole words.
    fn find<'t>(&self, text: &'t str) -> impl Iterator<Item = &'t str> {
        let is_of_word = |char: char| char.is_alphanumeric() || char == '_' || char == '$';
        let found = self.search.iter().flat_map(move |search| search.find_iter(text));
        let whole = found.filter(move |found| {
            !text[..found.start()].ends_with(is_of_word)
                && !text[found.end()..].starts_with(is_of_word)
        });
        whole.map(|found| &text[found.range()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn factories(names: &[&str]) -> Vec<Demand> {
        names.iter().map(|name| Demand::Factory((*name).to_owned())).collect()
    }

    fn found(names: &SoughtNames, text: &str) -> Vec<String> {
        names.in_text(text).iter().map(|demand| demand.name().to_owned()).collect()
    }

    #[test]
    fn names_are_matched_as_whole_words() {
        let mut names = SoughtNames::default();
        names.note(Path::new("a.py"), factories(&["make", "make_agent"]));
        assert_eq!(found(&names, "make_agent(1) + make(2)"), ["make", "make_agent"]);
        let templates =
            vec![Demand::Template("PLAN".to_owned()), Demand::Template("make".to_owned())];
        names.note(Path::new("b.py"), templates);
        assert_eq!(found(&names, "make(PLAN)"), ["PLAN", "make", "make"]);
        assert_eq!(found(&names, "remake(1) + make_agents(2) + make2(3)"), [""; 0]);
        assert_eq!(found(&SoughtNames::default(), "make(1)"), [""; 0]);
    }

    #[test]
    fn a_default_export_is_sought_by_its_module() {
        let mut names = SoughtNames::default();
        let default = || vec![Demand::Template(DEFAULT_EXPORT.to_owned())];
        names.note(Path::new("/a/plan.ts"), default());
        names.note(Path::new("/a/intake/index.ts"), default());
        assert_eq!(found(&names, "import p from './plan.js'"), ["default"]);
        assert_eq!(found(&names, "import p from './intake'"), ["default"]);
        assert_eq!(found(&names, "export default 1"), [""; 0]);
    }

    #[test]
    fn a_name_is_new_once() {
        let mut names = SoughtNames::default();
        assert!(names.take_new().is_none());
        names.note(Path::new("a.py"), factories(&["make"]));
        assert!(names.take_new().is_some_and(|new| new.is_in("make()")));
        names.note(Path::new("b.py"), factories(&["make"]));
        assert!(names.take_new().is_none());
        names.note(Path::new("a.py"), Vec::new());
        assert_eq!(found(&names, "make()"), ["make"]);
        names.note(Path::new("b.py"), Vec::new());
        names.note(Path::new("a.py"), factories(&["make"]));
        assert!(names.take_new().is_some());
    }
}
