//! The output for rows: lines of JSON, or Parquet.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use promptls_protocol::{ErrorKind, RowError as JsonError, RowOutput};
use promptls_resolver::Values;
use promptls_rows::{Chunk, Resolver, RowError, RowReader};
use promptls_writer::{Output, WriteError};

#[cfg(feature = "parquet")]
use super::parquet_output::{ParquetOut, columns_of};
use super::sent_row::{Sender, SentRow};
use crate::args::{OutputArgs, ResolveArgs, ResolveFormat};
use crate::errors::CommandError;
use crate::output::files_read::FilesRead;
use crate::output::terminal::{complain, write_json};
use crate::output::write;

/// The output of a chunk.
pub struct ChunkOutput {
    /// The end of the chunk in the table, in bytes.
    pub bytes: u64,
    /// The number of rows, including failed ones.
    pub rows: u64,
    /// The number of rows without a text.
    pub failed: u64,
    /// The number or name of the first failed row, and the error.
    pub first_failure: Option<String>,
    /// The size of the output, in bytes.
    pub size: u64,
    content: ChunkContent,
}

enum ChunkContent {
    Lines(Vec<u8>),
    #[cfg(feature = "parquet")]
    Columns(Vec<arrow_array::ArrayRef>),
}

/// Creates the output; usable from any thread.
pub struct ChunkFormatter<'s> {
    pub format: ResolveFormat,
    pub fail_fast: bool,
    pub sender: Sender<'s>,
}

/// The result of a row or a case.
pub type RowResult = Result<SentRow, RowError>;

impl ChunkFormatter<'_> {
    /// The output of a chunk; with --fail-fast, up to and including its first failure.
    pub fn format_chunk(&self, chunk: &Chunk, resolver: &Resolver<'_>) -> ChunkOutput {
        let mut output = ChunkOutput::new(chunk.bytes);
        let mut outcomes = Vec::new();
        let mut lines = Vec::new();
        let prompt = resolver.prompt;
        chunk.each(
            resolver,
            |values| {
                let render = |values: &dyn Values| prompt.render(values);
                self.sender.send(self.format, values, prompt.max_output(), render)
            },
            |result| {
                if self.fail_fast && output.failed > 0 {
                    return;
                }
                let row = chunk.first + output.rows;
                output.note(&row.to_string(), &result);
                match self.format {
                    ResolveFormat::Parquet => outcomes.push(result.map(|sent| sent.text)),
                    _ => row_line(Some(row), None, result).write(&mut lines),
                }
            },
        );
        output.content = match self.format {
            #[cfg(feature = "parquet")]
            ResolveFormat::Parquet => ChunkContent::Columns(columns_of(chunk, &outcomes)),
            _ => {
                output.size = lines.len() as u64;
                ChunkContent::Lines(lines)
            }
        };
        output
    }
}

impl ChunkOutput {
    /// The output of one case.
    pub fn of_case(case: &str, result: RowResult) -> ChunkOutput {
        let mut output = ChunkOutput::new(0);
        output.note(case, &result);
        let mut line = Vec::new();
        row_line(None, Some(case), result).write(&mut line);
        output.content = ChunkContent::Lines(line);
        output
    }

    fn new(bytes: u64) -> ChunkOutput {
        let content = ChunkContent::Lines(Vec::new());
        ChunkOutput { bytes, rows: 0, failed: 0, first_failure: None, size: 0, content }
    }

    fn note(&mut self, name: &str, result: &RowResult) {
        self.rows += 1;
        match result {
            Ok(sent) => self.size += sent.text.len() as u64,
            Err(error) => {
                self.failed += 1;
                self.first_failure.get_or_insert_with(|| format!("{name}: {error}"));
            }
        }
    }
}

fn row_line(row: Option<u64>, case: Option<&str>, result: RowResult) -> RowOutput {
    let case = case.map(str::to_owned);
    let line = RowOutput { row, case, text: None, messages: None, error: None };
    match result {
        Ok(SentRow { messages: Some(messages), .. }) => {
            RowOutput { messages: Some(messages), ..line }
        }
        Ok(SentRow { text, .. }) => RowOutput { text: Some(text), ..line },
        Err(error) => RowOutput { error: Some(json_error(error)), ..line },
    }
}

fn json_error(error: RowError) -> JsonError {
    match error {
        RowError::Engine(error) => JsonError {
            kind: Some(ErrorKind::from(error.kind)),
            names: error.names,
            message: error.message,
        },
        RowError::NoRow(message) => JsonError { kind: None, names: Vec::new(), message },
    }
}

