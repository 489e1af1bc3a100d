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

/// The names of the argument `runtime`.
pub fn runtime(given: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    given.extract().map_err(|_| must_be("runtime", "a list of str", given))
}

/// The value of the argument `max_output`, in bytes.
pub fn max_output(given: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
    given.extract().map_err(|error: PyErr| match error.is_instance_of::<PyTypeError>(given.py()) {
        true => must_be("max_output", "an int", given),
        false => PyValueError::new_err(format!("`max_output` is out of range: {given}")),
    })
}

/// The text of a key of an argument.
pub fn key(argument: &str, key: &Bound<'_, PyAny>) -> PyResult<String> {
    key.extract().map_err(|_| {
        let kind = type_name(key);
        PyTypeError::new_err(format!("keys of `{argument}` must be str, not {kind}"))
    })
}

/// The error about an argument of another type than `kind`.
pub fn must_be(argument: &str, kind: &str, given: &Bound<'_, PyAny>) -> PyErr {
    PyTypeError::new_err(format!("`{argument}` must be {kind}, not {}", type_name(given)))
}

/// Fails if an argument has unknown keys.
pub fn check_keys(argument: &str, given: &Bound<'_, PyDict>, known: &[&str]) -> PyResult<()> {
    for key in given.keys() {
        let key = self::key(argument, &key)?;
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
