//! Collects edits of files that the editor applies together.

use std::collections::BTreeMap;

use promptls_analysis::TextEdit;
use promptls_analysis::position::Encoding;
use promptls_data::difference;
use promptls_protocol as wire;
use promptls_resolver::FileId;
use promptls_workspace::{CannotWrite, Replacement};
use ropey::Rope;

use crate::client_capabilities::ClientCapabilities;
use crate::convert::{self, Uri};
use crate::document_range::RangeEdit;
use crate::session::documents::Documents;
use crate::session::prompt_snapshot::PromptSnapshot;

/// The reason why an edit of a prompt's files cannot be applied by the editor.
#[derive(Debug, thiserror::Error)]
pub enum NotEdited {
    /// A file has no URI, or the location is not in the editor's text.
    #[error("the text has changed; try again")]
    Gone,
    /// The text cannot be represented in the prompt.
    #[error(transparent)]
    CannotWrite(#[from] CannotWrite),
}

/// One edit of the workspace, collected from edits of several files.
#[derive(Debug, Default)]
pub struct WorkspaceEdits {
    /// The text of each new file.
    pub created: BTreeMap<Uri, String>,
    /// The new name of each renamed file.
    pub renamed: BTreeMap<Uri, Uri>,
    /// The edits of each changed file.
    pub changed: BTreeMap<Uri, Vec<LabelledEdit>>,
    /// The versions of open documents that the edits apply to.
    pub versions: BTreeMap<Uri, i32>,
}

/// An edit of a file. The label names the kind of change to the user.
#[derive(Debug)]
pub struct LabelledEdit {
    pub edit: RangeEdit,
    pub label: Option<&'static str>,
}

impl WorkspaceEdits {
    /// Adds edits of a prompt's files. Duplicates, from several prompts that share a file, are
    /// removed. `label` names the kind of change of each file to the user.
    pub fn add(
        &mut self,
        prompt: &PromptSnapshot,
        edits: &[TextEdit],
        label: impl Fn(FileId) -> Option<&'static str>,
        client: &ClientCapabilities,
    ) -> Result<(), NotEdited> {
        let mut own: Vec<Replacement> = Vec::new();
        for TextEdit { location, text } in edits {
            if location.file == FileId::PROMPT {
                own.push((location.range.clone(), text.clone()));
                continue;
            }
            let place = prompt.location(location, client.encoding).ok_or(NotEdited::Gone)?;
            let edit = RangeEdit { range: place.range, new_text: text.clone() };
            self.change(place.uri, edit, label(location.file));
        }
        if own.is_empty() {
            return Ok(());
        }
        own.sort_by_key(|(range, _)| (range.start, range.end));
        own.dedup();
        let uri = prompt.uri().ok_or(NotEdited::Gone)?;
        let written = prompt.file().replacements_in_file(prompt.prompt(), &own)?;
        for (range, new_text) in written.ok_or(NotEdited::Gone)? {
            let range = convert::wire_range(prompt.document_text(), &range, client.encoding);
            self.change(uri.clone(), RangeEdit { range, new_text }, label(FileId::PROMPT));
        }
        Ok(())
    }

    /// Adds an edit of any file.
    pub fn change(&mut self, uri: Uri, edit: RangeEdit, label: Option<&'static str>) {
        let edits = self.changed.entry(uri).or_default();
        if !edits.iter().any(|other| other.edit == edit) {
            edits.push(LabelledEdit { edit, label });
        }
    }

    /// Adds the smallest edit that replaces the text of a file.
    pub fn rewrite(&mut self, uri: Uri, text: &Rope, after: &str, encoding: Encoding) {
        let (range, new_text) = difference(&text.to_string(), after);
        let range = convert::wire_range(text, &range, encoding);
        self.change(uri, RangeEdit { range, new_text }, None);
    }

    /// Adds a new file with its whole text.
    pub fn create(&mut self, uri: Uri, text: String) {
        self.created.insert(uri, text);
    }

    /// Returns whether there are no edits.
    pub fn is_empty(&self) -> bool {
        self.created.is_empty() && self.renamed.is_empty() && self.changed.is_empty()
    }

    /// The files that are created or changed.
    pub fn uris(&self) -> impl Iterator<Item = &Uri> {
        self.created.keys().chain(self.changed.keys())
    }

    /// Renames a file; its other edits must refer to the new name.
    pub fn rename(&mut self, from: Uri, to: Uri) {
        self.renamed.insert(from, to);
    }

    /// The edits of each file.
    pub fn changes(&self) -> impl Iterator<Item = (&Uri, Vec<&RangeEdit>)> {
        self.changed.iter().map(|(uri, edits)| (uri, edits.iter().map(|it| &it.edit).collect()))
    }

    /// Notes the present versions of open documents, so that the editor can reject edits of older
    /// texts.
    pub fn at_versions(mut self, documents: &Documents) -> WorkspaceEdits {
        let version = |uri: &Uri| Some((uri.clone(), documents.version(uri)?));
        self.versions = self.changed.keys().filter_map(version).collect();
        self
    }

    /// Replaces new files by edits. Editors without support for creating files, as Emacs and Vim,
    /// create a missing file that an edit refers to.
    pub fn without_new_files(mut self) -> WorkspaceEdits {
        for (uri, new_text) in std::mem::take(&mut self.created) {
            self.change(uri, RangeEdit { range: wire::Range::default(), new_text }, None);
        }
        self
    }
}
