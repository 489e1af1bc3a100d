//! Parquet: groups of columns.

mod fixed_sizes;
mod footer;
mod pages;

use std::fs::File;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ParquetRecordBatchReader};
use parquet::arrow::{ProjectionMask, parquet_to_arrow_field_levels};

use self::pages::CheckedGroups;
use super::source::{ReadError, RowBatch, Rows};
use crate::columns::Columns;
use crate::row::{Resolver, RowError, TakesRow};

pub(super) struct ParquetSource {
    batches: ParquetRecordBatchReader,
    /// Rows that were read but not requested yet.
    left: Option<RecordBatch>,
    schema: SchemaRef,
    /// The number of bytes of a row, as far as the table contains it, for progress.
    bytes_of_row: f64,
    rows: u64,
}

/// The number of rows that are decoded at once.
const AT_ONCE: usize = 1024;

pub(super) struct Batch(RecordBatch);

impl ParquetSource {
    pub fn new(mut file: File) -> Result<ParquetSource, ReadError> {
        footer::check(&mut file)?;
        let bytes = file.metadata()?.len() as f64;
        let read = ArrowReaderMetadata::load(&file, Default::default()).map_err(table)?;
        let (schema, metadata) = (read.schema().clone(), read.metadata().clone());
        fixed_sizes::check(&schema)?;
        let all = metadata.file_metadata().num_rows().max(1) as f64;
        let columns = metadata.file_metadata().schema_descr();
        let fields = Some(schema.fields());
        let levels = parquet_to_arrow_field_levels(columns, ProjectionMask::all(), fields);
        let levels = levels.map_err(table)?;
        let groups = CheckedGroups { file: Arc::new(file), metadata };
        let batches =
            ParquetRecordBatchReader::try_new_with_row_groups(&levels, &groups, AT_ONCE, None)
                .map_err(table)?;
        Ok(ParquetSource { batches, left: None, schema, bytes_of_row: bytes / all, rows: 0 })
    }
}

fn table(error: impl std::fmt::Display) -> ReadError {
    ReadError::Table(error.to_string())
}

impl super::source::TableSource for ParquetSource {
    fn columns(&self) -> Option<Vec<&str>> {
        Some(self.schema.fields().iter().map(|field| field.name().as_str()).collect())
    }

    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }

    fn read(&mut self, most: usize) -> Result<Option<RowBatch>, ReadError> {
        let batch = match self.left.take() {
            Some(left) => left,
            None => match self.batches.next() {
                Some(batch) => batch.map_err(table)?,
                None => return Ok(None),
            },
        };
        let taken = most.min(batch.num_rows());
        self.left =
            (taken < batch.num_rows()).then(|| batch.slice(taken, batch.num_rows() - taken));
        let batch = batch.slice(0, taken);
        self.rows += batch.num_rows() as u64;
        let bytes = (self.rows as f64 * self.bytes_of_row) as u64;
        Ok(Some((Box::new(Batch(batch)), bytes)))
    }
}

impl Rows for Batch {
    fn len(&self) -> usize {
        self.0.num_rows()
    }

    fn columns(&self) -> RecordBatch {
        self.0.clone()
    }

    fn each(&self, resolver: &Resolver<'_>, take: TakesRow<'_>) {
        match Columns::of_trusted_batch(&self.0, resolver) {
            Ok(columns) => {
                (0..columns.rows()).for_each(|row| columns.pass_on(row, resolver, take));
            }
            Err(error) => {
                let no_row = || Err(RowError::NoRow(error.to_string()));
                (0..self.len()).for_each(|_| take(no_row()));
            }
        }
    }
}
