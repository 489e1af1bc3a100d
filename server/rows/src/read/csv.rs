//! Comma-separated fields, with the names of columns in the first line.
//!
//! Each field is a text, including an empty one: CSV does not distinguish `1` from `"1"`, and
//! neither would an engine.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::HashMap;
use std::io::{self, Read};
use std::sync::Arc;

use csv::{ByteRecord, ReaderBuilder, StringRecord};
use promptls_resolver::{Object, ValueRef, Values};

use super::source::{CHUNK, MAX_ROW, ReadError, RowBatch, Rows, too_long};
use crate::row::{Resolver, RowError, RowValues, TakesRow};

pub(super) struct CsvSource<R> {
    input: csv::Reader<Metered<R>>,
    header: Arc<Header>,
    /// The error that ends reading after the last rows.
    ended_by: Option<ReadError>,
}

/// The names of the columns, with their positions.
struct Header {
    names: Vec<String>,
    index: HashMap<String, usize>,
}

pub(super) struct Records {
    header: Arc<Header>,
    records: Vec<Result<StringRecord, String>>,
}

/// Ends with an error if a row does not end: a quote that is never closed would include the whole
/// rest of a table.
struct Metered<R> {
    input: R,
    left: usize,
}

impl<R: Read> Read for Metered<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 {
            return Err(io::Error::other(format!("{}; check for an unclosed quote", too_long())));
        }
        let read = self.input.read(buffer)?;
        self.left = self.left.saturating_sub(read);
        Ok(read)
    }
}

impl<R: Read> CsvSource<R> {
    pub fn new(input: R) -> Result<CsvSource<R>, ReadError> {
        let input = Metered { input, left: MAX_ROW };
        let mut builder = ReaderBuilder::new();
        // Rows of another length are reported individually.
        let mut input = builder.flexible(true).buffer_capacity(CHUNK).from_reader(input);
        let names = input.headers().map_err(read_error)?;
        let names: Vec<String> = names.iter().map(str::to_owned).collect();
        let columns = names.iter().enumerate();
        let index = columns.map(|(column, name)| (name.clone(), column)).collect();
        if names.is_empty() {
            let reason = "it is empty; its first line has the names of columns";
            return Err(ReadError::Table(reason.to_owned()));
        }
        Ok(CsvSource { input, header: Arc::new(Header { names, index }), ended_by: None })
    }
}

fn read_error(error: csv::Error) -> ReadError {
    let position = error.position().map(|at| format!("line {}: ", at.line())).unwrap_or_default();
    match error.into_kind() {
        csv::ErrorKind::Io(error) => ReadError::Io(error),
        csv::ErrorKind::Utf8 { .. } => {
            ReadError::Table(format!("{position}the names of columns are not UTF-8"))
        }
        other => ReadError::Table(format!("{position}{other:?}")),
    }
}

impl<R: Read> super::source::TableSource for CsvSource<R> {
    fn columns(&self) -> Option<Vec<&str>> {
        Some(self.header.names.iter().map(String::as_str).collect())
    }

    #[cfg(feature = "parquet")]
    fn schema(&self) -> arrow_schema::SchemaRef {
        self.header.schema()
    }

    fn read(&mut self, most: usize) -> Result<Option<RowBatch>, ReadError> {
        if let Some(error) = self.ended_by.take() {
            return Err(error);
        }
        let mut read = Records { header: self.header.clone(), records: Vec::new() };
        let mut bytes = 0;
        while bytes < CHUNK && read.records.len() < most {
            // The buffer content counts for this row, too.
            self.input.get_mut().left = MAX_ROW + CHUNK;
            let mut record = ByteRecord::new();
            match self.input.read_byte_record(&mut record) {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) if read.records.is_empty() => return Err(read_error(error)),
                // Earlier rows are kept.
                Err(error) => {
                    self.ended_by = Some(read_error(error));
                    break;
                }
            }
            bytes += record.as_slice().len();
            read.records.push(self.header.row(record));
        }
        let at = self.input.position().byte();
        Ok((!read.records.is_empty()).then_some((Box::new(read), at)))
    }
}

impl Header {
    fn row(&self, record: ByteRecord) -> Result<StringRecord, String> {
        if record.len() != self.names.len() {
            return Err(format!(
                "it has {} fields, and there are {} columns",
                record.len(),
                self.names.len()
            ));
        }
        StringRecord::from_byte_record(record).map_err(|error| {
            let field = error.utf8_error().field();
            format!("`{}` is not UTF-8", self.names[field])
        })
    }
}

impl Rows for Records {
    fn len(&self) -> usize {
        self.records.len()
    }

    fn each(&self, _: &Resolver<'_>, take: TakesRow<'_>) {
        for record in &self.records {
            match record {
                Ok(record) => {
                    let all = OnceCell::new();
                    take(Ok(&Row { header: &self.header, record, all }));
                }
                Err(reason) => take(Err(RowError::NoRow(reason.clone()))),
            }
        }
    }

    #[cfg(feature = "parquet")]
    fn columns(&self) -> arrow_array::RecordBatch {
        columns::of(self)
    }
}

struct Row<'r> {
    header: &'r Header,
    record: &'r StringRecord,
    /// All fields, for engines that use them as one object.
    all: OnceCell<Object>,
}

impl RowValues for Row<'_> {}

impl Values for Row<'_> {
    fn get(&self, name: &str) -> Option<ValueRef<'_>> {
        Some(ValueRef::Text(self.record.get(*self.header.index.get(name)?)?))
    }

    fn text_near(&self, likely: &mut usize, name: &str, _: Option<u64>) -> Option<&str> {
        let column = match self.header.names.get(*likely) {
            Some(column) if column == name => *likely,
            _ => *self.header.index.get(name)?,
        };
        *likely = column + 1;
        self.record.get(column)
    }

    fn all(&self) -> Option<Cow<'_, Object>> {
        let names = self.header.names.iter().map(String::as_str);
        Some(Cow::Borrowed(self.all.get_or_init(|| names.zip(self.record).collect())))
    }

    fn count(&self) -> Option<usize> {
        Some(self.header.names.len())
    }
}

#[cfg(feature = "parquet")]
mod columns {
    use std::sync::Arc;

    use arrow_array::{ArrayRef, RecordBatch, StringArray};
    use arrow_schema::{DataType, Field, Schema, SchemaRef};

    use super::{Header, Records};

    impl Header {
        pub fn schema(&self) -> SchemaRef {
            let column = |name: &String| Field::new(name, DataType::Utf8, true);
            Arc::new(Schema::new(self.names.iter().map(column).collect::<Vec<Field>>()))
        }
    }

    /// The fields; null for invalid rows.
    pub fn of(records: &Records) -> RecordBatch {
        let Records { header, records } = records;
        let column = |at: usize| -> ArrayRef {
            let fields = records.iter().map(|row| row.as_ref().ok().and_then(|row| row.get(at)));
            Arc::new(fields.collect::<StringArray>())
        };
        let columns = (0..header.names.len()).map(column).collect();
        RecordBatch::try_new(header.schema(), columns)
            .expect("all columns are texts, one for each row")
    }
}
