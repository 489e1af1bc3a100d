//! Near misses: literal braces that come near to a placeholder. What is to be said of them, each
//! dialect knows itself.

use promptls_resolver::{Code, Severity, root};
use promptls_syntax::{Dialect, near_miss_word, tokenize};

use crate::snapshot::Snapshot;
use crate::suggest::KnownNames;

/// Literal braces that look like a placeholder, and the names that may be meant.
pub(crate) struct NearMiss<'t> {
    pub dialect: Dialect,
    /// How it is written, braces included.
    pub token: &'t str,
    /// The word or path in it, without blanks and marks.
    pub word: &'t str,
    /// The prompt that it stands in, which says which names are known.
    snapshot: &'t Snapshot,
    /// What it takes to say that a name is meant.
    pub takes: Evidence,
    /// The known names, to find those that are near, and how many near misses there are.
    near: Option<(&'t KnownNames<'t>, usize)>,
}

/// What it takes to say that a name is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Evidence {
    /// That it is known: in code, braces stand for much else.
    Known,
    /// That it is known, perhaps with slips: who has names writes those.
    Near,
    /// Its shape: no names are known.
    Shape,
}

/// What is to be said of a near miss.
pub(crate) struct Remark {
    pub message: String,
    pub severity: Severity,
}

impl<'t> NearMiss<'t> {
    pub fn new(snapshot: &'t Snapshot, token: &'t str, takes: Evidence) -> Self {
        let (dialect, word) = (snapshot.dialect(), &token[near_miss_word(token)]);
        NearMiss { dialect, token, word, snapshot, takes, near: None }
    }

    /// The same as one of so many; without this, no name is near.
    pub fn among(self, names: &'t KnownNames<'t>, count: usize) -> Self {
        NearMiss { near: Some((names, count)), ..self }
    }

    /// What is to be said of it, if anything; `of_dialect` knows what only its dialect can.
    pub fn remark(&self, of_dialect: fn(&NearMiss<'_>) -> Option<Remark>) -> Option<Remark> {
        let spec = self.dialect.spec();
        // Two braces in prose are explained by nothing else; a single one may be code, even before
        // a name that is known.
        let is_meant = match self.has_two_braces() && spec.open == "{{" {
            true => self.is_word_known() || !self.is_in_code(),
            false => self.is_word_known() && !self.is_in_code(),
        };
        let meant = || self.closed().filter(|meant| self.is_mended_by(self.dialect, meant));
        if self.lacks_closer() {
            let (close, meant) = (spec.close, meant().filter(|_| is_meant)?);
            return self.left_because(&format!("`{close}` is missing behind it; write `{meant}`"));
        }
        if self.stands_apart() && spec.open == "{{" {
            let meant = meant().filter(|_| self.is_word_known())?;
            return self.left_because(&format!("its braces must touch; write `{meant}`"));
        }
        of_dialect(self)
    }

    /// What its author means; `of_dialect` as above.
    pub fn meant(&self, of_dialect: fn(&NearMiss<'_>) -> Option<String>) -> Option<String> {
        self.closed().or_else(|| of_dialect(self))
    }

    /// The word in whole braces, where some are missing or stand apart.
    fn closed(&self) -> Option<String> {
        let spec = self.dialect.spec();
        (self.lacks_closer() || self.stands_apart() && spec.open == "{{")
            .then(|| format!("{}{}{}", spec.open, self.word, spec.close))
    }

    /// Whether fewer braces stand behind the word than before it.
    pub fn lacks_closer(&self) -> bool {
        let opens = self.token.len() - self.token.trim_start_matches('{').len();
        let closes = self.token.len() - self.token.trim_end_matches('}').len();
        closes < opens
    }

    /// Whether there are two braces on each side, with blanks between them.
    fn stands_apart(&self) -> bool {
        let inner = self.token.strip_prefix('{').unwrap_or_default().trim_start();
        !self.has_two_braces() && inner.starts_with('{')
    }

    /// Whether the word is known, or the first step of a path.
    fn is_word_known(&self) -> bool {
        self.is_known(self.word) || self.is_known(root(self.dialect, self.word))
    }

    /// Whether a name, or the first step of a path, may be meant.
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

    /// Whether a name is known, or that of a known one with slips.
    pub fn is_near(&self, name: &str) -> bool {
        let is_near =
            |(names, count): (&KnownNames<'_>, usize)| names.nearest(name, count).is_some();
        self.is_known(name) || self.near.is_some_and(is_near)
    }

    /// The known name that comes nearest to the word.
    pub fn similar(&self) -> Option<&'t str> {
        let (names, count) = self.near?;
        let near = names.nearest(self.word, count)?;
        // Words in braces are prose, unless they are those of a name.
        let is_meant = !self.word.contains(' ') || letters_of(near).eq(letters_of(self.word));
        is_meant.then_some(near)
    }

    pub fn has_two_braces(&self) -> bool {
        self.token.starts_with("{{")
    }

    /// What stands between the braces.
    pub fn inside(&self) -> &'t str {
        self.token.trim_matches(['{', '}'])
    }

    /// Whether there are blanks round the word.
    pub fn has_blanks(&self) -> bool {
        self.inside() != self.inside().trim()
    }

    /// What happens to it, and why.
    pub fn left_because(&self, why: &str) -> Option<Remark> {
        let message = format!("`{}` is sent as it is: {why}", self.token);
        Some(Remark { message, severity: Code::MalformedPlaceholder.severity() })
    }

    /// What is to be said where a placeholder has two braces, and this has one.
    pub fn lacks_braces(&self) -> Option<Remark> {
        let word = self.word;
        match self.is_word_known() && !self.has_blanks() {
            true => self.left_because(&format!("a placeholder has two braces, `{{{{{word}}}}}`")),
            false => None,
        }
    }

    /// Whether another text is certainly what was meant: the engine acts on all of it.
    pub fn is_mended_by(&self, dialect: Dialect, meant: &str) -> bool {
        let mut is_token = false;
        tokenize(dialect, meant, |found| {
            let acts = found.kind.reads() || found.kind.is_block_tag();
            is_token = acts && found.flaw.is_none() && found.range() == (0..meant.len());
        });
        is_token && meant != self.token
    }
}

/// The letters and digits of a name, however its words are joined.
fn letters_of(name: &str) -> impl Iterator<Item = char> {
    let letters = name.chars().filter(|character| character.is_alphanumeric());
    letters.map(|letter| letter.to_ascii_lowercase())
}

/// Whether what stands in doubled braces is surely code, and no name: an object, `color: "red"`,
/// numbers, or nothing at all.
pub(crate) fn is_code(name: &str) -> bool {
    name.starts_with(['"', '\''])
        || name.contains(": ")
        || name.chars().all(|character| character.is_ascii_digit() || ", .".contains(character))
}
