//! Updates for an edit: the segments it touches, and other affected segments.

use std::iter;
use std::ops::Range;

use super::{Edit, Tree, Work, pieces};
use crate::fields::FieldEnds;
use crate::lexer::{Closes, HORIZON_LOOKAHEAD, LookBehind, MARGIN, Window, horizon};
use crate::segments::SegmentPosition;
use crate::source::TextSource;

/// The segments before an edit that it affects.
struct Before {
    /// The segment that contains its start.
    touched: SegmentPosition,
    /// Earlier segments whose tokens depend on text from the edit on.
    dependent: Vec<SegmentPosition>,
    /// Earlier segments with openers that wait for a closer, without anything between that ends the
    /// wait.
    waiting: Vec<SegmentPosition>,
}

impl Tree {
    /// Updates the tree for an edit. `source` is the text after it.
    ///
    /// Cost: a segment or two, unless the edit opens or closes a longer token. An edit of a block
    /// tag also counts the names in that block again.
    ///
    /// ```
    /// use promptls_syntax::{Dialect, Edit, Tree};
    ///
    /// let mut tree = Tree::parse(Dialect::Adk, "Dear {nme},");
    /// tree.edit("Dear {name},", Edit { start: 7, removed: 0, inserted: 1 });
    /// assert_eq!(tree.tokens().next().unwrap().name, "name");
    /// ```
    pub fn edit<S: TextSource + ?Sized>(&mut self, source: &S, edit: Edit) -> Work {
        let mut work = Work::default();
        let before = self.before(edit.start, &mut work);
        let seen_before = self.first_end(before.touched.index);

        let (touched, restructured) = self.replace_touched(source, before.touched, edit);

        // Horizons look a few bytes ahead, so those of the segments just before may change.
        let mut first = SegmentPosition { index: touched.start, start: before.touched.start };
        while first.index > 0 && before.touched.start - first.start < HORIZON_LOOKAHEAD {
            let index = first.index - 1;
            first = SegmentPosition { index, start: first.start - self.segments.head(index).len };
        }
        self.measure_horizons(source, first.index..touched.end, first.start);

        // Waiting openers are affected only if there is, or was, a possible closer.
        let seen_now = self.first_end(touched.start);
        let matters = [seen_before, seen_now].contains(&Some(Closes::Perhaps));
        let mut stale = before.dependent;
        if matters {
            stale.extend(before.waiting);
            stale.sort_unstable_by_key(|place| place.index);
            stale.dedup();
        }
        let start = stale
            .first()
            .copied()
            .unwrap_or(SegmentPosition { index: touched.start, start: before.touched.start });
        let stale: Vec<usize> = stale.into_iter().map(|place| place.index).collect();
        let touched = self.with_lookbehind(source, touched, before.touched.start);
        let lexed = self.lex_from(source, start, &stale, touched, &mut work);
        self.count_names(lexed, restructured, &mut work);
        work
    }

    /// The touched segments, and later ones that may look behind at the end of the touched text.
    fn with_lookbehind<S: TextSource + ?Sized>(
        &self,
        source: &S,
        touched: Range<usize>,
        start: usize,
    ) -> Range<usize> {
        if !self.grammar.looks_behind() {
            return touched;
        }
        let mut buffer = Vec::new();
        let (mut index, mut at) = (touched.start, start);
        while index < self.segments.len() {
            let end = at + self.segments.head(index).len;
            // Look-behind skips braces.
            let mut is_seen_through =
                || source.bytes(at..end, &mut buffer).iter().all(|&byte| byte == b'{');
            if index >= touched.end && !is_seen_through() {
                return touched.start..index + 1;
            }
            (index, at) = (index + 1, end);
        }
        touched.start..index
    }

    fn before(&mut self, offset: usize, work: &mut Work) -> Before {
        let touched = self.segments.seek_edit(offset);
        let mut found = Before { touched, dependent: Vec::new(), waiting: Vec::new() };
        let mut place = match self.segments.any_far_reaching() {
            true => SegmentPosition { index: 0, start: 0 },
            false => {
                // Only the text just before the edit can depend on it.
                let near = iter::successors(Some(touched), |&place| self.segments.previous(place))
                    .find(|place| place.start + MARGIN < offset);
                near.unwrap_or(SegmentPosition { index: 0, start: 0 })
            }
        };
        while place.index < touched.index {
            let head = self.segments.head(place.index);
            let end = place.start + head.len;
            if end + head.reach >= offset {
                found.dependent.push(place);
            }
            if head.horizon.end.is_some() {
                found.waiting.clear();
            }
            if head.waits {
                found.waiting.push(place);
            }
            place = SegmentPosition { index: place.index + 1, start: end };
            work.searched_segments += 1;
        }
        found
    }

    /// The effect of the first end of candidates, looking right from the start of a segment.
    fn first_end(&self, index: usize) -> Option<Closes> {
        let heads = self.segments.heads().get(index..).unwrap_or_default();
        heads.iter().find_map(|head| head.horizon.end).map(|(_, closes)| closes)
    }

    /// Sets the new lengths of the segments that the edit touches.
    ///
    /// Returns their current range, and whether they differ from those before.
    fn replace_touched<S: TextSource + ?Sized>(
        &mut self,
        source: &S,
        first: SegmentPosition,
        edit: Edit,
    ) -> (Range<usize>, bool) {
        let heads = self.segments.heads();
        let mut old_len = heads[first.index].len;
        let mut end = first.index + 1;
        while first.start + old_len < edit.start + edit.removed && end < heads.len() {
            old_len += heads[end].len;
            end += 1;
        }
        let mut new_len = (old_len + edit.inserted).saturating_sub(edit.removed);
        // A segment that has become small is merged with the next one, so that deleting text does
        // not leave thousands of empty ones.
        if new_len < self.max_segment / 8
            && let Some(next) = heads.get(end)
            && new_len + next.len <= self.max_segment
        {
            new_len += next.len;
            end += 1;
        }
        let lengths = pieces(source, first.start..first.start + new_len, self.max_segment);
        if let [len] = lengths[..]
            && end == first.index + 1
        {
            self.segments.head_mut(first.index).len = len;
            return (first.index..end, false);
        }
        let covered = heads[first.index].covered;
        for index in first.index..end {
            let old = std::mem::take(self.segments.body_mut(index));
            self.forget(index, old);
        }
        let touched = first.index..first.index + lengths.len();
        self.segments.splice(first.index..end, lengths);
        self.segments.head_mut(first.index).covered = covered;
        (touched, true)
    }

    pub(super) fn measure_horizons<S: TextSource + ?Sized>(
        &mut self,
        source: &S,
        range: Range<usize>,
        mut start: usize,
    ) {
        let total = source.len_bytes();
        let mut buffer = Vec::new();
        for index in range {
            let len = self.segments.head(index).len;
            let end = (start + len + HORIZON_LOOKAHEAD).min(total);
            let bytes = source.bytes(start..end, &mut buffer);
            let (before, ends) = (LookBehind::default(), &FieldEnds::default());
            let window = Window { bytes, before, ends_prompt: end == total, ends };
            self.segments.head_mut(index).horizon = horizon(self.grammar, window, len);
            start += len;
        }
    }
}
