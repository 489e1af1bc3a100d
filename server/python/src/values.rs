//! The values of a call: a mapping and keywords, which override it, read in place.
//!
//! The names of the prompt are interned Python strings and looked up once. A `str` is read without
//! a copy. Only other values are converted, when the engine reads them.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::sync::LazyLock;

use promptls_analysis::did_you_mean;
use promptls_resolver::{Entry, Object, Span, Value, ValueKind, ValueRef, Values};
use promptls_rows::RowPrompt;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use smallvec::SmallVec;

use crate::argument::type_name;
use crate::classes::unused_values;
use crate::fields;
use crate::meaning::{Meaning, ReadPython, text_of};
use crate::names::PythonNames;
use crate::partial::Partial;

/// The values of a call and the preset values of the prompt.
pub struct CallValues<'a, 'py> {
    mapping: Option<Bound<'py, PyDict>>,
    keywords: Option<&'a Bound<'py, PyDict>>,
    partial: &'a Object,
}

static NOTHING: LazyLock<Object> = LazyLock::new(Object::default);

impl<'a, 'py> CallValues<'a, 'py> {
    /// Keywords override a mapping, which may be of any supported type.
    pub fn new(
        mapping: Option<&Bound<'py, PyAny>>,
        keywords: Option<&'a Bound<'py, PyDict>>,
    ) -> PyResult<Self> {
        let keywords = keywords.filter(|keywords| !keywords.is_empty());
        Ok(CallValues { mapping: mapping.map(dict_of).transpose()?, keywords, partial: &NOTHING })
    }

    /// The values of a dictionary.
    pub fn of(values: &'a Bound<'py, PyDict>) -> Self {
        CallValues { mapping: None, keywords: Some(values), partial: &NOTHING }
    }

    /// Adds preset values, which all of these override.
    pub fn above(self, partial: Option<&'a Partial>) -> Self {
        CallValues { partial: partial.map_or(&NOTHING, Partial::values), ..self }
    }

    /// Adds all values of the call to a dictionary.
    pub fn copy_to(&self, all: &Bound<'py, PyDict>) -> PyResult<()> {
        for values in self.mapping.iter().chain(self.keywords) {
            all.update(values.as_mapping())?;
        }
        Ok(())
    }

    /// Fails if a value of the call, or a preset one, has a name that the prompt does not read.
    pub fn check_is_used(&self, py: Python<'_>, prompt: &RowPrompt) -> PyResult<()> {
        let preset = self.partial.entries().iter().map(|entry| &*entry.key);
        let mut names: Vec<String> = preset.map(str::to_owned).collect();
        for (key, _) in self.mapping.iter().chain(self.keywords).flatten() {
            let name = name_of(&key)?;
            if self.partial.get(name).is_none() {
                names.push(name.to_owned());
            }
        }
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let unused = prompt.needs().unread(&names);
        let Some(first) = unused.first() else { return Ok(()) };
        let hint = did_you_mean(first, prompt.needs().read());
        let shown: Vec<String> = unused.iter().map(|name| format!("`{name}`")).collect();
        let message = format!("the prompt does not use {}{hint}", shown.join(", "));
        let unused = unused.iter().map(|name| (*name).to_owned()).collect();
        Err(unused_values(py, &message, unused))
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

    /// All values, converted; those of the call override the partial ones.
    pub fn to_object(&self, meaning: Meaning) -> PyResult<Object> {
        let mut object = self.partial.clone();
        for (key, value) in self.mapping.iter().chain(self.keywords).flatten() {
            let name = name_of(&key)?;
            let value = meaning.value(&value, name)?;
            object.insert(Entry { key: name.into(), key_span: Span::default(), value });
        }
        Ok(object)
    }

    /// The only dictionary with values; `None` if there are several sources.
    fn only(&self) -> Option<&Bound<'py, PyDict>> {
        match (&self.mapping, self.keywords) {
            (Some(only), None) => Some(only),
            (None, Some(only)) => Some(only),
            _ => None,
        }
    }

    fn len(&self) -> usize {
        let given: usize =
            self.mapping.iter().chain(self.keywords).map(|values| values.len()).sum();
        self.partial.entries().len() + given
    }
}

/// A mapping as a dictionary; usually it is one already.
fn dict_of<'py>(mapping: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyDict>> {
    fields::mapping(mapping)?.ok_or_else(|| {
        PyTypeError::new_err(format!(
            "values must be a mapping, or an object with fields such as a dataclass, not {}",
            type_name(mapping)
        ))
    })
}

fn name_of<'a>(key: &'a Bound<'_, PyAny>) -> PyResult<&'a str> {
    let key = key.cast::<PyString>().map_err(|_| {
        PyTypeError::new_err(format!("names must be str, not {}: {}", type_name(key), shown(key)))
    })?;
    text_of(key, "a name")
}

fn shown(value: &Bound<'_, PyAny>) -> String {
    value.repr().map_or_else(|_| "something else".to_owned(), |repr| repr.to_string())
}

/// Takes the values of a dictionary in order, which is faster than looking up each name. Stops at
/// the first key that is not the interned string of a name; keys that are literals in a program
/// are.
fn take_those_known<'py>(
    values: &Bound<'py, PyDict>,
    names: &PythonNames,
    found: &mut [NameValue<'py>],
) {
    let mut likely = 0;
    for (key, value) in values {
        let Some(position) = names.position_of_object(likely, &key) else { return };
        found[position].value = Some(value);
        likely = position + 1;
    }
}

/// The values of a call, as an engine reads them.
pub struct PythonValues<'a, 'py> {
    names: &'a PythonNames,
    given: &'a CallValues<'a, 'py>,
    meaning: Meaning,
    found: SmallVec<[NameValue<'py>; 16]>,
    everything: OnceCell<Object>,
    /// The first conversion error; later ones are ignored.
    failure: OnceCell<PyErr>,
}

/// A value of a name that the prompt reads.
struct NameValue<'py> {
    value: Option<Bound<'py, PyAny>>,
    /// The converted value, if it is no `str`.
    made: OnceCell<Box<Value>>,
}

impl<'a, 'py> PythonValues<'a, 'py> {
    pub fn new(
        py: Python<'py>,
        names: &'a PythonNames,
        given: &'a CallValues<'a, 'py>,
        meaning: Meaning,
    ) -> PyResult<Self> {
        let mut found: SmallVec<[NameValue<'py>; 16]> =
            names.python().map(|_| NameValue { value: None, made: OnceCell::new() }).collect();
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

    /// The first error while reading values, if any.
    pub fn into_failure(self) -> Option<PyErr> {
        self.failure.into_inner()
    }

    fn or_fail<T>(&self, read: PyResult<T>) -> Option<T> {
        read.map_err(|error| self.failure.set(error)).ok()
    }

    /// All values, for a name that is not in the prompt: engines read such names when they resolve
    /// a text again.
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
        let NameValue { value, made } = &self.found[position];
        let Some(value) = value else { return Values::get(self.given.partial, name) };
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
        let Some(value) = &self.found[position].value else {
            return self.given.partial.get(name)?.value.as_text();
        };
        self.or_fail(text_of(value.cast_exact::<PyString>().ok()?, name))
    }

    fn all(&self) -> Option<Cow<'_, Object>> {
        Some(Cow::Borrowed(self.everything()))
    }

    fn count(&self) -> Option<usize> {
        Some(self.given.len())
    }
}
