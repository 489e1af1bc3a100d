//! Detects the dialect of a prompt if nothing names it.

mod languages;

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashSet};

use promptls_syntax::{Clue, Dialect, TokenKind, name_range, tokenize};

use crate::code_spans::CodeSpans;

pub use languages::OtherLanguage;
use languages::language_of;

/// The possible dialects of a prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Detection {
    /// The most probable dialect, even if the text has no clue.
    pub dialect: Dialect,
    /// All plausible dialects, including the most probable one, in the order of [`Dialect::ALL`].
    pub fits: Vec<Dialect>,
    /// Other languages in which the whole text would be valid.
    pub alike: &'static [&'static str],
    /// Some syntax in the text is hardly plausible in any other dialect.
    pub is_certain: bool,
    /// The inputs have a name that the prompt reads.
    pub has_known_name: bool,
    /// The language of the text, if it is not a supported dialect.
    pub language: Option<OtherLanguage>,
}

/// Detects the dialect of a prompt from its text, the keys of its inputs, and whether it has a
/// variables file.
///
/// Syntax that only one dialect has decides. Otherwise the text may be in another language, which
/// has its own marks. Otherwise the dialect that explains most placeholders and keys is chosen, and
/// others that explain as much are also plausible. Cost: the text is tokenized once for each
/// dialect, and scanned once more.
///
/// ```
/// use std::collections::BTreeSet;
///
/// use promptls_analysis::detect;
/// use promptls_syntax::Dialect;
///
/// let found = detect("Dear {user:name},", &BTreeSet::new(), false);
/// assert_eq!(found.dialect, Dialect::Adk);
/// assert!(found.is_certain);
/// ```
pub fn detect(text: &str, keys: &BTreeSet<&str>, has_variables: bool) -> Detection {
    let code = CodeSpans::of(text);
    let mut scores: Vec<Score> = Dialect::ALL
        .into_iter()
        .filter(|dialect| dialect.spec().clues.is_some())
        .map(|dialect| Score::of(dialect, text, &code, keys, has_variables))
        .collect();
    let is_ours = scores.iter().any(|score| score.is_decided);
    let language = if is_ours { None } else { language_of(text, &code) };

    let rank = |dialect: Dialect| dialect.spec().clues.map(|clues| clues.rank);
    scores.sort_by_key(|score| (Reverse(score.points), rank(score.dialect)));
    // There is a score for every dialect, so the list is not empty.
    let best = scores[0];
    let mut fits: Vec<Dialect> =
        scores.iter().filter(|score| score.fits_beside(&best)).map(|score| score.dialect).collect();
    fits.sort();
    Detection {
        dialect: best.dialect,
        fits,
        alike: if best.is_decided { &[] } else { best.alike() },
        is_certain: best.is_decided,
        has_known_name: best.has_known_name,
        language,
    }
}

impl Detection {
    /// The reasons for this dialect as sentences, strongest first; `text` and `keys` are those of
    /// the call of [`detect`].
    ///
    /// Cost: the text is tokenized once more.
    pub fn reasons(&self, text: &str, keys: &BTreeSet<&str>) -> Vec<String> {
        /// The maximum number of similar reasons; more are not more convincing.
        const MOST: usize = 2;
        let dialect = self.dialect;
        let mut decisive = Vec::new();
        let mut known = Vec::new();
        let mut any = None;
        tokenize(dialect, text, |token| {
            let source = &text[token.range()];
            if !token.kind.reads() || source.contains(['\n', '`']) {
                return;
            }
            let name = &source[name_range(dialect, token.kind, source)];
            let others = if self.is_certain && decides(dialect, token.kind, source, name) {
                &mut decisive
            } else if keys.contains(promptls_resolver::first_key(dialect, name)) {
                &mut known
            } else {
                any = any.or(Some(source));
                return;
            };
            if others.len() < MOST && !others.contains(&source) {
                others.push(source);
            }
        });
        let id = dialect.spec().id;
        let mut reasons: Vec<String> =
            decisive.iter().map(|source| format!("`{source}` occurs only in {id}")).collect();
        reasons.extend(known.iter().map(|source| format!("`{source}` has a value in the inputs")));
        let others = others(dialect, &self.fits, self.alike);
        let all = any_of(std::iter::once(id).chain(others)).unwrap_or_default();
        if let Some(source) = known.first().copied().or(any).filter(|_| all != id) {
            reasons.push(format!("`{source}` is valid in {all}"));
        }
        reasons
    }
}

/// The alternatives to a guess: plausible dialects, then other languages.
pub(crate) fn others<'a>(
    guess: Dialect,
    fits: &'a [Dialect],
    alike: &'a [&'static str],
) -> impl Iterator<Item = &'static str> + 'a {
    let ids = fits.iter().filter(move |&&fits| fits != guess).map(|fits| fits.spec().id);
    ids.chain(alike.iter().copied())
}

