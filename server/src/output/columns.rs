//! Rows of words below each other.

use super::log_lines::log_lines;

/// On which side of its column a cell stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// A line for each row, with two spaces between cells and none at the end. All rows have as many.
pub fn in_columns(rows: &[Vec<String>], align: impl Fn(usize) -> Align) -> String {
    let width = |column: usize| {
        rows.iter().map(|row| row[column].chars().count()).max().unwrap_or_default()
    };
    let widths: Vec<usize> = (0..rows.first().map_or(0, Vec::len)).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().enumerate().map(|(column, cell)| match align(column) {
            Align::Left => format!("{cell:width$}", width = widths[column]),
            Align::Right => format!("{cell:>width$}", width = widths[column]),
        });
        let cells: Vec<String> = cells.collect();
        format!("{}\n", cells.join("  ").trim_end())
    };
    log_lines(&rows.iter().map(line).collect::<String>()).into_owned()
}
