//! The tokens of a prompt, kept up to date under edits.
//!
//! After any edit, a tree equals a fresh parse of the text. An edit lexes again
//! the segments it touches, the earlier ones whose tokens depend on the touched
//! text, and the later ones for as long as the end of a token moved into them.
//!
//! A segment knows how many of its first bytes belong to an earlier token (`covered`), how far
//! behind its end its tokens depend on the text (`reach`), and what an opener from the left meets in
//! it (`horizon`: the first byte that ends every candidate, and whether it may close one). So an
//! opener whose closer is megabytes away, or missing, is decided by horizons, without reading the
//! text between. What is left over of block tags (`residue`) is paired across segments; only an edit
//! that changes block tags does that.
//!
//! Considered and left: a rope of tokens or a balanced tree of segments (adding up a few thousand
//! lengths takes microseconds, and `Segments` hides the choice); tree-sitter (240 ms to parse 10 MB,
//! and its tokens cannot follow AgentEnsemble's sentinels).

mod count;
mod edit;
mod lex;

use std::collections::HashSet;
use std::ops::Range;

use crate::blocks::{Nesting, Scope, ScopeId, Scopes, TagStatus};
use crate::dialect::Dialect;
use crate::grammar::Grammar;
use crate::names::{NameId, Names, Use, UseCounts, digest};
use crate::segments::{Entry, Place, Segments};
use crate::source::Source;
use crate::token::{Token, TokenKind};

/// Segments are split above this size.
///
/// Small enough that lexing one again takes some ten microseconds, large enough
/// that a prompt of 100 MB has a few thousand.
const MAX_SEGMENT_BYTES: usize = 32 * 1024;

/// A change of text: `removed` bytes at `start` gave way to `inserted` ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edit {
    /// Where, in bytes.
    pub start: usize,
    /// How many bytes went.
    pub removed: usize,
    /// How many bytes came.
    pub inserted: usize,
}

/// What an edit cost: for tests, which cannot trust a stopwatch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Bytes that were lexed, some perhaps twice.
    pub lexed_bytes: usize,
    /// Segments whose names were counted again because blocks changed around them.
    pub recounted_segments: usize,
    /// Segments that were looked at to find out what the edit concerns.
    pub searched_segments: usize,
}

/// A token with all that is known of it.
#[derive(Clone, Copy, Debug)]
pub struct TokenRef<'a> {
    /// Where it is, and what.
    pub token: Token,
    /// Its name, without braces, blanks and marks.
    pub name: &'a str,
    /// The same as a number.
    pub name_id: NameId,
    /// What became of it, for block tags.
    pub status: TagStatus,
    /// Whether it opens or closes a block for real, for block tags.
    pub in_force: bool,
    /// The blocks around it.
    pub scope: ScopeId,
}

impl TokenRef<'_> {
    /// The use of a name that this token is.
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
/// A clone shares its segments with the original until one of them changes.
#[derive(Clone, Debug)]
pub struct Tree {
    grammar: Grammar,
    max_segment: usize,
    segments: Segments,
    names: Names,
    uses: UseCounts,
    scopes: Scopes,
}

impl Tree {
    /// Lexes a whole prompt. Never fails: malformed text is tokens, too.
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
    pub fn parse<S: Source + ?Sized>(grammar: impl Into<Grammar>, source: &S) -> Tree {
        Tree::with_segments_of(MAX_SEGMENT_BYTES, grammar, source)
    }

    /// [`Tree::parse`] with another limit for segments, so that tests hit their edges.
    pub fn with_segments_of<S: Source + ?Sized>(
        max_segment: usize,
        grammar: impl Into<Grammar>,
        source: &S,
    ) -> Tree {
        let lengths = pieces(source, 0..source.len_bytes(), max_segment);
        let mut tree = Tree {
            grammar: grammar.into(),
            max_segment,
            segments: Segments::new(lengths),
            names: Names::default(),
            uses: UseCounts::default(),
            scopes: Scopes::default(),
        };
        let mut work = Work::default();
        let all = 0..tree.segments.len();
        tree.measure_horizons(source, all.clone(), 0);
        let lexed = tree.lex_from(source, Place { index: 0, start: 0 }, &[], all, &mut work);
        tree.count_names(lexed, true, &mut work);
        tree
    }

