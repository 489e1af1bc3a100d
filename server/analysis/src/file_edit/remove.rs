//! Removes entries and items.

use promptls_data::edit_json;
use promptls_resolver::Format;

use super::value_location::ValueLocation;
use super::yaml;

/// Removes the entry or item that starts at an offset. The caller must verify that nothing else
/// changes.
pub(super) fn removed(
    text: &str,
    format: Format,
    at: usize,
    found: Option<ValueLocation<'_>>,
) -> Option<String> {
    match (format, found) {
        (_, Some(found)) if found.is_in_line(text) => Some(found.remove_in_line(text)),
        (Format::Json, _) => edit_json::remove(text, at),
        (Format::Yaml, found) => yaml::remove(text, &found?),
        (Format::Toml, _) => None,
    }
}
