//! Styled text, broken into the rows of a screen as a terminal does: anywhere.

use anstyle::Style;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use crate::output::visible::visible;

/// Columns between two tab stops.
const TAB: usize = 8;

/// A row of the screen.
pub struct Row {
    /// Ready to be written.
    pub text: String,
    /// Which line of the text it is a part of, from 0.
    pub line: usize,
}

/// Rows that are filled from the left, each ready to be written: a style ends with its row.
pub struct Rows {
    width: usize,
    colours: bool,
    rows: Vec<Row>,
    /// The line of the text that is being broken into rows, from 0.
    line: usize,
    /// The row that is being filled, and the columns that are taken.
    row: String,
    column: usize,
}

impl Rows {
    /// No rows yet, of a width in columns; without colours, other effects stay.
    pub fn new(width: usize, colours: bool) -> Rows {
        Rows { width, colours, rows: Vec::new(), line: 0, row: String::new(), column: 0 }
    }

    /// Adds a text behind what is there.
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

    /// All rows.
    pub fn done(mut self) -> Vec<Row> {
        if !self.row.is_empty() {
            self.end_row();
        }
        self.rows
    }

    /// Adds a text without line ends and tabs.
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

/// The start of a text that fits into so many columns. A character of two is not cut.
pub fn fitting(text: &str, columns: usize) -> &str {
    let mut taken = 0;
    let mut graphemes = text.grapheme_indices(true);
    let end = graphemes.find(|(_, grapheme)| {
        taken += grapheme.width();
        taken > columns
    });
    &text[..end.map_or(text.len(), |(start, _)| start)]
}
