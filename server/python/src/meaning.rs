//! Conversion of Python values for an engine.
//!
//! `str`, `int`, `float`, `bool`, `None`, and `list` and `dict` of these are the types of an inputs
//! file. For all other types, a Python engine sends the result of `str`, as it would without
//! promptls. For the other engines, values are converted by the data that they represent.

use promptls_resolver::{Entry, Object, Span, Value, ValueKind};
pub use promptls_rows::Meaning;
use promptls_rows::{iso_duration, text_of as text_of_bytes};
use pyo3::exceptions::{PyRecursionError, PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{
    PyBool, PyBytes, PyDelta, PyDict, PyDictMethods, PyFloat, PyInt, PyList, PyMapping, PyNone,
    PyString, PyTuple,
};

use crate::argument::type_name;
use crate::fields;

/// The maximum nesting depth of lists and dictionaries.
const MAX_DEPTH: usize = 100;

/// The text of a `str`. The error contains the name.
#[inline]
pub fn text_of<'a>(text: &'a Bound<'_, PyString>, name: &str) -> PyResult<&'a str> {
    text.to_str()
        .map_err(|_| PyValueError::new_err(format!("`{name}` contains an unpaired surrogate")))
}

/// The converted value, or the reason why it has no equivalent in an inputs file.
enum ConvertedValue {
    Value(Value),
    /// A value that only Python can format.
    Foreign,
}

/// Converts a Python value for an engine.
pub trait ReadPython {
    /// The value of a name.
    fn value(self, value: &Bound<'_, PyAny>, name: &str) -> PyResult<Value>;
}

impl ReadPython for Meaning {
    fn value(self, value: &Bound<'_, PyAny>, name: &str) -> PyResult<Value> {
        let reader = ValueConverter { name, is_strict: self == Meaning::Printed };
        let read = match self {
            Meaning::Data => reader.data(value, 0)?,
            Meaning::Printed => reader.plain(value, 0)?,
            Meaning::PrintedAlone => match is_plain(value) {
                true => reader.data(value, 0)?,
                false => ConvertedValue::Foreign,
            },
        };
        match read {
            ConvertedValue::Value(value) => Ok(value),
            ConvertedValue::Foreign if self == Meaning::Data => Err(reader.refused(value)),
            ConvertedValue::Foreign => reader.printed(value),
        }
    }
}

/// Whether the type is exactly one of an inputs file, not a subclass.
fn is_plain(value: &Bound<'_, PyAny>) -> bool {
    value.is_exact_instance_of::<PyString>()
        || value.is_exact_instance_of::<PyBool>()
        || value.is_exact_instance_of::<PyInt>()
        || value.is_exact_instance_of::<PyFloat>()
        || value.is_exact_instance_of::<PyList>()
        || value.is_exact_instance_of::<PyDict>()
        || value.is_none()
        || is_written(value)
}

/// Whether it is a number that keeps its source form.
fn is_written(value: &Bound<'_, PyAny>) -> bool {
    (value.is_instance_of::<PyFloat>() || value.is_instance_of::<PyInt>())
        && value.hasattr(intern!(value.py(), "__promptls_written__")).unwrap_or(false)
}

/// Converts the values of one name.
struct ValueConverter<'n> {
    name: &'n str,
    /// Whether a nested value of another type makes the whole value foreign.
    is_strict: bool,
}

impl ValueConverter<'_> {
    /// Converts values that have the types of an inputs file.
    fn plain(&self, value: &Bound<'_, PyAny>, depth: usize) -> PyResult<ConvertedValue> {
        if depth > MAX_DEPTH {
            // `str` can print a container that contains itself.
            return if self.is_strict { Ok(ConvertedValue::Foreign) } else { Err(self.too_deep()) };
        }
        if let Ok(text) = value.cast_exact::<PyString>() {
            return match text_of(text, self.name) {
                // In a list, `str` prints a lone surrogate as an escape.
                Err(_) if self.is_strict && depth > 0 => Ok(ConvertedValue::Foreign),
                text => Ok(ConvertedValue::Value(text?.into())),
            };
        }
        if let Ok(value) = value.cast_exact::<PyBool>() {
            return Ok(ConvertedValue::Value(value.is_true().into()));
        }
        if value.cast_exact::<PyNone>().is_ok() {
            return Ok(ConvertedValue::Value(ValueKind::Null.into()));
        }
        if value.is_exact_instance_of::<PyInt>() {
            return whole_number(value);
        }
        if let Ok(value) = value.cast_exact::<PyFloat>() {
            return Ok(ConvertedValue::Value(fraction(value.value())));
        }
        if let Ok(list) = value.cast_exact::<PyList>() {
            return self.list(list.iter(), depth);
        }
        if let Ok(dict) = value.cast_exact::<PyDict>() {
            return self.object(dict, depth);
        }
        if is_written(value) {
            let written = value.getattr(intern!(value.py(), "__promptls_written__"))?;
            return Ok(ConvertedValue::Value(number(written.extract()?)));
        }
        Ok(ConvertedValue::Foreign)
    }

    fn inside(&self, value: &Bound<'_, PyAny>, depth: usize) -> PyResult<ConvertedValue> {
        match self.is_strict {
            true => self.plain(value, depth),
            false => self.data(value, depth),
        }
    }

    fn list<'py>(
        &self,
        items: impl Iterator<Item = Bound<'py, PyAny>>,
        depth: usize,
    ) -> PyResult<ConvertedValue> {
        let mut list = Vec::new();
        for item in items {
            match self.inside(&item, depth + 1)? {
                ConvertedValue::Value(value) => list.push(value),
                ConvertedValue::Foreign if self.is_strict => return Ok(ConvertedValue::Foreign),
                ConvertedValue::Foreign => return Err(self.refused(&item)),
            }
        }
        Ok(ConvertedValue::Value(list.into()))
    }

    fn object(&self, dict: &Bound<'_, PyDict>, depth: usize) -> PyResult<ConvertedValue> {
        let mut object = Object::with_capacity(dict.len());
        for (key, value) in dict {
            let key = match key.cast::<PyString>() {
                Ok(key) if !self.is_strict || key.is_exact_instance_of::<PyString>() => key,
                _ if self.is_strict => return Ok(ConvertedValue::Foreign),
                _ => return Err(self.refused_key(&key)),
            };
            let value = match self.inside(&value, depth + 1)? {
                ConvertedValue::Value(value) => value,
                ConvertedValue::Foreign if self.is_strict => return Ok(ConvertedValue::Foreign),
                ConvertedValue::Foreign => return Err(self.refused(&value)),
            };
            let key = match text_of(key, self.name) {
                Err(_) if self.is_strict => return Ok(ConvertedValue::Foreign),
                key => key?.into(),
            };
            object.insert(Entry { key, key_span: Span::default(), value });
        }
        Ok(ConvertedValue::Value(object.into()))
    }

    /// Converts values by the data that they represent.
    fn data(&self, value: &Bound<'_, PyAny>, depth: usize) -> PyResult<ConvertedValue> {
        if let ConvertedValue::Value(value) = self.plain(value, depth)? {
            return Ok(ConvertedValue::Value(value));
        }
        let py = value.py();
        if let Ok(text) = value.cast::<PyString>() {
            return Ok(ConvertedValue::Value(text_of(text, self.name)?.into()));
        }
        if value.is_instance_of::<PyInt>() {
            return whole_number(&value.call_method0(intern!(py, "__index__"))?);
        }
        if let Ok(value) = value.cast::<PyFloat>() {
            return Ok(ConvertedValue::Value(fraction(value.value())));
        }
        if let Some(fields) = fields::fields(value)? {
            return self.object(&fields, depth);
        }
        if let Ok(tuple) = value.cast::<PyTuple>() {
            return self.list(tuple.iter(), depth);
        }
        if let Ok(list) = value.cast::<PyList>() {
            return self.list(list.iter(), depth);
        }
        if let Ok(mapping) = value.cast::<PyMapping>() {
            let dict = PyDict::new(py);
            dict.update(mapping)?;
            return self.object(&dict, depth);
        }
        if let Ok(bytes) = value.cast::<PyBytes>() {
            let text = text_of_bytes(bytes.as_bytes());
            let text =
                text.map_err(|reason| PyValueError::new_err(format!("`{}` {reason}", self.name)));
            return Ok(ConvertedValue::Value(text?.into()));
        }
        if let Ok(span) = value.cast::<PyDelta>() {
            return Ok(ConvertedValue::Value(iso_duration(nanoseconds(span)?).into()));
        }
        if is_decimal(value)? {
            return Ok(ConvertedValue::Value(decimal(&value.str()?.to_cow()?)));
        }
        // Dates and times.
        if value.hasattr(intern!(py, "isoformat"))? {
            let text = value.call_method0(intern!(py, "isoformat"))?;
            return Ok(match text.cast::<PyString>() {
                Ok(text) => ConvertedValue::Value(text_of(text, self.name)?.into()),
                Err(_) => ConvertedValue::Foreign,
            });
        }
        // Scalars and arrays of NumPy, and compatible types.
        if value.hasattr(intern!(py, "dtype"))? && value.hasattr(intern!(py, "tolist"))? {
            let made = value.call_method0(intern!(py, "tolist"))?;
            return self.data(&made, depth + 1);
        }
        Ok(ConvertedValue::Foreign)
    }

    /// The result of Python's `str`; infinite recursion becomes a `ValueError`.
    fn printed(&self, value: &Bound<'_, PyAny>) -> PyResult<Value> {
        let text = value.str().map_err(|error| {
            match error.is_instance_of::<PyRecursionError>(value.py()) {
                true => self.too_deep(),
                false => error,
            }
        })?;
        Ok(text_of(&text, self.name)?.into())
    }

    fn too_deep(&self) -> PyErr {
        PyValueError::new_err(format!("`{}` is nested too deeply, or contains itself", self.name))
    }

    fn refused(&self, value: &Bound<'_, PyAny>) -> PyErr {
        let kind = type_name(value);
        PyTypeError::new_err(format!(
            "argument `{}` has a value of type {kind}; use str, int, float, bool, None, \
             lists, mappings and objects with fields",
            self.name
        ))
    }

    fn refused_key(&self, key: &Bound<'_, PyAny>) -> PyErr {
        let kind = type_name(key);
        PyTypeError::new_err(format!(
            "argument `{}` has a key of type {kind}; keys must be str",
            self.name
        ))
    }
}

