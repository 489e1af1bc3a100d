//! The text of a prompt: an edited one, or one that is only read.

use std::borrow::Cow;
use std::fmt::{Display, Formatter, Result};
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use promptls_syntax::TextSource;
use ropey::Rope;

/// The text of a prompt. Clones share it.
#[derive(Clone, Debug)]
pub struct PromptText(TextStorage);

#[derive(Clone, Debug)]
enum TextStorage {
    Edited(Rope),
    /// The rope is created on first use, and never if the text is only checked.
    Read(Arc<str>, OnceLock<Rope>),
}

impl PromptText {
    /// The text as a rope. Cost: the text at the first call if it was read; otherwise constant.
    pub fn rope(&self) -> &Rope {
        match &self.0 {
            TextStorage::Edited(rope) => rope,
            TextStorage::Read(text, rope) => rope.get_or_init(|| Rope::from_str(text)),
        }
    }

    /// The text in one piece. Cost: a copy if it is a rope.
    pub fn whole(&self) -> Cow<'_, str> {
        self.slice(0..self.len_bytes())
    }

    /// The same with shared ownership.
    pub fn shared(&self) -> Arc<str> {
        match &self.0 {
            TextStorage::Edited(rope) => rope.to_string().into(),
            TextStorage::Read(text, _) => text.clone(),
        }
    }

    /// The text of a range of bytes.
    ///
    /// # Panics
    ///
    /// If the range is not in the text, or divides a character.
    pub fn slice(&self, range: Range<usize>) -> Cow<'_, str> {
        match &self.0 {
            TextStorage::Edited(rope) => rope.byte_slice(range).into(),
            TextStorage::Read(text, _) => Cow::Borrowed(&text[range]),
        }
    }

    /// The same; `None` instead of a panic.
    pub fn get(&self, range: Range<usize>) -> Option<Cow<'_, str>> {
        match &self.0 {
            TextStorage::Edited(rope) => rope.get_byte_slice(range).map(Cow::from),
            TextStorage::Read(text, _) => text.get(range).map(Cow::Borrowed),
        }
    }

    /// The text before an offset, at most `most` bytes.
    pub fn before(&self, offset: usize, most: usize) -> Cow<'_, str> {
        let start = self.floor_boundary(offset.saturating_sub(most));
        self.slice(start..offset)
    }

    /// The byte before an offset; `None` at the start. Cost: logarithmic if it is a rope.
    pub fn byte_before(&self, offset: usize) -> Option<u8> {
        let at = offset.checked_sub(1)?;
        match &self.0 {
            TextStorage::Edited(rope) => rope.get_byte(at),
            TextStorage::Read(text, _) => text.as_bytes().get(at).copied(),
        }
    }

    /// The text from an offset on, at most `most` bytes.
    pub fn after(&self, offset: usize, most: usize) -> Cow<'_, str> {
        let end = offset.saturating_add(most).min(self.len_bytes());
        self.slice(offset..self.floor_boundary(end))
    }

    /// The start of the text, at most `most` bytes.
    pub fn start(&self, most: usize) -> Cow<'_, str> {
        self.slice(0..self.floor_boundary(most.min(self.len_bytes())))
    }

    /// The length in bytes, in constant time.
    pub fn len_bytes(&self) -> usize {
        match &self.0 {
            TextStorage::Edited(rope) => rope.len_bytes(),
            TextStorage::Read(text, _) => text.len(),
        }
    }

    /// Returns whether both share the same text. The contents are not compared.
    pub fn is_instance(&self, other: &PromptText) -> bool {
        match (&self.0, &other.0) {
            (TextStorage::Edited(rope), TextStorage::Edited(other)) => rope.is_instance(other),
            (TextStorage::Read(text, _), TextStorage::Read(other, _)) => Arc::ptr_eq(text, other),
            _ => false,
        }
    }
}

impl From<Rope> for PromptText {
    fn from(rope: Rope) -> Self {
        PromptText(TextStorage::Edited(rope))
    }
}

impl From<Arc<str>> for PromptText {
    fn from(text: Arc<str>) -> Self {
        PromptText(TextStorage::Read(text, OnceLock::new()))
    }
}

impl From<&str> for PromptText {
    fn from(text: &str) -> Self {
        PromptText::from(Arc::from(text))
    }
}

impl Display for PromptText {
    fn fmt(&self, out: &mut Formatter<'_>) -> Result {
        match &self.0 {
            TextStorage::Edited(rope) => rope.fmt(out),
            TextStorage::Read(text, _) => text.fmt(out),
        }
    }
}

impl TextSource for PromptText {
    fn len_bytes(&self) -> usize {
        self.len_bytes()
    }

    fn bytes<'a>(&'a self, range: Range<usize>, buffer: &'a mut Vec<u8>) -> &'a [u8] {
        match &self.0 {
            TextStorage::Edited(rope) => TextSource::bytes(rope, range, buffer),
            TextStorage::Read(text, _) => TextSource::bytes(&**text, range, buffer),
        }
    }

    fn floor_boundary(&self, offset: usize) -> usize {
        match &self.0 {
            TextStorage::Edited(rope) => rope.floor_boundary(offset),
            TextStorage::Read(text, _) => text.floor_boundary(offset),
        }
    }
}
