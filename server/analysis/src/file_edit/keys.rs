//! Keys: how formats write them, and what is at a path of them.

use promptls_data::edit_toml;
use promptls_resolver::Format;
use serde_json::{Map, Value as Json};

use super::yaml;

/// A key as a format writes it.
pub(super) fn written_key(format: Format, key: &str) -> String {
    match format {
        Format::Json => Json::from(key).to_string(),
        Format::Yaml => yaml::key(key),
        Format::Toml => edit_toml::key(key),
    }
}

/// The place of a path in a value, which is made if it is missing; `None` if something that is no
/// object is in its way, or is there already.
pub(super) fn entry<'j>(root: &'j mut Json, path: &[String]) -> Option<&'j mut Json> {
    path.iter().try_fold(root, |here, key| {
        if here.is_null() {
            *here = Json::Object(Map::new());
        }
        Some(here.as_object_mut()?.entry(key).or_insert(Json::Null))
    })
}
