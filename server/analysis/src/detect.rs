//! Which dialect a prompt is written in, where nobody said it.

mod languages;

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashSet};

use promptls_syntax::{Clue, Dialect, TokenKind, name_range, tokenize};

use crate::code_spans::CodeSpans;

pub use languages::OtherLanguage;
use languages::language_of;

/// What a prompt may be written in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Detection {
    /// The best guess.
    pub dialect: Dialect,
    /// All that fit, the guess among them, in the order of [`Dialect::ALL`].
    pub fits: Vec<Dialect>,
    /// Other languages in which all of it could be written as well.
    pub alike: &'static [&'static str],
    /// Whether something in the text can hardly be meant in any other dialect than the guess.
    pub is_certain: bool,
    /// Whether the inputs have a name that it reads.
    pub has_known_name: bool,
    /// The language that it is written in, if that is none of ours.
    pub language: Option<OtherLanguage>,
}

/// Guesses the dialect of a prompt from its text, the keys of its inputs, and whether it has a
/// variables file.
///
/// What only one dialect can mean decides; else it may be another language, which its own marks
/// tell; else what most placeholders and keys speak for is the guess, and the others that explain
/// as much fit, too. Cost: the text is lexed once for each dialect, and read once more.
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
    // There is always one that is guessed.
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
    /// Why it is this dialect, in words, the strongest reasons first; `text` and `keys` are those
    /// that it was guessed from.
    ///
    /// Cost: the text is lexed once more.
    pub fn reasons(&self, text: &str, keys: &BTreeSet<&str>) -> Vec<String> {
        /// More of the same do not convince anybody.
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
            decisive.iter().map(|source| format!("`{source}` is only written in {id}")).collect();
        reasons.extend(known.iter().map(|source| format!("`{source}` has a value in the inputs")));
        let others = others(dialect, &self.fits, self.alike);
        let all = any_of(std::iter::once(id).chain(others)).unwrap_or_default();
        if let Some(source) = known.first().copied().or(any).filter(|_| all != id) {
            reasons.push(format!("`{source}` may be {all}"));
        }
        reasons
    }
}

/// What a prompt may be but for the guess: dialects that fit, then other languages.
pub(crate) fn others<'a>(
    guess: Dialect,
    fits: &'a [Dialect],
    alike: &'a [&'static str],
) -> impl Iterator<Item = &'static str> + 'a {
    let ids = fits.iter().filter(move |&&fits| fits != guess).map(|fits| fits.spec().id);
    ids.chain(alike.iter().copied())
}

/// `a, b or c`; `None` for nothing.
pub(crate) fn any_of(names: impl Iterator<Item = &'static str>) -> Option<String> {
    let names: Vec<&str> = names.collect();
    let (last, rest) = names.split_last()?;
    Some(if rest.is_empty() {
        (*last).to_owned()
    } else {
        format!("{} or {last}", rest.join(", "))
    })
}

/// How much speaks for a dialect.
#[derive(Clone, Copy, Debug)]
struct Score {
    dialect: Dialect,
    points: i64,
    /// Whether something can hardly be meant in any other dialect.
    is_decided: bool,
    has_known_name: bool,
    has_blocks: bool,
    /// How many distinct tags of other languages it would send as they are.
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
            if !is_known && speaks_for_nobody(source, name) {
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

    /// Whether a dialect may be meant as well as the best one.
    fn fits_beside(&self, best: &Score) -> bool {
        let explains_as_much = best.points > 0
            && self.points * 10 >= best.points * 8
            && self.foreign_tags <= best.foreign_tags
            && (self.is_decided || !best.is_decided);
        self.dialect == best.dialect || explains_as_much
    }

    /// See [`Detection::alike`].
    fn alike(&self) -> &'static [&'static str] {
        match (self.has_blocks, self.dialect.spec().open) {
            (true, _) => &["Handlebars"],
            (false, "{{") => &["Jinja", "Mustache"],
            (false, _) => &["a Python format string"],
        }
    }
}

/// Whether something in braces is rather code or data: an object, a block of code, a number of
/// times.
fn speaks_for_nobody(source: &str, name: &str) -> bool {
    (source.starts_with("{{") && source.contains(['\n', '"', '\'', ':']))
        || name.bytes().all(|byte| byte.is_ascii_digit())
}

/// From here on, a token can hardly be meant in any other dialect.
const DECISIVE: i64 = 20;

/// Whether a token can hardly be meant in any other dialect. Blocks can: other languages have
/// the same.
fn decides(dialect: Dialect, kind: TokenKind, source: &str, name: &str) -> bool {
    kind.reads() && !kind.is_block_tag() && weight(dialect, kind, source, name) >= DECISIVE
}

/// How much a token that the engine acts on speaks for a dialect.
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
