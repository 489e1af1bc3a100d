//! Values that inputs files cannot contain: decimals, bytes, dates, times and durations.

use std::fmt;

use arrow_array::cast::AsArray;
use arrow_array::temporal_conversions::{as_date, as_datetime, as_time};
use arrow_array::timezone::Tz;
use arrow_array::types::*;
use arrow_array::{Array, PrimitiveArray};
use arrow_schema::{DataType, IntervalUnit, TimeUnit};
use chrono::{NaiveDate, NaiveDateTime, NaiveTime};

/// A value that inputs files cannot contain.
pub(super) enum Foreign {
    Bytes(Vec<u8>),
    Decimal(Decimal),
    Date(NaiveDate),
    Time(NaiveTime),
    Instant(Instant),
    Duration { nanoseconds: i128, unit: TimeUnit },
    Interval { months: i32, days: i32, nanoseconds: i64 },
}

/// An integer times a power of ten.
pub(super) struct Decimal {
    pub is_negative: bool,
    pub digits: String,
    pub exponent: i32,
}

/// A point in time, or a local time if there is no zone.
pub(super) struct Instant {
    /// The time, in UTC if there is a zone.
    pub at: NaiveDateTime,
    /// The zone and its name.
    pub zone: Option<(Tz, String)>,
    pub unit: TimeUnit,
}

/// The value of a row that is not null; `None` for one that inputs files can contain.
pub(super) fn read(array: &dyn Array, row: usize) -> Result<Option<Foreign>, String> {
    use TimeUnit::{Microsecond, Millisecond, Nanosecond, Second};
    Ok(Some(match array.data_type() {
        DataType::Binary => Foreign::Bytes(array.as_binary::<i32>().value(row).to_owned()),
        DataType::LargeBinary => Foreign::Bytes(array.as_binary::<i64>().value(row).to_owned()),
        DataType::BinaryView => Foreign::Bytes(array.as_binary_view().value(row).to_owned()),
        DataType::FixedSizeBinary(_) => {
            Foreign::Bytes(array.as_fixed_size_binary().value(row).to_owned())
        }
        DataType::Decimal32(_, scale) => decimal::<Decimal32Type>(array, row, *scale),
        DataType::Decimal64(_, scale) => decimal::<Decimal64Type>(array, row, *scale),
        DataType::Decimal128(_, scale) => decimal::<Decimal128Type>(array, row, *scale),
        DataType::Decimal256(_, scale) => decimal::<Decimal256Type>(array, row, *scale),
        DataType::Date32 => date::<Date32Type>(array, row)?,
        DataType::Date64 => date::<Date64Type>(array, row)?,
        DataType::Time32(Second) => time::<Time32SecondType>(array, row)?,
        DataType::Time32(_) => time::<Time32MillisecondType>(array, row)?,
        DataType::Time64(Microsecond) => time::<Time64MicrosecondType>(array, row)?,
        DataType::Time64(_) => time::<Time64NanosecondType>(array, row)?,
        DataType::Timestamp(unit, zone) => {
            let at = match unit {
                Second => instant::<TimestampSecondType>(array, row),
                Millisecond => instant::<TimestampMillisecondType>(array, row),
                Microsecond => instant::<TimestampMicrosecondType>(array, row),
                Nanosecond => instant::<TimestampNanosecondType>(array, row),
            };
            let zone = zone.as_deref().map(zone_of).transpose()?;
            Foreign::Instant(Instant { at: at.ok_or_else(out_of_range)?, zone, unit: *unit })
        }
        DataType::Duration(unit) => {
            let (count, each) = match unit {
                Second => (native::<DurationSecondType>(array, row), 1_000_000_000),
                Millisecond => (native::<DurationMillisecondType>(array, row), 1_000_000),
                Microsecond => (native::<DurationMicrosecondType>(array, row), 1_000),
                Nanosecond => (native::<DurationNanosecondType>(array, row), 1),
            };
            Foreign::Duration { nanoseconds: i128::from(count) * each, unit: *unit }
        }
        DataType::Interval(IntervalUnit::YearMonth) => {
            let months = native::<IntervalYearMonthType>(array, row);
            Foreign::Interval { months, days: 0, nanoseconds: 0 }
        }
        DataType::Interval(IntervalUnit::DayTime) => {
            let IntervalDayTime { days, milliseconds } = native::<IntervalDayTimeType>(array, row);
            let nanoseconds = i64::from(milliseconds) * 1_000_000;
            Foreign::Interval { months: 0, days, nanoseconds }
        }
        DataType::Interval(IntervalUnit::MonthDayNano) => {
            let IntervalMonthDayNano { months, days, nanoseconds } =
                native::<IntervalMonthDayNanoType>(array, row);
            Foreign::Interval { months, days, nanoseconds }
        }
        _ => return Ok(None),
    }))
}

