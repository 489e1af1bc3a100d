//! A set of words, and a search for any of them in a text.

use std::collections::HashSet;

use foldhash::fast::RandomState;

/// `true` for characters of words: letters, digits and underscores of all scripts.
pub fn is_of_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// Words, each of [characters of words](is_of_word) only.
pub struct WordSet {
    words: HashSet<Box<str>, RandomState>,
    /// A bit for each shape of a word: nearly no word of a text has one of them, and the table fits
    /// in the fastest cache, unlike the states of an automaton for thousands of words.
    shapes: Box<[u64]>,
}

/// The number of shapes, a power of two.
const SHAPES: usize = 1 << 16;

impl WordSet {
    /// Creates a set of words; empty ones are ignored.
    pub fn new<'w>(words: impl IntoIterator<Item = &'w str>) -> WordSet {
        let mut set =
            WordSet { words: HashSet::default(), shapes: vec![0; SHAPES / 64].into_boxed_slice() };
        for word in words.into_iter().filter(|word| !word.is_empty()) {
            let shape = shape(word.as_bytes());
            set.shapes[shape / 64] |= 1 << (shape % 64);
            set.words.insert(word.into());
        }
        set
    }

    /// `true` if a text has one of the words, with no character of a word on either side.
    ///
    /// Cost: one pass over the bytes, however many words there are.
    pub fn is_in(&self, text: &str) -> bool {
        let bytes = text.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            let start = at;
            while at < bytes.len() && is_ascii_of_word(bytes[at]) {
                at += 1;
            }
            match bytes.get(at) {
                // The word may go on, and where it ends is decided by characters.
                Some(byte) if !byte.is_ascii() => {
                    let rest = &text[start..];
                    let is_beyond =
                        |character: char| character.is_ascii() && !is_of_word(character);
                    let end = rest.find(is_beyond).unwrap_or(rest.len());
                    let mut words = rest[..end].split(|character| !is_of_word(character));
                    if words.any(|word| !word.is_empty() && self.has(word)) {
                        return true;
                    }
                    at = start + end;
                }
                _ if start < at && self.has(&text[start..at]) => return true,
                _ => at += 1,
            }
        }
        false
    }

    fn has(&self, word: &str) -> bool {
        let shape = shape(word.as_bytes());
        self.shapes[shape / 64] & 1 << (shape % 64) != 0 && self.words.contains(word)
    }
}

fn is_ascii_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// A number made of the length of a word, which is not empty, and three of its bytes.
fn shape(word: &[u8]) -> usize {
    let [first, middle, last] =
        [0, word.len() / 2, word.len() - 1].map(|index| usize::from(word[index]));
    (first ^ middle << 4 ^ last << 8 ^ word.len() << 11) & (SHAPES - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_between_other_characters() {
        let set = WordSet::new(["city", "größe", "x", "", "snake_case"]);
        for text in ["city", "a city.", "state['city']", "größe", "«größe»", "é x", "\u{2014}x"]
        {
            assert!(set.is_in(text), "{text}");
        }
        for text in ["", "cities", "my_city", "city_", "cité", "xé", "éx", "größen", "gr", "snake"]
        {
            assert!(!set.is_in(text), "{text}");
        }
        assert!(!WordSet::new([]).is_in("a"));
    }
}
