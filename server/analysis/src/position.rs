//! Lines and columns: every conversion to and from byte offsets.
//!
//! Lines end at `\n`, `\r\n` or `\r`, as the protocol has it. Columns count
//! bytes, UTF-16 units or characters, as the editor wishes.

use std::ops::Range;

use ropey::Rope;

/// What a column counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// Bytes.
    Utf8,
    /// Halves of what JavaScript calls a character; what editors use unless told otherwise.
    #[default]
    Utf16,
    /// Characters.
    Utf32,
}

/// A place as editors say it, both from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The line.
    pub line: usize,
    /// Units of the [`Encoding`] from the start of the line.
    pub column: usize,
}

/// The position of a byte offset.
///
/// An offset behind the end is the end; one inside a character is its start.
/// Cost: O(log n), whatever the length of the line.
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

/// How many columns a piece of a line takes.
pub fn width(piece: &str, encoding: Encoding) -> usize {
    match encoding {
        Encoding::Utf8 => piece.len(),
        Encoding::Utf16 => piece.encode_utf16().count(),
        Encoding::Utf32 => piece.chars().count(),
    }
}

/// The byte offset of a position.
///
/// A column behind the end of its line is the end of the line, because editors
/// send that while the user types. `None` if the line does not exist, or the
/// column falls inside a character.
///
/// Cost: O(log n), whatever the length of the line.
pub fn offset(text: &Rope, position: Position, encoding: Encoding) -> Option<usize> {
    if position.line >= text.len_lines() {
        return None;
    }
    let start = text.line_to_char(position.line);
    let end = line_end(text, position.line);
    let character = match encoding {
        Encoding::Utf8 => {
            let wanted = text.char_to_byte(start).saturating_add(position.column);
            if wanted >= text.char_to_byte(end) {
                end
            } else {
                let character = text.byte_to_char(wanted);
                if text.char_to_byte(character) != wanted {
                    return None;
                }
                character
            }
        }
        Encoding::Utf16 => {
            let wanted = text.char_to_utf16_cu(start).saturating_add(position.column);
            if wanted >= text.char_to_utf16_cu(end) {
                end
            } else {
                let character = text.utf16_cu_to_char(wanted);
                if text.char_to_utf16_cu(character) != wanted {
                    return None;
                }
                character
            }
        }
        Encoding::Utf32 => start.saturating_add(position.column).min(end),
    };
    Some(text.char_to_byte(character))
}

/// The byte offset that a position means at best: a line behind the text is its end, a column
/// inside a character the start of that character.
///
/// Editors send such positions, for instance when they delete the last line.
pub fn nearest_offset(text: &Rope, position: Position, encoding: Encoding) -> usize {
    if position.line >= text.len_lines() {
        return text.len_bytes();
    }
    let before = |back| Position { column: position.column.saturating_sub(back), ..position };
    // No character is longer than four units.
    (0..4).find_map(|back| offset(text, before(back), encoding)).unwrap_or(text.len_bytes())
}

/// The character behind the last one of a line, its line break left out.
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
    fn columns_count_what_the_encoding_says() {
        let text = Rope::from_str("aé🎉b\nc");
        let columns = ENCODINGS.map(|encoding| position(&text, 7, encoding).column);
        assert_eq!(columns, [7, 4, 3]);
        assert_eq!(ENCODINGS.map(|encoding| width("aé🎉", encoding)), columns);
    }

    #[test]
    fn a_column_behind_the_line_is_its_end() {
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
    fn a_column_inside_a_character_is_nowhere() {
        let text = Rope::from_str("🎉");
        assert_eq!(offset(&text, Position { line: 0, column: 1 }, Encoding::Utf16), None);
        assert_eq!(offset(&text, Position { line: 0, column: 2 }, Encoding::Utf8), None);
        let far = Position { line: 0, column: usize::MAX };
        assert_eq!(offset(&text, far, Encoding::Utf16), Some(4));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(10_000))]

        #[test]
        fn every_offset_goes_there_and_back(text in "[a{}\\r\\né🎉\u{2028}]{0,40}") {
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
