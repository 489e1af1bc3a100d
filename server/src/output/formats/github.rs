//! Annotations of GitHub Actions: workflow commands, a line for each problem.

use promptls_protocol::{CheckOutput, FileProblem, Severity};

use super::parts::{message, places};

/// A workflow command for each problem.
pub fn text(report: &CheckOutput) -> String {
    report.problems.iter().map(annotation).collect()
}

fn annotation(problem: &FileProblem) -> String {
    let kind = match problem.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info | Severity::Hint => "notice",
    };
    let [[line, column], [end_line, end_column]] = places(problem);
    let file = property(&problem.file);
    // GitHub highlights a range only within one line.
    let end = match line == end_line {
        true => format!(",endLine={end_line},endColumn={end_column}"),
        false => format!(",endLine={end_line}"),
    };
    let (code, message) = (problem.code, data(&message(problem)));
    format!("::{kind} file={file},line={line},col={column}{end},title=promptls {code}::{message}\n")
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
