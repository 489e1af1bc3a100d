//! JSON strings.

use std::ops::Range;

use crate::decoded::Decoded;

/// Decodes the string at a range, quotes included; `None` if there is no valid string, or if it
/// contains a lone surrogate.
///
/// Cost: its length.
pub fn decode(source: &str, range: Range<usize>) -> Option<Decoded> {
    let inner = range.start + 1..range.end.checked_sub(1)?;
    source.get(range)?.strip_prefix('"')?.strip_suffix('"')?;
    let body = source.get(..inner.end)?;
    let mut decoded = Decoded::default();
    let mut at = inner.start;
    while at < inner.end {
        let rest = body.get(at..)?;
        match rest.find('\\').unwrap_or(rest.len()) {
            0 => {
                let (char, len) = unescape(rest)?;
                decoded.push_atomic(char.encode_utf8(&mut [0; 4]), at..at + len);
                at += len;
            }
            plain => {
                decoded.push_equal(&rest[..plain], at);
                at += plain;
            }
        }
    }
    Some(if decoded.pieces().is_empty() { Decoded::empty_at(at) } else { decoded })
}

/// The character of the escape at the start of a text, and the length of the escape in bytes.
fn unescape(text: &str) -> Option<(char, usize)> {
    let char = match text.as_bytes().get(1)? {
        b'"' => '"',
        b'\\' => '\\',
        b'/' => '/',
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'u' => {
            let first = unit(text)?;
            let second = text.get(6..).and_then(unit);
            let char = char::decode_utf16([first].into_iter().chain(second)).next()?.ok()?;
            return Some((char, 6 * char.len_utf16()));
        }
        _ => return None,
    };
    Some((char, 2))
}

/// The UTF-16 unit of `\uXXXX`.
fn unit(text: &str) -> Option<u16> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    digits.bytes().all(|digit| digit.is_ascii_hexdigit()).then_some(())?;
    u16::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn invalid_strings_have_no_text() {
        assert_eq!(decode("[1]", 0..3), None);
        assert_eq!(decode(r#""\ud800""#, 0..8), None);
        assert_eq!(decode(r#""\u+123""#, 0..8), None);
    }

    /// A character in an arbitrary JSON notation.
    fn written() -> impl Strategy<Value = (char, String)> {
        let character = prop_oneof![
            prop::sample::select(vec!['"', '\\', '/', '\n', '\t', '{', '}', 'a', 'é', '😀']),
            any::<char>(),
        ];
        (character, any::<bool>()).prop_map(|(character, is_escaped)| {
            let short = serde_json::to_string(&character).unwrap();
            let mut units = [0; 2];
            let units = character.encode_utf16(&mut units).iter();
            let written = match is_escaped {
                true => units.map(|unit| format!("\\u{unit:04X}")).collect(),
                false => short[1..short.len() - 1].to_owned(),
            };
            (character, written)
        })
    }

    proptest! {
        #[test]
        fn each_character_maps_to_what_decodes_to_it(
            before in "[ \\[]{0,3}",
            characters in prop::collection::vec(written(), 0..40),
        ) {
            let body: String = characters.iter().map(|(_, written)| &**written).collect();
            let file = format!("{before}\"{body}\"]");
            let string = before.len()..file.len() - 1;
            let decoded = decode(&file, string.clone()).unwrap();
            let expected = serde_json::from_str::<String>(&file[string]).unwrap();
            prop_assert_eq!(decoded.text(), &expected);
            for ((at, character), (_, written)) in decoded.text().char_indices().zip(&characters) {
                prop_assert_eq!(&file[decoded.source(at..at + character.len_utf8())], written);
            }
        }
    }
}
