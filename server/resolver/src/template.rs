//! A prompt as a plan: literal text, slots, blocks. Made once (`compile.rs`), resolved many times.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::LazyLock;

use promptls_syntax::{BlockKind, Dialect};
use regex::Regex;

use crate::behaviour::Behaviour;
use crate::path;
use crate::value::{Entry, Value};

/// A step of the plan. Ranges are bytes of the prompt.
#[derive(Clone, Debug)]
pub(crate) enum Op<'t> {
    /// Text that stays as it is, and where it starts.
    Literal(&'t str, usize),
    /// A placeholder.
    Slot {
        source: Range<usize>,
        /// Which of the template's paths.
        path: usize,
        optional: bool,
    },
    /// A doubled pair of braces and the name in it.
    Escape(Range<usize>),
    /// A block in force, and the operation behind its closer.
    // An `end` of 32 bits makes the largest operation a quarter smaller. 4 GiB of operations
    // would take a prompt of that size.
    Block { kind: BlockKind, source: Range<usize>, path: usize, end: u32 },
    /// Its closer.
    End,
}

/// A name or path that the prompt uses.
#[derive(Clone, Debug)]
pub(crate) struct Path<'t> {
    /// As its dialect reads it.
    pub name: Cow<'t, str>,
    /// The [`key_hash`] of its first key.
    pub root_hash: u64,
    /// Whether it is surely one key, whole, in any dialect.
    pub is_key: bool,
    /// What it has to do with the item of the loop around it.
    pub this: This<'t>,
}

/// What `this` is inside a loop.
#[derive(Clone, Copy, Debug)]
pub enum Item<'a> {
    /// An item of a list.
    Value(&'a Value),
    /// An entry of a map.
    Entry(&'a Entry),
}

/// How a path refers to the item of a loop.
#[derive(Clone, Copy, Debug)]
pub(crate) enum This<'t> {
    /// Not at all.
    No,
    /// It is the item, or what these further steps lead to.
    Item(&'t str),
    /// A member of the item: so common that it is worth its own case.
    Member(&'t str),
}

/// A compiled prompt.
///
/// It borrows the text, and holds nothing of any inputs: resolve it as often as
/// you like, from several threads too.
#[derive(Clone, Debug)]
pub struct Template<'t> {
    pub(crate) engine: &'static Behaviour,
    pub(crate) text: &'t str,
    pub(crate) ops: Vec<Op<'t>>,
    pub(crate) paths: Vec<Path<'t>>,
    /// See [`Behaviour::is_orderly`](crate::behaviour::Behaviour).
    pub(crate) is_orderly: bool,
    /// Whether there are braces in its literal text, for engines that read that again.
    pub(crate) has_loose_braces: bool,
}

/// Most prompts have no more paths than this: what is sized by it need not grow. A hash table
/// of 16 takes as many.
pub(crate) const FEW_PATHS: usize = 14;

impl<'t> Template<'t> {
    /// The language it was compiled as.
    pub fn dialect(&self) -> Dialect {
        self.engine.dialect()
    }

    /// The text it was compiled from.
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

    /// How many pieces it has: literal texts, placeholders, escapes and block tags.
    pub fn pieces(&self) -> usize {
        self.ops.len()
    }

    /// The root names that the prompt uses, sorted, as the engine's own listing has them.
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
            // Agentle lists the names of headers that it does not even take for blocks.
            names.extend(OPENERS.captures_iter(self.text).filter_map(|header| {
                let name = header.get(1)?.as_str().trim_matches(|character| character <= ' ');
                Some(path::root(self.dialect(), name))
            }));
        }
        names.into_iter().filter(|name| spec.item != Some(name)).map(str::to_owned).collect()
    }

    /// Whether a block stands anywhere, even a misspelt one: it changes what Agentle does with
    /// names that have no value.
    pub fn has_block_marker(&self) -> bool {
        has_block_marker(self.dialect(), self.text)
    }
}

/// See [`Template::has_block_marker`].
pub fn has_block_marker(dialect: Dialect, text: &str) -> bool {
    dialect.spec().blocks.iter().any(|block| {
        let marker: &[u8] = match block {
            BlockKind::If => b"{{#if",
            BlockKind::Each => b"{{#each",
        };
        memchr::memmem::find(text.as_bytes(), marker).is_some()
    })
}
