//! A column of results, for whoever takes Arrow.

use arrow_array::ArrayRef;
use arrow_array::cast::AsArray;
use arrow_array::{Array, LargeStringArray, StringArray};
use arrow_schema::{DataType, Field, FieldRef};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyIterator, PyList, PyTuple};
use pyo3_arrow::ffi::{to_array_pycapsules, to_schema_pycapsule};

/// Texts, some of them null, as an array of Arrow: whatever takes `__arrow_c_array__` takes it
/// without a copy. It is also a sequence of `str` and `None`.
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
        Ok(to_array_pycapsules(py, self.field.clone(), &self.array, requested_schema)?)
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        Ok(to_schema_pycapsule(py, &*self.field)?)
    }

    fn __len__(&self) -> usize {
        self.array.len()
    }

    fn __getitem__(&self, at: isize) -> PyResult<Option<&str>> {
        let len = self.array.len();
        let from_start = if at < 0 { at.checked_add_unsigned(len) } else { Some(at) };
        match from_start.and_then(|at| usize::try_from(at).ok()).filter(|at| *at < len) {
            Some(at) => Ok(self.text(at)),
            None => Err(PyIndexError::new_err("there are not so many rows")),
        }
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.to_pylist(py)?.try_iter()
    }

    /// How many rows are `None`.
    #[getter]
    fn null_count(&self) -> usize {
        self.array.null_count()
    }

    /// All of them as a list of `str` and `None`.
    fn to_pylist<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, (0..self.array.len()).map(|at| self.text(at)))
    }

    fn __repr__(&self) -> String {
        let (name, len) = (self.field.name(), self.array.len());
        format!("<promptls.Column {name}: {len} rows, {} of them null>", self.null_count())
    }
}
