//! Python classes of results and errors, which are defined in `promptls/_internal/`.

use promptls_resolver::{EngineError, ErrorKind, LIMIT_OPTION};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

/// A Python class, looked up at its first use.
pub struct Class {
    module: &'static str,
    name: &'static str,
    found: PyOnceLock<Py<PyType>>,
}

macro_rules! classes {
    ($module:literal: $($constant:ident $name:literal),* $(,)?) => {
        $(pub static $constant: Class =
            Class { module: $module, name: $name, found: PyOnceLock::new() };)*
    };
}

classes!("promptls._internal.errors":
    ENGINE_ERROR "EngineError",
    MISSING_VARIABLES "MissingVariables",
    VALIDATION_ERROR "ValidationError",
    LOAD_ERROR "LoadError",
    MISSING_COLUMNS "MissingColumns",
    UNUSED_VALUES "UnusedValues",
    TABLE_ERROR "TableError",
);
classes!("promptls._internal.results":
    RESOLUTION "Resolution",
    RUN "Run",
    PROBLEM "Problem",
    VARIABLE "Variable",
);
classes!("promptls._internal.numbers":
    WRITTEN_INT "WrittenInt",
    WRITTEN_FLOAT "WrittenFloat",
);

impl Class {
    /// The Python class, imported on first use.
    pub fn get<'py>(&self, py: Python<'py>) -> PyResult<&Bound<'py, PyType>> {
        self.found.import(py, self.module, self.name)
    }

    /// An exception of this class; if its creation fails, the exception of that failure.
    fn exception(
        &self,
        py: Python<'_>,
        arguments: impl for<'py> pyo3::call::PyCallArgs<'py>,
    ) -> PyErr {
        match self.get(py).and_then(|class| class.call1(arguments)) {
            Ok(exception) => PyErr::from_value(exception),
            Err(error) => error,
        }
    }
}

/// The Python exception for an engine error.
pub fn engine_error(py: Python<'_>, error: EngineError) -> PyErr {
    let class = match error.kind {
        ErrorKind::Missing => &MISSING_VARIABLES,
        ErrorKind::Type | ErrorKind::Validation => &VALIDATION_ERROR,
        ErrorKind::Limit | ErrorKind::Unresolved | ErrorKind::Declaration | ErrorKind::Engine => {
            &ENGINE_ERROR
        }
    };
    class.exception(py, (in_python(&error.message), error.kind.id(), error.names))
}

/// Replaces options of the command line in a message by the corresponding Python arguments.
pub fn in_python(message: &str) -> String {
    message.replace(LIMIT_OPTION, "max_output=")
}

/// The exception for a prompt that cannot be opened.
pub fn load_error(py: Python<'_>, message: &str) -> PyErr {
    LOAD_ERROR.exception(py, (message,))
}

/// The exception for a table without required columns.
pub fn missing_columns(py: Python<'_>, message: &str, names: Vec<String>) -> PyErr {
    MISSING_COLUMNS.exception(py, (message, names))
}

/// The exception for values that a prompt does not use.
pub fn unused_values(py: Python<'_>, message: &str, names: Vec<String>) -> PyErr {
    UNUSED_VALUES.exception(py, (message, names))
}

/// The exception for a table whose data cannot be read.
pub fn table_error(py: Python<'_>, message: &str) -> PyErr {
    TABLE_ERROR.exception(py, (message,))
}
