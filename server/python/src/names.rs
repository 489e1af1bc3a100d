//! The names that a prompt reads, as Python has them.

use std::collections::HashMap;

use foldhash::fast::FixedState;
use pyo3::prelude::*;
use pyo3::types::PyString;

/// Names in the order in which a prompt asks for them, each made for Python once.
pub struct Names {
    names: Vec<(Box<str>, Py<PyString>)>,
    index: HashMap<Box<str>, usize, FixedState>,
}

impl Names {
    pub fn new(py: Python<'_>, names: &[String]) -> Names {
        let interned = |name: &String| {
            let python = PyString::intern(py, name).unbind();
            (name.as_str().into(), python)
        };
        let index = names.iter().enumerate().map(|(at, name)| (name.as_str().into(), at));
        Names { names: names.iter().map(interned).collect(), index: index.collect() }
    }

    /// All of them, in order.
    pub fn python(&self) -> impl Iterator<Item = &Py<PyString>> {
        self.names.iter().map(|(_, python)| python)
    }

    /// Where a name is; `likely` is where it may be.
    #[inline]
    pub fn position(&self, likely: usize, name: &str) -> Option<usize> {
        match self.names.get(likely) {
            Some((known, _)) if **known == *name => Some(likely),
            _ => self.index.get(name).copied(),
        }
    }
}
