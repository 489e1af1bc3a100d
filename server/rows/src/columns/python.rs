//! Python's string forms of the results of pyarrow's `to_pylist`.
//!
//! Nanoseconds follow pyarrow with pandas installed: without it, pyarrow returns only whole
//! microseconds.

use arrow_schema::TimeUnit;
use chrono::{Datelike, NaiveDate, NaiveDateTime, NaiveTime, TimeZone, Timelike};
use promptls_resolver::{Value, python_repr};

use super::cell::Cell;
use super::foreign::{Foreign, Instant};
use super::iso::{clock, instant_text, offset};

const DAY: i128 = 86_400_000_000_000;

/// `str` of a value; the error describes the defect of the column, as a suffix for its name.
pub(super) fn text(cell: &Cell) -> Result<String, String> {
    match cell {
        Cell::Plain(value) => Ok(value.as_text().map_or_else(|| python_repr(value), str::to_owned)),
        Cell::Foreign(foreign) => str_of(foreign),
        _ => repr(cell),
    }
}

fn repr(cell: &Cell) -> Result<String, String> {
    Ok(match cell {
        Cell::Plain(value) => python_repr(value),
        Cell::Foreign(foreign) => repr_of(foreign)?,
        Cell::List(items) => {
            let items = items.iter().map(repr).collect::<Result<Vec<String>, String>>()?;
            format!("[{}]", items.join(", "))
        }
        Cell::Struct(members) => {
            let member = |(name, member): &(String, Cell)| {
                Ok(format!("{}: {}", python_repr(&Value::from(name.as_str())), repr(member)?))
            };
            let members = members.iter().map(member).collect::<Result<Vec<String>, String>>()?;
            format!("{{{}}}", members.join(", "))
        }
        Cell::Map(entries) => {
            let entry =
                |(key, value): &(Cell, Cell)| Ok(format!("({}, {})", repr(key)?, repr(value)?));
            let entries = entries.iter().map(entry).collect::<Result<Vec<String>, String>>()?;
            format!("[{}]", entries.join(", "))
        }
    })
}

fn str_of(foreign: &Foreign) -> Result<String, String> {
    match foreign {
        Foreign::Decimal(decimal) => Ok(decimal.to_string()),
        Foreign::Date(date) => Ok(known(*date)?.to_string()),
        Foreign::Time(time) => Ok(clock(*time, false)),
        Foreign::Instant(instant) => {
            known(instant.local()?.0.date())?;
            instant_text(instant, " ")
        }
        Foreign::Duration { nanoseconds, unit: TimeUnit::Nanosecond } => {
            Ok(timedelta_of_pandas(*nanoseconds))
        }
        Foreign::Duration { nanoseconds, .. } => timedelta(*nanoseconds),
        Foreign::Bytes(_) | Foreign::Interval { .. } => repr_of(foreign),
    }
}

fn repr_of(foreign: &Foreign) -> Result<String, String> {
    Ok(match foreign {
        Foreign::Bytes(bytes) => bytes_repr(bytes),
        Foreign::Decimal(decimal) => format!("Decimal('{decimal}')"),
        Foreign::Date(date) => {
            format!("datetime.date({})", known(*date)?.format("%-Y, %-m, %-d"))
        }
        Foreign::Time(time) => format!("datetime.time({})", clock_arguments(*time)),
        Foreign::Instant(instant) if instant.unit == TimeUnit::Nanosecond => {
            timestamp_repr(instant)?
        }
        Foreign::Instant(instant) => datetime_repr(instant)?,
        Foreign::Duration { nanoseconds, unit: TimeUnit::Nanosecond } => {
            format!("Timedelta('{}')", timedelta_of_pandas(*nanoseconds))
        }
        Foreign::Duration { nanoseconds, .. } => timedelta_repr(*nanoseconds)?,
        Foreign::Interval { months, days, nanoseconds } => {
            format!("MonthDayNano(months={months}, days={days}, nanoseconds={nanoseconds})")
        }
    })
}

fn known(date: NaiveDate) -> Result<NaiveDate, String> {
    match (1..=9999).contains(&date.year()) {
        true => Ok(date),
        false => {
            Err("has a date outside of the years 1 to 9999, which Python does not support"
                .to_owned())
        }
    }
}

/// `datetime.datetime(2024, 2, 29, 12, 30, tzinfo=zoneinfo.ZoneInfo(key='UTC'))`
fn datetime_repr(instant: &Instant) -> Result<String, String> {
    let (local, east) = instant.local()?;
    let date = known(local.date())?.format("%-Y, %-m, %-d");
    let clock = clock_arguments(local.time());
    let Some(((_, name), east)) = instant.zone.as_ref().zip(east) else {
        return Ok(format!("datetime.datetime({date}, {clock})"));
    };
    let zone = match is_fixed(name) {
        false => format!("zoneinfo.ZoneInfo(key='{name}')"),
        true if east == 0 => "datetime.timezone.utc".to_owned(),
        true => format!("datetime.timezone({})", timedelta_repr(i128::from(east) * 1_000_000_000)?),
    };
    let fold = if is_second_of_two(instant, local, east) { ", fold=1" } else { "" };
    Ok(format!("datetime.datetime({date}, {clock}{fold}, tzinfo={zone})"))
}

