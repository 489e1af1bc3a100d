//! Positions in a text, in the terms of the protocol.
//!
//! A position is a line and a column; a column counts code units of the negotiated encoding. Lines
//! end with `\n`, `\r\n` or `\r`. The server has its own implementation; this one is simpler and
//! shares no code with it, so that it can verify the server's.
//!
//! Cost: every function walks the text from its start.

use serde_json::{Value, json};

/// The unit of columns, which client and server negotiate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// Bytes of UTF-8: `é` has two.
    Utf8,
    /// UTF-16 units: the default of editors.
    Utf16,
    /// Unicode code points, one for each `char`.
    Utf32,
}

impl Encoding {
    /// The encoding with this name in the protocol.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "utf-8" => Some(Self::Utf8),
            "utf-16" => Some(Self::Utf16),
            "utf-32" => Some(Self::Utf32),
            _ => None,
        }
    }

    fn units(self, character: char) -> u64 {
        let units = match self {
            Self::Utf8 => character.len_utf8(),
            Self::Utf16 => character.len_utf16(),
            Self::Utf32 => 1,
        };
        units as u64
    }
}

/// The protocol's `Position` of a byte offset.
///
/// # Panics
///
/// If `offset` is not at the edge of a character.
pub fn position(text: &str, offset: usize, encoding: Encoding) -> Value {
    let (mut line, mut column) = (0_u64, 0_u64);
    let mut before = text[..offset].chars().peekable();
    while let Some(character) = before.next() {
        match character {
            '\r' if before.peek() == Some(&'\n') => {}
            '\n' | '\r' => (line, column) = (line + 1, 0),
            _ => column += encoding.units(character),
        }
    }
    json!({ "line": line, "character": column })
}

/// The protocol's `Range` of a span of bytes.
///
/// # Panics
///
/// If an end is not at the edge of a character.
pub fn range(text: &str, bytes: std::ops::Range<usize>, encoding: Encoding) -> Value {
    json!({
        "start": position(text, bytes.start, encoding),
        "end": position(text, bytes.end, encoding),
    })
}

/// The byte offset of the protocol's `Position`; `None` if the text has no such place. A column
/// after the end of a line means that end.
pub fn offset(text: &str, position: &Value, encoding: Encoding) -> Option<usize> {
    let wanted_line = position["line"].as_u64()?;
    let wanted_column = position["character"].as_u64()?;

    let (mut line, mut column) = (0_u64, 0_u64);
    let mut characters = text.char_indices().peekable();
    loop {
        let here = characters.peek().map_or(text.len(), |&(offset, _)| offset);
        let is_end_of_line = characters.peek().is_none_or(|(_, next)| matches!(next, '\n' | '\r'));
        let is_behind = is_end_of_line && column < wanted_column;
        if line == wanted_line && (column == wanted_column || is_behind) {
            return Some(here);
        }
        let (_, character) = characters.next()?;
        match character {
            '\r' if characters.peek().is_some_and(|&(_, next)| next == '\n') => {}
            '\n' | '\r' => (line, column) = (line + 1, 0),
            _ => column += encoding.units(character),
        }
    }
}

/// Removes the cursor mark `$0` from `marked`; returns the rest, and the position of the mark.
///
/// # Panics
///
/// If there is not exactly one mark.
#[track_caller]
pub fn take_cursor(marked: &str) -> (String, usize) {
    match marked.split("$0").collect::<Vec<_>>()[..] {
        [before, after] => (format!("{before}{after}"), before.len()),
        _ => panic!("`{marked}` needs exactly one cursor mark `$0`"),
    }
}

/// The position of `needle` in `text`.
///
/// # Panics
///
/// If it does not occur exactly once: a test for the first of several must give more context.
#[track_caller]
pub fn find_only(text: &str, needle: &str) -> usize {
    let mut found = text.match_indices(needle);
    match (found.next(), found.next()) {
        (Some((offset, _)), None) => offset,
        (None, _) => panic!("`{needle}` is not in the text:\n{text}"),
        (Some(_), Some(_)) => panic!("`{needle}` is in the text more than once:\n{text}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_units_of_the_encoding() {
        let text = "ab\né😀x";
        let x = text.len() - 1;
        assert_eq!(position(text, x, Encoding::Utf8), json!({"line": 1, "character": 6}));
        assert_eq!(position(text, x, Encoding::Utf16), json!({"line": 1, "character": 3}));
        assert_eq!(position(text, x, Encoding::Utf32), json!({"line": 1, "character": 2}));
    }

    #[test]
    fn every_line_ending_counts_once() {
        let text = "a\r\nb\rc\nd";
        assert_eq!(position(text, text.len(), Encoding::Utf16), json!({"line": 3, "character": 1}));
    }

    #[test]
    fn offsets_and_positions_round_trip() {
        let text = "é\r\n😀\rx\n";
        for encoding in [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32] {
            // Not between `\r` and `\n`: no position denotes only that place.
            for at in [0, 2, 4, 8, 9, 10, 11] {
                assert_eq!(offset(text, &position(text, at, encoding), encoding), Some(at));
            }
        }
    }

    #[test]
    fn a_position_outside_the_text_has_no_offset() {
        assert_eq!(offset("ab", &json!({"line": 0, "character": 3}), Encoding::Utf16), Some(2));
        assert_eq!(offset("ab", &json!({"line": 1, "character": 0}), Encoding::Utf16), None);
        assert_eq!(offset("😀", &json!({"line": 0, "character": 1}), Encoding::Utf16), None);
    }
}
