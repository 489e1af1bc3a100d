//! Edits of a prompt's text in its file. All offsets are in bytes.

use std::any::Any;
use std::fmt::Debug;
use std::ops::Range;

use super::text_map::TextMap;

/// A range of a text, and its replacement.
pub type Replacement = (Range<usize>, String);

/// The reason why a text cannot be edited in its file, for users.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct CannotWrite(pub String);

/// Edits one prompt's text in its file.
pub trait Writing: Debug + Send + Sync + Any {
    /// The replacements in the file for exactly these replacements in the text; the latter are in
    /// order and do not overlap.
    ///
    /// Cost: at most the whole entry of the prompt.
    fn replace(
        &self,
        template: &Template<'_>,
        edits: &[Replacement],
    ) -> Result<Vec<Replacement>, CannotWrite>;

    /// The same for several prompts of a file, in order; `None` if each must be edited separately.
    /// A prompt that cannot be edited may be left out.
    fn replace_all(
        &self,
        _file: &str,
        _prompts: &[(&dyn Writing, &[Replacement])],
    ) -> Option<Vec<Replacement>> {
        None
    }

    /// `true` if a word is written verbatim at every place of a placeholder.
    fn is_plain(&self, word: &str) -> bool;
}

/// The text of a prompt, with its file.
#[derive(Debug)]
pub struct Template<'t> {
    /// The text.
    pub text: &'t str,
    /// The source positions of the text.
    pub map: &'t TextMap,
    /// The text of the file.
    pub file: &'t str,
}

impl Template<'_> {
    /// Maps each replacement in the text to the file; `write` encodes the new text.
    pub fn each(&self, edits: &[Replacement], write: impl Fn(&str) -> String) -> Vec<Replacement> {
        let each = |(range, new): &Replacement| (self.map.in_file(range), write(new));
        edits.iter().map(each).collect()
    }
}

/// Edits a text that is written verbatim.
#[derive(Debug)]
pub struct AsItIs;

impl Writing for AsItIs {
    fn replace(
        &self,
        template: &Template<'_>,
        edits: &[Replacement],
    ) -> Result<Vec<Replacement>, CannotWrite> {
        Ok(template.each(edits, str::to_owned))
    }

    fn is_plain(&self, _word: &str) -> bool {
        true
    }
}

/// A text after replacements, which are in order and do not overlap.
pub fn replaced(text: &str, edits: &[Replacement]) -> String {
    promptls_data::replaced(text, edits).expect("they are in order")
}
