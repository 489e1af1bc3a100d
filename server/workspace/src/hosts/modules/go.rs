//! Packages of Go modules: `go.mod` states the path of a module, and `go.work` lists several.

use std::path::{Path, PathBuf};

use super::joined;
use crate::files::{Files, Reading};

/// The folder of a package; that of the host for `.`.
///
/// Cost: for another package, `go.mod` and `go.work` of the module.
pub(super) fn package(path: &str, host: &Path, root: &Path, files: &dyn Files) -> Option<PathBuf> {
    let here = host.parent()?;
    match path {
        "." => Some(here.to_owned()),
        path => folder_of_package(path, here, root, files),
    }
}

/// `true` if a file of a package counts for a host: tests see the other files of their package, but
/// not vice versa.
pub(super) fn may_see(host: &Path, file: &Path) -> bool {
    let is_test = |path: &Path| path.to_str().is_some_and(|path| path.ends_with("_test.go"));
    let is_same = host.parent() == file.parent();
    file != host && (!is_test(file) || is_same && is_test(host))
}

/// The folder of a package, in the module with the longest path that it starts with.
fn folder_of_package(path: &str, here: &Path, root: &Path, files: &dyn Files) -> Option<PathBuf> {
    let mut modules = Vec::new();
    let folders = || here.ancestors().take_while(|folder| folder.starts_with(root));
    if let Some(folder) = folders().find(|folder| files.is_there(&folder.join("go.mod"))) {
        add_module(folder, files, &mut modules);
    }
    if let Some(folder) = folders().find(|folder| files.is_there(&folder.join("go.work"))) {
        let text = read(&folder.join("go.work"), files).unwrap_or_default();
        for used in directives(&text, "use") {
            add_module(&joined(folder, unquoted(used)), files, &mut modules);
        }
    }
    let below = |(module, folder): &(String, PathBuf)| {
        let rest = path.strip_prefix(module.as_str())?;
        let inner = rest.strip_prefix('/').or(rest.is_empty().then_some(""))?;
        Some((module.len(), joined(folder, inner)))
    };
    let found = modules.iter().filter_map(below).max_by_key(|(len, _)| *len)?.1;
    found.starts_with(root).then_some(found)
}

/// Adds the module of a folder, and the modules in folders that replace others for it.
fn add_module(folder: &Path, files: &dyn Files, modules: &mut Vec<(String, PathBuf)>) {
    let Some(text) = read(&folder.join("go.mod"), files) else { return };
    if let Some(module) = directives(&text, "module").next() {
        modules.push((unquoted(module).to_owned(), folder.to_owned()));
    }
    for replaced in directives(&text, "replace") {
        let Some((module, place)) = replaced.split_once("=>") else { continue };
        let module = module.split_whitespace().next().unwrap_or_default();
        let place = unquoted(place.trim());
        if place.starts_with('.') {
            modules.push((unquoted(module).to_owned(), joined(folder, place)));
        }
    }
}

fn read(path: &Path, files: &dyn Files) -> Option<std::sync::Arc<str>> {
    files.read_as(path, Reading::Shared).ok()
}

/// The arguments of a directive, in a line each or in brackets.
fn directives<'t>(text: &'t str, name: &'t str) -> impl Iterator<Item = &'t str> {
    let mut is_open = false;
    text.lines().filter_map(move |line| {
        let line = line.split("//").next().unwrap_or_default().trim();
        if is_open {
            is_open = line != ")";
            return Some(line).filter(|_| is_open && !line.is_empty());
        }
        let rest = line.strip_prefix(name)?;
        match rest.trim_start() {
            "(" => {
                is_open = true;
                None
            }
            argument => Some(argument).filter(|_| rest.starts_with([' ', '\t'])),
        }
    })
}

fn unquoted(written: &str) -> &str {
    written.trim_matches(['"', '`'])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::Disk;

    #[test]
    fn a_package_is_a_folder_of_its_module() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().join("repo");
        for (name, text) in [
            ("go.work", "go 1.25\nuse (\n\t./app // here\n\t./lib\n)\n"),
            (
                "app/go.mod",
                "module example.com/app/v2\n\nreplace example.com/other v1.0.0 => ../other\n",
            ),
            ("app/cmd/main.go", ""),
            ("app/prompts/p.go", ""),
            ("app/prompts/v2/q.go", ""),
            ("lib/go.mod", "module \"example.com/lib\"\n"),
            ("lib/l.go", ""),
            ("other/o.go", ""),
            ("../outside/x.go", ""),
        ] {
            let path = root.join(name);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("it is made");
            std::fs::write(path, text).expect("it is written");
        }
        let host = root.join("app/cmd/main.go");
        let found = |path: &str| {
            let folder = package(path, &host, &root, &Disk);
            let name = |path: PathBuf| path.strip_prefix(&root).ok()?.to_str().map(str::to_owned);
            folder.and_then(name).unwrap_or_default()
        };
        for (path, expected) in [
            (".", "app/cmd"),
            ("example.com/app/v2/prompts", "app/prompts"),
            ("example.com/app/v2/prompts/v2", "app/prompts/v2"),
            ("example.com/lib", "lib"),
            ("example.com/other", "other"),
            ("example.com/app/prompts", ""),
            ("example.com/library", ""),
            ("example.com/app/v2/../../outside", ""),
            ("fmt", ""),
        ] {
            assert_eq!(found(path), expected, "{path}");
        }
    }

    #[test]
    fn tests_see_the_other_files_of_their_package() {
        let sees = |host: &str, file: &str| may_see(Path::new(host), Path::new(file));
        assert!(sees("a/a.go", "a/b.go") && sees("a/a_test.go", "a/b_test.go"));
        assert!(!sees("a/a.go", "a/b_test.go") && !sees("a/a.go", "a/a.go"));
        assert!(!sees("a/a_test.go", "b/b_test.go"));
    }
}
