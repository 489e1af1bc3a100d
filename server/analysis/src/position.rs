//! Lines and columns: all conversions to and from byte offsets.
//!
//! Lines end at `\n`, `\r\n` or `\r`, as in the protocol. Columns count bytes, UTF-16 units or
//! characters, as negotiated with the editor.

use std::ops::Range;

use ropey::Rope;

/// The unit of columns, which editors and servers negotiate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// Bytes of UTF-8, as in the offsets of this crate.
    Utf8,
    /// Code units of UTF-16, which JavaScript calls characters. The default of editors.
    #[default]
    Utf16,
    /// Unicode code points, one for each `char`.
    Utf32,
}

/// A position in the format of editors; line and column start at 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The line, counted from 0 as in LSP.
    pub line: usize,
    /// The column in units of the [`Encoding`], from 0.
    pub column: usize,
}

/// The position of a byte offset.
///
/// An offset after the end counts as the end; an offset inside a character counts as its start.
///
/// Cost: O(log n), independent of the length of the line.
///
/// ```
/// use promptls_analysis::position::{Encoding, Position, position};
/// use ropey::Rope;
///
/// let text = Rope::from_str("Hi\n🎉{name}");
/// let brace = "Hi\n🎉".len();
/// assert_eq!(position(&text, brace, Encoding::Utf16), Position { line: 1, column: 2 });
/// assert_eq!(position(&text, brace, Encoding::Utf8), Position { line: 1, column: 4 });
/// ```
pub fn position(text: &Rope, offset: usize, encoding: Encoding) -> Position {
    let character = text.byte_to_char(offset.min(text.len_bytes()));
    let line = text.char_to_line(character);
    let start = text.line_to_char(line);
    let column = match encoding {
        Encoding::Utf8 => text.char_to_byte(character) - text.char_to_byte(start),
        Encoding::Utf16 => text.char_to_utf16_cu(character) - text.char_to_utf16_cu(start),
        Encoding::Utf32 => character - start,
    };
    Position { line, column }
}

/// The positions of both ends of a range.
pub fn positions(text: &Rope, range: &Range<usize>, encoding: Encoding) -> Range<Position> {
    position(text, range.start, encoding)..position(text, range.end, encoding)
}

/// Computes the positions of many mostly increasing offsets, each from the previous one.
#[derive(Debug)]
pub struct Walk<'t> {
    text: &'t Rope,
    encoding: Encoding,
    /// A chunk of the text, and the offset after it.
    chunk: (&'t str, usize),
    /// The present offset, in the chunk or at one of its ends.
    offset: usize,
    position: Position,
}

/// The distance in bytes from which a lookup in the rope is faster.
const STRIDE: usize = 4096;

impl<'t> Walk<'t> {
    /// Starts at the beginning of a text.
    pub fn new(text: &'t Rope, encoding: Encoding) -> Walk<'t> {
        Walk { text, encoding, chunk: ("", 0), offset: 0, position: Position::default() }
    }

    /// As [`position`], for an offset between two characters.
    ///
    /// Cost: the bytes since the last offset; that of [`position`] for an earlier or distant
    /// offset.
    pub fn position(&mut self, offset: usize) -> Position {
        let offset = offset.min(self.text.len_bytes());
        if offset < self.offset || offset - self.offset > STRIDE {
            self.position = position(self.text, offset, self.encoding);
            self.chunk = ("", offset);
            self.offset = offset;
        }
        while self.offset < offset {
            if self.offset == self.chunk.1 {
                let (chunk, start, ..) = self.text.chunk_at_byte(self.offset);
                self.chunk = (chunk, start + chunk.len());
            }
            let (chunk, end) = self.chunk;
            let start = end - chunk.len();
            let next = offset.min(end);
            self.pass(&chunk[self.offset - start..next - start]);
            self.offset = next;
        }
        self.position
    }

    /// Advances over a piece that does not end within a line break.
    fn pass(&mut self, piece: &str) {
        let mut line_start = None;
        for start in line_starts(piece) {
            self.position.line += 1;
            line_start = Some(start);
        }
        self.position.column = match line_start {
            Some(start) => width(&piece[start..], self.encoding),
            None => self.position.column + width(piece, self.encoding),
        };
    }
}

/// The number of line breaks in a piece that does not end within one: the line, from 0, of the
/// offset at its end.
///
/// Cost: O(n). For many offsets of one text, [`Walk`].
pub fn line_breaks(piece: &str) -> usize {
    line_starts(piece).count()
}

/// The offsets of the lines after the first.
fn line_starts(piece: &str) -> impl Iterator<Item = usize> + '_ {
    let bytes = piece.as_bytes();
    let ends_line = |&at: &usize| bytes[at] == b'\n' || bytes.get(at + 1) != Some(&b'\n');
    memchr::memchr2_iter(b'\n', b'\r', bytes).filter(ends_line).map(|at| at + 1)
}

/// The number of columns in a part of a line.
pub fn width(piece: &str, encoding: Encoding) -> usize {
    match encoding {
        Encoding::Utf8 => piece.len(),
        Encoding::Utf16 if piece.is_ascii() => piece.len(),
        Encoding::Utf16 => piece.encode_utf16().count(),
        Encoding::Utf32 => piece.chars().count(),
    }
}

