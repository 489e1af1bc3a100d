//! `textDocument/prepareRename` and `textDocument/rename`
//!
//! A rename is offered only after a trial. The same edits that the editor would receive are applied
//! to texts in memory. Every prompt that reads one of these files is read again, and must resolve
//! as before.

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::Arc;

use promptls_analysis::position::Encoding;
use promptls_analysis::{
    RenameError, Symbol, name_in_program, prepare_rename as renamable_at, prove_rename,
    rename as edits_of,
};
use promptls_protocol as wire;
use promptls_resolver::FileId;
use promptls_workspace::{CannotWrite, MAX_PLACES};
use ropey::Rope;

use crate::client_capabilities::ClientCapabilities;
use crate::context::Context;
use crate::convert::{self, Uri};
use crate::document_range::{DocumentPosition, RangeEdit};
use crate::errors::{Error, Result, changed, refused};
use crate::session::cross_prompt::{Sharing, same_in_all_prompts, views_or_readers};
use crate::session::documents::Documents;
use crate::session::prompt_snapshot::{PromptSnapshot, View};
use crate::workspace_edits::{NotEdited, WorkspaceEdits};

/// The reason why a rename is refused.
#[derive(Debug, thiserror::Error)]
enum Refusal {
    #[error(transparent)]
    Name(#[from] RenameError),
    #[error("the prompts that read {0} have different names for this; rename it by hand")]
    Contradiction(String),
    #[error("in prompt `{prompt}`: {reason}")]
    CannotWrite { prompt: String, reason: CannotWrite },
    #[error(
        "`{name}` is also a string in {place}, which may have another meaning; rename it by hand"
    )]
    InTheWay { name: String, place: String },
    #[error("`{name}` is joined from parts in {place}; rename it by hand")]
    Joined { name: String, place: String },
    #[error("`{name}` occurs in more than {MAX_PLACES} places of this app; rename it by hand")]
    TooMany { name: String },
    #[error("a file has changed; rename again")]
    Changed,
}

impl Refusal {
    /// Converts the reason why a prompt cannot be edited. This prompt may differ from the one at
    /// the cursor.
    fn to_edit(prompt: &PromptSnapshot, reason: NotEdited) -> Refusal {
        let prompt = prompt.name().unwrap_or_default().to_owned();
        match reason {
            NotEdited::CannotWrite(reason) => Refusal::CannotWrite { prompt, reason },
            NotEdited::Gone => Refusal::Changed,
        }
    }
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Error {
        match refusal {
            Refusal::Changed => changed(refusal.to_string()),
            _ => refused(refusal.to_string()),
        }
    }
}

/// A request to rename a name.
pub struct RenameQuery {
    pub at: DocumentPosition,
    pub new_name: String,
    /// The state of the documents that the request is for.
    pub generation: u64,
}

/// A name that can be renamed, and where it is.
pub struct NameRange {
    pub range: wire::Range,
    pub name: String,
}

/// The range and text to rename; `None` where there is no name.
pub fn prepare_rename(
    context: Context<Vec<View>>,
    at: DocumentPosition,
) -> Result<Option<NameRange>> {
    let encoding = context.encoding();
    let documents = &context.session.documents;
    let views = views_or_readers(documents, context.subject, &at, encoding);
    Ok(name_at(&views, at.position, encoding)?)
}

fn name_at(
    views: &[View],
    position: wire::Position,
    encoding: Encoding,
) -> std::result::Result<Option<NameRange>, Refusal> {
    for view in views {
        let Some(offset) = view.offset(position, encoding) else { continue };
        check_parses(&view.prompt)?;
        let found = renamable_at(view.prompt.snapshot(), view.file, offset)?;
        let Some(found) = found else { continue };
        if let Some(place) = view.prompt.location(&found.location, encoding) {
            return Ok(Some(NameRange { range: place.range, name: found.name }));
        }
    }
    Ok(None)
}

/// The edits that rename the symbol at a position everywhere. Fails if documents have changed since
/// the request.
pub fn rename(
    context: Context<Vec<View>>,
    RenameQuery { at, new_name, generation }: RenameQuery,
) -> Result<WorkspaceEdits> {
    let Context { session, subject: views } = context;
    let (documents, client) = (&session.documents, session.client_capabilities());
    let views = views_or_readers(documents, views, &at, client.encoding);
    let attempt = Attempt { documents, client };
    let edits = attempt.edits(views, at.position, &new_name)?;
    // The versions in the edits must be those of the texts they were computed for.
    let edits = edits.at_versions(documents);
    if documents.generation() != generation {
        return Err(Refusal::Changed.into());
    }
    Ok(edits)
}

/// Fails for a file that does not parse, because its positions are those of an earlier text.
fn check_parses(prompt: &PromptSnapshot) -> std::result::Result<(), Refusal> {
    let file = prompt.file();
    if !file.is_broken {
        return Ok(());
    }
    let name = file.files[0].file_name().unwrap_or_default();
    let (file, reason) = (name.to_string_lossy().into_owned(), "it does not parse".to_owned());
    Err(RenameError::Broken { file, reason }.into())
}

/// The inputs of a rename.
struct Attempt<'d> {
    documents: &'d Documents,
    client: &'d ClientCapabilities,
}

