//! Padding, and grouping of digits.
//!
//! Source: CPython `Python/formatter_unicode.c`, `calc_number_widths`, and
//! `Objects/unicodeobject.c`, `_PyUnicode_InsertThousandsGrouping`.

use super::parsed::Spec;

/// The parts of a number in source order.
#[derive(Debug, Default)]
pub(super) struct NumberParts<'n> {
    pub is_negative: bool,
    /// The prefix of a base: `0x`.
    pub prefix: &'n str,
    /// The digits before the point.
    pub digits: &'n str,
    /// All that follows the digits: the point, an exponent, `%`, `inf`.
    pub rest: &'n str,
}

/// A text, cut and padded to the width.
pub(super) fn padded_text(text: &str, spec: &Spec) -> String {
    let missing = spec.width.unwrap_or(0).saturating_sub(text.chars().count());
    let left = match spec.align {
        '>' => missing,
        '^' => missing / 2,
        _ => 0,
    };
    let fill = |times: usize| std::iter::repeat_n(spec.fill, times);
    fill(left).chain(text.chars()).chain(fill(missing - left)).collect()
}

/// A number with sign, prefix, groups and padding.
pub(super) fn laid_out(number: &NumberParts<'_>, spec: &Spec) -> String {
    let sign = match (spec.sign, number.is_negative) {
        (_, true) => "-",
        (Some('+'), false) => "+",
        (Some(' '), false) => " ",
        _ => "",
    };
    let around = sign.len() + number.prefix.len() + number.rest.chars().count();
    let width = spec.width.unwrap_or(0);
    let fills_with_digits = spec.fill == '0' && spec.align == '=';
    let min_width = if fills_with_digits { width.saturating_sub(around) } else { 0 };
    let digits = match number.digits {
        // `inf`, or a character.
        "" => String::new(),
        digits => grouped(digits, min_width, spec.grouping),
    };
    let missing = width.saturating_sub(around + digits.chars().count());
    let [left, inner] = match spec.align {
        '<' => [0, 0],
        '^' => [missing / 2, 0],
        '=' => [0, missing],
        _ => [missing, 0],
    };
    let fill = |times: usize| std::iter::repeat_n(spec.fill, times);
    let mut out = String::with_capacity(width.max(around + digits.len()));
    out.extend(fill(left));
    out.push_str(sign);
    out.push_str(number.prefix);
    out.extend(fill(inner));
    out.push_str(&digits);
    out.push_str(number.rest);
    out.extend(fill(missing - left - inner));
    out
}

/// Digits with separators, and zeros before them up to a width. A separator is never the first
/// character, so that the result may be wider.
fn grouped(digits: &str, min_width: usize, grouping: Option<(char, usize)>) -> String {
    let Some((separator, size)) = grouping else { return format!("{digits:0>min_width$}") };
    let mut rest = digits.as_bytes().iter().rev().copied();
    let (mut left, mut width) = (digits.len(), min_width);
    // From the right.
    let mut reversed = String::new();
    loop {
        let len = size.min(left.max(width).max(1));
        for _ in 0..len {
            reversed.push(rest.next().map_or('0', char::from));
        }
        left = left.saturating_sub(len);
        width = width.saturating_sub(len);
        if left == 0 && width == 0 {
            break;
        }
        width = width.saturating_sub(1);
        reversed.push(separator);
    }
    reversed.chars().rev().collect()
}
