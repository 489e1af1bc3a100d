//! A prompt compiled to a plan: literal text, slots, blocks. Made once, resolved many times.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::LazyLock;

use hashbrown::HashTable;
use promptls_syntax::{BlockKind, Dialect, Token, TokenKind, name_range, pair_blocks, tokenize};
use regex::Regex;

use crate::lookup::effective_name;
use crate::path;
use crate::value::key_hash;

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
    pub(crate) dialect: Dialect,
    pub(crate) text: &'t str,
    pub(crate) ops: Vec<Op<'t>>,
    pub(crate) paths: Vec<Path<'t>>,
}

impl<'t> Template<'t> {
    /// Compiles a prompt. Never fails; what is malformed is literal text.
    ///
    /// Cost: one pass over the text.
    pub fn compile(dialect: Dialect, text: &'t str) -> Template<'t> {
        let mut builder = Builder {
            template: Template {
                dialect,
                text,
                // As for a placeholder in every 80 bytes, and a literal between each two.
                ops: Vec::with_capacity((text.len() / 40).clamp(4, 1024)),
                paths: Vec::with_capacity(FEW_PATHS),
            },
            index: HashTable::with_capacity(FEW_PATHS),
            blocks: Vec::new(),
        };
        let mut literal = 0;
        tokenize(dialect, text, |token| {
            let source = token.range();
            let op = match token.kind {
                TokenKind::NearMiss | TokenKind::Foreign => return,
                TokenKind::Escape => Op::Escape(source),
                TokenKind::BlockClose(kind) => {
                    builder.blocks.push((kind, false, source.clone()));
                    Op::End
                }
                TokenKind::BlockOpen(kind) => {
                    builder.blocks.push((kind, true, source.clone()));
                    Op::Block { kind, source, path: builder.path(token), end: 0 }
                }
                TokenKind::Placeholder | TokenKind::Optional => {
                    let optional = token.kind == TokenKind::Optional;
                    Op::Slot { source, path: builder.path(token), optional }
                }
            };
            let ops = &mut builder.template.ops;
            if literal < token.start {
                ops.push(Op::Literal(&text[literal..token.start], literal));
            }
            ops.push(op);
            literal = token.end();
        });
        let ops = &mut builder.template.ops;
        if literal < text.len() {
            ops.push(Op::Literal(&text[literal..], literal));
        }
        if !builder.blocks.is_empty() {
            builder.close_blocks();
        }
        builder.template
    }

    /// The language it was compiled as.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The text it was compiled from.
    pub fn text(&self) -> &'t str {
        self.text
    }

    /// The names and paths that the prompt reads, each once, in the order of first use.
    pub fn path_names(&self) -> impl Iterator<Item = &str> {
        self.paths.iter().map(|path| &*path.name)
    }

    /// The root names that the prompt uses, sorted, as the engine's own listing has them.
    pub fn names(&self) -> Vec<String> {
        static OPENERS: LazyLock<Regex> = LazyLock::new(|| {
            Regex::new(r"\{\{#(?:if|each)\s+([^}]+)\}\}").expect("the pattern is valid")
        });
        let slots = self.ops.iter().filter_map(|op| match op {
            Op::Slot { path, .. } => Some(path::root(self.dialect, &self.paths[*path].name)),
            _ => None,
        });
        let mut names: BTreeSet<&str> = slots.collect();
        if self.dialect == Dialect::Agentle {
            // Agentle lists the names of headers that it does not even take for blocks.
            names.extend(OPENERS.captures_iter(self.text).filter_map(|header| {
                let name = header.get(1)?.as_str().trim_matches(|character| character <= ' ');
                Some(path::root(self.dialect, name))
            }));
            names.remove("this");
        }
        names.into_iter().map(str::to_owned).collect()
    }

    /// Whether a block stands anywhere, even a misspelt one: it changes what Agentle does with
    /// names that have no value.
    pub fn has_block_marker(&self) -> bool {
        has_block_marker(self.dialect, self.text)
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

/// Most prompts have no more paths than this: what is sized by it need not grow. A hash table
/// of 16 takes as many.
pub(crate) const FEW_PATHS: usize = 14;

struct Builder<'t> {
    template: Template<'t>,
    /// Positions in `template.paths` by the hash of the name.
    index: HashTable<(u64, usize)>,
    /// The block tags, in order: kind, whether it opens, where it is.
    blocks: Vec<(BlockKind, bool, Range<usize>)>,
}

impl<'t> Builder<'t> {
    /// The path in a token.
    fn path(&mut self, token: Token) -> usize {
        let Template { dialect, text, .. } = self.template;
        let source = &text[token.range()];
        let written = &source[name_range(dialect, token.kind, source)];
        let name = effective_name(dialect, written);
        let hash = key_hash(&name);
        let paths = &mut self.template.paths;
        if let Some(&(_, path)) =
            self.index.find(hash, |&(other, path)| other == hash && paths[path].name == name)
        {
            return path;
        }
        let is_key = !name.is_empty() && memchr::memchr2(b'.', b'[', name.as_bytes()).is_none();
        let root_hash = if is_key { hash } else { key_hash(path::first_key(dialect, &name)) };
        let this = if dialect == Dialect::Agentle { this(written) } else { This::No };
        paths.push(Path { name, root_hash, is_key, this });
        let path = paths.len() - 1;
        self.index.insert_unique(hash, (hash, path), |&(hash, _)| hash);
        path
    }

    /// Makes literal text of the block tags that are not in force, and tells the others where
    /// they end.
    fn close_blocks(&mut self) {
        let tags: Vec<(BlockKind, bool)> =
            self.blocks.iter().map(|&(kind, opens, _)| (kind, opens)).collect();
        let mut paired = pair_blocks(&tags).into_iter().zip(&self.blocks);
        let Template { text, ops, .. } = &mut self.template;
        let mut open = Vec::new();
        for index in 0..ops.len() {
            if !matches!(ops[index], Op::Block { .. } | Op::End) {
                continue;
            }
            let Some(((_, in_force), (_, opens, source))) = paired.next() else { break };
            match (in_force, opens) {
                (false, _) => ops[index] = Op::Literal(&text[source.clone()], source.start),
                (true, true) => open.push(index),
                (true, false) => {
                    if let Some(Op::Block { end, .. }) =
                        open.pop().and_then(|opener: usize| ops.get_mut(opener))
                    {
                        *end = index as u32 + 1;
                    }
                }
            }
        }
    }
}

/// See [`This`].
pub(crate) fn this(name: &str) -> This<'_> {
    // No blanks stand before a name.
    let Some(after) = name.strip_prefix("this") else { return This::No };
    match after.split_once('.') {
        None if after.is_empty() => This::Item(""),
        Some((blanks, rest)) if blanks.chars().all(|character| character <= ' ') => {
            let plain = !rest.is_empty() && !rest.contains(|c: char| c == '.' || c <= ' ');
            if plain { This::Member(rest) } else { This::Item(rest) }
        }
        _ => This::No,
    }
}
