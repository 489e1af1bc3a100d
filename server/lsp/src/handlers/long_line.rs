//! How much is drawn into a long line.
//!
//! An editor lays out a line as a whole, at each key. What is drawn between its characters makes
//! that several times as slow, and where a line goes on for too long, the editor draws no text that
//! it could stand beside.

use ropey::Rope;
use tower_lsp::ls_types as lsp;

/// The most that is drawn into one line: more than a paragraph has placeholders, and as quick to
/// type beside as nothing.
const MOST_IN_A_LINE: u32 = 64;

/// From this column on, VS Code draws no text: `editor.stopRenderingLineAfter`.
const COLUMNS: u32 = 10_000;

/// Whether there are colours at a place. Neovim, too, puts all colours of a line on anew at each key.
pub fn is_coloured(start: lsp::Position) -> bool {
    start.character < COLUMNS
}

/// Whether a line is so long that an editor feels what is drawn beside its characters at each key:
/// all of it is laid out once more for the new hints, however few they are.
///
/// Cost: O(log n), whatever the length of the line.
pub fn is_too_long(text: &Rope, line: u32) -> bool {
    text.get_line(line as usize).is_some_and(|line| line.len_chars() > COLUMNS as usize)
}

/// Counts what is drawn, line by line.
#[derive(Debug, Default)]
pub struct DrawnInLine {
    line: u32,
    drawn: u32,
}

impl DrawnInLine {
    /// Whether one more is drawn, which ends there. What stands in one line comes together.
    pub fn takes(&mut self, end: lsp::Position) -> bool {
        if end.line != self.line {
            *self = DrawnInLine { line: end.line, drawn: 0 };
        }
        let takes = end.character < COLUMNS && self.drawn < MOST_IN_A_LINE;
        self.drawn += u32::from(takes);
        takes
    }
}