/// Joins names as `a, b or c`; `None` for an empty list.
pub(crate) fn any_of(names: impl Iterator<Item = &'static str>) -> Option<String> {
    let names: Vec<&str> = names.collect();
    let (last, rest) = names.split_last()?;
    Some(if rest.is_empty() {
        (*last).to_owned()
    } else {
        format!("{} or {last}", rest.join(", "))
    })
}

/// The evidence for a dialect.
#[derive(Clone, Copy, Debug)]
struct Score {
    dialect: Dialect,
    points: i64,
    /// Some syntax is hardly plausible in any other dialect.
    is_decided: bool,
    has_known_name: bool,
    has_blocks: bool,
    /// The number of distinct tags of other languages that it would send unchanged.
    foreign_tags: usize,
}

impl Score {
    fn of(
        dialect: Dialect,
        text: &str,
        code: &CodeSpans,
        keys: &BTreeSet<&str>,
        has_variables: bool,
    ) -> Score {
        let mut score = Score {
            dialect,
            points: 0,
            is_decided: false,
            has_known_name: false,
            has_blocks: false,
            foreign_tags: 0,
        };
        let mut seen = HashSet::new();
        tokenize(dialect, text, |token| {
            let source = &text[token.range()];
            let name = &source[name_range(dialect, token.kind, source)];
            let is_known = keys.contains(promptls_resolver::first_key(dialect, name));
            if !is_known && is_code_or_data(source, name) {
                return;
            }
            let is_decisive = decides(dialect, token.kind, source, name);
            score.is_decided |= is_decisive && !code.is_fenced(token.start);
            if seen.insert((token.kind, name)) {
                score.add(token.kind, source, name, is_known);
            }
        });
        if has_variables && dialect.spec().declarations && score.points > 0 {
            score.points += 3;
        }
        score
    }

    fn add(&mut self, kind: TokenKind, source: &str, name: &str, is_known: bool) {
        self.has_blocks |= kind.is_block_tag();
        self.foreign_tags += usize::from(kind == TokenKind::Foreign);
        self.has_known_name |= is_known && kind.reads();
        self.points += match kind {
            TokenKind::NearMiss | TokenKind::Foreign => -2,
            TokenKind::Escape if is_known => -4,
            TokenKind::Escape => 1,
            kind => {
                let by_key = if kind == TokenKind::Placeholder && is_known { 6 } else { 0 };
                weight(self.dialect, kind, source, name) + by_key
            }
        };
    }

    /// Returns whether a dialect is as plausible as the best one.
    fn fits_beside(&self, best: &Score) -> bool {
        let explains_as_much = best.points > 0
            && self.points * 10 >= best.points * 8
            && self.foreign_tags <= best.foreign_tags
            && (self.is_decided || !best.is_decided);
        self.dialect == best.dialect || explains_as_much
    }

    /// The languages for [`Detection::alike`], chosen by the form of braces and blocks.
    fn alike(&self) -> &'static [&'static str] {
        match (self.has_blocks, self.dialect.spec().open) {
            (true, _) => &["Handlebars"],
            (false, "{{") => &["Jinja", "Mustache"],
            (false, _) => &["a Python format string"],
        }
    }
}

/// Returns whether text in braces is probably code or data: an object, a block of code, a
/// repetition count.
fn is_code_or_data(source: &str, name: &str) -> bool {
    (source.starts_with("{{") && source.contains(['\n', '"', '\'', ':']))
        || name.bytes().all(|byte| byte.is_ascii_digit())
}

/// The weight from which a token is hardly plausible in any other dialect.
const DECISIVE: i64 = 20;

/// Returns whether a token is hardly plausible in any other dialect. Block tags are never decisive,
/// because other languages have the same.
fn decides(dialect: Dialect, kind: TokenKind, source: &str, name: &str) -> bool {
    kind.reads() && !kind.is_block_tag() && weight(dialect, kind, source, name) >= DECISIVE
}

/// The weight of a token that the engine acts on, as evidence for a dialect.
fn weight(dialect: Dialect, kind: TokenKind, source: &str, name: &str) -> i64 {
    match kind {
        TokenKind::BlockOpen(_) | TokenKind::Optional => 40,
        TokenKind::BlockClose(_) => 20,
        _ => {
            let spec = dialect.spec();
            let clues = spec.clues.map_or(&[][..], |clues| clues.placeholders);
            let is_seen = |clue: &Clue| match *clue {
                Clue::NameStarts(start) => name.starts_with(start),
                Clue::NameHolds(character) => name.contains(character),
                Clue::DoubleBraces => source.starts_with("{{"),
                Clue::Blanks => source.len() > spec.open.len() + name.len() + spec.close.len(),
                Clue::OddName => !is_plain(name),
            };
            let clue = clues.iter().find(|(clue, _)| is_seen(clue));
            6 + clue.map_or(0, |&(_, weight)| weight)
        }
    }
}

fn is_plain(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte))
}

#[cfg(test)]
mod tests;