/// The byte offset of a position.
///
/// A column after the end of its line counts as the end of the line, because editors send that
/// while the user types. `None` if the line does not exist, or the column is inside a character.
///
/// Cost: O(log n), independent of the length of the line.
pub fn offset(text: &Rope, position: Position, encoding: Encoding) -> Option<usize> {
    if position.line >= text.len_lines() {
        return None;
    }
    let start = text.line_to_char(position.line);
    let end = line_end(text, position.line);
    let character = match encoding {
        Encoding::Utf8 => {
            let target = text.char_to_byte(start).saturating_add(position.column);
            if target >= text.char_to_byte(end) {
                end
            } else {
                let character = text.byte_to_char(target);
                if text.char_to_byte(character) != target {
                    return None;
                }
                character
            }
        }
        Encoding::Utf16 => {
            let target = text.char_to_utf16_cu(start).saturating_add(position.column);
            if target >= text.char_to_utf16_cu(end) {
                end
            } else {
                let character = text.utf16_cu_to_char(target);
                if text.char_to_utf16_cu(character) != target {
                    return None;
                }
                character
            }
        }
        Encoding::Utf32 => start.saturating_add(position.column).min(end),
    };
    Some(text.char_to_byte(character))
}

/// The nearest byte offset of a position. A line after the text counts as its end, and a column
/// inside a character as the start of that character.
///
/// Editors send such positions, for example when they delete the last line.
pub fn nearest_offset(text: &Rope, position: Position, encoding: Encoding) -> usize {
    if position.line >= text.len_lines() {
        return text.len_bytes();
    }
    let before = |back| Position { column: position.column.saturating_sub(back), ..position };
    // No character is longer than four units.
    (0..4).find_map(|back| offset(text, before(back), encoding)).unwrap_or(text.len_bytes())
}

/// The character after the last one of a line, without its line break.
fn line_end(text: &Rope, line: usize) -> usize {
    let next =
        if line + 1 < text.len_lines() { text.line_to_char(line + 1) } else { text.len_chars() };
    let start = text.line_to_char(line);
    let mut end = next;
    if end > start && text.char(end - 1) == '\n' {
        end -= 1;
    }
    if end > start && text.char(end - 1) == '\r' {
        end -= 1;
    }
    end
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const ENCODINGS: [Encoding; 3] = [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32];

    #[test]
    fn columns_count_units_of_the_encoding() {
        let text = Rope::from_str("aé🎉b\nc");
        let columns = ENCODINGS.map(|encoding| position(&text, 7, encoding).column);
        assert_eq!(columns, [7, 4, 3]);
        assert_eq!(ENCODINGS.map(|encoding| width("aé🎉", encoding)), columns);
    }

    #[test]
    fn a_column_past_the_end_of_a_line_is_its_end() {
        let text = Rope::from_str("ab\r\nc\rd\n");
        for encoding in ENCODINGS {
            let end = |line| offset(&text, Position { line, column: 99 }, encoding);
            assert_eq!(
                [end(0), end(1), end(2), end(3), end(4)],
                [Some(2), Some(5), Some(7), Some(8), None]
            );
        }
    }

    #[test]
    fn a_column_inside_a_character_has_no_offset() {
        let text = Rope::from_str("🎉");
        assert_eq!(offset(&text, Position { line: 0, column: 1 }, Encoding::Utf16), None);
        assert_eq!(offset(&text, Position { line: 0, column: 2 }, Encoding::Utf8), None);
        let far = Position { line: 0, column: usize::MAX };
        assert_eq!(offset(&text, far, Encoding::Utf16), Some(4));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(10_000))]

        #[test]
        fn walked_positions_equal_those_of_the_rope(
            text in "[a\\r\\né🎉]{0,40}",
            repeats in 1..200_usize,
            offsets in proptest::collection::vec(0..20_000_usize, 1..20),
        ) {
            let text = text.repeat(repeats);
            let rope = Rope::from_str(&text);
            let is_inside = |at: usize| text[..at].ends_with('\r') && text[at..].starts_with('\n');
            for encoding in ENCODINGS {
                let mut walk = Walk::new(&rope, encoding);
                let on_line = |at: &usize| text.is_char_boundary(*at) && !is_inside(*at);
                for at in offsets.iter().map(|at| at % (text.len() + 1)).filter(on_line) {
                    let expected = position(&rope, at, encoding);
                    prop_assert_eq!(walk.position(at), expected);
                    prop_assert_eq!(line_breaks(&text[..at]), expected.line);
                }
            }
        }

        #[test]
        fn every_offset_round_trips_through_its_position(text in "[a{}\\r\\né🎉\u{2028}]{0,40}") {
            let rope = Rope::from_str(&text);
            for at in (0..=text.len()).filter(|&at| text.is_char_boundary(at)) {
                // The middle of a line break is on no line.
                if at > 0 && text[at..].starts_with('\n') && text[..at].ends_with('\r') {
                    continue;
                }
                for encoding in ENCODINGS {
                    let there = position(&rope, at, encoding);
                    prop_assert_eq!(offset(&rope, there, encoding), Some(at));
                }
            }
        }
    }
}
