//! Resolution of paths in code to text files.

use std::path::{Path, PathBuf};

use promptls_hosts::{Language, TextPath};

use super::modules::joined;
use crate::files::{Entry, Files};

/// The folders of resources in JVM projects.
pub(super) const RESOURCES: [&str; 2] = ["src/main/resources", "src/test/resources"];

/// `true` if no file is at the one path that code names in a folder of its own, of the project.
pub fn is_absent(path: &TextPath, host: &Path, root: &Path, files: &dyn Files) -> bool {
    let folder = path.up.and_then(|up| host.ancestors().nth(up.checked_add(1)?));
    let is_relative = !Path::new(&path.end).has_root() && !path.end.contains('\\');
    folder.filter(|_| is_relative).is_some_and(|folder| {
        let path = joined(folder, &path.end);
        let has_none = files.entry(&path) == Entry::Other || !files.is_there(&path);
        path.starts_with(root) && has_none
    })
}

/// The text file that a host reads; `None` if it is not in the workspace, is no text by its name, or
/// if several files may be meant.
///
/// `may_be_read` decides by the name of a file, and `root` is the topmost folder of the search. A path
/// from an unknown folder is one from any folder between both, else the only file below `root` whose
/// path ends so.
///
/// Cost: a check of a few paths for each folder between both; else a search for the name.
pub fn text_file(
    language: Language,
    path: &TextPath,
    may_be_read: fn(&Path) -> bool,
    host: &Path,
    root: &Path,
    files: &dyn Files,
) -> Option<PathBuf> {
    let is_jvm = matches!(language, Language::Java | Language::Kotlin);
    // In resources, it is the root of these.
    let is_absolute = Path::new(&path.end).has_root() || path.end.contains('\\');
    if is_absolute && !is_jvm {
        return None;
    }
    // Links may lead out of the project. What no search visits, hidden and ignored files, is not
    // checked, so it must not count as read.
    let is_there = |path: &PathBuf| {
        path.starts_with(root)
            && may_be_read(path)
            && files.entry(path) == Entry::Regular
            && is_visited(path, root, files)
    };
    if let Some(up) = path.up {
        let folder = host.ancestors().nth(up.checked_add(1)?)?;
        return Some(joined(folder, &path.end)).filter(is_there);
    }
    let folders = host.ancestors().skip(1).take_while(|folder| folder.starts_with(root));
    let mut found: Vec<PathBuf> = Vec::new();
    for folder in folders {
        found.push(joined(folder, &path.end));
        if is_jvm {
            found.extend(RESOURCES.map(|it| joined(&folder.join(it), &path.end)));
        }
    }
    found.retain(is_there);
    if found.is_empty() {
        let end = path.end.trim_start_matches(['.', '/']);
        let is_name = !end.is_empty() && !end.contains(['*', '?', '[', ']', '{', '}', '!', '\\']);
        let all = files.glob(root, &format!("**/{end}"));
        found.extend(all.iter().filter(|path| is_name && is_there(path)).cloned());
    }
    match &found[..] {
        [only] => Some(only.clone()),
        _ => None,
    }
}

/// `true` unless a search of a folder leaves a file out. A name with signs of globs counts as visited.
fn is_visited(path: &Path, root: &Path, files: &dyn Files) -> bool {
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return false };
    name.contains(['*', '?', '[', ']', '{', '}', '!', '\\'])
        || files.glob(root, &format!("**/{name}")).iter().any(|found| found == path)
}
