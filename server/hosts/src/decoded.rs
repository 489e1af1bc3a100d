//! The text that a string stands for, and where each byte of it is written. All offsets are in
//! bytes.

use std::ops::Range;

/// What stands in a text for a part that only the running program knows: U+FFFC.
pub(crate) const HOLE: char = '\u{FFFC}';

/// A run of a text, and where it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Where it stands in the text.
    pub text: Range<usize>,
    /// Where it is written in the host.
    pub source: Range<usize>,
    /// How it is written there.
    pub kind: PieceKind,
}

/// How a piece of a text is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PieceKind {
    /// As it is, byte for byte.
    Equal,
    /// In another way, which has no parts: an escape, a line end that becomes another one.
    Atomic,
    /// As what the program computes: an interpolation, an operand.
    Hole,
}

/// A text and its map to the host: pieces without gaps in the text, and in order in the host.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Decoded {
    text: String,
    pieces: Vec<Piece>,
}

impl Decoded {
    /// An empty text, to be typed at an offset of the host.
    pub fn empty_at(offset: usize) -> Decoded {
        let piece = Piece { text: 0..0, source: offset..offset, kind: PieceKind::Equal };
        Decoded { text: String::new(), pieces: vec![piece] }
    }

    /// The text, with U+FFFC for each hole.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text alone.
    pub fn into_text(self) -> String {
        self.text
    }

    /// The map: in order, without gaps in the text; one empty piece for an empty text.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// The ranges of the text that are holes, in order.
    pub fn holes(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        let holes = self.pieces.iter().filter(|piece| piece.kind == PieceKind::Hole);
        holes.map(|hole| hole.text.clone())
    }

    /// Adds text that stands in the host as it is, from an offset on.
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
            _ => self.pieces.push(Piece {
                text: start..end,
                source: at..at + text.len(),
                kind: PieceKind::Equal,
            }),
        }
    }

    /// Adds text that is written in another way, at a range of the host.
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
        self.pieces.push(Piece { text: start..self.text.len(), source, kind });
    }

    /// Adds what another text says, written behind this one.
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
