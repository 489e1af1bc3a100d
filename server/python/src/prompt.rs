//! `promptls.Prompt`.

use std::path::PathBuf;
use std::sync::Arc;

use promptls_rows::RowPrompt;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyTuple, PyType};

use crate::alone::Said;
use crate::cases::cases_of;
use crate::check::{self, Asked};
use crate::classes::{VARIABLE, engine_error};
use crate::columns::Renaming;
use crate::compiled::Compiled;
use crate::loaded::Loaded;
use crate::render_arrow;
use crate::resolution::resolution;
use crate::to_python::value;
use crate::values::{Given, PythonValues};

/// Prompts from this size on are filled in while other threads of Python run: then the copy of the
/// values, and handing over, are little beside the work.
const LARGE: usize = 64 * 1024;

/// A prompt of an LLM, filled in as its engine does, byte for byte.
///
/// See `promptls/_promptls.pyi`, which has what it says of itself.
#[pyclass(frozen, module = "promptls", weakref)]
pub struct Prompt {
    compiled: Arc<Compiled>,
    name: Option<String>,
    loaded: Option<Arc<Loaded>>,
}

impl Prompt {
    /// A prompt that is in no file.
    pub fn alone(compiled: Arc<Compiled>, name: Option<String>) -> Prompt {
        Prompt { compiled, name, loaded: None }
    }

    fn row(&self) -> &RowPrompt {
        &self.compiled.prompt
    }
}

#[pymethods]
impl Prompt {
    #[new]
    #[pyo3(signature = (text, dialect=None, engine=None, agent=None, variables=None, runtime=Vec::new()))]
    fn new(
        py: Python<'_>,
        text: &Bound<'_, PyString>,
        dialect: Option<&str>,
        engine: Option<&str>,
        agent: Option<String>,
        variables: Option<&Bound<'_, PyDict>>,
        runtime: Vec<String>,
    ) -> PyResult<Prompt> {
        let text = crate::meaning::text_of(text, "text")?;
        let snapshot = Said { dialect, engine, agent, variables, runtime }.snapshot(py, text)?;
        let row = py.detach(|| RowPrompt::of(&snapshot));
        Ok(Prompt::alone(Arc::new(Compiled::new(py, row)), None))
    }

    #[classmethod]
    #[pyo3(signature = (path, prompt=None, *, dialect=None, engine=None))]
    fn load(
        _class: &Bound<'_, PyType>,
        py: Python<'_>,
        path: PathBuf,
        prompt: Option<String>,
        dialect: Option<&str>,
        engine: Option<&str>,
    ) -> PyResult<Prompt> {
        let loaded = Loaded::open(py, path, prompt, dialect, engine)?;
        let row = py.detach(|| RowPrompt::of(loaded.snapshot()));
        let name = Some(loaded.name());
        Ok(Prompt {
            compiled: Arc::new(Compiled::new(py, row)),
            name,
            loaded: Some(Arc::new(loaded)),
        })
    }

    #[pyo3(signature = (mapping=None, /, **values))]
    fn render<'py>(
        &self,
        py: Python<'py>,
        mapping: Option<&Bound<'py, PyAny>>,
        values: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyString>> {
        let Compiled { prompt, names, meaning } = &*self.compiled;
        let given = Given::new(mapping, values)?;
        let rendered = if prompt.text().len() < LARGE {
            let values = PythonValues::new(py, names, &given, *meaning)?;
            let rendered = prompt.render(&values);
            if let Some(error) = values.into_failure() {
                return Err(error);
            }
            rendered
        } else {
            let values = given.to_object(*meaning)?;
            py.detach(|| prompt.render(&values))
        };
        match rendered {
            Ok(text) => Ok(PyString::new(py, &text)),
            Err(error) => Err(engine_error(py, error)),
        }
    }

