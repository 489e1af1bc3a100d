//! SARIF 2.1.0, which code scanning reads.

use std::collections::BTreeMap;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use promptls_protocol::{CheckOutput, FilePosition, FileProblem, FileRange, Severity};
use promptls_resolver::Code;
use promptls_workspace::explain;
use serde_json::{Value, json};

use super::fingerprint::Fingerprints;
use super::parts::{message, without_nulls};

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// What stands in a path of a URI as it is.
const PLAIN: AsciiSet = NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'.').remove(b'_');

/// All problems, and the pages on those of their codes.
pub fn log(report: &CheckOutput) -> Value {
    let codes = report.problems.iter().filter_map(|problem| Code::from_id(problem.code));
    let rules: BTreeMap<&str, Value> = codes.map(|code| (code.id(), rule(code))).collect();
    let index = |code: &str| rules.keys().position(|rule| *rule == code);
    let mut fingerprints = Fingerprints::default();
    let result = |problem| result(problem, index(problem.code), fingerprints.next(problem));
    let results: Vec<Value> = report.problems.iter().map(result).collect();
    let driver = json!({
        "name": "promptls",
        "version": env!("CARGO_PKG_VERSION"),
        "rules": rules.values().collect::<Vec<_>>(),
    });
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": driver },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

fn rule(code: Code) -> Value {
    let page = explain::page(code);
    // A page begins with a heading, and then says what the problem is.
    let first = page.split("\n\n").nth(1).unwrap_or_default().replace('\n', " ");
    json!({
        "id": code.id(),
        "shortDescription": { "text": first },
        "help": { "text": page, "markdown": page },
    })
}

fn result(problem: &FileProblem, index: Option<usize>, fingerprint: String) -> Value {
    let level = match problem.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info | Severity::Hint => "note",
    };
    let related: Vec<Value> = problem
        .related
        .iter()
        .map(|related| {
            let physical = location(&related.file, &related.range);
            json!({ "physicalLocation": physical, "message": { "text": related.message } })
        })
        .collect();
    without_nulls(json!({
        "ruleId": problem.code,
        "ruleIndex": index,
        "level": level,
        "message": { "text": message(problem) },
        "locations": [{ "physicalLocation": location(&problem.file, &problem.range) }],
        "relatedLocations": (!related.is_empty()).then_some(related),
        "partialFingerprints": { "promptls/v1": fingerprint },
    }))
}

fn location(file: &str, range: &FileRange) -> Value {
    let FileRange { start, end } = range;
    let [line, column] = from_one(start);
    let [end_line, end_column] = from_one(end);
    json!({
        "artifactLocation": { "uri": uri(file) },
        "region": {
            "startLine": line,
            "startColumn": column,
            "endLine": end_line,
            "endColumn": end_column,
        },
    })
}

fn from_one(place: &FilePosition) -> [usize; 2] {
    [place.line + 1, place.character + 1]
}

/// The address of a file, relative as its path is.
fn uri(file: &str) -> String {
    // Elsewhere it is part of a name.
    let file = if cfg!(windows) { file.replace('\\', "/") } else { file.to_owned() };
    utf8_percent_encode(&file, &PLAIN).to_string()
}
