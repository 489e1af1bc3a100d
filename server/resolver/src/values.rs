//! Where the values of a prompt come from: a file, a map, or whatever a caller has.
//!
//! Resolving asks for one name at a time, and gets a [`ValueRef`], which borrows. So a value that
//! no placeholder asks for costs nothing, and a text is copied once: into what is sent.

use std::borrow::{Borrow, Cow};
use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasher, Hash};

use crate::findings::problem::FileId;
use crate::inputs::Inputs;
use crate::path::{Step, walk};
use crate::value::{Object, Value, ValueKind, key_hash};

/// Values by name.
///
/// They are asked for the names that the prompt reads, some of them twice, and for no others.
///
/// Besides [`Inputs`] and [`Object`], maps and arrays of texts have them, and whatever implements
/// this: a row of a table, a request, a configuration.
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
    /// The value of a name; `None` where there is none.
    ///
    /// Where a dialect has paths, the name is the first of the path: `user` of `{{user.name}}`.
    /// PromptPack asks for the whole path before.
    fn get(&self, name: &str) -> Option<ValueRef<'_>>;

    /// The same for those who can use the [`key_hash`](crate::key_hash) of the name.
    #[inline]
    fn get_hashed(&self, name: &str, hash: u64) -> Option<ValueRef<'_>> {
        let _ = hash;
        self.get(name)
    }

    /// The same if the value is a text, for those who keep values in an order.
    ///
    /// Prompts often read values in that order. So `likely`, which starts with 0, may be kept
    /// behind the position at which a name was found: the next name is worth a look there.
    /// `hash` is the [`key_hash`](crate::key_hash) of the name, where the caller has it at hand.
    #[inline]
    fn text_near(&self, likely: &mut usize, name: &str, hash: Option<u64>) -> Option<&str> {
        let _ = likely;
        match hash {
            Some(hash) => self.get_hashed(name, hash)?.as_text(),
            None => self.get(name)?.as_text(),
        }
    }

    /// The file in which the [`Span`](crate::Span)s of these values are; `None` if they are
    /// written nowhere.
    fn file(&self) -> Option<FileId> {
        None
    }

    /// All of them, in order, for engines that send them as a whole; `None` if they cannot be told.
    ///
    /// Agentle in Java goes into them (`{{#each .}}`), and sees only what is lent.
    fn all(&self) -> Option<Cow<'_, Object>> {
        None
    }

    /// How many values there are, where that is known. Only log lines say it.
    fn count(&self) -> Option<usize> {
        None
    }
}

/// A value that somebody else keeps; scalars may also be made on the way.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ValueRef<'a> {
    /// A text.
    Text(&'a str),
    /// A number, as it is to be written.
    Number(Cow<'a, str>),
    /// `true` or `false`
    Bool(bool),
    /// No value, but the name is there.
    Null,
    /// Any value of ours; lists and objects are always one.
    Value(&'a Value),
}

impl<'a> ValueRef<'a> {
    /// Whether it is null.
    pub fn is_null(&self) -> bool {
        match self {
            ValueRef::Value(value) => value.is_null(),
            other => matches!(other, ValueRef::Null),
        }
    }

    /// A text; `None` for all other values.
    #[inline]
    pub fn as_text(&self) -> Option<&'a str> {
        match self {
            ValueRef::Text(text) => Some(text),
            ValueRef::Value(value) => value.as_text(),
            ValueRef::Number(_) | ValueRef::Bool(_) | ValueRef::Null => None,
        }
    }

    /// A value of ours, which may have members; `None` for texts and scalars of others.
    pub fn as_value(&self) -> Option<&'a Value> {
        match self {
            ValueRef::Value(value) => Some(value),
            _ => None,
        }
    }

    /// A value of ours. Cost: a copy of a text or a scalar of others.
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

    /// Where some steps lead to from here; `None` if it is nowhere.
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

// Those of which everybody writes the same text.
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

    /// By name, because it has no order.
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

/// A few texts; of one name twice, the last.
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
