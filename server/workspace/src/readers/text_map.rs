//! Source positions of the text of a prompt in its file. All offsets are in bytes.

use std::ops::Range;

use promptls_hosts::{Decoded, DecodedPiece, PieceKind};

/// The source position of each character of a prompt's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextMap {
    /// In order, without gaps in the text. Empty if the file is the prompt.
    pieces: Vec<DecodedPiece>,
    /// The string literals of the text, in order, with their quotes. Empty if everything between
    /// its first and its last byte belongs to it.
    literals: Vec<Range<usize>>,
    /// `true` if the text is in the file; `false` for an alias.
    is_written_here: bool,
}

impl TextMap {
    /// The map for a file that is the prompt.
    pub fn identity() -> TextMap {
        TextMap { pieces: Vec::new(), literals: Vec::new(), is_written_here: true }
    }

    /// The map for a text in one or several string literals.
    pub fn of(text: &Decoded, literals: Vec<Range<usize>>) -> TextMap {
        TextMap { pieces: text.pieces().to_vec(), literals, is_written_here: true }
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
        let piece = &self.pieces[next.saturating_sub(1)];
        first..match piece.kind {
            PieceKind::Equal => piece.source.start + (end - piece.text.start),
            PieceKind::Atomic | PieceKind::Hole => piece.source.end,
        }
    }

    /// The same, extended to the start of the next character: includes bytes after the range that
    /// the text skips, such as the indentation of a line.
    pub fn in_file_to_next(&self, range: &Range<usize>) -> Range<usize> {
        let here = self.in_file(range);
        let next = self.pieces.partition_point(|piece| piece.text.start < range.end);
        let next = self.pieces.get(next).filter(|_| !range.is_empty());
        here.start..next.map_or(here.end, |piece| piece.source.start)
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

    /// The offset in the text that is nearest to one in the file.
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
