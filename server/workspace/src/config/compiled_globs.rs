//! A bounded cache of compiled globs.
//!
//! A compiled glob takes 35 KB, and a generated config may have 20,000. The cache is shared by all
//! configs; its key is the text of the glob.

use std::path::Path;
use std::sync::LazyLock;

use dashmap::DashMap;
use globset::{GlobBuilder, GlobMatcher};
use ignore::gitignore::{Gitignore, GitignoreBuilder};

/// The maximum number of cached globs of each kind: 35 MB.
const KEPT: usize = 1_000;

/// Compiled globs by text; `None` for an invalid glob.
struct GlobCache<T> {
    kept: DashMap<String, Option<T>>,
}

impl<T> GlobCache<T> {
    fn new() -> GlobCache<T> {
        GlobCache { kept: DashMap::new() }
    }

    /// Applies a function to a compiled glob; `compile` compiles it if it is not cached.
    fn with<A>(
        &self,
        glob: &str,
        compile: impl FnOnce(&str) -> Option<T>,
        query: impl FnOnce(&T) -> A,
    ) -> Option<A> {
        if let Some(known) = self.kept.get(glob) {
            return known.as_ref().map(query);
        }
        // The choice of dropped globs hardly matters: paths come folder by folder.
        if self.kept.len() >= KEPT {
            self.kept.clear();
        }
        let new = compile(glob);
        let answer = new.as_ref().map(query);
        self.kept.insert(glob.to_owned(), new);
        answer
    }
}

/// `true` if a glob with shell syntax matches a path relative to its folder.
pub fn is_match(glob: &str, path: &Path) -> bool {
    static COMPILED: LazyLock<GlobCache<GlobMatcher>> = LazyLock::new(GlobCache::new);
    let compile = |glob: &str| {
        let glob = GlobBuilder::new(glob).literal_separator(true).build();
        Some(glob.ok()?.compile_matcher())
    };
    let is_match = |matcher: &GlobMatcher| matcher.is_match(path);
    may_match(glob, path) && COMPILED.with(glob, compile, is_match).unwrap_or(false)
}

/// The result of one line with `.gitignore` syntax for a path relative to its folder: `true` if it
/// matches, `false` if it matches and begins with `!`, `None` if it does not match.
pub fn line_match(line: &str, path: &Path, is_folder: bool) -> Option<bool> {
    static COMPILED: LazyLock<GlobCache<Gitignore>> = LazyLock::new(GlobCache::new);
    let matched = |line: &Gitignore| {
        let matched = line.matched(path, is_folder);
        (!matched.is_none()).then(|| matched.is_ignore())
    };
    if !may_match(line, path) {
        return None;
    }
    let compile = |line: &str| {
        let mut builder = GitignoreBuilder::new("");
        builder.add_line(None, line).ok()?;
        builder.build().ok()
    };
    COMPILED.with(line, compile, matched).flatten()
}

/// `true` if a path contains the words of a glob. Nearly all paths that do not match fail this
/// check, so the glob is not compiled for them.
fn may_match(glob: &str, path: &Path) -> bool {
    path.to_str().is_none_or(|path| words(glob).all(|word| path.contains(word)))
}

/// Words that every path matched by a glob contains.
///
/// Characters in classes and alternatives are optional, so they are left out. A glob with
/// backslashes has no words.
pub fn words(glob: &str) -> impl Iterator<Item = &str> {
    // `#` starts a comment.
    let is_plain = !glob.contains('\\') && !glob.starts_with('#');
    let glob = if is_plain { glob } else { "" };
    let (before, after) = match glob.find(['[', '{']) {
        None => (glob, ""),
        Some(start) => {
            let end = glob.rfind([']', '}']).filter(|end| *end > start);
            (&glob[..start], end.map_or("", |end| &glob[end + 1..]))
        }
    };
    let words = [before, after].into_iter().flat_map(|it| it.split(['*', '?', '/', '!']));
    // Trailing spaces of a line are ignored.
    words.map(str::trim_end).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bounded_number_is_kept() {
        let compiled = GlobCache::new();
        for number in 0..3 * KEPT {
            let answer = compiled.with(&number.to_string(), |_| Some(number), |it| *it);
            assert_eq!(answer, Some(number));
        }
        assert!(compiled.kept.len() <= KEPT);
    }
}
