//! Converts edits of files to a workspace edit of the protocol.

use std::collections::HashMap;

use tower_lsp::ls_types as lsp;

use super::{Uri, text_edit};
use crate::client_capabilities::ClientCapabilities;
use crate::workspace_edits::{LabelledEdit, WorkspaceEdits};

/// Converts all edits for the editor, which must support renaming files if some are renamed.
///
/// If the editor can verify it, an edit of an open document names its version.
pub fn workspace_edit(edits: WorkspaceEdits, client: &ClientCapabilities) -> lsp::WorkspaceEdit {
    let edits = if client.creates_files { edits } else { edits.without_new_files() };
    let WorkspaceEdits { created, renamed, changed, versions } = edits;
    // An editor that can create or rename files supports these edits.
    if created.is_empty() && renamed.is_empty() && !client.document_changes {
        let plain = |(uri, edits): (Uri, Vec<LabelledEdit>)| {
            (uri.into(), edits.into_iter().map(|it| text_edit(it.edit)).collect())
        };
        let changes: HashMap<_, _> = changed.into_iter().map(plain).collect();
        return lsp::WorkspaceEdit { changes: Some(changes), ..Default::default() };
    }
    let mut annotations = HashMap::new();
    let mut operations = Vec::new();
    for (uri, text) in created {
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
    for (old_uri, new_uri) in renamed {
        let options =
            lsp::RenameFileOptions { overwrite: Some(false), ignore_if_exists: Some(false) };
        let (options, annotation_id) = (Some(options), None);
        let (old_uri, new_uri) = (old_uri.into(), new_uri.into());
        operations.push(lsp::DocumentChangeOperation::Op(lsp::ResourceOp::Rename(
            lsp::RenameFile { old_uri, new_uri, options, annotation_id },
        )));
    }
    for (uri, edits) in changed {
        let version = versions.get(&uri).copied();
        let edits = edits.into_iter().map(|LabelledEdit { edit, label }| {
            let text_edit = text_edit(edit);
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
