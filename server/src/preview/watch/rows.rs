//! Styled text, wrapped into screen rows at any character, as a terminal does.

use anstyle::Style;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use crate::output::visible::visible;

/// Columns between two tab stops.
const TAB: usize = 8;

/// A row of the screen.
pub struct Row {
    /// Text that is ready to be written.
    pub text: String,
    /// The line of the text that contains it, from 0.
    pub line: usize,
}

/// Rows that are filled from the left, each ready to be written: a style ends with its row.
pub struct Rows {
    width: usize,
    colours: bool,
    rows: Vec<Row>,
    /// The line of the text that is being wrapped, from 0.
    line: usize,
    /// The row that is being filled, and its occupied columns.
    row: String,
    column: usize,
}

impl Rows {
    /// Empty rows with a width in columns. Without colours, other effects stay.
    pub fn new(width: usize, colours: bool) -> Rows {
        Rows { width, colours, rows: Vec::new(), line: 0, row: String::new(), column: 0 }
    }

    /// Appends a text, which may contain line ends, tabs and control characters.
    pub fn add(&mut self, text: &str, style: Style) {
        let style = if self.colours { style } else { style.fg_color(None) };
        for (index, line) in visible(text).split('\n').enumerate() {
            if index > 0 {
                self.end_row();
                self.line += 1;
            }
            for (index, piece) in line.split('\t').enumerate() {
                if index > 0 {
                    let columns = TAB - self.column % TAB;
                    self.add_piece(&" ".repeat(columns), style);
                }
                self.add_piece(piece, style);
            }
        }
    }

    /// Returns all rows, including the last incomplete one.
    pub fn done(mut self) -> Vec<Row> {
        if !self.row.is_empty() {
            self.end_row();
        }
        self.rows
    }

    /// Appends a text without line ends and tabs.
    fn add_piece(&mut self, text: &str, style: Style) {
        let mut start = 0;
        for (index, grapheme) in text.grapheme_indices(true) {
            let width = grapheme.width();
            if self.column + width > self.width && self.column > 0 {
                self.push(&text[start..index], style);
                self.end_row();
                start = index;
            }
            self.column += width;
        }
        self.push(&text[start..], style);
    }

    fn push(&mut self, part: &str, style: Style) {
        if !part.is_empty() {
            self.row.push_str(&format!("{style}{part}{style:#}"));
        }
    }

    fn end_row(&mut self) {
        self.rows.push(Row { text: std::mem::take(&mut self.row), line: self.line });
        self.column = 0;
    }
}

/// The longest prefix of a text that fits into this many columns. A character of two columns is not
/// split.
pub fn fitting(text: &str, columns: usize) -> &str {
    let mut taken = 0;
    let mut graphemes = text.grapheme_indices(true);
    let end = graphemes.find(|(_, grapheme)| {
        taken += grapheme.width();
        taken > columns
    });
    &text[..end.map_or(text.len(), |(start, _)| start)]
}
