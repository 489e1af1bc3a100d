//! Edits of a prompt in its literal.

use std::sync::Arc;

use promptls_hosts::{CannotEdit, HostPrompt, Language, PieceKind, edit, edit_all};

use super::prompt_cache::found_in;
use super::rule_strings::Strings;
use crate::readers::writing::{CannotWrite, Replacement};

/// Writes into the literals of a host.
#[derive(Debug)]
pub struct InHost {
    pub language: Language,
    pub strings: Arc<Strings>,
    pub found: HostPrompt,
}

impl InHost {
    /// `true` if a brace of the text may be doubled in a literal.
    fn doubles_braces(&self) -> bool {
        let text = self.found.text.text();
        self.found.text.pieces().iter().any(|piece| {
            let is_brace = matches!(&text[piece.text.clone()], "{" | "}");
            piece.kind == PieceKind::Hole || piece.kind == PieceKind::Atomic && is_brace
        })
    }

    /// `true` if each brace of the text is doubled, as in f-strings: Python has no shorter escape.
    fn doubles_all_braces(&self) -> bool {
        let text = self.found.text.text();
        self.language == Language::Python
            && self.found.text.pieces().iter().all(|piece| {
                let is_doubled = piece.kind == PieceKind::Atomic && piece.source.len() == 2;
                is_doubled || !text[piece.text.clone()].contains(['{', '}'])
            })
    }

    /// A word in the notation of every place of a placeholder; `None` if that is not certain.
    pub fn written(&self, word: &str) -> Option<String> {
        if self.is_plain(word) {
            return Some(word.to_owned());
        }
        let is_plain = self.is_plain(&word.replace(['{', '}'], ""));
        let doubled = || word.replace('{', "{{").replace('}', "}}");
        (is_plain && self.doubles_all_braces()).then(doubled)
    }

    /// The replacements in the file for exactly these replacements in the text; both are in order
    /// and do not overlap.
    ///
    /// Cost: as for [`edit`] and [`edit_all`].
    pub fn replace(
        &self,
        file: &str,
        edits: &[Replacement],
    ) -> Result<Vec<Replacement>, CannotWrite> {
        let rescan =
            |text: &str| found_in(self.language, &text.into(), &self.strings).prompts.clone();
        if edits.len() > 1 {
            let together = [(&self.found, edits)];
            let together = edit_all(self.language, file, &together, rescan);
            // A prompt that cannot be edited is left out there, and has its reason below.
            if let Some(replacements) = together.filter(|it| !it.is_empty()) {
                return Ok(replacements);
            }
            // In YAML, each of them alone may have to write the whole string again.
            if self.language.is_yaml() && self.found.read_only.is_none() {
                return Err(CannotWrite(CannotEdit::NoWay.to_string()));
            }
        }
        let mut replacements = Vec::new();
        for (range, new) in edits {
            let each = edit(self.language, file, &self.found, range.clone(), new, rescan);
            replacements.extend(each.map_err(|error| CannotWrite(error.to_string()))?);
        }
        Ok(replacements)
    }

    /// The same for several prompts of a file, in order; `None` if each must be edited separately.
    /// A prompt that cannot be edited is left out.
    pub fn replace_all(
        file: &str,
        prompts: &[(&InHost, &[Replacement])],
    ) -> Option<Vec<Replacement>> {
        let (InHost { language, strings, .. }, _) = prompts.first()?;
        let found: Vec<(&HostPrompt, &[Replacement])> =
            prompts.iter().map(|(prompt, edits)| (&prompt.found, *edits)).collect();
        let rescan = |text: &str| found_in(*language, &text.into(), strings).prompts.clone();
        edit_all(*language, file, &found, rescan)
    }

    /// `true` if a word is written verbatim at every place of a placeholder.
    ///
    /// Letters are written verbatim in all languages and quotes; braces, if none of the literals
    /// doubles them. Data formats escape only a few characters.
    pub fn is_plain(&self, word: &str) -> bool {
        let is_written = |byte: u8| match self.language {
            Language::Json => (b' '..=b'~').contains(&byte) && !b"\"\\".contains(&byte),
            language if language.is_yaml() => {
                (b' '..=b'~').contains(&byte) && !b"'\"\\#".contains(&byte)
            }
            _ => byte.is_ascii_alphanumeric() || b"_.:? ".contains(&byte),
        };
        let may_be_braces = !self.doubles_braces();
        word.bytes().all(|byte| match byte {
            b'{' | b'}' => may_be_braces,
            byte => is_written(byte),
        })
    }
}
