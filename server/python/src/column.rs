//! A column of results, for Arrow consumers.

use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_array::cast::AsArray;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema};
use arrow_array::{Array, LargeStringArray, StringArray, StringViewArray};
use arrow_schema::{ArrowError, DataType, Field, FieldRef};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyIndexError, PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::slice::PySliceIndices;
use pyo3::types::{PyCapsule, PyIterator, PyList, PySlice, PyString, PyTuple};
use pyo3_arrow::PyField;

use crate::argument::type_name;

/// The maximum number of rows in a `repr`.
const SHOWN_ROWS: usize = 5;
/// The maximum number of characters of a text in a `repr`.
const SHOWN_CHARACTERS: usize = 40;

/// An Arrow array of nullable texts: libraries that accept `__arrow_c_array__` read it without a
/// copy. It is also a sequence of `str` and `None`.
#[pyclass(frozen, sequence, module = "promptls")]
pub struct Column {
    array: ArrayRef,
    field: FieldRef,
}

impl Column {
    pub fn new(name: &str, array: ArrayRef) -> Column {
        let field = Field::new(name, array.data_type().clone(), true).into();
        Column { array, field }
    }

    /// The rows of a slice. A slice without steps shares the data.
    fn sliced(&self, slice: &Bound<'_, PySlice>) -> PyResult<Column> {
        let PySliceIndices { start, step, slicelength, .. } =
            slice.indices(isize::try_from(self.array.len())?)?;
        let array: ArrayRef = match step {
            1 => self.array.slice(start.unsigned_abs(), slicelength),
            _ => {
                let at = (0..slicelength).map(|row| start + step * row as isize);
                let texts = at.map(|at| self.text(at.unsigned_abs()));
                Arc::new(texts.collect::<LargeStringArray>())
            }
        };
        Ok(Column::new(self.field.name(), array))
    }

    fn texts(&self) -> impl Iterator<Item = Option<&str>> {
        (0..self.array.len()).map(|at| self.text(at))
    }

    /// The texts as the requested type, if that is a text type with enough capacity.
    ///
    /// The caller casts to other types: `cast` of Arrow would add its code for all types to the
    /// library.
    fn as_type(&self, requested: &DataType) -> ArrayRef {
        let is_short = || self.texts().flatten().map(str::len).sum::<usize>() <= i32::MAX as usize;
        match requested {
            requested if requested == self.array.data_type() => self.array.clone(),
            DataType::Utf8 if is_short() => Arc::new(self.texts().collect::<StringArray>()),
            DataType::LargeUtf8 => Arc::new(self.texts().collect::<LargeStringArray>()),
            DataType::Utf8View => Arc::new(self.texts().collect::<StringViewArray>()),
            _ => self.array.clone(),
        }
    }

    fn text(&self, at: usize) -> Option<&str> {
        let array = &self.array;
        match array.data_type() {
            _ if array.is_null(at) => None,
            DataType::LargeUtf8 => {
                array.as_any().downcast_ref::<LargeStringArray>().map(|array| array.value(at))
            }
            _ => array.as_string_opt::<i32>().map(|array: &StringArray| array.value(at)),
        }
    }
}

#[pymethods]
impl Column {
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let array = match requested_schema {
            Some(schema) => {
                self.as_type(PyField::from_arrow_pycapsule(&schema)?.as_ref().data_type())
            }
            None => self.array.clone(),
        };
        let field = self.field.as_ref().clone().with_data_type(array.data_type().clone());
        let array = FFI_ArrowArray::new(&array.to_data());
        let array = PyCapsule::new_with_value(py, array, c"arrow_array")?;
        PyTuple::new(py, [schema_capsule(py, &field)?, array])
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema_capsule(py, &self.field)
    }

    fn __len__(&self) -> usize {
        self.array.len()
    }

    /// A text or `None`; for a slice, a column with these rows.
    fn __getitem__<'py>(&self, at: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = at.py();
        if let Ok(slice) = at.cast::<PySlice>() {
            return Ok(Bound::new(py, self.sliced(slice)?)?.into_any());
        }
        let len = self.array.len();
        let at: isize = at.extract().map_err(|error: PyErr| {
            if error.is_instance_of::<PyOverflowError>(py) {
                return PyIndexError::new_err("Column index out of range");
            }
            let kind = type_name(at);
            PyTypeError::new_err(format!("Column indices must be integers or slices, not {kind}"))
        })?;
        let from_start = if at < 0 { at.checked_add_unsigned(len) } else { Some(at) };
        match from_start.and_then(|at| usize::try_from(at).ok()).filter(|at| *at < len) {
            Some(at) => self.text(at).into_bound_py_any(py),
            None => Err(PyIndexError::new_err("Column index out of range")),
        }
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.to_pylist(py)?.try_iter()
    }

    /// The number of rows that are `None`.
    #[getter]
    fn null_count(&self) -> usize {
        self.array.null_count()
    }

    /// The rows as a list of `str` and `None`.
    fn to_pylist<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.texts().collect::<Vec<_>>())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let (name, len) = (self.field.name(), self.array.len());
        let mut shown = Vec::new();
        for at in (0..len).take(SHOWN_ROWS) {
            shown.push(match self.text(at) {
                Some(text) => shortened(py, text)?,
                None => "None".to_owned(),
            });
        }
        if len > SHOWN_ROWS {
            shown.push("...".to_owned());
        }
        let (rows, nulls) = (if len == 1 { "row" } else { "rows" }, self.null_count());
        Ok(format!("<promptls.Column {name}: {len} {rows}, {nulls} null: [{}]>", shown.join(", ")))
    }
}

fn schema_capsule<'py>(py: Python<'py>, field: &Field) -> PyResult<Bound<'py, PyCapsule>> {
    let schema = FFI_ArrowSchema::try_from(field);
    let schema = schema.map_err(|error: ArrowError| PyTypeError::new_err(error.to_string()))?;
    PyCapsule::new_with_value(py, schema, c"arrow_schema")
}

/// The start of a text as a Python literal.
pub fn shortened(py: Python<'_>, text: &str) -> PyResult<String> {
    let start: String = text.chars().take(SHOWN_CHARACTERS).collect();
    let rest = if start.len() < text.len() { "..." } else { "" };
    Ok(PyString::new(py, &format!("{start}{rest}")).repr()?.to_string())
}
