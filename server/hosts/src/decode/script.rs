//! The literals of TypeScript and JavaScript.

use std::ops::Range;

use crate::language::Language;
use crate::scan::script::substitution_end;
use promptls_data::Decoded;

/// The tag before a template whose backslashes are text.
const RAW: &str = "String.raw";

pub(crate) fn decode(language: Language, source: &str, literal: Range<usize>) -> Option<Decoded> {
    let written = source.get(literal.clone())?;
    let body = written.strip_prefix(RAW).unwrap_or(written);
    let quote = body.chars().next().filter(|quote| matches!(quote, '"' | '\'' | '`'))?;
    let inner = body.strip_prefix(quote)?.strip_suffix(quote)?;
    let end = literal.end - quote.len_utf8();
    let reader = ScriptLiteralReader {
        language,
        source: source.get(..end)?,
        is_template: quote == '`',
        is_raw: body.len() < written.len(),
    };
    reader.read(end - inner.len())
}

struct ScriptLiteralReader<'s> {
    language: Language,
    /// The source up to the end of the text.
    source: &'s str,
    is_template: bool,
    is_raw: bool,
}

impl ScriptLiteralReader<'_> {
    fn read(&self, start: usize) -> Option<Decoded> {
        let mut decoded = Decoded::default();
        let mut at = start;
        loop {
            let rest = self.source.get(at..)?;
            let plain = rest.find(['\\', '\n', '\r', '$']).unwrap_or(rest.len());
            decoded.push_equal(&rest[..plain], at);
            at += plain;
            let rest = &rest[plain..];
            match rest.as_bytes() {
                [] => return Some(decoded.or_empty_at(start)),
                [b'\\', escaped @ ..] if self.is_raw => {
                    // The backslash makes the next character literal, and stays in the text.
                    let len = 1 + usize::from(matches!(escaped, [b'`' | b'\\' | b'$', ..]));
                    decoded.push_equal(&rest[..len], at);
                    at += len;
                }
                [b'\\', ..] => at = self.escape(&mut decoded, at)?,
                [b'$', b'{', ..] if self.is_template => {
                    let end = substitution_end(self.language, self.source, at + 2)?;
                    decoded.push_hole(at..end);
                    at = end;
                }
                [b'$', ..] => {
                    decoded.push_equal("$", at);
                    at += 1;
                }
                _ if !self.is_template => return None,
                [b'\r', ..] => {
                    let len = if rest.starts_with("\r\n") { 2 } else { 1 };
                    decoded.push_atomic("\n", at..at + len);
                    at += len;
                }
                _ => {
                    decoded.push_equal("\n", at);
                    at += 1;
                }
            }
        }
    }

    /// Adds the character of the escape at `at`. Returns the position after it.
    fn escape(&self, decoded: &mut Decoded, at: usize) -> Option<usize> {
        let rest = &self.source[at + 1..];
        let first = rest.chars().next()?;
        let simple = match first {
            'b' => '\x08',
            'f' => '\x0c',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'v' => '\x0b',
            '\r' if rest.starts_with("\r\n") => return Some(at + 3),
            '\n' | '\r' | '\u{2028}' | '\u{2029}' => return Some(at + 1 + first.len_utf8()),
            'x' | 'u' => {
                let (character, len) = numbered(rest)?;
                let end = at + 1 + len;
                decoded.push_atomic(character.encode_utf8(&mut [0; 4]), at..end);
                return Some(end);
            }
            '0' if !rest[1..].starts_with(|next: char| next.is_ascii_digit()) => '\0',
            '0'..='9' if self.language != Language::JavaScript || self.is_template => return None,
            '0'..='7' => {
                let (character, len) = octal(rest)?;
                decoded.push_atomic(character.encode_utf8(&mut [0; 4]), at..at + 1 + len);
                return Some(at + 1 + len);
            }
            itself => itself,
        };
        let end = at + 1 + first.len_utf8();
        decoded.push_atomic(simple.encode_utf8(&mut [0; 4]), at..end);
        Some(end)
    }
}

/// The character of `xHH`, `uHHHH` or `u{…}`, which may be two units, and the length.
fn numbered(text: &str) -> Option<(char, usize)> {
    let (unit, len) = unit(text)?;
    if !(0xD800..0xDC00).contains(&unit) {
        return Some((char::from_u32(unit)?, len));
    }
    let (low, low_len) = self::unit(text[len..].strip_prefix('\\')?)?;
    let low = low.checked_sub(0xDC00).filter(|low| *low < 0x400)?;
    let code = 0x10000 + ((unit - 0xD800) << 10) + low;
    Some((char::from_u32(code)?, len + 1 + low_len))
}

fn unit(text: &str) -> Option<(u32, usize)> {
    let (digits, len) = match text.strip_prefix("u{") {
        Some(rest) => {
            let end = rest.find('}')?;
            (&rest[..end], end + 3)
        }
        None if text.starts_with('x') => (text.get(1..3)?, 3),
        None => (text.strip_prefix('u')?.get(..4)?, 5),
    };
    let is_hex = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hex.then(|| Some((u32::from_str_radix(digits, 16).ok()?, len)))?
}

