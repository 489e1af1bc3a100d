//! A column by its type: texts, and others.

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, LargeStringArray, StringArray, StringViewArray};
use arrow_schema::DataType;
use promptls_resolver::ValueRef;

pub(super) enum Column {
    Text(StringArray),
    LargeText(LargeStringArray),
    TextView(StringViewArray),
    /// Each distinct value once, and the index of each row.
    Dictionary {
        keys: Vec<usize>,
        values: Box<Column>,
        array: ArrayRef,
    },
    /// A column of any other type.
    Other(ArrayRef),
}

impl Column {
    pub fn new(array: ArrayRef) -> Column {
        match array.data_type() {
            DataType::Utf8 => Column::Text(array.as_string().clone()),
            DataType::LargeUtf8 => Column::LargeText(array.as_string().clone()),
            DataType::Utf8View => Column::TextView(array.as_string_view().clone()),
            DataType::Dictionary(_, of) if is_text(of) => {
                let dictionary = array.as_any_dictionary();
                // Keys of null rows may be any, and an empty dictionary has none.
                let keys = match dictionary.values().is_empty() {
                    true => vec![0; array.len()],
                    false => dictionary.normalized_keys(),
                };
                let values = Box::new(Column::new(dictionary.values().clone()));
                Column::Dictionary { keys, values, array }
            }
            _ => Column::Other(array),
        }
    }

    pub fn array(&self) -> &dyn Array {
        match self {
            Column::Text(array) => array,
            Column::LargeText(array) => array,
            Column::TextView(array) => array,
            Column::Dictionary { array, .. } | Column::Other(array) => array,
        }
    }

    /// `true` if its values are converted, not borrowed.
    pub fn is_made(&self) -> bool {
        matches!(self, Column::Other(_))
    }

    /// The text of a row; `None` for other values.
    #[inline]
    pub fn text(&self, row: usize) -> Option<&str> {
        if self.array().is_null(row) {
            return None;
        }
        match self {
            Column::Text(array) => Some(array.value(row)),
            Column::LargeText(array) => Some(array.value(row)),
            Column::TextView(array) => Some(array.value(row)),
            Column::Dictionary { keys, values, .. } => values.text(keys[row]),
            Column::Other(_) => None,
        }
    }

    /// The value of a row; `None` if it must be converted.
    #[inline]
    pub fn value(&self, row: usize) -> Option<ValueRef<'_>> {
        match self.text(row) {
            Some(text) => Some(ValueRef::Text(text)),
            None if self.is_made() => None,
            None => Some(ValueRef::Null),
        }
    }
}

fn is_text(kind: &DataType) -> bool {
    matches!(kind, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View)
}
