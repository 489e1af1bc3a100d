//! Lexing of segments, and decisions on candidates that depend on text far ahead.

use std::ops::Range;

use super::{Tree, Work};
use crate::blocks::{Tag, TagStatus, pair_within};
use crate::fields::FieldEnds;
use crate::grammar::Grammar;
use crate::lexer::{
    Closes, LookBehind, MARGIN, Stop, Window, lex, name_range, near_miss_at, tags_end,
};
use crate::names::NameTable;
use crate::segments::{Body, Entry, SegmentPosition};
use crate::source::TextSource;
use crate::token::{Token, TokenKind};

/// The bytes of text for each token in a prompt with many.
const BYTES_FOR_TOKEN: usize = 64;

/// The lexed segments, whose names must be counted.
#[derive(Default)]
#[must_use]
pub(super) struct Lexed {
    pub segments: Vec<usize>,
    pub tags_changed: bool,
}

impl Tree {
    /// Lexes the stale and the touched segments, and later ones into which the end of a token
    /// moved.
    pub(super) fn lex_from<S: TextSource + ?Sized>(
        &mut self,
        source: &S,
        start: SegmentPosition,
        stale: &[usize],
        touched: Range<usize>,
        work: &mut Work,
    ) -> Lexed {
        let mut lexed = Lexed::default();
        let mut place = start;
        let mut covered = self.segments.head(place.index).covered;
        loop {
            let head = self.segments.head_mut(place.index);
            let is_touched = touched.contains(&place.index);
            if is_touched || head.covered != covered || stale.contains(&place.index) {
                // Text in the middle of a token has no tokens of its own, before and after.
                let stays_hidden = !is_touched && head.covered.min(covered) >= head.len;
                head.covered = covered;
                if !stays_hidden {
                    lexed.tags_changed |= self.lex_segment(source, place, work);
                    lexed.segments.push(place.index);
                }
            } else if place.index >= touched.end {
                return lexed;
            }
            covered = self.overhang(place.index);
            match self.segments.next(place) {
                Some(next) => place = next,
                None => return lexed,
            }
        }
    }

    /// The number of bytes that the tokens up to the end of a segment extend beyond it.
    fn overhang(&self, index: usize) -> usize {
        let head = self.segments.head(index);
        let last = self.segments.body(index).tokens.last();
        let end = last.map_or(0, |token| token.start as usize + token.len as usize);
        end.max(head.covered).saturating_sub(head.len)
    }

    /// Lexes one segment; returns `true` if its block tags changed.
    fn lex_segment<S: TextSource + ?Sized>(
        &mut self,
        source: &S,
        place: SegmentPosition,
        work: &mut Work,
    ) -> bool {
        let grammar = self.grammar;
        let total = source.len_bytes();
        let head = *self.segments.head(place.index);
        let segment_end = place.start + head.len;
        let mut ahead = MARGIN;
        let mut from = head.covered;
        let mut waits = false;
        let mut ends_prompt = false;
        // An edit rarely changes the number of tokens by much. A new segment may have any number.
        let known = self.segments.body(place.index).tokens.len();
        let capacity = if known == 0 { head.len / BYTES_FOR_TOKEN } else { known + 4 };
        let mut found: Vec<Entry> = Vec::with_capacity(capacity);
        let mut buffer = Vec::new();
        let before = match grammar.looks_behind() {
            true => before(source, place.start),
            false => LookBehind::default(),
        };

        while from < head.len {
            let end = (segment_end + ahead).min(total);
            let bytes = source.bytes(place.start..end, &mut buffer);
            work.lexed_bytes += bytes.len() - from;
            ends_prompt |= end == total;
            let ends = &FieldEnds::default();
            let window = Window { bytes, before, ends_prompt, ends };
            let names = &mut self.names;
            let stop = lex(grammar, window, from, head.len, |token| {
                found.push(entry(grammar, bytes, token, names));
            });
            let Stop::Undecided { at } = stop else { break };
            from = at;
            let ends_in_brace = bytes.last().is_some_and(|byte| matches!(byte, b'{' | b'}'));
            let by_tags = tags_end(grammar, window, at);
            match self.beyond(place, end, by_tags) {
                // The window ends within braces, or before text that was already examined: the
                // candidate is still being read.
                _ if ends_in_brace => ahead *= 2,
                Beyond::Near => ahead *= 2,
                Beyond::Closer(closer) => ahead = closer + MARGIN - segment_end,
                Beyond::Tag => {
                    waits = true;
                    from = match near_miss_at(window, at) {
                        Some(token) => {
                            found.push(entry(grammar, bytes, token, &mut self.names));
                            token.end()
                        }
                        None => at + 1,
                    };
                }
                // An error extends to the end of its line, which is that of the prompt.
                Beyond::Nothing if grammar.has_errors() => {
                    waits = true;
                    ahead = total - segment_end;
                }
                // The end of this candidate also ends all later open ones: the prompt may as well
                // end here.
                Beyond::Nothing => {
                    waits = true;
                    ends_prompt = true;
                }
            }
        }

        if known == 0 {
            found.shrink_to_fit();
        }
        // Before the old tokens are dropped, their statuses are copied: they remain valid while the
        // tags are the same.
        let old = std::mem::take(self.segments.body_mut(place.index));
        let tags_changed = !take_statuses(&mut found, &old.tokens);
        let residue = pair_within(tags_of(&found).collect::<Vec<_>>(), |index, status| {
            found[index as usize].status = status;
        });
        self.forget(place.index, old);
        self.segments.set_reach(place.index, ahead, waits);
        let head = self.segments.head_mut(place.index);
        head.has_tags = found.iter().any(|entry| entry.kind.is_block_tag());
        *self.segments.body_mut(place.index) = Body { tokens: found, residue, counted: Vec::new() };
        tags_changed
    }

