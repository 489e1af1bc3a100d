//! Whitespace between the tokens of a text.

use std::ops::Range;

use super::indentation::Indentation;
use crate::readers::writing::Replacement;

/// The whitespace between two tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gap {
    Nothing,
    Blank,
    /// Unchanged, or a space if it is empty: the alignment of comments is kept.
    Kept,
    /// Line breaks, followed by indentation levels.
    Lines {
        breaks: usize,
        level: usize,
    },
}

/// Iterates over tokens, and records changed gaps.
pub struct Gaps<'t> {
    text: &'t str,
    newline: &'static str,
    indentation: Indentation,
    /// The end of the last token.
    end: usize,
    /// The number of characters in the new line before the next token.
    column: usize,
    changes: Vec<Replacement>,
}

impl<'t> Gaps<'t> {
    pub fn new(text: &'t str, indentation: Indentation) -> Self {
        let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
        Gaps { text, newline, indentation, end: 0, column: 0, changes: Vec::new() }
    }

    /// The text between the last token and an offset.
    pub fn before(&self, start: usize) -> &'t str {
        &self.text[self.end..start]
    }

    /// The number of line breaks there.
    pub fn breaks_before(&self, start: usize) -> usize {
        memchr::memchr_iter(b'\n', self.before(start).as_bytes()).count()
    }

    /// The number of characters in the new line before the next token.
    pub fn column(&self) -> usize {
        self.column
    }

    /// Sets the gap before a token.
    pub fn put(&mut self, gap: Gap, piece: Range<usize>) {
        let old = self.before(piece.start);
        let new = match gap {
            Gap::Nothing => String::new(),
            Gap::Blank => " ".to_owned(),
            Gap::Kept if old.is_empty() => " ".to_owned(),
            Gap::Kept => old.to_owned(),
            Gap::Lines { breaks, level } => {
                self.newline.repeat(breaks) + &self.indentation.written(level)
            }
        };
        self.go(&new);
        if new != old {
            self.changes.push((self.end..piece.start, new));
        }
        self.go(&self.text[piece.clone()]);
        self.end = piece.end;
    }

    /// The changes, with one line break at the end of the text.
    pub fn finish(mut self) -> Vec<Replacement> {
        let end = self.text.len();
        self.put(Gap::Lines { breaks: 1, level: 0 }, end..end);
        self.changes
    }

    fn go(&mut self, written: &str) {
        match written.rsplit_once('\n') {
            Some((_, line)) => self.column = line.chars().count(),
            None => self.column += written.chars().count(),
        }
    }
}
