//! Prints the lexers' results for all example prompts and vectors, for tests in other languages.
//!
//! A line of JSON for each prompt: `name`, `dialect`, `text`, and `lines`. These contain for each
//! line its placeholders, blocks and escapes as `[start, end, kind]` in UTF-16 units, or `null` if
//! one of them spans lines. Near misses and errors are omitted.

use std::io::Write;
use std::path::{Path, PathBuf};

use promptls_syntax::{Dialect, TokenKind, tokenize};
use promptls_tests::vectors::vectors;
use serde_json::{Value, json};

fn main() {
    for vector in vectors() {
        let dialect = Dialect::from_id(&vector.dialect).expect("vectors are of known dialects");
        if let Some(text) = &vector.template {
            print(&vector.name, dialect, text);
        }
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("prompts");
    for path in files_below(&folder) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        // Prompts that a rule names are also in the folder of their dialect.
        let is_prompt = name.ends_with(".prompt") || name.ends_with(".txt");
        let of_folder = |part: &std::ffi::OsStr| part.to_str().and_then(Dialect::from_id);
        if let (true, Some(dialect)) = (is_prompt, path.iter().find_map(of_folder)) {
            let text = std::fs::read_to_string(&path).expect("examples can be read");
            print(&name, dialect, &text);
        }
    }
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the examples are there");
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    let below = |path: PathBuf| if path.is_dir() { files_below(&path) } else { vec![path] };
    paths.into_iter().flat_map(below).collect()
}

fn print(name: &str, dialect: Dialect, text: &str) {
    let mut lines: Vec<Option<Vec<Value>>> = Vec::new();
    // The line starts; `\r\n`, `\r` and `\n` end a line.
    let mut starts = vec![0];
    for (at, byte) in text.bytes().enumerate() {
        let is_half = byte == b'\r' && text.as_bytes().get(at + 1) == Some(&b'\n');
        if matches!(byte, b'\r' | b'\n') && !is_half {
            starts.push(at + 1);
        }
    }
    lines.resize(starts.len(), Some(Vec::new()));
    tokenize(dialect, text, |token| {
        let kind = match token.kind {
            TokenKind::Placeholder | TokenKind::Optional => "placeholder",
            TokenKind::BlockOpen(_) | TokenKind::BlockClose(_) => "block",
            TokenKind::Escape => "escape",
            TokenKind::NearMiss | TokenKind::Malformed | TokenKind::Foreign => return,
        };
        let line_of = |at: usize| starts.partition_point(|&start| start <= at) - 1;
        let (first, last) = (line_of(token.start), line_of(token.end() - 1));
        if first != last {
            lines[first..=last].fill(None);
            return;
        }
        let column = |at: usize| text[starts[first]..at].encode_utf16().count();
        if let Some(found) = &mut lines[first] {
            found.push(json!([column(token.start), column(token.end()), kind]));
        }
    });
    let id = dialect.spec().id;
    let line = json!({ "name": name, "dialect": id, "text": text, "lines": lines });
    writeln!(std::io::stdout(), "{line}").expect("stdout can be written to");
}
