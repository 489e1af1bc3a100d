//! Edits of any inputs file.

use bolero::{ValueGenerator, produce};
use promptls_analysis::{FileEdit, edit_file};
use promptls_fuzz::EXECUTIONS;
use promptls_resolver::{FileId, Format, Value, is_same, parse_value};
use serde_json::Value as Json;

use crate::texts::{json, yaml};

/// Keys in the texts, and others.
const KEYS: [&str; 8] = ["a", "b", "name", "user", "0", "two words", "", "é: #"];

/// The values to write, as JSON.
const VALUES: [&str; 10] = [
    "\"x\"",
    "\"two\\nlines\\n\"",
    "\" : # \"",
    "1.50",
    "null",
    "[]",
    "{}",
    "[1, \"b\"]",
    "{\"a\": {\"b\": [null]}}",
    "\"\"",
];

fn value_of(text: &str, format: Format) -> Option<Json> {
    let value = parse_value(text, format, FileId(1), "nothing").value?;
    serde_json::from_str(&value.to_json()).ok()
}

fn at<'j>(mut value: &'j Json, path: &[String]) -> Option<&'j Json> {
    for key in path {
        value = match value {
            Json::Array(items) => items.get(key.parse::<usize>().ok()?)?,
            _ => value.get(key)?,
        };
    }
    Some(value)
}

/// A successful edit has its effect: a set value is present, a removed one is missing.
fn edits_have_their_effect(text: &str, format: Format, path: &[String], value: &str) {
    let set = FileEdit::Set { path: path.to_vec(), value: value.to_owned() };
    if let Some(after) = edit_file(text, format, &[set]) {
        let root = value_of(&after, format).expect("it can be read");
        let expected: Json = serde_json::from_str(value).expect("it is JSON");
        let found = at(&root, path).expect("it is there");
        // A number with an equal value keeps its source form.
        let is_set = is_same(&Value::from(found.clone()), &Value::from(expected));
        assert!(is_set, "{path:?} is not {value}:\n{after}");
        // Repeating the edit changes nothing.
        let set = FileEdit::Set { path: path.to_vec(), value: value.to_owned() };
        assert_eq!(edit_file(&after, format, &[set]).as_ref(), Some(&after));
    }
    let unset = FileEdit::Unset { path: path.to_vec() };
    if let Some(after) = edit_file(text, format, &[unset]).filter(|after| after != text) {
        let root = value_of(&after, format).expect("it can be read");
        let before = value_of(text, format).expect("it could be read");
        let is_item = at(&before, &path[..path.len() - 1]).is_some_and(Json::is_array);
        assert!(is_item || at(&root, path).is_none(), "{after}");
    }
    let insert = FileEdit::Insert { path: path.to_vec(), value: value.to_owned() };
    if let Some(after) = edit_file(text, format, &[insert]) {
        assert!(value_of(&after, format).is_some(), "{after}");
    }
}

fn any_path() -> impl ValueGenerator<Output = Vec<String>> {
    let keys = produce::<Vec<usize>>().with().values(0..KEYS.len()).len(1..4usize);
    keys.map_gen(|keys| keys.into_iter().map(|key| KEYS[key].to_owned()).collect())
}

fn any_value() -> impl ValueGenerator<Output = &'static str> {
    (0..VALUES.len()).map_gen(|value| VALUES[value])
}

#[test]
fn json_edits() {
    bolero::check!()
        .with_iterations(EXECUTIONS)
        .with_generator((json().text(), any_path(), any_value()))
        .for_each(|(text, path, value)| edits_have_their_effect(text, Format::Json, path, value));
}

#[test]
fn yaml_edits() {
    bolero::check!()
        .with_iterations(EXECUTIONS)
        .with_generator((yaml().text(), any_path(), any_value()))
        .for_each(|(text, path, value)| edits_have_their_effect(text, Format::Yaml, path, value));
}
