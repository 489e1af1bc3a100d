//! Values on one line.

use promptls_resolver::Span;
use serde_json::Value as Json;

/// JSON on one line, with a space after each colon and comma.
pub(super) fn one_line(value: &Json) -> String {
    match value {
        Json::Object(members) => {
            let members = members
                .iter()
                .map(|(key, value)| format!("{}: {}", Json::from(key.as_str()), one_line(value)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(", "))
        }
        Json::Array(items) => {
            format!("[{}]", items.iter().map(one_line).collect::<Vec<_>>().join(", "))
        }
        scalar => scalar.to_string(),
    }
}

/// Adds to an object or a list on one line, after its last entry.
pub(super) fn add_in_line(text: &str, outer: Span, last_end: usize, new: &str) -> Option<String> {
    let rest = text.get(last_end..outer.end as usize - 1)?;
    let mut after = text.to_owned();
    match rest.find(',') {
        Some(comma) => after.insert_str(last_end + comma + 1, &format!(" {new},")),
        None => after.insert_str(last_end, &format!(", {new}")),
    }
    Some(after)
}
