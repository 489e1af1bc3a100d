//! Text in aligned columns.

use super::log_lines::log_lines;

/// The alignment of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    Left,
    Right,
}

/// Returns a line for each row, with two spaces between cells and no trailing spaces. All rows have
/// the same number of cells.
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
