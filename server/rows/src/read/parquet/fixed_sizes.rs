//! Columns whose values have a fixed size.
//!
//! The library reserves that size for each row, also for rows without a value. A file of a few
//! hundred bytes can state any size.

use arrow_schema::{DataType, Schema};

use crate::read::source::ReadError;

/// The maximum size of a value: the items of its lists, and the bytes of their items.
const MAX: u64 = 1 << 16;

/// Rejects columns with larger values of a fixed size.
pub(super) fn check(schema: &Schema) -> Result<(), ReadError> {
    for field in schema.fields() {
        let size = size(field.data_type());
        if size.is_none_or(|size| size > MAX) {
            let name = field.name();
            let reason = format!(
                "the values of the column `{name}` have a fixed size of more than {MAX}, which is not read"
            );
            return Err(ReadError::Table(reason));
        }
    }
    Ok(())
}

/// The fixed size of the values of a type; `None` if it is no number.
fn size(kind: &DataType) -> Option<u64> {
    match kind {
        DataType::FixedSizeList(item, len) => {
            u64::try_from(*len).ok()?.checked_mul(size(item.data_type())?.max(1))
        }
        DataType::FixedSizeBinary(len) => u64::try_from(*len).ok(),
        DataType::Struct(fields) => {
            fields.iter().try_fold(0_u64, |all, field| all.checked_add(size(field.data_type())?))
        }
        DataType::List(item)
        | DataType::LargeList(item)
        | DataType::ListView(item)
        | DataType::LargeListView(item)
        | DataType::Map(item, _) => size(item.data_type()),
        DataType::Dictionary(_, value) => size(value),
        DataType::RunEndEncoded(_, values) => size(values.data_type()),
        _ => Some(1),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_schema::Field;

    use super::*;

    fn list(item: DataType, len: i32) -> DataType {
        DataType::FixedSizeList(Arc::new(Field::new("item", item, true)), len)
    }

    #[test]
    fn values_of_a_fixed_size_have_a_maximum() {
        for (kind, is_read) in [
            (list(DataType::Float32, 4096), true),
            (list(DataType::Float32, 65_536), true),
            (list(DataType::Float32, 65_537), false),
            (list(list(DataType::Int8, 300), 300), false),
            (list(DataType::Int8, -1), false),
            (list(list(DataType::Null, 0), i32::MAX), false),
            (DataType::FixedSizeBinary(16), true),
            (DataType::FixedSizeBinary(1 << 20), false),
            (DataType::new_list(list(DataType::Int8, 1 << 20), true), false),
            (DataType::Utf8, true),
        ] {
            let schema = Schema::new(vec![Field::new("a", kind.clone(), true)]);
            assert_eq!(check(&schema).is_ok(), is_read, "{kind}");
        }
    }
}
