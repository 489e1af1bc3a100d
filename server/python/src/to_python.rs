//! Converts values of inputs files into Python values.

use promptls_resolver::{Object, Value, ValueKind};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString};

use crate::classes::{WRITTEN_FLOAT, WRITTEN_INT};

/// A value. A number that Python would format differently keeps its source form, so that resolving
/// it through Python gives the same text.
pub fn value<'py>(py: Python<'py>, from: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match &from.kind {
        ValueKind::Null => py.None().into_bound(py),
        ValueKind::Bool(value) => PyBool::new(py, *value).to_owned().into_any(),
        ValueKind::Number(written) => number(py, written)?,
        ValueKind::String(_) | ValueKind::File(_) => {
            PyString::new(py, from.as_text().unwrap_or_default()).into_any()
        }
        ValueKind::List(items) => {
            let list = PyList::empty(py);
            for item in items {
                list.append(value(py, item)?)?;
            }
            list.into_any()
        }
        ValueKind::Object(inside) => object(py, inside)?.into_any(),
    })
}

/// Converts values to a dictionary by name, in their order.
pub fn object<'py>(py: Python<'py>, from: &Object) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for entry in from.entries() {
        dict.set_item(&*entry.key, value(py, &entry.value)?)?;
    }
    Ok(dict)
}

fn number<'py>(py: Python<'py>, written: &str) -> PyResult<Bound<'py, PyAny>> {
    if let Ok(whole) = written.parse::<i64>()
        && whole.to_string() == written
    {
        return Ok(PyInt::new(py, whole).into_any());
    }
    if let Ok(fraction) = written.parse::<f64>()
        && written == format!("{fraction:?}")
    {
        return Ok(PyFloat::new(py, fraction).into_any());
    }
    let is_fraction = written.contains(['.', 'e', 'E']) && !written.starts_with("0x");
    let class = if is_fraction { &WRITTEN_FLOAT } else { &WRITTEN_INT };
    class.get(py)?.call1((written,))
}
