//! The tokens of a prompt, updated by edits.
//!
//! After any edit, a tree equals a fresh parse of the text. An edit lexes the segments it
//! touches again. It also lexes earlier ones whose tokens depend on the touched text, and later
//! ones as long as the end of a token moved into them.
//!
//! A segment stores how many of its first bytes belong to an earlier token (`covered`). It stores
//! how far after its end its tokens depend on the text (`reach`). Its `horizon` is the first byte
//! that ends every candidate, and whether it may close one. So an opener whose closer is megabytes
//! away, or missing, is decided by horizons, without reading the text between. Remaining block tags
//! (`residue`) are paired across segments; only an edit that changes block tags does that.
//!
//! Considered and rejected: a rope of tokens or a balanced tree of segments (adding a few thousand
//! lengths takes microseconds, and `Segments` hides the choice); tree-sitter (240 ms to parse 10
//! MB, and its tokens cannot represent AgentEnsemble's sentinels).

mod count;
mod edit;
mod lex;

use std::ops::Range;

use foldhash::fast::FixedState;
use hashbrown::HashSet;

use crate::blocks::{Nesting, Scope, ScopeId, Scopes, TagStatus};
use crate::dialect::Dialect;
use crate::grammar::Grammar;
use crate::names::{NameId, NameTable, Use, UseCounts, UseSet, digest};
use crate::segments::{Entry, SegmentPosition, Segments};
use crate::source::TextSource;
use crate::token::{Token, TokenKind};

/// The maximum size of a segment, in bytes; larger ones are split.
///
/// Small enough that lexing one again takes some ten microseconds, large enough that a prompt of
/// 100 MB has a few thousand.
const MAX_SEGMENT_BYTES: usize = 32 * 1024;

/// A change of text: `inserted` bytes replace `removed` bytes at `start`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The start of the change, in bytes of the text before it.
    pub start: usize,
    /// The number of removed bytes.
    pub removed: usize,
    /// The number of inserted bytes.
    pub inserted: usize,
}

/// The cost of an edit: for tests, because timing is unreliable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// The number of lexed bytes, some possibly counted twice.
    pub lexed_bytes: usize,
    /// The number of segments whose names were counted again because enclosing blocks changed.
    pub recounted_segments: usize,
    /// The number of segments that were examined to find the affected ones.
    pub searched_segments: usize,
}

/// A token with its context.
#[derive(Clone, Copy, Debug)]
pub struct TokenRef<'a> {
    /// The kind and range of the token.
    pub token: Token,
    /// Its name, without braces, whitespace and marks.
    pub name: &'a str,
    /// The id of its name.
    pub name_id: NameId,
    /// The pairing status of a block tag.
    pub status: TagStatus,
    /// `true` if a block tag really opens or closes a block.
    pub in_force: bool,
    /// The scope of the blocks around it; [`ScopeId::ROOT`] without any.
    pub scope: ScopeId,
}

impl TokenRef<'_> {
    /// The use of a name by this token.
    pub fn used(&self) -> Use {
        let token = &self.token;
        Use {
            scope: self.scope,
            name: self.name_id,
            kind: token.kind,
            flaw: token.flaw,
            in_force: self.in_force || !matches!(token.kind, TokenKind::BlockOpen(_)),
        }
    }
}

/// The tokens of a prompt.
///
/// Clones share their segments with the original until one of them changes.
#[derive(Clone, Debug)]
pub struct Tree {
    grammar: Grammar,
    max_segment: usize,
    segments: Segments,
    names: NameTable,
    uses: UseCounts,
    scopes: Scopes,
}

impl Tree {
    /// Lexes a whole prompt. Never fails: malformed text yields tokens, too.
    ///
    /// Cost: one pass over the text.
    ///
    /// ```
    /// use promptls_syntax::{Dialect, Tree};
    ///
    /// let tree = Tree::parse(Dialect::Agentle, "{{#if member}}Welcome, {{name}}!{{/if}}");
    /// let name = tree.tokens().find(|token| token.name == "name").unwrap();
    /// let block = tree.scope(name.scope).unwrap();
    /// assert_eq!(tree.name(block.path), "member");
    /// ```
    pub fn parse<S: TextSource + ?Sized>(grammar: impl Into<Grammar>, source: &S) -> Tree {
        Tree::with_segments_of(MAX_SEGMENT_BYTES, grammar, source)
    }

