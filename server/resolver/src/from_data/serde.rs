//! Conversion from serde: from `serde_json::Value`, and from anything that can be serialized.
//!
//! These values are in no file, so problems about them have no location. An object with the single
//! key `$file` is an ordinary object, because only inputs files refer to other files.

use std::error::Error;
use std::fmt;

use ::serde::Serialize;
use serde_json::{Map, Value as Json};

use crate::findings::problem::FileId;
use crate::from_data::parse_value;
use crate::value::{Object, Value, ValueKind};
use promptls_data::Format;
use promptls_data::Span;

/// Numbers follow `serde_json`: in source form with its feature `arbitrary_precision`, else the
/// shortest text of the same double or integer. Objects have the order of the map: source order
/// with the feature `preserve_order`, else sorted.
impl From<Json> for Value {
    fn from(json: Json) -> Value {
        let kind = match json {
            Json::Null => ValueKind::Null,
            Json::Bool(value) => ValueKind::Bool(value),
            Json::Number(number) => ValueKind::Number(number.to_string().into()),
            Json::String(text) => ValueKind::String(text.into()),
            Json::Array(items) => ValueKind::List(items.into_iter().map(Value::from).collect()),
            Json::Object(object) => ValueKind::Object(object.into()),
        };
        kind.into()
    }
}

/// Converts numbers and the order of keys like [`Value`]'s `From<serde_json::Value>`.
impl From<Map<String, Json>> for Object {
    fn from(map: Map<String, Json>) -> Object {
        map.into_iter().collect()
    }
}

impl Object {
    /// The values of anything that serializes to an object: a struct, a map with strings as keys.
    ///
    /// ```
    /// use promptls_resolver::{Dialect, Object, render};
    ///
    /// #[derive(serde::Serialize)]
    /// struct Order {
    ///     number: u32,
    ///     items: Vec<&'static str>,
    /// }
    ///
    /// let order = Order { number: 7, items: vec!["tea", "milk"] };
    /// let values = Object::from_serialize(&order).unwrap();
    /// let text = render(Dialect::Adk, "Order {number}: {items}", &values).unwrap();
    /// assert_eq!(text, "Order 7: [tea, milk]");
    /// ```
    ///
    /// Numbers, and the order of keys, are as `serde_json` writes them. Cost: twice the text that it
    /// writes.
    pub fn from_serialize<T: Serialize + ?Sized>(values: &T) -> Result<Object, NotValues> {
        let text = serde_json::to_string(values).map_err(NotValues::Serialize)?;
        let parsed = parse_value(&text, Format::Json, FileId::default(), "");
        let mut value = match (parsed.value, parsed.problems.into_iter().next()) {
            (Some(value), _) => value,
            (None, Some(problem)) => return Err(NotValues::Parse(problem.message)),
            (None, None) => return Err(NotValues::Kind("nothing")),
        };
        forget_places(&mut value);
        match value.kind {
            ValueKind::Object(object) => Ok(object),
            kind => Err(NotValues::Kind(Value::from(kind).kind_name())),
        }
    }
}

/// Removes ranges, because they refer to a temporary text.
fn forget_places(value: &mut Value) {
    value.span = Span::default();
    match &mut value.kind {
        ValueKind::List(items) => items.iter_mut().for_each(forget_places),
        ValueKind::Object(object) => {
            for entry in object.entries_mut() {
                entry.key_span = Span::default();
                forget_places(&mut entry.value);
            }
        }
        _ => {}
    }
}

/// The reason why a value has no values by name.
#[derive(Debug)]
#[non_exhaustive]
pub enum NotValues {
    /// It cannot be serialized to JSON.
    Serialize(serde_json::Error),
    /// Its JSON cannot be parsed: it is nested too deeply.
    Parse(String),
    /// It is not an object: `an array`, `a string`, ….
    Kind(&'static str),
}

impl fmt::Display for NotValues {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotValues::Serialize(error) => write!(out, "cannot be written as JSON: {error}"),
            NotValues::Parse(reason) => write!(out, "cannot be read as values: {reason}"),
            NotValues::Kind(kind) => write!(out, "values have names; this is {kind}"),
        }
    }
}

impl Error for NotValues {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            NotValues::Serialize(error) => Some(error),
            NotValues::Parse(_) | NotValues::Kind(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, HashMap};

    use serde_json::json;

    use super::*;
    use crate::from_data::parse_value;
    use promptls_data::Format;

    #[test]
    fn values_of_serde_json_keep_their_types() {
        let json = json!({"a": null, "b": [true, 1.5, "x"], "c": {"$file": "notes.md"}});
        let value = Value::from(json.clone());
        assert_eq!(value.to_json(), json.to_string());
        assert!(value.as_object().unwrap().get("c").unwrap().value.as_object().is_some());
    }

    #[test]
    fn serialized_values_keep_the_order_of_their_fields() {
        #[derive(Serialize)]
        struct Fields {
            z: f64,
            a: (i128, Option<u8>),
        }
        let object = Object::from_serialize(&Fields { z: 1.0, a: (-7, None) }).unwrap();
        assert_eq!(Value::from(object).to_json(), r#"{"z":1.0,"a":[-7,null]}"#);
    }

    #[test]
    fn serialized_values_have_no_range() {
        let object = Object::from_serialize(&json!({"a": [{"b": 1}]})).unwrap();
        assert_eq!(Value::from(object), Value::from(json!({"a": [{"b": 1}]})));
        let parsed = parse_value(r#"{"a": 1}"#, Format::Json, FileId(1), "").value.unwrap();
        assert_ne!(parsed, Value::from(json!({"a": 1})));
    }

    #[test]
    fn values_other_than_objects_with_names_are_refused() {
        let refused = |error: Result<Object, NotValues>| error.unwrap_err().to_string();
        let list = Object::from_serialize(&[1]);
        assert_eq!(refused(list), "values have names; this is an array");
        let keys = Object::from_serialize(&HashMap::from([((1, 2), 3)]));
        assert_eq!(refused(keys), "cannot be written as JSON: key must be a string");
        let mut deep = json!(1);
        for _ in 0..1000 {
            deep = json!([deep]);
        }
        let deep = Object::from_serialize(&BTreeMap::from([("a", deep)]));
        assert_eq!(refused(deep), "cannot be read as values: this is nested too deeply");
    }
}
