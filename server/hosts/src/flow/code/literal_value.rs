//! The literal that code assigns to a key: `state["city"] = "Rome"`, `Map.of("city", "Rome")`.

use super::super::access::LiteralValue;
use crate::code::Tokens;
use crate::decode;

/// The maximum length of a text, in bytes. A longer one is no example of a value.
const MAX_TEXT: usize = 1_000;

/// The maximum number of tokens of a number.
const MAX_TOKENS: usize = 5;

/// The literal after the key at a token; `None` for any other value.
pub(crate) fn assigned(tokens: &Tokens<'_>, key: usize) -> Option<LiteralValue> {
    let sign = match tokens.text(key + 1) {
        "]" => key + 2,
        _ => key + 1,
    };
    if !matches!(tokens.text(sign), "=" | ":" | "to" | ",") {
        return None;
    }
    let start = sign + 1;
    let is_end = |at: &usize| {
        matches!(tokens.text(*at), "" | "," | ")" | "}" | ";") || tokens.starts_line(*at)
    };
    let end = (start + 1..start + MAX_TOKENS).find(is_end)?;
    let range = tokens.range(start..end);
    let written = &tokens.source[range.clone()];
    if end == start + 1 && tokens.is_literal(start) {
        let text = decode::decode(tokens.language, tokens.source, range)?;
        let is_known = text.holes().next().is_none() && text.text().len() <= MAX_TEXT;
        return is_known.then(|| LiteralValue::Text(text.text().into()));
    }
    match written {
        "true" | "True" => Some(LiteralValue::Bool(true)),
        "false" | "False" => Some(LiteralValue::Bool(false)),
        _ => is_number(written).then(|| LiteralValue::Number(written.into())),
    }
}

/// `true` for a number that JSON writes in the same way.
fn is_number(written: &str) -> bool {
    let (whole, fraction) = written.split_once('.').unwrap_or((written, "0"));
    let whole = whole.strip_prefix('-').unwrap_or(whole);
    let are_digits = |text: &str| !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
    are_digits(whole) && are_digits(fraction) && (whole == "0" || !whole.starts_with('0'))
}