    /// The language it was parsed as.
    pub fn dialect(&self) -> Dialect {
        self.grammar.dialect()
    }

    /// The rules it was parsed by.
    pub fn grammar(&self) -> Grammar {
        self.grammar
    }

    /// All tokens that overlap or touch a range of bytes, in order.
    pub fn tokens_in(&self, range: Range<usize>) -> impl Iterator<Item = TokenRef<'_>> {
        let mut place = self.segments.seek(range.start);
        // A token that reaches over here starts in the last segment before that has one.
        while place.index > 0
            && (self.segments.head(place.index).covered > 0 || place.start == range.start)
        {
            let index = place.index - 1;
            place = Place { index, start: place.start - self.segments.head(index).len };
        }
        let end = range.end;
        self.segments
            .iter_from(place)
            .take_while(move |place| place.start <= end)
            .flat_map(|place| self.tokens_of(place))
            .filter(move |found| found.token.end() >= range.start)
            .take_while(move |found| found.token.start <= end)
    }

    /// All tokens, in order.
    pub fn tokens(&self) -> impl Iterator<Item = TokenRef<'_>> {
        self.segments
            .iter_from(Place { index: 0, start: 0 })
            .flat_map(|place| self.tokens_of(place))
    }

    /// The first `limit` tokens that are one of these uses, in order.
    ///
    /// Cost: what it finds, and the number of segments; for frequent uses that start late, the
    /// tokens before them.
    pub fn occurrences(&self, wanted: &HashSet<Use>, limit: usize) -> Vec<TokenRef<'_>> {
        let mut expected: usize = wanted.iter().map(|used| self.uses.count(*used)).sum();
        let serials: Option<HashSet<u32>> = wanted
            .iter()
            .map(|used| self.uses.segments(*used))
            .try_fold(HashSet::new(), |mut all, segments| {
                all.extend(segments?.iter().copied());
                Some(all)
            });
        let mut found = Vec::new();
        for place in self.segments.iter_from(Place { index: 0, start: 0 }) {
            if found.len() >= limit || expected == 0 {
                break;
            }
            let serial = self.segments.head(place.index).serial;
            if serials.as_ref().is_some_and(|serials| !serials.contains(&serial)) {
                continue;
            }
            let body = self.segments.body(place.index);
            let hits = body.counted.iter().filter(|used| wanted.contains(used)).count();
            if hits > 0 {
                expected -= hits;
                found.extend(self.tokens_of(place).filter(|found| {
                    let is_closer = matches!(found.token.kind, TokenKind::BlockClose(_));
                    !is_closer && wanted.contains(&found.used())
                }));
            }
        }
        found.truncate(limit);
        found
    }

    /// The block tags without a partner, in order. Cost: what it finds, and where there are any,
    /// the number of segments.
    pub fn unpaired_tags(&self) -> impl Iterator<Item = TokenRef<'_>> {
        self.segments
            .iter_from(Place { index: 0, start: 0 })
            .filter(|place| self.segments.head(place.index).has_unpaired_tags)
            .take(self.segments.with_unpaired_tags())
            .flat_map(|place| self.tokens_of(place))
            .filter(|found| found.status != TagStatus::Paired)
    }

    /// Every way in which a name is used, and how often; in no particular order.
    ///
    /// Cost: proportional to the distinct uses.
    pub fn uses(&self) -> impl Iterator<Item = (Use, u32)> {
        self.uses.iter()
    }

    /// A sum over all uses and their names: while it is the same, they are the same, but for
    /// odds of one in 2^64.
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

    /// How many blocks a scope is made of. Cost: constant.
    pub fn scope_depth(&self, id: ScopeId) -> usize {
        self.scopes.depth(id)
    }

    /// The innermost loop of a scope; `None` outside all loops. Cost: constant.
    pub fn loop_around(&self, id: ScopeId) -> Option<Scope> {
        self.scopes.loop_around(id)
    }

    /// The blocks in force around an offset.
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

    fn tokens_of(&self, place: Place) -> impl Iterator<Item = TokenRef<'_>> {
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

    /// Behind a block tag, where its scope is known already.
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

/// Lengths of segments for a range of text: full ones are cut in halves, so that typing into
/// one does not split it again at once.
fn pieces<S: Source + ?Sized>(source: &S, range: Range<usize>, max_segment: usize) -> Vec<usize> {
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
