//! References to engines by users: `adk-python@2.13`.

use std::fmt;

use promptls_syntax::Dialect;

use super::profile::{Profile, Version};
use super::{ENGINES, RESERVED};
use crate::engine::Engine;

/// An engine in a version, as a user named it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EngineRef {
    /// The engine, with the data of all its versions.
    pub profile: &'static Profile,
    /// The requested parts of the version: `2.13` is `[2, 13]`. Without parts, it is the newest
    /// version.
    requested: PartialVersion,
    /// The index of the version in the spans of the profile.
    span: usize,
    /// The index of the text that it resolves among the fields of the profile.
    field: Option<usize>,
}

/// Up to three parts of a version.
#[derive(Clone, Copy, Debug, PartialEq)]
struct PartialVersion {
    parts: [u32; 3],
    len: usize,
}

/// The reason why a text refers to no engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unusable {
    /// No engine has this name.
    Unknown(String),
    /// The engine exists, but its behaviour is not available: the name and the reason.
    Reserved(&'static str, &'static str),
    /// The text after the `@` is not a version.
    Version(String),
}

impl Profile {
    /// The engine in each of its version spans, the oldest first.
    pub fn engines(&self) -> impl Iterator<Item = Engine> {
        self.spans.iter().map(|span| Engine::new(span.behaviour))
    }
}

impl EngineRef {
    /// Parses `ID` or `ID@VERSION`: one to three numbers separated by dots, or `latest`.
    ///
    /// A short version means the newest one with that prefix. An unknown version behaves like the
    /// nearest older known one.
    ///
    /// ```
    /// use promptls_resolver::EngineRef;
    ///
    /// let engine = EngineRef::parse("adk-python@2").unwrap();
    /// assert_eq!(engine.version().to_string(), "2.13.0");
    /// assert_eq!(engine.to_string(), "adk-python@2");
    /// assert!(EngineRef::parse("adk-python@3").unwrap().is_unknown_version());
    /// assert!(EngineRef::parse("adk-ruby").is_err());
    /// ```
    pub fn parse(text: &str) -> Result<EngineRef, Unusable> {
        let (id, version) = match text.split_once('@') {
            Some((id, version)) => (id, Some(version)),
            None => (text, None),
        };
        let Some(profile) = ENGINES.iter().copied().find(|profile| profile.id == id) else {
            let reserved = RESERVED.iter().find(|reserved| reserved.id == id);
            return Err(match reserved {
                Some(reserved) => Unusable::Reserved(reserved.id, reserved.reason),
                None => Unusable::Unknown(id.to_owned()),
            });
        };
        let requested = match version {
            None | Some("latest") => PartialVersion { parts: [0; 3], len: 0 },
            Some(version) => PartialVersion::parse(version)
                .ok_or_else(|| Unusable::Version(version.to_owned()))?,
        };
        let most = requested.most();
        let span = profile.spans.iter().rposition(|span| span.from.0 <= most).unwrap_or(0);
        Ok(EngineRef { profile, requested, span, field: None })
    }

    /// The engine in this version.
    pub fn engine(&self) -> Engine {
        Engine::new(match self.field {
            Some(field) => self.profile.fields[field].behaviours[self.span],
            None => self.profile.spans[self.span].behaviour,
        })
    }

    /// The same engine for one text of its framework, by its keyword or key. CrewAI resolves
    /// `expected_output` in another way than `description`.
    ///
    /// ```
    /// use promptls_resolver::EngineRef;
    ///
    /// let description = EngineRef::parse("crewai@0.108").unwrap();
    /// assert_ne!(description.of_field("expected_output").engine(), description.engine());
    /// assert_eq!(description.of_field("description"), description);
    /// ```
    pub fn of_field(self, name: &str) -> EngineRef {
        let field = self.profile.fields.iter().position(|field| field.name == name);
        EngineRef { field, ..self }
    }

    /// The dialect of its prompts.
    pub fn dialect(&self) -> Dialect {
        self.profile.dialect()
    }

    /// The version that it stands for, which may be unknown.
    pub fn version(&self) -> Version {
        let newest = self.profile.newest;
        match self.requested.len {
            3 => Version(self.requested.parts),
            _ if self.requested.is_start_of(newest) => newest,
            // Versions between behaviour changes are not listed individually.
            _ => {
                let from = self.profile.spans[self.span].from;
                if self.requested.is_start_of(from) { from } else { Version(self.requested.parts) }
            }
        }
    }

    /// `true` if it is newer or older than all known versions: then the behaviour of the nearest
    /// one is used.
    pub fn is_unknown_version(&self) -> bool {
        let PartialVersion { parts, len } = self.requested;
        parts[..len] > self.profile.newest.0[..len]
            || self.requested.most() < self.profile.spans[0].from.0
    }

    /// The first version with the same behaviour.
    pub fn since(&self) -> Version {
        self.profile.spans[self.span].from
    }
}

impl PartialVersion {
    fn parse(version: &str) -> Option<PartialVersion> {
        let version = version.strip_prefix('v').unwrap_or(version);
        let mut requested = PartialVersion { parts: [0; 3], len: 0 };
        let numbers = without_tail(version);
        for part in numbers.split('.') {
            let is_number = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
            *requested.parts.get_mut(requested.len)? = part.parse().ok().filter(|_| is_number)?;
            requested.len += 1;
        }
        Some(requested)
    }

    /// The newest version with this prefix.
    fn most(&self) -> [u32; 3] {
        let mut most = [u32::MAX; 3];
        most[..self.len].copy_from_slice(&self.parts[..self.len]);
        most
    }

    fn is_start_of(&self, version: Version) -> bool {
        version.0[..self.len] == self.parts[..self.len]
    }
}

/// A version without its pre-release suffix: `rc1`, `-rc.1`, `.dev0`.
fn without_tail(version: &str) -> &str {
    let end = version.find(|character: char| character.is_ascii_alphabetic() || character == '-');
    match end {
        Some(end) if end > 0 => version[..end].trim_end_matches('.'),
        _ => version,
    }
}

/// Displays the reference in source form.
impl fmt::Display for EngineRef {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.profile.id)?;
        for (index, part) in self.requested.parts[..self.requested.len].iter().enumerate() {
            write!(out, "{}{part}", if index == 0 { '@' } else { '.' })?;
        }
        Ok(())
    }
}

impl fmt::Display for Unusable {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unusable::Unknown(id) => write!(out, "unknown engine `{id}`"),
            Unusable::Reserved(id, why) => write!(out, "`{id}` is not supported: {why}"),
            Unusable::Version(version) => {
                write!(out, "invalid version `{version}`; use one to three numbers, as in `2.13`")
            }
        }
    }
}

impl std::error::Error for Unusable {}
