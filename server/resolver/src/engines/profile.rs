//! Profiles of engines: names, sources, and the behaviour of versions.

use std::fmt;

use promptls_syntax::Dialect;

use crate::behaviour::Behaviour;

/// An engine that resolves prompts, in all its versions.
pub struct Profile {
    /// Its id in `promptls.toml` and on the command line: `adk-python`.
    pub id: &'static str,
    /// Its display name, such as `ADK for Python`.
    pub title: &'static str,
    /// Its implementation language, which determines the types of values from inputs files.
    pub language: Language,
    /// Its packages, as named by the package managers of its language: `google-adk`,
    /// `com.google.adk:google-adk`. Empty if it has no package of its own.
    pub packages: &'static [&'static str],
    /// The source code that was read and executed.
    pub source: &'static str,
    /// The newest known version; newer ones behave like it and are reported.
    pub newest: Version,
    /// Groups of versions with the same behaviour, the oldest first; never empty.
    pub(crate) spans: &'static [Span],
    /// The texts of its framework that it resolves in another way.
    pub(crate) fields: &'static [Field],
}

/// A text of a framework whose engine differs from that of its other texts.
pub(crate) struct Field {
    /// The keyword or key of the text: `expected_output`.
    pub name: &'static str,
    /// The behaviour in each span of the profile.
    pub behaviours: &'static [&'static dyn Behaviour],
}

/// Versions of an engine with the same behaviour: from one on, up to the next span.
pub(crate) struct Span {
    pub from: Version,
    /// The differences from the previous span; for the first, from the document.
    pub differs: &'static [&'static str],
    pub behaviour: &'static dyn Behaviour,
}

/// An existing engine whose behaviour is not available.
pub struct ReservedEngine {
    /// Its id, which `promptls.toml` and the command line refuse.
    pub id: &'static str,
    /// Its display name, such as `Langfuse for JavaScript`.
    pub title: &'static str,
    /// The dialect of the documented engine that is the most similar.
    pub dialect: Dialect,
    /// Its implementation language, which selects it in code.
    pub language: Language,
    /// Its packages; empty if it is an option of another engine.
    pub packages: &'static [&'static str],
    /// The id of the engine whose versions before its first span are this one.
    pub older_than: Option<&'static str>,
    /// Why it is not available.
    pub reason: &'static str,
}

/// The implementation language of an engine; a project's engine is selected by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// Java, the language of `adk-java` and others.
    Java,
    /// Kotlin, the language of `adk-kotlin`.
    Kotlin,
    /// Go, the language of `adk-go` and `promptkit-go`.
    Go,
    /// JavaScript and TypeScript, which share their engines.
    JavaScript,
    /// Python, the language of `adk-python` and others.
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
        self.spans[0].behaviour.facts().dialect()
    }

    /// The oldest known version; older ones behave like it and are reported.
    pub fn oldest(&self) -> Version {
        self.spans[0].from
    }

    /// The versions at which the behaviour changes, the oldest first, with the differences: for the
    /// first from the document, for the others from the previous one.
    pub fn versions(&self) -> impl Iterator<Item = (Version, &'static [&'static str])> {
        self.spans.iter().map(|span| (span.from, span.differs))
    }
}

impl fmt::Debug for ReservedEngine {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.id)
    }
}

impl PartialEq for ReservedEngine {
    fn eq(&self, other: &ReservedEngine) -> bool {
        self.id == other.id
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
