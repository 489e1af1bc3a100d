//! `promptls.Prompt`.

use std::path::PathBuf;
use std::sync::Arc;

use promptls_analysis::{chat, inputs_schema, used_names};
use promptls_rows::RowPrompt;
use promptls_workspace::PromptFile;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyTuple, PyType};

use crate::argument::{max_output, runtime};
use crate::cases::cases_of;
use crate::check::{self, CaseSelection};
use crate::classes::{VARIABLE, engine_error};
use crate::column::shortened;
use crate::columns::Renaming;
use crate::compiled::CompiledPrompt;
use crate::loaded::Loaded;
use crate::partial::Partial;
use crate::prompt_arguments::PromptArguments;
use crate::render_arrow;
use crate::resolution::resolution;
use crate::to_python::value;
use crate::values::{CallValues, PythonValues};

/// The size from which prompts are resolved without the GIL: then copying the values and releasing
/// the GIL cost little compared with the work.
const LARGE: usize = 64 * 1024;

/// A prompt of an LLM, resolved as its engine does, byte for byte.
///
/// `engine` is the engine that sends it, as `adk-python@2.13`; it determines the dialect. Without
/// an engine, `dialect` is resolved as documented: `adk` (the default), `agentle`, `agentensemble`,
/// `promptpack`, `entaingine` or `langfuse`. `agent` is the name of the agent, for error messages
/// that contain it. `variables` is the content of a variables file, with the keys `variables` and
/// `fragments`. `runtime` lists names that only the running application provides. A text of more
/// than `max_output` bytes is an error; the default limit is 16 MB.
///
/// A prompt is immutable. It can be pickled with its text and all arguments, and a process compiles
/// it once.
///
///     >>> import promptls
///     >>> prompt = promptls.Prompt("Dear {name},", engine="adk-python@2.13")
///     >>> prompt.render(name="Ada")
///     'Dear Ada,'
///     >>> promptls.Prompt("Dear {name},", engine="adk-pyhton")
///     Traceback (most recent call last):
///         ...
///     ValueError: unknown engine `adk-pyhton`; known: adk-python, ...; did you mean `adk-python`?
#[pyclass(frozen, module = "promptls", weakref)]
pub struct Prompt {
    compiled: Arc<CompiledPrompt>,
    name: Option<String>,
    loaded: Option<Arc<Loaded>>,
    partial: Option<Arc<Partial>>,
}

impl Prompt {
    /// A prompt without a file.
    pub fn alone(
        compiled: Arc<CompiledPrompt>,
        name: Option<String>,
        partial: Option<Partial>,
    ) -> Prompt {
        Prompt { compiled, name, loaded: None, partial: partial.map(Arc::new) }
    }

    /// The values of a call, which override its own.
    fn given<'a, 'py>(
        &'a self,
        mapping: Option<&Bound<'py, PyAny>>,
        values: Option<&'a Bound<'py, PyDict>>,
    ) -> PyResult<CallValues<'a, 'py>> {
        Ok(CallValues::new(mapping, values)?.above(self.partial.as_deref()))
    }

    /// Whether it already has a value for a name.
    fn has(&self, name: &str) -> bool {
        self.partial.as_ref().is_some_and(|partial| partial.has(name))
    }

    fn row(&self) -> &RowPrompt {
        &self.compiled.prompt
    }
}

