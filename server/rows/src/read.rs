//! Tables, cut into chunks of rows.

mod csv;
mod json_lines;
#[cfg(feature = "parquet")]
mod parquet;

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::row::{Outcome, Resolver};

/// The most bytes that a row may have: what a prompt may come to, which no more bytes could be
/// needed for.
const MAX_ROW: usize = promptls_resolver::DEFAULT_MAX_OUTPUT;

/// So many bytes of a table are a chunk, or so many of a prompt and all its rows: enough that
/// threads do not wait for each other, and little enough that some dozens of them are no matter.
const CHUNK: usize = 256 * 1024;

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

/// Why a table cannot be read, or not further.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The system says so.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is no such table.
    #[error("{0}")]
    Table(String),
}

impl Table {
    /// What the ending of a path tells.
    pub fn from_path(path: &Path) -> Option<Table> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
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
    rows: Rows,
}

enum Rows {
    JsonLines(json_lines::Lines),
    Csv(csv::Records),
    #[cfg(feature = "parquet")]
    Columns(parquet::Batch),
}

impl Chunk {
    /// How many rows it has.
    pub fn len(&self) -> usize {
        match &self.rows {
            Rows::JsonLines(lines) => lines.len(),
            Rows::Csv(records) => records.len(),
            #[cfg(feature = "parquet")]
            Rows::Columns(batch) => batch.len(),
        }
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What becomes of each row, in order.
    pub fn outcomes(&self, resolver: &Resolver<'_>, take: impl FnMut(Outcome)) {
        match &self.rows {
            Rows::JsonLines(lines) => lines.outcomes(resolver, take),
            Rows::Csv(records) => records.outcomes(resolver, take),
            #[cfg(feature = "parquet")]
            Rows::Columns(batch) => batch.outcomes(resolver, take),
        }
    }

    /// Its rows as columns: those of the table, or the lines of one that has none.
    #[cfg(feature = "parquet")]
    pub fn columns(&self) -> arrow_array::RecordBatch {
        match &self.rows {
            Rows::JsonLines(lines) => lines.columns(),
            Rows::Csv(records) => records.columns(),
            Rows::Columns(batch) => batch.columns(),
        }
    }
}

/// The chunks of a table, one after the other.
///
/// Memory: a chunk, which has at most 256 KiB of the table or one row.
pub struct RowReader {
    source: Box<dyn Source + Send>,
    rows: u64,
    has_failed: bool,
}

/// How a kind of table is read.
trait Source {
    /// The names of its columns; `None` where each row has its own.
    fn columns(&self) -> Option<Vec<&str>>;

    /// Its columns as Parquet has them.
    #[cfg(feature = "parquet")]
    fn schema(&self) -> arrow_schema::SchemaRef;

    /// The next rows, and how many bytes of the table are read; `None` at its end.
    fn read(&mut self) -> Result<Option<(Rows, u64)>, ReadError>;
}

impl RowReader {
    /// Begins to read. `prompt_len` is how many bytes a prompt has that is filled in with its rows:
    /// of a long one, chunks have few rows.
    pub fn new(
        table: Table,
        input: impl Read + Send + 'static,
        prompt_len: usize,
    ) -> Result<RowReader, ReadError> {
        let rows = rows_at_once(prompt_len);
        let source: Box<dyn Source + Send> = match table {
            Table::JsonLines => Box::new(json_lines::Source::new(input, rows)),
            Table::Csv => Box::new(csv::Source::new(input, rows)?),
            Table::Parquet => {
                return Err(ReadError::Table(
                    "Parquet is read from its end; name a file".to_owned(),
                ));
            }
        };
        Ok(RowReader { source, rows: 0, has_failed: false })
    }

    /// The same of a file, which Parquet needs.
    pub fn of_file(table: Table, file: File, prompt_len: usize) -> Result<RowReader, ReadError> {
        match table {
            #[cfg(feature = "parquet")]
            Table::Parquet => {
                let source = parquet::Source::new(file, rows_at_once(prompt_len))?;
                Ok(RowReader { source: Box::new(source), rows: 0, has_failed: false })
            }
            #[cfg(not(feature = "parquet"))]
            Table::Parquet => Err(ReadError::Table("it was built without Parquet".to_owned())),
            _ => RowReader::new(table, file, prompt_len),
        }
    }

    /// The names of its columns; `None` where each row has its own.
    pub fn columns(&self) -> Option<Vec<&str>> {
        self.source.columns()
    }

    /// Its columns as Parquet has them: those of a table without types are texts.
    #[cfg(feature = "parquet")]
    pub fn schema(&self) -> arrow_schema::SchemaRef {
        self.source.schema()
    }
}

/// How many rows of a prompt come to a chunk, at the least.
pub(crate) fn rows_at_once(prompt_len: usize) -> usize {
    (CHUNK / prompt_len.max(1)).clamp(1, 4096)
}

/// After an error, nothing more comes.
impl Iterator for RowReader {
    type Item = Result<Chunk, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.has_failed {
            return None;
        }
        match self.source.read() {
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
