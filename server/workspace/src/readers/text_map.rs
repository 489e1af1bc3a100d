//! Source positions of the text of a prompt in its file. All offsets are in bytes.

use std::ops::Range;
use std::sync::Arc;

use promptls_hosts::{Decoded, DecodedPiece, Included, PieceKind};

/// The source position of each character of a prompt's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextMap {
    /// In order, without gaps in the text. Empty if the file is the prompt.
    pieces: Vec<DecodedPiece>,
    /// The string literals of the text, in source order, with their quotes. Empty if everything
    /// between its first and its last byte belongs to it.
    literals: Vec<Range<usize>>,
    /// If the text includes constants: how they are shown.
    included: Option<Arc<IncludedTexts>>,
    /// `true` if the text is in the file; `false` for an alias.
    is_written_here: bool,
}

/// The constants in a text.
#[derive(Debug, PartialEq, Eq)]
struct IncludedTexts {
    /// The pieces in source order, without those that are shown as a part of other prompts.
    shown: Vec<DecodedPiece>,
    /// The literals that are shown as a part of other prompts, in source order.
    elsewhere: Vec<Range<usize>>,
    /// The range of the literals around which the constants are included.
    home: Range<usize>,
}

/// The range of some sorted ones that contains a range.
fn containing<'r>(all: &'r [Range<usize>], range: &Range<usize>) -> Option<&'r Range<usize>> {
    let behind = all.partition_point(|it| it.start <= range.start);
    all.get(behind.checked_sub(1)?).filter(|it| range.end <= it.end)
}

impl TextMap {
    /// The map for a file that is the prompt.
    pub fn identity() -> TextMap {
        TextMap { pieces: Vec::new(), literals: Vec::new(), included: None, is_written_here: true }
    }

    /// The map for a text in one or several string literals.
    pub fn of(text: &Decoded, literals: Vec<Range<usize>>) -> TextMap {
        TextMap { pieces: text.pieces().to_vec(), literals, ..TextMap::identity() }
    }

    /// The map for a text that includes constants of the file.
    pub fn with_included(mut self, included: &[Included]) -> TextMap {
        if included.is_empty() {
            return self;
        }
        let ends = self.literals.first().zip(self.literals.last());
        let home = ends.map_or(0..0, |(first, last)| first.start..last.end);
        let of = |is_shown: bool| {
            let literals = included.iter().filter(move |it| it.is_shown == is_shown);
            literals.map(|it| it.literal.clone())
        };
        let elsewhere: Vec<Range<usize>> = of(false).collect();
        let is_shown = |piece: &&DecodedPiece| containing(&elsewhere, &piece.source).is_none();
        let mut shown: Vec<DecodedPiece> = self.pieces.iter().filter(is_shown).cloned().collect();
        shown.sort_by_key(|piece| (piece.source.start, piece.source.end));
        self.literals.extend(of(true));
        self.literals.sort_unstable_by_key(|literal| literal.start);
        self.included = Some(Arc::new(IncludedTexts { shown, elsewhere, home }));
        self
    }

    /// `true` if the file is the prompt.
    pub fn is_identity(&self) -> bool {
        self.pieces.is_empty()
    }

    /// The map for a text elsewhere that a range of the file only names.
    pub fn named_at(range: Range<usize>, text_len: usize) -> TextMap {
        let name = DecodedPiece { text: 0..text_len, source: range, kind: PieceKind::Atomic };
        TextMap { pieces: vec![name], is_written_here: false, ..TextMap::identity() }
    }

    /// `true` if the text is at its position in the file, so that decorations can be drawn there.
    pub fn is_written_here(&self) -> bool {
        self.is_written_here
    }

    /// The same for a range of the text: `false` in a constant that is shown as a part of another
    /// prompt.
    pub fn is_shown_here(&self, range: &Range<usize>) -> bool {
        let is_shown = |included: &Arc<IncludedTexts>| {
            containing(&included.elsewhere, &self.in_file(range)).is_none()
        };
        self.is_written_here && self.included.as_ref().is_none_or(is_shown)
    }

    /// `true` if the text includes constants of the file, so that its order is not that of the file.
    pub fn has_included(&self) -> bool {
        self.included.is_some()
    }

    /// The range in the file of a whole text of this length; without constants that it includes,
    /// but with the quotes of its literals if there are such.
    pub fn home(&self, text_len: usize) -> Range<usize> {
        match &self.included {
            Some(included) => included.home.clone(),
            None => self.in_file(&(0..text_len)),
        }
    }

    /// The range in the file of a range of the text, including escapes that it partly contains.
    /// Cost: O(log n) in the number of escapes.
    pub fn in_file(&self, range: &Range<usize>) -> Range<usize> {
        let Some(last) = self.pieces.last() else { return range.clone() };
        let Range { start, end } = range.start.min(last.text.end)..range.end.min(last.text.end);
        let at = self.pieces.partition_point(|piece| piece.text.start <= start);
        let piece = &self.pieces[at.saturating_sub(1)];
        let first = match piece.kind {
            PieceKind::Equal => piece.source.start + (start - piece.text.start),
            _ if start == piece.text.end => piece.source.end,
            _ => piece.source.start,
        };
        if end <= start {
            return first..first;
        }
        let next = self.pieces.partition_point(|piece| piece.text.start < end);
        let last = &self.pieces[next.saturating_sub(1)];
        let offset = |piece: &DecodedPiece| match piece.kind {
            PieceKind::Equal => piece.source.start + (end.min(piece.text.end) - piece.text.start),
            PieceKind::Atomic | PieceKind::Hole => piece.source.end,
        };
        // Only the part in the first literal, if a constant starts in between.
        first..offset(if self.are_together(piece, last) { last } else { piece })
    }

