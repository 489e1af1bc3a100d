//! The globs of rules, and an index of them.
//!
//! A path that a glob matches contains all literal words of the glob. So all words of all globs are
//! searched for in a path at once. Only globs whose rarest word was found are then tried.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

use aho_corasick::AhoCorasick;

use super::checked_glob::check_line;
use super::compiled_globs::{line_match, words};

/// Globs with `.gitignore` syntax, relative to a folder: the last match decides.
#[derive(Clone, Debug, Default)]
pub struct RuleGlobs(Vec<String>);

impl RuleGlobs {
    /// Compiles globs. For invalid ones, returns sentences with the reason.
    pub fn new(patterns: Vec<String>) -> (RuleGlobs, Vec<String>) {
        let (mut globs, mut errors) = (Vec::new(), Vec::new());
        for pattern in patterns {
            match check_line(&pattern) {
                Ok(()) => globs.push(pattern),
                Err(reason) => errors.push(reason),
            }
        }
        (RuleGlobs(globs), errors)
    }

    /// `true` if the globs include a path relative to their folder.
    ///
    /// Cost: a search for the words of each glob.
    pub fn matches(&self, path: &Path) -> bool {
        self.decide(path, false).unwrap_or(false)
    }

    /// `true` if the last glob that matches a path includes it; `None` if no glob matches.
    pub(crate) fn decide(&self, path: &Path, is_folder: bool) -> Option<bool> {
        self.0.iter().rev().find_map(|glob| line_match(glob, path, is_folder))
    }

    /// `true` if this is the only glob.
    pub(crate) fn is_only(&self, pattern: &str) -> bool {
        self.0 == [pattern]
    }

    /// Globs that match all files.
    pub(crate) fn all() -> RuleGlobs {
        RuleGlobs(vec!["*".to_owned()])
    }
}

/// An index of which globs of rules may match a path.
#[derive(Debug, Default)]
pub struct GlobIndex {
    words: Option<AhoCorasick>,
    /// The globs that require each word.
    by_word: Vec<Vec<Position>>,
    /// Globs without literal words, which are tried for each path.
    any: Vec<Position>,
}

/// The positions of a rule and of one of its globs.
type Position = (usize, usize);

impl GlobIndex {
    /// Builds an index of the globs of some rules.
    ///
    /// Cost: the length of all globs.
    pub fn new<'g>(rules: impl Iterator<Item = &'g RuleGlobs> + Clone) -> GlobIndex {
        let mut uses: HashMap<&str, usize> = HashMap::new();
        for word in rules.clone().flat_map(|rule| &rule.0).flat_map(|glob| words(glob)) {
            *uses.entry(word).or_default() += 1;
        }
        let (mut index, mut all) = (GlobIndex::default(), Vec::new());
        let mut ids: HashMap<&str, usize> = HashMap::new();
        for (rule, globs) in rules.enumerate() {
            for (glob, pattern) in globs.0.iter().enumerate() {
                let rarest = words(pattern).min_by_key(|word| uses[word]);
                let Some(word) = rarest else {
                    index.any.push((rule, glob));
                    continue;
                };
                let id = *ids.entry(word).or_insert(all.len());
                if id == all.len() {
                    all.push(word);
                    index.by_word.push(Vec::new());
                }
                index.by_word[id].push((rule, glob));
            }
        }
        match AhoCorasick::new(all) {
            Ok(words) => index.words = Some(words),
            // The library does not support that many words.
            Err(_) => {
                index.any = std::mem::take(&mut index.by_word).into_iter().flatten().collect();
            }
        }
        index
    }

    /// The globs that may match a path relative to their folder: by rule, the last one first.
    ///
    /// Cost: the length of the path, and the globs whose rarest word it contains.
    fn candidates(&self, path: &Path) -> Vec<Position> {
        let mut candidates: Vec<Position> = match path.to_str() {
            Some(path) => {
                let found = self.words.iter().flat_map(|words| words.find_overlapping_iter(path));
                let found = found.flat_map(|word| &self.by_word[word.pattern().as_usize()]);
                found.chain(&self.any).copied().collect()
            }
            None => self.by_word.iter().flatten().chain(&self.any).copied().collect(),
        };
        candidates.sort_unstable_by_key(|(rule, glob)| (*rule, Reverse(*glob)));
        candidates.dedup();
        candidates
    }

    /// The rules with a glob that may match a path or one of its folders, in order. The path may
    /// begin with folders outside that of the globs.
    ///
    /// Cost: the number of candidates.
    pub(crate) fn near(&self, path: &Path) -> Vec<usize> {
        let mut rules: Vec<usize> =
            self.candidates(path).into_iter().map(|(rule, _)| rule).collect();
        rules.dedup();
        rules
    }

    /// The rules that match a path relative to their folder, in order. `globs` returns the globs of
    /// a rule.
    ///
    /// Cost: the number of candidates; thousands of rules may have the same glob, which is tried
    /// once.
    pub fn rules_for<'g>(
        &self,
        path: PathBuf,
        globs: impl Fn(usize) -> &'g RuleGlobs,
    ) -> impl Iterator<Item = usize> {
        let mut decided = None;
        let mut last: (&str, Option<bool>) = ("", None);
        self.candidates(&path).into_iter().filter_map(move |(rule, glob)| {
            if decided == Some(rule) {
                return None;
            }
            let glob = &*globs(rule).0[glob];
            if last.0 != glob {
                last = (glob, line_match(glob, &path, false));
            }
            let is_match = last.1?;
            decided = Some(rule);
            is_match.then_some(rule)
        })
    }
}

