//! Machine-readable output formats of `promptls check`.
//!
//! Lines and columns start at 1, and columns count characters, except in rdjson, where they count
//! bytes.

mod checkstyle;
mod fingerprint;
mod github;
mod gitlab;
mod junit;
mod parts;
mod rdjson;
mod sarif;
mod xml;

use std::io;
use std::path::Path;

use promptls_protocol::{CHECK_LINE_VERSION, CheckLine, CheckOutput};

use crate::args::CheckFormat;
use crate::output::terminal::write_json;

/// The report in a machine-readable format; empty for the other formats. File names are relative to
/// `root`.
pub fn text(format: CheckFormat, report: CheckOutput, root: &Path) -> io::Result<String> {
    match format {
        CheckFormat::Human | CheckFormat::Concise => Ok(String::new()),
        CheckFormat::Json => json(&report),
        CheckFormat::Jsonl => {
            let version = CHECK_LINE_VERSION;
            let problems = report.problems.into_iter();
            problems.map(|problem| json(&CheckLine { version, problem })).collect()
        }
        CheckFormat::Github => Ok(github::text(&report)),
        CheckFormat::Gitlab => json(&gitlab::report(&report)),
        CheckFormat::Sarif => json(&sarif::log(&report, root)),
        CheckFormat::Junit => junit::text(&report),
        CheckFormat::Rdjson => json(&rdjson::result(&report)),
        CheckFormat::Checkstyle => checkstyle::text(&report),
    }
}

/// An object in a line.
fn json(object: &impl serde::Serialize) -> io::Result<String> {
    let mut line = Vec::new();
    write_json(&mut line, object)?;
    String::from_utf8(line).map_err(io::Error::other)
}
