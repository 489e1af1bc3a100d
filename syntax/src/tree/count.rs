//! Pairing of the blocks of a whole prompt, and counting of the names in them.

use super::lex::Lexed;
use super::{Tree, Work};
use crate::blocks::{Nesting, Scope, Tag, TagStatus, pair_all};
use crate::names::Use;
use crate::segments::Body;
use crate::token::TokenKind;

impl Tree {
    /// Counts the names of the lexed segments, and of those whose enclosing blocks changed.
    pub(super) fn count_names(&mut self, lexed: Lexed, restructured: bool, work: &mut Work) {
        let has_blocks = !self.dialect().spec().blocks.is_empty();
        if !has_blocks || !(lexed.tags_changed || restructured) {
            for index in lexed.segments {
                let entry = self.segments.head(index).entry;
                self.count(index, entry);
            }
            return;
        }
        let changed = self.pair_leftovers();
        let mut lexed = lexed.segments.into_iter().peekable();
        let mut changed = changed.into_iter().peekable();
        let mut nesting = Nesting::default();
        for index in 0..self.segments.len() {
            let is_lexed = lexed.next_if_eq(&index).is_some();
            let is_changed = changed.next_if_eq(&index).is_some();
            if is_lexed || is_changed || self.segments.head(index).entry != nesting {
                work.recounted_segments += usize::from(!is_lexed);
                self.count(index, nesting);
            }
            nesting = self.segments.head(index).exit;
        }
    }

    /// Pairs the residues of segments; returns the segments with a changed status, in order.
    fn pair_leftovers(&mut self) -> Vec<usize> {
        let mut owners = Vec::new();
        let mut tags = Vec::new();
        for (index, head) in self.segments.heads().iter().enumerate() {
            if head.has_tags {
                for &tag in &self.segments.body(index).residue {
                    tags.push(Tag { index: owners.len() as u32, ..tag });
                    owners.push((index, tag.index as usize));
                }
            }
        }
        let mut statuses = vec![TagStatus::Paired; owners.len()];
        pair_all(tags, |index, status| statuses[index as usize] = status);
        let mut changed = Vec::new();
        for ((segment, token), status) in owners.into_iter().zip(statuses) {
            if self.segments.body(segment).tokens[token].status != status {
                self.segments.body_mut(segment).tokens[token].status = status;
                if changed.last() != Some(&segment) {
                    changed.push(segment);
                }
            }
        }
        changed
    }

    /// Counts the names of a segment that starts with nesting `entry`.
    fn count(&mut self, index: usize, entry: Nesting) {
        let mut body = std::mem::take(self.segments.body_mut(index));
        let serial = self.segments.head(index).serial;
        for used in body.counted.drain(..) {
            self.uses.remove(used, serial);
        }
        body.counted.reserve_exact(body.tokens.len());
        self.uses.expect(self.names.len());
        let mut nesting = entry;
        for token in &body.tokens {
            let opens = matches!(token.kind, TokenKind::BlockOpen(_));
            if !matches!(token.kind, TokenKind::BlockClose(_)) {
                let in_force = !opens || nesting.in_force(opens, token.status);
                let used = Use {
                    scope: nesting.scope,
                    name: token.name,
                    kind: token.kind,
                    flaw: token.flaw,
                    in_force,
                };
                self.uses.add(used, serial);
                body.counted.push(used);
            }
            if let TokenKind::BlockOpen(kind) = token.kind {
                let scope = Scope { parent: nesting.scope, kind, path: token.name };
                if self.scopes.enter(scope) {
                    self.names.retain(token.name);
                }
            }
            if token.kind.is_block_tag() {
                nesting = self.after(nesting, token);
            }
        }
        let head = self.segments.head_mut(index);
        (head.entry, head.exit) = (entry, nesting);
        let has_unpaired_tags = body.tokens.iter().any(|token| token.status != TagStatus::Paired);
        self.segments.set_unpaired_tags(index, has_unpaired_tags);
        *self.segments.body_mut(index) = body;
    }

    /// Removes the names of a segment that will be replaced from the counts.
    pub(super) fn forget(&mut self, index: usize, body: Body) {
        let serial = self.segments.head(index).serial;
        for used in body.counted {
            self.uses.remove(used, serial);
        }
        for token in body.tokens {
            self.names.release(token.name);
        }
    }
}
