//! The Code Quality report of GitLab.

use promptls_protocol::{CheckOutput, FileProblem, Severity};
use serde_json::{Value, json};

use super::fingerprint::Fingerprints;
use super::parts::{message, places};

/// The report with all problems.
pub fn report(report: &CheckOutput) -> Value {
    let mut fingerprints = Fingerprints::default();
    let issue = |problem| issue(problem, &fingerprints.next(problem));
    report.problems.iter().map(issue).collect()
}

fn issue(problem: &FileProblem, fingerprint: &str) -> Value {
    let severity = match problem.severity {
        Severity::Error => "major",
        Severity::Warning => "minor",
        Severity::Info | Severity::Hint => "info",
    };
    let [[line, column], [end_line, end_column]] = places(problem);
    json!({
        "description": message(problem),
        "check_name": problem.code,
        "fingerprint": fingerprint,
        "severity": severity,
        "location": {
            "path": problem.file,
            "positions": {
                "begin": { "line": line, "column": column },
                "end": { "line": end_line, "column": end_column },
            },
        },
    })
}
