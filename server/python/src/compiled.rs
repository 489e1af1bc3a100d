//! Compiled prompts, cached in the process.

use std::sync::{Arc, Mutex, PoisonError};

use promptls_rows::RowPrompt;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::classes::load_error;
use crate::meaning::Meaning;
use crate::names::PythonNames;
use crate::partial::Partial;
use crate::prompt::Prompt;

/// The maximum number of cached prompts from other processes: a worker uses few at a time.
const KEPT: usize = 64;

/// A compiled prompt, with the data to read its values from Python.
pub struct CompiledPrompt {
    pub prompt: RowPrompt,
    pub names: PythonNames,
    pub meaning: Meaning,
}

impl CompiledPrompt {
    pub fn new(py: Python<'_>, prompt: RowPrompt) -> CompiledPrompt {
        let names = PythonNames::new(py, &prompt);
        let meaning = prompt.meaning();
        CompiledPrompt { prompt, names, meaning }
    }
}

/// Prompts from other processes, with their hashes; the most recently used is last.
static FROM_ELSEWHERE: Mutex<Vec<(String, Arc<CompiledPrompt>)>> = Mutex::new(Vec::new());

/// The prompt from JSON of another process, with its expected hash.
#[pyfunction]
#[pyo3(name = "_from_json", signature = (json, hash, name=None, partial=None))]
pub fn from_json(
    py: Python<'_>,
    json: &str,
    hash: &str,
    name: Option<String>,
    partial: Option<&Bound<'_, PyDict>>,
) -> PyResult<Prompt> {
    let compiled = match again(hash) {
        Some(compiled) => compiled,
        None => compile(py, json, hash)?,
    };
    let partial = partial.map(|given| Partial::new(given, compiled.meaning, hash));
    Ok(Prompt::alone(compiled, name, partial.transpose()?))
}

fn compile(py: Python<'_>, json: &str, hash: &str) -> PyResult<Arc<CompiledPrompt>> {
    let read = py.detach(|| RowPrompt::from_json(json));
    let prompt = read.map_err(|reason| load_error(py, &reason.to_string()))?;
    if promptls_rows::hash(json) != hash {
        return Err(load_error(
            py,
            "this is not a serialized prompt of promptls: it was changed in transit",
        ));
    }
    let compiled = Arc::new(CompiledPrompt::new(py, prompt));
    let mut kept = FROM_ELSEWHERE.lock().unwrap_or_else(PoisonError::into_inner);
    if kept.len() == KEPT {
        kept.remove(0);
    }
    kept.push((hash.to_owned(), compiled.clone()));
    Ok(compiled)
}

fn again(hash: &str) -> Option<Arc<CompiledPrompt>> {
    let mut kept = FROM_ELSEWHERE.lock().unwrap_or_else(PoisonError::into_inner);
    let at = kept.iter().position(|(known, _)| known == hash)?;
    let found = kept.remove(at);
    let compiled = found.1.clone();
    kept.push(found);
    Some(compiled)
}
