//! How an edit of a prompt's text is made in the file that it stands in. All offsets are in bytes.

use std::any::Any;
use std::fmt::Debug;
use std::ops::Range;

use super::text_map::TextMap;

/// A range of a text, and what comes in its place.
pub type Replacement = (Range<usize>, String);

/// Why a text cannot be edited where it stands, for people.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct CannotWrite(pub String);

/// Makes edits of one prompt's text in its file.
pub trait Writing: Debug + Send + Sync + Any {
    /// The replacements in the file that make some in the text, and nothing else. Those in the
    /// text are in order and do not overlap.
    ///
    /// Cost: what is written about the prompt, at most.
    fn replace(
        &self,
        template: &Template<'_>,
        edits: &[Replacement],
    ) -> Result<Vec<Replacement>, CannotWrite>;

    /// The same for several prompts of a file at once, which are in order; `None` if each must be
    /// edited for itself. A prompt that cannot be edited may be left out.
    fn replace_all(
        &self,
        _file: &str,
        _prompts: &[(&dyn Writing, &[Replacement])],
    ) -> Option<Vec<Replacement>> {
        None
    }

    /// Whether a word is written as it is wherever a placeholder can stand.
    fn is_plain(&self, word: &str) -> bool;
}

/// The text of a prompt, and the file that it stands in.
#[derive(Debug)]
pub struct Template<'t> {
    /// The text.
    pub text: &'t str,
    /// Where it is written.
    pub map: &'t TextMap,
    /// The text of the file.
    pub file: &'t str,
}

impl Template<'_> {
    /// Replacements in the text as they are in the file, each written in the same way.
    pub fn each(&self, edits: &[Replacement], write: impl Fn(&str) -> String) -> Vec<Replacement> {
        let each = |(range, new): &Replacement| (self.map.in_file(range), write(new));
        edits.iter().map(each).collect()
    }
}

/// For a text that is written as it is.
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

/// For a text that cannot be edited, with the reason.
#[derive(Debug)]
pub struct ReadOnly(pub &'static str);

impl Writing for ReadOnly {
    fn replace(
        &self,
        _template: &Template<'_>,
        _edits: &[Replacement],
    ) -> Result<Vec<Replacement>, CannotWrite> {
        Err(CannotWrite(self.0.to_owned()))
    }

    fn is_plain(&self, _word: &str) -> bool {
        false
    }
}

/// A text after some replacements, which are in order and do not overlap.
pub fn replaced(text: &str, edits: &[Replacement]) -> String {
    promptls_data::replaced(text, edits).expect("they are in order")
}
