//! Near misses: literal braces that look like a placeholder. Each dialect defines its own remarks
//! about them.

use promptls_resolver::{Code, Severity, root};
use promptls_syntax::{Dialect, near_miss_word, tokenize};

use crate::snapshot::Snapshot;
use crate::suggest::KnownNames;

/// Literal braces that look like a placeholder, with possible intended names.
pub(crate) struct NearMiss<'t> {
    pub dialect: Dialect,
    /// The source text, including braces.
    pub token: &'t str,
    /// The word or path in it, without whitespace and marks.
    pub word: &'t str,
    /// The prompt that contains it and determines the known names.
    snapshot: &'t Snapshot,
    /// The evidence that a remark requires.
    pub takes: Evidence,
    /// The known names for suggestions, and the number of near misses.
    near: Option<(&'t KnownNames<'t>, usize)>,
}

/// The evidence that a name was intended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Evidence {
    /// The name is known. Required in code, where braces have many other meanings.
    Known,
    /// The name is known or similar to a known one. Sufficient for a prompt with inputs.
    Near,
    /// The form of the name. Sufficient if no names are known.
    Shape,
}

/// The message about a near miss.
pub(crate) struct Remark {
    pub message: String,
    pub severity: Severity,
}

impl<'t> NearMiss<'t> {
    pub fn new(snapshot: &'t Snapshot, token: &'t str, takes: Evidence) -> Self {
        let (dialect, word) = (snapshot.dialect(), &token[near_miss_word(token)]);
        NearMiss { dialect, token, word, snapshot, takes, near: None }
    }

    /// Sets the known names for suggestions, and the number of near misses. Without this call, no
    /// name is similar.
    pub fn among(self, names: &'t KnownNames<'t>, count: usize) -> Self {
        NearMiss { near: Some((names, count)), ..self }
    }

    /// The remark about the near miss, if there is any. `of_dialect` returns remarks that are
    /// specific to its dialect.
    pub fn remark(
        &self,
        of_dialect: impl FnOnce(&NearMiss<'_>) -> Option<Remark>,
    ) -> Option<Remark> {
        let spec = self.dialect.spec();
        // Two braces in prose have no other explanation; a single one may be code, even before a
        // known name.
        let is_meant = match self.has_two_braces() && spec.open == "{{" {
            true => self.is_word_known() || !self.is_in_code(),
            false => self.is_word_known() && !self.is_in_code(),
        };
        let meant = || self.closed().filter(|meant| self.is_fixed_by(self.dialect, meant));
        if self.has_no_closer() {
            let (close, meant) = (spec.close, meant().filter(|_| is_meant)?);
            return self.left_because(&format!("`{close}` is missing after it; write `{meant}`"));
        }
        if self.stands_apart() && spec.open == "{{" {
            let meant = meant().filter(|_| self.is_word_known())?;
            return self.left_because(&format!("its braces must be adjacent; write `{meant}`"));
        }
        of_dialect(self)
    }

    /// The intended text; `of_dialect` returns corrections that are specific to its dialect.
    pub fn meant(
        &self,
        of_dialect: impl FnOnce(&NearMiss<'_>) -> Option<String>,
    ) -> Option<String> {
        self.closed().or_else(|| of_dialect(self))
    }

    /// The word in complete braces, if some are missing or separated.
    fn closed(&self) -> Option<String> {
        let spec = self.dialect.spec();
        (self.has_no_closer() || self.stands_apart() && spec.open == "{{")
            .then(|| format!("{}{}{}", spec.open, self.word, spec.close))
    }

    /// Returns whether fewer braces are after the word than before it.
    pub fn has_no_closer(&self) -> bool {
        let opens = self.token.len() - self.token.trim_start_matches('{').len();
        let closes = self.token.len() - self.token.trim_end_matches('}').len();
        closes < opens
    }

    /// Returns whether there are two braces on each side, separated by whitespace.
    fn stands_apart(&self) -> bool {
        let inner = self.token.strip_prefix('{').unwrap_or_default().trim_start();
        !self.has_two_braces() && inner.starts_with('{')
    }

    /// Returns whether the word is known, or the first step of its path is.
    pub fn is_word_known(&self) -> bool {
        self.is_known(self.word) || self.is_known(root(self.dialect, self.word))
    }

    /// Returns whether a name, or the first step of a path, may have been intended.
    pub fn may_mean(&self, name: &str) -> bool {
        let first = name.split(['.', '[']).next().unwrap_or_default();
        match self.takes {
            Evidence::Known => self.is_known(name) || self.is_known(first),
            Evidence::Near => self.is_near(name) || self.is_near(first),
            Evidence::Shape => true,
        }
    }

    pub fn is_in_code(&self) -> bool {
        self.takes == Evidence::Known
    }

    pub fn is_known(&self, name: &str) -> bool {
        self.snapshot.is_known(name)
    }

    /// Returns whether a name is known, or similar to a known one.
    pub fn is_near(&self, name: &str) -> bool {
        let is_near =
            |(names, count): (&KnownNames<'_>, usize)| names.nearest(name, count).is_some();
        self.is_known(name) || self.near.is_some_and(is_near)
    }

    /// The known name that is most similar to the word.
    pub fn similar(&self) -> Option<&'t str> {
        let (names, count) = self.near?;
        let near = names.nearest(self.word, count)?;
        // Several words in braces are prose, unless they are those of a name.
        let is_meant = !self.word.contains(' ') || letters_of(near).eq(letters_of(self.word));
        is_meant.then_some(near)
    }

    pub fn has_two_braces(&self) -> bool {
        self.token.starts_with("{{")
    }

    /// The text between the braces.
    pub fn inside(&self) -> &'t str {
        self.token.trim_matches(['{', '}'])
    }

    /// Returns whether there is whitespace around the word.
    pub fn has_blanks(&self) -> bool {
        self.inside() != self.inside().trim()
    }

    /// A remark that the text is sent unchanged, with the reason.
    pub fn left_because(&self, why: &str) -> Option<Remark> {
        let message = format!("`{}` is sent unchanged: {why}", self.token);
        Some(Remark { message, severity: Code::MalformedPlaceholder.severity() })
    }

    /// The remark for a single brace in a dialect with two.
    pub fn missing_braces(&self) -> Option<Remark> {
        let word = self.word;
        match self.is_word_known() && !self.has_blanks() {
            true => self.left_because(&format!("a placeholder has two braces, `{{{{{word}}}}}`")),
            false => None,
        }
    }

    /// Returns whether another text is certainly the intended one: the engine acts on all of it.
    pub fn is_fixed_by(&self, dialect: Dialect, meant: &str) -> bool {
        let mut is_token = false;
        tokenize(dialect, meant, |found| {
            let acts = found.kind.reads() || found.kind.is_block_tag();
            is_token = acts && found.flaw.is_none() && found.range() == (0..meant.len());
        });
        is_token && meant != self.token
    }
}

/// The letters and digits of a name, without the separators of its words.
fn letters_of(name: &str) -> impl Iterator<Item = char> {
    let letters = name.chars().filter(|character| character.is_alphanumeric());
    letters.map(|letter| letter.to_ascii_lowercase())
}

/// Returns whether the text in double braces is certainly code, not a name: an object,
/// `color: "red"`, numbers, or nothing at all.
pub(crate) fn is_code(name: &str) -> bool {
    name.starts_with(['"', '\''])
        || name.contains(": ")
        || name.chars().all(|character| character.is_ascii_digit() || ", .".contains(character))
}
