//! Where the text of a prompt is written in its file. All offsets are in bytes.

use std::ops::Range;

use promptls_hosts::{Decoded, Piece, PieceKind};

/// Where each character of a prompt's text is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextMap {
    /// In order, without gaps in the text. None at all where the file is the prompt.
    pieces: Vec<Piece>,
    /// The strings that the text is written in, in order, with their quotes. None where all that
    /// stands between its first and its last byte belongs to it.
    literals: Vec<Range<usize>>,
    /// Whether the text stands there.
    is_written_here: bool,
}

impl TextMap {
    /// For a file that is the prompt.
    pub fn identity() -> TextMap {
        TextMap { pieces: Vec::new(), literals: Vec::new(), is_written_here: true }
    }

    /// For a text that is written in a string, or in several of them.
    pub fn of(text: &Decoded, literals: Vec<Range<usize>>) -> TextMap {
        TextMap { pieces: text.pieces().to_vec(), literals, is_written_here: true }
    }

    /// Whether the file is the prompt.
    pub fn is_identity(&self) -> bool {
        self.pieces.is_empty()
    }

    /// For a text that stands elsewhere, and is only named at a range of the file.
    pub fn named_at(range: Range<usize>, text_len: usize) -> TextMap {
        let name = Piece { text: 0..text_len, source: range, kind: PieceKind::Atomic };
        TextMap { pieces: vec![name], is_written_here: false, ..TextMap::identity() }
    }

    /// Whether the text stands in the file where it is, so that something can be drawn there.
    pub fn is_written_here(&self) -> bool {
        self.is_written_here
    }

    /// Where a range of the text is written, escapes that it has a part of included. Cost:
    /// O(log n) in the number of escapes.
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
        let piece = &self.pieces[next.saturating_sub(1)];
        first..match piece.kind {
            PieceKind::Equal => piece.source.start + (end - piece.text.start),
            PieceKind::Atomic | PieceKind::Hole => piece.source.end,
        }
    }

    /// The same up to where the next character is written: with what the text skips behind the range,
    /// such as the indentation of a line.
    pub fn in_file_to_next(&self, range: &Range<usize>) -> Range<usize> {
        let here = self.in_file(range);
        let next = self.pieces.partition_point(|piece| piece.text.start < range.end);
        let next = self.pieces.get(next).filter(|_| !range.is_empty());
        here.start..next.map_or(here.end, |piece| piece.source.start)
    }

    /// Each run of a text of this length: from and to in the text, from and to in the file.
    pub fn runs(&self, text_len: usize) -> Vec<(usize, usize, usize, usize)> {
        if self.is_identity() {
            return vec![(0, text_len, 0, text_len)];
        }
        let run =
            |Piece { text, source, .. }: &Piece| (text.start, text.end, source.start, source.end);
        self.pieces.iter().map(run).collect()
    }

    /// Where, inside of a range of the text, something starts anew that is written as it is: behind
    /// an escape, a line break or the indentation of a line. From there on, places in the text and
    /// in the file count alike.
    pub fn starts_in(&self, range: &Range<usize>) -> impl Iterator<Item = usize> {
        let first = self.pieces.partition_point(|piece| piece.text.start <= range.start);
        let after = self.pieces.partition_point(|piece| piece.text.start < range.end);
        let inside = self.pieces.get(first..after).unwrap_or_default().iter();
        let plain = inside.filter(|piece| piece.kind == PieceKind::Equal);
        plain.map(|piece| piece.text.start)
    }

    /// The offset in the text of one in the file; inside an escape, that of its character, and
    /// inside of what the text skips, that behind it. `None` outside of the text, and in a hole.
    /// Cost: as for [`TextMap::in_file`].
    pub fn in_text(&self, offset: usize) -> Option<usize> {
        let Some(last) = self.pieces.last() else { return Some(offset) };
        let after = self.pieces.partition_point(|piece| piece.source.start <= offset);
        let piece = &self.pieces[after.checked_sub(1)?];
        match piece.kind {
            _ if offset > last.source.end => None,
            _ if offset >= piece.source.end => self.is_in_literal(offset).then_some(piece.text.end),
            PieceKind::Equal => Some(piece.text.start + (offset - piece.source.start)),
            PieceKind::Hole if offset > piece.source.start => None,
            PieceKind::Atomic | PieceKind::Hole => Some(piece.text.start),
        }
    }

    fn is_in_literal(&self, offset: usize) -> bool {
        let at = self.literals.partition_point(|literal| literal.end < offset);
        let is_inside = |literal: &Range<usize>| literal.start < offset && offset < literal.end;
        self.literals.is_empty() || self.literals.get(at).is_some_and(is_inside)
    }

    /// The offset in the text that is next to one in the file.
    pub fn nearest_in_text(&self, offset: usize) -> usize {
        let (Some(first), Some(last)) = (self.pieces.first(), self.pieces.last()) else {
            return offset;
        };
        let offset = offset.clamp(first.source.start, last.source.end);
        let after = self.pieces.partition_point(|piece| piece.source.start <= offset);
        let before = &self.pieces[after.saturating_sub(1)];
        self.in_text(offset).unwrap_or(before.text.end)
    }
}