#[pymethods]
impl Prompt {
    #[new]
    #[pyo3(signature = (
        text, dialect=None, engine=None, agent=None, variables=None, runtime=Vec::new(), *, max_output=None
    ), text_signature = "(text, dialect=None, engine=None, agent=None, variables=None, runtime=(), *, max_output=None)")]
    #[expect(clippy::too_many_arguments, reason = "they are the arguments that Python has")]
    fn new(
        py: Python<'_>,
        text: &Bound<'_, PyString>,
        dialect: Option<&str>,
        engine: Option<&str>,
        agent: Option<String>,
        variables: Option<&Bound<'_, PyDict>>,
        #[pyo3(from_py_with = runtime)] runtime: Vec<String>,
        #[pyo3(from_py_with = max_output)] max_output: Option<usize>,
    ) -> PyResult<Prompt> {
        let text = crate::meaning::text_of(text, "text")?;
        let snapshot =
            PromptArguments { dialect, engine, agent, variables, runtime }.snapshot(py, text)?;
        let row = py.detach(|| limited(RowPrompt::of(&snapshot), max_output));
        Ok(Prompt::alone(Arc::new(CompiledPrompt::new(py, row)), None, None))
    }

    /// The prompt at a path, with its cases and declarations, as the program opens it. A file with
    /// several prompts requires a name, after `#` or in `prompt`; a chat, that of one message.
    /// Settings of `promptls.toml` apply; `dialect` and `engine` override them. `max_output` limits
    /// the size of a text, in bytes.
    ///
    /// Raises `FileNotFoundError`, or `LoadError` with the program's message.
    ///
    ///     >>> prompt = promptls.Prompt.load("letters.py#greeting")
    ///     >>> prompt.name, prompt.engine
    ///     ('letters.py#greeting', 'adk-python')
    ///     >>> promptls.Prompt.load("letters.py#greting")
    ///     Traceback (most recent call last):
    ///         ...
    ///     promptls.LoadError: letters.py has no prompt `greting`, only greeting, farewell; ...
    #[classmethod]
    #[pyo3(signature = (path, prompt=None, *, dialect=None, engine=None, max_output=None))]
    #[expect(clippy::too_many_arguments, reason = "keywords of a Python method")]
    fn load(
        _class: &Bound<'_, PyType>,
        py: Python<'_>,
        path: PathBuf,
        prompt: Option<String>,
        dialect: Option<&str>,
        engine: Option<&str>,
        #[pyo3(from_py_with = max_output)] max_output: Option<usize>,
    ) -> PyResult<Prompt> {
        let loaded = Loaded::open(py, path, prompt, dialect, engine, PromptFile::choose_text)?;
        let row = py.detach(|| limited(RowPrompt::of(loaded.snapshot()), max_output));
        let name = Some(loaded.name());
        let compiled = Arc::new(CompiledPrompt::new(py, row));
        Ok(Prompt { compiled, name, loaded: Some(Arc::new(loaded)), partial: None })
    }

    /// The text that the engine sends. Values are keywords, a mapping, or both; keywords override
    /// the mapping. A mapping may also be an object with fields (a dataclass, a named tuple, a
    /// pydantic model) or a pandas `Series`: `df.apply(prompt.render, axis=1)`.
    ///
    /// With `strict=True`, a value that the prompt does not use raises `UnusedValues`. A value
    /// named `strict` must be passed in a mapping.
    ///
    /// Values are converted as in the engine's own language. For engines in Python, a value that is
    /// no `str`, `int`, `float`, `bool`, `None`, `list` or `dict` becomes `str(value)`. For other
    /// engines, a tuple becomes a list, and an object with fields a mapping. A date is formatted as
    /// ISO 8601, a decimal is a number in its source form, and NumPy scalars become Python scalars.
    /// Unsupported types raise `TypeError`.
    ///
    /// Raises `MissingVariables`, `ValidationError`, or else `EngineError`, with the engine's own
    /// message.
    ///
    /// The GIL is held meanwhile, unless the prompt has 64 KB or more: releasing and reacquiring it
    /// costs more than a short text.
    ///
    ///     >>> prompt = promptls.Prompt("{greeting} {name}!", engine="adk-python@2.13")
    ///     >>> prompt.render({"greeting": "Dear", "name": "Ada"}, name=["Ada", 1.0, True, None])
    ///     "Dear ['Ada', 1.0, True, None]!"
    ///     >>> prompt.render(name="Ada")
    ///     Traceback (most recent call last):
    ///         ...
    ///     promptls.MissingVariables: Context variable not found: `greeting` in agent '?'.
    #[pyo3(signature = (mapping=None, /, *, strict=false, **values))]
    fn render<'py>(
        &self,
        py: Python<'py>,
        mapping: Option<&Bound<'py, PyAny>>,
        strict: bool,
        values: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyString>> {
        self.rendered(py, mapping, strict, values).map(|text| PyString::new(py, &text))
    }

    /// The messages of the text that the engine sends, each a dictionary with `role` and `content`.
    /// The text is split at its roles, as with `promptls resolve --format messages`. The arguments
    /// are those of `render`.
    ///
    ///     >>> prompt = promptls.Prompt("Be brief.\n\nUser:\nWhat is {thing}?", "adk")
    ///     >>> prompt.messages(thing="tea")
    ///     [{'role': 'system', 'content': 'Be brief.'}, {'role': 'user', 'content': 'What is tea?'}]
    #[pyo3(signature = (mapping=None, /, *, strict=false, **values))]
    fn messages<'py>(
        &self,
        py: Python<'py>,
        mapping: Option<&Bound<'py, PyAny>>,
        strict: bool,
        values: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyList>> {
        let text = self.rendered(py, mapping, strict, values)?;
        let messages = PyList::empty(py);
        let row = self.row();
        let snapshot = row.snapshot();
        for (role, content) in chat(snapshot.dialect(), snapshot.role(), &text) {
            let message = PyDict::new(py);
            message.set_item("role", role.id())?;
            message.set_item("content", content)?;
            messages.append(message)?;
        }
        Ok(messages)
    }

    /// The same prompt with some preset values, which apply where a call provides none (and in
    /// `render_arrow` override those of every row). They are read at once. `variables` and
    /// `inputs_schema()` no longer contain their names. `check()` of the cases in files is that of
    /// the whole prompt.
    ///
    ///     >>> prompt = promptls.Prompt("{greeting} {name}!", "adk").partial(greeting="Dear")
    ///     >>> prompt.render(name="Ada")
    ///     'Dear Ada!'
    #[pyo3(signature = (mapping=None, /, **values))]
    fn partial<'py>(
        &self,
        py: Python<'py>,
        mapping: Option<&Bound<'py, PyAny>>,
        values: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Prompt> {
        let all = PyDict::new(py);
        if let Some(before) = &self.partial {
            all.update(before.given().bind(py).as_mapping())?;
        }
        CallValues::new(mapping, values)?.copy_to(&all)?;
        let partial = Partial::new(&all, self.compiled.meaning, self.row().hash())?;
        Ok(Prompt {
            compiled: self.compiled.clone(),
            name: self.name.clone(),
            loaded: self.loaded.clone(),
            partial: Some(Arc::new(partial)),
        })
    }

    /// A JSON Schema of the values that it needs, as a dictionary. A name without a declared type
    /// accepts all types, because engines can print all of them. `promptls vars` converts it into a
    /// `TypedDict` or a pydantic model.
    ///
    ///     >>> schema = promptls.Prompt("Dear {name}, {place?}", "adk").inputs_schema()
    ///     >>> schema["properties"], schema["required"]
    ///     ({'name': {}, 'place': {}}, ['name'])
    fn inputs_schema<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let schema = inputs_schema(self.row().snapshot(), |name| self.has(name));
        py.import("json")?.call_method1("loads", (schema.to_string(),))
    }

    /// The result of resolving it, even if the engine would fail: a `Resolution`. It has the text,
    /// the engine's error, the origin of each piece of the text, and the problems.
    ///
    ///     >>> resolution = promptls.Prompt("Dear {name}, {more}", "adk").resolve(name="Ada")
    ///     >>> resolution.text
    ///     'Dear Ada, {more}'
    ///     >>> [(run.kind, resolution.text[run.start:run.end]) for run in resolution.map][:3]
    ///     [('literal', 'Dear '), ('value', 'Ada'), ('literal', ', ')]
    ///     >>> resolution.problems[0].message
    ///     '`more` has no value'
    #[pyo3(signature = (mapping=None, /, **values))]
    fn resolve<'py>(
        &self,
        py: Python<'py>,
        mapping: Option<&Bound<'py, PyAny>>,
        values: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let values = self.given(mapping, values)?.to_object(self.compiled.meaning)?;
        let resolved = py.detach(|| self.row().resolve(&values));
        let found = check::of_resolved(py, self.row(), &resolved, self.file_name())?;
        resolution(py, self.row().text(), resolved, found)
    }

    /// The problems of the prompt, as reported by `promptls check`: a list of `Problem`.
    ///
    /// `cases` are mappings of values by name; the default is the cases of the file that it was
    /// loaded from. `case` limits the check to one of them.
    ///
    ///     >>> prompt = promptls.Prompt("Dear {customer},", "adk")
    ///     >>> [str(problem) for problem in prompt.check({"angry": {"custmer": "Ada"}})]
    ///     ['<prompt>:1:7: error[undefined-placeholder] `customer` has no value; did you mean `custmer`?']
    #[pyo3(signature = (cases=None, *, case=None))]
    fn check<'py>(
        &self,
        py: Python<'py>,
        cases: Option<&Bound<'py, PyDict>>,
        case: Option<&str>,
    ) -> PyResult<Bound<'py, PyList>> {
        let selection = match (cases, case) {
            (Some(cases), case) => {
                CaseSelection::given(cases, case, self.compiled.meaning, self.partial.as_deref())?
            }
            (None, Some(case)) => CaseSelection::Case(case),
            (None, None) => CaseSelection::All,
        };
        match &self.loaded {
            Some(loaded) => check::in_file(py, loaded, selection),
            None => check::alone(py, self.row(), self.file_name(), selection),
        }
    }

    /// The texts of all rows of a table, and the errors of rows without a text: two `Column`, of
    /// which one is null in each row.
    ///
    /// A table is any Arrow-compatible table, such as of pyarrow, Polars, pandas, DuckDB or
    /// DataFusion: a batch, a stream of batches, or an array of structs. Texts are read without a
    /// copy. `column_map` gives the column for a name if they differ (`{"name": "customer_name"}`).
    /// Keywords are values that override those of every row.
    ///
    /// Raises `MissingColumns` before the first row if a required name has no column. Unused
    /// columns cause a warning. It uses all cores, and releases the GIL.
    ///
    ///     >>> import pyarrow
    ///     >>> table = pyarrow.table({"name": ["Ada", "Grace"]})
    ///     >>> texts, errors = promptls.Prompt("Dear {name},", "adk").render_arrow(table)
    ///     >>> pyarrow.array(texts).to_pylist()
    ///     ['Dear Ada,', 'Dear Grace,']
    #[pyo3(signature = (table, column_map=None, **above))]
    fn render_arrow<'py>(
        &self,
        py: Python<'py>,
        table: &Bound<'py, PyAny>,
        column_map: Option<&Bound<'py, PyDict>>,
        above: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let above = self.given(None, above)?.to_object(self.compiled.meaning)?;
        render_arrow::run(py, self.row(), table, &Renaming::new(column_map)?, &above)
    }

    /// The columns of a table that it reads, by the names of the prompt.
    #[pyo3(
        name = "_columns",
        signature = (names, column_map=None, above=Vec::new()),
        text_signature = "($self, names, column_map=None, above=())"
    )]
    fn columns<'py>(
        &self,
        py: Python<'py>,
        names: Vec<String>,
        column_map: Option<&Bound<'py, PyDict>>,
        mut above: Vec<String>,
    ) -> PyResult<Bound<'py, PyDict>> {
        above.extend(self.partial_names());
        Renaming::new(column_map)?.read_columns(py, self.row(), names, &above)
    }

    /// The names that may be columns of a table, in the order in which the prompt reads them.
    #[getter(_names)]
    fn names(&self) -> Vec<String> {
        let names = self.row().needs().in_order().iter();
        names.filter(|name| !self.has(name)).cloned().collect()
    }

    /// The text, with its placeholders.
    #[getter]
    fn text(&self) -> &str {
        self.row().text()
    }

    /// The dialect of the prompt: `adk`, and so on.
    #[getter]
    fn dialect(&self) -> &'static str {
        self.row().snapshot().dialect().spec().id
    }

    /// The engine that it is resolved for, as `adk-python@2.13`; `None` for the documented
    /// behaviour of the dialect.
    #[getter]
    fn engine(&self) -> Option<String> {
        self.row().snapshot().engine_name()
    }

    /// The SHA-256 of its text and all settings; equal for equal prompts.
    #[getter]
    fn hash(&self) -> &str {
        self.partial.as_ref().map_or_else(|| self.row().hash(), |partial| partial.hash())
    }

    /// Its name: the file, and the name in it after `#`; `None` for a prompt without a file.
    #[getter]
    fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The values of its cases, by name, for a prompt that was loaded from a file.
    #[getter]
    fn cases<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        match &self.loaded {
            Some(loaded) => cases_of(py, loaded),
            None => Ok(PyDict::new(py)),
        }
    }

    /// The names of all cases, including those that cannot be read.
    #[getter(_case_names)]
    fn case_names(&self) -> Vec<String> {
        self.loaded.as_ref().map(|loaded| check::case_names(loaded)).unwrap_or_default()
    }

    /// The top-level names that it uses, itself or through fragments, and those that it declares,
    /// sorted: a list of `Variable`. The same as in `promptls vars`.
    #[getter]
    fn variables<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let variables = PyList::empty(py);
        let used = used_names(self.row().snapshot()).into_iter();
        for used in used.filter(|used| !self.has(&used.name)) {
            let declared = used.declared;
            let keywords = PyDict::new(py);
            keywords.set_item("name", used.name)?;
            keywords.set_item("required", used.is_required)?;
            let kind = declared.and_then(|it| it.declared_type);
            keywords.set_item("type", kind.map(|kind| kind.id()))?;
            keywords.set_item("description", declared.and_then(|it| it.description.as_deref()))?;
            let default = declared.and_then(|it| it.default.as_ref());
            keywords.set_item("has_default", default.is_some())?;
            let default = default.map(|default| value(py, default));
            keywords.set_item("default", default.transpose()?)?;
            variables.append(VARIABLE.get(py)?.call((), Some(&keywords))?)?;
        }
        Ok(variables)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let again = py.import("promptls._promptls")?.getattr("_from_json")?;
        let partial = self.partial.as_ref().map(|partial| partial.given().bind(py));
        let arguments = (self.row().to_json(), self.row().hash(), self.name.as_deref(), partial);
        (again, arguments).into_pyobject(py)
    }

    /// A prompt is immutable, so a copy is the same object.
    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Prompt>().is_ok_and(|other| other.get().hash() == self.hash())
    }

    fn __hash__(&self) -> u64 {
        // The hash is a hexadecimal number; its first 16 digits fit into a `u64`.
        self.hash().get(..16).and_then(|half| u64::from_str_radix(half, 16).ok()).unwrap_or(0)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        if let Some(name) = &self.name {
            return Ok(format!("<promptls.Prompt {name}>"));
        }
        let text = shortened(py, self.row().text())?;
        let language = self.engine().map(|engine| format!("engine='{engine}'"));
        let language = language.unwrap_or_else(|| format!("dialect='{}'", self.dialect()));
        Ok(format!("promptls.Prompt({text}, {language})"))
    }
}

/// A prompt with another limit for the size of a text in bytes, if one is given.
fn limited(prompt: RowPrompt, max_output: Option<usize>) -> RowPrompt {
    match max_output {
        Some(max_output) => prompt.with_max_output(max_output),
        None => prompt,
    }
}

impl Prompt {
    /// The file name in problems.
    fn file_name(&self) -> &str {
        self.name.as_deref().unwrap_or("<prompt>")
    }

    fn partial_names(&self) -> impl Iterator<Item = String> {
        let values = self.partial.iter().flat_map(|partial| partial.values().entries());
        values.map(|entry| entry.key.to_string())
    }

    fn rendered<'py>(
        &self,
        py: Python<'py>,
        mapping: Option<&Bound<'py, PyAny>>,
        strict: bool,
        values: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<String> {
        let CompiledPrompt { prompt, names, meaning } = &*self.compiled;
        let given = self.given(mapping, values)?;
        if strict {
            given.check_is_used(py, prompt)?;
        }
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
        rendered.map_err(|error| engine_error(py, error))
    }
}
