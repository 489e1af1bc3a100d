//! Kotlin's literals.

use std::ops::Range;

use super::number;
use crate::scan::kotlin::{dollars, is_raw, quote_at, quoted_name_end, template_end};
use promptls_data::Decoded;

pub(crate) fn decode(source: &str, literal: Range<usize>) -> Option<Decoded> {
    let bytes = source.as_bytes().get(..literal.end)?;
    let quote = quote_at(bytes, literal.start)?;
    let opener = (quote - literal.start).max(1);
    let is_raw = is_raw(bytes, quote);
    let quotes = if is_raw { "\"\"\"" } else { "\"" };
    let start = quote + quotes.len();
    let inner = source.get(start..literal.end)?.strip_suffix(quotes)?;
    let end = start + inner.len();

    let mut decoded = Decoded::default();
    let mut at = start;
    while at < end {
        let is_special = |byte: &u8| match byte {
            b'$' | b'\n' | b'\r' => true,
            b'\\' => !is_raw,
            _ => false,
        };
        let next = bytes[at..end].iter().position(is_special).map_or(end, |found| at + found);
        decoded.push_equal(&source[at..next], at);
        at = next;
        let rest = &source[at..end];
        match rest.as_bytes() {
            [] => {}
            [b'$', ..] => {
                // The last of several dollars starts a template, those before are text.
                let count = dollars(rest.as_bytes());
                let hole = at + count.saturating_sub(opener);
                let name = at + count;
                at = match template(source, name, end).filter(|_| count >= opener) {
                    None => {
                        decoded.push_equal(&rest[..count], at);
                        name
                    }
                    Some(to) => {
                        let to = to?;
                        decoded.push_equal(&source[at..hole], at);
                        match one_character(&source[name..to]).filter(|_| is_raw) {
                            Some(character) => decoded.push_atomic(character, hole..to),
                            None => decoded.push_hole(hole..to),
                        }
                        to
                    }
                };
            }
            [b'\\', ..] => at = escape(&mut decoded, source, at, end)?,
            _ if !is_raw => return None,
            [b'\n', ..] => {
                decoded.push_equal("\n", at);
                at += 1;
            }
            _ => {
                let len = if rest.starts_with("\r\n") { 2 } else { 1 };
                decoded.push_atomic("\n", at..at + len);
                at += len;
            }
        }
    }
    Some(decoded.or_empty_at(start))
}

/// The end of the template whose dollars end at `at`: `None` if none starts there, `Some(None)` if
/// it has no end.
fn template(source: &str, at: usize, end: usize) -> Option<Option<usize>> {
    let rest = source.get(at..end)?;
    match rest.chars().next()? {
        '{' => Some(template_end(&source.as_bytes()[..end], at + 1)),
        '`' => quoted_name_end(&source.as_bytes()[..end], at).map(Some),
        first if first.is_alphabetic() || first == '_' => {
            let is_name = |it: char| it.is_alphanumeric() || it == '_';
            Some(Some(at + rest.find(|it| !is_name(it)).unwrap_or(rest.len())))
        }
        _ => None,
    }
}

/// The character of `{'$'}` or `{"$"}`.
fn one_character(template: &str) -> Option<&str> {
    let quoted = template.strip_prefix('{')?.strip_suffix('}')?.trim();
    let inner = ["'", "\""]
        .into_iter()
        .find_map(|quote| quoted.strip_prefix(quote)?.strip_suffix(quote))?;
    let mut characters = inner.chars();
    let is_one = characters.next().is_some_and(|it| !matches!(it, '\\' | '\'' | '"'));
    (is_one && characters.next().is_none()).then_some(inner)
}

/// Adds the character of the escape at `at`. Returns the position after it.
fn escape(decoded: &mut Decoded, source: &str, at: usize, end: usize) -> Option<usize> {
    let simple = match source.as_bytes()[at + 1..end].first()? {
        b't' => "\t",
        b'b' => "\x08",
        b'n' => "\n",
        b'r' => "\r",
        b'\'' => "'",
        b'"' => "\"",
        b'\\' => "\\",
        b'$' => "$",
        b'u' => {
            let first = unit(source, at, end)?;
            let mut to = at + 6;
            let mut code = first;
            if (0xD800..0xDC00).contains(&first) {
                let low = unit(source, to, end)?.checked_sub(0xDC00).filter(|low| *low < 0x400)?;
                code = 0x10000 + ((first - 0xD800) << 10) + low;
                to += 6;
            }
            let character = char::from_u32(code)?;
            decoded.push_atomic(character.encode_utf8(&mut [0; 4]), at..to);
            return Some(to);
        }
        _ => return None,
    };
    decoded.push_atomic(simple, at..at + 2);
    Some(at + 2)
}

/// The UTF-16 unit of the `\uHHHH` at `at`.
fn unit(source: &str, at: usize, end: usize) -> Option<u32> {
    number(source.get(at..at + 6).filter(|_| at + 6 <= end)?.strip_prefix("\\u")?, 0..4, 16)
}

#[cfg(test)]
mod tests {
    use crate::Language;
    use crate::decode::tests::check_literals;

    #[test]
    fn literals_have_the_values_of_the_language() {
        check_literals(
            &[Language::Kotlin],
            &[
                (r#"f("a", "")"#, &[Some("a"), Some("")]),
                (r#"'"' + "a" // "b" "#, &[Some("a")]),
                (r#"/* /* "a" */ "b" */ "c""#, &[Some("c")]),
                (r#"fun `a "b" c`() = "d""#, &[Some("d")]),
                (r#""$a ${b("}")} $`c"d` 5$ $""#, &[Some("\u{FFFC} \u{FFFC} \u{FFFC} 5$ $")]),
                (r#""${"${"a"}"}b" + "c""#, &[Some("\u{FFFC}b"), Some("c")]),
                ("\"${\n1 /* } */\n}\" + \"a\"", &[Some("\u{FFFC}"), Some("a")]),
                ("\"${\n\"a\"", &[None, Some("a")]),
                ("\"a\n\"b\"", &[None, Some("b")]),
                (r#""""a\n "b" ${'$'} ${c}""""#, &[Some("a\\n \"b\" $ \u{FFFC}")]),
                (r#"$$"""$a $$a $$$a""" + "b""#, &[Some("$a \u{FFFC} $\u{FFFC}"), Some("b")]),
                ("\"\"\"a\r\nb\"\"\"\"", &[Some("a\nb\"")]),
                (r#""\uD83D\uDE00\$" + "\uD83D" + "\q""#, &[Some("😀$"), None, None]),
                (r#"""" a"#, &[None]),
            ],
        );
    }
}
