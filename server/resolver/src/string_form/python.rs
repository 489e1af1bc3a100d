//! Python's form of values other than texts: `repr`, which equals `str` for these.
//!
//! The characters that `repr` escapes depend on the Unicode version of the Python; this crate uses
//! the newest. So characters newer than a Python are an exception.

use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

use super::numbers::Numbers;
use crate::output::Bounded;
use crate::value::{Value, ValueKind};

/// `repr(value)`
///
/// The parsers of inputs files limit nesting, and so the recursion.
pub(super) fn repr(value: &Value, out: &mut Bounded) {
    match &value.kind {
        ValueKind::Null => out.push("None"),
        ValueKind::Bool(value) => out.push(if *value { "True" } else { "False" }),
        ValueKind::Number(text) => out.push(&Numbers::Python.text(text)),
        ValueKind::String(_) | ValueKind::File(_) => {
            repr_text(value.as_text().unwrap_or_default(), out);
        }
        ValueKind::List(items) => {
            out.push("[");
            for (index, item) in items.iter().enumerate() {
                out.push(if index > 0 { ", " } else { "" });
                repr(item, out);
            }
            out.push("]");
        }
        ValueKind::Object(object) => {
            out.push("{");
            for (index, entry) in object.entries().iter().enumerate() {
                out.push(if index > 0 { ", " } else { "" });
                repr_text(&entry.key, out);
                out.push(": ");
                repr(&entry.value, out);
            }
            out.push("}");
        }
    }
}

/// A quoted text: in single quotes, unless double ones avoid an escape.
pub(super) fn repr_text(text: &str, out: &mut Bounded) {
    let quote = if text.contains('\'') && !text.contains('"') { "\"" } else { "'" };
    out.push(quote);
    let mut plain = 0;
    for (at, character) in text.char_indices() {
        let code = u32::from(character);
        let escape = match character {
            '\\' => "\\\\".to_owned(),
            '\'' if quote == "'" => "\\'".to_owned(),
            '\n' => "\\n".to_owned(),
            '\r' => "\\r".to_owned(),
            '\t' => "\\t".to_owned(),
            _ if is_printable(character) => continue,
            _ if code < 0x100 => format!("\\x{code:02x}"),
            _ if code < 0x10000 => format!("\\u{code:04x}"),
            _ => format!("\\U{code:08x}"),
        };
        out.push(&text[plain..at]);
        out.push(&escape);
        plain = at + character.len_utf8();
    }
    out.push(&text[plain..]);
    out.push(quote);
}

/// Python's `str.isprintable` for a single character.
fn is_printable(character: char) -> bool {
    use GeneralCategory as Category;
    character == ' '
        || !matches!(
            character.general_category(),
            Category::Control
                | Category::Format
                | Category::Surrogate
                | Category::PrivateUse
                | Category::Unassigned
                | Category::LineSeparator
                | Category::ParagraphSeparator
                | Category::SpaceSeparator
        )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::problem::FileId;
    use crate::from_data::parse_value;
    use crate::string_form::StringForm;
    use promptls_data::Format;

    /// Checks the `str` of a value in JSON notation.
    #[track_caller]
    fn check(json: &str, expected: &str) {
        let value = parse_value(json, Format::Json, FileId::PROMPT, "").value.expect("it is JSON");
        let mut out = Bounded::new(1000, 0);
        StringForm::PYTHON.write(&value, &mut out);
        assert_eq!(out.text, expected, "{json}");
    }

    #[test]
    fn integers_have_any_size() {
        check("0", "0");
        check("-0", "0");
        check("-7", "-7");
        check("123456789012345678901234567890", "123456789012345678901234567890");
    }

    #[test]
    fn floats_have_the_shortest_digits_that_round_trip() {
        check("1.50", "1.5");
        check("5.0", "5.0");
        check("1e3", "1000.0");
        check("-0.0", "-0.0");
        check("0.1", "0.1");
        check("123.456", "123.456");
        check("0.1000000000000000055511151231257827", "0.1");
        check("9007199254740993.0", "9007199254740992.0");
        check("114654175696469.625", "114654175696469.62");
    }

    #[test]
    fn floats_have_an_exponent_where_they_are_large_or_small() {
        check("1e15", "1000000000000000.0");
        check("1e16", "1e+16");
        check("1.25E+22", "1.25e+22");
        check("0.0001", "0.0001");
        check("0.00001", "1e-05");
        check("1.5e-7", "1.5e-07");
        check("-1e-100", "-1e-100");
        check("5e-324", "5e-324");
        check("1e400", "inf");
        check("-1e400", "-inf");
    }

    #[test]
    fn strings_are_unquoted_at_the_top_level_and_quoted_inside() {
        check(r#""it's""#, "it's");
        check(
            r#"["a", "it's", "say \"it's\"", "say \"a\""]"#,
            r#"['a', "it's", 'say "it\'s"', 'say "a"']"#,
        );
        check(r#"{"k'": {"é": [true, false, null]}}"#, r#"{"k'": {'é': [True, False, None]}}"#);
        check("[]", "[]");
        check("{}", "{}");
    }

    #[test]
    fn unprintable_characters_are_escaped() {
        check(r#"["\\\n\r\t\u0000\u007f\u00a0\u00ad"]"#, r"['\\\n\r\t\x00\x7f\xa0\xad']");
        check(r#"["\u2028\u3000\ufeff\ue000"]"#, r"['\u2028\u3000\ufeff\ue000']");
        check(r#"["\ud83c\udf89 \udb40\udc01"]"#, "['🎉 \\U000e0001']");
    }
}
