//! Reviewdog's diagnostic format.

use promptls_protocol::{CheckOutput, FilePosition, FileProblem, FileRange, Severity};
use serde_json::{Value, json};

use super::parts::{message, without_nulls};

/// The report with all problems.
pub fn result(report: &CheckOutput) -> Value {
    let diagnostics: Vec<Value> = report.problems.iter().map(diagnostic).collect();
    json!({ "source": { "name": "promptls" }, "diagnostics": diagnostics })
}

fn diagnostic(problem: &FileProblem) -> Value {
    let severity = match problem.severity {
        Severity::Error => "ERROR",
        Severity::Warning => "WARNING",
        Severity::Info | Severity::Hint => "INFO",
    };
    let related: Vec<Value> = problem
        .related
        .iter()
        .map(|related| {
            let location = location(&related.file, &related.range);
            json!({ "message": related.message, "location": location })
        })
        .collect();
    without_nulls(json!({
        "message": message(problem),
        "location": location(&problem.file, &problem.range),
        "severity": severity,
        "code": { "value": problem.code },
        "related_locations": (!related.is_empty()).then_some(related),
    }))
}

fn location(file: &str, range: &FileRange) -> Value {
    let place = |at: FilePosition| json!({ "line": at.line + 1, "column": at.character + 1 });
    json!({ "path": file, "range": { "start": place(range.start), "end": place(range.end) } })
}