    /// [`Tree::parse`] with a different limit for segments, so that tests reach their boundaries.
    pub fn with_segments_of<S: TextSource + ?Sized>(
        max_segment: usize,
        grammar: impl Into<Grammar>,
        source: &S,
    ) -> Tree {
        let lengths = pieces(source, 0..source.len_bytes(), max_segment);
        let mut tree = Tree {
            grammar: grammar.into(),
            max_segment,
            segments: Segments::new(lengths),
            names: NameTable::default(),
            uses: UseCounts::default(),
            scopes: Scopes::default(),
        };
        let mut work = Work::default();
        let all = 0..tree.segments.len();
        tree.measure_horizons(source, all.clone(), 0);
        let lexed =
            tree.lex_from(source, SegmentPosition { index: 0, start: 0 }, &[], all, &mut work);
        tree.count_names(lexed, true, &mut work);
        tree
    }

    /// The dialect it was parsed in.
    pub fn dialect(&self) -> Dialect {
        self.grammar.dialect()
    }

    /// The grammar it was parsed with.
    pub fn grammar(&self) -> Grammar {
        self.grammar
    }

    /// All tokens that overlap or touch a range of bytes, in order.
    pub fn tokens_in(&self, range: Range<usize>) -> impl Iterator<Item = TokenRef<'_>> {
        let mut place = self.segments.seek(range.start);
        // A token that extends over this segment starts in the last previous segment that contains
        // a token.
        while place.index > 0
            && (self.segments.head(place.index).covered > 0 || place.start == range.start)
        {
            let index = place.index - 1;
            place = SegmentPosition { index, start: place.start - self.segments.head(index).len };
        }
        let end = range.end;
        self.segments
            .iter_from(place)
            .take_while(move |place| place.start <= end)
            .flat_map(|place| self.tokens_of(place))
            .filter(move |found| found.token.end() >= range.start)
            .take_while(move |found| found.token.start <= end)
    }

    /// All tokens in source order; they never overlap.
    pub fn tokens(&self) -> impl Iterator<Item = TokenRef<'_>> {
        self.segments
            .iter_from(SegmentPosition { index: 0, start: 0 })
            .flat_map(|place| self.tokens_of(place))
    }

    /// The first `limit` tokens with one of these uses, in order.
    ///
    /// Cost: the results, and the number of segments; for frequent uses that start late, the tokens
    /// before them.
    pub fn occurrences(&self, uses: &UseSet, limit: usize) -> Vec<TokenRef<'_>> {
        let mut found = Vec::new();
        let mut expected: usize = uses.iter().map(|used| self.uses.count(*used)).sum();
        if expected == 0 {
            return found;
        }
        let serials: Option<HashSet<u32, FixedState>> = uses
            .iter()
            .map(|used| self.uses.segments(*used))
            .try_fold(HashSet::default(), |mut all, segments| {
                all.extend(segments?.iter().copied());
                Some(all)
            });
        for place in self.segments.iter_from(SegmentPosition { index: 0, start: 0 }) {
            if found.len() >= limit || expected == 0 {
                break;
            }
            let serial = self.segments.head(place.index).serial;
            if serials.as_ref().is_some_and(|serials| !serials.contains(&serial)) {
                continue;
            }
            let body = self.segments.body(place.index);
            let hits = body.counted.iter().filter(|&used| uses.contains(used)).count();
            if hits > 0 {
                expected -= hits;
                found.extend(self.tokens_of(place).filter(|found| {
                    let is_closer = matches!(found.token.kind, TokenKind::BlockClose(_));
                    !is_closer && uses.contains(&found.used())
                }));
            }
        }
        found.truncate(limit);
        found
    }

    /// The block tags without a partner, in order. Cost: the results and, if there are any, the
    /// number of segments.
    pub fn unpaired_tags(&self) -> impl Iterator<Item = TokenRef<'_>> {
        self.segments
            .iter_from(SegmentPosition { index: 0, start: 0 })
            .filter(|place| self.segments.head(place.index).has_unpaired_tags)
            .take(self.segments.with_unpaired_tags())
            .flat_map(|place| self.tokens_of(place))
            .filter(|found| found.status != TagStatus::Paired)
    }

    /// Every use of a name, with its count; in no particular order.
    ///
    /// Cost: proportional to the distinct uses.
    pub fn uses(&self) -> impl Iterator<Item = (Use, u32)> {
        self.uses.iter()
    }

    /// A hash over all uses and their names: an equal hash means equal uses, with an error
    /// probability of one in 2^64.
    ///
    /// Cost: proportional to the distinct uses.
    pub fn digest_of_uses(&self) -> u64 {
        let digest = |(used, _): (Use, u32)| digest(used, self.names.hash(used.name));
        self.uses.iter().map(digest).fold(0, u64::wrapping_add)
    }

    /// The text of a name.
    pub fn name(&self, id: NameId) -> &str {
        self.names.text(id)
    }

    /// The innermost block of a scope; `None` outside all blocks.
    pub fn scope(&self, id: ScopeId) -> Option<Scope> {
        self.scopes.get(id)
    }

    /// The number of blocks of a scope. Cost: constant.
    pub fn scope_depth(&self, id: ScopeId) -> usize {
        self.scopes.depth(id)
    }

    /// The innermost loop of a scope; `None` outside all loops. Cost: constant.
    pub fn loop_around(&self, id: ScopeId) -> Option<Scope> {
        self.scopes.loop_around(id)
    }

    /// The scope of the active blocks around an offset.
    pub fn scope_at(&self, offset: usize) -> ScopeId {
        let place = self.segments.seek(offset);
        let mut nesting = self.segments.head(place.index).entry;
        for token in &self.segments.body(place.index).tokens {
            if place.start + token.start as usize + token.len as usize > offset {
                break;
            }
            if token.kind.is_block_tag() {
                nesting = self.after(nesting, token);
            }
        }
        nesting.scope
    }

    fn tokens_of(&self, place: SegmentPosition) -> impl Iterator<Item = TokenRef<'_>> {
        let mut nesting = self.segments.head(place.index).entry;
        self.segments.body(place.index).tokens.iter().map(move |entry| {
            let opens = matches!(entry.kind, TokenKind::BlockOpen(_));
            let found = TokenRef {
                token: Token {
                    start: place.start + entry.start as usize,
                    len: entry.len as usize,
                    kind: entry.kind,
                    flaw: entry.flaw,
                },
                name: self.names.text(entry.name),
                name_id: entry.name,
                status: entry.status,
                in_force: nesting.in_force(opens, entry.status),
                scope: nesting.scope,
            };
            if entry.kind.is_block_tag() {
                nesting = self.after(nesting, entry);
            }
            found
        })
    }

    /// The nesting after a block tag, if its scope already exists.
    fn after(&self, nesting: Nesting, tag: &Entry) -> Nesting {
        let enter = |parent| match tag.kind {
            TokenKind::BlockOpen(kind) => {
                let scope = Scope { parent, kind, path: tag.name };
                self.scopes.find(scope).unwrap_or(parent)
            }
            _ => parent,
        };
        let opens = matches!(tag.kind, TokenKind::BlockOpen(_));
        nesting.after(opens, tag.status, enter, |scope| self.parent(scope))
    }

    fn parent(&self, scope: ScopeId) -> ScopeId {
        self.scopes.get(scope).map_or(ScopeId::ROOT, |scope| scope.parent)
    }
}

/// Lengths of segments for a range of text: full segments are cut in half, so that typing into one
/// does not split it again immediately.
fn pieces<S: TextSource + ?Sized>(
    source: &S,
    range: Range<usize>,
    max_segment: usize,
) -> Vec<usize> {
    if range.len() <= max_segment {
        return vec![range.len()];
    }
    let mut lengths = Vec::with_capacity(range.len() / (max_segment / 2) + 1);
    let mut start = range.start;
    while range.end - start > max_segment {
        let cut = source.floor_boundary(start + max_segment / 2);
        // A single character may be longer than a test's tiny segment.
        let cut =
            if cut > start { cut } else { source.floor_boundary(start + max_segment / 2 + 4) };
        lengths.push(cut - start);
        start = cut;
    }
    lengths.push(range.end - start);
    lengths
}