/// The `repr` of a timestamp in pandas: `Timestamp('2024-02-29 12:30:00+0000', tz='UTC')`.
fn timestamp_repr(instant: &Instant) -> Result<String, String> {
    let (local, east) = instant.local()?;
    let text = format!("{} {}", known(local.date())?, clock(local.time(), true));
    let Some(((_, name), east)) = instant.zone.as_ref().zip(east) else {
        return Ok(format!("Timestamp('{text}')"));
    };
    let zone = match is_fixed(name) {
        false => name.clone(),
        true if east == 0 => "UTC".to_owned(),
        true => format!("UTC{}", offset(east, ":")),
    };
    Ok(format!("Timestamp('{text}{}', tz='{zone}')", offset(east, "")))
}

/// `true` if a zone is an offset from UTC, as in `+02:30`.
fn is_fixed(name: &str) -> bool {
    name.starts_with(['+', '-'])
}

/// `true` if clocks were turned back, so that this local time occurs for the second time.
fn is_second_of_two(instant: &Instant, local: NaiveDateTime, east: i32) -> bool {
    use chrono::{LocalResult, Offset};
    let Some((zone, _)) = &instant.zone else { return false };
    match zone.offset_from_local_datetime(&local) {
        LocalResult::Ambiguous(first, _) => first.fix().local_minus_utc() != east,
        _ => false,
    }
}

/// `12, 30, 1, 500000` without trailing zeros, except for hours and minutes.
fn clock_arguments(time: NaiveTime) -> String {
    let (hour, minute, second) = (time.hour(), time.minute(), time.second());
    match (second, time.nanosecond() / 1000) {
        (0, 0) => format!("{hour}, {minute}"),
        (_, 0) => format!("{hour}, {minute}, {second}"),
        (_, fraction) => format!("{hour}, {minute}, {second}, {fraction}"),
    }
}

/// Whole days and the rest; as in Python, the rest is never negative.
fn days_of(nanoseconds: i128) -> (i128, i128) {
    (nanoseconds.div_euclid(DAY), nanoseconds.rem_euclid(DAY))
}

fn days_of_python(nanoseconds: i128) -> Result<(i128, i128), String> {
    let (days, rest) = days_of(nanoseconds);
    match days.abs() <= 999_999_999 {
        true => Ok((days, rest)),
        false => Err("has a duration that is too long for Python".to_owned()),
    }
}

/// The `str` of a duration in Python: `1 day, 0:00:01.500000`.
fn timedelta(nanoseconds: i128) -> Result<String, String> {
    let (days, rest) = days_of_python(nanoseconds)?;
    let days = match days {
        0 => String::new(),
        1 | -1 => format!("{days} day, "),
        _ => format!("{days} days, "),
    };
    let (seconds, fraction) = (rest / 1_000_000_000, rest % 1_000_000_000 / 1000);
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    let fraction = if fraction == 0 { String::new() } else { format!(".{fraction:06}") };
    Ok(format!("{days}{hours}:{minutes:02}:{:02}{fraction}", seconds % 60))
}

/// The `repr` of a duration in Python: `datetime.timedelta(days=1, seconds=1)`.
fn timedelta_repr(nanoseconds: i128) -> Result<String, String> {
    let (days, rest) = days_of_python(nanoseconds)?;
    let parts = [
        ("days", days),
        ("seconds", rest / 1_000_000_000),
        ("microseconds", rest % 1_000_000_000 / 1000),
    ];
    let parts = parts.iter().filter(|(_, count)| *count != 0);
    let parts: Vec<String> = parts.map(|(unit, count)| format!("{unit}={count}")).collect();
    let parts = if parts.is_empty() { "0".to_owned() } else { parts.join(", ") };
    Ok(format!("datetime.timedelta({parts})"))
}

/// The `str` of a duration in pandas: `0 days 00:00:01.500000`.
fn timedelta_of_pandas(nanoseconds: i128) -> String {
    let (days, rest) = days_of(nanoseconds);
    let (seconds, fraction) = (rest / 1_000_000_000, rest % 1_000_000_000);
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    let fraction = match (fraction / 1000, fraction % 1000) {
        (0, 0) => String::new(),
        (micro, 0) => format!(".{micro:06}"),
        _ => format!(".{fraction:09}"),
    };
    let sign = if days < 0 { "+" } else { "" };
    format!("{days} days {sign}{hours:02}:{minutes:02}:{:02}{fraction}", seconds % 60)
}

fn bytes_repr(bytes: &[u8]) -> String {
    let quote = if bytes.contains(&b'\'') && !bytes.contains(&b'"') { '"' } else { '\'' };
    let mut text = format!("b{quote}");
    for &byte in bytes {
        match byte {
            b'\\' => text.push_str("\\\\"),
            b'\t' => text.push_str("\\t"),
            b'\n' => text.push_str("\\n"),
            b'\r' => text.push_str("\\r"),
            b'\'' if quote == '\'' => text.push_str("\\'"),
            b' '..=b'~' => text.push(char::from(byte)),
            _ => text.push_str(&format!("\\x{byte:02x}")),
        }
    }
    text.push(quote);
    text
}
