//! Tables, split into chunks of rows.

mod csv;
mod json_lines;
#[cfg(feature = "parquet")]
mod parquet;
mod source;

use std::fs::File;
use std::io::Read;
use std::path::Path;

use promptls_resolver::{EngineError, Values};

pub use self::source::ReadError;
use self::source::{Rows, TableSource};
use crate::foreign::guarded;
use crate::overlay::Overlay;
use crate::row::{Outcome, Resolver, RowError, RowValues};

/// The maximum number of rows of a chunk, however short they are.
const MAX_ROWS: usize = 4096;

/// The maximum number of columns of a table. Each costs some hundred bytes, even if no prompt reads
/// it.
const MAX_COLUMNS: usize = 200_000;

/// The format of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Table {
    /// A JSON object in each line.
    JsonLines,
    /// Comma-separated fields, with the names of columns in the first line.
    Csv,
    /// Apache Parquet, read only with the feature `parquet`.
    Parquet,
}

impl Table {
    /// The format by the extension of a path. Pipes have none, and are read as JSON lines.
    pub fn from_path(path: &Path) -> Option<Table> {
        let Some(ending) = path.extension() else { return Some(Table::JsonLines) };
        let ending = ending.to_str()?.to_ascii_lowercase();
        match &*ending {
            "jsonl" | "ndjson" => Some(Table::JsonLines),
            "csv" => Some(Table::Csv),
            "parquet" => Some(Table::Parquet),
            _ => None,
        }
    }
}

/// Consecutive rows that are read, but not resolved yet.
pub struct Chunk {
    /// The number of rows before it.
    pub first: u64,
    /// The number of bytes of the table before its end, as far as known.
    pub bytes: u64,
    rows: Box<dyn Rows + Send>,
}

impl Chunk {
    /// The number of rows, including invalid ones.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// `true` if it has no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Computes the outcome of each row, in order.
    pub fn outcomes(&self, resolver: &Resolver<'_>, take: impl FnMut(Outcome)) {
        self.each(resolver, |row| resolver.prompt.render(row), take);
    }

    /// Computes something else for each row, in order: `send` gets its values, and `take` the result.
    /// The prompt of `resolver` selects the columns that are read.
    pub fn each<T>(
        &self,
        resolver: &Resolver<'_>,
        mut send: impl FnMut(&dyn Values) -> Result<T, EngineError>,
        mut take: impl FnMut(Result<T, RowError>),
    ) {
        let mut sent = |row: &dyn RowValues| {
            let values: &dyn Values = row;
            let sent = match resolver.above.is_empty() {
                true => send(values),
                false => send(&Overlay::new(resolver.above, values)),
            };
            match row.refused() {
                Some(reason) => Err(RowError::NoRow(reason)),
                None => sent.map_err(RowError::Engine),
            }
        };
        self.rows.each(resolver, &mut |row| take(row.and_then(&mut sent)));
    }

    /// Its rows as columns: those of the table, or the lines of a table without columns.
    #[cfg(feature = "parquet")]
    pub fn columns(&self) -> arrow_array::RecordBatch {
        self.rows.columns()
    }
}

/// The chunks of a table, one after the other.
///
/// Memory: one chunk, which has at most 256 KiB of the table, or one row.
pub struct RowReader {
    source: Box<dyn TableSource + Send>,
    rows: u64,
    at_once: usize,
    has_failed: bool,
}

impl RowReader {
    /// Starts to read a table.
    pub fn new(table: Table, input: impl Read + Send + 'static) -> Result<RowReader, ReadError> {
        let source: Box<dyn TableSource + Send> = match table {
            Table::JsonLines => Box::new(json_lines::JsonLinesSource::new(input)),
            Table::Csv => Box::new(csv::CsvSource::new(input)?),
            Table::Parquet => {
                return Err(ReadError::Table(
                    "Parquet is read from its end; name a file".to_owned(),
                ));
            }
        };
        RowReader::of_source(source)
    }

    fn of_source(source: Box<dyn TableSource + Send>) -> Result<RowReader, ReadError> {
        let count = source.columns().map_or(0, |columns| columns.len());
        if count > MAX_COLUMNS {
            let reason = format!("it has {count} columns; at most {MAX_COLUMNS} are read");
            return Err(ReadError::Table(reason));
        }
        Ok(RowReader { source, rows: 0, at_once: MAX_ROWS, has_failed: false })
    }

    /// The same for a file, which Parquet requires.
    pub fn of_file(table: Table, file: File) -> Result<RowReader, ReadError> {
        match table {
            #[cfg(feature = "parquet")]
            Table::Parquet => {
                RowReader::of_source(Box::new(read(|| parquet::ParquetSource::new(file))?))
            }
            #[cfg(not(feature = "parquet"))]
            Table::Parquet => Err(ReadError::Table("it was built without Parquet".to_owned())),
            _ => RowReader::new(table, file),
        }
    }

    /// Limits the number of rows of chunks: for rows with expensive results.
    pub fn take_rows(&mut self, most: usize) {
        self.at_once = most.clamp(1, MAX_ROWS);
    }

    /// The names of its columns, verbatim; `None` if each row has its own.
    pub fn columns(&self) -> Option<Vec<&str>> {
        self.source.columns()
    }

    /// Its columns as for Parquet: those of a table without types are texts.
    #[cfg(feature = "parquet")]
    pub fn schema(&self) -> arrow_schema::SchemaRef {
        self.source.schema()
    }
}

/// After an error, the iterator ends.
impl Iterator for RowReader {
    type Item = Result<Chunk, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.has_failed {
            return None;
        }
        match read(|| self.source.read(self.at_once)) {
            Ok(Some((rows, bytes))) => {
                let chunk = Chunk { first: self.rows, bytes, rows };
                self.rows += chunk.len() as u64;
                Some(Ok(chunk))
            }
            Ok(None) => None,
            Err(error) => {
                self.has_failed = true;
                Some(Err(error))
            }
        }
    }
}

/// The result of a reader; its panic becomes an error of the table.
fn read<T>(reader: impl FnOnce() -> Result<T, ReadError>) -> Result<T, ReadError> {
    guarded(reader).unwrap_or_else(|reason| Err(ReadError::Table(reason)))
}
