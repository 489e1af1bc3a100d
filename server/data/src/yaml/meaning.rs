//! Scalars in the core schema of YAML, and numbers in JSON notation.

use std::borrow::Cow;

use saphyr_parser::{ScalarStyle, Tag};

use crate::tree::NodeValue;

/// The prefix of the full names of YAML's own tags.
const OWN_TAGS: &str = "tag:yaml.org,2002:";

/// The meaning of a scalar, or the reason why its tag is invalid for it.
pub(super) fn scalar<'s>(
    text: Cow<'s, str>,
    style: ScalarStyle,
    tag: Option<&Tag>,
) -> Result<NodeValue<'s>, String> {
    let is_plain = style == ScalarStyle::Plain;
    let Some(Tag { handle, suffix }) = tag else {
        return Ok(if is_plain { plain(text) } else { string(text, true) });
    };
    let name = format!("{handle}{suffix}");
    let Some(name) = name.strip_prefix(OWN_TAGS) else {
        return Ok(match &*name {
            // The bare `!` tag forces a string.
            "!" => string(text, true),
            // All other tags are application-specific.
            _ if is_plain => uncertain(plain(text)),
            _ => string(text, false),
        });
    };
    let kind = match name {
        "str" => return Ok(string(text, true)),
        "null" | "bool" | "int" | "float" => uncertain(plain(text.clone())),
        _ if is_plain => return Ok(uncertain(plain(text))),
        _ => return Ok(string(text, false)),
    };
    let fits = match (name, &kind) {
        ("null", NodeValue::Null) | ("bool", NodeValue::Bool(_)) => true,
        ("int", NodeValue::Number(number)) => !number.contains(['.', 'e', 'E']),
        ("float", NodeValue::Number(_)) => true,
        ("float", NodeValue::String { .. }) => is_not_finite(&text),
        _ => false,
    };
    match fits {
        true => Ok(kind),
        false => Err(format!("this value does not match its tag `!!{name}`")),
    }
}

fn string(text: Cow<'_, str>, is_certain: bool) -> NodeValue<'_> {
    NodeValue::String { text, is_certain }
}

/// A value that a tag may convert into another one.
fn uncertain(kind: NodeValue<'_>) -> NodeValue<'_> {
    match kind {
        NodeValue::String { text, .. } => string(text, false),
        kind => kind,
    }
}

/// The meaning of a plain scalar in the core schema.
pub(super) fn plain(text: Cow<'_, str>) -> NodeValue<'_> {
    match &*text {
        "" | "~" | "null" | "Null" | "NULL" => NodeValue::Null,
        "true" | "True" | "TRUE" => NodeValue::Bool(true),
        "false" | "False" | "FALSE" => NodeValue::Bool(false),
        _ => match number(&text) {
            Some(number) if number == *text => NodeValue::Number(text),
            Some(number) => NodeValue::Number(number.into()),
            None => {
                let is_certain = !may_be_another_value(&text);
                string(text, is_certain)
            }
        },
    }
}

/// `true` if some YAML 1.1 parser reads a plain string as another value: a boolean, a number, a
/// time.
fn may_be_another_value(text: &str) -> bool {
    const WORDS: [&str; 8] = ["null", "true", "false", "yes", "no", "on", "off", "="];
    // A text of only these characters is no prompt, so a false positive does no harm.
    let is_numeric = || {
        text.starts_with(|char: char| char.is_ascii_digit() || "+-.".contains(char))
            && !text.bytes().any(|byte| matches!(byte, b'{' | b'}' | b'$'))
            && text.split(' ').all(|word| {
                word.bytes()
                    .all(|byte| byte.is_ascii_hexdigit() || b"xoTZinfNa+-.:_".contains(&byte))
            })
    };
    WORDS.iter().any(|word| word.eq_ignore_ascii_case(text)) || is_numeric()
}

fn is_not_finite(text: &str) -> bool {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    matches!(unsigned, ".inf" | ".Inf" | ".INF") || matches!(text, ".nan" | ".NaN" | ".NAN")
}

/// The JSON notation of a number of the core schema; `None` for all other texts.
fn number(text: &str) -> Option<String> {
    if !text.starts_with(|char: char| char.is_ascii_digit() || "+-.".contains(char)) {
        return None;
    }
    let in_base = |digits: &str, base| match digits.starts_with('+') {
        true => None,
        false => u128::from_str_radix(digits, base).ok().map(|value| value.to_string()),
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
        return Some(text.to_owned());
    }
    let sign = if text.starts_with('-') { "-" } else { "" };
    let whole = match whole.trim_start_matches('0') {
        "" => "0",
        digits => digits,
    };
    Some(match fraction {
        None => format!("{sign}{whole}{exponent}"),
        Some("") => format!("{sign}{whole}.0{exponent}"),
        Some(fraction) => format!("{sign}{whole}.{fraction}{exponent}"),
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn numbers_that_json_cannot_write_become_json() {
        for (text, expected) in [
            ("0x1F", "31"),
            ("0o17", "15"),
            ("0xffffffffffffffffffffffffffffffff", "340282366920938463463374607431768211455"),
            ("+1", "1"),
            ("007", "7"),
            ("-00", "-0"),
            (".5", "0.5"),
            ("+.5", "0.5"),
            ("-.5e3", "-0.5e3"),
            ("5.", "5.0"),
            ("5.e3", "5.0e3"),
            ("00.50", "0.50"),
        ] {
            assert_eq!(plain(text.into()), NodeValue::Number(expected.into()), "{text}");
        }
    }

    #[test]
    fn numbers_that_json_does_not_have_are_strings() {
        for text in [
            ".inf",
            "-.Inf",
            ".NAN",
            ".",
            "-",
            "+",
            "e5",
            ".e5",
            "1e",
            "1e+",
            "1_000",
            "0x",
            "0x+1",
            "-0x1",
            "0b1",
            "0o8",
            "1:30",
            "1.2.3",
            "12a",
            "2001-01-01",
            "0x100000000000000000000000000000000",
        ] {
            assert!(matches!(plain(text.into()), NodeValue::String { .. }), "{text}");
        }
    }

    proptest! {
        /// Each number is valid in JSON, too.
        #[test]
        fn every_number_is_valid_json(text in "[-+]?[0-9]{0,3}(\\.[0-9]{0,3})?([eE][-+]?[0-9]{1,2})?|0[xo][0-9a-fA-F]{1,40}") {
            if let NodeValue::Number(number) = plain((&*text).into()) {
                prop_assert!(serde_json::from_str::<serde_json::Number>(&number).is_ok(), "{number}");
            }
        }
    }
}
