//! The segments of a tree.
//!
//! Offsets inside a segment are relative to it, so an edit does not affect later segments. Searches
//! need only a dense list of [`Head`]s, separate from the tokens. A position is found by adding
//! lengths, starting at the last edit, because the next one is usually near. A balanced tree would
//! find any position at once; this type hides the choice.

use std::ops::Range;
use std::sync::Arc;

use crate::blocks::{Nesting, Residue, TagStatus};
use crate::lexer::{Horizon, MARGIN};
use crate::names::{NameId, Use};
use crate::token::{Flaw, TokenKind};

/// The facts about a segment that do not require its tokens.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Head {
    /// Its length in bytes; all lengths together are that of the prompt.
    pub len: usize,
    /// The number of bytes from its start that belong to a token of an earlier segment. May exceed
    /// `len`.
    pub covered: usize,
    /// The number of bytes after its end that its tokens depend on. See [`Segments::set_reach`].
    pub reach: usize,
    /// `true` if one of its openers has no closer beyond the bytes of `reach`.
    pub waits: bool,
    /// The horizon for an opener in an earlier segment.
    pub horizon: Horizon,
    /// A stable id of the segment, also after it moves.
    pub serial: u32,
    /// `true` if it contains block tags.
    pub has_tags: bool,
    /// `true` if it contains block tags without a partner. See [`Segments::set_unpaired_tags`].
    pub has_unpaired_tags: bool,
    /// The nesting at its start.
    pub entry: Nesting,
    /// The nesting at its end.
    pub exit: Nesting,
}

/// The tokens of a segment.
#[derive(Clone, Debug, Default)]
pub(crate) struct Body {
    pub tokens: Vec<Entry>,
    /// The block tags that the segment could not pair alone, by their index in `tokens`.
    pub residue: Residue,
    /// The uses that the segment contributed to the counts of names.
    pub counted: Vec<Use>,
}

/// A token, with offsets relative to its segment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub start: u32,
    pub len: u32,
    pub kind: TokenKind,
    pub flaw: Option<Flaw>,
    pub name: NameId,
    /// The status of block tags; [`TagStatus::Paired`] for all other tokens.
    pub status: TagStatus,
}

/// A segment, and the offset of its start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SegmentPosition {
    pub index: usize,
    pub start: usize,
}

/// The segments of a prompt, in order; never empty.
#[derive(Clone, Debug)]
pub(crate) struct Segments {
    heads: Vec<Head>,
    /// Shared with snapshots; copied on write while shared.
    bodies: Vec<Arc<Body>>,
    next_serial: u32,
    /// The position of the last edit.
    last: SegmentPosition,
    /// The number of heads that are [far-reaching](Head::is_far_reaching).
    far_reaching: usize,
    /// The number of heads with unpaired tags.
    with_unpaired_tags: usize,
}

impl Head {
    /// `true` if an edit beyond the next few bytes may affect its tokens.
    fn is_far_reaching(&self) -> bool {
        self.waits || self.reach > MARGIN
    }
}

impl Segments {
    pub fn new(lengths: impl IntoIterator<Item = usize>) -> Self {
        let mut segments = Segments {
            heads: Vec::new(),
            bodies: Vec::new(),
            next_serial: 0,
            last: SegmentPosition { index: 0, start: 0 },
            far_reaching: 0,
            with_unpaired_tags: 0,
        };
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

    /// Sets how far the tokens of a segment depend on the text after it.
    pub fn set_reach(&mut self, index: usize, reach: usize, waits: bool) {
        let head = &mut self.heads[index];
        self.far_reaching -= usize::from(head.is_far_reaching());
        (head.reach, head.waits) = (reach, waits);
        self.far_reaching += usize::from(head.is_far_reaching());
    }

    /// `true` if the tokens of some segment depend on more than the [`MARGIN`] after it.
    pub fn any_far_reaching(&self) -> bool {
        self.far_reaching > 0
    }

    /// Sets whether a segment contains block tags without a partner.
    pub fn set_unpaired_tags(&mut self, index: usize, has_unpaired_tags: bool) {
        let head = &mut self.heads[index];
        self.with_unpaired_tags -= usize::from(head.has_unpaired_tags);
        head.has_unpaired_tags = has_unpaired_tags;
        self.with_unpaired_tags += usize::from(has_unpaired_tags);
    }

    /// The number of segments with block tags without a partner.
    pub fn with_unpaired_tags(&self) -> usize {
        self.with_unpaired_tags
    }

    /// The segment that contains the byte at `offset`; the last one for the end of the text.
    ///
    /// Cost: the number of segments between there and the last edit, or the start.
    pub fn seek(&self, offset: usize) -> SegmentPosition {
        let near_start = offset < self.last.start / 2;
        let mut place = if near_start { SegmentPosition { index: 0, start: 0 } } else { self.last };
        while offset < place.start {
            place.index -= 1;
            place.start -= self.heads[place.index].len;
        }
        while place.index + 1 < self.heads.len()
            && offset >= place.start + self.heads[place.index].len
        {
            place.start += self.heads[place.index].len;
            place.index += 1;
        }
        place
    }

    /// [`Segments::seek`] for an edit: everything before this segment remains unchanged.
    pub fn seek_edit(&mut self, offset: usize) -> SegmentPosition {
        self.last = self.seek(offset);
        self.last
    }

    /// The segment before this one; `None` for the first.
    pub fn previous(&self, place: SegmentPosition) -> Option<SegmentPosition> {
        let index = place.index.checked_sub(1)?;
        Some(SegmentPosition { index, start: place.start - self.heads[index].len })
    }

    /// The segment after this one; `None` for the last.
    pub fn next(&self, place: SegmentPosition) -> Option<SegmentPosition> {
        let start = place.start + self.heads[place.index].len;
        let index = place.index + 1;
        (index < self.heads.len()).then_some(SegmentPosition { index, start })
    }

    /// The segments from the one at `place` on.
    pub fn iter_from(&self, place: SegmentPosition) -> impl Iterator<Item = SegmentPosition> + '_ {
        std::iter::successors(Some(place), |&place| self.next(place))
    }

    /// Replaces segments by new, empty ones.
    pub fn splice(&mut self, range: Range<usize>, lengths: impl IntoIterator<Item = usize>) {
        let mut serial = self.next_serial;
        let heads: Vec<Head> = lengths
            .into_iter()
            .map(|len| {
                // Ids wrap around after four billion splits, long after their owners are gone.
                serial = serial.wrapping_add(1);
                Head { len, serial, ..Head::default() }
            })
            .collect();
        self.next_serial = serial;
        let bodies: Vec<Arc<Body>> = heads.iter().map(|_| Arc::default()).collect();
        for old in &self.heads[range.clone()] {
            self.far_reaching -= usize::from(old.is_far_reaching());
            self.with_unpaired_tags -= usize::from(old.has_unpaired_tags);
        }
        self.heads.splice(range.clone(), heads);
        self.bodies.splice(range, bodies);
    }
}