/// The character of up to three octal digits, and the number of digits.
fn octal(text: &str) -> Option<(char, usize)> {
    let most = if text.starts_with(['0', '1', '2', '3']) { 3 } else { 2 };
    let is_octal = |byte: &u8| (b'0'..b'8').contains(byte);
    let len = text.bytes().take(most).take_while(|byte| is_octal(byte)).count();
    Some((char::from_u32(u32::from_str_radix(&text[..len], 8).ok()?)?, len))
}

#[cfg(test)]
mod tests {
    use crate::Language::{JavaScript, Tsx, TypeScript};
    use crate::decode::tests::{check_literals, check_unclosed};
    use crate::literals;

    #[test]
    fn literals_have_the_values_of_the_language() {
        check_literals(
            &[TypeScript, Tsx, JavaScript],
            &[
                (r#"f("a", '')"#, &[Some("a"), Some("")]),
                (r#"'a"' /* "b" */ // "c" "#, &[Some("a\"")]),
                ("'a\n'b'", &[None, Some("b")]),
                ("'a\\\r\nb'", &[Some("ab")]),
                (r"`a${`b${'}'}`}c` + 'd'", &[Some("a\u{FFFC}c"), Some("d")]),
                (r"`${a.replace(/`/, '}')} \${b} $c`", &[Some("\u{FFFC} ${b} $c")]),
                ("`a\r\nb\\\nc`", &[Some("a\nbc")]),
                (
                    r"String.raw`a\n\`${b}\${c}\\` + 'd'",
                    &[Some("a\\n\\`\u{FFFC}\\${c}\\\\"), Some("d")],
                ),
                ("tag`a` + x.y`b` + f()`c` + 'd'", &[Some("d")]),
                ("a = /'/ + 'b'", &[Some("b")]),
                ("a = b / 'c' / d", &[Some("c")]),
                ("if (a) /'/.test(b); f(a) / 'c'", &[Some("c")]),
                ("return /[/']/g.test('c')", &[Some("c")]),
                ("x = {} / 'a'; function f() {} /'/.test('b')", &[Some("a"), Some("b")]),
                ("i++ / 'a' / 2; a! / 'b' / 2", &[Some("a"), Some("b")]),
                (r"'\x41\u0042\u{1F600}\uD83D\uDE00\0\q'", &[Some("AB😀😀\0q")]),
                (r"'\uD83D' + '\x4' + '\u{}' + '\u{110000}'", &[None; 4]),
                ("`a", &[None]),
                ("'", &[None]),
            ],
        );
    }

    #[test]
    fn jsx_contains_code_only_in_braces() {
        let cases: &[(&str, &[&str])] = &[
            ("a = <p title=\"b\">it's {f('c')}</p>; 'd'", &["c", "d"]),
            ("return <><A.B x={'a'} y='b'/> {/* it's */} <b>\"</b></>\n'c'", &["a", "c"]),
            ("f(<T,>(a: T) => 'b', <T extends A>(a) => 'c')", &["b", "c"]),
            ("const f = <T>(a: T) => 'b' > 'c'", &["b", "c"]),
            ("a < b; 'c' > d", &["c"]),
            ("x = <A<'b'> c={<i>'</i>} d=<i>'</i>>{'e'}</A>", &["e"]),
            ("x = `${<p>`</p>}`, 'a'", &["\u{FFFC}", "a"]),
        ];
        for (source, expected) in cases {
            let texts =
                literals(Tsx, source).into_iter().map(|(_, text)| text.unwrap().into_text());
            assert_eq!(texts.collect::<Vec<_>>(), *expected, "{source}");
        }
        let source = "x = <T>'a'";
        assert_eq!(literals(TypeScript, source).len(), 1);
    }

    #[test]
    fn octal_escapes_are_decoded_only_in_javascript_scripts() {
        let texts = |language, source: &str| {
            let texts = literals(language, source).into_iter().map(|(_, text)| text);
            texts.map(|text| text.map(|it| it.into_text())).collect::<Vec<_>>()
        };
        assert_eq!(texts(JavaScript, r"'\101\7\477\9'"), [Some("A\x07'79".to_owned())]);
        assert_eq!(texts(JavaScript, r"import(a); '\1'").len(), 1);
        assert_eq!(texts(JavaScript, r"import a from 'b'; '\1'"), [Some("b".to_owned())]);
        assert_eq!(texts(TypeScript, r"'\1'"), [None]);
        assert_eq!(texts(JavaScript, r"`\1`"), [None]);
    }

    #[test]
    fn unclosed_literals_are_reported() {
        let cases =
            [("x + `a ${'b'", Some(4)), ("/* a", Some(0)), ("'a", None), ("a = <b>'c", None)];
        check_unclosed(Tsx, &cases);
    }
}
