//! Prompts created from a text and arguments.

use std::sync::Arc;

use promptls_analysis::{PromptText, Settings, Snapshot};
use promptls_resolver::{
    Code, Declarations, Dialect, EngineRef, FileId, Object, Rules, Value, Variable,
};
use promptls_syntax::Tree;
use promptls_workspace::{parse_engine, unknown_version};
use pyo3::exceptions::{PyUserWarning, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::ffi::CString;

use crate::argument::{check_keys, in_python_words, unknown_key};
use crate::meaning::{Meaning, ReadPython};

/// The arguments of a prompt besides its text.
pub struct PromptArguments<'a, 'py> {
    pub dialect: Option<&'a str>,
    pub engine: Option<&'a str>,
    pub agent: Option<String>,
    pub variables: Option<&'a Bound<'py, PyDict>>,
    pub runtime: Vec<String>,
}

/// The allowed keys of `variables`.
const PARTS: [&str; 2] = ["variables", "fragments"];

impl PromptArguments<'_, '_> {
    /// The snapshot of a prompt with these arguments.
    pub fn snapshot(self, py: Python<'_>, text: &str) -> PyResult<Snapshot> {
        let (dialect, engine) = language(py, self.dialect, self.engine)?;
        let dialect = dialect.unwrap_or(Dialect::MOST_USED);
        let declared = self.variables.map(declarations).transpose()?;
        let settings = Settings {
            engines: engine.into_iter().collect(),
            agent: self.agent,
            runtime: Arc::new(self.runtime.into_iter().collect()),
            ..Settings::default()
        };
        let has_variables_file = declared.is_some();
        let (declarations, file_problems) = declared.unwrap_or_default();
        let tree = Tree::parse(settings.engine_of(dialect).grammar(), &PromptText::from(text));
        Ok(Snapshot {
            tree: Arc::new(tree),
            settings: Arc::new(settings),
            declarations: Arc::new(declarations),
            has_variables_file,
            file_problems,
            ..Snapshot::new(dialect, text)
        })
    }
}

/// The dialect and the engine of the arguments; the engine determines the dialect.
pub fn language(
    py: Python<'_>,
    dialect: Option<&str>,
    engine: Option<&str>,
) -> PyResult<(Option<Dialect>, Option<EngineRef>)> {
    let engine = engine.map(parse_engine).transpose().map_err(PyValueError::new_err)?;
    let dialect = dialect.map(parse_dialect).transpose()?;
    let Some(engine) = engine else { return Ok((dialect, None)) };
    if let Some(dialect) = dialect
        && engine.dialect() != dialect
    {
        let (of, is) = (engine.dialect().spec().id, dialect.spec().id);
        let message = format!("`{engine}` is an engine of {of}, but the dialect is {is}");
        return Err(PyValueError::new_err(message));
    }
    if engine.is_unknown_version() {
        warn(py, &unknown_version(engine))?;
    }
    Ok((Some(engine.dialect()), Some(engine)))
}

fn parse_dialect(id: &str) -> PyResult<Dialect> {
    promptls_workspace::parse_dialect(id).map_err(PyValueError::new_err)
}

/// Raises a Python warning at the caller's place.
pub fn warn(py: Python<'_>, message: &str) -> PyResult<()> {
    let message = CString::new(message.replace('\0', "\u{fffd}"))?;
    PyErr::warn(py, &py.get_type::<PyUserWarning>(), &message, 1)
}

/// The declarations of a variables file, and their problems.
fn declarations(
    written: &Bound<'_, PyDict>,
) -> PyResult<(Declarations, Vec<promptls_resolver::Problem>)> {
    check_keys("variables", written, &PARTS)?;
    let written = Meaning::Data.value(written.as_any(), "variables")?;
    let part = |name: &str| Some(&written.as_object()?.get(name)?.value);
    let (declarations, problems) =
        Declarations::from_parts(part("variables"), part("fragments"), FileId(1));
    if let Some(problem) = problems.iter().find(|problem| problem.code == Code::InvalidInputs) {
        let message = in_python_words(&problem.message);
        return Err(PyValueError::new_err(format!("in `variables`: {message}")));
    }
    let items = part("variables").and_then(Value::as_list).unwrap_or_default();
    items.iter().enumerate().try_for_each(|(at, item)| check_variable(at, item))?;
    Ok((declarations, problems))
}

/// Fails if a declaration has an unknown key. In a file, such a key may belong to another tool; here
/// it would only be ignored.
fn check_variable(at: usize, declared: &Value) -> PyResult<()> {
    let Some(variable) = declared.as_object() else { return Ok(()) };
    check_known(&format!("variables[{at}]"), variable, &Variable::KEYS)?;
    let rules = variable.get("validation").and_then(|entry| entry.value.as_object());
    let part = || format!("variables[{at}].validation");
    rules.map_or(Ok(()), |rules| check_known(&part(), rules, &Rules::KEYS))
}

fn check_known(part: &str, object: &Object, known: &[&str]) -> PyResult<()> {
    let unknown = object.entries().iter().find(|entry| !known.contains(&&*entry.key));
    unknown.map_or(Ok(()), |entry| Err(unknown_key(part, &entry.key, known)))
}
