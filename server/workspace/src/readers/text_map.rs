//! Where the text of a prompt is written in its file. All offsets are in bytes.

use std::ops::Range;

/// Where each character of a prompt's text is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextMap {
    /// In order, without gaps. The last one is empty and ends both the text and the place in the
    /// file. None at all where the file is the prompt.
    pieces: Vec<Piece>,
    /// Whether the text stands there.
    is_written_here: bool,
}

/// Text that is written as it is, or one character that is written in another way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Where it starts in the text.
    pub text: usize,
    /// Where it starts in the file.
    pub file: usize,
    /// Whether what stands in the file is not the character itself.
    pub is_escape: bool,
}

impl TextMap {
    /// For a file that is the prompt.
    pub fn identity() -> TextMap {
        TextMap { pieces: Vec::new(), is_written_here: true }
    }

    /// For a text that is written in pieces, in order and without gaps, `end` behind the last.
    pub fn of_pieces(mut pieces: Vec<Piece>, end: Piece) -> TextMap {
        pieces.push(end);
        TextMap { pieces, is_written_here: true }
    }

    /// Whether the file is the prompt.
    pub fn is_identity(&self) -> bool {
        self.pieces.is_empty()
    }

    /// For a text that stands elsewhere, and is only named at a range of the file.
    pub fn named_at(range: Range<usize>, text_len: usize) -> TextMap {
        let name = Piece { text: 0, file: range.start, is_escape: true };
        let end = Piece { text: text_len, file: range.end, is_escape: false };
        TextMap { is_written_here: false, ..TextMap::of_pieces(vec![name], end) }
    }

    /// Whether the text stands in the file where it is, so that something can be drawn there.
    pub fn is_written_here(&self) -> bool {
        self.is_written_here
    }

    /// Where a range of the text is written, escapes that it has a part of included. Cost:
    /// O(log n) in the number of escapes.
    pub fn in_file(&self, range: &Range<usize>) -> Range<usize> {
        let Some(end) = self.pieces.last() else { return range.clone() };
        let Range { start, end } = range.start.min(end.text)..range.end.min(end.text);
        let piece = self.pieces[self.pieces.partition_point(|piece| piece.text <= start) - 1];
        let first = if piece.is_escape { piece.file } else { piece.file + (start - piece.text) };
        if end <= start {
            return first..first;
        }
        // What means nothing behind the last character is not part of it.
        let next = self.pieces.partition_point(|piece| piece.text < end);
        let (piece, next) = (self.pieces[next - 1], self.pieces[next]);
        let is_in_plain = next.text > end && !piece.is_escape;
        first..if is_in_plain { piece.file + (end - piece.text) } else { next.file }
    }

    /// Where, inside of a range of the text, something starts anew that is written as it is: behind
    /// an escape, a line break or the indentation of a line. From there on, places in the text and
    /// in the file count alike.
    pub fn starts_in(&self, range: &Range<usize>) -> impl Iterator<Item = usize> {
        let pieces = self.pieces.split_last().map_or(&[][..], |(_end, pieces)| pieces);
        let first = pieces.partition_point(|piece| piece.text <= range.start);
        let after = pieces.partition_point(|piece| piece.text < range.end);
        let inside = pieces.get(first..after).unwrap_or_default().iter();
        inside.filter(|piece| !piece.is_escape).map(|piece| piece.text)
    }

    /// The offset in the text of one in the file; inside an escape, that of its character. `None`
    /// outside of the text. Cost: as for [`TextMap::in_file`].
    pub fn in_text(&self, offset: usize) -> Option<usize> {
        let Some(end) = self.pieces.last() else { return Some(offset) };
        let after = self.pieces.partition_point(|piece| piece.file <= offset);
        let piece = self.pieces[after.checked_sub(1)?];
        if offset > end.file {
            return None;
        }
        Some(if piece.is_escape { piece.text } else { piece.text + (offset - piece.file) })
    }

    /// The offset in the text that is next to one in the file.
    pub fn nearest_in_text(&self, offset: usize) -> usize {
        match (self.pieces.first(), self.pieces.last()) {
            (Some(first), Some(end)) => {
                self.in_text(offset.clamp(first.file, end.file)).unwrap_or(end.text)
            }
            _ => offset,
        }
    }
}
