//! What scalars mean in YAML's core schema, and how numbers are written as JSON.

use saphyr_parser::{ScalarStyle, Tag};

use crate::value::ValueKind;

/// What a scalar means, or why it cannot mean what its tag says.
pub(super) fn scalar(
    text: &str,
    style: ScalarStyle,
    tag: Option<&Tag>,
) -> Result<ValueKind, String> {
    let string = || ValueKind::String(text.into());
    let by_style = || match style {
        ScalarStyle::Plain => plain(text),
        _ => string(),
    };
    let Some(Tag { handle, suffix }) = tag else {
        return Ok(by_style());
    };

    let name = format!("{handle}{suffix}");
    let Some(name) = name.strip_prefix("tag:yaml.org,2002:") else {
        // `!` alone means: not what it looks like. All other tags are somebody else's.
        return Ok(if name == "!" { string() } else { by_style() });
    };
    let kind = match name {
        "str" => return Ok(string()),
        "null" | "bool" | "int" | "float" => plain(text),
        _ => return Ok(by_style()),
    };
    let fits = match (name, &kind) {
        ("null", ValueKind::Null) | ("bool", ValueKind::Bool(_)) => true,
        ("int", ValueKind::Number(number)) => !number.contains(['.', 'e', 'E']),
        ("float", ValueKind::Number(_)) => true,
        ("float", ValueKind::String(_)) => is_not_finite(text),
        _ => false,
    };
    match fits {
        true => Ok(kind),
        false => Err(format!("this is not what its tag `!!{name}` says")),
    }
}

/// What a plain scalar means in the core schema.
pub(super) fn plain(text: &str) -> ValueKind {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => ValueKind::Null,
        "true" | "True" | "TRUE" => ValueKind::Bool(true),
        "false" | "False" | "FALSE" => ValueKind::Bool(false),
        _ => match number(text) {
            Some(number) => ValueKind::Number(number),
            None => ValueKind::String(text.into()),
        },
    }
}

fn is_not_finite(text: &str) -> bool {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    matches!(unsigned, ".inf" | ".Inf" | ".INF") || matches!(text, ".nan" | ".NaN" | ".NAN")
}

/// The JSON text of a number of the core schema; `None` for all other texts.
fn number(text: &str) -> Option<Box<str>> {
    if !text.starts_with(|char: char| char.is_ascii_digit() || "+-.".contains(char)) {
        return None;
    }
    let in_base = |digits: &str, base| match digits.starts_with('+') {
        true => None,
        false => u128::from_str_radix(digits, base).ok().map(|value| value.to_string().into()),
    };
    if let Some(digits) = text.strip_prefix("0x") {
        return in_base(digits, 16);
    }
    if let Some(digits) = text.strip_prefix("0o") {
        return in_base(digits, 8);
    }

    let all_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (mantissa, exponent) = match unsigned.find(['e', 'E']) {
        Some(at) => unsigned.split_at(at),
        None => (unsigned, ""),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let has_digits = !whole.is_empty() || fraction.is_some_and(|fraction| !fraction.is_empty());
    if !has_digits || !all_digits(whole) || !all_digits(fraction.unwrap_or_default()) {
        return None;
    }
    if let Some(exponent) = exponent.get(1..) {
        let digits = exponent.strip_prefix(['-', '+']).unwrap_or(exponent);
        if digits.is_empty() || !all_digits(digits) {
            return None;
        }
    }

    let is_json = !text.starts_with('+')
        && (whole == "0" || !whole.is_empty() && !whole.starts_with('0'))
        && fraction != Some("");
    if is_json {
        return Some(text.into());
    }
    let sign = if text.starts_with('-') { "-" } else { "" };
    let whole = match whole.trim_start_matches('0') {
        "" => "0",
        digits => digits,
    };
    Some(match fraction {
        None => format!("{sign}{whole}{exponent}").into(),
        Some("") => format!("{sign}{whole}.0{exponent}").into(),
        Some(fraction) => format!("{sign}{whole}.{fraction}{exponent}").into(),
    })
}
