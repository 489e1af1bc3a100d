//! Offsets into a resolved text, in the units that the editor counts.

use promptls_analysis::position::Encoding;

/// Counts the code units before growing offsets of a text.
pub struct Units<'t> {
    text: &'t str,
    encoding: Encoding,
    /// An offset in bytes, and the units before it.
    done: (usize, usize),
}

impl<'t> Units<'t> {
    /// For offsets of this text.
    pub fn new(text: &'t str, encoding: Encoding) -> Self {
        Units { text, encoding, done: (0, 0) }
    }

    /// The units before an offset in bytes.
    pub fn before(&mut self, offset: usize) -> usize {
        let (bytes, units) = self.done;
        // The parts of a piece come before its end, never before its start.
        let piece = &self.text[bytes.min(offset)..offset];
        let more = match self.encoding {
            Encoding::Utf8 => piece.len(),
            Encoding::Utf16 if piece.is_ascii() => piece.len(),
            Encoding::Utf16 => piece.encode_utf16().count(),
            Encoding::Utf32 => piece.chars().count(),
        };
        self.done = (bytes.max(offset), units + more);
        self.done.1
    }
}
