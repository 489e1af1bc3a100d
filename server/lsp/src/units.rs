//! Offsets into a resolved text, in the code units of the editor.

use promptls_analysis::position::Encoding;

/// Converts increasing offsets of a text to code units.
pub struct Units<'t> {
    text: &'t str,
    encoding: Encoding,
    /// An offset in bytes, and the number of units before it.
    done: (usize, usize),
}

impl<'t> Units<'t> {
    /// Starts at the beginning of a text.
    pub fn new(text: &'t str, encoding: Encoding) -> Self {
        Units { text, encoding, done: (0, 0) }
    }

    /// The number of units before an offset in bytes.
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
