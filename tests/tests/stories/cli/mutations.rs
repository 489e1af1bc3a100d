//! Applications in the manner of real ones, each broken on purpose: what `check` reports of it.
//!
//! `tests/hosts/applications/README.md` describes the files. In each application, all marked
//! placeholders are misspelt in one run, and all marked setters are renamed in another.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use serde_json::Value;

use super::applications::{Files, check, files, in_parallel, texts_in};

/// The minimum number of applications.
const APPLICATIONS: usize = 60;

/// The opening and the closing sign around a name.
type Marks = (char, char);

/// The marks of the names to change, and the new name for each.
type Change<'c> = (Marks, &'c dyn Fn(&str) -> String);

/// The marks of a name in a placeholder.
const PLACEHOLDER: Marks = ('⟪', '⟫');

/// The marks of the only place that sets a name.
const SETTER: Marks = ('⟦', '⟧');

/// An application, with marks in its files.
struct Application {
    name: String,
    files: Files,
}

impl Application {
    /// Reads an application, with its comment.
    fn read(path: &Path) -> Application {
        let text = fs::read_to_string(path).expect("it can be read");
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        Application { name, files: files(&text) }
    }

    /// The names between marks, each with its file.
    fn marked(&self, (open, close): Marks) -> Vec<(&str, &str)> {
        let mut marked = Vec::new();
        for (path, text) in &self.files {
            let names = text.split(open).skip(1).filter_map(|part| part.split(close).next());
            marked.extend(names.map(|name| (path.as_str(), name)));
        }
        marked
    }

    /// The result of `check` for the application with other names between marks.
    fn check(&self, changed: Option<Change<'_>>) -> Value {
        let mut files = self.files.clone();
        for (_, text) in &mut files {
            if let Some(((open, close), other)) = changed {
                let parts = text.split(open).enumerate();
                *text = parts.fold(String::new(), |before, (index, part)| match index {
                    0 => part.to_owned(),
                    _ => {
                        let (name, after) = part.split_once(close).expect("a mark is closed");
                        before + &other(name) + after
                    }
                });
            }
            *text = text.replace([PLACEHOLDER.0, PLACEHOLDER.1, SETTER.0, SETTER.1], "");
        }
        check(&self.name, &files)
    }
}

/// The name with two letters exchanged; with one letter more, if all are the same.
fn misspelt(name: &str) -> String {
    let mut letters: Vec<char> = name.chars().collect();
    let is_pair = |at: &usize| {
        let (a, b) = (letters[at - 1], letters[*at]);
        a != b && a.is_ascii_alphabetic() && b.is_ascii_alphabetic()
    };
    match (2..letters.len()).rev().find(is_pair) {
        Some(at) => letters.swap(at - 1, at),
        None => letters.push('x'),
    }
    letters.into_iter().collect()
}

/// `true` if an error or a warning is about a name.
fn has_problem_about(report: &Value, name: &str) -> bool {
    let problems = report["problems"].as_array().expect("problems");
    problems.iter().any(|problem| {
        let is_grave = matches!(problem["severity"].as_str(), Some("error" | "warning"));
        let mut names = problem["names"].as_array().into_iter().flatten();
        is_grave && names.any(|it| it == name)
    })
}

/// What was found in all applications.
#[derive(Default)]
struct Findings {
    misspelt: usize,
    misspelt_missed: BTreeSet<String>,
    lost: usize,
    lost_missed: BTreeSet<String>,
    false_alarms: BTreeSet<String>,
}

impl Findings {
    fn of(application: &Application) -> Findings {
        let mut found = Findings::default();
        let report = application.check(None);
        let summary = &report["summary"];
        if summary["errors"] != 0 || summary["warnings"] != 0 || summary["prompts"] == 0 {
            let problems = report["problems"].as_array().expect("problems").iter();
            let problems: String = problems.fold(String::new(), |mut all, problem| {
                let (file, line) = (&problem["file"], &problem["range"]["start"]["line"]);
                write!(all, "\n    {file}:{line} {}", problem["message"]).expect("a string");
                all
            });
            found.false_alarms.insert(format!("{}: {summary}{problems}", application.name));
        }
        let broken = application.check(Some((PLACEHOLDER, &misspelt)));
        for (file, name) in application.marked(PLACEHOLDER) {
            found.misspelt += 1;
            if !has_problem_about(&broken, &misspelt(name)) {
                found.misspelt_missed.insert(format!("{}: {file}: {name}", application.name));
            }
        }
        let broken = application.check(Some((SETTER, &|name| format!("{name}_v2"))));
        for (file, name) in application.marked(SETTER) {
            found.lost += 1;
            if !has_problem_about(&broken, name) {
                found.lost_missed.insert(format!("{}: {file}: {name}", application.name));
            }
        }
        found
    }
}

#[test]
fn intentionally_broken_applications_are_reported() {
    let paths = texts_in("applications", "PROMPTLS_APPLICATION");
    if std::env::var_os("PROMPTLS_APPLICATION").is_none() {
        assert!(paths.len() >= APPLICATIONS, "{} applications", paths.len());
    }

    let mut found = Findings::default();
    for own in in_parallel(&paths, |path| Findings::of(&Application::read(path))) {
        found.misspelt += own.misspelt;
        found.lost += own.lost;
        found.misspelt_missed.extend(own.misspelt_missed);
        found.lost_missed.extend(own.lost_missed);
        found.false_alarms.extend(own.false_alarms);
    }
    let share = |all: usize, missed: &BTreeSet<String>| format!("{} of {all}", all - missed.len());
    println!("misspelt: {}", share(found.misspelt, &found.misspelt_missed));
    println!("setters renamed: {}", share(found.lost, &found.lost_missed));
    let all = [found.false_alarms, found.misspelt_missed, found.lost_missed];
    assert!(all.iter().all(BTreeSet::is_empty), "{all:#?}");
}
