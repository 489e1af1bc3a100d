//! What `promptls check` prints for other programs, each in the words that these expect.
//!
//! Lines and columns start at 1, and columns count characters, but in rdjson, which counts bytes.

mod checkstyle;
mod fingerprint;
mod github;
mod gitlab;
mod junit;
mod rdjson;
mod sarif;
mod xml;

use std::io;

use promptls_protocol::{CheckOutput, FileProblem};
use serde_json::Value;

use crate::args::CheckFormat;
use crate::output::terminal::write_json;
use crate::output::visible::visible_line;

/// What was found, in a format; nothing in those that are for people.
pub fn text(format: CheckFormat, report: &CheckOutput) -> io::Result<String> {
    match format {
        CheckFormat::Human | CheckFormat::Concise => Ok(String::new()),
        CheckFormat::Json => json(report),
        CheckFormat::Jsonl => report.problems.iter().map(json).collect(),
        CheckFormat::Github => Ok(github::text(report)),
        CheckFormat::Gitlab => json(&gitlab::report(report)),
        CheckFormat::Sarif => json(&sarif::log(report)),
        CheckFormat::Junit => junit::text(report),
        CheckFormat::Rdjson => json(&rdjson::result(report)),
        CheckFormat::Checkstyle => checkstyle::text(report),
    }
}

/// An object in a line.
fn json(object: &impl serde::Serialize) -> io::Result<String> {
    let mut line = Vec::new();
    write_json(&mut line, object)?;
    String::from_utf8(line).map_err(io::Error::other)
}

/// The lines and columns of a problem, from 1: its first, and the one behind its last character.
fn places(problem: &FileProblem) -> [[usize; 2]; 2] {
    let range = &problem.range;
    [range.start, range.end].map(|place| [place.line + 1, place.character + 1])
}

/// What a problem says, in one line.
fn message(problem: &FileProblem) -> String {
    visible_line(&problem.message)
}

/// Problems of the same file, which stand one behind the other.
fn by_file(report: &CheckOutput) -> impl Iterator<Item = &[FileProblem]> {
    report.problems.chunk_by(|a, b| a.file == b.file)
}

/// An object without what is `null`.
fn without_nulls(mut object: Value) -> Value {
    if let Value::Object(fields) = &mut object {
        fields.retain(|_, value| !value.is_null());
    }
    object
}
