//! Edits inputs and variables files. Everything else remains unchanged: comments, order,
//! indentation, trailing commas, line endings.
//!
//! JSON is edited by the `jsonc-parser` crate, except for objects on one line, which it would split
//! into several lines. YAML is edited in `yaml.rs`. Both are parsed again afterwards, and an edit
//! that would change any other value fails: no edit is better than a wrong one.

mod add;
mod at_once;
mod change;
mod in_toml;
mod json;
mod keys;
mod line;
mod nest;
mod read;
mod remove;
mod set;
mod value_location;
mod yaml;

use promptls_resolver::Format;
use serde_json::Value as Json;

use add::{append, insert};
pub use change::FileEdit;
use keys::{entry, written_key};
use read::{as_json, read};
use remove::removed;
use value_location::find;

/// Applies edits to a file. All of them refer to its present text. `None` if the file cannot be
/// parsed, or an edit cannot be applied without changing other values.
///
/// Cost: the file, a few times for all entries that are removed or renamed, and for each other
/// edit. In TOML, it is the file for each edit.
///
/// ```
/// use promptls_analysis::{FileEdit, edit_file};
/// use promptls_resolver::Format;
///
/// let text = "user:\n  name: 'Ada' # for now\n";
/// let path = vec!["user".to_owned(), "name".to_owned()];
/// let edit = FileEdit::Set { path, value: "\"Grace\"".to_owned() };
/// let edited = edit_file(text, Format::Yaml, &[edit]).unwrap();
/// assert_eq!(edited, "user:\n  name: 'Grace' # for now\n");
/// ```
pub fn edit_file(text: &str, format: Format, edits: &[FileEdit]) -> Option<String> {
    if edits.len() > 1
        && format != Format::Toml
        && let Some((text, rest)) = at_once::edited(text, format, edits)
    {
        return one_by_one(text, format, &rest);
    }
    one_by_one(text.to_owned(), format, edits)
}

fn one_by_one(text: String, format: Format, edits: &[FileEdit]) -> Option<String> {
    // From the end to the start, so that the other offsets remain valid.
    let mut sorted: Vec<&FileEdit> = edits.iter().collect();
    let place = |edit: &FileEdit| at_once::place(edit).map_or(0, |at| at + 1);
    sorted.sort_by_key(|edit| std::cmp::Reverse(place(edit)));
    sorted.into_iter().try_fold(text, |text, edit| edit_once(&text, format, edit))
}

fn edit_once(text: &str, format: Format, edit: &FileEdit) -> Option<String> {
    if format == Format::Toml {
        return in_toml::edited(text, edit);
    }
    let (after, expected) = match edit {
        FileEdit::Replace { text } => return Some(text.clone()),
        FileEdit::Insert { path, value } => {
            let root = read(text, format)?;
            let value: Json = serde_json::from_str(value).ok()?;
            let mut expected = as_json(&root)?;
            *entry(&mut expected, path)? = value.clone();
            (insert(text, format, &root, path, value)?, expected)
        }
        FileEdit::Append { path, value } => {
            let root = read(text, format)?;
            let value: Json = serde_json::from_str(value).ok()?;
            let mut expected = as_json(&root)?;
            let list = entry(&mut expected, path)?;
            if list.is_null() {
                *list = Json::Array(Vec::new());
            }
            list.as_array_mut()?.push(value.clone());
            (append(text, format, &root, path, value)?, expected)
        }
        FileEdit::Remove { at } => return remove(text, format, *at),
        FileEdit::Nest { at, path } => return nest::nest(text, format, *at, path),
        FileEdit::Set { path, value } => return set::set(text, format, path, value),
        FileEdit::Unset { path } => return set::unset(text, format, path),
        FileEdit::Rename { key, name } => {
            let written = written_key(format, name);
            let mut after = text.to_owned();
            after.replace_range(key.clone(), &written);
            read(&after, format)?;
            return Some(after);
        }
    };
    (as_json(&read(&after, format)?)? == expected).then_some(after)
}

fn remove(text: &str, format: Format, at: usize) -> Option<String> {
    let root = read(text, format)?;
    let mut expected = as_json(&root)?;
    let found = find(&root, at);
    if let Some(found) = &found {
        found.take_from(&mut expected)?;
    }
    let after = removed(text, format, at, found)?;
    (as_json(&read(&after, format)?)? == expected).then_some(after)
}

#[cfg(test)]
mod tests;
