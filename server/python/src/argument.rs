//! Errors about arguments, in Python terms.

use promptls_analysis::did_you_mean;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Python's type names for those of JSON.
const TYPES: [(&str, &str); 5] = [
    ("an array", "a list"),
    ("an object", "a dict"),
    ("a string", "a str"),
    ("a boolean", "a bool"),
    ("is null", "is None"),
];

/// Converts a message about JSON data into one about Python values.
pub fn in_python_words(message: &str) -> String {
    TYPES.iter().fold(message.to_owned(), |text, (json, python)| text.replace(json, python))
}

/// The type name of a value.
pub fn type_name(value: &Bound<'_, PyAny>) -> String {
    value.get_type().name().map_or_else(|_| "object".to_owned(), |name| name.to_string())
}

/// Fails if an argument has unknown keys.
pub fn check_keys(argument: &str, given: &Bound<'_, PyDict>, known: &[&str]) -> PyResult<()> {
    for key in given.keys() {
        let key: String = key.extract().map_err(|_| {
            let kind = type_name(&key);
            PyTypeError::new_err(format!("keys of `{argument}` must be str, not {kind}"))
        })?;
        if !known.contains(&&*key) {
            return Err(unknown_key(argument, &key, known));
        }
    }
    Ok(())
}

/// The error about a key that does not exist in a part of an argument.
pub fn unknown_key(part: &str, key: &str, known: &[&str]) -> PyErr {
    let hint = did_you_mean(key, known.iter().copied());
    let known = known.join(", ");
    PyValueError::new_err(format!("unknown key `{key}` in `{part}`; known: {known}{hint}"))
}
