//! Parquet: groups of columns.

use std::fs::File;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};

use super::{ReadError, Rows};
use crate::columns::Columns;
use crate::row::{Outcome, Resolver, RowError};

pub(super) struct Source {
    batches: ParquetRecordBatchReader,
    schema: SchemaRef,
    /// How many bytes a row has, as far as the table says, for progress.
    bytes_of_row: f64,
    rows: u64,
}

pub(super) struct Batch(RecordBatch);

impl Source {
    pub fn new(file: File, rows: usize) -> Result<Source, ReadError> {
        let bytes = file.metadata()?.len() as f64;
        let builder = ParquetRecordBatchReaderBuilder::try_new(file).map_err(table)?;
        let schema = builder.schema().clone();
        let all = builder.metadata().file_metadata().num_rows().max(1) as f64;
        let batches = builder.with_batch_size(rows).build().map_err(table)?;
        Ok(Source { batches, schema, bytes_of_row: bytes / all, rows: 0 })
    }
}

fn table(error: impl std::fmt::Display) -> ReadError {
    ReadError::Table(error.to_string())
}

impl super::Source for Source {
    fn columns(&self) -> Option<Vec<&str>> {
        Some(self.schema.fields().iter().map(|field| field.name().as_str()).collect())
    }

    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }

    fn read(&mut self) -> Result<Option<(Rows, u64)>, ReadError> {
        let Some(batch) = self.batches.next() else { return Ok(None) };
        let batch = batch.map_err(table)?;
        self.rows += batch.num_rows() as u64;
        let bytes = (self.rows as f64 * self.bytes_of_row) as u64;
        Ok(Some((Rows::Columns(Batch(batch)), bytes)))
    }
}

impl Batch {
    pub fn len(&self) -> usize {
        self.0.num_rows()
    }

    pub fn columns(&self) -> RecordBatch {
        self.0.clone()
    }

    pub fn outcomes(&self, resolver: &Resolver<'_>, mut take: impl FnMut(Outcome)) {
        match Columns::of_batch(&self.0, resolver) {
            Ok(columns) => {
                (0..columns.rows()).for_each(|row| take(columns.outcome(row, resolver)));
            }
            Err(error) => {
                let no_row = || Err(RowError::NoRow(error.to_string()));
                (0..self.len()).for_each(|_| take(no_row()));
            }
        }
    }
}
