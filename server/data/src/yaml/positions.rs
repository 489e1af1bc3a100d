//! Positions in characters, as the YAML parser counts, to bytes.

/// Turns the parser's positions, in characters, into bytes.
pub(super) struct Positions<'a> {
    text: &'a str,
    /// The byte at which every [`STRIDE`]th character starts; empty if all are one byte long.
    starts: Vec<usize>,
}

/// At most so many characters are counted for a position.
const STRIDE: usize = 64;

impl<'a> Positions<'a> {
    pub fn new(text: &'a str) -> Self {
        let starts = match text.is_ascii() {
            true => Vec::new(),
            false => text.char_indices().step_by(STRIDE).map(|(byte, _)| byte).collect(),
        };
        Positions { text, starts }
    }

    /// Cost: constant. A position behind the end is the end.
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
