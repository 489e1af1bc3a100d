//! Resolves a prompt for the rows of an Arrow table.

use std::sync::Arc;
use std::time::{Duration, Instant};

use arrow_array::cast::AsArray;
use arrow_array::{Array, StructArray};
use arrow_schema::{ArrowError, DataType};
use promptls_resolver::Object;
use promptls_rows::{Columns, NotColumns, Rendered, Rendering, Resolver, RowPrompt, guarded};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use pyo3_arrow::input::AnyArray;

use crate::classes::table_error;
use crate::column::Column;
use crate::columns::Renaming;

/// The interval at which Ctrl-C is checked.
const SIGNALS: Duration = Duration::from_millis(100);

/// Why there are no results.
enum Failed {
    /// An exception of Python, which is raised unchanged.
    Python(PyErr),
    Table(String),
}

impl From<PyErr> for Failed {
    fn from(error: PyErr) -> Failed {
        Failed::Python(error)
    }
}

impl From<ArrowError> for Failed {
    fn from(error: ArrowError) -> Failed {
        Failed::Table(format!("the table cannot be read: {error}"))
    }
}

impl From<NotColumns> for Failed {
    fn from(error: NotColumns) -> Failed {
        Failed::Table(error.to_string())
    }
}

/// A column of texts and one of errors, for all rows of a table, a batch or an array of structs.
pub fn run<'py>(
    py: Python<'py>,
    prompt: &RowPrompt,
    table: &Bound<'py, PyAny>,
    renaming: &Renaming,
    above: &Object,
) -> PyResult<Bound<'py, PyTuple>> {
    let reader = reader(table)?;
    let field = reader.field();
    let DataType::Struct(fields) = field.data_type() else {
        let message = format!(
            "rows are a table, a batch or an array of structs; this is an array of {}",
            field.data_type()
        );
        return Err(PyTypeError::new_err(message));
    };
    let columns: Vec<String> = fields.iter().map(|field| field.name().clone()).collect();
    let names: Vec<&str> = above.entries().iter().map(|entry| &*entry.key).collect();
    let read = renaming.read(py, prompt, &columns, &names)?;
    let resolver = Resolver { prompt, above };
    let rendered = py.detach(|| render(reader, &read, &resolver));
    let Rendered { texts, errors, .. } = rendered.map_err(|failed| match failed {
        Failed::Python(error) => error,
        Failed::Table(message) => table_error(py, &message),
    })?;
    let texts = Column::new("text", Arc::new(texts));
    let errors = Column::new("error", Arc::new(errors));
    (texts, errors).into_pyobject(py)
}

type TableReader = Box<dyn pyo3_arrow::ffi::ArrayReader + Send>;

fn reader(table: &Bound<'_, PyAny>) -> PyResult<TableReader> {
    let has = |method: &str| table.hasattr(method);
    if !has("__arrow_c_stream__")? && !has("__arrow_c_array__")? {
        let kind = table.get_type().name()?;
        let message = format!(
            "a `{kind}` is not an Arrow table: it has neither `__arrow_c_stream__` nor `__arrow_c_array__`"
        );
        return Err(PyTypeError::new_err(message));
    }
    guarded(|| table.extract::<AnyArray>()?.into_reader()).unwrap_or_else(|reason| {
        Err(table_error(table.py(), &format!("the table cannot be read: {reason}")))
    })
}

/// The columns of the next batch that the prompt reads.
fn next(
    reader: &mut TableReader,
    read: &[(String, usize)],
    resolver: &Resolver<'_>,
) -> Option<Result<Columns, Failed>> {
    let batch = match reader.next()? {
        Ok(batch) => batch,
        Err(error) => return Some(Err(error.into())),
    };
    let rows: &StructArray = batch.as_struct();
    let column = |(name, at): &(String, usize)| (name.clone(), rows.column(*at).clone());
    let columns = read.iter().map(column).collect();
    Some(Columns::new(columns, rows.nulls().cloned(), rows.len(), resolver).map_err(Failed::from))
}

fn render(
    mut reader: TableReader,
    read: &[(String, usize)],
    resolver: &Resolver<'_>,
) -> Result<Rendered, Failed> {
    let mut rendering = Rendering::default();
    let mut last_check = Instant::now();
    let mut go_on = || {
        if last_check.elapsed() < SIGNALS {
            return Ok(());
        }
        last_check = Instant::now();
        Python::attach(|py| py.check_signals())
    };
    let mut rows = 0;
    loop {
        let columns = match guarded(|| next(&mut reader, read, resolver)) {
            Ok(None) => break,
            Ok(Some(columns)) => columns,
            Err(reason) => Err(Failed::Table(format!("row {rows} cannot be read: {reason}"))),
        };
        let columns = columns?;
        rows += columns.rows();
        rendering.add(&columns, resolver, &mut go_on)?;
        go_on()?;
    }
    Ok(rendering.finish())
}
