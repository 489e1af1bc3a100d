//! Which dialect a prompt is written in, where nobody said it.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use promptls_syntax::{Clue, Dialect, TokenKind, name_range, tokenize};

/// What a prompt may be written in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Detection {
    /// The best guess.
    pub dialect: Dialect,
    /// All that fit, the guess among them, in the order of [`Dialect::ALL`].
    pub fits: Vec<Dialect>,
}

/// Guesses the dialect of a prompt from its text, the keys of its inputs, and whether it has a
/// variables file.
///
/// What only one dialect can mean decides; else what most placeholders and keys speak for, and
/// the others that explain as much fit, too. Cost: the text is lexed once for each dialect.
///
/// ```
/// use std::collections::BTreeSet;
///
/// use promptls_analysis::detect;
/// use promptls_syntax::Dialect;
///
/// let found = detect("Dear {user:name},", &BTreeSet::new(), false);
/// assert_eq!(found.dialect, Dialect::Adk);
/// ```
pub fn detect(text: &str, keys: &BTreeSet<&str>, has_variables: bool) -> Detection {
    let mut scores: Vec<(i64, Dialect)> = Dialect::ALL
        .into_iter()
        .filter(|dialect| dialect.spec().clues.is_some())
        .map(|dialect| (score(dialect, text, keys, has_variables), dialect))
        .collect();
    let best = scores.iter().map(|(score, _)| *score).max().unwrap_or_default();
    let fits: Vec<Dialect> = scores
        .iter()
        .filter(|(score, _)| best > 0 && *score * 10 >= best * 8)
        .map(|(_, dialect)| *dialect)
        .collect();
    let rank = |dialect: Dialect| dialect.spec().clues.map(|clues| clues.rank);
    scores.sort_by_key(|&(score, dialect)| (Reverse(score), rank(dialect)));
    // There is always one that is guessed.
    let (_, dialect) = scores[0];
    if fits.is_empty() {
        Detection { dialect, fits: vec![dialect] }
    } else {
        Detection { dialect, fits }
    }
}

impl Detection {
    /// Whether something in the text, which it was guessed from, can hardly be meant in any
    /// other way. Cost: the text is lexed once more.
    pub fn is_certain(&self, text: &str) -> bool {
        let mut is_certain = false;
        tokenize(self.dialect, text, |token| {
            let source = &text[token.range()];
            let name = &source[name_range(self.dialect, token.kind, source)];
            is_certain |=
                token.kind.reads() && weight(self.dialect, token.kind, source, name) >= DECISIVE;
        });
        is_certain
    }

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
            let others = if weight(dialect, token.kind, source, name) >= DECISIVE {
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
        let others: Vec<&str> =
            self.fits.iter().filter(|&&fits| fits != dialect).map(|fits| fits.spec().id).collect();
        if let Some(source) = known.first().copied().or(any)
            && !others.is_empty()
        {
            reasons.push(format!("`{source}` may be {}, too", others.join(" or ")));
        }
        reasons
    }
}

/// How much speaks for a dialect.
fn score(dialect: Dialect, text: &str, keys: &BTreeSet<&str>, has_variables: bool) -> i64 {
    let mut score = 0;
    let mut seen = BTreeSet::new();
    tokenize(dialect, text, |token| {
        let source = &text[token.range()];
        let name = &source[name_range(dialect, token.kind, source)];
        if !seen.insert((token.kind, name.to_owned())) {
            return;
        }
        let known = keys.contains(promptls_resolver::first_key(dialect, name));
        score += match token.kind {
            TokenKind::NearMiss | TokenKind::Foreign => -2,
            TokenKind::Escape if known => -4,
            TokenKind::Escape => 1,
            kind => {
                let by_key = if kind == TokenKind::Placeholder && known { 6 } else { 0 };
                weight(dialect, kind, source, name) + by_key
            }
        };
    });
    if has_variables && dialect.spec().declarations && score > 0 {
        score += 3;
    }
    score
}

/// From here on, a token can hardly be meant in any other dialect.
const DECISIVE: i64 = 16;

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
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, keys: &[&str], expected: &str) {
        let detection = detect(text, &keys.iter().copied().collect(), false);
        let ids = |dialects: &[Dialect]| {
            dialects.iter().map(|dialect| dialect.spec().id).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(
            format!("{} of {}", detection.dialect.spec().id, ids(&detection.fits)),
            expected
        );
    }

    #[test]
    fn what_only_one_dialect_can_mean_decides() {
        check("{{#if a}}b{{/if}}", &[], "agentle of agentle");
        check("{app:name} {x}", &[], "adk of adk");
        check("{x?}", &[], "adk of adk");
        check("{task_0.output_1}", &[], "entaingine of entaingine");
        check("{{items[0].title}}", &[], "promptpack of promptpack");
    }

    #[test]
    fn where_several_fit_all_of_them_are_named() {
        check("Hello {name}", &[], "agentensemble of agentensemble adk");
        check("Hello {{name}}", &[], "promptpack of promptpack agentle");
        check("Hello {{ name }}", &[], "agentle of agentle");
        check("Use {FILE_CONTENT}", &[], "agentensemble of agentensemble adk entaingine");
    }

    #[test]
    fn inputs_tell_placeholders_from_escapes() {
        check("Hello {{name}}", &["name"], "promptpack of promptpack agentle");
        check("Say {topic}, not {{this}}", &["topic"], "agentensemble of agentensemble adk");
    }

    #[track_caller]
    fn check_reasons(text: &str, keys: &[&str], expected: &[&str]) {
        let keys = keys.iter().copied().collect();
        assert_eq!(detect(text, &keys, false).reasons(text, &keys), expected);
    }

    #[test]
    fn reasons_are_in_words() {
        check_reasons(
            "{user:name?} {x} {user:name?} {app:y} {app:z}",
            &[],
            &["`{user:name?}` is only written in adk", "`{app:y}` is only written in adk"],
        );
        check_reasons("{{#if a}}b{{/if}}", &[], &["`{{#if a}}` is only written in agentle"]);
        check_reasons(
            "Say {topic}, not {{this}}",
            &["topic"],
            &["`{topic}` has a value in the inputs", "`{topic}` may be adk, too"],
        );
        check_reasons("Hello {name}", &[], &["`{name}` may be adk, too"]);
    }
}
