//! What a value of each type of Arrow is to a prompt.
//!
//! Whole numbers, decimals and binary fractions are numbers as they are written: a decimal with all
//! its digits, a fraction with as many as tell it from others of its width, and at least one behind
//! the point. How an engine writes numbers is its own affair, as for those of an inputs file.
//! Times, dates and spans of time are texts, as ISO 8601 has them; bytes are the text that they are.

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Decimal32Type, Decimal64Type, Decimal128Type, Decimal256Type, Float16Type,
    Float32Type, Float64Type,
};
use arrow_array::{Array, ArrayRef, downcast_integer_array};
use arrow_cast::display::{ArrayFormatter, DurationFormat, FormatOptions};
use arrow_schema::DataType;
use promptls_resolver::{Entry, Object, Span, Value, ValueKind};

/// How deep lists and structs may be inside each other.
const MAX_DEPTH: usize = 100;

/// The value of a row. The error says what is wrong with the column, behind its name.
pub(super) fn value(array: &dyn Array, row: usize) -> Result<Value, String> {
    inside(array, row, 0)
}

fn inside(array: &dyn Array, row: usize, depth: usize) -> Result<Value, String> {
    if depth > MAX_DEPTH {
        return Err("is nested too deeply".to_owned());
    }
    if array.is_null(row) {
        return Ok(ValueKind::Null.into());
    }
    let kind = array.data_type();
    Ok(match kind {
        DataType::Null => ValueKind::Null.into(),
        DataType::Boolean => array.as_boolean().value(row).into(),
        DataType::Utf8 => array.as_string::<i32>().value(row).into(),
        DataType::LargeUtf8 => array.as_string::<i64>().value(row).into(),
        DataType::Utf8View => array.as_string_view().value(row).into(),
        kind if kind.is_integer() => whole_number(array, row),
        DataType::Float16 => fraction(f32::from(array.as_primitive::<Float16Type>().value(row))),
        DataType::Float32 => fraction(array.as_primitive::<Float32Type>().value(row)),
        DataType::Float64 => fraction(array.as_primitive::<Float64Type>().value(row)),
        DataType::Decimal32(..) => decimal(array.as_primitive::<Decimal32Type>(), row),
        DataType::Decimal64(..) => decimal(array.as_primitive::<Decimal64Type>(), row),
        DataType::Decimal128(..) => decimal(array.as_primitive::<Decimal128Type>(), row),
        DataType::Decimal256(..) => decimal(array.as_primitive::<Decimal256Type>(), row),
        DataType::Binary => text_of(array.as_binary::<i32>().value(row))?,
        DataType::LargeBinary => text_of(array.as_binary::<i64>().value(row))?,
        DataType::BinaryView => text_of(array.as_binary_view().value(row))?,
        DataType::FixedSizeBinary(_) => text_of(array.as_fixed_size_binary().value(row))?,
        DataType::List(_) => list(&array.as_list::<i32>().value(row), depth)?,
        DataType::LargeList(_) => list(&array.as_list::<i64>().value(row), depth)?,
        DataType::ListView(_) => list(&array.as_list_view::<i32>().value(row), depth)?,
        DataType::LargeListView(_) => list(&array.as_list_view::<i64>().value(row), depth)?,
        DataType::FixedSizeList(..) => list(&array.as_fixed_size_list().value(row), depth)?,
        DataType::Struct(fields) => {
            let array = array.as_struct();
            let mut object = Object::with_capacity(fields.len());
            for (field, column) in fields.iter().zip(array.columns()) {
                insert(&mut object, field.name(), inside(column, row, depth + 1)?);
            }
            object.into()
        }
        DataType::Map(..) => {
            let entries = array.as_map().value(row);
            let mut object = Object::with_capacity(entries.len());
            for at in 0..entries.len() {
                let key = inside(entries.column(0), at, depth + 1)?;
                let key = key.as_text().map_or_else(|| key.to_json(), str::to_owned);
                insert(&mut object, &key, inside(entries.column(1), at, depth + 1)?);
            }
            object.into()
        }
        DataType::Dictionary(..) => {
            let dictionary = array.as_any_dictionary();
            let key = dictionary.keys();
            let at = whole_number(key, row);
            let ValueKind::Number(at) = &at.kind else { return Ok(at) };
            let at = at.parse().map_err(|_| "has a broken dictionary".to_owned())?;
            inside(dictionary.values(), at, depth + 1)?
        }
        DataType::Union(..) => {
            let union = array.as_union();
            let child = union.child(union.type_id(row));
            inside(child, union.value_offset(row), depth + 1)?
        }
        _ if kind.is_temporal() => {
            let options = FormatOptions::new().with_duration_format(DurationFormat::ISO8601);
            let written = ArrayFormatter::try_new(array, &options)
                .and_then(|formatter| formatter.value(row).try_to_string());
            let written = written.map_err(|error| format!("cannot be written: {error}"))?;
            written.into()
        }
        kind => return Err(format!("is of the type {kind}, which no prompt takes")),
    })
}

fn insert(object: &mut Object, key: &str, value: Value) {
    object.insert(Entry { key: key.into(), key_span: Span::default(), value });
}

fn number(written: String) -> Value {
    ValueKind::Number(written.into()).into()
}

fn whole_number(array: &dyn Array, row: usize) -> Value {
    downcast_integer_array!(
        array => number(array.value(row).to_string()),
        _ => ValueKind::Null.into()
    )
}

/// As the debug form of Rust has it: the fewest digits that give it back, and never as a whole
/// number.
fn fraction(value: impl Into<f64> + std::fmt::Debug + Copy) -> Value {
    let wide: f64 = value.into();
    number(match () {
        // As most languages write and read them; inputs files have none.
        _ if wide.is_nan() => "NaN".to_owned(),
        _ if wide.is_infinite() => if wide > 0.0 { "Infinity" } else { "-Infinity" }.to_owned(),
        _ => format!("{value:?}"),
    })
}

fn decimal<T: arrow_array::types::DecimalType + ArrowPrimitiveType>(
    array: &arrow_array::PrimitiveArray<T>,
    row: usize,
) -> Value {
    number(array.value_as_string(row))
}

fn text_of(bytes: &[u8]) -> Result<Value, String> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(text.into()),
        Err(error) => {
            Err(format!("has bytes that are no text: byte {} is not UTF-8", error.valid_up_to()))
        }
    }
}

fn list(items: &ArrayRef, depth: usize) -> Result<Value, String> {
    let items: Result<Vec<Value>, String> =
        (0..items.len()).map(|at| inside(items, at, depth + 1)).collect();
    Ok(items?.into())
}
