//! Gates: words without which a file has no prompts, so that it is not parsed.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use promptls_syntax::Dialect;

use crate::code::recognisers::{recognisers, words_of_use};
use crate::code::rule::CodeEntry;
use crate::gate::Gate;
use crate::language::Language;
use crate::marks;

/// `true` if a code file may have prompts, or use those of other files.
///
/// Cost: a search for a few words. Nearly no file contains any, so most code costs no more than
/// this.
pub fn may_hold(language: Language, source: &str, rules: &[(CodeEntry, Dialect)]) -> bool {
    !rules.is_empty() || gate(language).opens(source)
}

/// `true` if a code file may have prompts, or use those or the classes of other files.
///
/// Cost: that of [`may_hold`], with a few more words. Files with only these are parsed, and the
/// modules from which they import a possible agent are looked up.
pub fn may_use(language: Language, source: &str, rules: &[(CodeEntry, Dialect)]) -> bool {
    static GATES: LazyLock<HashMap<Language, Gate>> = LazyLock::new(|| {
        let all = |language: Language| {
            let words = words(language).into_iter();
            (language, Gate::new(words.chain(words_of_use(language).iter().copied())))
        };
        Language::all().map(all).collect()
    });
    !rules.is_empty() || GATES[&language].opens(source)
}

/// `true` if a trigger word of any language may be written at or next to a range. Without such a
/// word, the file may have no prompts.
///
/// Cost: a search in the bytes next to the range.
pub(crate) fn may_open(source: &str, range: &Range<usize>) -> bool {
    // All trigger words, and the length of the longest.
    static ANY: LazyLock<(Gate, usize)> = LazyLock::new(|| {
        let packages = Language::all().flat_map(recognisers).flat_map(|row| row.packages);
        let words: Vec<&str> = marks::OPENERS.into_iter().chain(packages.copied()).collect();
        let longest = words.iter().map(|word| word.len()).max();
        (Gate::new(words), longest.unwrap_or_default())
    });
    let (gate, longest) = &*ANY;
    let start = source.floor_char_boundary(range.start.saturating_sub(*longest));
    let end = source.ceil_char_boundary((range.end + longest).min(source.len()));
    let touches =
        |word: Range<usize>| start + word.start <= range.end && range.start <= start + word.end;
    gate.any(&source[start..end], touches)
}

/// The gate that decides whether a file of a language may have prompts.
fn gate(language: Language) -> &'static Gate {
    static GATES: LazyLock<HashMap<Language, Gate>> = LazyLock::new(|| {
        let gate = |language: Language| (language, Gate::new(words(language)));
        Language::all().map(gate).collect()
    });
    &GATES[&language]
}

/// Words of which every code file of a language with prompts contains at least one, unless rules
/// name it: packages of frameworks, and prefixes of marks.
pub fn words(language: Language) -> Vec<&'static str> {
    let mut packages: Vec<&str> =
        recognisers(language).flat_map(|row| row.packages).copied().collect();
    packages.sort_unstable();
    packages.dedup();
    marks::OPENERS.into_iter().chain(packages).collect()
}
