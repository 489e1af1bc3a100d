//! The decoded text of a string, with the source position of each byte. All offsets are in bytes.

use std::ops::Range;

/// The character for a part of a text that is computed at run time: U+FFFC.
pub const HOLE: char = '\u{FFFC}';

/// A piece of a text, and its source range.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DecodedPiece {
    /// Its range in the text.
    pub text: Range<usize>,
    /// Its range in the source of the host.
    pub source: Range<usize>,
    /// How it is written in the source.
    pub kind: PieceKind,
}

/// The notation of a piece of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PieceKind {
    /// The text equals the source, byte for byte.
    Equal,
    /// An indivisible notation: an escape, or a line end that is converted.
    Atomic,
    /// Computed by the program: an interpolation, an operand.
    Hole,
}

/// A text and its source map: pieces without gaps in the text. They are in source order, except
/// those of a constant that is included by its name. What a method makes of a part of an atomic piece
/// has the source range of the whole.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Decoded {
    text: String,
    pieces: Vec<DecodedPiece>,
}

impl Decoded {
    /// An empty text whose insertion point is an offset of the host.
    pub fn empty_at(offset: usize) -> Decoded {
        let piece = DecodedPiece { text: 0..0, source: offset..offset, kind: PieceKind::Equal };
        Decoded { text: String::new(), pieces: vec![piece] }
    }

    /// The text, with U+FFFC for each hole.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the text, and drops the source map.
    pub fn into_text(self) -> String {
        self.text
    }

    /// The source map: in order, without gaps in the text; one empty piece for an empty text.
    pub fn pieces(&self) -> &[DecodedPiece] {
        &self.pieces
    }

    /// The ranges of the text that are holes, in order.
    pub fn holes(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        let holes = self.pieces.iter().filter(|piece| piece.kind == PieceKind::Hole);
        holes.map(|hole| hole.text.clone())
    }

    /// Adds text that is verbatim in the host, from an offset on.
    pub fn push_equal(&mut self, text: &str, at: usize) {
        if text.is_empty() {
            return;
        }
        let start = self.text.len();
        self.text.push_str(text);
        let end = self.text.len();
        match self.pieces.last_mut() {
            Some(last) if last.kind == PieceKind::Equal && last.source.end == at => {
                last.text.end = end;
                last.source.end = at + text.len();
            }
            _ => self.pieces.push(DecodedPiece {
                text: start..end,
                source: at..at + text.len(),
                kind: PieceKind::Equal,
            }),
        }
    }

    /// Adds text in an indivisible notation, at a range of the host.
    pub fn push_atomic(&mut self, text: &str, source: Range<usize>) {
        self.push(text, source, PieceKind::Atomic);
    }

    /// Adds a hole that is written at a range of the host.
    pub fn push_hole(&mut self, source: Range<usize>) {
        self.push(HOLE.encode_utf8(&mut [0; 4]), source, PieceKind::Hole);
    }

    fn push(&mut self, text: &str, source: Range<usize>, kind: PieceKind) {
        if text.is_empty() {
            return;
        }
        let start = self.text.len();
        self.text.push_str(text);
        self.pieces.push(DecodedPiece { text: start..self.text.len(), source, kind });
    }

    /// Appends another text, which is later in the source or a constant.
    pub fn append(&mut self, other: &Decoded) {
        for piece in other.pieces() {
            let text = &other.text[piece.text.clone()];
            match piece.kind {
                PieceKind::Equal => self.push_equal(text, piece.source.start),
                kind => self.push(text, piece.source.clone(), kind),
            }
        }
    }
}

impl Decoded {
    /// Appends a part of another text, which is later in the source. A part of an atomic piece is
    /// atomic.
    ///
    /// Cost: the pieces of the part, and a binary search for the first.
    pub fn push_part(&mut self, other: &Decoded, part: Range<usize>) {
        let first = other.pieces.partition_point(|piece| piece.text.end <= part.start);
        for piece in &other.pieces[first..] {
            let from = piece.text.start.max(part.start);
            let to = piece.text.end.min(part.end);
            if from >= to {
                break;
            }
            let text = &other.text[from..to];
            match piece.kind {
                PieceKind::Equal => {
                    self.push_equal(text, piece.source.start + from - piece.text.start);
                }
                kind => self.push(text, piece.source.clone(), kind),
            }
        }
    }

    /// A part of the text; an empty part keeps its insertion point.
    pub fn part(&self, part: Range<usize>) -> Decoded {
        let mut decoded = Decoded::default();
        decoded.push_part(self, part.clone());
        decoded.or_empty_at(self.source(part.start..part.start).start)
    }

    /// This text; if it has no piece, an empty one at an offset of the host.
    pub fn or_empty_at(self, offset: usize) -> Decoded {
        if self.pieces.is_empty() { Decoded::empty_at(offset) } else { self }
    }

    /// The source range of a part of the text, from its first byte to its last in source order.
    pub fn source(&self, part: Range<usize>) -> Range<usize> {
        let last = self.pieces.len().saturating_sub(1);
        let first = self.pieces.partition_point(|piece| piece.text.end <= part.start).min(last);
        let behind = self.pieces.partition_point(|piece| piece.text.start < part.end);
        let mut end = behind.saturating_sub(1).max(first);
        let is_in_order = |pair: &[DecodedPiece]| pair[0].source.start <= pair[1].source.start;
        let pieces = self.pieces.get(first..=end).unwrap_or_default();
        if let Some(break_at) = pieces.windows(2).position(|pair| !is_in_order(pair)) {
            end = first + break_at;
        }
        let offset = |piece: usize, at: usize, is_end: bool| {
            let Some(piece) = self.pieces.get(piece) else { return 0 };
            match piece.kind {
                PieceKind::Equal => {
                    piece.source.start + at.min(piece.text.end).saturating_sub(piece.text.start)
                }
                _ if is_end => piece.source.end,
                _ => piece.source.start,
            }
        };
        let start = offset(first, part.start, false);
        start..offset(end, part.end, true).max(start)
    }

    /// `true` if a part of the text contains a hole.
    pub fn has_hole(&self, part: Range<usize>) -> bool {
        let first = self.pieces.partition_point(|piece| piece.text.end <= part.start);
        let touched = self.pieces[first..].iter().take_while(|piece| piece.text.start < part.end);
        touched.into_iter().any(|piece| piece.kind == PieceKind::Hole)
    }

    /// The same text after an edit within a verbatim piece: a range of the host is replaced by
    /// another text. Later source positions shift accordingly.
    pub fn with_edit(&self, piece: usize, range: Range<usize>, inserted: &str) -> Decoded {
        let mut edited = self.clone();
        let DecodedPiece { text, source, .. } = &self.pieces[piece];
        let start = text.start + range.start - source.start;
        edited.text.replace_range(start..start + range.len(), inserted);
        let moved = |at: usize| at + inserted.len() - range.len();
        edited.pieces[piece].text.end = moved(text.end);
        edited.pieces[piece].source.end = moved(source.end);
        for DecodedPiece { text, source, .. } in &mut edited.pieces[piece + 1..] {
            *text = moved(text.start)..moved(text.end);
            *source = moved(source.start)..moved(source.end);
        }
        edited
    }

    /// Applies a function to all source ranges.
    pub fn shift(&mut self, shift: impl Fn(&mut Range<usize>)) {
        self.pieces.iter_mut().for_each(|piece| shift(&mut piece.source));
    }
}
