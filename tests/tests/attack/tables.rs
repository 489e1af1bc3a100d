//! Tables: invalid files are errors of their file, and cost grows linearly with the contents.

use std::fs::File;
use std::io::{Cursor, Write};
use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, StringArray};
use promptls_resolver::{Dialect, Object};
use promptls_rows::{Resolver, RowPrompt, RowReader, Table};
use promptls_tests::{Workspace, promptls};

/// Files for each type and encoding.
const CORPUS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/fuzz/corpora/parquet");

/// The errors of a file: those of its rows and its own.
fn errors(bytes: &[u8]) -> Vec<String> {
    let mut file = tempfile::tempfile().expect("there is a folder for it");
    file.write_all(bytes).expect("it can be written");
    let prompt = RowPrompt::new(Dialect::Adk, "{name?}");
    let resolver = Resolver { prompt: &prompt, above: &Object::default() };
    let reader = match RowReader::of_file(Table::Parquet, file) {
        Ok(reader) => reader,
        Err(error) => return vec![error.to_string()],
    };
    let mut errors = Vec::new();
    for chunk in reader {
        match chunk {
            Ok(chunk) => chunk.outcomes(&resolver, |outcome| {
                errors.extend(outcome.err().map(|error| error.to_string()));
            }),
            Err(error) => errors.push(error.to_string()),
        }
    }
    errors
}

/// Each file with one changed byte, at most `most` of them.
fn mutations(most: usize) -> impl Iterator<Item = Vec<u8>> {
    let mut files: Vec<_> = std::fs::read_dir(CORPUS).expect("it is there").collect();
    files.sort_by_key(|file| file.as_ref().expect("it can be listed").path());
    let read = |file: std::io::Result<std::fs::DirEntry>| {
        std::fs::read(file.expect("it can be listed").path()).expect("it can be read")
    };
    let files: Vec<Vec<u8>> = files.into_iter().map(read).collect();
    let all: usize = files.iter().map(Vec::len).sum();
    // Spread over all of them.
    let step = (all * 3 / most).max(1) | 1;
    (0..all * 3).step_by(step).map(move |at| {
        let mut at = at;
        let file = files.iter().cycle();
        for bytes in file {
            match at.checked_sub(bytes.len()) {
                Some(rest) => at = rest,
                None => {
                    let mut bytes = bytes.clone();
                    bytes[at] ^= [0xFF, 0x01, 0x80][at % 3];
                    return bytes;
                }
            }
        }
        unreachable!("a cycle does not end")
    })
}

/// Libraries that read Parquet panic for some of these.
#[test]
fn a_broken_parquet_file_is_an_error_of_the_file() {
    let (mut tried, mut panics) = (0, Vec::new());
    for bytes in mutations(2_000) {
        tried += 1;
        if errors(&bytes).iter().any(|error| error.contains("the data is broken: ")) {
            panics.push(bytes);
        }
    }
    assert!(tried >= 1_500, "{tried}");
    assert!(!panics.is_empty(), "no library panics any more; remove the guard");

    // The program reports it in one line, without a panic message.
    for bytes in panics.iter().take(5) {
        let workspace = Workspace::new(&[("letter.adk.prompt", "{name?}")]);
        std::fs::write(workspace.root().join("rows.parquet"), bytes).expect("it can be written");
        let arguments = ["resolve", "letter.adk.prompt", "--rows", "rows.parquet"];
        let output = promptls(&arguments).cwd(workspace.root()).run();
        assert!(matches!(output.code, Some(1 | 2)), "{output:?}");
        assert!(output.stderr.contains("the data is broken: "), "{output:?}");
        assert!(!output.stderr.contains("panicked"), "{output:?}");
    }
}

