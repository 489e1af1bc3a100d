//! The ways in which a text reaches an agent: which of them are found, and why others are not.
//!
//! `tests/hosts/ways/README.md` describes the files.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;

use super::applications::{Files, check, files, in_parallel, texts_in};

/// A way, and what is expected of it.
struct Way {
    /// The name of its file, and its title.
    name: String,
    files: Files,
    /// The names of the placeholders that are found.
    names: BTreeSet<String>,
    /// Parts of the reasons for the texts that are not read.
    unread: Vec<String>,
}

impl Way {
    /// Reads a way: its title, its files, and what is expected. `shared` are files that each has.
    fn read(language: &str, text: &str, shared: &Files) -> Way {
        let (title, text) = text.split_once('\n').expect("a title");
        let mut way = Way {
            name: format!("{language}: {}", title.trim()),
            files: shared.clone(),
            names: BTreeSet::new(),
            unread: Vec::new(),
        };
        let (written, expected) = text.split_once("\n-> ").expect("a line with `->`");
        way.files.extend(files(&format!("{written}\n")));
        let mut is_reason_due = false;
        for line in expected.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let line = line.strip_prefix("-> ").unwrap_or(line);
            if let Some(reason) = line.strip_prefix("not read: ") {
                way.unread.push(reason.to_owned());
                is_reason_due = true;
            } else if line.starts_with("because: ") {
                is_reason_due = false;
            } else {
                way.names.extend(line.split(", ").map(str::to_owned));
            }
        }
        assert!(!is_reason_due, "{}: a text that is not read needs a line `because: `", way.name);
        way
    }

    /// The ways of a file, which begins with the files that all of them have.
    fn read_all(path: &Path) -> Vec<Way> {
        let language = path.file_stem().expect("a name").to_string_lossy();
        let text = fs::read_to_string(path).expect("it can be read");
        let mut parts = text.split("\n== ");
        let shared = files(parts.next().expect("the files of all ways"));
        parts.map(|part| Way::read(&language, part, &shared)).collect()
    }

    fn language(&self) -> &str {
        self.name.split(':').next().unwrap_or_default()
    }

    /// The differences between what is expected and what `check` reports.
    fn differences(&self) -> Vec<String> {
        let report = check(&self.name, &self.files);
        let mut unread = self.unread.clone();
        let (mut names, mut differences) = (BTreeSet::new(), Vec::new());
        for problem in report["problems"].as_array().expect("problems") {
            let message = problem["message"].as_str().expect("a message");
            match problem["code"].as_str() {
                Some("undefined-placeholder") => {
                    let known = problem["names"].as_array().into_iter().flatten();
                    names.extend(known.filter_map(Value::as_str).map(str::to_owned));
                }
                Some("computed-prompt") => {
                    let known = unread.iter().position(|reason| message.contains(reason));
                    match known {
                        Some(known) => drop(unread.remove(known)),
                        None => differences.push(format!("not read: {message}")),
                    }
                }
                _ => differences.push(format!("reported: {message}")),
            }
        }
        let missing = self.names.difference(&names);
        differences.extend(missing.map(|name| format!("`{name}` is not found")));
        let further = names.difference(&self.names);
        differences.extend(further.map(|name| format!("`{name}` is found")));
        differences.extend(unread.iter().map(|reason| format!("not reported: {reason}")));
        differences
    }
}

#[test]
fn the_ways_in_which_texts_reach_agents_are_found_or_listed_with_a_reason() {
    let ways = texts_in("ways", "PROMPTLS_WAYS");
    let ways: Vec<Way> = ways.iter().flat_map(|path| Way::read_all(path)).collect();
    let differences = in_parallel(&ways, Way::differences);

    let languages: BTreeSet<&str> = ways.iter().map(Way::language).collect();
    for language in languages {
        let own = || ways.iter().filter(|way| way.language() == language);
        let read = own().filter(|way| way.unread.is_empty()).count();
        println!("{language}: {read} of {} ways are read", own().count());
    }
    let named = ways.iter().zip(differences);
    let wrong: Vec<_> = named.filter(|(_, differences)| !differences.is_empty()).collect();
    for (way, differences) in &wrong {
        println!("{}\n    {}", way.name, differences.join("\n    "));
    }
    assert!(wrong.is_empty(), "{} of {} ways differ", wrong.len(), ways.len());
}