impl Attempt<'_> {
    fn edits(
        &self,
        views: Vec<View>,
        position: wire::Position,
        new_name: &str,
    ) -> std::result::Result<WorkspaceEdits, Refusal> {
        let ClientCapabilities { encoding, .. } = *self.client;
        let mut is_name = false;
        for view in &views {
            check_parses(&view.prompt)?;
            let offset = view.offset(position, encoding);
            if let Some(offset) = offset {
                is_name |= renamable_at(view.prompt.snapshot(), view.file, offset)?.is_some();
            }
        }
        if !is_name {
            return Err(RenameError::NoName.into());
        }
        let sharing = same_in_all_prompts(self.documents, views, position, encoding);
        let mut edits = WorkspaceEdits::default();
        let mut texts: HashMap<Uri, Rope> = HashMap::new();
        // All of them are in one application, so one search for each name is enough.
        let mut looked_for: BTreeSet<String> = BTreeSet::new();
        for Sharing { prompt, symbols } in &sharing {
            check_parses(prompt)?;
            for symbol in symbols {
                if let Some(name) = name_in_program(prompt.snapshot(), symbol)
                    && looked_for.insert(name.to_owned())
                {
                    let name = name.to_owned();
                    if self.documents.project().places_in_app(prompt, &name) > MAX_PLACES {
                        return Err(Refusal::TooMany { name });
                    }
                    match self.documents.project().in_the_way(prompt, &name) {
                        Some((place, true)) => return Err(Refusal::Joined { name, place }),
                        Some((place, false)) => return Err(Refusal::InTheWay { name, place }),
                        None => {}
                    }
                }
                let mut found = edits_of(prompt.snapshot(), symbol, new_name)?;
                if follows_another(prompt, &sharing) {
                    found.retain(|edit| edit.location.file != FileId::PROMPT);
                }
                for edit in &found {
                    let file = edit.location.file;
                    let is_around = prompt.file().is_around(file);
                    if is_around && !self.documents.project().is_as_read(prompt, file) {
                        return Err(Refusal::Changed);
                    }
                    let (text, uri) = prompt.place(file).ok_or(Refusal::Changed)?;
                    let known = texts.entry(uri).or_insert_with(|| text.clone());
                    if !known.is_instance(text) && known != text {
                        return Err(Refusal::Changed);
                    }
                }
                edits
                    .add(prompt, &found, |file| Some(label(prompt, file)), self.client)
                    .map_err(|reason| Refusal::to_edit(prompt, reason))?;
            }
        }
        self.prove(&sharing, &edits, &texts, new_name)?;
        Ok(edits)
    }

    /// Fails if the edits would change the resolved text of any prompt.
    fn prove(
        &self,
        sharing: &[Sharing],
        edits: &WorkspaceEdits,
        texts: &HashMap<Uri, Rope>,
        new_name: &str,
    ) -> std::result::Result<(), Refusal> {
        let mut before: HashMap<PathBuf, Arc<str>> = HashMap::new();
        let mut after = before.clone();
        let mut prompts: BTreeSet<Uri> =
            sharing.iter().filter_map(|it| it.prompt.identity().0.cloned()).collect();
        for (uri, changes) in edits.changes() {
            let path = convert::path(uri);
            let text = texts.get(uri).ok_or(Refusal::Changed)?;
            let name = || path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let changed = applied(text, &changes, self.client.encoding)
                .ok_or_else(|| Refusal::Contradiction(name()))?;
            let readers = self.documents.unstored().readers(&path);
            prompts.extend(readers.iter().filter_map(|reader| reader.identity().0.cloned()));
            before.insert(path.clone(), text.to_string().into());
            after.insert(path, changed.into());
        }
        let no_symbols: &[Symbol] = &[];
        let (before, after) =
            (self.documents.with_texts(&before), self.documents.with_texts(&after));
        for uri in &prompts {
            let was = before.prompts(uri);
            let is = after.prompts(uri);
            if was.len() != is.len() {
                return Err(Refusal::Changed);
            }
            for (was, is) in was.iter().zip(&is) {
                let known = sharing.iter().find(|known| known.prompt.identity() == was.identity());
                let symbols = known.map_or(no_symbols, |known| &known.symbols);
                prove_rename(was.snapshot(), is.snapshot(), symbols, new_name).map_err(
                    |error| {
                        // The surrounding code may have been processed after its names were
                        // requested, or between the two reads.
                        let again = before.prompts(uri);
                        let sources = [Some(was), known.map(|known| &known.prompt)];
                        let is_stale = |source: &PromptSnapshot| {
                            again
                                .first()
                                .is_none_or(|now| !now.file().has_same_program_facts(source.file()))
                        };
                        match sources.into_iter().flatten().any(is_stale) {
                            true => Refusal::Changed,
                            false => error.into(),
                        }
                    },
                )?;
            }
        }
        Ok(())
    }
}

/// Returns whether a prompt is an alias of another one that is renamed as well, and changes with
/// it.
fn follows_another(prompt: &PromptSnapshot, sharing: &[Sharing]) -> bool {
    let text = |prompt: &PromptSnapshot| prompt.snapshot().text.whole().into_owned();
    !prompt.is_written_here()
        && sharing.iter().map(|other| &other.prompt).any(|other| {
            other.is_written_here()
                && other.identity().0 == prompt.identity().0
                && text(other) == text(prompt)
        })
}

/// The label for changes of a file.
fn label(prompt: &PromptSnapshot, file: FileId) -> &'static str {
    match file {
        FileId::PROMPT => "Prompt",
        file if file == prompt.snapshot().declarations.file => "Variables",
        file if file == prompt.file().file || prompt.file().is_around(file) => "Code",
        _ => "Inputs",
    }
}

/// Applies edits to a text; `None` if they overlap, or contain invalid positions.
fn applied(text: &Rope, edits: &[&RangeEdit], encoding: Encoding) -> Option<String> {
    let mut ranges = Vec::with_capacity(edits.len());
    for edit in edits {
        let start = convert::offset(text, edit.range.start, encoding)?;
        let end = convert::offset(text, edit.range.end, encoding)?;
        ranges.push((start..end, &edit.new_text));
    }
    ranges.sort_by_key(|(range, _)| (range.start, range.end));
    promptls_data::replaced(&text.to_string(), &ranges)
}
