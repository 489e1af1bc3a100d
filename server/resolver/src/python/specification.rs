//! `format(value, SPEC)` of Python, for values of JSON.

mod float;
mod integer;
mod layout;
mod parsed;

pub(crate) use parsed::SpecError;
pub(crate) use parsed::decimal_digit;
use parsed::{Defaults, Spec, in_message};

use crate::output::Bounded;
use crate::string_form::{StringForm, is_whole};
use crate::value::{Value, ValueKind};

/// A value to format: of the inputs, or after a conversion.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Formatted<'v> {
    /// A value of the inputs.
    Value(&'v Value),
    /// The text that a conversion made.
    Text(&'v str),
}

/// `format(value, spec)`; `has_z` is `true` from Python 3.11 on.
pub(crate) fn format(value: Formatted<'_>, spec: &str, has_z: bool) -> Result<String, SpecError> {
    let value = match value {
        Formatted::Text(text) => return format_text(text, spec, has_z),
        Formatted::Value(value) => value,
    };
    if let Some(text) = value.as_text() {
        return format_text(text, spec, has_z);
    }
    if spec.is_empty() {
        let mut out = Bounded::new(usize::MAX, 0);
        StringForm::PYTHON.write(value, &mut out);
        return Ok(out.text);
    }
    let type_name = match &value.kind {
        ValueKind::Bool(value) => {
            return format_integer(false, if *value { "1" } else { "0" }, "bool", spec, has_z);
        }
        ValueKind::Number(written) if is_whole(written) => {
            let digits = written.strip_prefix('-');
            let is_negative =
                digits.is_some() && written.bytes().any(|it| (b'1'..=b'9').contains(&it));
            let digits = digits.unwrap_or(written).trim_start_matches('0');
            let digits = if digits.is_empty() { "0" } else { digits };
            return format_integer(is_negative, digits, "int", spec, has_z);
        }
        ValueKind::Number(written) => return format_float(written, spec, has_z),
        ValueKind::Null => "NoneType",
        ValueKind::List(_) => "list",
        _ => "dict",
    };
    Err(SpecError::unsupported(type_name))
}

fn format_text(text: &str, spec: &str, has_z: bool) -> Result<String, SpecError> {
    if spec.is_empty() {
        return Ok(text.to_owned());
    }
    let defaults = Defaults { align: '<', kind: Some('s'), type_name: "str" };
    let spec = Spec::parse(spec, defaults, has_z)?;
    if spec.kind != Some('s') {
        return Err(unknown_kind(&spec, "str"));
    }
    let refused = [
        (spec.sign == Some(' '), "Space"),
        (spec.sign.is_some(), "Sign"),
        (spec.has_no_negative_zero, "Negative zero coercion (z)"),
        (spec.is_alternate, "Alternate form (#)"),
        (spec.align == '=', "'=' alignment"),
    ];
    if let Some((_, what)) = refused.into_iter().find(|(is_refused, _)| *is_refused) {
        return Err(SpecError::Type(format!("{what} not allowed in string format specifier")));
    }
    let end = spec.precision.and_then(|most| text.char_indices().nth(most));
    let text = end.map_or(text, |(end, _)| &text[..end]);
    Ok(layout::padded_text(text, &spec))
}

fn format_integer(
    is_negative: bool,
    digits: &str,
    type_name: &'static str,
    spec: &str,
    has_z: bool,
) -> Result<String, SpecError> {
    let defaults = Defaults { align: '>', kind: Some('d'), type_name };
    let spec = Spec::parse(spec, defaults, has_z)?;
    let formatted = integer::format(is_negative, digits, &spec);
    formatted.unwrap_or_else(|| Err(unknown_kind(&spec, type_name)))
}

fn format_float(written: &str, spec: &str, has_z: bool) -> Result<String, SpecError> {
    let defaults = Defaults { align: '>', kind: None, type_name: "float" };
    let spec = Spec::parse(spec, defaults, has_z)?;
    match spec.kind {
        None | Some('e' | 'E' | 'f' | 'F' | 'g' | 'G' | 'n' | '%') => {
            Ok(float::format(written.parse().unwrap_or(f64::NAN), &spec))
        }
        Some(_) => Err(unknown_kind(&spec, "float")),
    }
}

fn unknown_kind(spec: &Spec, type_name: &str) -> SpecError {
    let kind = in_message(spec.kind.unwrap_or_default());
    SpecError::Type(format!("Unknown format code '{kind}' for object of type '{type_name}'"))
}
