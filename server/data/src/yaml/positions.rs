//! Conversion of positions in characters, as from the YAML parser, to bytes.

/// Converts the parser's positions, in characters, to bytes.
pub(super) struct Positions<'a> {
    text: &'a str,
    /// The byte offset of every [`STRIDE`]th character; empty if all characters are one byte long.
    starts: Vec<usize>,
}

/// The maximum number of characters that are counted for a position.
const STRIDE: usize = 64;

impl<'a> Positions<'a> {
    pub fn new(text: &'a str) -> Self {
        let starts = match text.is_ascii() {
            true => Vec::new(),
            false => text.char_indices().step_by(STRIDE).map(|(byte, _)| byte).collect(),
        };
        Positions { text, starts }
    }

    /// The byte offset of a character. Cost: constant. A position after the end yields the end.
    pub fn byte(&self, char_index: usize) -> usize {
        let end = self.text.len();
        if self.starts.is_empty() {
            return char_index.min(end);
        }
        let Some(&start) = self.starts.get(char_index / STRIDE) else {
            return end;
        };
        let mut chars = self.text[start..].char_indices();
        chars.nth(char_index % STRIDE).map_or(end, |(byte, _)| start + byte)
    }
}