/// A result that writes itself as a line of JSON.
trait Line {
    fn write(&self, to: &mut Vec<u8>);
}

impl Line for RowOutput {
    fn write(&self, to: &mut Vec<u8>) {
        write_json(to, self).expect("memory takes what is written");
    }
}

/// Writes the output to standard output or into a file.
///
/// A file is replaced as a whole once the output is complete; until then, it is unchanged.
pub struct RowsWriter {
    out: Out,
    file: Option<(Output, PathBuf)>,
}

enum Out {
    Lines(Box<dyn Write>),
    #[cfg(feature = "parquet")]
    Parquet(Box<ParquetOut>),
}

impl RowsWriter {
    /// A writer for the rows of a table.
    pub fn new(
        args: &ResolveArgs,
        format: ResolveFormat,
        reader: &RowReader,
        read: &FilesRead,
    ) -> Result<RowsWriter, CommandError> {
        if format != ResolveFormat::Parquet {
            return RowsWriter::of_lines(args, read);
        }
        #[cfg(feature = "parquet")]
        {
            let (file, to) = open_target(&args.to, read)?;
            let out = ParquetOut::new(to, &reader.schema(), args)?;
            Ok(RowsWriter { out: Out::Parquet(Box::new(out)), file })
        }
        #[cfg(not(feature = "parquet"))]
        {
            let _ = reader;
            Err(CommandError::NoParquet)
        }
    }

    /// A writer of one JSON object per line, to the output file or stdout.
    pub fn of_lines(args: &ResolveArgs, read: &FilesRead) -> Result<RowsWriter, CommandError> {
        let (file, to) = open_target(&args.to, read)?;
        Ok(RowsWriter { out: Out::Lines(to), file })
    }

    /// Writes the output of a chunk.
    pub fn write(&mut self, output: ChunkOutput) -> Result<(), CommandError> {
        let written = match (&mut self.out, output.content) {
            // Each chunk is written at once: a reader may wait for it.
            (Out::Lines(to), ChunkContent::Lines(lines)) => {
                to.write_all(&lines).and_then(|()| to.flush())
            }
            #[cfg(feature = "parquet")]
            (Out::Parquet(to), ChunkContent::Columns(columns)) => to.write(columns),
            #[cfg(feature = "parquet")]
            _ => unreachable!("the content has the format of the writer"),
        };
        written.map_err(|error| self.failed(error))
    }

    /// Moves the file to its final path.
    pub fn finish(self) -> Result<(), CommandError> {
        let RowsWriter { out, file } = self;
        let finished = match out {
            Out::Lines(mut to) => to.flush(),
            #[cfg(feature = "parquet")]
            Out::Parquet(to) => to.finish(),
        };
        match file {
            None => Ok(finished?),
            Some((file, path)) => {
                let put = finished.map_err(WriteError::from).and_then(|()| file.finish());
                put.map_err(write::failed(path.display()))
            }
        }
    }

    /// Discards the output after this many rows; the file stays unchanged.
    pub fn give_up(self, rows: u64) -> Result<(), CommandError> {
        let RowsWriter { out, file } = self;
        match file {
            Some((_, path)) => complain(&format!(
                "promptls: stopped after {rows} rows; {} is not written",
                path.display()
            )),
            None => {
                complain(&format!("promptls: stopped after {rows} rows"));
                match out {
                    Out::Lines(mut to) => to.flush()?,
                    #[cfg(feature = "parquet")]
                    Out::Parquet(to) => to.finish()?,
                }
            }
        }
        Ok(())
    }

    fn failed(&self, source: io::Error) -> CommandError {
        match &self.file {
            Some((_, path)) => write::failed(path.display())(source.into()),
            None => CommandError::Write(source),
        }
    }
}

type OutputTarget = (Option<(Output, PathBuf)>, Box<dyn Write + Send>);

/// The destination: a temporary file, a device, or standard output.
fn open_target(to: &OutputArgs, read: &FilesRead) -> Result<OutputTarget, CommandError> {
    let Some(path) = &to.output else {
        return Ok((None, Box::new(BufWriter::new(io::stdout()))));
    };
    read.keep_from(path, path.display())?;
    let output = write::writer(to.force).open(path).map_err(write::failed(path.display()))?;
    let handle =
        output.handle().map_err(WriteError::from).map_err(write::failed(path.display()))?;
    let file = (!output.is_device()).then(|| (output, path.clone()));
    Ok((file, Box::new(BufWriter::new(handle))))
}
