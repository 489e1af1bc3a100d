//! Measurements as data, and their formatting in Markdown.

use std::fmt::{self, Display, Formatter};
use std::time::Duration;

/// A measured value, formatted with its unit.
#[derive(Clone, Debug, PartialEq)]
pub enum Figure {
    Time(Duration),
    /// Bytes, in memory or on disk.
    Bytes(u64),
    /// A number of items, shown with commas.
    Count(u64),
    /// A rate, shown as `65,000 a second`.
    PerSecond(f64),
    Times(f64),
    Words(String),
    /// Not available on this machine.
    Unknown,
}

impl Figure {
    /// Its number in seconds, bytes or items; `None` if it has none.
    pub fn number(&self) -> Option<f64> {
        match *self {
            Figure::Time(time) => Some(time.as_secs_f64()),
            Figure::Bytes(count) | Figure::Count(count) => Some(count as f64),
            Figure::PerSecond(number) | Figure::Times(number) => Some(number),
            Figure::Words(_) | Figure::Unknown => None,
        }
    }

    /// The ratio of this figure to `other`.
    pub fn over(&self, other: &Figure) -> Figure {
        match (self.number(), other.number()) {
            (Some(this), Some(other)) => Figure::Times(this / other),
            _ => Figure::Unknown,
        }
    }
}

impl From<Duration> for Figure {
    fn from(time: Duration) -> Self {
        Figure::Time(time)
    }
}

/// Formatted in a suitable unit, with three digits unless it is an integer.
impl Display for Figure {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        const TIMES: [&str; 4] = ["ns", "µs", "ms", "s"];
        const SIZES: [&str; 4] = ["B", "KB", "MB", "GB"];
        match self {
            Figure::Time(time) => in_units(f, time.as_nanos() as f64, TIMES),
            Figure::Bytes(count) => in_units(f, *count as f64, SIZES),
            Figure::Count(count) => f.write_str(&with_commas(*count)),
            Figure::PerSecond(number) => write!(f, "{} a second", with_commas(*number as u64)),
            Figure::Times(number) => write!(f, "{number:.*}", digits(*number)),
            Figure::Words(words) => f.write_str(words),
            Figure::Unknown => f.write_str("?"),
        }
    }
}

fn in_units(f: &mut Formatter<'_>, number: f64, units: [&str; 4]) -> fmt::Result {
    let (mut number, mut units) = (number, units.into_iter().peekable());
    let mut unit = units.next();
    while number >= 1e3 && units.peek().is_some() {
        number /= 1e3;
        unit = units.next();
    }
    let digits = if number.fract() == 0.0 { 0 } else { digits(number) };
    write!(f, "{number:.digits$} {}", unit.unwrap_or_default())
}

fn digits(number: f64) -> usize {
    match number {
        ..10.0 => 2,
        ..100.0 => 1,
        _ => 0,
    }
}

/// Formats a number with commas: `20000` as `20,000`.
pub fn with_commas(number: u64) -> String {
    let digits = number.to_string();
    let mut shown = String::new();
    for (index, digit) in digits.char_indices() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            shown.push(',');
        }
        shown.push(digit);
    }
    shown
}

/// The size of a document: `10 KB`, `1 MB`.
pub fn size(kilobytes: usize) -> String {
    match kilobytes {
        ..1_000 => format!("{kilobytes} KB"),
        _ => format!("{} MB", kilobytes / 1_000),
    }
}

/// A table of figures, which is displayed as Markdown.
#[derive(Debug)]
pub struct Table {
    /// The name by which goals refer to it.
    pub name: String,
    /// Its heading; empty if the name of its part is sufficient.
    pub title: String,
    /// The header of the rows, then those of the figures.
    pub columns: Vec<&'static str>,
    /// A name for each row, and its figures.
    pub rows: Vec<(String, Vec<Figure>)>,
}

impl Table {
    /// Creates a table without rows; the first column names the rows.
    pub fn new(name: impl Into<String>, columns: &[&'static str]) -> Table {
        Table {
            name: name.into(),
            title: String::new(),
            columns: columns.to_vec(),
            rows: Vec::new(),
        }
    }

    /// Sets the heading, which is empty by default.
    #[must_use]
    pub fn titled(mut self, title: impl Into<String>) -> Table {
        self.title = title.into();
        self
    }

    /// Adds a row with a figure for each column but the first.
    pub fn row(&mut self, name: impl Into<String>, figures: impl Into<Vec<Figure>>) {
        self.rows.push((name.into(), figures.into()));
    }

    /// The figure in a row and a column, by their names.
    pub fn figure(&self, row: &str, column: &str) -> Option<&Figure> {
        let (_, figures) = self.rows.iter().find(|(name, _)| name == row)?;
        let index = self.columns.iter().skip(1).position(|name| *name == column)?;
        figures.get(index)
    }
}

/// As Markdown, with a blank line after it.
impl Display for Table {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if !self.title.is_empty() {
            writeln!(f, "**{}**\n", self.title)?;
        }
        writeln!(f, "| {} |", self.columns.join(" | "))?;
        let first = self.rows.first().map_or(&[][..], |(_, figures)| figures);
        let alignments = first.iter().map(|figure| match figure {
            Figure::Words(_) => " --- |",
            _ => " ---: |",
        });
        writeln!(f, "| --- |{}", alignments.collect::<String>())?;
        for (name, figures) in &self.rows {
            let figures = figures.iter().map(|figure| format!(" {figure} |"));
            writeln!(f, "| {name} |{}", figures.collect::<String>())?;
        }
        writeln!(f)
    }
}

#[test]
fn figures_have_the_unit_that_fits() {
    let shown = [
        Figure::Time(Duration::from_nanos(73)),
        Figure::Time(Duration::from_nanos(12_345)),
        Figure::Time(Duration::from_secs(17)),
        Figure::Bytes(7_040_000),
        Figure::Count(1_000_000),
        Figure::Times(1.96),
        Figure::Times(40_969.1),
    ]
    .map(|figure| figure.to_string());
    assert_eq!(shown, ["73 ns", "12.3 µs", "17 s", "7.04 MB", "1,000,000", "1.96", "40969"]);
}
