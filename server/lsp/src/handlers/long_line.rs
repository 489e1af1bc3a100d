//! Limits the number of displays in a long line.
//!
//! An editor lays out the whole line at each keystroke. Hints between its characters make that
//! several times as slow. Beyond a maximum length, the editor draws no text that a hint could be
//! beside.

use ropey::Rope;

/// The maximum number of displays in one line: more than the placeholders of a paragraph, without a
/// noticeable delay while typing.
const MOST_IN_A_LINE: u32 = 64;

/// VS Code draws no text from this column on: `editor.stopRenderingLineAfter`.
const COLUMNS: u32 = 10_000;

/// Returns whether the text at a column is coloured. Neovim also applies all colours of a line
/// again at each keystroke.
pub fn is_coloured(column: u32) -> bool {
    column < COLUMNS
}

/// Returns whether hints in a line would slow down typing. An editor lays out a long line again for
/// new hints, however few they are.
///
/// Cost: O(log n), independent of the length of the line.
pub fn is_too_long(text: &Rope, line: u32) -> bool {
    text.get_line(line as usize).is_some_and(|line| line.len_chars() > COLUMNS as usize)
}

/// Counts the displays in one line, of which 64 are allowed.
#[derive(Debug, Default)]
pub struct DrawnInLine {
    line: u32,
    drawn: u32,
}

impl DrawnInLine {
    /// Returns whether one more display may be added, which ends at this line and column. Displays of one
    /// line must be passed together.
    pub fn takes(&mut self, line: u32, column: u32) -> bool {
        if line != self.line {
            *self = DrawnInLine { line, drawn: 0 };
        }
        let takes = column < COLUMNS && self.drawn < MOST_IN_A_LINE;
        self.drawn += u32::from(takes);
        takes
    }
}
