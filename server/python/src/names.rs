//! The names that a prompt reads, as Python strings.

use std::collections::HashMap;

use foldhash::fast::FixedState;
use promptls_rows::RowPrompt;
use pyo3::prelude::*;
use pyo3::types::PyString;

/// Names in the order in which a prompt reads them, each converted to Python once.
pub struct PythonNames {
    names: Vec<PythonName>,
    index: HashMap<Box<str>, usize, FixedState>,
}

struct PythonName {
    text: Box<str>,
    /// The address of the prompt's own string. Lookups usually pass that string, so its text need
    /// not be compared; 0 if the prompt never does.
    address: usize,
    python: Py<PyString>,
}

impl PythonNames {
    /// The names of a prompt, which must stay at its address as long as they exist.
    pub fn new(py: Python<'_>, prompt: &RowPrompt) -> PythonNames {
        let own = |name: &str| prompt.template().path_names().find(|own_name| *own_name == name);
        let name = |text: &String| PythonName {
            text: text.as_str().into(),
            address: own(text).map_or(0, |own_name| own_name.as_ptr() as usize),
            python: PyString::intern(py, text).unbind(),
        };
        let names: Vec<PythonName> = prompt.needs().in_order().iter().map(name).collect();
        let index = names.iter().enumerate().map(|(at, name)| (name.text.clone(), at)).collect();
        PythonNames { names, index }
    }

    /// The Python strings, in order.
    pub fn python(&self) -> impl Iterator<Item = &Py<PyString>> {
        self.names.iter().map(|name| &name.python)
    }

    /// The position of a name; `likely` is tried first.
    #[inline]
    pub fn position(&self, likely: usize, name: &str) -> Option<usize> {
        let is_it = |known: &&PythonName| {
            known.text.len() == name.len()
                && (known.address == name.as_ptr() as usize || *known.text == *name)
        };
        match self.names.get(likely).filter(is_it) {
            Some(_) => Some(likely),
            None => self.index.get(name).copied(),
        }
    }

    /// The position of the name that is this object; `likely` is tried first.
    #[inline]
    pub fn position_of_object(&self, likely: usize, object: &Bound<'_, PyAny>) -> Option<usize> {
        let is_it = |name: &PythonName| name.python.as_ptr() == object.as_ptr();
        match self.names.get(likely) {
            Some(name) if is_it(name) => Some(likely),
            _ => self.names.iter().position(is_it),
        }
    }
}
