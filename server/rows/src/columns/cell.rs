//! Values of each Arrow type.
//!
//! Types that inputs files support are plain values. All others keep their form until the engine's
//! form is known.

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Float16Type, Float32Type, Float64Type, Int16Type, Int32Type, Int64Type, RunEndIndexType,
};
use arrow_array::{Array, ArrayRef, downcast_integer_array};
use arrow_schema::DataType;
use promptls_resolver::{Value, ValueKind};

use super::foreign::{self, Foreign};
use crate::meaning::Meaning;

/// The maximum nesting depth of lists and structs.
const MAX_DEPTH: usize = 100;

/// A value of a column.
pub(super) enum Cell {
    /// A value that inputs files support, except lists and objects.
    Plain(Value),
    Foreign(Foreign),
    List(Vec<Cell>),
    Struct(Vec<(String, Cell)>),
    Map(Vec<(Cell, Cell)>),
}

impl Cell {
    /// The value of a row. The error describes the defect of the column, as a suffix for its name.
    pub fn read(array: &dyn Array, row: usize, meaning: Meaning) -> Result<Cell, String> {
        CellReader { meaning }.cell(array, row, 0)
    }

    /// `true` if inputs files could not contain it.
    pub fn has_foreign(&self) -> bool {
        match self {
            Cell::Plain(_) => false,
            // In Python, each entry is a tuple.
            Cell::Map(entries) => !entries.is_empty(),
            Cell::Foreign(_) => true,
            Cell::List(items) => items.iter().any(Cell::has_foreign),
            Cell::Struct(members) => members.iter().any(|(_, member)| member.has_foreign()),
        }
    }
}

struct CellReader {
    meaning: Meaning,
}

impl CellReader {
    fn cell(&self, array: &dyn Array, row: usize, depth: usize) -> Result<Cell, String> {
        if depth > MAX_DEPTH {
            return Err("is nested too deeply".to_owned());
        }
        if array.is_null(row) {
            return Ok(Cell::Plain(ValueKind::Null.into()));
        }
        if let Some(foreign) = foreign::read(array, row)? {
            return Ok(Cell::Foreign(foreign));
        }
        Ok(match array.data_type() {
            DataType::Null => Cell::Plain(ValueKind::Null.into()),
            DataType::Boolean => Cell::Plain(array.as_boolean().value(row).into()),
            DataType::Utf8 => Cell::Plain(array.as_string::<i32>().value(row).into()),
            DataType::LargeUtf8 => Cell::Plain(array.as_string::<i64>().value(row).into()),
            DataType::Utf8View => Cell::Plain(array.as_string_view().value(row).into()),
            kind if kind.is_integer() => Cell::Plain(whole_number(array, row)),
            DataType::Float16 => {
                self.narrow(f32::from(array.as_primitive::<Float16Type>().value(row)))
            }
            DataType::Float32 => self.narrow(array.as_primitive::<Float32Type>().value(row)),
            DataType::Float64 => {
                Cell::Plain(fraction(array.as_primitive::<Float64Type>().value(row)))
            }
            DataType::List(_) => self.list(&array.as_list::<i32>().value(row), depth)?,
            DataType::LargeList(_) => self.list(&array.as_list::<i64>().value(row), depth)?,
            DataType::ListView(_) => self.list(&array.as_list_view::<i32>().value(row), depth)?,
            DataType::LargeListView(_) => {
                self.list(&array.as_list_view::<i64>().value(row), depth)?
            }
            DataType::FixedSizeList(..) => {
                self.list(&array.as_fixed_size_list().value(row), depth)?
            }
            DataType::Struct(fields) => {
                let columns = fields.iter().zip(array.as_struct().columns());
                let member = |(field, column): (&arrow_schema::FieldRef, &ArrayRef)| {
                    Ok((field.name().clone(), self.cell(column, row, depth + 1)?))
                };
                Cell::Struct(columns.map(member).collect::<Result<_, String>>()?)
            }
            DataType::Map(..) => {
                let entries = array.as_map().value(row);
                let entry = |at: usize| {
                    let key = self.cell(entries.column(0), at, depth + 1)?;
                    Ok((key, self.cell(entries.column(1), at, depth + 1)?))
                };
                Cell::Map((0..entries.len()).map(entry).collect::<Result<_, String>>()?)
            }
            DataType::Dictionary(..) => {
                let dictionary = array.as_any_dictionary();
                let at = whole_number(dictionary.keys(), row);
                let ValueKind::Number(at) = &at.kind else { return Ok(Cell::Plain(at)) };
                let at = at.parse().map_err(|_| "has a broken dictionary".to_owned())?;
                self.cell(dictionary.values(), at, depth + 1)?
            }
            DataType::RunEndEncoded(ends, _) => match ends.data_type() {
                DataType::Int16 => self.of_run::<Int16Type>(array, row, depth)?,
                DataType::Int32 => self.of_run::<Int32Type>(array, row, depth)?,
                _ => self.of_run::<Int64Type>(array, row, depth)?,
            },
            DataType::Union(..) => {
                let union = array.as_union();
                let child = union.child(union.type_id(row));
                self.cell(child, union.value_offset(row), depth + 1)?
            }
            kind => return Err(format!("is of the type {kind}, which prompts do not support")),
        })
    }

    /// A float of fewer than 64 bits: Python has only 64-bit floats.
    fn narrow(&self, value: f32) -> Cell {
        Cell::Plain(match self.meaning.is_of_python() {
            true => fraction(f64::from(value)),
            false => fraction(value),
        })
    }

    fn list(&self, items: &ArrayRef, depth: usize) -> Result<Cell, String> {
        let items = (0..items.len()).map(|at| self.cell(items, at, depth + 1));
        Ok(Cell::List(items.collect::<Result<_, String>>()?))
    }

    fn of_run<E: RunEndIndexType>(
        &self,
        array: &dyn Array,
        row: usize,
        depth: usize,
    ) -> Result<Cell, String> {
        let runs = array.as_run::<E>();
        self.cell(runs.values(), runs.get_physical_index(row), depth + 1)
    }
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

/// The shortest digits that distinguish it from others of its width, with at least one after the
/// point.
fn fraction(value: impl Into<f64> + std::fmt::Debug + Copy) -> Value {
    let wide: f64 = value.into();
    number(match () {
        // In the notation of most languages; inputs files have none.
        () if wide.is_nan() => "NaN".to_owned(),
        () if wide.is_infinite() => if wide > 0.0 { "Infinity" } else { "-Infinity" }.to_owned(),
        () => format!("{value:?}"),
    })
}
