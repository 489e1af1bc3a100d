//! Floats, as `format(value, SPEC)` prints them.
//!
//! Source: CPython `Python/pystrtod.c`, `format_float_short`, and `Python/formatter_unicode.c`,
//! `format_float_internal`.

use super::layout::{NumberParts, laid_out};
use super::parsed::Spec;
use crate::string_form::shortest;

/// The precision of `e`, `f`, `g` and `%` if none is given.
const DEFAULT_PRECISION: usize = 6;

/// More digits than any finite float has: the others are zeros.
const MAX_DIGITS: usize = 1100;

/// A float in a specification whose type is one of a float.
pub(super) fn format(value: f64, spec: &Spec) -> String {
    let kind = spec.kind.map(|kind| if kind == 'n' { 'g' } else { kind });
    let (value, suffix) = if kind == Some('%') { (value * 100.0, "%") } else { (value, "") };
    let is_upper = kind.is_some_and(char::is_uppercase);
    let mut printed = Printed {
        value: value.abs(),
        is_alternate: spec.is_alternate,
        has_fraction: kind.is_none(),
    };
    let mut text = match kind.map(|kind| kind.to_ascii_lowercase()) {
        _ if value.is_nan() => "nan".to_owned(),
        _ if value.is_infinite() => "inf".to_owned(),
        Some('e') => printed.scientific(spec.precision.unwrap_or(DEFAULT_PRECISION)),
        Some('f' | '%') => printed.fixed(spec.precision.unwrap_or(DEFAULT_PRECISION)),
        Some(_) => printed.general(spec.precision.unwrap_or(DEFAULT_PRECISION)),
        None => match spec.precision {
            Some(precision) => printed.general(precision),
            None => printed.shortest(),
        },
    };
    if is_upper {
        text.make_ascii_uppercase();
    }
    let is_zero =
        || !text.bytes().any(|byte| matches!(byte, b'1'..=b'9' | b'a'..=b'z' | b'A'..=b'Z'));
    let mantissa_is_zero = is_zero() || is_zero_with_exponent(&text);
    let is_negative = value.is_sign_negative()
        && !value.is_nan()
        && !(spec.has_no_negative_zero && mantissa_is_zero && value.is_finite());
    text.push_str(suffix);
    let split = text.bytes().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at(split);
    laid_out(&NumberParts { is_negative, prefix: "", digits, rest }, spec)
}

/// `true` for a zero such as `0.00e+00`.
fn is_zero_with_exponent(text: &str) -> bool {
    let mantissa = text.split(['e', 'E']).next().unwrap_or_default();
    mantissa.bytes().all(|byte| matches!(byte, b'0' | b'.'))
}

/// A finite float without a sign.
struct Printed {
    value: f64,
    is_alternate: bool,
    /// A plain number has at least one digit after the point.
    has_fraction: bool,
}

impl Printed {
    /// The form of `e`: one digit before the point.
    fn scientific(&mut self, precision: usize) -> String {
        let (digits, exponent) = self.digits(precision + 1);
        self.with_exponent(&digits, exponent)
    }

    /// The form of `f`: no exponent.
    fn fixed(&mut self, precision: usize) -> String {
        let exact = precision.min(MAX_DIGITS);
        let mut text = format!("{:.exact$}", self.value);
        text.extend(std::iter::repeat_n('0', precision - exact));
        if precision == 0 && self.is_alternate {
            text.push('.');
        }
        text
    }

    /// `g`, and no type with a precision.
    fn general(&mut self, precision: usize) -> String {
        let precision = precision.max(1);
        let (mut digits, exponent) = self.digits(precision);
        let point = i64::from(exponent) + 1;
        let longest = i64::try_from(precision).unwrap_or(i64::MAX) - i64::from(self.has_fraction);
        if !self.is_alternate {
            strip_zeros(&mut digits);
        }
        match point <= -4 || point > longest {
            true => self.with_exponent(&digits, exponent),
            false => self.plain(&digits, point),
        }
    }

    /// No type without a precision: `repr`.
    fn shortest(&mut self) -> String {
        let text = shortest(self.value, 1);
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let exponent: i32 = exponent.parse().unwrap_or_default();
        let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
        let point = i64::from(exponent) + 1;
        match point <= -4 || point > 16 {
            true => self.with_exponent(&digits, exponent),
            false => self.plain(&digits, point),
        }
    }

    /// The first digits, rounded half to even on the exact value, and the exponent of the first.
    fn digits(&self, count: usize) -> (String, i32) {
        let exact = (count - 1).min(MAX_DIGITS);
        let text = format!("{:.exact$e}", self.value);
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let mut digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
        digits.extend(std::iter::repeat_n('0', count - 1 - exact));
        (digits, exponent.parse().unwrap_or_default())
    }

    /// Digits with the point after the first, and the exponent.
    fn with_exponent(&self, digits: &str, exponent: i32) -> String {
        let (first, others) = digits.split_at(1);
        let point = if !others.is_empty() || self.is_alternate { "." } else { "" };
        let sign = if exponent < 0 { '-' } else { '+' };
        format!("{first}{point}{others}e{sign}{:02}", exponent.unsigned_abs())
    }

    /// Digits with the point after a number of them, which may be negative.
    fn plain(&self, digits: &str, point: i64) -> String {
        let mut text = String::new();
        let after: &str;
        match usize::try_from(point) {
            Ok(whole) if whole > 0 => {
                let split = whole.min(digits.len());
                text.push_str(&digits[..split]);
                text.extend(std::iter::repeat_n('0', whole - split));
                after = &digits[split..];
                if !after.is_empty() || self.has_fraction || self.is_alternate {
                    text.push('.');
                }
            }
            _ => {
                text.push_str("0.");
                let zeros = usize::try_from(-point).unwrap_or_default();
                text.extend(std::iter::repeat_n('0', zeros));
                after = digits;
            }
        }
        text.push_str(after);
        if text.ends_with('.') && self.has_fraction {
            text.push('0');
        }
        text
    }
}

/// Removes zeros at the end, except for the first digit.
fn strip_zeros(digits: &mut String) {
    let len = digits.trim_end_matches('0').len().max(1);
    digits.truncate(len);
}
