//! Number formats of the languages of engines.
//!
//! A number of an inputs file without a point and an exponent is an integer, any other a 64-bit
//! float.

use std::borrow::Cow;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Numbers {
    /// The text of the inputs file: `1.50` stays `1.50`.
    AsWritten,
    /// `toString` of Java's number classes, as from JDK 19 on.
    Java,
    /// The verb `%v` of Go's package `fmt`.
    Go,
    /// Python's `repr` of an `int` or a `float`.
    Python,
    /// `String`; all numbers are floats.
    JavaScript,
}

/// The parameters by which languages print floats differently.
struct Floats {
    /// The powers of ten that are printed without an exponent: from the first, up to but excluding
    /// the second.
    plain: (i32, i32),
    /// The suffix of an integral float.
    whole: &'static str,
    /// The suffix of an integral mantissa before an exponent.
    whole_mantissa: &'static str,
    /// The prefix of a non-negative exponent.
    exponent: &'static str,
    /// The prefix of a negative exponent.
    negative_exponent: &'static str,
    /// The minimum number of exponent digits.
    exponent_digits: usize,
    zero: &'static str,
    negative_zero: &'static str,
    /// Infinity, negative infinity, and not a number.
    not_finite: [&'static str; 3],
    /// The minimum number of printed digits.
    digits: usize,
}

const JAVA: Floats = Floats {
    plain: (-3, 7),
    whole: ".0",
    whole_mantissa: ".0",
    exponent: "E",
    negative_exponent: "E-",
    exponent_digits: 1,
    zero: "0.0",
    negative_zero: "-0.0",
    not_finite: ["Infinity", "-Infinity", "NaN"],
    digits: 2,
};

const GO: Floats = Floats {
    plain: (-4, 6),
    whole: "",
    whole_mantissa: "",
    exponent: "e+",
    negative_exponent: "e-",
    exponent_digits: 2,
    zero: "0",
    negative_zero: "-0",
    not_finite: ["+Inf", "-Inf", "NaN"],
    digits: 1,
};

const PYTHON: Floats = Floats {
    plain: (-4, 16),
    whole: ".0",
    zero: "0.0",
    negative_zero: "-0.0",
    not_finite: ["inf", "-inf", "nan"],
    ..GO
};

const JAVASCRIPT: Floats = Floats {
    plain: (-6, 21),
    exponent_digits: 1,
    zero: "0",
    negative_zero: "0",
    not_finite: ["Infinity", "-Infinity", "NaN"],
    ..GO
};

impl Numbers {
    /// A JSON number in this format.
    pub fn text(self, written: &str) -> Cow<'_, str> {
        let is_whole = is_whole(written);
        let floats = match self {
            Numbers::AsWritten => return Cow::Borrowed(written),
            Numbers::Java | Numbers::Python if is_whole => return whole(written),
            Numbers::Go if is_whole && fits_go(written) => return whole(written),
            Numbers::Java => &JAVA,
            Numbers::Go => &GO,
            Numbers::Python => &PYTHON,
            Numbers::JavaScript => &JAVASCRIPT,
        };
        // A JSON number always parses, at least as a float. An integer -0 does not exist in these
        // languages.
        match written.parse::<f64>() {
            Ok(value) => Cow::Owned(floats.print(if is_whole { value + 0.0 } else { value })),
            Err(_) => Cow::Borrowed(written),
        }
    }

    /// The index of a number in [`Floats::not_finite`]; `None` if it is finite.
    pub fn not_finite(self, written: &str) -> Option<usize> {
        if is_whole(written) && self != Numbers::JavaScript {
            return None;
        }
        not_finite(written.parse().ok()?)
    }
}

/// `true` if a number is in integer notation. `NaN` and `Infinity`, which only callers may supply,
/// are not.
pub(crate) fn is_whole(written: &str) -> bool {
    !written.contains(['.', 'e', 'E', 'N', 'I'])
}

/// Integers have no negative zero.
fn whole(written: &str) -> Cow<'_, str> {
    Cow::Borrowed(if written == "-0" { "0" } else { written })
}

/// `true` if an integer fits into an `int` or a `uint64`.
fn fits_go(written: &str) -> bool {
    written.parse::<i64>().is_ok() || written.parse::<u64>().is_ok()
}

fn not_finite(value: f64) -> Option<usize> {
    match value {
        _ if value.is_nan() => Some(2),
        f64::INFINITY => Some(0),
        f64::NEG_INFINITY => Some(1),
        _ => None,
    }
}

impl Floats {
    fn print(&self, value: f64) -> String {
        if let Some(which) = not_finite(value) {
            return self.not_finite[which].to_owned();
        }
        if value == 0.0 {
            let is_negative = value.is_sign_negative();
            return if is_negative { self.negative_zero } else { self.zero }.to_owned();
        }
        let written = shortest(value, self.digits);
        let (mantissa, exponent) = written.split_once('e').unwrap_or((&written, "0"));
        let exponent: i32 = exponent.parse().unwrap_or_default();
        let (sign, mantissa) = match mantissa.strip_prefix('-') {
            Some(mantissa) => ("-", mantissa),
            None => ("", mantissa),
        };
        let digits = mantissa.replace('.', "");
        let digits = match digits.trim_end_matches('0') {
            "" => "0",
            digits => digits,
        };
        let (from, to) = self.plain;
        if !(from..to).contains(&exponent) {
            let (first, others) = digits.split_at(1);
            let fraction = match others {
                "" => self.whole_mantissa.to_owned(),
                others => format!(".{others}"),
            };
            let before = if exponent < 0 { self.negative_exponent } else { self.exponent };
            let size = exponent.unsigned_abs();
            return format!("{sign}{first}{fraction}{before}{size:0>0$}", self.exponent_digits);
        }
        if exponent < 0 {
            let zeros = "0".repeat(exponent.unsigned_abs() as usize - 1);
            return format!("{sign}0.{zeros}{digits}");
        }
        let before_point = exponent as usize + 1;
        match digits.split_at_checked(before_point) {
            Some((before, "")) => format!("{sign}{before}{}", self.whole),
            Some((before, behind)) => format!("{sign}{before}.{behind}"),
            None => {
                let zeros = "0".repeat(before_point - digits.len());
                format!("{sign}{digits}{zeros}{}", self.whole)
            }
        }
    }
}

/// The shortest digits that parse to the same float, with a minimum number, and of those the
/// nearest to it: `-1.25e3`.
pub(crate) fn shortest(value: f64, at_least: usize) -> String {
    let shortest = format!("{value:e}");
    // Two may be equally near. All languages take the even one, as in rounding.
    let digits = shortest.bytes().take_while(|&byte| byte != b'e').filter(u8::is_ascii_digit);
    let nearest = format!("{value:.*e}", digits.count().max(at_least) - 1);
    if nearest.parse() == Ok(value) { nearest } else { shortest }
}
