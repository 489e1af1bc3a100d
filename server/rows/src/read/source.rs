//! The interface of table readers.

use std::io;

use crate::row::{Resolver, TakesRow};

/// The maximum length of a row, in bytes: the maximum length of a resolved text, because a prompt
/// cannot use more.
pub const MAX_ROW: usize = promptls_resolver::DEFAULT_MAX_OUTPUT;

/// The size of a chunk of a table, in bytes: large enough that threads do not wait for each other,
/// and small enough that dozens of them fit into memory easily.
pub const CHUNK: usize = 256 * 1024;

/// The reason why a table cannot be read, or not further.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The system reported an error.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The data is not a valid table of this format.
    #[error("{0}")]
    Table(String),
}

/// Some rows, and the number of bytes of their table before their end, as far as known.
pub type RowBatch = (Box<dyn Rows + Send>, u64);

/// A reader of a table format.
pub trait TableSource {
    /// The names of its columns; `None` if each row has its own.
    fn columns(&self) -> Option<Vec<&str>>;

    /// Its columns as for Parquet.
    #[cfg(feature = "parquet")]
    fn schema(&self) -> arrow_schema::SchemaRef;

    /// The next rows, at most `most`; `None` at the end.
    fn read(&mut self, most: usize) -> Result<Option<RowBatch>, ReadError>;
}

/// Consecutive rows of a table in one format.
pub trait Rows {
    /// The number of rows, including invalid ones.
    fn len(&self) -> usize;

    /// Passes on the values of each row, in order, or the reason why it cannot be read. The prompt of
    /// `resolver` selects the columns that are read.
    fn each(&self, resolver: &Resolver<'_>, take: TakesRow<'_>);

    /// The rows as columns: those of the table, or the lines of a table without columns.
    #[cfg(feature = "parquet")]
    fn columns(&self) -> arrow_array::RecordBatch;
}

/// The error for a row that is too long.
pub fn too_long() -> String {
    format!("it has more than {MAX_ROW} bytes")
}
