//! Sources of text for a tree: a rope in an editor, a string everywhere else.

use std::ops::Range;

use ropey::Rope;

/// Text that can be read in pieces.
pub trait TextSource {
    /// The length of the whole text, in bytes.
    fn len_bytes(&self) -> usize;

    /// The bytes of a range, borrowed if they are contiguous, else copied into `buffer`.
    fn bytes<'a>(&'a self, range: Range<usize>, buffer: &'a mut Vec<u8>) -> &'a [u8];

    /// The last character boundary at or before an offset.
    fn floor_boundary(&self, offset: usize) -> usize;
}

impl TextSource for str {
    fn len_bytes(&self) -> usize {
        self.len()
    }

    fn bytes<'a>(&'a self, range: Range<usize>, _: &'a mut Vec<u8>) -> &'a [u8] {
        &self.as_bytes()[range]
    }

    fn floor_boundary(&self, offset: usize) -> usize {
        self.floor_char_boundary(offset)
    }
}

impl TextSource for Rope {
    fn len_bytes(&self) -> usize {
        self.len_bytes()
    }

    fn bytes<'a>(&'a self, range: Range<usize>, buffer: &'a mut Vec<u8>) -> &'a [u8] {
        // Not `byte_slice`: a range may end inside a character.
        let (mut chunks, mut chunk_start, _, _) = self.chunks_at_byte(range.start);
        let mut piece = |chunk: &'a str| {
            let from = range.start.max(chunk_start) - chunk_start;
            let to = range.end.min(chunk_start + chunk.len()) - chunk_start;
            chunk_start += chunk.len();
            &chunk.as_bytes()[from..to]
        };
        let first = chunks.next().map(&mut piece).unwrap_or_default();
        if first.len() == range.len() {
            return first;
        }
        buffer.clear();
        buffer.reserve(range.len());
        buffer.extend_from_slice(first);
        while buffer.len() < range.len()
            && let Some(chunk) = chunks.next()
        {
            buffer.extend_from_slice(piece(chunk));
        }
        buffer
    }

    fn floor_boundary(&self, offset: usize) -> usize {
        self.char_to_byte(self.byte_to_char(offset))
    }
}
