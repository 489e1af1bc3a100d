//! Prints the string literals of code files as lines of JSON: `[start, end, [text, holes]]`, in
//! bytes, with `null` for a literal that cannot be a prompt. A line with the file name precedes
//! each file.
//!
//! `cargo run --example literals -- FILE…`; file names are also read from stdin.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use promptls_hosts::{Language, literals};
use serde_json::json;

fn main() -> io::Result<()> {
    let mut output = BufWriter::new(io::stdout().lock());
    let arguments = std::env::args().skip(1).map(Ok);
    for file in arguments.chain(io::stdin().lines()) {
        let file = file?;
        let ending = Path::new(&file).extension().unwrap_or_default().to_string_lossy();
        let Some(language) = Language::from_ending(&ending) else { continue };
        // A file that is not UTF-8 is no host.
        let Ok(source) = std::fs::read_to_string(&file) else { continue };
        writeln!(output, "{}", json!(file))?;
        for (range, text) in literals(language, &source) {
            let text = text.as_ref().map(|text| (text.text(), text.holes().count()));
            writeln!(output, "{}", json!([range.start, range.end, text]))?;
        }
    }
    output.flush()
}