/// With a search per column for each column, these exceed the time limit of a test.
#[test]
fn a_table_with_many_columns_is_read_in_seconds() {
    const COLUMNS: usize = 100_000;
    let mut csv = (0..COLUMNS).map(|at| format!("c{at},")).collect::<String>() + "name\n";
    for row in 0..3 {
        csv += &",".repeat(COLUMNS);
        csv += &format!("{row}\n");
    }
    let workspace = Workspace::new(&[("letter.adk.prompt", "Dear {name},"), ("rows.csv", &csv)]);
    is_resolved(&workspace, "rows.csv", COLUMNS);
    // The library takes longer for each column.
    const COLUMNS_OF_PARQUET: usize = 60_000;
    write_parquet(&workspace.root().join("rows.parquet"), COLUMNS_OF_PARQUET);
    is_resolved(&workspace, "rows.parquet", COLUMNS_OF_PARQUET);
}

#[track_caller]
fn is_resolved(workspace: &Workspace, table: &str, unread: usize) {
    let arguments = ["resolve", "letter.adk.prompt", "--rows", table];
    let output = promptls(&arguments).cwd(workspace.root()).run();
    assert_eq!(output.code, Some(0), "{}", output.stderr);
    let first = "{\"row\":0,\"text\":\"Dear 0,\"}\n";
    assert!(output.stdout.starts_with(first), "{}", output.stdout);
    let note =
        format!("promptls: note: the prompt does not read these columns of {table}: `c0`, `c1`");
    assert!(output.stderr.starts_with(&note), "{}", output.stderr);
    assert!(output.stderr.ends_with(&format!(" and {} more\n", unread - 20)), "{}", output.stderr);
}

fn write_parquet(path: &Path, columns: usize) {
    let empty: ArrayRef = Arc::new(StringArray::from(vec![""; 3]));
    let names: ArrayRef = Arc::new(StringArray::from(vec!["0", "1", "2"]));
    let columns = (0..columns).map(|at| (format!("c{at}"), empty.clone()));
    let columns = columns.chain([("name".to_owned(), names)]);
    let batch = RecordBatch::try_from_iter(columns).expect("all have as many rows");
    let file = File::create(path).expect("it can be made");
    let mut writer = parquet::arrow::ArrowWriter::try_new(file, batch.schema(), None)
        .expect("its types can be written");
    writer.write(&batch).expect("it can be written");
    writer.close().expect("it can be written");
}

/// The footer of a file whose columns are `depth` nested groups, in Thrift.
fn nested(depth: usize) -> Vec<u8> {
    const ROOT: &[u8] = b"\x48\x06schema\x15\x02\0";
    const GROUP: &[u8] = b"\x35\x02\x18\x01g\x15\x02\0";
    const COLUMN: &[u8] = b"\x15\x0c\x25\x02\x18\x01x\0";
    // A version, then a list of more than 14 structures.
    let mut metadata = b"\x15\x02\x19\xfc".to_vec();
    let mut count = depth + 2;
    while count >= 0x80 {
        metadata.push(count as u8 | 0x80);
        count >>= 7;
    }
    metadata.push(count as u8);
    metadata.extend(ROOT);
    metadata.extend(GROUP.repeat(depth));
    metadata.extend(COLUMN);
    // No rows, no row groups.
    metadata.extend(b"\x16\0\x19\x0c\0");
    let len = (metadata.len() as u32).to_le_bytes();
    [&b"PAR1"[..], &metadata, &len, b"PAR1"].concat()
}

/// The library recurses, and a stack overflow ends a process.
#[test]
fn nested_column_groups_do_not_crash_the_process() {
    assert_eq!(errors(&nested(90)), [""; 0]);
    assert_eq!(errors(&nested(1_000_000)), ["its columns are nested too deeply"]);
}

#[test]
fn a_table_with_excessive_columns_is_refused() {
    let header = ",".repeat(200_000);
    let Err(error) = RowReader::new(Table::Csv, Cursor::new(header)) else {
        panic!("it is read");
    };
    assert_eq!(error.to_string(), "it has 200001 columns; at most 200000 are read");
}
