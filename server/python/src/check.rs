//! The problems of a prompt, as reported by `promptls check`.

use std::collections::HashSet;
use std::sync::Arc;

use promptls_analysis::position::{Encoding, positions};
use promptls_analysis::{Case, DEFAULT_MAX_PROBLEMS, SharedWith, Snapshot, diagnose, did_you_mean};
use promptls_resolver::{FileId, Inputs, Location, Object, Problem, Resolution};
use promptls_rows::RowPrompt;
use promptls_workspace::{Scope, Sources};
use pyo3::exceptions::{PyKeyError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use ropey::Rope;

use crate::argument::key;
use crate::classes::{PROBLEM, in_python};
use crate::loaded::Loaded;
use crate::meaning::Meaning;
use crate::partial::Partial;
use crate::values::CallValues;

/// Ids for cases without a file, above the ids of all files.
const FIRST_GIVEN: u32 = u32::MAX / 2;

/// The cases to check, as the caller selects them.
pub enum CaseSelection<'a> {
    /// All cases of the prompt.
    All,
    /// The case with this name.
    Case(&'a str),
    /// Cases given by the caller.
    Given(Vec<Case>),
}

impl<'a> CaseSelection<'a> {
    /// Cases given by the caller; `case` selects one of them.
    pub fn given(
        cases: &Bound<'_, PyDict>,
        case: Option<&str>,
        meaning: Meaning,
        partial: Option<&Partial>,
    ) -> PyResult<CaseSelection<'a>> {
        let mut given: Vec<Case> = Vec::new();
        for (name, values) in cases {
            let name = key("cases", &name)?;
            let values = CallValues::new(Some(&values), None).map_err(|error| {
                let message = format!("the case `{name}`: {}", error.value(cases.py()));
                PyTypeError::new_err(message)
            })?;
            let root: Object = values.above(partial).to_object(meaning)?;
            let file = FileId(FIRST_GIVEN + given.len() as u32);
            let inputs = Arc::new(Inputs { file, root });
            given.push(Case { name: name.into(), inputs, shared: SharedWith::NoOther });
        }
        if let Some(case) = case {
            let known: Vec<&str> = given.iter().map(|case| &*case.name).collect();
            if !known.contains(&case) {
                return Err(unknown_case(case, &known));
            }
            given.retain(|given| &*given.name == case);
        }
        Ok(CaseSelection::Given(given))
    }
}

fn unknown_case(case: &str, known: &[&str]) -> PyErr {
    let hint = did_you_mean(case, known.iter().copied());
    PyKeyError::new_err(match known.is_empty() {
        true => format!("there is no case `{case}`, nor any other"),
        false => format!("there is no case `{case}`, only {}{hint}", known.join(", ")),
    })
}

/// The names of all cases of a prompt in a file, including those that cannot be read.
pub fn case_names(loaded: &Loaded) -> Vec<String> {
    let Loaded { file, index } = loaded;
    let broken = file.broken_cases_of(&file.prompts[*index]).into_iter().map(|(name, _)| name);
    let read = loaded.snapshot().cases.iter().map(|case| &*case.name);
    let mut names: Vec<String> = read.map(str::to_owned).collect();
    for name in broken {
        if !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    }
    names
}

/// The problems of a prompt in a file.
pub fn in_file<'py>(
    py: Python<'py>,
    loaded: &Loaded,
    selection: CaseSelection<'_>,
) -> PyResult<Bound<'py, PyList>> {
    let Loaded { file, index } = loaded;
    let prompt = &file.prompts[*index];
    let (only, given) = match &selection {
        CaseSelection::Case(case) => (Some(case.to_string()), &[][..]),
        CaseSelection::Given(cases) => (None, &cases[..]),
        CaseSelection::All => (None, &[][..]),
    };
    let scope = match &selection {
        CaseSelection::Case(case) => Some(scope_of(loaded, case)?),
        CaseSelection::All => Some(Scope::AllCases),
        CaseSelection::Given(_) => None,
    };
    let found = py.detach(|| match scope {
        Some(scope) => file.problems_of(*index, scope, DEFAULT_MAX_PROBLEMS),
        None => {
            let own = loaded.snapshot().cases.iter().map(|case| case.inputs.file);
            let broken = file.broken_cases().iter().map(|(_, file)| *file);
            let inputs: HashSet<FileId> = own.chain(broken).collect();
            let is_inputs = |file| inputs.contains(&file);
            let snapshot = with_cases(loaded.snapshot(), given, is_inputs);
            let found = diagnose(&snapshot, DEFAULT_MAX_PROBLEMS).into_iter();
            found.filter_map(|problem| file.in_file(prompt, problem)).collect()
        }
    });
    let sources = loaded.sources()?;
    let places = Places { known: PlaceSource::Files(&sources), given, only: only.as_deref() };
    let cases = &loaded.snapshot().cases;
    problems(py, &found, &places, cases)
}