    #[pyo3(signature = (mapping=None, /, **values))]
    fn resolve<'py>(
        &self,
        py: Python<'py>,
        mapping: Option<&Bound<'py, PyAny>>,
        values: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let values = Given::new(mapping, values)?.to_object(self.compiled.meaning)?;
        let resolved = py.detach(|| self.row().resolve(&values));
        let found = check::of_resolved(py, self.row(), &resolved, self.file_name())?;
        resolution(py, self.row().text(), resolved, found)
    }

    #[pyo3(signature = (cases=None, *, case=None))]
    fn check<'py>(
        &self,
        py: Python<'py>,
        cases: Option<&Bound<'py, PyDict>>,
        case: Option<&str>,
    ) -> PyResult<Bound<'py, PyList>> {
        let asked = match (cases, case) {
            (Some(cases), case) => Asked::given(cases, case, self.compiled.meaning)?,
            (None, Some(case)) => Asked::Case(case),
            (None, None) => Asked::All,
        };
        match &self.loaded {
            Some(loaded) => check::in_file(py, loaded, asked),
            None => check::alone(py, self.row(), self.file_name(), asked),
        }
    }

    #[pyo3(signature = (table, column_map=None, **above))]
    fn render_arrow<'py>(
        &self,
        py: Python<'py>,
        table: &Bound<'py, PyAny>,
        column_map: Option<&Bound<'py, PyDict>>,
        above: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let above = Given::new(None, above)?.to_object(self.compiled.meaning)?;
        render_arrow::run(py, self.row(), table, &Renaming::new(column_map)?, &above)
    }

    /// The columns of a table that it reads, by the names that it has for them.
    #[pyo3(name = "_columns", signature = (names, column_map=None, above=Vec::new()))]
    fn columns<'py>(
        &self,
        py: Python<'py>,
        names: Vec<String>,
        column_map: Option<&Bound<'py, PyDict>>,
        above: Vec<String>,
    ) -> PyResult<Bound<'py, PyDict>> {
        Renaming::new(column_map)?.read_columns(py, self.row(), names, &above)
    }

    /// The names that may be columns of a table, in the order in which the prompt reads them.
    #[getter(_names)]
    fn names(&self) -> Vec<String> {
        self.row().needs().in_order().to_vec()
    }

    #[getter]
    fn text(&self) -> &str {
        self.row().text()
    }

    #[getter]
    fn dialect(&self) -> &'static str {
        self.row().snapshot().dialect().spec().id
    }

    #[getter]
    fn engine(&self) -> Option<String> {
        self.row().snapshot().engine_name()
    }

    #[getter]
    fn hash(&self) -> &str {
        self.row().hash()
    }

    #[getter]
    fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    #[getter]
    fn cases<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        match &self.loaded {
            Some(loaded) => cases_of(py, loaded),
            None => Ok(PyDict::new(py)),
        }
    }

    /// The names of all cases, of those that cannot be read, too.
    #[getter(_case_names)]
    fn case_names(&self) -> Vec<String> {
        self.loaded.as_ref().map(|loaded| check::case_names(loaded)).unwrap_or_default()
    }

    #[getter]
    fn variables<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let variables = PyList::empty(py);
        for declared in &self.row().snapshot().declarations.variables {
            let keywords = PyDict::new(py);
            keywords.set_item("name", &*declared.name)?;
            keywords.set_item("required", declared.required)?;
            keywords.set_item("type", declared.declared_type.map(|kind| kind.id()))?;
            keywords.set_item("description", declared.description.as_deref())?;
            keywords.set_item("has_default", declared.default.is_some())?;
            let default = declared.default.as_ref().map(|default| value(py, default));
            keywords.set_item("default", default.transpose()?)?;
            variables.append(VARIABLE.get(py)?.call((), Some(&keywords))?)?;
        }
        Ok(variables)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let again = py.import("promptls._promptls")?.getattr("_from_json")?;
        let arguments = (self.row().to_json(), self.row().hash(), self.name.as_deref());
        (again, arguments).into_pyobject(py)
    }

    /// It does not change, so a copy is itself.
    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Prompt>().is_ok_and(|other| other.get().row().hash() == self.row().hash())
    }

    fn __hash__(&self) -> u64 {
        // It is a number in hexadecimal, of which the first half of a half is one of ours.
        self.row().hash().get(..16).and_then(|half| u64::from_str_radix(half, 16).ok()).unwrap_or(0)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        if let Some(name) = &self.name {
            return Ok(format!("<promptls.Prompt {name}>"));
        }
        let start: String = self.row().text().chars().take(40).collect();
        let rest = if start.len() < self.row().text().len() { "..." } else { "" };
        let text = PyString::new(py, &format!("{start}{rest}")).repr()?;
        let language = self.engine().map(|engine| format!("engine='{engine}'"));
        let language = language.unwrap_or_else(|| format!("dialect='{}'", self.dialect()));
        Ok(format!("promptls.Prompt({text}, {language})"))
    }
}

impl Prompt {
    /// What its text is called in problems.
    fn file_name(&self) -> &str {
        self.name.as_deref().unwrap_or("<prompt>")
    }
}
