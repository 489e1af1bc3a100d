//! `textDocument/prepareRename` and `textDocument/rename`
//!
//! A rename is offered only after it was tried: the very edits that the editor would get are
//! applied to the texts in memory, every prompt that reads one of these files is read again, and
//! must come out as before.

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::Arc;

use promptls_analysis::position::Encoding;
use promptls_analysis::{RenameError, Subject, prepare_rename, prove_rename, rename};
use promptls_resolver::FileId;
use ropey::Rope;
use tower_lsp::jsonrpc::{Error, ErrorCode, Result};
use tower_lsp::ls_types as lsp;

use crate::lsp::abilities::Abilities;
use crate::lsp::backend::work;
use crate::lsp::convert;
use crate::lsp::documents::{Documents, path_of};
use crate::lsp::edits::WorkspaceEdits;
use crate::lsp::moment::{Moment, View};
use crate::lsp::relatives::{Relative, relatives, views_or_readers};

/// Why there is no rename.
#[derive(Debug, thiserror::Error)]
enum Refusal {
    #[error(transparent)]
    Name(#[from] RenameError),
    #[error("the prompts that read {0} have different names for this; rename it by hand")]
    Contradiction(String),
    #[error("a file changed meanwhile; rename again")]
    Changed,
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Error {
        let code = match refusal {
            Refusal::Changed => ErrorCode::ContentModified,
            _ => ErrorCode::ServerError(REQUEST_FAILED),
        };
        Error { code, message: refusal.to_string().into(), data: None }
    }
}

/// The protocol's `RequestFailed`: the request was right, and there is no answer.
const REQUEST_FAILED: i64 = -32803;

/// That names can be renamed; tried first only for an editor that can say so.
pub fn provider(abilities: &Abilities) -> lsp::OneOf<bool, lsp::RenameOptions> {
    if !abilities.prepares_renames {
        return lsp::OneOf::Left(true);
    }
    lsp::OneOf::Right(lsp::RenameOptions {
        prepare_provider: Some(true),
        work_done_progress_options: lsp::WorkDoneProgressOptions::default(),
    })
}

/// What the editor shows to be renamed; `None` where there is no name.
pub async fn prepare(
    documents: &Arc<Documents>,
    abilities: &Abilities,
    at: lsp::TextDocumentPositionParams,
) -> Result<Option<lsp::PrepareRenameResponse>> {
    let encoding = abilities.encoding;
    let views = documents.views(&at.text_document.uri, at.position, encoding);
    let is_heavy = views.is_empty() || views.iter().any(|view| view.moment.snapshot().is_heavy());
    let documents = documents.clone();
    let name = move || {
        let views = views_or_readers(&documents, views, &at.text_document.uri);
        name_at(&views, at.position, encoding)
    };
    Ok(work(is_heavy, name).await??)
}

fn name_at(
    views: &[View],
    position: lsp::Position,
    encoding: Encoding,
) -> std::result::Result<Option<lsp::PrepareRenameResponse>, Refusal> {
    for view in views {
        let Some(offset) = view.offset(position, encoding) else { continue };
        check_parses(&view.moment)?;
        let found = prepare_rename(view.moment.snapshot(), view.file, offset)?;
        let Some(found) = found else { continue };
        if let Some(place) = convert::location(&view.moment, &found.location, encoding) {
            return Ok(Some(lsp::PrepareRenameResponse::RangeWithPlaceholder {
                range: place.range,
                placeholder: found.name,
            }));
        }
    }
    Ok(None)
}

/// The edit that gives the name at a place another name wherever it is written.
pub async fn edit(
    documents: &Arc<Documents>,
    abilities: &Abilities,
    params: lsp::RenameParams,
) -> Result<Option<lsp::WorkspaceEdit>> {
    let at = params.text_document_position;
    let generation = documents.generation();
    let views = documents.views(&at.text_document.uri, at.position, abilities.encoding);
    let (documents, abilities) = (documents.clone(), abilities.clone());
    let edit = move || {
        let views = views_or_readers(&documents, views, &at.text_document.uri);
        let attempt = Attempt { documents: &documents, abilities: &abilities };
        let edits = attempt.edits(views, at.position, &params.new_name)?;
        // The versions that the edit names must be those of the texts it was made for.
        let edit = edits.finish(&documents, &abilities);
        if documents.generation() == generation { Ok(edit) } else { Err(Refusal::Changed) }
    };
    Ok(work(true, edit).await??)
}

/// A file of prompts that does not parse has its places from before.
fn check_parses(moment: &Moment) -> std::result::Result<(), Refusal> {
    let file = moment.file();
    if !file.is_broken {
        return Ok(());
    }
    let name = file.files[0].file_name().unwrap_or_default();
    let (file, reason) = (name.to_string_lossy().into_owned(), "it does not parse".to_owned());
    Err(RenameError::Broken { file, reason }.into())
}

/// What a rename is made with.
struct Attempt<'d> {
    documents: &'d Documents,
    abilities: &'d Abilities,
}

