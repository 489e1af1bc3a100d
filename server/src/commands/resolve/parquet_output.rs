//! Rows as Parquet: the columns of the table, and the results.

use std::io::{self, Write};
use std::sync::Arc;

use arrow_array::{ArrayRef, LargeStringArray, RecordBatch, StringArray};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;
use promptls_rows::{Chunk, Outcome, guarded};

use crate::args::ResolveArgs;
use crate::errors::CommandError;

/// A row group is written once it has this many bytes, which limits memory.
const GROUP: usize = 16 << 20;

/// A Parquet file being written.
pub struct ParquetOut {
    writer: ArrowWriter<Box<dyn Write + Send>>,
    schema: SchemaRef,
}

impl ParquetOut {
    /// A file for rows with these columns.
    pub fn new(
        to: Box<dyn Write + Send>,
        columns: &SchemaRef,
        args: &ResolveArgs,
    ) -> Result<ParquetOut, CommandError> {
        let (text_column, error_column) = (&args.many.text_column, &args.many.error_column);
        for (name, option) in [(text_column, "--text-column"), (error_column, "--error-column")] {
            if columns.field_with_name(name).is_ok() || text_column == error_column {
                return Err(CommandError::ColumnIsThere { name: name.clone(), option });
            }
        }
        let mut fields = columns.fields().to_vec();
        fields.push(Arc::new(Field::new(text_column, DataType::LargeUtf8, true)));
        fields.push(Arc::new(Field::new(error_column, DataType::Utf8, true)));
        let schema = Arc::new(Schema::new(fields));
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            // The texts of rows are almost always distinct.
            .set_column_dictionary_enabled(text_column.as_str().into(), false)
            .build();
        let writer = ArrowWriter::try_new(to, schema.clone(), Some(properties));
        Ok(ParquetOut { writer: writer.map_err(io::Error::other)?, schema })
    }

    /// Writes one batch of rows; a row group is flushed when it is full.
    pub fn write(&mut self, columns: Vec<ArrayRef>) -> io::Result<()> {
        let batch = RecordBatch::try_new(self.schema.clone(), columns);
        let batch = batch.map_err(io::Error::other)?;
        // A column of a damaged table may cause a panic in the writer.
        let written = guarded(|| self.writer.write(&batch)).map_err(io::Error::other)?;
        written.map_err(unpacked)?;
        if self.writer.in_progress_size() >= GROUP {
            self.writer.flush().map_err(unpacked)?;
        }
        Ok(())
    }

    /// Writes the footer, without which the file is unreadable.
    pub fn finish(self) -> io::Result<()> {
        self.writer.into_inner().map_err(unpacked)?.flush()
    }
}

/// The I/O error inside a Parquet error, if there is one.
fn unpacked(error: parquet::errors::ParquetError) -> io::Error {
    match error {
        parquet::errors::ParquetError::External(error) => match error.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(error) => io::Error::other(error),
        },
        other => io::Error::other(other),
    }
}

/// The columns of a chunk, and those of its results.
pub fn columns_of(chunk: &Chunk, outcomes: &[Outcome]) -> Vec<ArrayRef> {
    let columns = chunk.columns().slice(0, outcomes.len());
    let text = outcomes.iter().map(|outcome| outcome.as_ref().ok());
    let error = outcomes.iter().map(|outcome| outcome.as_ref().err().map(ToString::to_string));
    let made: [ArrayRef; 2] =
        [Arc::new(text.collect::<LargeStringArray>()), Arc::new(error.collect::<StringArray>())];
    columns.columns().iter().cloned().chain(made).collect()
}
