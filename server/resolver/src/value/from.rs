//! Values that a program creates, which are in no file.

use std::sync::Arc;

use crate::value::{Entry, Object, Value, ValueKind};
use crate::values::ValueRef;
use promptls_data::Span;

impl From<ValueKind> for Value {
    fn from(kind: ValueKind) -> Value {
        Value { kind, span: Span::default() }
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        ValueKind::String(text.into()).into()
    }
}

impl From<String> for Value {
    fn from(text: String) -> Value {
        ValueKind::String(text.into()).into()
    }
}

/// Cost: a copy of the text, or of the value with all its members.
impl From<ValueRef<'_>> for Value {
    fn from(value: ValueRef<'_>) -> Value {
        value.to_value().into_owned()
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Value {
        ValueKind::Bool(value).into()
    }
}

impl From<Vec<Value>> for Value {
    fn from(items: Vec<Value>) -> Value {
        ValueKind::List(items).into()
    }
}

impl From<Object> for Value {
    fn from(object: Object) -> Value {
        ValueKind::Object(object).into()
    }
}

macro_rules! numbers {
    ($($number:ty),*) => {
        $(impl From<$number> for Value {
            fn from(number: $number) -> Value {
                ValueKind::Number(number.to_string().into()).into()
            }
        })*
    };
}

// Types with the same text in all languages.
numbers!(i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize);

/// ```
/// use promptls_resolver::{Dialect, Object, Value, render};
///
/// let user: Object = [("name", Value::from("Ada")), ("age", 36.into())].into_iter().collect();
/// let values: Object = [("user", user)].into_iter().collect();
/// let text = render(Dialect::PromptPack, "{{user.name}} is {{user.age}}.", &values).unwrap();
/// assert_eq!(text, "Ada is 36.");
/// ```
impl<K: Into<Arc<str>>, V: Into<Value>> FromIterator<(K, V)> for Object {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Object {
        let entries = entries.into_iter();
        let mut object = Object::with_capacity(entries.size_hint().0);
        for (key, value) in entries {
            object.insert(Entry {
                key: key.into(),
                key_span: Span::default(),
                value: value.into(),
            });
        }
        object
    }
}
