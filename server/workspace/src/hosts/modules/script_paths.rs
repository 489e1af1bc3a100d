//! Paths of modules in `tsconfig.json`: `"@/*": ["./src/*"]`.

use std::path::{Path, PathBuf};

use promptls_data::{Format, NodeKey, Tree, read};

use super::joined;
use crate::files::{Files, Reading};

/// Names of files with paths of modules; the nearest counts.
const CONFIGS: [&str; 2] = ["tsconfig.json", "jsconfig.json"];

/// The maximum number of configs that extend each other, or that one refers to.
const MAX_CONFIGS: usize = 8;

/// The possible paths of a module, which is no relative one, in order of precedence; without their
/// extensions.
///
/// Cost: the nearest config, and those that it extends.
pub(super) fn paths_of(module: &str, host: &Path, root: &Path, files: &dyn Files) -> Vec<PathBuf> {
    let folders = host.ancestors().skip(1).take_while(|folder| folder.starts_with(root));
    let configs = folders.flat_map(|folder| CONFIGS.map(|name| folder.join(name)));
    let Some(config) = configs.into_iter().find(|config| files.is_there(config)) else {
        return Vec::new();
    };
    let mut left = vec![config];
    let mut found = Vec::new();
    let mut has_paths = false;
    for _ in 0..MAX_CONFIGS {
        let Some(config) = left.pop().filter(|config| config.starts_with(root)) else { break };
        let Ok(text) = files.read_as(&config, Reading::Shared) else { continue };
        let Ok(tree) = read(Format::Json, &text) else { continue };
        let folder = config.parent().unwrap_or(root);
        // The paths of a config replace those of the configs that it extends.
        if let Some(paths) = paths(&tree).filter(|_| !has_paths) {
            has_paths = true;
            let paths = paths_in(&tree, paths, module, folder);
            if !paths.is_empty() {
                return paths;
            }
        }
        found.extend(base_path(&tree, module, folder));
        let mut others = others(&tree, folder, !has_paths);
        others.append(&mut left);
        left = others;
    }
    found
}

/// The paths of modules in a config.
fn paths(tree: &Tree<'_>) -> Option<usize> {
    tree.member(option(tree, "compilerOptions")?, "paths")
}

/// The folder that paths of a config start at.
fn base(tree: &Tree<'_>, folder: &Path) -> Option<PathBuf> {
    let base = tree.member(option(tree, "compilerOptions")?, "baseUrl")?;
    Some(joined(folder, tree.text(base)?))
}

/// The paths of a module in a config, by the pattern with the longest start.
fn paths_in(tree: &Tree<'_>, paths: usize, module: &str, folder: &Path) -> Vec<PathBuf> {
    let base = base(tree, folder).unwrap_or(folder.to_owned());
    let fits = |entry: usize| {
        let NodeKey::Name(pattern) = &tree.nodes[entry].key else { return None };
        let Some((start, end)) = pattern.split_once('*') else {
            return (*pattern == module).then_some((usize::MAX, entry, ""));
        };
        let middle = module.strip_prefix(start)?.strip_suffix(end)?;
        Some((start.len(), entry, middle))
    };
    let Some((_, entry, middle)) = tree.children(paths).filter_map(fits).max_by_key(|it| it.0)
    else {
        return Vec::new();
    };
    let targets = tree.children(entry).filter_map(|target| tree.text(target));
    targets.map(|target| joined(&base, &target.replacen('*', middle, 1))).collect()
}

/// An entry at the top of a config.
fn option(tree: &Tree<'_>, key: &str) -> Option<usize> {
    tree.member(tree.documents.first()?.root?, key)
}

/// The path of a module below `baseUrl`.
fn base_path(tree: &Tree<'_>, module: &str, folder: &Path) -> Option<PathBuf> {
    Some(joined(&base(tree, folder)?, module))
}

/// The configs that a config extends or refers to; the most important is the last.
fn others(tree: &Tree<'_>, folder: &Path, with_references: bool) -> Vec<PathBuf> {
    let with_name = |path: &str| match path.ends_with(".json") {
        true => joined(folder, path),
        false => joined(folder, &format!("{path}.json")),
    };
    let references = option(tree, "references").into_iter().flat_map(|all| tree.children(all));
    let references = references.filter_map(|it| tree.text(tree.member(it, "path")?));
    let reference = |path: &str| match path.ends_with(".json") {
        true => joined(folder, path),
        false => joined(folder, path).join(CONFIGS[0]),
    };
    let mut others: Vec<PathBuf> = references.map(reference).filter(|_| with_references).collect();
    others.reverse();
    if let Some(extended) = option(tree, "extends") {
        let one = tree.text(extended).into_iter();
        let several = tree.children(extended).filter_map(|it| tree.text(it));
        let all = one.chain(several).filter(|path| path.starts_with('.'));
        others.extend(all.map(with_name));
    }
    others
}
