//! Texts inside JSON strings.

use std::ops::Range;

use promptls_hosts::Decoded;

use crate::readers::text_map::TextMap;
use crate::readers::writing::{CannotWrite, Replacement, Template, Writing};

/// Decodes the JSON string at a range of a file, quotes included; `None` if there is none.
pub fn decode(file: &str, range: Range<usize>) -> Option<(String, TextMap)> {
    let string = file.get(range.clone())?.strip_prefix('"')?.strip_suffix('"')?;
    let start = range.start + 1;
    let mut text = Decoded::default();
    let mut at = 0;
    while at < string.len() {
        let rest = &string[at..];
        if rest.starts_with('\\') {
            let (character, len) = unescape(rest)?;
            text.push_atomic(character.encode_utf8(&mut [0; 4]), start + at..start + at + len);
            at += len;
        } else {
            let plain = rest.find('\\').unwrap_or(rest.len());
            text.push_equal(&rest[..plain], start + at);
            at += plain;
        }
    }
    let text = if string.is_empty() { Decoded::empty_at(start) } else { text };
    let map = TextMap::of(&text, vec![range]);
    Some((text.into_text(), map))
}

/// Makes edits of a text inside a JSON string.
#[derive(Debug)]
pub struct JsonString;

impl Writing for JsonString {
    fn replace(
        &self,
        template: &Template<'_>,
        edits: &[Replacement],
    ) -> Result<Vec<Replacement>, CannotWrite> {
        Ok(template.each(edits, encode))
    }

    fn is_plain(&self, word: &str) -> bool {
        encode(word) == word
    }
}

/// A text as it is written inside a JSON string.
pub fn encode(text: &str) -> String {
    let quoted = serde_json::Value::from(text).to_string();
    quoted[1..quoted.len() - 1].to_owned()
}

/// The character of the escape that a text starts with, and how long it is in bytes.
fn unescape(text: &str) -> Option<(char, usize)> {
    let character = match text.as_bytes().get(1)? {
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
            let units = std::iter::once(first).chain(second);
            let character = char::decode_utf16(units).next()?.ok()?;
            return Some((character, 6 * character.len_utf16()));
        }
        _ => return None,
    };
    Some((character, 2))
}

/// The UTF-16 unit of `\uXXXX`.
fn unit(text: &str) -> Option<u16> {
    u16::from_str_radix(text.strip_prefix("\\u")?.get(..4)?, 16).ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn escapes_are_one_character_each() {
        let file = r#"  "a\n\u00e9\ud83d\ude00{{b}}\"""#;
        let (text, map) = decode(file, 2..file.len()).unwrap();
        assert_eq!(text, "a\né😀{{b}}\"");
        let written = |range| &file[map.in_file(&range)];
        assert_eq!(written(0..1), "a");
        assert_eq!(written(1..2), r"\n");
        assert_eq!(written(2..4), r"\u00e9");
        assert_eq!(written(4..8), r"\ud83d\ude00");
        assert_eq!(written(10..11), "b");
        assert_eq!(written(0..text.len()), &file[3..file.len() - 1]);
        // Between the quotes and on them; in the middle of an escape.
        assert_eq!(map.in_text(2), None);
        assert_eq!(map.in_text(3), Some(0));
        assert_eq!(map.in_text(5), Some(1));
        assert_eq!(map.in_text(file.len() - 1), Some(text.len()));
        assert_eq!(map.in_text(file.len()), None);
    }

    #[test]
    fn what_is_no_string_has_no_map() {
        assert_eq!(decode("[1]", 0..3), None);
        assert_eq!(decode(r#""\ud800""#, 0..8), None);
    }

    /// A character, written in one of the ways that JSON has for it.
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
        /// Every character is found where it is written, and back.
        #[test]
        fn each_character_maps_to_what_decodes_to_it(
            before in "[ \\[]{0,3}",
            characters in prop::collection::vec(written(), 0..40),
        ) {
            let body: String = characters.iter().map(|(_, written)| &**written).collect();
            let file = format!("{before}\"{body}\"]");
            let string = before.len()..file.len() - 1;
            let (text, map) = decode(&file, string.clone()).unwrap();
            prop_assert_eq!(&text, &serde_json::from_str::<String>(&file[string]).unwrap());
            for ((at, character), (_, written)) in text.char_indices().zip(&characters) {
                let range = map.in_file(&(at..at + character.len_utf8()));
                prop_assert_eq!(&file[range.clone()], written);
                prop_assert_eq!(map.in_text(range.start), Some(at));
            }
        }
    }
}
