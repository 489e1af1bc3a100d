//! Edits of a prompt in its literal.

use std::any::Any;
use std::sync::Arc;

use promptls_hosts::{CannotEdit, Found, Language, PieceKind, edit, edit_all};

use super::found::found_in;
use super::strings::Strings;
use crate::readers::writing::{CannotWrite, Replacement, Template, Writing};

/// Writes into the literals of a host.
#[derive(Debug)]
pub struct InHost {
    pub language: Language,
    pub strings: Arc<Strings>,
    pub found: Found,
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
}

impl Writing for InHost {
    fn replace(
        &self,
        template: &Template<'_>,
        edits: &[Replacement],
    ) -> Result<Vec<Replacement>, CannotWrite> {
        let rescan =
            |text: &str| found_in(self.language, &text.into(), &self.strings).prompts.clone();
        if edits.len() > 1 {
            let together = [(&self.found, edits)];
            let together = edit_all(self.language, template.file, &together, rescan);
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
            let each = edit(self.language, template.file, &self.found, range.clone(), new, rescan);
            replacements.extend(each.map_err(|error| CannotWrite(error.to_string()))?);
        }
        Ok(replacements)
    }

    fn replace_all(
        &self,
        file: &str,
        prompts: &[(&dyn Writing, &[Replacement])],
    ) -> Option<Vec<Replacement>> {
        let mut in_host: Vec<(&Found, &[Replacement])> = Vec::with_capacity(prompts.len());
        for (writing, edits) in prompts {
            let writing: &dyn Any = *writing;
            in_host.push((&writing.downcast_ref::<InHost>()?.found, edits));
        }
        let rescan =
            |text: &str| found_in(self.language, &text.into(), &self.strings).prompts.clone();
        edit_all(self.language, file, &in_host, rescan)
    }

    /// Letters are written verbatim in all languages and quotes; braces, if none of the literals
    /// doubles them. Data formats escape only a few characters.
    fn is_plain(&self, word: &str) -> bool {
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
