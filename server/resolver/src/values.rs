//! Sources of values for a prompt: a file, a map, or data of the caller.
//!
//! Resolution requests one name at a time, and gets a [`ValueRef`], which borrows. So a value that
//! no placeholder uses costs nothing, and a text is copied once: into the output.

use std::borrow::{Borrow, Cow};
use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasher, Hash};

use crate::findings::problem::FileId;
use crate::inputs::Inputs;
use crate::path::{Step, walk};
use crate::value::{Object, Value, ValueKind, key_hash};

/// Values by name.
///
/// `get` is called for the names that the prompt reads, for some of them twice, and for no others.
///
/// Implemented by [`Inputs`], [`Object`], and maps and arrays of texts. Callers can implement it
/// for other data: a row of a table, a request, a configuration.
///
/// ```
/// use promptls_resolver::{Dialect, ValueRef, Values, render};
///
/// /// A row of a table that is stored column by column.
/// struct Row<'t> {
///     names: &'t [String],
///     ages: &'t [u32],
///     row: usize,
/// }
///
/// impl Values for Row<'_> {
///     fn get(&self, name: &str) -> Option<ValueRef<'_>> {
///         match name {
///             "name" => Some(ValueRef::Text(&self.names[self.row])),
///             "age" => Some(self.ages[self.row].into()),
///             _ => None,
///         }
///     }
/// }
///
/// let names = ["Ada".to_owned(), "Grace".to_owned()];
/// let row = Row { names: &names, ages: &[36, 85], row: 1 };
/// assert_eq!(render(Dialect::Adk, "{name} is {age}.", &row).unwrap(), "Grace is 85.");
/// ```
pub trait Values {
    /// The value of a name; `None` if there is none.
    ///
    /// In dialects with paths, the name is the root of the path: `user` of `{{user.name}}`.
    /// PromptPack requests the whole path first.
    fn get(&self, name: &str) -> Option<ValueRef<'_>>;

    /// The same for implementations that can use the [`key_hash`](crate::key_hash) of the name.
    #[inline]
    fn get_hashed(&self, name: &str, hash: u64) -> Option<ValueRef<'_>> {
        let _ = hash;
        self.get(name)
    }

    /// The same if the value is a text, for implementations with ordered values.
    ///
    /// Prompts often read values in that order. So implementations may use `likely`, which starts
    /// with 0, to store the position after a found name: the next name is probably there. `hash` is
    /// the [`key_hash`](crate::key_hash) of the name, if the caller has it.
    #[inline]
    fn text_near(&self, likely: &mut usize, name: &str, hash: Option<u64>) -> Option<&str> {
        let _ = likely;
        match hash {
            Some(hash) => self.get_hashed(name, hash)?.as_text(),
            None => self.get(name)?.as_text(),
        }
    }

    /// The file of the [`Span`](crate::Span)s of these values; `None` if they are in no file.
    fn file(&self) -> Option<FileId> {
        None
    }

    /// All values, in order, for engines that send them as a whole; `None` if they cannot be
    /// listed.
    ///
    /// Agentle in Java iterates over them (`{{#each .}}`), and uses only borrowed ones.
    fn all(&self) -> Option<Cow<'_, Object>> {
        None
    }

    /// The number of values; `None` if it is unknown. Used only in log lines.
    fn count(&self) -> Option<usize> {
        None
    }
}

/// A borrowed value; scalars may also be temporary.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ValueRef<'a> {
    /// A text, borrowed from the source of the values.
    Text(&'a str),
    /// A number in source form.
    Number(Cow<'a, str>),
    /// `true` or `false`, not stored as a [`Value`].
    Bool(bool),
    /// Null: the name exists, without a value.
    Null,
    /// A stored value; lists and objects always have this form.
    Value(&'a Value),
}

impl<'a> ValueRef<'a> {
    /// `true` for a null, stored or temporary.
    pub fn is_null(&self) -> bool {
        match self {
            ValueRef::Value(value) => value.is_null(),
            other => matches!(other, ValueRef::Null),
        }
    }

    /// The text; `None` for all other values.
    #[inline]
    pub fn as_text(&self) -> Option<&'a str> {
        match self {
            ValueRef::Text(text) => Some(text),
            ValueRef::Value(value) => value.as_text(),
            ValueRef::Number(_) | ValueRef::Bool(_) | ValueRef::Null => None,
        }
    }

    /// The stored value, which may have members; `None` for other texts and scalars.
    pub fn as_value(&self) -> Option<&'a Value> {
        match self {
            ValueRef::Value(value) => Some(value),
            _ => None,
        }
    }

    /// A stored value. Cost: a copy for other texts and scalars.
    pub(crate) fn to_value(&self) -> Cow<'a, Value> {
        let kind = match self {
            ValueRef::Value(value) => return Cow::Borrowed(value),
            ValueRef::Text(text) => ValueKind::String((*text).into()),
            ValueRef::Number(text) => ValueKind::Number((**text).into()),
            ValueRef::Bool(value) => ValueKind::Bool(*value),
            ValueRef::Null => ValueKind::Null,
        };
        Cow::Owned(kind.into())
    }

    /// The target of some steps from here; `None` if there is none.
    pub(crate) fn walk<'p>(self, mut steps: impl Iterator<Item = Step<'p>>) -> Option<Self> {
        match self {
            ValueRef::Value(value) => walk(value, steps).map(ValueRef::Value),
            other => steps.next().is_none().then_some(other),
        }
    }
}

