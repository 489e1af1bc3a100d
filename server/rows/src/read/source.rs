//! What a kind of table is read by.

use std::io;

use crate::row::{Outcome, Resolver};

/// The most bytes that a row may have: what a prompt may come to, which no more bytes could be
/// needed for.
pub const MAX_ROW: usize = promptls_resolver::DEFAULT_MAX_OUTPUT;

/// So many bytes of a table are a chunk: enough that threads do not wait for each other, and little
/// enough that some dozens of them are no matter.
pub const CHUNK: usize = 256 * 1024;

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

/// Some rows, and how many bytes of their table are before their end, as far as that is known.
pub type Taken = (Box<dyn Rows + Send>, u64);

/// How a kind of table is read.
pub trait Source {
    /// The names of its columns; `None` where each row has its own.
    fn columns(&self) -> Option<Vec<&str>>;

    /// Its columns as Parquet has them.
    #[cfg(feature = "parquet")]
    fn schema(&self) -> arrow_schema::SchemaRef;

    /// The next rows, `most` at the most; `None` at its end.
    fn read(&mut self, most: usize) -> Result<Option<Taken>, ReadError>;
}

/// Some rows.
pub trait Rows {
    /// How many.
    fn len(&self) -> usize;

    /// What becomes of each, in order.
    fn outcomes(&self, resolver: &Resolver<'_>, take: &mut dyn FnMut(Outcome));

    /// They as columns: those of the table, or the lines of one that has none.
    #[cfg(feature = "parquet")]
    fn columns(&self) -> arrow_array::RecordBatch;
}

/// Why a row is none.
pub fn too_long() -> String {
    format!("it has more than {MAX_ROW} bytes")
}