impl Attempt<'_> {
    fn edits(
        &self,
        views: Vec<View>,
        position: lsp::Position,
        new_name: &str,
    ) -> std::result::Result<WorkspaceEdits, Refusal> {
        let Abilities { encoding, .. } = *self.abilities;
        let mut is_name = false;
        for view in &views {
            check_parses(&view.moment)?;
            let offset = view.offset(position, encoding);
            if let Some(offset) = offset {
                is_name |= prepare_rename(view.moment.snapshot(), view.file, offset)?.is_some();
            }
        }
        if !is_name {
            return Err(RenameError::NoName.into());
        }
        let relatives = relatives(self.documents, views, position, encoding);
        let mut edits = WorkspaceEdits::default();
        let mut texts: HashMap<lsp::Uri, Rope> = HashMap::new();
        for Relative { moment, subjects } in &relatives {
            check_parses(moment)?;
            for subject in subjects {
                for edit in rename(moment.snapshot(), subject, new_name)? {
                    let file = edit.location.file;
                    let (text, uri) = moment.place(file).ok_or(Refusal::Changed)?;
                    let known = texts.entry(uri).or_insert_with(|| text.clone());
                    if !known.is_instance(text) && known != text {
                        return Err(Refusal::Changed);
                    }
                    let label = Some(label(moment, file));
                    edits.add(moment, &edit, label, self.abilities).ok_or(Refusal::Changed)?;
                }
            }
        }
        self.prove(&relatives, &edits, &texts, new_name)?;
        Ok(edits)
    }

    /// Refuses edits after which any prompt would not be sent as before.
    fn prove(
        &self,
        relatives: &[Relative],
        edits: &WorkspaceEdits,
        texts: &HashMap<lsp::Uri, Rope>,
        new_name: &str,
    ) -> std::result::Result<(), Refusal> {
        let mut before: HashMap<PathBuf, Arc<str>> = HashMap::new();
        let mut after = before.clone();
        let mut prompts: BTreeSet<lsp::Uri> =
            relatives.iter().filter_map(|relative| relative.moment.identity().0.cloned()).collect();
        for (uri, changes) in edits.changes() {
            let path = path_of(uri);
            let text = texts.get(uri).ok_or(Refusal::Changed)?;
            let name = || path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let changed = applied(text, &changes, self.abilities.encoding)
                .ok_or_else(|| Refusal::Contradiction(name()))?;
            let readers = self.documents.all_readers(&path);
            prompts.extend(readers.iter().filter_map(|reader| reader.identity().0.cloned()));
            before.insert(path.clone(), text.to_string().into());
            after.insert(path, changed.into());
        }
        let no_subjects: &[Subject] = &[];
        for uri in &prompts {
            let was = self.documents.read_with(uri, &before);
            let is = self.documents.read_with(uri, &after);
            if was.len() != is.len() {
                return Err(Refusal::Changed);
            }
            for (was, is) in was.iter().zip(&is) {
                let known =
                    relatives.iter().find(|known| known.moment.identity() == was.identity());
                let subjects = known.map_or(no_subjects, |known| &known.subjects);
                prove_rename(was.snapshot(), is.snapshot(), subjects, new_name)?;
            }
        }
        Ok(())
    }
}

/// What a change of a file is called.
fn label(moment: &Moment, file: FileId) -> &'static str {
    match file {
        FileId::PROMPT => "Prompt",
        file if file == moment.snapshot().declarations.file => "Variables",
        _ => "Inputs",
    }
}

/// A text after some edits; `None` if they overlap, or name places that it has not.
fn applied(text: &Rope, edits: &[&lsp::TextEdit], encoding: Encoding) -> Option<String> {
    let mut ranges = Vec::with_capacity(edits.len());
    for edit in edits {
        let start = convert::offset(text, edit.range.start, encoding)?;
        let end = convert::offset(text, edit.range.end, encoding)?;
        ranges.push((start..end, &edit.new_text));
    }
    ranges.sort_by_key(|(range, _)| (range.start, range.end));
    let before = text.to_string();
    let mut after = String::with_capacity(before.len());
    let mut copied = 0;
    for (range, new_text) in ranges {
        after.push_str(before.get(copied..range.start)?);
        after.push_str(new_text);
        copied = range.end;
    }
    after.push_str(before.get(copied..)?);
    Some(after)
}
