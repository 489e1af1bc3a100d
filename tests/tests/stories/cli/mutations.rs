//! Applications in the manner of real ones, each broken on purpose: what `check` reports of it.
//!
//! `tests/hosts/applications/README.md` describes the files. In each application, all marked
//! placeholders are misspelt in one run, and all marked setters are renamed in another.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use promptls_tests::{Workspace, promptls};
use serde_json::Value;

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
    /// The path and the text of each file, in order.
    files: Vec<(String, String)>,
}

impl Application {
    /// Reads an application: a comment, then files, each below its path in `-- path --`.
    fn read(path: &Path) -> Application {
        let text = fs::read_to_string(path).expect("it can be read");
        let mut files: Vec<(String, String)> = Vec::new();
        for line in text.split_inclusive('\n') {
            let file =
                line.strip_prefix("-- ").and_then(|line| line.trim_end().strip_suffix(" --"));
            match (file, files.last_mut()) {
                (Some(file), _) => files.push((file.to_owned(), String::new())),
                (None, Some((_, text))) => text.push_str(line),
                (None, None) => {}
            }
        }
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        Application { name, files }
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
        let files: Vec<_> =
            files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        let workspace = Workspace::new(&files);
        let output = promptls(&["check", "--format", "json"]).cwd(workspace.root()).run();
        serde_json::from_str(&output.stdout)
            .unwrap_or_else(|_| panic!("{}: {}{}", self.name, output.stdout, output.stderr))
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
    fn add(&mut self, application: &Application) {
        let report = application.check(None);
        let summary = &report["summary"];
        if summary["errors"] != 0 || summary["warnings"] != 0 || summary["prompts"] == 0 {
            let problems = report["problems"].as_array().expect("problems").iter();
            let problems: String = problems.fold(String::new(), |mut all, problem| {
                let (file, line) = (&problem["file"], &problem["range"]["start"]["line"]);
                write!(all, "\n    {file}:{line} {}", problem["message"]).expect("a string");
                all
            });
            self.false_alarms.insert(format!("{}: {summary}{problems}", application.name));
        }
        let broken = application.check(Some((PLACEHOLDER, &misspelt)));
        for (file, name) in application.marked(PLACEHOLDER) {
            self.misspelt += 1;
            if !has_problem_about(&broken, &misspelt(name)) {
                self.misspelt_missed.insert(format!("{}: {file}: {name}", application.name));
            }
        }
        let broken = application.check(Some((SETTER, &|name| format!("{name}_v2"))));
        for (file, name) in application.marked(SETTER) {
            self.lost += 1;
            if !has_problem_about(&broken, name) {
                self.lost_missed.insert(format!("{}: {file}: {name}", application.name));
            }
        }
    }
}

#[test]
fn intentionally_broken_applications_are_reported() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("hosts/applications");
    let entries = fs::read_dir(&folder).expect("the folder of applications");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut paths: Vec<_> =
        paths.filter(|path| path.extension().is_some_and(|it| it == "txt")).collect();
    paths.sort();
    if let Ok(only) = std::env::var("PROMPTLS_APPLICATION") {
        paths.retain(|path| path.to_string_lossy().contains(&only));
    } else {
        assert!(paths.len() >= APPLICATIONS, "{} applications", paths.len());
    }

    let (findings, next) = (Mutex::new(Findings::default()), AtomicUsize::new(0));
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(2, Into::into) {
            scope.spawn(|| {
                while let Some(path) = paths.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let mut own = Findings::default();
                    own.add(&Application::read(path));
                    let mut all = findings.lock().expect("no thread panicked");
                    all.misspelt += own.misspelt;
                    all.lost += own.lost;
                    all.misspelt_missed.extend(own.misspelt_missed);
                    all.lost_missed.extend(own.lost_missed);
                    all.false_alarms.extend(own.false_alarms);
                }
            });
        }
    });
    let found = findings.into_inner().expect("no thread panicked");
    let share = |all: usize, missed: &BTreeSet<String>| format!("{} of {all}", all - missed.len());
    println!("misspelt: {}", share(found.misspelt, &found.misspelt_missed));
    println!("setters renamed: {}", share(found.lost, &found.lost_missed));
    let all = [found.false_alarms, found.misspelt_missed, found.lost_missed];
    assert!(all.iter().all(BTreeSet::is_empty), "{all:#?}");
}