impl<'a> From<&'a Value> for ValueRef<'a> {
    fn from(value: &'a Value) -> Self {
        ValueRef::Value(value)
    }
}

impl<'a> From<&'a str> for ValueRef<'a> {
    fn from(text: &'a str) -> Self {
        ValueRef::Text(text)
    }
}

impl From<bool> for ValueRef<'_> {
    fn from(value: bool) -> Self {
        ValueRef::Bool(value)
    }
}

macro_rules! numbers {
    ($($number:ty),*) => {
        $(impl From<$number> for ValueRef<'_> {
            fn from(number: $number) -> Self {
                ValueRef::Number(Cow::Owned(number.to_string()))
            }
        })*
    };
}

// Types with the same text in all languages.
numbers!(i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize);

impl<V: Values + ?Sized> Values for &V {
    #[inline]
    fn get(&self, name: &str) -> Option<ValueRef<'_>> {
        (**self).get(name)
    }

    #[inline]
    fn get_hashed(&self, name: &str, hash: u64) -> Option<ValueRef<'_>> {
        (**self).get_hashed(name, hash)
    }

    #[inline]
    fn text_near(&self, likely: &mut usize, name: &str, hash: Option<u64>) -> Option<&str> {
        (**self).text_near(likely, name, hash)
    }

    fn file(&self) -> Option<FileId> {
        (**self).file()
    }

    fn all(&self) -> Option<Cow<'_, Object>> {
        (**self).all()
    }

    fn count(&self) -> Option<usize> {
        (**self).count()
    }
}

impl Values for Inputs {
    #[inline]
    fn get(&self, name: &str) -> Option<ValueRef<'_>> {
        Values::get(&self.root, name)
    }

    #[inline]
    fn get_hashed(&self, name: &str, hash: u64) -> Option<ValueRef<'_>> {
        Values::get_hashed(&self.root, name, hash)
    }

    #[inline]
    fn text_near(&self, likely: &mut usize, name: &str, hash: Option<u64>) -> Option<&str> {
        self.root.text_near(likely, name, hash)
    }

    fn file(&self) -> Option<FileId> {
        Some(self.file)
    }

    fn all(&self) -> Option<Cow<'_, Object>> {
        Some(Cow::Borrowed(&self.root))
    }

    fn count(&self) -> Option<usize> {
        self.root.count()
    }
}

impl Values for Object {
    #[inline]
    fn get(&self, name: &str) -> Option<ValueRef<'_>> {
        Some(ValueRef::Value(&self.get(name)?.value))
    }

    #[inline]
    fn get_hashed(&self, name: &str, hash: u64) -> Option<ValueRef<'_>> {
        Some(ValueRef::Value(&self.get_hashed(name, || hash)?.value))
    }

    #[inline]
    fn text_near(&self, likely: &mut usize, name: &str, hash: Option<u64>) -> Option<&str> {
        let position = match self.entries().get(*likely) {
            Some(entry) if *entry.key == *name => *likely,
            _ => self.position_hashed(name, || hash.unwrap_or_else(|| key_hash(name)))?,
        };
        *likely = position + 1;
        self.entries()[position].value.as_text()
    }

    fn all(&self) -> Option<Cow<'_, Object>> {
        Some(Cow::Borrowed(self))
    }

    fn count(&self) -> Option<usize> {
        Some(self.entries().len())
    }
}

impl<K, V, S> Values for HashMap<K, V, S>
where
    K: Borrow<str> + Eq + Hash,
    V: AsRef<str>,
    S: BuildHasher,
{
    fn get(&self, name: &str) -> Option<ValueRef<'_>> {
        self.get(name).map(|text| ValueRef::Text(text.as_ref()))
    }

    /// Sorted by name, because a hash map has no order.
    fn all(&self) -> Option<Cow<'_, Object>> {
        let mut texts: Vec<(&str, &str)> =
            self.iter().map(|(name, text)| (name.borrow(), text.as_ref())).collect();
        texts.sort_unstable();
        Some(Cow::Owned(texts.into_iter().collect()))
    }

    fn count(&self) -> Option<usize> {
        Some(self.len())
    }
}

impl<K: Borrow<str> + Ord, V: AsRef<str>> Values for BTreeMap<K, V> {
    fn get(&self, name: &str) -> Option<ValueRef<'_>> {
        self.get(name).map(|text| ValueRef::Text(text.as_ref()))
    }

    fn all(&self) -> Option<Cow<'_, Object>> {
        let texts = self.iter().map(|(name, text)| (name.borrow(), text.as_ref()));
        Some(Cow::Owned(texts.collect()))
    }

    fn count(&self) -> Option<usize> {
        Some(self.len())
    }
}

/// An array of texts; of a duplicate name, the last one counts.
impl<K: AsRef<str>, V: AsRef<str>, const N: usize> Values for [(K, V); N] {
    fn get(&self, name: &str) -> Option<ValueRef<'_>> {
        let (_, text) = self.iter().rfind(|(key, _)| key.as_ref() == name)?;
        Some(ValueRef::Text(text.as_ref()))
    }

    fn all(&self) -> Option<Cow<'_, Object>> {
        let texts = self.iter().map(|(name, text)| (name.as_ref(), text.as_ref()));
        Some(Cow::Owned(texts.collect()))
    }

    fn count(&self) -> Option<usize> {
        Some(N)
    }
}
