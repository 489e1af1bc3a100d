//! The pieces that a tree is kept in.
//!
//! Offsets inside a segment are relative to it, so an edit does not touch what
//! follows. What a search needs stands in a dense list of [`Head`]s, apart from
//! the tokens: finding a place adds up a few thousand numbers, which takes
//! microseconds even for 100 MB. A balanced tree would do with fewer; this type
//! hides the choice.

use std::ops::Range;
use std::sync::Arc;

use crate::blocks::{Nesting, Residue, TagStatus};
use crate::lexer::Horizon;
use crate::names::{NameId, Use};
use crate::token::{Flaw, TokenKind};

/// What must be known of a segment without looking into it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Head {
    /// Its length in bytes.
    pub len: usize,
    /// How many bytes from its start on belong to a token of an earlier segment. May be more
    /// than `len`.
    pub covered: usize,
    /// Its tokens depend on this many bytes behind its end.
    pub reach: usize,
    /// Whether one of its openers was found to have no closer behind the bytes of `reach`.
    pub waits: bool,
    /// What an opener in an earlier segment meets here.
    pub horizon: Horizon,
    /// Which segment it is, wherever it moves.
    pub serial: u32,
    /// Whether it holds block tags.
    pub has_tags: bool,
    /// Whether it holds block tags without a partner.
    pub has_unpaired_tags: bool,
    /// Where its start is among the blocks.
    pub entry: Nesting,
    /// Where its end is.
    pub exit: Nesting,
}

/// The tokens of a segment.
#[derive(Clone, Debug, Default)]
pub(crate) struct Body {
    pub tokens: Vec<Entry>,
    /// The block tags that the segment could not pair alone, by their index in `tokens`.
    pub residue: Residue,
    /// What the segment contributed to the counts of names.
    pub counted: Vec<Use>,
}

/// A token, relative to its segment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub start: u32,
    pub len: u32,
    pub kind: TokenKind,
    pub flaw: Option<Flaw>,
    pub name: NameId,
    /// Of block tags; [`TagStatus::Paired`] for all others.
    pub status: TagStatus,
}

/// A segment and where it starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub index: usize,
    pub start: usize,
}

/// The segments of a prompt, in order. There is always at least one.
#[derive(Clone, Debug)]
pub(crate) struct Segments {
    heads: Vec<Head>,
    /// Shared with snapshots; copied when written to while shared.
    bodies: Vec<Arc<Body>>,
    next_serial: u32,
}

impl Segments {
    pub fn new(lengths: impl IntoIterator<Item = usize>) -> Self {
        let mut segments = Segments { heads: Vec::new(), bodies: Vec::new(), next_serial: 0 };
        segments.splice(0..0, lengths);
        segments
    }

    pub fn len(&self) -> usize {
        self.heads.len()
    }

    pub fn head(&self, index: usize) -> &Head {
        &self.heads[index]
    }

    pub fn head_mut(&mut self, index: usize) -> &mut Head {
        &mut self.heads[index]
    }

    pub fn heads(&self) -> &[Head] {
        &self.heads
    }

    pub fn body(&self, index: usize) -> &Body {
        &self.bodies[index]
    }

    pub fn body_mut(&mut self, index: usize) -> &mut Body {
        Arc::make_mut(&mut self.bodies[index])
    }

    /// The segment that holds the byte at `offset`; the last one for the end of the text.
    pub fn seek(&self, offset: usize) -> Place {
        let last = self.heads.len() - 1;
        let mut start = 0;
        for (index, head) in self.heads[..last].iter().enumerate() {
            if offset < start + head.len {
                return Place { index, start };
            }
            start += head.len;
        }
        Place { index: last, start }
    }

    /// The segment after this one.
    pub fn next(&self, place: Place) -> Option<Place> {
        let start = place.start + self.heads[place.index].len;
        let index = place.index + 1;
        (index < self.heads.len()).then_some(Place { index, start })
    }

    /// The segments from the one at `place` on.
    pub fn iter_from(&self, place: Place) -> impl Iterator<Item = Place> + '_ {
        std::iter::successors(Some(place), |&place| self.next(place))
    }

    /// Puts new, empty segments in the place of others.
    pub fn splice(&mut self, range: Range<usize>, lengths: impl IntoIterator<Item = usize>) {
        let mut serial = self.next_serial;
        let heads: Vec<Head> = lengths
            .into_iter()
            .map(|len| {
                // Ids come round after four thousand million splits, long after their owners left.
                serial = serial.wrapping_add(1);
                Head { len, serial, ..Head::default() }
            })
            .collect();
        self.next_serial = serial;
        let bodies: Vec<Arc<Body>> = heads.iter().map(|_| Arc::default()).collect();
        self.heads.splice(range.clone(), heads);
        self.bodies.splice(range, bodies);
    }
}
