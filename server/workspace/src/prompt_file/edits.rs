//! Edits of prompts: as edits of their file, and of a prompt that is open while it is typed.

use std::sync::Arc;

use promptls_syntax::{Edit, Tree};
use ropey::Rope;

use super::{Prompt, PromptFile};
use crate::hosts::writing::InHost;
use crate::readers::writing::{CannotWrite, Replacement};

impl PromptFile {
    /// The replacements in the file for replacements in the text of a prompt; the latter are in
    /// order and do not overlap. `Ok(None)` as for [`PromptFile::in_file`].
    ///
    /// Cost: the text of a file, unless it is the prompt.
    pub fn replacements_in_file(
        &self,
        prompt: &Prompt,
        edits: &[Replacement],
    ) -> Result<Option<Vec<Replacement>>, CannotWrite> {
        let (Some(file), Some(writing)) = (self.last_good_text(), &prompt.writing) else {
            return Ok(Some(edits.to_vec()));
        };
        let written = writing.replace(&file, edits)?.into_iter();
        Ok(written.map(|(range, new)| Some((self.now(range)?, new))).collect())
    }

    /// The same for several of its prompts, in order. A prompt that cannot be edited is left out.
    ///
    /// Cost: the file a few times; once more for each prompt if they cannot be edited together.
    pub fn replacements_of_prompts(
        &self,
        prompts: &[(&Prompt, Vec<Replacement>)],
    ) -> Vec<Replacement> {
        if prompts.len() > 1
            && let Some(file) = self.last_good_text()
            && let Some(edits) = in_host(prompts)
        {
            let written = InHost::replace_all(&file, &edits).and_then(|written| {
                let now = written.into_iter().map(|(range, new)| Some((self.now(range)?, new)));
                now.collect()
            });
            if let Some(written) = written {
                return written;
            }
        }
        let each = |(prompt, edits): &(&Prompt, Vec<Replacement>)| {
            self.replacements_in_file(prompt, edits).ok().flatten().unwrap_or_default()
        };
        prompts.iter().flat_map(each).collect()
    }
}

/// The writers of prompts, with their edits; `None` if a file is a prompt itself.
fn in_host<'p>(
    prompts: &'p [(&Prompt, Vec<Replacement>)],
) -> Option<Vec<(&'p InHost, &'p [Replacement])>> {
    let each = prompts.iter().map(|(prompt, edits)| Some((&**prompt.writing.as_ref()?, &**edits)));
    each.collect()
}

/// Incremental updates during typing.
impl PromptFile {
    /// `true` if it supports incremental edits; otherwise it must be read again after each.
    pub fn follows_edits(&self) -> bool {
        self.reader.is_none()
    }

    /// Applies an edit of a file that is a prompt; `text` is the new text.
    pub fn edit(&mut self, text: &Rope, edit: Edit) {
        let [prompt] = &mut self.prompts[..] else { return };
        let snapshot = &mut prompt.snapshot;
        snapshot.text = text.clone().into();
        snapshot.memo.get_or_insert_default();
        // Copied only while an earlier query still holds it.
        Arc::make_mut(&mut snapshot.tree).edit(text, edit);
        prompt.entry = 0..text.len_bytes();
        self.sidecars.read_again(snapshot);
    }

    /// Takes over the text of `newer`, which arrived while this one was read; `false` if that is
    /// not possible.
    pub fn follow(&mut self, newer: &PromptFile) -> bool {
        let ([prompt], [newer]) = (&mut self.prompts[..], &newer.prompts[..]) else { return false };
        if self.reader.is_some() {
            return false;
        }
        let (snapshot, newer) = (&mut prompt.snapshot, &newer.snapshot);
        if !snapshot.text.is_instance(&newer.text) {
            snapshot.text = newer.text.clone();
            let grammar = snapshot.tree.grammar();
            snapshot.tree = match newer.tree.grammar() == grammar {
                true => newer.tree.clone(),
                false => Arc::new(Tree::parse(grammar, &newer.text)),
            };
        }
        true
    }
}
