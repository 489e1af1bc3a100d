//! Tables, cut into chunks of rows.

mod csv;
mod json_lines;
#[cfg(feature = "parquet")]
mod parquet;
mod source;

use std::fs::File;
use std::io::Read;
use std::path::Path;

pub use self::source::ReadError;
use self::source::{Rows, Source};
use crate::foreign::guarded;
use crate::row::{Outcome, Resolver};

/// A chunk has no more rows, however short they are.
const MAX_ROWS: usize = 4096;

/// The most columns that a table may have. Each costs some hundred bytes, also if no prompt reads it.
const MAX_COLUMNS: usize = 200_000;

/// How a table is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Table {
    /// An object of JSON in each line.
    JsonLines,
    /// Fields with commas between them, the names of columns in the first line.
    Csv,
    /// Parquet.
    Parquet,
}

impl Table {
    /// What the ending of a path tells. Pipes have none, and through them come lines of JSON.
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

/// Some rows in a row.
pub struct Chunk {
    /// How many rows are before it.
    pub first: u64,
    /// How many bytes of the table are before its end, as far as that is known.
    pub bytes: u64,
    rows: Box<dyn Rows + Send>,
}

impl Chunk {
    /// How many rows it has.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What becomes of each row, in order.
    pub fn outcomes(&self, resolver: &Resolver<'_>, mut take: impl FnMut(Outcome)) {
        self.rows.outcomes(resolver, &mut take);
    }

    /// Its rows as columns: those of the table, or the lines of one that has none.
    #[cfg(feature = "parquet")]
    pub fn columns(&self) -> arrow_array::RecordBatch {
        self.rows.columns()
    }
}

/// The chunks of a table, one after the other.
///
/// Memory: a chunk, which has at most 256 KiB of the table or one row.
pub struct RowReader {
    source: Box<dyn Source + Send>,
    rows: u64,
    at_once: usize,
    has_failed: bool,
}

impl RowReader {
    /// Begins to read.
    pub fn new(table: Table, input: impl Read + Send + 'static) -> Result<RowReader, ReadError> {
        let source: Box<dyn Source + Send> = match table {
            Table::JsonLines => Box::new(json_lines::Source::new(input)),
            Table::Csv => Box::new(csv::Source::new(input)?),
            Table::Parquet => {
                return Err(ReadError::Table(
                    "Parquet is read from its end; name a file".to_owned(),
                ));
            }
        };
        RowReader::of_source(source)
    }

    fn of_source(source: Box<dyn Source + Send>) -> Result<RowReader, ReadError> {
        let count = source.columns().map_or(0, |columns| columns.len());
        if count > MAX_COLUMNS {
            let reason = format!("it has {count} columns; at most {MAX_COLUMNS} are read");
            return Err(ReadError::Table(reason));
        }
        Ok(RowReader { source, rows: 0, at_once: MAX_ROWS, has_failed: false })
    }

    /// The same of a file, which Parquet needs.
    pub fn of_file(table: Table, file: File) -> Result<RowReader, ReadError> {
        match table {
            #[cfg(feature = "parquet")]
            Table::Parquet => RowReader::of_source(Box::new(read(|| parquet::Source::new(file))?)),
            #[cfg(not(feature = "parquet"))]
            Table::Parquet => Err(ReadError::Table("it was built without Parquet".to_owned())),
            _ => RowReader::new(table, file),
        }
    }

    /// Has chunks no more rows than this: of what each comes to much, some are enough.
    pub fn take_rows(&mut self, most: usize) {
        self.at_once = most.clamp(1, MAX_ROWS);
    }

    /// The names of its columns, as they are; `None` where each row has its own.
    pub fn columns(&self) -> Option<Vec<&str>> {
        self.source.columns()
    }

    /// Its columns as Parquet has them: those of a table without types are texts.
    #[cfg(feature = "parquet")]
    pub fn schema(&self) -> arrow_schema::SchemaRef {
        self.source.schema()
    }
}

/// After an error, nothing more comes.
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

/// What a reader returns; a panic of it is an error of the table.
fn read<T>(reader: impl FnOnce() -> Result<T, ReadError>) -> Result<T, ReadError> {
    guarded(reader).unwrap_or_else(|reason| Err(ReadError::Table(reason)))
}
