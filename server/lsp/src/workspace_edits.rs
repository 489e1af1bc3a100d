//! Collects edits of files into a workspace edit of the protocol.

use std::collections::{BTreeMap, HashMap};

use promptls_analysis::TextEdit;
use promptls_analysis::position::Encoding;
use promptls_data::difference;
use promptls_resolver::FileId;
use promptls_workspace::{CannotWrite, Replacement};
use ropey::Rope;
use tower_lsp::ls_types as lsp;

use crate::client_capabilities::ClientCapabilities;
use crate::convert::{self, Uri};
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
    created: BTreeMap<Uri, String>,
    /// The new name of each renamed file.
    renamed: BTreeMap<Uri, Uri>,
    /// The edits of each file, each with the label of its change.
    changed: BTreeMap<Uri, Vec<(lsp::TextEdit, Option<&'static str>)>>,
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
            let edit = lsp::TextEdit { range: place.range, new_text: text.clone() };
            self.change(place.uri.into(), edit, label(location.file));
        }
        if own.is_empty() {
            return Ok(());
        }
        own.sort_by_key(|(range, _)| (range.start, range.end));
        own.dedup();
        let uri = prompt.uri().ok_or(NotEdited::Gone)?;
        let written = prompt.file().replacements_in_file(prompt.prompt(), &own)?;
        for (range, new_text) in written.ok_or(NotEdited::Gone)? {
            let range = convert::lsp_range(prompt.document_text(), &range, client.encoding);
            self.change(uri.clone(), lsp::TextEdit { range, new_text }, label(FileId::PROMPT));
        }
        Ok(())
    }

    /// Adds an edit of any file.
    pub fn change(&mut self, uri: Uri, edit: lsp::TextEdit, label: Option<&'static str>) {
        let changes = self.changed.entry(uri).or_default();
        if !changes.iter().any(|(other, _)| *other == edit) {
            changes.push((edit, label));
        }
    }

    /// Adds the smallest edit that replaces the text of a file.
    pub fn rewrite(&mut self, uri: Uri, text: &Rope, after: &str, encoding: Encoding) {
        let (range, new_text) = difference(&text.to_string(), after);
        let range = convert::lsp_range(text, &range, encoding);
        self.change(uri, lsp::TextEdit { range, new_text }, None);
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
    pub fn changes(&self) -> impl Iterator<Item = (&Uri, Vec<&lsp::TextEdit>)> {
        self.changed.iter().map(|(uri, changes)| (uri, changes.iter().map(|(it, _)| it).collect()))
    }

    /// Converts all edits for the editor, which must support renaming files if some are renamed.
    ///
    /// If the editor can verify it, an edit of an open document names its present version.
    pub fn finish(
        mut self,
        documents: &Documents,
        client: &ClientCapabilities,
    ) -> lsp::WorkspaceEdit {
        if !client.creates_files {
            self.begin_files();
        }
        // An editor that can create or rename files supports these edits.
        if self.created.is_empty() && self.renamed.is_empty() && !client.document_changes {
            let plain = |(uri, changes): (Uri, Vec<_>)| {
                (uri.into(), changes.into_iter().map(|(edit, _)| edit).collect())
            };
            let changes: HashMap<_, _> = self.changed.into_iter().map(plain).collect();
            return lsp::WorkspaceEdit { changes: Some(changes), ..Default::default() };
        }
        let mut annotations = HashMap::new();
        let mut operations = Vec::new();
        for (uri, text) in self.created {
            let options =
                lsp::CreateFileOptions { overwrite: Some(false), ignore_if_exists: Some(false) };
            operations.push(lsp::DocumentChangeOperation::Op(lsp::ResourceOp::Create(
                lsp::CreateFile {
                    uri: uri.clone().into(),
                    options: Some(options),
                    annotation_id: None,
                },
            )));
            let edit = lsp::TextEdit { range: of_empty_file(), new_text: text };
            operations.push(edit_of(uri, None, vec![lsp::OneOf::Left(edit)]));
        }
        for (old_uri, new_uri) in self.renamed {
            let options =
                lsp::RenameFileOptions { overwrite: Some(false), ignore_if_exists: Some(false) };
            let (options, annotation_id) = (Some(options), None);
            let (old_uri, new_uri) = (old_uri.into(), new_uri.into());
            operations.push(lsp::DocumentChangeOperation::Op(lsp::ResourceOp::Rename(
                lsp::RenameFile { old_uri, new_uri, options, annotation_id },
            )));
        }
        for (uri, changes) in self.changed {
            let version = documents.version(&uri);
            let edits = changes.into_iter().map(|(text_edit, label)| {
                let Some(label) = label.filter(|_| client.annotates_changes) else {
                    return lsp::OneOf::Left(text_edit);
                };
                annotations.insert(label.to_owned(), annotation(label));
                let annotation_id = label.to_owned();
                lsp::OneOf::Right(lsp::AnnotatedTextEdit { text_edit, annotation_id })
            });
            operations.push(edit_of(uri, version, edits.collect()));
        }
        lsp::WorkspaceEdit {
            changes: None,
            document_changes: Some(lsp::DocumentChanges::Operations(operations)),
            change_annotations: (!annotations.is_empty()).then_some(annotations),
        }
    }

    /// Replaces new files by edits. Editors without support for creating files, as Emacs and Vim,
    /// create a missing file that an edit refers to.
    fn begin_files(&mut self) {
        for (uri, new_text) in std::mem::take(&mut self.created) {
            self.change(uri, lsp::TextEdit { range: lsp::Range::default(), new_text }, None);
        }
    }
}

/// The range of an empty file that was just created.
///
/// It ends after the end of the only line, which means that end. So Neovim detects that the last
/// line break of the text replaces its own, and adds no empty line.
fn of_empty_file() -> lsp::Range {
    lsp::Range { start: lsp::Position::default(), end: lsp::Position { line: 0, character: 1 } }
}

fn annotation(label: &str) -> lsp::ChangeAnnotation {
    lsp::ChangeAnnotation { label: label.to_owned(), needs_confirmation: None, description: None }
}

fn edit_of(
    uri: Uri,
    version: Option<i32>,
    edits: Vec<lsp::OneOf<lsp::TextEdit, lsp::AnnotatedTextEdit>>,
) -> lsp::DocumentChangeOperation {
    let text_document = lsp::OptionalVersionedTextDocumentIdentifier { uri: uri.into(), version };
    lsp::DocumentChangeOperation::Edit(lsp::TextDocumentEdit { text_document, edits })
}