    /// The relevant text after `end` for a candidate that is open there.
    fn beyond(&self, place: SegmentPosition, end: usize, by_tags: bool) -> Beyond {
        for place in self.segments.iter_from(place).skip(1) {
            let horizon = &self.segments.head(place.index).horizon;
            let tag = horizon.tag.filter(|_| by_tags);
            match (horizon.end, tag) {
                (Some((at, _)), Some(tag)) if tag < at && place.start + tag >= end => {
                    return Beyond::Tag;
                }
                (Some((at, _)), _) if place.start + at < end => return Beyond::Near,
                (Some((at, Closes::Perhaps)), _) => return Beyond::Closer(place.start + at),
                (Some((_, Closes::Never)), _) => return Beyond::Nothing,
                (None, Some(tag)) if place.start + tag >= end => return Beyond::Tag,
                (None, _) => {}
            }
        }
        Beyond::Nothing
    }
}

/// The text before a position. Cost: the braces directly before it.
fn before<S: TextSource + ?Sized>(source: &S, place: usize) -> LookBehind {
    let mut buffer = Vec::new();
    let mut run = place;
    let mut width = 1;
    while run > 0 {
        let start = run.saturating_sub(width);
        let bytes = source.bytes(start..run, &mut buffer);
        if let Some(last) = bytes.iter().rposition(|&byte| byte != b'{') {
            return LookBehind { byte: Some(bytes[last]), is_brace: start + last + 1 < place };
        }
        run = start;
        width *= 2;
    }
    LookBehind { byte: None, is_brace: place > 0 }
}

/// A token of a window in the form of its segment, with an added reference to its name.
fn entry(grammar: Grammar, bytes: &[u8], token: Token, names: &mut NameTable) -> Entry {
    // Tokens begin and end on character boundaries: at braces, and after words.
    let text = std::str::from_utf8(&bytes[token.range()]).unwrap_or_default();
    let name = text.get(name_range(grammar, token.kind, text)).unwrap_or_default();
    Entry {
        start: token.start as u32,
        len: token.len as u32,
        kind: token.kind,
        flaw: token.flaw,
        name: names.acquire(name),
        status: TagStatus::Paired,
    }
}

/// The text after its window that decides an open candidate.
enum Beyond {
    /// Something inside the window: horizons do not apply.
    Near,
    /// The offset of a byte that may close it.
    Closer(usize),
    /// A block tag, which ends a placeholder.
    Tag,
    /// A certain end, or nothing up to the end of the prompt.
    Nothing,
}

/// Copies the statuses of block tags if the tags are the same; returns whether they are.
fn take_statuses(tokens: &mut [Entry], old: &[Entry]) -> bool {
    let mut tags = tokens.iter_mut().filter(|entry| entry.kind.is_block_tag());
    let mut old_tags = old.iter().filter(|entry| entry.kind.is_block_tag());
    loop {
        match (tags.next(), old_tags.next()) {
            (None, None) => return true,
            (Some(tag), Some(old)) if tag.kind == old.kind && tag.name == old.name => {
                tag.status = old.status;
            }
            _ => return false,
        }
    }
}

fn tags_of(tokens: &[Entry]) -> impl Iterator<Item = Tag> + '_ {
    tokens.iter().enumerate().filter_map(|(index, token)| {
        let (kind, opens) = match token.kind {
            TokenKind::BlockOpen(kind) => (kind, true),
            TokenKind::BlockClose(kind) => (kind, false),
            _ => return None,
        };
        // A segment is smaller than 4 GiB.
        Some(Tag { kind, opens, index: index as u32 })
    })
}
