//! Integers, as `format(value, SPEC)` prints them.
//!
//! Source: CPython `Python/formatter_unicode.c`, `format_long_internal`.

use super::float;
use super::layout::{NumberParts, laid_out};
use super::parsed::{Spec, SpecError};

/// An integer of any size: `digits` are decimal, without zeros before them.
///
/// `None` for a type that is none of an integer.
pub(super) fn format(
    is_negative: bool,
    digits: &str,
    spec: &Spec,
) -> Option<Result<String, SpecError>> {
    Some(match spec.kind {
        Some('d' | 'n' | 'b' | 'o' | 'x' | 'X' | 'c') => of_integer(is_negative, digits, spec),
        Some('e' | 'E' | 'f' | 'F' | 'g' | 'G' | '%') => {
            let value: f64 = digits.parse().unwrap_or(f64::INFINITY);
            match value.is_finite() {
                true => Ok(float::format(if is_negative { -value } else { value }, spec)),
                false => Err(SpecError::of("int too large to convert to float")),
            }
        }
        _ => return None,
    })
}

fn of_integer(is_negative: bool, digits: &str, spec: &Spec) -> Result<String, SpecError> {
    if spec.precision.is_some() {
        return Err(SpecError::of("Precision not allowed in integer format specifier"));
    }
    if spec.has_no_negative_zero {
        return Err(SpecError::of(
            "Negative zero coercion (z) not allowed in integer format specifier",
        ));
    }
    let (base, prefix) = match spec.kind {
        Some('c') => {
            let character = character(is_negative, digits, spec)?;
            let rest = character.encode_utf8(&mut [0; 4]).to_owned();
            return Ok(laid_out(&NumberParts { rest: &rest, ..NumberParts::default() }, spec));
        }
        Some('b') => (2, "0b"),
        Some('o') => (8, "0o"),
        Some('x') => (16, "0x"),
        Some('X') => (16, "0X"),
        _ => (10, ""),
    };
    let mut digits = in_base(digits, base);
    if spec.kind == Some('X') {
        digits.make_ascii_uppercase();
    }
    let prefix = if spec.is_alternate { prefix } else { "" };
    Ok(laid_out(&NumberParts { is_negative, prefix, digits: &digits, rest: "" }, spec))
}

/// The character for an integer: `c`.
fn character(is_negative: bool, digits: &str, spec: &Spec) -> Result<char, SpecError> {
    const END: &str = "not allowed with integer format specifier 'c'";
    if spec.sign.is_some() {
        return Err(SpecError::Type(format!("Sign {END}")));
    }
    if spec.is_alternate {
        return Err(SpecError::Type(format!("Alternate form (#) {END}")));
    }
    let sign = if is_negative { "-" } else { "" };
    let code: i64 = format!("{sign}{digits}")
        .parse()
        .map_err(|_| SpecError::of("Python int too large to convert to C long"))?;
    let code = u32::try_from(code).ok().filter(|code| *code < 0x11_0000);
    let code = code.ok_or_else(|| SpecError::of("%c arg not in range(0x110000)"))?;
    // Half of a surrogate pair cannot be part of a text that is sent.
    Ok(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER))
}

/// Decimal digits in another base.
///
/// Cost: the square of their number.
fn in_base(digits: &str, base: u32) -> String {
    if base == 10 {
        return digits.to_owned();
    }
    // Nine decimal digits each, the most significant first.
    let first = digits.len() % 9;
    let (head, tail) = digits.split_at(first);
    let limbs = std::iter::once(head).filter(|head| !head.is_empty());
    let limbs = limbs.chain((0..tail.len() / 9).map(|at| &tail[9 * at..9 * at + 9]));
    let mut limbs: Vec<u64> = limbs.map(|limb| limb.parse().unwrap_or_default()).collect();
    let mut reversed = String::new();
    while !limbs.is_empty() {
        let mut remainder = 0;
        for limb in &mut limbs {
            let value = remainder * 1_000_000_000 + *limb;
            (*limb, remainder) = (value / u64::from(base), value % u64::from(base));
        }
        let zeros = limbs.iter().take_while(|limb| **limb == 0).count();
        limbs.drain(..zeros);
        let digit = u32::try_from(remainder).ok().and_then(|it| char::from_digit(it, base));
        reversed.extend(digit);
    }
    reversed.chars().rev().collect()
}
