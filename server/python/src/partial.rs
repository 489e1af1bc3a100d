//! Preset values of a prompt: `Prompt.partial`.

use promptls_resolver::Object;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::meaning::Meaning;
use crate::values::CallValues;

/// Values that apply where a call provides none.
pub struct Partial {
    /// The original values, for another process.
    given: Py<PyDict>,
    values: Object,
    hash: String,
}

impl Partial {
    /// The values of a dictionary, for a prompt with this hash.
    pub fn new(given: &Bound<'_, PyDict>, meaning: Meaning, prompt: &str) -> PyResult<Partial> {
        let values = CallValues::of(given).to_object(meaning)?;
        let entries = values.entries().iter().map(|entry| (&entry.key, &entry.value.kind));
        let hash = promptls_rows::hash(&format!("{prompt}{:?}", entries.collect::<Vec<_>>()));
        Ok(Partial { given: given.clone().unbind(), values, hash })
    }

    /// The values by name, converted from Python.
    pub fn values(&self) -> &Object {
        &self.values
    }

    /// The dictionary of the caller, for another process.
    pub fn given(&self) -> &Py<PyDict> {
        &self.given
    }

    /// The SHA-256 of the prompt with these values.
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// Whether there is a value for a name.
    pub fn has(&self, name: &str) -> bool {
        self.values.get(name).is_some()
    }
}