fn scope_of(loaded: &Loaded, case: &str) -> PyResult<Scope> {
    let Loaded { file, index } = loaded;
    if let Some(at) = loaded.snapshot().case_named(case) {
        return Ok(Scope::OneCase(Some(at)));
    }
    let mut broken = file.broken_cases_of(&file.prompts[*index]).into_iter();
    match broken.find(|(name, _)| *name == case) {
        Some((_, file)) => Ok(Scope::BrokenCase(file)),
        None => {
            let known = case_names(loaded);
            Err(unknown_case(case, &known.iter().map(String::as_str).collect::<Vec<&str>>()))
        }
    }
}

/// The problems of a prompt without a file.
pub fn alone<'py>(
    py: Python<'py>,
    row: &RowPrompt,
    name: &str,
    selection: CaseSelection<'_>,
) -> PyResult<Bound<'py, PyList>> {
    let given = match selection {
        CaseSelection::Given(cases) => cases,
        CaseSelection::Case(case) => return Err(unknown_case(case, &[])),
        CaseSelection::All => Vec::new(),
    };
    let snapshot = with_cases(row.snapshot(), &given, |_| false);
    let found = py.detach(|| diagnose(&snapshot, DEFAULT_MAX_PROBLEMS));
    let text = Rope::from_str(row.text());
    let places = Places { known: PlaceSource::Text(name, &text), given: &given, only: None };
    problems(py, &found, &places, &[])
}

/// The problems of a prompt in a resolved case.
pub fn of_resolved<'py>(
    py: Python<'py>,
    row: &RowPrompt,
    resolved: &Resolution,
    name: &str,
) -> PyResult<Bound<'py, PyList>> {
    let text = Rope::from_str(row.text());
    let places = Places { known: PlaceSource::Text(name, &text), given: &[], only: None };
    problems(py, &resolved.problems, &places, &[])
}

/// The same prompt with other cases, without the problems of its own inputs files.
fn with_cases(snapshot: &Snapshot, cases: &[Case], is_inputs: impl Fn(FileId) -> bool) -> Snapshot {
    let mut snapshot = Snapshot { cases: cases.to_vec(), ..snapshot.clone() };
    snapshot.file_problems.retain(|problem| !is_inputs(problem.location.file));
    snapshot
}

/// Maps the byte ranges of problems to files, lines and columns.
struct Places<'a> {
    known: PlaceSource<'a>,
    given: &'a [Case],
    /// The name of the only checked case; `None` for all cases.
    only: Option<&'a str>,
}

enum PlaceSource<'a> {
    Files(&'a Sources),
    /// A text without a file, and its displayed name.
    Text(&'a str, &'a Rope),
}

/// A place as it is displayed; line and column start at 1.
struct DisplayLocation<'a> {
    file: &'a str,
    line: usize,
    column: usize,
    start: usize,
    end: usize,
    case: Option<&'a str>,
}

impl Places<'_> {
    fn of<'p>(&'p self, location: &Location, cases: &'p [Case]) -> DisplayLocation<'p> {
        let nowhere =
            |file| DisplayLocation { file, line: 1, column: 1, start: 0, end: 0, case: None };
        if location.file.0 >= FIRST_GIVEN {
            let case = self.given.get((location.file.0 - FIRST_GIVEN) as usize);
            let case = case.map(|case| &*case.name);
            return DisplayLocation { case, ..nowhere("<values>") };
        }
        let (file, text) = match self.known {
            PlaceSource::Files(sources) => {
                (sources.name(location.file), sources.text(location.file))
            }
            PlaceSource::Text(name, text) if location.file == FileId::PROMPT => (name, Some(text)),
            PlaceSource::Text(..) => ("<variables>", None),
        };
        let case = cases.iter().find(|case| case.inputs.file == location.file);
        let case = self.only.or(case.map(|case| &*case.name));
        let Some(text) = text else { return DisplayLocation { case, ..nowhere(file) } };
        let start = positions(text, &location.range, Encoding::Utf32).start;
        let character = |byte: usize| text.byte_to_char(byte.min(text.len_bytes()));
        DisplayLocation {
            file,
            line: start.line + 1,
            column: start.column + 1,
            start: character(location.range.start),
            end: character(location.range.end),
            case,
        }
    }
}

fn problems<'py>(
    py: Python<'py>,
    found: &[Problem],
    places: &Places<'_>,
    cases: &[Case],
) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    for problem in found {
        let DisplayLocation { file, line, column, start, end, case } =
            places.of(&problem.location, cases);
        list.append(PROBLEM.get(py)?.call1((
            problem.code.id(),
            problem.severity.to_string(),
            in_python(&problem.message),
            &problem.names,
            file,
            line,
            column,
            start,
            end,
            case,
        ))?)?;
    }
    Ok(list)
}
