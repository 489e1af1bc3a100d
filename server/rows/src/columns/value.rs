//! The form of a column value for the engine of a prompt.

use arrow_array::Array;
use promptls_resolver::Value;

use super::cell::Cell;
use super::{data, python};
use crate::meaning::Meaning;

/// The value of a row. The error describes the defect of the column, as a suffix for its name.
pub(super) fn value(array: &dyn Array, row: usize, meaning: Meaning) -> Result<Value, String> {
    let cell = Cell::read(array, row, meaning)?;
    let is_printed = match meaning {
        Meaning::Printed => cell.has_foreign(),
        Meaning::PrintedAlone => matches!(cell, Cell::Foreign(_)),
        Meaning::Data => false,
    };
    match is_printed {
        true => python::text(&cell).map(Value::from),
        false => data::of_cell(cell, meaning),
    }
}
