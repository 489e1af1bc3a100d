//! Tables: CSV, and Parquet in each encoding and type.

use std::fs::File;
use std::io::{Cursor, Seek, Write};
use std::sync::LazyLock;

use promptls_fuzz::{Corpus, EXECUTIONS};
use promptls_resolver::{Dialect, Object};
use promptls_rows::{ReadError, Resolver, RowPrompt, RowReader, Table};

const PIECES: &[&str] = &[
    ",", ";", "\t", "\"", "\"\"", "\",\"", "\n", "\r\n", "\r", "\u{FEFF}", "name", "name,", " ",
    "\\", "#", "=", "é", "\u{FFFD}", "\0",
];

/// Each chunk has an outcome and a row of its columns for each of its rows.
fn rows_are_read(reader: Result<RowReader, ReadError>) {
    let Ok(mut reader) = reader else { return };
    let resolver = Resolver { prompt: &PROMPT, above: &Object::default() };
    reader.take_rows(7);
    let columns = reader.schema();
    let mut rows = 0;
    for chunk in reader.map_while(Result::ok) {
        assert_eq!(chunk.first, rows);
        assert!(!chunk.is_empty());
        rows += chunk.len() as u64;
        let mut outcomes = 0;
        chunk.outcomes(&resolver, |_| outcomes += 1);
        assert_eq!(outcomes, chunk.len());
        let batch = chunk.columns();
        assert_eq!(batch.num_rows(), chunk.len());
        assert_eq!(batch.schema().fields(), columns.fields());
    }
}

static PROMPT: LazyLock<RowPrompt> =
    LazyLock::new(|| RowPrompt::new(Dialect::Adk, "{name} {city?}"));

#[test]
fn csv() {
    let corpus = || Corpus::of("csv", PIECES);
    let try_it = |bytes: &[u8]| {
        let reader = RowReader::new(Table::Csv, Cursor::new(bytes.to_vec()));
        rows_are_read(reader);
    };
    corpus().each_file(try_it);
    bolero::check!()
        .with_iterations(EXECUTIONS)
        .with_generator(corpus().bytes())
        .for_each(|bytes| try_it(&bytes.0));
}

#[test]
fn parquet() {
    let corpus = || Corpus::of("parquet", &[]);
    let file = tempfile::tempfile().expect("there is a folder for it");
    let try_it = |bytes: &[u8]| {
        let file = write(&file, bytes).expect("it can be written");
        rows_are_read(RowReader::of_file(Table::Parquet, file));
    };
    corpus().each_file(|bytes| {
        let file = write(&file, bytes).expect("it can be written");
        for chunk in RowReader::of_file(Table::Parquet, file).expect("it is a table") {
            chunk.expect("it is whole");
        }
        try_it(bytes);
    });
    bolero::check!()
        .with_iterations(EXECUTIONS)
        .with_generator(corpus().overwritten())
        .for_each(|bytes| try_it(&bytes.0));
}

/// Overwrites the file with other content.
fn write(mut file: &File, bytes: &[u8]) -> std::io::Result<File> {
    file.set_len(0)?;
    file.rewind()?;
    file.write_all(bytes)?;
    file.try_clone()
}