fn typed<T: ArrowPrimitiveType>(array: &dyn Array) -> &PrimitiveArray<T> {
    array.as_primitive::<T>()
}

fn native<T: ArrowPrimitiveType>(array: &dyn Array, row: usize) -> T::Native {
    typed::<T>(array).value(row)
}

fn decimal<T: DecimalType + ArrowPrimitiveType>(array: &dyn Array, row: usize, scale: i8) -> Foreign
where
    T::Native: fmt::Display,
{
    let written = native::<T>(array, row).to_string();
    let (is_negative, digits) = match written.strip_prefix('-') {
        Some(digits) => (true, digits.to_owned()),
        None => (false, written),
    };
    Foreign::Decimal(Decimal { is_negative, digits, exponent: -i32::from(scale) })
}

fn date<T: ArrowPrimitiveType>(array: &dyn Array, row: usize) -> Result<Foreign, String>
where
    i64: From<T::Native>,
{
    let date = as_date::<T>(native::<T>(array, row).into());
    date.map(Foreign::Date).ok_or_else(out_of_range)
}

fn time<T: ArrowPrimitiveType>(array: &dyn Array, row: usize) -> Result<Foreign, String>
where
    i64: From<T::Native>,
{
    let time = as_time::<T>(native::<T>(array, row).into());
    time.map(Foreign::Time).ok_or_else(out_of_range)
}

fn instant<T: ArrowPrimitiveType<Native = i64>>(
    array: &dyn Array,
    row: usize,
) -> Option<NaiveDateTime> {
    as_datetime::<T>(native::<T>(array, row))
}

fn zone_of(name: &str) -> Result<(Tz, String), String> {
    match name.parse() {
        Ok(zone) => Ok((zone, name.to_owned())),
        Err(_) => Err(format!("has the time zone `{name}`, which is unknown")),
    }
}

fn out_of_range() -> String {
    "has a time that is out of range".to_owned()
}

impl Instant {
    /// The local time, and the offset from UTC in seconds east.
    pub fn local(&self) -> Result<(NaiveDateTime, Option<i32>), String> {
        let Some((zone, _)) = &self.zone else { return Ok((self.at, None)) };
        let east = seconds_east(zone, &self.at);
        let local = self.at.checked_add_signed(chrono::TimeDelta::seconds(east.into()));
        Ok((local.ok_or_else(out_of_range)?, Some(east)))
    }
}

/// The offset of a zone from UTC at an instant, in seconds east.
fn seconds_east(zone: &Tz, at: &NaiveDateTime) -> i32 {
    use chrono::{Offset, TimeZone};
    zone.offset_from_utc_datetime(at).fix().local_minus_utc()
}

impl fmt::Display for Decimal {
    /// Follows the specification of decimal arithmetic, as Python and Java do.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Decimal { is_negative, digits, exponent } = self;
        let count = i32::try_from(digits.len()).unwrap_or(i32::MAX);
        let adjusted = exponent + count - 1;
        out.write_str(if *is_negative { "-" } else { "" })?;
        if *exponent <= 0 && adjusted >= -6 {
            let fraction = usize::try_from(-exponent).unwrap_or_default();
            let padded = format!("{digits:0>width$}", width = fraction + 1);
            let (whole, fraction) = padded.split_at(padded.len() - fraction);
            return match fraction {
                "" => out.write_str(whole),
                fraction => write!(out, "{whole}.{fraction}"),
            };
        }
        let (first, rest) = digits.split_at(1);
        let point = if rest.is_empty() { "" } else { "." };
        write!(out, "{first}{point}{rest}E{adjusted:+}")
    }
}
