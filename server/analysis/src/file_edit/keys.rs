//! The syntax of keys in each format, and the value at a path of keys.

use promptls_data::{edit_toml, yaml_form};
use promptls_resolver::Format;
use serde_json::{Map, Value as Json};

/// The source form of a key in a format.
pub(super) fn written_key(format: Format, key: &str) -> String {
    match format {
        Format::Json => Json::from(key).to_string(),
        Format::Yaml => yaml_form::key(key),
        Format::Toml => edit_toml::key(key),
    }
}

/// The value at a path. Missing objects are created, and a missing value is `null`. `None` if a
/// value on the path is not an object.
pub(super) fn entry<'j>(root: &'j mut Json, path: &[String]) -> Option<&'j mut Json> {
    path.iter().try_fold(root, |here, key| {
        if here.is_null() {
            *here = Json::Object(Map::new());
        }
        Some(here.as_object_mut()?.entry(key).or_insert(Json::Null))
    })
}
