//! An engine as people name it: `adk-python@2.13`.

use std::fmt;

use promptls_syntax::Dialect;

use super::ENGINES;
use super::profile::{Profile, Version};
use crate::engine::Engine;

/// An engine in a version, as somebody named it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EngineRef {
    /// Which engine.
    pub profile: &'static Profile,
    /// The version that was asked for, as far as it was said: `2.13` is `[2, 13]`. Of no parts is
    /// the newest.
    asked: Asked,
    /// Where in the profile's spans that is.
    span: usize,
}

/// Up to three parts of a version.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Asked {
    parts: [u32; 3],
    len: usize,
}

/// Why a text names no engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unusable {
    /// There is no engine of this name.
    Unknown(String),
    /// There is, but nobody has its behaviour, and why.
    Reserved(&'static str, &'static str),
    /// What stands behind the `@` is no version.
    Version(String),
}

/// Engines that exist, with the reason why there is no profile of them.
const RESERVED: [(&str, &str); 2] = [
    ("adk-python-jinja2", "no template engine for Rust does what Jinja2 does byte for byte"),
    ("langfuse-js", "its templates are Mustache, which none of the dialects is"),
];

impl Profile {
    /// What it does, in each of its spans of versions, the oldest first.
    pub fn engines(&self) -> impl Iterator<Item = Engine> {
        self.spans.iter().map(|span| Engine::new(&span.behaviour))
    }
}

impl EngineRef {
    /// Reads `ID` or `ID@VERSION`: one to three numbers with points between them, or `latest`.
    ///
    /// A short version means the newest one that starts so. One that is not known acts as the
    /// nearest older one that is.
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
            let reserved = RESERVED.into_iter().find(|(reserved, _)| *reserved == id);
            return Err(match reserved {
                Some((id, why)) => Unusable::Reserved(id, why),
                None => Unusable::Unknown(id.to_owned()),
            });
        };
        let asked = match version {
            None | Some("latest") => Asked { parts: [0; 3], len: 0 },
            Some(version) => {
                Asked::parse(version).ok_or_else(|| Unusable::Version(version.to_owned()))?
            }
        };
        let most = asked.most();
        let span = profile.spans.iter().rposition(|span| span.from.0 <= most).unwrap_or(0);
        Ok(EngineRef { profile, asked, span })
    }

    /// What it does.
    pub fn engine(&self) -> Engine {
        Engine::new(&self.profile.spans[self.span].behaviour)
    }

    /// The dialect of its prompts.
    pub fn dialect(&self) -> Dialect {
        self.profile.dialect()
    }

    /// The version that it stands for, which may be one that nobody has seen.
    pub fn version(&self) -> Version {
        let newest = self.profile.newest;
        match self.asked.len {
            3 => Version(self.asked.parts),
            _ if self.asked.is_start_of(newest) => newest,
            // Of the versions between those at which something changed, none is known by its name.
            _ => {
                let from = self.profile.spans[self.span].from;
                if self.asked.is_start_of(from) { from } else { Version(self.asked.parts) }
            }
        }
    }

    /// Whether it is newer than all versions that are known, or older: then it is taken for the
    /// nearest.
    pub fn is_unknown_version(&self) -> bool {
        let Asked { parts, len } = self.asked;
        parts[..len] > self.profile.newest.0[..len]
            || self.asked.most() < self.profile.spans[0].from.0
    }

    /// Where the engine's versions begin that act like this one.
    pub fn since(&self) -> Version {
        self.profile.spans[self.span].from
    }
}

impl Asked {
    fn parse(version: &str) -> Option<Asked> {
        let version = version.strip_prefix('v').unwrap_or(version);
        let mut asked = Asked { parts: [0; 3], len: 0 };
        let numbers = without_tail(version);
        for part in numbers.split('.') {
            let is_number = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
            *asked.parts.get_mut(asked.len)? = part.parse().ok().filter(|_| is_number)?;
            asked.len += 1;
        }
        Some(asked)
    }

    /// The newest version that starts so.
    fn most(&self) -> [u32; 3] {
        let mut most = [u32::MAX; 3];
        most[..self.len].copy_from_slice(&self.parts[..self.len]);
        most
    }

    fn is_start_of(&self, version: Version) -> bool {
        version.0[..self.len] == self.parts[..self.len]
    }
}

/// A version without what makes it one before its time: `rc1`, `-rc.1`, `.dev0`.
fn without_tail(version: &str) -> &str {
    let end = version.find(|character: char| character.is_ascii_alphabetic() || character == '-');
    match end {
        Some(end) if end > 0 => version[..end].trim_end_matches('.'),
        _ => version,
    }
}

/// As it was named.
impl fmt::Display for EngineRef {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.profile.id)?;
        for (index, part) in self.asked.parts[..self.asked.len].iter().enumerate() {
            write!(out, "{}{part}", if index == 0 { '@' } else { '.' })?;
        }
        Ok(())
    }
}

impl fmt::Display for Unusable {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unusable::Unknown(id) => write!(out, "`{id}` is no engine that is known here"),
            Unusable::Reserved(id, why) => write!(out, "`{id}` is not covered: {why}"),
            Unusable::Version(version) => {
                write!(out, "`{version}` is no version: one to three numbers are, as in `2.13`")
            }
        }
    }
}

impl std::error::Error for Unusable {}
