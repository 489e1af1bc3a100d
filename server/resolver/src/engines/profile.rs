//! What is known of an engine: what it is called, where it was read, how its versions act.

use std::fmt;

use promptls_syntax::Dialect;

use crate::behaviour::Behaviour;

/// An engine that prompts are resolved for, in all its versions.
pub struct Profile {
    /// What it is called in `promptls.toml` and on the command line: `adk-python`.
    pub id: &'static str,
    /// What it is called in a sentence.
    pub title: &'static str,
    /// What it is written in, which decides what a value of an inputs file is to it.
    pub language: Language,
    /// The packages that it comes in, as the package managers of its language call them:
    /// `google-adk`, `com.google.adk:google-adk`. None if it comes in no package of its own.
    pub packages: &'static [&'static str],
    /// Where it was read and run.
    pub source: &'static str,
    /// The newest version that is known.
    pub newest: Version,
    /// Versions that act alike, the oldest first. There is always one.
    pub(crate) spans: &'static [Span],
}

/// Versions of an engine that act alike: from one on, up to the next span.
pub(crate) struct Span {
    pub from: Version,
    /// What it does otherwise than the span before it; the first, than the document.
    pub differs: &'static [&'static str],
    pub behaviour: Behaviour,
}

/// What an engine is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// Java.
    Java,
    /// Kotlin.
    Kotlin,
    /// Go.
    Go,
    /// JavaScript and TypeScript.
    JavaScript,
    /// Python.
    Python,
}

/// A version: major, minor, patch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version(pub [u32; 3]);

impl fmt::Display for Version {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [major, minor, patch] = self.0;
        write!(out, "{major}.{minor}.{patch}")
    }
}

impl Profile {
    /// The dialect of its prompts.
    pub fn dialect(&self) -> Dialect {
        self.spans[0].behaviour.dialect()
    }

    /// The oldest version that is known.
    pub fn oldest(&self) -> Version {
        self.spans[0].from
    }

    /// Where its versions begin to act otherwise, the oldest first, and what they do then: the
    /// first otherwise than the document, the others than the one before.
    pub fn versions(&self) -> impl Iterator<Item = (Version, &'static [&'static str])> {
        self.spans.iter().map(|span| (span.from, span.differs))
    }
}

impl PartialEq for Profile {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl fmt::Debug for Profile {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Profile({})", self.id)
    }
}
