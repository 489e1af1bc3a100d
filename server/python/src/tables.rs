//! The words that arguments and results may be, for the types of Python (`promptls/literals.py`).

use promptls_analysis::Role;
use promptls_resolver::{Code, ENGINES, ErrorKind, RunKind, Severity, VariableType};
use promptls_syntax::Dialect;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Each set of words, by the name of its type.
#[pyfunction]
#[pyo3(name = "_literals")]
pub fn literals(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let ids = |ids: &[&str]| ids.iter().map(|id| (*id).to_owned()).collect::<Vec<String>>();
    let all = PyDict::new(py);
    all.set_item("Dialect", ids(&Dialect::ALL.map(|dialect| dialect.spec().id)))?;
    all.set_item("Engine", ENGINES.iter().map(|profile| profile.id).collect::<Vec<&str>>())?;
    all.set_item("ErrorKind", ids(&ErrorKind::ALL.map(ErrorKind::id)))?;
    all.set_item("ProblemCode", Code::ALL.iter().map(|code| code.id()).collect::<Vec<&str>>())?;
    all.set_item("Role", ids(&Role::ALL.map(Role::id)))?;
    all.set_item("RunKind", ids(&RunKind::ALL.map(RunKind::id)))?;
    all.set_item("Severity", ids(&Severity::ALL.map(Severity::id)))?;
    all.set_item("VariableType", ids(&VariableType::ALL.map(VariableType::id)))?;
    Ok(all)
}
