//! Parts of a problem that several formats use.

use promptls_protocol::{CheckOutput, FileProblem};
use serde_json::Value;

use crate::output::visible::visible_line;

/// The lines and columns of a problem, from 1: its first character, and the position after its last
/// one.
pub fn places(problem: &FileProblem) -> [[usize; 2]; 2] {
    let range = &problem.range;
    [range.start, range.end].map(|place| [place.line + 1, place.character + 1])
}

/// The message of a problem, in one line.
pub fn message(problem: &FileProblem) -> String {
    visible_line(&problem.message)
}

/// Consecutive problems of the same file.
pub fn by_file(report: &CheckOutput) -> impl Iterator<Item = &[FileProblem]> {
    report.problems.chunk_by(|a, b| a.file == b.file)
}

/// An object without its `null` values.
pub fn without_nulls(mut object: Value) -> Value {
    if let Value::Object(fields) = &mut object {
        fields.retain(|_, value| !value.is_null());
    }
    object
}