    /// `true` if the file may have the text between two pieces between their places: always, unless
    /// a constant is included. Then they must be in one literal.
    fn are_together(&self, first: &DecodedPiece, second: &DecodedPiece) -> bool {
        let Some(included) = &self.included else { return true };
        let literal = |piece: &DecodedPiece| {
            let own = containing(&self.literals, &piece.source);
            own.or_else(|| containing(&included.elsewhere, &piece.source))
        };
        literal(first) == literal(second)
    }

    /// The same, extended to the start of the next character: includes bytes after the range that
    /// the text skips, such as the indentation of a line.
    pub fn in_file_to_next(&self, range: &Range<usize>) -> Range<usize> {
        let here = self.in_file(range);
        let next = self.pieces.partition_point(|piece| piece.text.start < range.end);
        let last = next.checked_sub(1).map(|last| &self.pieces[last]);
        let next = self.pieces.get(next).zip(last).filter(|_| !range.is_empty());
        let next = next.filter(|(next, last)| self.are_together(last, next));
        here.start..next.map_or(here.end, |(next, _)| next.source.start)
    }

    /// The runs of a text of this length: start and end in the text, start and end in the file.
    pub fn runs(&self, text_len: usize) -> Vec<(usize, usize, usize, usize)> {
        if self.is_identity() {
            return vec![(0, text_len, 0, text_len)];
        }
        let run = |DecodedPiece { text, source, .. }: &DecodedPiece| {
            (text.start, text.end, source.start, source.end)
        };
        self.pieces.iter().map(run).collect()
    }

    /// The offsets in a range of the text where a verbatim run starts: after an escape, a line
    /// break or the indentation of a line. From there on, offsets in the text and in the file
    /// advance equally.
    pub fn starts_in(&self, range: &Range<usize>) -> impl Iterator<Item = usize> {
        let first = self.pieces.partition_point(|piece| piece.text.start <= range.start);
        let after = self.pieces.partition_point(|piece| piece.text.start < range.end);
        let inside = self.pieces.get(first..after).unwrap_or_default().iter();
        let plain = inside.filter(|piece| piece.kind == PieceKind::Equal);
        plain.map(|piece| piece.text.start)
    }

    /// The offset in the text for one in the file. Inside an escape, it is the offset of its
    /// character; inside of skipped bytes, the offset after them. `None` outside of the text, and
    /// in a hole. Cost: as for [`TextMap::in_file`].
    pub fn in_text(&self, offset: usize) -> Option<usize> {
        if self.is_identity() {
            return Some(offset);
        }
        let pieces = self.in_source_order();
        let last = pieces.last()?;
        let after = pieces.partition_point(|piece| piece.source.start <= offset);
        let piece = &pieces[after.checked_sub(1)?];
        match piece.kind {
            _ if offset > last.source.end => None,
            _ if offset >= piece.source.end => {
                self.is_in_literal(offset, piece).then_some(piece.text.end)
            }
            PieceKind::Equal => Some(piece.text.start + (offset - piece.source.start)),
            PieceKind::Hole if offset > piece.source.start => None,
            PieceKind::Atomic | PieceKind::Hole => Some(piece.text.start),
        }
    }

    /// The offset in the text of the hole at an offset in the file; `None` outside of holes.
    pub fn hole_in_text(&self, offset: usize) -> Option<usize> {
        let pieces = self.in_source_order();
        let after = pieces.partition_point(|piece| piece.source.start <= offset);
        let piece = pieces.get(after.checked_sub(1)?)?;
        let is_here = piece.kind == PieceKind::Hole && offset <= piece.source.end;
        is_here.then_some(piece.text.start)
    }

    /// The pieces that are shown as a part of this prompt.
    fn in_source_order(&self) -> &[DecodedPiece] {
        self.included.as_ref().map_or(&self.pieces, |included| &included.shown)
    }

    /// `true` if an offset is in a literal; if the text includes constants, in that of the piece
    /// before it.
    fn is_in_literal(&self, offset: usize, piece: &DecodedPiece) -> bool {
        let at = self.literals.partition_point(|literal| literal.end < offset);
        let is_inside = |literal: &Range<usize>| {
            literal.start < offset
                && offset < literal.end
                && (self.included.is_none() || literal.start <= piece.source.start)
        };
        self.literals.is_empty() || self.literals.get(at).is_some_and(is_inside)
    }

    /// The offset in the text that is nearest to one in the file.
    pub fn nearest_in_text(&self, offset: usize) -> usize {
        let pieces = self.in_source_order();
        let (Some(first), Some(last)) = (pieces.first(), pieces.last()) else {
            return if self.is_identity() { offset } else { 0 };
        };
        let offset = offset.clamp(first.source.start, last.source.end);
        let after = pieces.partition_point(|piece| piece.source.start <= offset);
        let before = &pieces[after.saturating_sub(1)];
        self.in_text(offset).unwrap_or(before.text.end)
    }
}
