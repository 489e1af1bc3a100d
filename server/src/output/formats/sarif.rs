//! SARIF 2.1.0, for code scanning.

use std::collections::BTreeMap;
use std::path::Path;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use promptls_protocol::{CheckOutput, FilePosition, FileProblem, FileRange, Severity};
use promptls_resolver::{self as resolver, Code};
use promptls_workspace::{absolute, explain};
use serde_json::{Value, json};

use super::fingerprint::Fingerprints;
use super::parts::{message, without_nulls};
use crate::addresses;
use crate::output::report_root::slashed;

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The name of the repository root in a log, as in GitHub's own tools.
const ROOT: &str = "%SRCROOT%";

/// Characters of a path that are not escaped in a URI.
const PLAIN: AsciiSet = NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'.').remove(b'_');

/// All problems, with the pages about their codes. File names are relative to `root`.
pub fn log(report: &CheckOutput, root: &Path) -> Value {
    let codes = report.problems.iter().filter_map(|problem| Code::from_id(problem.code));
    let rules: BTreeMap<&str, Value> = codes.map(|code| (code.id(), rule(code))).collect();
    let index = |code: &str| rules.keys().position(|rule| *rule == code);
    let mut fingerprints = Fingerprints::default();
    let result = |problem| result(problem, root, index(problem.code), fingerprints.next(problem));
    let results: Vec<Value> = report.problems.iter().map(result).collect();
    let driver = json!({
        "name": "promptls",
        "version": env!("CARGO_PKG_VERSION"),
        "informationUri": addresses::REPOSITORY,
        "rules": rules.values().collect::<Vec<_>>(),
    });
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": driver },
            "originalUriBaseIds": { ROOT: { "uri": folder_uri(root) } },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

fn rule(code: Code) -> Value {
    let page = explain::page(code);
    let level = match code.severity() {
        resolver::Severity::Error => "error",
        resolver::Severity::Warning => "warning",
        resolver::Severity::Information | resolver::Severity::Hint => "note",
    };
    json!({
        "id": code.id(),
        "name": in_pascal_case(code.id()),
        "shortDescription": { "text": explain::summary(code) },
        "fullDescription": { "text": explain::description(code) },
        "helpUri": addresses::page_of(code),
        "help": { "text": page, "markdown": page },
        "defaultConfiguration": { "level": level },
    })
}

/// Converts `undefined-placeholder` into `UndefinedPlaceholder`.
fn in_pascal_case(id: &str) -> String {
    let capital = |word: &str| {
        let (first, rest) = word.split_at(word.len().min(1));
        first.to_uppercase() + rest
    };
    id.split('-').map(capital).collect()
}

fn result(problem: &FileProblem, root: &Path, index: Option<usize>, fingerprint: String) -> Value {
    let level = match problem.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info | Severity::Hint => "note",
    };
    let related: Vec<Value> = problem
        .related
        .iter()
        .map(|related| {
            let physical = location(&related.file, root, &related.range);
            json!({ "physicalLocation": physical, "message": { "text": related.message } })
        })
        .collect();
    without_nulls(json!({
        "ruleId": problem.code,
        "ruleIndex": index,
        "level": level,
        "message": { "text": message(problem) },
        "locations": [{ "physicalLocation": location(&problem.file, root, &problem.range) }],
        "relatedLocations": (!related.is_empty()).then_some(related),
        "partialFingerprints": { "promptls/v2": fingerprint },
    }))
}

fn location(file: &str, root: &Path, range: &FileRange) -> Value {
    let FileRange { start, end } = range;
    let [line, column] = from_one(start);
    let [end_line, end_column] = from_one(end);
    json!({
        "artifactLocation": artifact(file, root),
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

/// A file below the root by its relative URI, others by their absolute URI.
fn artifact(file: &str, root: &Path) -> Value {
    let path = absolute(root, Path::new(file));
    match path.strip_prefix(root) {
        Ok(below) => json!({ "uri": encoded(&slashed(below)), "uriBaseId": ROOT }),
        Err(_) => json!({ "uri": file_uri(&path) }),
    }
}

/// The URI of a folder, with a trailing `/` so that relative URIs resolve below it.
fn folder_uri(folder: &Path) -> String {
    let uri = file_uri(folder);
    if uri.ends_with('/') { uri } else { uri + "/" }
}

fn file_uri(path: &Path) -> String {
    let path = slashed(path);
    // A path with a drive letter does not begin with `/`.
    let start = if path.starts_with('/') { "file://" } else { "file:///" };
    format!("{start}{}", encoded(&path))
}

fn encoded(path: &str) -> String {
    utf8_percent_encode(path, &PLAIN).to_string()
}