fn number(written: String) -> Value {
    ValueKind::Number(written.into()).into()
}

fn whole_number(value: &Bound<'_, PyAny>) -> PyResult<ConvertedValue> {
    let written = match value.extract::<i64>() {
        Ok(small) => small.to_string(),
        // Python refuses to convert integers of thousands of digits.
        Err(_) => value.str()?.to_cow()?.into_owned(),
    };
    Ok(ConvertedValue::Value(number(written)))
}

/// The shortest form that round-trips, as in columns of Arrow.
fn fraction(value: f64) -> Value {
    number(match () {
        // The form of most languages; inputs files do not support these values.
        () if value.is_nan() => "NaN".to_owned(),
        () if value.is_infinite() => if value > 0.0 { "Infinity" } else { "-Infinity" }.to_owned(),
        () => format!("{value:?}"),
    })
}

/// The length of a `timedelta`; that of pandas also has nanoseconds.
fn nanoseconds(span: &Bound<'_, PyDelta>) -> PyResult<i128> {
    let part = |name: &str| -> PyResult<i128> {
        span.getattr_opt(name)?.map_or(Ok(0), |part| part.extract::<i64>().map(i128::from))
    };
    let seconds = part("days")? * 86_400 + part("seconds")?;
    Ok((seconds * 1_000_000 + part("microseconds")?) * 1000 + part("nanoseconds")?)
}

fn is_decimal(value: &Bound<'_, PyAny>) -> PyResult<bool> {
    let kind = value.get_type();
    Ok(kind.name()?.to_cow()? == "Decimal" && kind.module()?.to_cow()? == "decimal")
}

fn decimal(written: &str) -> Value {
    // `sNaN` and the like.
    number(if written.contains("NaN") { "NaN" } else { written }.to_owned())
}
