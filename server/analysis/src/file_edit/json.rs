//! Edits of JSON values that keep their lines.

use serde_json::Value as Json;

use super::line::one_line;
use super::value_location::Spot;

/// Replaces a value. The new one has several lines if the old one or its parent has.
pub(super) fn replace(text: &str, spot: &Spot<'_>, value: &Json) -> String {
    let old = spot.value.span.range();
    let is_container =
        |value: &promptls_resolver::Value| value.as_list().is_some() || value.as_object().is_some();
    let model = if is_container(spot.value) { spot.value } else { spot.outer };
    let is_in_lines = text[model.span.range()].contains('\n');
    let new = if is_in_lines { in_lines(text, old.start, value) } else { one_line(value) };
    let mut after = text.to_owned();
    after.replace_range(old, &new);
    after
}

/// JSON on several lines, with the indentation of the file at an offset.
fn in_lines(text: &str, at: usize, value: &Json) -> String {
    let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let indentation = |line: &str| line[..line.len() - line.trim_start().len()].to_owned();
    let line = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let outer = indentation(&text[line..at]);
    let indented = text.lines().map(indentation).find(|blanks| !blanks.is_empty());
    let step = indented.unwrap_or_else(|| "  ".to_owned());
    let pretty = format!("{value:#}");
    let mut lines = pretty.split('\n');
    let mut written = lines.next().unwrap_or_default().to_owned();
    for line in lines {
        let body = line.trim_start_matches(' ');
        // The serializer indents by two spaces for each level.
        let levels = (line.len() - body.len()) / 2;
        written.push_str(&format!("{newline}{outer}{}{body}", step.repeat(levels)));
    }
    written
}
