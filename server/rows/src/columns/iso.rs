//! Times and durations in ISO 8601.

use arrow_schema::TimeUnit;
use chrono::{NaiveTime, Timelike};

use super::foreign::Instant;

/// `12:30:01`, with a fraction if there is one; for Python's times it has six digits.
pub(super) fn clock(time: NaiveTime, has_nanoseconds: bool) -> String {
    let fraction = match time.nanosecond() {
        0 => String::new(),
        nanoseconds if has_nanoseconds && nanoseconds % 1000 > 0 => format!(".{nanoseconds:09}"),
        nanoseconds if nanoseconds < 1000 => String::new(),
        nanoseconds => format!(".{:06}", nanoseconds / 1000),
    };
    format!("{}{fraction}", time.format("%H:%M:%S"))
}

/// A date, a time, and the offset from UTC if there is a zone.
pub(super) fn instant_text(instant: &Instant, between: &str) -> Result<String, String> {
    let (local, east) = instant.local()?;
    let offset = east.map_or(String::new(), |east| offset(east, ":"));
    let clock = clock(local.time(), instant.unit == TimeUnit::Nanosecond);
    Ok(format!("{}{between}{clock}{offset}", local.date()))
}

/// `+01:00`, with seconds if there are some.
pub(super) fn offset(east: i32, between: &str) -> String {
    let sign = if east < 0 { '-' } else { '+' };
    let (hours, rest) = (east.abs() / 3600, east.abs() % 3600);
    let seconds = match rest % 60 {
        0 => String::new(),
        seconds => format!("{between}{seconds:02}"),
    };
    format!("{sign}{hours:02}{between}{:02}{seconds}", rest / 60)
}

/// A duration in seconds: `PT90S`, `-PT0.5S`.
pub fn iso_duration(nanoseconds: i128) -> String {
    let sign = if nanoseconds < 0 { "-" } else { "" };
    let all = nanoseconds.unsigned_abs();
    let (seconds, fraction) = (all / 1_000_000_000, all % 1_000_000_000);
    let fraction = match fraction {
        0 => String::new(),
        fraction => format!(".{}", format!("{fraction:09}").trim_end_matches('0')),
    };
    format!("{sign}PT{seconds}{fraction}S")
}
