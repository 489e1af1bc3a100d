//! Names and values of Python objects that serve as dictionaries.

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMapping, PyTuple, PyType};

/// The values of a mapping by name; `None` for other objects.
///
/// Mappings are those of `collections.abc`, objects of classes with fields, and objects that
/// `dict()` accepts because they have `keys`: a `Series` of pandas, a row of SQLite.
pub fn mapping<'py>(value: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyDict>>> {
    let py = value.py();
    if let Ok(dict) = value.cast::<PyDict>() {
        return Ok(Some(dict.clone()));
    }
    if let Some(fields) = fields(value)? {
        return Ok(Some(fields));
    }
    // `Series.to_dict` converts NumPy values into Python values.
    if value.hasattr(intern!(py, "to_dict"))? && value.hasattr(intern!(py, "keys"))? {
        return dict(&value.call_method0(intern!(py, "to_dict"))?).map(Some);
    }
    let is_mapping = value.cast::<PyMapping>().is_ok() || value.hasattr(intern!(py, "keys"))?;
    is_mapping.then(|| dict(value)).transpose()
}

fn dict<'py>(mapping: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyDict>> {
    let made = mapping.py().get_type::<PyDict>().call1((mapping,))?;
    Ok(made.cast_into::<PyDict>()?)
}

/// The fields of an object whose class declares them: a named tuple, a dataclass, a pydantic model,
/// an attrs class. `None` for all other objects, and for such classes themselves.
pub fn fields<'py>(value: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyDict>>> {
    let (py, class) = (value.py(), value.get_type());
    if value.is_instance_of::<PyType>() {
        return Ok(None);
    }
    let method = |name| -> PyResult<_> { dict(&value.call_method0(name)?).map(Some) };
    if value.is_instance_of::<PyTuple>() {
        let is_named = class.hasattr(intern!(py, "_asdict"))?;
        return if is_named { method(intern!(py, "_asdict")) } else { Ok(None) };
    }
    if class.hasattr(intern!(py, "__dataclass_fields__"))? {
        // Not `asdict`, which copies all nested values.
        let fields = py.import("dataclasses")?.call_method1("fields", (value,))?;
        return attributes(value, &fields).map(Some);
    }
    if class.hasattr(intern!(py, "model_dump"))? {
        return method(intern!(py, "model_dump"));
    }
    if class.hasattr(intern!(py, "__attrs_attrs__"))? {
        return attributes(value, &class.getattr(intern!(py, "__attrs_attrs__"))?).map(Some);
    }
    Ok(None)
}

/// The attributes of an object that are named by its fields.
fn attributes<'py>(
    object: &Bound<'py, PyAny>,
    fields: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyDict>> {
    let (py, found) = (object.py(), PyDict::new(object.py()));
    for field in fields.try_iter()? {
        let name = field?.getattr(intern!(py, "name"))?;
        found.set_item(&name, object.getattr(name.cast()?)?)?;
    }
    Ok(found)
}
