//! Applications in one text file: how they are unpacked, checked and compared in parallel.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{fs, thread};

use promptls_tests::{Workspace, promptls};
use serde_json::Value;

/// The path and the text of each file of an application.
pub type Files = Vec<(String, String)>;

/// Reads files, each below its path in `-- path` or `-- path --`. Lines before the first are a
/// comment.
pub fn files(text: &str) -> Files {
    let mut files = Files::new();
    for line in text.split_inclusive('\n') {
        match (line.strip_prefix("-- "), files.last_mut()) {
            (Some(file), _) => {
                let file = file.trim_end();
                files.push((file.strip_suffix(" --").unwrap_or(file).to_owned(), String::new()));
            }
            (None, Some((_, text))) => text.push_str(line),
            (None, None) => {}
        }
    }
    files
}

/// The result of `promptls check --format json` in a folder with these files; `name` is shown if it
/// is no JSON.
pub fn check(name: &str, files: &[(String, String)]) -> Value {
    let files: Vec<_> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let workspace = Workspace::new(&files);
    let output = promptls(&["check", "--format", "json"]).cwd(workspace.root()).run();
    serde_json::from_str(&output.stdout)
        .unwrap_or_else(|_| panic!("{name}: {}{}", output.stdout, output.stderr))
}

/// The text files in a folder of `tests/hosts`, sorted. A variable limits them to those whose path
/// contains its value.
pub fn texts_in(folder: &str, variable: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("hosts").join(folder);
    let entries = fs::read_dir(&folder).expect("the folder exists");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut paths: Vec<_> =
        paths.filter(|path| path.extension().is_some_and(|it| it == "txt")).collect();
    if let Ok(only) = std::env::var(variable) {
        paths.retain(|path| path.to_string_lossy().contains(&only));
    }
    paths.sort();
    paths
}

/// The results for all items, in their order, computed on all cores.
pub fn in_parallel<T: Sync, R: Send>(items: &[T], result: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let (results, next) = (Mutex::new(Vec::new()), AtomicUsize::new(0));
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(2, Into::into) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(index) else { return };
                    let own = result(item);
                    results.lock().expect("no thread panicked").push((index, own));
                }
            });
        }
    });
    let mut results = results.into_inner().expect("no thread panicked");
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}
