//! Edits of texts inside JSON strings.

use crate::readers::writing::{CannotWrite, Replacement, Template, Writing};

/// Edits a text inside a JSON string.
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

/// A text escaped for a JSON string.
pub fn encode(text: &str) -> String {
    let quoted = serde_json::Value::from(text).to_string();
    quoted[1..quoted.len() - 1].to_owned()
}
