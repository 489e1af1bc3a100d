//! A prompt as a plan: literals, slots, blocks. Compiled once (`compile.rs`), resolved many times.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::LazyLock;

use promptls_syntax::{BlockKind, Dialect};
use regex::Regex;

use crate::behaviour::Behaviour;
use crate::path;
use crate::resolve_context::ResolveContext;
use crate::value::{Entry, Value};

/// A step of the plan. Ranges are in bytes of the prompt.
#[derive(Clone, Debug)]
pub(crate) enum Op<'t> {
    /// Literal text, and its start.
    Literal(&'t str, usize),
    /// A placeholder; `source` includes its braces.
    Slot {
        source: Range<usize>,
        /// The index of its path in the template.
        path: usize,
        optional: bool,
    },
    /// A doubled pair of braces and the name in it, or one doubled brace.
    Escape(Range<usize>),
    /// Text at which the engine raises an error.
    Malformed(Range<usize>),
    /// An active block, and the index of the step after its closer.
    // An `end` of 32 bits makes the largest step a quarter smaller. 4 GiB of steps would require a
    // prompt of that size.
    Block { kind: BlockKind, source: Range<usize>, path: usize, end: u32 },
    /// The closer of a block.
    End,
}

/// A name or path that the prompt uses.
#[derive(Clone, Debug)]
pub(crate) struct Path<'t> {
    /// The name in its dialect.
    pub name: Cow<'t, str>,
    /// The [`key_hash`] of its first key.
    pub root_hash: u64,
    /// `true` if it is certainly a single whole key, in any dialect.
    pub is_key: bool,
    /// Its reference to the item of the enclosing loop.
    pub this: This<'t>,
}

/// The value of `this` inside a loop.
#[derive(Clone, Copy, Debug)]
pub enum Item<'a> {
    /// An item of a list.
    Value(&'a Value),
    /// An entry of a map.
    Entry(&'a Entry),
}

/// The reference of a path to the item of a loop.
#[derive(Clone, Copy, Debug)]
pub(crate) enum This<'t> {
    /// The path does not start at the item.
    No,
    /// The item itself, or the target of further steps from it.
    Item(&'t str),
    /// A member of the item: a separate case, because it is so common.
    Member(&'t str),
}

/// A part of a chat, in the order of its messages.
#[derive(Clone, Copy, Debug)]
pub enum ChatPart<'t, 'p> {
    /// A message with a template.
    Template(&'t Template<'p>),
    /// Messages that must be supplied as a value with this name.
    Supplied(&'t str),
}

/// A compiled prompt.
///
/// It borrows the text, and contains no inputs: it can be resolved any number of times, also from
/// several threads.
#[derive(Clone, Debug)]
pub struct Template<'t> {
    pub(crate) engine: &'static dyn Behaviour,
    pub(crate) text: &'t str,
    pub(crate) ops: Vec<Op<'t>>,
    pub(crate) paths: Vec<Path<'t>>,
    /// `true` if a prompt with only texts as values is resolved placeholder by placeholder.
    pub(crate) is_orderly: bool,
    /// `true` if its literals contain braces, for engines that read these again.
    pub(crate) has_loose_braces: bool,
}

/// A template, and the inputs that it is resolved with.
// A pair of references, which is passed in registers like two parameters.
#[derive(Clone, Copy)]
pub(crate) struct Execution<'e> {
    pub template: &'e Template<'e>,
    pub given: &'e ResolveContext<'e>,
}

/// The usual maximum number of paths, as an initial capacity. A hash table of 16 holds as many.
pub(crate) const FEW_PATHS: usize = 14;

impl<'t> Template<'t> {
    /// The dialect that it was compiled for.
    pub fn dialect(&self) -> Dialect {
        self.engine.facts().dialect()
    }

    /// The source text of the prompt, as it was compiled.
    pub fn text(&self) -> &'t str {
        self.text
    }

    /// The names and paths that the prompt reads, each once, in the order of first use.
    pub fn path_names(&self) -> impl Iterator<Item = &str> {
        self.paths.iter().map(|path| &*path.name)
    }

    /// The names and paths of all placeholders, in order.
    pub fn slot_names(&self) -> impl Iterator<Item = &str> {
        self.ops.iter().filter_map(|op| match op {
            Op::Slot { path, .. } => Some(&*self.paths[*path].name),
            _ => None,
        })
    }

    /// The number of pieces: literals, placeholders, escapes and block tags.
    pub fn pieces(&self) -> usize {
        self.ops.len()
    }

    /// The root names that the prompt uses, sorted, as the engine's own listing returns them.
    pub fn names(&self) -> Vec<String> {
        static OPENERS: LazyLock<Regex> = LazyLock::new(|| {
            Regex::new(r"\{\{#(?:if|each)\s+([^}]+)\}\}").expect("the pattern is valid")
        });
        let spec = self.dialect().spec();
        let slots = self.ops.iter().filter_map(|op| match op {
            Op::Slot { path, .. } => Some(path::root(self.dialect(), &self.paths[*path].name)),
            _ => None,
        });
        let mut names: BTreeSet<&str> = slots.collect();
        if !spec.blocks.is_empty() {
            // Agentle also lists the names in headers that it does not treat as blocks.
            names.extend(OPENERS.captures_iter(self.text).filter_map(|header| {
                let name = header.get(1)?.as_str().trim_matches(|character| character <= ' ');
                Some(path::root(self.dialect(), name))
            }));
        }
        names.into_iter().filter(|name| spec.item != Some(name)).map(str::to_owned).collect()
    }

    /// `true` if the prompt contains a block marker, even a misspelt one: it changes Agentle's
    /// handling of names without a value.
    pub fn has_block_marker(&self) -> bool {
        has_block_marker(self.dialect(), self.text)
    }
}

/// `true` if the text contains the start of a block of the dialect, such as `{{#if`.
pub fn has_block_marker(dialect: Dialect, text: &str) -> bool {
    dialect.spec().blocks.iter().any(|block| {
        let marker: &[u8] = match block {
            BlockKind::If => b"{{#if",
            BlockKind::Each => b"{{#each",
        };
        memchr::memmem::find(text.as_bytes(), marker).is_some()
    })
}
