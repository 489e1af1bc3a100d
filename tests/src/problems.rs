//! Problems as text, and checks of their own validity.

use serde_json::Value;

use crate::client::Client;
use crate::wire::Complaint;

/// One line for each problem: `LINE:COLUMN-LINE:COLUMN severity code message`,
/// and an indented one for each related place.
///
/// Lines and columns count from 1; columns count in the negotiated encoding.
pub fn text(diagnostics: &[Value]) -> String {
    text_in(diagnostics, "")
}

/// As [`text`], with files below `folder` shown by their path in it.
pub fn text_in(diagnostics: &[Value], folder: &str) -> String {
    let mut shown = String::new();
    for diagnostic in diagnostics {
        let severity = match diagnostic["severity"].as_u64() {
            Some(1) => "error",
            Some(2) => "warning",
            Some(3) => "info",
            Some(4) => "hint",
            _ => "(no severity)",
        };
        let code = diagnostic["code"].as_str().unwrap_or("(no code)");
        let message = diagnostic["message"].as_str().unwrap_or_default();
        let range = range_text(&diagnostic["range"]);
        shown.push_str(&format!("{range} {severity} {code} {message}"));
        for tag in list(&diagnostic["tags"]) {
            shown.push_str(match tag.as_u64() {
                Some(1) => " (unnecessary)",
                Some(2) => " (deprecated)",
                _ => " (unknown tag)",
            });
        }
        shown.push('\n');
        for related in list(&diagnostic["relatedInformation"]) {
            let uri = related["location"]["uri"].as_str().unwrap_or_default();
            let path = uri.strip_prefix(folder).unwrap_or(uri);
            let range = range_text(&related["location"]["range"]);
            let message = related["message"].as_str().unwrap_or_default();
            shown.push_str(&format!("    {path} {range} {message}\n"));
        }
    }
    shown
}

fn range_text(range: &Value) -> String {
    let place = |end: &str| {
        let counted_from_1 = |field: &str| range[end][field].as_u64().unwrap_or_default() + 1;
        format!("{}:{}", counted_from_1("line"), counted_from_1("character"))
    };
    format!("{}-{}", place("start"), place("end"))
}

/// Violations of rules that apply to every list of problems.
pub fn complaints(diagnostics: &[Value], client: &Client) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    for (index, diagnostic) in diagnostics.iter().enumerate() {
        let mut complain = |what: &str| complaints.push(format!("{what}: {diagnostic}"));
        if !is_range(&diagnostic["range"]) {
            complain("a problem has a range, with its start before its end");
        }
        if diagnostic["message"].as_str().is_none_or(str::is_empty) {
            complain("a problem has a message");
        }
        if !client.related_information && diagnostic.get("relatedInformation").is_some() {
            complain("this client does not know related information");
        }
        let is_same = |other: &Value| {
            ["range", "code", "message"].iter().all(|field| other[*field] == diagnostic[*field])
        };
        if diagnostics[..index].iter().any(is_same) {
            complain("the same problem twice");
        }
    }
    complaints
}

fn is_range(range: &Value) -> bool {
    let place = |end: &str| {
        let field = |name: &str| range[end][name].as_u64();
        Some((field("line")?, field("character")?))
    };
    match (place("start"), place("end")) {
        (Some(start), Some(end)) => start <= end,
        _ => false,
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}
