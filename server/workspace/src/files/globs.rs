//! The files that a glob matches.
//!
//! `{stem}` in a rule yields a different glob for each of thousands of prompts, and each may match
//! thousands of files. So files are sorted by file name: candidates share the literal prefix of the
//! last part of the glob.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use globset::GlobBuilder;

use super::listing::Listing;
use super::paths::normal;
use crate::config::checked_glob::check;

/// The characters that make a path a glob.
const STARS: [char; 4] = ['*', '?', '[', '{'];

/// The glob of all files in all folders.
const EVERYWHERE: &str = "**";

/// The starting point for the search of a glob, and the rest of the glob there: the folder before
/// the first wildcard; or the only file that it can match, and an empty rest.
pub fn start_of_glob<'g>(folder: &Path, glob: &'g str) -> (PathBuf, &'g str) {
    let start = match glob.find(STARS) {
        Some(star) => glob[..star].rfind('/').map_or(0, |slash| slash + 1),
        None => glob.len(),
    };
    (normal(&folder.join(&glob[..start])), &glob[start..])
}

/// The files that a glob relative to a folder matches, sorted. `list` returns the names of the files
/// in a folder, sorted. `below` returns the files below a folder, ordered by [`by_name`]; it is called
/// only if a folder in the glob has wildcards.
///
/// Cost: a binary search, and a match for each file whose name has the literal prefix of the last
/// part of the glob.
pub fn expand(
    list: impl FnOnce(&Path) -> Arc<Listing>,
    folder: &Path,
    glob: &str,
    below: impl FnOnce(&Path) -> Arc<[PathBuf]>,
) -> Vec<PathBuf> {
    let (start, rest) = start_of_glob(folder, glob);
    if rest.is_empty() {
        return vec![start];
    }
    if check(rest).is_err() {
        return Vec::new();
    }
    let beginning = beginning_of_name(rest);
    let matcher = || {
        let glob = GlobBuilder::new(rest).literal_separator(true).build();
        glob.ok().map(|glob| glob.compile_matcher())
    };
    let mut matches = Vec::new();
    if rest.contains('/') || rest == EVERYWHERE {
        let all = below(&start);
        let near = beginning_so(&all, beginning, |path| name_of(path));
        if let (false, Some(matcher)) = (near.is_empty(), matcher()) {
            let is_match = |path: &&PathBuf| {
                path.strip_prefix(&start).is_ok_and(|relative| matcher.is_match(relative))
            };
            matches.extend(near.iter().filter(is_match).cloned());
        }
    } else {
        let names = list(&start);
        let near = beginning_so(&names, beginning, |name| name.as_bytes());
        if let (false, Some(matcher)) = (near.is_empty(), matcher()) {
            let meant = near.iter().filter(|name| matcher.is_match(name));
            matches.extend(meant.map(|name| start.join(name)));
        }
    }
    matches.sort();
    matches
}

/// Files sorted by file name, regardless of their folders.
pub fn by_name(mut files: Vec<PathBuf>) -> Arc<[PathBuf]> {
    files.sort_unstable_by(|path, other| name_of(path).cmp(name_of(other)));
    files.into()
}

fn name_of(path: &Path) -> &[u8] {
    path.file_name().unwrap_or_default().as_encoded_bytes()
}

/// The literal prefix of the names of all matching files.
fn beginning_of_name(glob: &str) -> &str {
    let (folders, name) = glob.rsplit_once('/').unwrap_or(("", glob));
    // A slash inside braces or brackets is no separator.
    if folders.contains(['[', '{', '\\']) {
        return "";
    }
    let end = name.find(|letter| STARS.contains(&letter) || letter == '\\');
    &name[..end.unwrap_or(name.len())]
}

/// The range of a sorted list whose names have a prefix.
fn beginning_so<'a, T>(all: &'a [T], beginning: &str, name: impl Fn(&T) -> &[u8]) -> &'a [T] {
    let beginning = beginning.as_bytes();
    let start = all.partition_point(|one| name(one) < beginning);
    let len = all[start..].partition_point(|one| name(one).starts_with(beginning));
    &all[start..start + len]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_literal_start_of_file_names_of_a_glob_is_found() {
        for (glob, beginning) in [
            ("a*.json", "a"),
            ("**/a.json", "a.json"),
            ("*/a-{x,y}.json", "a-"),
            ("*", ""),
            ("a**", "a"),
            ("x{a,b/c}.json", ""),
            ("[a/b]c.json", ""),
            (r"a\*.json", "a"),
            ("*/[[]ab].json", ""),
        ] {
            assert_eq!(beginning_of_name(glob), beginning, "{glob}");
        }
    }

    #[test]
    fn filtering_by_prefix_does_not_change_the_matches_of_a_glob() {
        let paths = ["b/a.json", "a.json", "b/ab.json", "c/a.json", "c/d/a.txt", "c/b.json"];
        let all = by_name(paths.iter().map(|path| Path::new("/p").join(path)).collect());
        for (glob, expected) in [
            ("**/a.json", &["a.json", "b/a.json", "c/a.json"][..]),
            ("*/a*.json", &["b/a.json", "b/ab.json", "c/a.json"]),
            ("{b,c/d}/a.*", &["b/a.json", "c/d/a.txt"]),
            ("*/x.json", &[]),
            ("**", &["a.json", "b/a.json", "b/ab.json", "c/a.json", "c/b.json", "c/d/a.txt"]),
            ("{a", &[]),
        ] {
            let found = expand(|_| Arc::default(), Path::new("/p"), glob, |_| all.clone());
            let expected: Vec<PathBuf> =
                expected.iter().map(|path| Path::new("/p").join(path)).collect();
            assert_eq!(found, expected, "{glob}");
        }
    }
}
