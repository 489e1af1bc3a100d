//! Short excerpts of texts and values on one line, for completions.

use promptls_resolver::Value;

/// The maximum number of members, items or outputs that are listed.
pub(crate) const MAX_LISTED: usize = 1000;

/// A value on one line: a text unchanged, any other value as JSON.
pub(crate) fn of_value(value: &Value) -> String {
    of_text(&value.as_text().map_or_else(|| value.to_json(), str::to_owned))
}

/// One line of at most forty characters.
pub(crate) fn of_text(text: &str) -> String {
    const SHOWN: usize = 40;
    let line: String =
        text.chars().take(SHOWN + 1).map(|c| if c.is_control() { ' ' } else { c }).collect();
    match line.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line,
    }
}
