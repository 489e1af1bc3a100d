//! Destinations of resolved text: a string alone, or with its source map.

use std::ops::Range;
use std::sync::Arc;

use crate::findings::problem::Location;
use crate::source_map::{Run, RunKind, SourceMap, Via};
use memchr::memchr2;

/// The origin of a piece of output.
#[derive(Clone, Copy)]
pub(crate) struct OutputOrigin<'a> {
    /// The range of the placeholder in the prompt.
    pub source: (usize, usize),
    /// The name or path in the placeholder; empty in [`OutputOrigin::NOWHERE`].
    pub path: &'a str,
    /// The location of the value.
    pub location: Option<&'a Location>,
}

impl OutputOrigin<'_> {
    /// The origin of a text whose origin is not needed.
    pub const NOWHERE: OutputOrigin<'static> =
        OutputOrigin { source: (0, 0), path: "", location: None };
}

/// Receives resolved text piece by piece.
pub(crate) trait Output {
    /// `true` if it uses origins at all.
    const KEEPS_ORIGINS: bool;

    /// Receives a piece of the prompt itself.
    fn literal(&mut self, text: &str, source: Range<usize>);

    /// Receives braces from an escape.
    fn escape(&mut self, text: &str, source: Range<usize>);

    /// Receives a value that `write` appends.
    fn value(&mut self, origin: OutputOrigin<'_>, write: impl FnOnce(&mut Bounded));

    /// Sets the path of later output; `None` resets it.
    fn set_via(&mut self, via: impl FnOnce() -> Option<Arc<Via>>);

    /// The text so far; incomplete once [`Output::is_full`] returns `true`.
    fn text(&self) -> &str;

    /// `true` if the limit was exceeded: nothing more is accepted.
    fn is_full(&self) -> bool;

    /// Prepares for this many more bytes, at most up to the limit.
    fn reserve(&mut self, bytes: usize);
}

/// An estimate of the length of a prompt's resolved text. Unused memory costs nearly nothing,
/// growing costs a copy.
pub(crate) fn likely_len(prompt: &str) -> usize {
    prompt.len() + prompt.len() / 4
}

/// A string with a maximum length.
#[derive(Debug)]
pub(crate) struct Bounded {
    pub text: String,
    limit: usize,
    full: bool,
    /// `true` if a piece that is too long is cut at the limit.
    cuts: bool,
}

impl Bounded {
    pub fn new(limit: usize, capacity: usize) -> Self {
        Bounded {
            text: String::with_capacity(capacity.min(limit)),
            limit,
            full: false,
            cuts: false,
        }
    }

    /// For previews only: a source map would not match the cut text.
    pub fn cutting(limit: usize) -> Self {
        Bounded { cuts: true, ..Bounded::new(limit, 64) }
    }

    #[inline]
    pub fn push(&mut self, text: &str) {
        if self.text.len() + text.len() <= self.limit && !self.full {
            self.text.push_str(text);
        } else {
            if self.cuts && !self.full {
                let room = text.floor_char_boundary(self.limit - self.text.len());
                self.text.push_str(&text[..room]);
            }
            self.full = true;
        }
    }

    pub fn is_full(&self) -> bool {
        self.full
    }
}

/// Keeps the text and ignores all origins.
impl Output for Bounded {
    const KEEPS_ORIGINS: bool = false;

    #[inline]
    fn literal(&mut self, text: &str, _: Range<usize>) {
        self.push(text);
    }

    #[inline]
    fn escape(&mut self, text: &str, _: Range<usize>) {
        self.push(text);
    }

    #[inline]
    fn value(&mut self, _: OutputOrigin<'_>, write: impl FnOnce(&mut Bounded)) {
        write(self);
    }

    #[inline]
    fn set_via(&mut self, _: impl FnOnce() -> Option<Arc<Via>>) {}

    fn text(&self) -> &str {
        &self.text
    }

    fn reserve(&mut self, bytes: usize) {
        let most = self.limit.saturating_sub(self.text.len());
        self.text.reserve(bytes.min(most));
    }

    #[inline]
    fn is_full(&self) -> bool {
        self.full
    }
}

/// The text and its source map.
pub(crate) struct Mapped {
    pub out: Bounded,
    pub map: SourceMap,
    via: Option<Arc<Via>>,
    /// The path of the previous run: placeholders of one name share it.
    last_path: Option<Arc<str>>,
}

impl Mapped {
    pub fn new(limit: usize, capacity: usize) -> Self {
        Mapped {
            out: Bounded::new(limit, capacity),
            map: SourceMap::default(),
            via: None,
            last_path: None,
        }
    }

    fn run(&mut self, start: usize, kind: RunKind, source: Range<usize>) -> Option<&mut Run> {
        let output = start..self.out.text.len();
        self.map.runs.push(Run {
            output,
            kind,
            source,
            path: None,
            origin: None,
            via: self.via.clone(),
            parts: Vec::new(),
        });
        self.map.runs.last_mut()
    }
}

impl Output for Mapped {
    const KEEPS_ORIGINS: bool = true;

    fn literal(&mut self, text: &str, source: Range<usize>) {
        let start = self.out.text.len();
        self.out.push(text);
        if self.out.text.len() > start {
            self.run(start, RunKind::Literal, source);
        }
    }

    fn escape(&mut self, text: &str, source: Range<usize>) {
        let start = self.out.text.len();
        self.out.push(text);
        if self.out.text.len() > start {
            self.run(start, RunKind::Escape, source);
        }
    }

    fn value(&mut self, origin: OutputOrigin<'_>, write: impl FnOnce(&mut Bounded)) {
        let start = self.out.text.len();
        write(&mut self.out);
        let path = match &self.last_path {
            Some(path) if **path == *origin.path => path.clone(),
            _ => Arc::from(origin.path),
        };
        self.last_path = Some(path.clone());
        // An empty value has a run, too, so that it can be located.
        if let Some(run) = self.run(start, RunKind::Value, origin.source.0..origin.source.1) {
            run.path = Some(path);
            run.origin = origin.location.cloned();
        }
    }

    fn set_via(&mut self, via: impl FnOnce() -> Option<Arc<Via>>) {
        self.via = via();
    }

    fn text(&self) -> &str {
        &self.out.text
    }

    fn reserve(&mut self, bytes: usize) {
        self.out.reserve(bytes);
    }

    fn is_full(&self) -> bool {
        self.out.is_full()
    }
}

/// `true` if a text contains a brace. A plain loop, because most values are short, and a vectorized
/// search takes longer to start.
#[inline]
pub(crate) fn has_brace(text: &[u8]) -> bool {
    const SHORT: usize = 32;
    match text.len() < SHORT {
        true => text.iter().any(|byte| matches!(byte, b'{' | b'}')),
        false => memchr2(b'{', b'}', text).is_some(),
    }
}
