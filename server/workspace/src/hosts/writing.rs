//! Edits of a prompt in the literal that it is written in.

use std::sync::Arc;

use promptls_hosts::{Found, Language, edit};

use super::strings::Strings;
use crate::readers::writing::{CannotWrite, Replacement, Template, Writing};

/// Writes into the literals of a host.
#[derive(Debug)]
pub struct InHost {
    pub language: Language,
    pub strings: Arc<Strings>,
    pub found: Found,
}

impl Writing for InHost {
    fn replace(
        &self,
        template: &Template<'_>,
        edits: &[Replacement],
    ) -> Result<Vec<Replacement>, CannotWrite> {
        let rescan = |text: &str| self.strings.find(self.language, text);
        let mut replacements = Vec::new();
        for (range, new) in edits {
            let each = edit(self.language, template.file, &self.found, range.clone(), new, rescan);
            replacements.extend(each.map_err(|error| CannotWrite(error.to_string()))?);
        }
        Ok(replacements)
    }

    /// Letters are written as they are in all languages, whatever the quotes.
    fn is_plain(&self, word: &str) -> bool {
        word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    }
}
