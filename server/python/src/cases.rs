//! The cases of prompts, as mappings of names and values.

use std::path::PathBuf;

use promptls_workspace::PromptFile;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::loaded::Loaded;
use crate::to_python::object;

/// The values of the cases of the prompt at a path, by name. They are those of its inputs files,
/// which are in its folder or configured in `promptls.toml`.
///
///     >>> promptls.load_cases("support.adk.prompt")["angry"]
///     {'customer': 'Grace'}
#[pyfunction]
#[pyo3(signature = (path, prompt=None))]
pub fn load_cases(
    py: Python<'_>,
    path: PathBuf,
    prompt: Option<String>,
) -> PyResult<Bound<'_, PyDict>> {
    cases_of(py, &Loaded::open(py, path, prompt, None, None, PromptFile::choose)?)
}

/// The cases of an open prompt.
pub fn cases_of<'py>(py: Python<'py>, loaded: &Loaded) -> PyResult<Bound<'py, PyDict>> {
    let cases = PyDict::new(py);
    for case in &loaded.snapshot().cases {
        cases.set_item(&*case.name, object(py, &case.inputs.root)?)?;
    }
    Ok(cases)
}
