//! Compilation of the text of a prompt to a plan.

use std::borrow::Cow;
use std::ops::Range;

use hashbrown::HashTable;
use promptls_syntax::{BlockKind, Token, TokenKind, name_range, pair_blocks, tokenize};

use crate::behaviour::Facts;
use crate::blocks::this;
use crate::engine::Engine;
use crate::output::has_brace;
use crate::path;
use crate::template::{FEW_PATHS, Op, Path, Template};
use crate::value::key_hash;

impl<'t> Template<'t> {
    /// Compiles a prompt. Never fails; malformed syntax is literal text.
    ///
    /// Cost: one pass over the text.
    ///
    /// ```
    /// use promptls_resolver::{Declarations, Dialect, ResolveContext, Template};
    ///
    /// let template = Template::compile(Dialect::Langfuse, "Dear {{ name }},");
    /// assert_eq!(template.names(), ["name"]);
    /// for name in ["Ada", "Grace"] {
    ///     let values = [("name", name)];
    ///     let declarations = Declarations::default();
    ///     let context = ResolveContext::new(&values, &declarations);
    ///     let text = template.render(&context).unwrap();
    ///     assert_eq!(text, format!("Dear {name},"));
    /// }
    /// ```
    pub fn compile(engine: impl Into<Engine>, text: &'t str) -> Template<'t> {
        let engine = engine.into().behaviour();
        let facts = engine.facts();
        let mut builder = Builder {
            facts,
            template: Template {
                engine,
                text,
                // Capacity for a placeholder every 80 bytes, with literals between them.
                ops: Vec::with_capacity((text.len() / 40).clamp(4, 1024)),
                paths: Vec::with_capacity(FEW_PATHS),
                is_orderly: false,
                has_loose_braces: false,
            },
            index: HashTable::with_capacity(FEW_PATHS),
            blocks: Vec::new(),
        };
        let mut literal = 0;
        tokenize(facts.grammar, text, |token| {
            let source = token.range();
            let op = match token.kind {
                TokenKind::NearMiss | TokenKind::Foreign => return,
                TokenKind::Escape => Op::Escape(source),
                TokenKind::Malformed => Op::Malformed(source),
                TokenKind::BlockClose(kind) => {
                    builder.blocks.push((kind, false, source));
                    Op::End
                }
                TokenKind::BlockOpen(kind) => {
                    builder.blocks.push((kind, true, source.clone()));
                    Op::Block { kind, source, path: builder.path(token), end: 0 }
                }
                TokenKind::Placeholder | TokenKind::Optional => {
                    let path = builder.path(token);
                    let name = &builder.template.paths[path].name;
                    let optional = token.kind == TokenKind::Optional && !engine.needs(name);
                    Op::Slot { source, path, optional }
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
        let mut template = builder.template;
        template.is_orderly = engine.is_orderly(&template);
        if facts.reads_again.is_some() {
            template.has_loose_braces = template.ops.iter().any(|op| match op {
                Op::Literal(text, _) => has_brace(text.as_bytes()),
                _ => false,
            });
        }
        template
    }
}

struct Builder<'t> {
    // Read for each placeholder, so it is looked up only once.
    facts: &'static Facts,
    template: Template<'t>,
    /// Indices into `template.paths` by the hash of the name.
    index: HashTable<(u64, usize)>,
    /// The block tags, in order: kind, `true` for an opener, range.
    blocks: Vec<(BlockKind, bool, Range<usize>)>,
}

impl<'t> Builder<'t> {
    /// The path in a token.
    fn path(&mut self, token: Token) -> usize {
        let Template { engine, text, .. } = self.template;
        let (grammar, dialect) = (self.facts.grammar, self.facts.dialect());
        let source = &text[token.range()];
        let written = &source[name_range(grammar, token.kind, source)];
        let name = match self.facts.escapes_in_names {
            true => engine.effective_name(written),
            false => Cow::Borrowed(written),
        };
        let hash = key_hash(&name);
        let paths = &mut self.template.paths;
        if let Some(&(_, path)) =
            self.index.find(hash, |&(other, path)| other == hash && paths[path].name == name)
        {
            return path;
        }
        let is_key = path::is_key(&name);
        let root_hash = if is_key { hash } else { key_hash(path::first_key(dialect, &name)) };
        let this = this(dialect, written);
        paths.push(Path { name, root_hash, is_key, this });
        let path = paths.len() - 1;
        self.index.insert_unique(hash, (hash, path), |&(hash, _)| hash);
        path
    }

    /// Converts inactive block tags to literal text, and links the others to their ends.
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
