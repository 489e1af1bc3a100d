//! Data forms of Arrow values, where no Python engine prints them.

use promptls_resolver::{Entry, Object, Span, Value, ValueKind};

use super::cell::Cell;
use super::foreign::Foreign;
use super::iso::{clock, instant_text, iso_duration};
use crate::meaning::Meaning;

/// The corresponding value of an inputs file; the error describes the defect of the column, as a
/// suffix for its name.
pub(super) fn of_cell(cell: Cell, meaning: Meaning) -> Result<Value, String> {
    Ok(match cell {
        Cell::Plain(value) => value,
        Cell::Foreign(foreign) => of_foreign(foreign)?,
        Cell::List(items) => {
            let items = items.into_iter().map(|item| of_cell(item, meaning));
            items.collect::<Result<Vec<Value>, String>>()?.into()
        }
        Cell::Struct(members) => {
            let mut object = Object::with_capacity(members.len());
            for (name, member) in members {
                object.insert(entry(&name, of_cell(member, meaning)?));
            }
            object.into()
        }
        Cell::Map(entries) if meaning.is_of_python() => {
            let pair = |(key, value): (Cell, Cell)| -> Result<Value, String> {
                Ok(vec![of_cell(key, meaning)?, of_cell(value, meaning)?].into())
            };
            entries.into_iter().map(pair).collect::<Result<Vec<Value>, String>>()?.into()
        }
        Cell::Map(entries) => {
            let mut object = Object::with_capacity(entries.len());
            for (key, value) in entries {
                let key = of_cell(key, meaning)?;
                let key = key.as_text().map_or_else(|| key.to_json(), str::to_owned);
                object.insert(entry(&key, of_cell(value, meaning)?));
            }
            object.into()
        }
    })
}

fn entry(key: &str, value: Value) -> Entry {
    Entry { key: key.into(), key_span: Span::default(), value }
}

fn of_foreign(foreign: Foreign) -> Result<Value, String> {
    Ok(match foreign {
        Foreign::Bytes(bytes) => text_of(&bytes)?.into(),
        Foreign::Decimal(decimal) => number(decimal.to_string()),
        Foreign::Date(date) => date.to_string().into(),
        Foreign::Time(time) => clock(time, true).into(),
        Foreign::Instant(instant) => instant_text(&instant, "T")?.into(),
        Foreign::Duration { nanoseconds, .. } => iso_duration(nanoseconds).into(),
        Foreign::Interval { months, days, nanoseconds } => {
            let parts = [i64::from(months), i64::from(days), nanoseconds];
            parts.map(|part| number(part.to_string())).to_vec().into()
        }
    })
}

fn number(written: String) -> Value {
    ValueKind::Number(written.into()).into()
}

/// Bytes as text. The error describes the invalid bytes, as a suffix for their name.
pub fn text_of(bytes: &[u8]) -> Result<&str, String> {
    std::str::from_utf8(bytes).map_err(|error| {
        format!("has bytes that are no text: byte {} is not UTF-8", error.valid_up_to())
    })
}
