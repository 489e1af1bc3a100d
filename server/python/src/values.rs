//! The values of a call: a mapping, and keywords above it, read where they lie.
//!
//! The names that the prompt reads are looked up once, by strings that Python has interned. A `str`
//! is read where it lies; only what is none is made into a value of ours, when the engine asks.

use std::borrow::Cow;
use std::cell::OnceCell;

use promptls_resolver::{Entry, Object, Span, Value, ValueKind, ValueRef, Values};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMapping, PyString};
use smallvec::SmallVec;

use crate::meaning::{Meaning, text_of};
use crate::names::Names;

/// What a call was given.
pub struct Given<'a, 'py> {
    mapping: Option<Bound<'py, PyDict>>,
    keywords: Option<&'a Bound<'py, PyDict>>,
}

impl<'a, 'py> Given<'a, 'py> {
    /// Keywords count above a mapping, which may be of any kind.
    pub fn new(
        mapping: Option<&Bound<'py, PyAny>>,
        keywords: Option<&'a Bound<'py, PyDict>>,
    ) -> PyResult<Self> {
        let keywords = keywords.filter(|keywords| !keywords.is_empty());
        Ok(Given { mapping: mapping.map(dict_of).transpose()?, keywords })
    }

    #[inline]
    fn get(&self, name: &Bound<'py, PyString>) -> PyResult<Option<Bound<'py, PyAny>>> {
        if let Some(keywords) = self.keywords
            && let Some(found) = keywords.get_item(name)?
        {
            return Ok(Some(found));
        }
        match &self.mapping {
            Some(mapping) => mapping.get_item(name),
            None => Ok(None),
        }
    }

    /// All values, as our own.
    pub fn to_object(&self, meaning: Meaning) -> PyResult<Object> {
        let mut object = Object::default();
        for (key, value) in self.mapping.iter().chain(self.keywords).flatten() {
            let name = name_of(&key)?;
            let value = meaning.value(&value, name)?;
            object.insert(Entry { key: name.into(), key_span: Span::default(), value });
        }
        Ok(object)
    }

    /// The only dictionary with values, if there is one.
    fn only(&self) -> Option<&Bound<'py, PyDict>> {
        match (&self.mapping, self.keywords) {
            (Some(only), None) => Some(only),
            (None, Some(only)) => Some(only),
            _ => None,
        }
    }

    fn len(&self) -> usize {
        self.mapping.iter().chain(self.keywords).map(|values| values.len()).sum()
    }
}

/// A mapping as a dictionary, which it mostly is.
fn dict_of<'py>(mapping: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyDict>> {
    if let Ok(dict) = mapping.cast::<PyDict>() {
        return Ok(dict.clone());
    }
    let mapping = mapping.cast::<PyMapping>().map_err(|_| {
        let kind = mapping.get_type().name().map(|name| name.to_string());
        let kind = kind.unwrap_or_else(|_| "something else".to_owned());
        PyTypeError::new_err(format!("values are a mapping of names; this is `{kind}`"))
    })?;
    let dict = PyDict::new(mapping.py());
    dict.update(mapping)?;
    Ok(dict)
}

fn name_of<'a>(key: &'a Bound<'_, PyAny>) -> PyResult<&'a str> {
    let key = key.cast::<PyString>().map_err(|_| {
        PyTypeError::new_err(format!("names are of the type `str`; one is {}", shown(key)))
    })?;
    text_of(key, "a name")
}

fn shown(value: &Bound<'_, PyAny>) -> String {
    value.repr().map_or_else(|_| "something else".to_owned(), |repr| repr.to_string())
}

/// Takes the values of a dictionary one after the other, which is quicker than to look each name up,
/// as far as its keys are the very strings that we have: those that stand in a program are.
fn take_those_known<'py>(values: &Bound<'py, PyDict>, names: &Names, found: &mut [Found<'py>]) {
    let mut likely = 0;
    for (key, value) in values {
        let Some(position) = names.position_of_object(likely, &key) else { return };
        found[position].value = Some(value);
        likely = position + 1;
    }
}

/// Those values as an engine asks for them.
pub struct PythonValues<'a, 'py> {
    names: &'a Names,
    given: &'a Given<'a, 'py>,
    meaning: Meaning,
    found: SmallVec<[Found<'py>; 16]>,
    everything: OnceCell<Object>,
    /// The first thing that went wrong.
    failure: OnceCell<PyErr>,
}

/// A value of a name that the prompt reads.
struct Found<'py> {
    value: Option<Bound<'py, PyAny>>,
    /// It as our own, if it is no `str`.
    made: OnceCell<Box<Value>>,
}

impl<'a, 'py> PythonValues<'a, 'py> {
    pub fn new(
        py: Python<'py>,
        names: &'a Names,
        given: &'a Given<'a, 'py>,
        meaning: Meaning,
    ) -> PyResult<Self> {
        let mut found: SmallVec<[Found<'py>; 16]> =
            names.python().map(|_| Found { value: None, made: OnceCell::new() }).collect();
        if let Some(only) = given.only()
            && only.len() <= 2 * found.len()
        {
            take_those_known(only, names, &mut found);
        }
        for (found, name) in found.iter_mut().zip(names.python()) {
            if found.value.is_none() {
                found.value = given.get(name.bind(py))?;
            }
        }
        let (everything, failure) = (OnceCell::new(), OnceCell::new());
        Ok(PythonValues { names, given, meaning, found, everything, failure })
    }

    /// What went wrong when values were read, if anything did.
    pub fn into_failure(self) -> Option<PyErr> {
        self.failure.into_inner()
    }

    fn or_fail<T>(&self, read: PyResult<T>) -> Option<T> {
        read.map_err(|error| self.failure.set(error)).ok()
    }

    /// A name that the prompt does not have, as an engine asks for where it reads a text again.
    fn everything(&self) -> &Object {
        self.everything
            .get_or_init(|| self.or_fail(self.given.to_object(self.meaning)).unwrap_or_default())
    }
}

impl Values for PythonValues<'_, '_> {
    fn get(&self, name: &str) -> Option<ValueRef<'_>> {
        let Some(position) = self.names.position(0, name) else {
            return Values::get(self.everything(), name);
        };
        let Found { value, made } = &self.found[position];
        let value = value.as_ref()?;
        if let Ok(text) = value.cast_exact::<PyString>() {
            let text = self.or_fail(text_of(text, name));
            return Some(text.map_or(ValueRef::Null, ValueRef::Text));
        }
        let made = made.get_or_init(|| {
            let value = self.or_fail(self.meaning.value(value, name));
            Box::new(value.unwrap_or_else(|| ValueKind::Null.into()))
        });
        Some(ValueRef::Value(made))
    }

    #[inline]
    fn text_near(&self, likely: &mut usize, name: &str, _: Option<u64>) -> Option<&str> {
        let position = self.names.position(*likely, name)?;
        *likely = position + 1;
        let text = self.found[position].value.as_ref()?.cast_exact::<PyString>().ok()?;
        self.or_fail(text_of(text, name))
    }

    fn all(&self) -> Option<Cow<'_, Object>> {
        Some(Cow::Borrowed(self.everything()))
    }

    fn count(&self) -> Option<usize> {
        Some(self.given.len())
    }
}
