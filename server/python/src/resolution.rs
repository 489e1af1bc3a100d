//! The result of resolving a prompt in Python: offsets are in characters, as in Python strings.

use promptls_resolver::{Resolution, Run};
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::classes::{RESOLUTION, RUN, engine_error};

/// A text, its map, its problems and its error.
pub fn resolution<'py>(
    py: Python<'py>,
    prompt: &str,
    resolution: Resolution,
    problems: Bound<'py, PyList>,
) -> PyResult<Bound<'py, PyAny>> {
    let Resolution { text, map, error, .. } = resolution;
    let runs = PyList::empty(py);
    let (mut output, mut source) = (Characters::new(&text), Characters::new(prompt));
    for run in &map.runs {
        let Run { output: here, source: there, .. } = run;
        let class = RUN.get(py)?;
        runs.append(class.call1((
            output.before(here.start),
            output.before(here.end),
            run.kind.id(),
            source.before(there.start),
            source.before(there.end),
            run.path.as_deref(),
        ))?)?;
    }
    let error = error.map(|error| engine_error(py, error).into_value(py));
    RESOLUTION.get(py)?.call1((text, error, runs, problems))
}

/// Converts byte offsets of a text into characters; fast for ascending offsets.
struct Characters<'t> {
    text: &'t str,
    byte: usize,
    character: usize,
}

impl<'t> Characters<'t> {
    fn new(text: &'t str) -> Self {
        Characters { text, byte: 0, character: 0 }
    }

    fn before(&mut self, byte: usize) -> usize {
        if byte < self.byte {
            (self.byte, self.character) = (0, 0);
        }
        let between = self.text.get(self.byte..byte).unwrap_or_default();
        self.character += between.chars().count();
        self.byte = byte;
        self.character
    }
}
