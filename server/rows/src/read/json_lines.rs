//! JSON lines, each with the values of a row.

use std::io::{self, BufRead, BufReader, Read};
use std::ops::Range;

use memchr::memchr;
use promptls_resolver::{FileId, Format, Object, ValueKind, parse_value};

use super::source::{CHUNK, MAX_ROW, ReadError, RowBatch, Rows, too_long};
use crate::row::{Resolver, RowError, TakesRow};

pub(super) struct JsonLinesSource<R> {
    input: BufReader<R>,
    bytes: u64,
}

/// Consecutive lines of the input; blank ones are skipped.
pub(super) struct Lines {
    text: Vec<u8>,
    /// The range of each line; `None` for one that is too long.
    lines: Vec<Option<Range<usize>>>,
}

impl<R: Read> JsonLinesSource<R> {
    pub fn new(input: R) -> JsonLinesSource<R> {
        JsonLinesSource { input: BufReader::with_capacity(CHUNK, input), bytes: 0 }
    }

    /// Reads a line with its end, or the start of one that is too long; `false` at the end.
    fn line(&mut self, text: &mut Vec<u8>) -> io::Result<bool> {
        let start = text.len();
        let mut is_read = false;
        loop {
            let found = match self.input.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                found => found?,
            };
            if found.is_empty() {
                return Ok(is_read);
            }
            is_read = true;
            let end = memchr(b'\n', found).map(|at| at + 1);
            let taken = end.unwrap_or(found.len());
            let room = (MAX_ROW + 1).saturating_sub(text.len() - start);
            text.extend_from_slice(&found[..taken.min(room)]);
            self.input.consume(taken);
            self.bytes += taken as u64;
            if end.is_some() {
                return Ok(true);
            }
        }
    }
}

impl<R: Read> super::source::TableSource for JsonLinesSource<R> {
    fn columns(&self) -> Option<Vec<&str>> {
        None
    }

    #[cfg(feature = "parquet")]
    fn schema(&self) -> arrow_schema::SchemaRef {
        columns::schema()
    }

    fn read(&mut self, most: usize) -> Result<Option<RowBatch>, ReadError> {
        let mut read = Lines { text: Vec::new(), lines: Vec::new() };
        // A slow writer gets a result for each line.
        let is_waited_for = |input: &BufReader<R>| input.buffer().is_empty();
        while read.text.len() < CHUNK && read.lines.len() < most {
            if !read.lines.is_empty() && is_waited_for(&self.input) {
                break;
            }
            let start = read.text.len();
            if !self.line(&mut read.text)? {
                break;
            }
            let line = &read.text[start..];
            if line.len() > MAX_ROW {
                read.text.truncate(start);
                read.lines.push(None);
            } else if line.iter().all(u8::is_ascii_whitespace) {
                read.text.truncate(start);
            } else {
                read.lines.push(Some(start..read.text.len()));
            }
        }
        Ok((!read.lines.is_empty()).then_some((Box::new(read), self.bytes)))
    }
}

impl Rows for Lines {
    fn len(&self) -> usize {
        self.lines.len()
    }

    fn each(&self, _: &Resolver<'_>, take: TakesRow<'_>) {
        for line in &self.lines {
            match self.values(line.clone()) {
                Ok(values) => take(Ok(&values)),
                Err(reason) => take(Err(RowError::NoRow(reason))),
            }
        }
    }

    #[cfg(feature = "parquet")]
    fn columns(&self) -> arrow_array::RecordBatch {
        columns::of(self)
    }
}

impl Lines {
    fn values(&self, line: Option<Range<usize>>) -> Result<Object, String> {
        let Some(line) = line else { return Err(too_long()) };
        let line = self.text[line].trim_ascii();
        let line = std::str::from_utf8(line)
            .map_err(|error| format!("byte {} of the line is not UTF-8", error.valid_up_to()))?;
        let parsed = parse_value(line, Format::Json, FileId::default(), "no row");
        match (parsed.value.map(|value| (value.kind_name(), value.kind)), parsed.problems.first()) {
            (Some((_, ValueKind::Object(values))), _) => Ok(values),
            (Some((kind, _)), _) => {
                Err(format!("a row is one object of names and values; this is {kind}"))
            }
            (None, Some(problem)) => {
                let at = problem.location.range.start;
                Err(format!("byte {at} of the line: {}", problem.message))
            }
            (None, None) => Err("the line is not JSON".to_owned()),
        }
    }
}

#[cfg(feature = "parquet")]
mod columns {
    use std::sync::{Arc, LazyLock};

    use arrow_array::{RecordBatch, StringArray};
    use arrow_schema::{DataType, Field, Schema, SchemaRef};

    use super::Lines;

    /// Each row has its own columns, so the line is a single column.
    pub fn schema() -> SchemaRef {
        static SCHEMA: LazyLock<SchemaRef> =
            LazyLock::new(|| Arc::new(Schema::new(vec![Field::new("row", DataType::Utf8, true)])));
        SCHEMA.clone()
    }

    /// The lines themselves; null for those that are not text.
    pub fn of(lines: &Lines) -> RecordBatch {
        let line = |line: &Option<std::ops::Range<usize>>| {
            let line = &lines.text[line.clone()?];
            Some(std::str::from_utf8(line).ok()?.trim())
        };
        let lines: StringArray = lines.lines.iter().map(line).collect();
        RecordBatch::try_new(schema(), vec![Arc::new(lines)])
            .expect("there is one column, and it is of texts")
    }
}
