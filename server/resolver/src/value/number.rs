//! Numbers in source form, compared without rounding.
//!
//! A number in an inputs file may have more digits than any machine type. It is compared by its
//! text: sign, then magnitude, then digits. All functions expect a number in JSON notation; for any
//! other text the result is unspecified, but they do not panic.

use std::cmp::Ordering;

/// The limit of exponents in both directions, so that adding the number of digits cannot overflow.
/// Numbers beyond compare as if they had this exponent.
const MAX_EXPONENT: i128 = 10_i128.pow(37);

/// `±0.DIGITS × 10^exponent`, with nonzero first and last digits.
struct Decimal<'a> {
    /// -1, 0 for zero, or 1.
    sign: i8,
    /// The digits before the decimal point, then those after it.
    digits: [&'a str; 2],
    exponent: i128,
}

impl<'a> Decimal<'a> {
    fn new(text: &'a str) -> Self {
        let (sign, text) = match text.as_bytes().first() {
            Some(b'-') => (-1, &text[1..]),
            Some(b'+') => (1, &text[1..]),
            _ => (1, text),
        };
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent_value(exponent)),
            None => (text, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));

        let mut whole = whole.trim_start_matches('0');
        let mut fraction = fraction.trim_end_matches('0');
        let exponent = if whole.is_empty() {
            let digits = fraction.trim_start_matches('0');
            let zeros = fraction.len() - digits.len();
            fraction = digits;
            exponent - zeros as i128
        } else {
            exponent + whole.len() as i128
        };
        if fraction.is_empty() {
            whole = whole.trim_end_matches('0');
        }
        if whole.is_empty() && fraction.is_empty() {
            return Decimal { sign: 0, digits: ["", ""], exponent: 0 };
        }
        Decimal { sign, digits: [whole, fraction], exponent }
    }

    fn digits(&self) -> impl Iterator<Item = u8> {
        self.digits.into_iter().flat_map(str::bytes)
    }
}

fn exponent_value(text: &str) -> i128 {
    let digits = text.trim_start_matches(['+', '-']);
    // A parse error means that it is too long: an exponent contains only digits.
    let size = digits.parse().unwrap_or(MAX_EXPONENT).min(MAX_EXPONENT);
    if text.starts_with('-') { -size } else { size }
}

/// Compares two numbers by value: `1`, `1.0` and `10e-1` are equal.
///
/// Exact for every number whose exponent has up to 37 digits. Cost: linear in
/// the length of the texts, whatever their size as numbers.
pub(crate) fn compare(a: &str, b: &str) -> Ordering {
    let (a, b) = (Decimal::new(a), Decimal::new(b));
    let sizes = || a.exponent.cmp(&b.exponent).then_with(|| a.digits().cmp(b.digits()));
    a.sign.cmp(&b.sign).then_with(|| if a.sign < 0 { sizes().reverse() } else { sizes() })
}

/// `true` if the number is zero: `0`, `-0.00`, `0e5`.
pub(crate) fn is_zero(text: &str) -> bool {
    let mantissa = text.split(['e', 'E']).next().unwrap_or_default();
    !mantissa.bytes().any(|byte| matches!(byte, b'1'..=b'9'))
}

/// The number as a count: `None` if it is negative or not an integer, the largest `u64` if it is
/// larger than that. `2.0` and `20e-1` are 2.
pub(crate) fn count(text: &str) -> Option<u64> {
    let number = Decimal::new(text);
    let written = number.digits.iter().map(|digits| digits.len()).sum::<usize>() as i128;
    if number.sign < 0 || number.exponent < written {
        return None;
    }
    // A `u64` has at most 20 digits; 30 of them fit into an `i128`.
    if number.exponent > 30 {
        return Some(u64::MAX);
    }
    let mut value = 0;
    let zeros = std::iter::repeat_n(b'0', (number.exponent - written) as usize);
    for digit in number.digits().chain(zeros) {
        value = value * 10 + i128::from(digit.wrapping_sub(b'0'));
    }
    Some(u64::try_from(value).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(a: &str, expected: Ordering, b: &str) {
        assert_eq!(compare(a, b), expected, "{a} and {b}");
        assert_eq!(compare(b, a), expected.reverse(), "{b} and {a}");
    }

    #[test]
    fn equal_numbers_may_have_different_texts() {
        for other in ["1", "1.0", "1e0", "10e-1", "0.1E+1", "1.000", "100e-2", "0.001e3"] {
            check("1", Ordering::Equal, other);
        }
    }

    #[test]
    fn every_zero_is_equal() {
        for other in ["0", "-0", "0.0", "-0.00", "0e5", "0e-99999999999999999999999"] {
            check("0", Ordering::Equal, other);
            assert!(is_zero(other), "{other}");
        }
    }

    #[test]
    fn small_numbers_are_not_zero() {
        for other in ["1", "-1", "0.01", "0e1e1", "1e-400", "10"] {
            assert_eq!(is_zero(other), other == "0e1e1", "{other}");
        }
    }

    #[test]
    fn signs_are_compared_first() {
        check("-2", Ordering::Less, "1");
        check("-2", Ordering::Less, "-1");
        check("-1", Ordering::Less, "0");
        check("0", Ordering::Less, "1e-9");
    }

    #[test]
    fn numbers_that_look_equal_as_floats_differ() {
        check("9007199254740993", Ordering::Greater, "9007199254740992");
        check("0.1", Ordering::Less, "0.1000000000000000000000000001");
        check("1e400", Ordering::Less, "1e401");
        check("1e-400", Ordering::Greater, "1e-401");
    }

    #[test]
    fn huge_exponents_are_compared_quickly() {
        check("1e999999999", Ordering::Greater, "9e999999998");
        check("-1e999999999", Ordering::Less, "1e-999999999");
        let endless = format!("1e{}", "9".repeat(1000));
        check(&endless, Ordering::Greater, "1e999999999");
    }

    #[test]
    fn counts_are_non_negative_integers() {
        for (text, expected) in [
            ("0", Some(0)),
            ("-0", Some(0)),
            ("20", Some(20)),
            ("2.0", Some(2)),
            ("1.5e1", Some(15)),
            ("1.5", None),
            ("-1", None),
            ("1e-1", None),
            ("18446744073709551615", Some(u64::MAX)),
            ("18446744073709551616", Some(u64::MAX)),
            ("1e999999999999", Some(u64::MAX)),
        ] {
            assert_eq!(count(text), expected, "{text}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(10_000))]

        /// For exact floats, both comparisons agree.
        #[test]
        fn agrees_with_floats(a in -1000_i32..1000, b in -1000_i32..1000, e in 0_usize..3, f in 0_usize..3) {
            // Quarters are exact in binary.
            let text = |n: i32, decimals| format!("{:.*}", 2 + decimals, f64::from(n) / 4.0);
            let float = f64::from(a).partial_cmp(&f64::from(b)).unwrap();
            prop_assert_eq!(compare(&text(a, e), &text(b, f)), float);
            prop_assert_eq!(compare(&format!("{a}e7"), &format!("{b}0e6")), float);
        }

        /// No text causes a panic.
        #[test]
        fn never_panics(a in ".*", b in "[-+0-9.eE]*") {
            compare(&a, &b);
            is_zero(&a);
            count(&a);
            count(&b);
        }
    }
}