#[cfg(test)]
mod tests {
    use ignore::gitignore::GitignoreBuilder;
    use proptest::prelude::*;

    use super::*;

    fn globs(patterns: &[&str]) -> RuleGlobs {
        RuleGlobs::new(patterns.iter().map(|it| (*it).to_owned()).collect()).0
    }

    fn matches(rules: &[RuleGlobs], path: &str) -> Vec<usize> {
        let index = GlobIndex::new(rules.iter());
        index.rules_for(path.into(), |rule| &rules[rule]).collect()
    }

    #[test]
    fn only_globs_with_a_word_of_the_path_are_candidates() {
        let rules = [&["a1/*.md"][..], &["**/x2*.md", "!x2b.md"], &["*"], &["[ab].md"], &["b.py"]];
        let rules = rules.map(globs);
        let index = GlobIndex::new(rules.iter());
        assert_eq!(index.any, [(2, 0)]);
        assert_eq!(index.by_word.iter().map(Vec::len).collect::<Vec<_>>(), [1, 1, 1, 1, 1]);
        assert_eq!(matches(&rules, "a1/b.md"), [0, 2, 3]);
        assert_eq!(matches(&rules, "d/x2.md"), [1, 2]);
        assert_eq!(matches(&rules, "d/x2b.md"), [2]);
    }

    #[test]
    fn few_of_thousands_of_globs_are_tried() {
        let rules: Vec<RuleGlobs> =
            (0..4_000).map(|number| globs(&[&format!("**/x{number}-*.md")])).collect();
        let index = GlobIndex::new(rules.iter());
        let tried = |number: usize| index.candidates(Path::new(&format!("a/x{number}-b.md"))).len();
        assert_eq!((0..5_000).map(tried).sum::<usize>(), 4_000);
    }

    /// The matching rules, if the library tries each rule separately.
    fn one_by_one(rules: &[Vec<String>], path: &str) -> Vec<usize> {
        let is_match = |(_, lines): &(usize, &Vec<String>)| {
            let mut builder = GitignoreBuilder::new("");
            for line in *lines {
                let _ = builder.add_line(None, line);
            }
            let rule = builder.build().expect("short globs can be compiled");
            rule.matched(Path::new(path), false).is_ignore()
        };
        rules.iter().enumerate().filter(is_match).map(|(rule, _)| rule).collect()
    }

    proptest! {
        #[test]
        fn the_index_matches_like_each_rule_separately(
            rules in prop::collection::vec(prop::collection::vec(
                "!?/?(\\*\\*/)?[ab*?\\[\\]{},\\\\!#/ ]{0,7}(/\\*\\*)?", 1..4), 1..6),
            path in "[ab# !,\\]}]{1,3}(/[ab# !,]{1,3}){0,2}",
        ) {
            let globs: Vec<RuleGlobs> =
                rules.iter().map(|lines| RuleGlobs::new(lines.clone()).0).collect();
            let expected = one_by_one(&rules, &path);
            prop_assert_eq!(matches(&globs, &path), &*expected);
            let alone = globs.iter().enumerate().filter(|(_, it)| it.matches(Path::new(&path)));
            prop_assert_eq!(alone.map(|(rule, _)| rule).collect::<Vec<_>>(), expected);
        }
    }
}
