//! External text for display: control characters and invisible characters are made visible.
//!
//! Prompts, inputs and file names are untrusted. All output passes through here, except the texts
//! of `resolve`, which are verbatim.

use std::io;

use serde_json::ser::Formatter;

/// The text with such characters replaced by pictures or numbers. Line breaks and tabs stay.
pub fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let ends_line = character == '\r' && characters.peek() == Some(&'\n');
        if ends_line || !is_hidden(character) {
            shown.push(character);
        } else {
            show(character, &mut shown);
        }
    }
    shown
}

/// The same for text on one line.
pub fn visible_line(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match is_hidden(character) || character == '\n' {
            true => show(character, &mut shown),
            false => shown.push(character),
        }
    }
    shown
}

fn show(character: char, to: &mut String) {
    match character {
        '\u{0}'..='\u{1F}' => {
            to.push(char::from_u32(0x2400 + u32::from(character)).unwrap_or(character));
        }
        '\u{7F}' => to.push('␡'),
        _ => to.push_str(&by_number(character)),
    }
}

/// A character by its number.
pub fn by_number(character: char) -> String {
    format!("⟨U+{:04X}⟩", u32::from(character))
}

/// Whether a character is a control, changes text direction, is an unusual line break, is a tag
/// character (which can hide words), or is invalid in XML.
fn is_hidden(character: char) -> bool {
    match character {
        '\n' | '\t' => false,
        '\u{61C}'
        | '\u{200E}'
        | '\u{200F}'
        | '\u{2028}'..='\u{202E}'
        | '\u{2066}'..='\u{2069}'
        | '\u{FFFE}'..='\u{FFFF}'
        | '\u{E0000}'..='\u{E007F}' => true,
        _ => character.is_control(),
    }
}

/// JSON with escapes for such characters, which have the same meaning.
pub struct VisibleJson;

impl Formatter for VisibleJson {
    fn write_string_fragment<W>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()>
    where
        W: ?Sized + io::Write,
    {
        let mut rest = fragment;
        while let Some(at) = rest.find(is_hidden) {
            let (before, hidden) = rest.split_at(at);
            writer.write_all(before.as_bytes())?;
            let mut characters = hidden.chars();
            for unit in
                characters.next().into_iter().flat_map(|it| it.encode_utf16(&mut [0; 2]).to_vec())
            {
                write!(writer, "\\u{unit:04x}")?;
            }
            rest = characters.as_str();
        }
        writer.write_all(rest.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_and_invisible_characters_are_made_visible() {
        for (text, shown) in [
            ("é日本 👩‍🚀\ta\nb\r\nc", "é日本 👩‍🚀\ta\nb\r\nc"),
            ("\u{1b}[2J\0\r\u{7f}\u{9b}31m", "␛[2J␀␍␡⟨U+009B⟩31m"),
            ("a\u{202e}b\u{2066}c\u{200f}", "a⟨U+202E⟩b⟨U+2066⟩c⟨U+200F⟩"),
            ("\u{e0041}\u{2028}\u{ffff}", "⟨U+E0041⟩⟨U+2028⟩⟨U+FFFF⟩"),
        ] {
            assert_eq!(visible(text), shown);
            assert_eq!(visible(&visible(text)), shown);
        }
        assert_eq!(visible_line("a\r\nb"), "a␍␊b");
    }

    #[test]
    fn escaped_json_has_the_same_meaning() {
        let text = "\u{1b}[31m \u{7f}\u{9b} \u{202e}x\u{e0041}\u{e0042} é\n\"";
        let mut json = Vec::new();
        let mut serializer = serde_json::Serializer::with_formatter(&mut json, VisibleJson);
        serde::Serialize::serialize(text, &mut serializer).unwrap();
        let json = String::from_utf8(json).unwrap();
        assert!(!json.contains(is_hidden), "{json}");
        assert!(json.contains("\\udb40\\udc41"), "{json}");
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
    }
}
