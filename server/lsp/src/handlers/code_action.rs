//! Code actions: the list of actions for a range, and the edit of the chosen one.
//!
//! The analysis describes changes by the role of a file. Here they get paths and texts, and become
//! an edit: at once, or when the editor resolves the action. In the second case the list is
//! computed again, and the action is found by its id. If the document has changed, the request
//! fails.

use std::collections::BTreeMap;

use promptls_analysis::position::Encoding;
use promptls_analysis::{
    ActionId, ActionKind, ActionName, Change, CodeAction, ConfigChange, DEFAULT_CASE,
    DEFAULT_MAX_PROBLEMS, FileEdit, NewFile, Sureness, TextEdit, code_actions, edit_file, fix_all,
};
use promptls_protocol as wire;
use promptls_protocol::commands::{NEW_CASE, PICK_CASE, SELECT_CASE};
use promptls_resolver::{FileId, Format, Location, Problem};
use serde_json::json;

use crate::client_capabilities::ClientCapabilities;
use crate::context::{Context, Subject};
use crate::convert::diagnostic::Diagnostic;
use crate::convert::{self, Uri};
use crate::dialect_marks::{Mark, marks};
use crate::document_range::DocumentRange;
use crate::errors::{Result, changed_meanwhile, refused};
use crate::handlers::CommandCall;
use crate::handlers::code_lens::selection;
use crate::handlers::config_edit::change_config;
use crate::handlers::execute_command::add_prompt::{NewPromptValue, new_prompt_values};
use crate::handlers::execute_command::convert_prompt::{Conversion, conversions, converted_edits};
use crate::handlers::listed_action::{ActionData, ListedAction, ListedAt};
use crate::handlers::new_file::free;
use crate::handlers::preview::engine;
#[cfg(feature = "templates")]
use crate::handlers::sections;
use crate::handlers::stores;
use crate::session::Session;
use crate::session::documents::Documents;
use crate::session::prompt_snapshot::{FileSnapshot, PromptSnapshot, View};
use crate::workspace_edits::{NotEdited, WorkspaceEdits};
use promptls_workspace::{Scope, is_code, may_have_values};

const QUICK_FIX: &str = "quickfix";
const REFACTOR: &str = "refactor";

/// All safe fixes in the whole document.
const FIX_ALL: &str = "source.fixAll.promptls";

/// Selects another case. This does not change the text, so none of the standard kinds applies.
const CASE: &str = "promptls.case";

/// Converts a prompt to another dialect. Listed only for requests for refactorings or for this
/// kind, because five such actions at each cursor position would be a nuisance.
const CONVERT: &str = "refactor.rewrite.convert";

/// Inserts a missing section. Not listed for automatic requests, so that no lightbulb appears.
/// Requests for only this kind get the actions in every line.
const INSERT: &str = "refactor.rewrite.insertSection";

/// The kinds that the server announces.
pub const ANNOUNCED: [&str; 4] = [QUICK_FIX, REFACTOR, FIX_ALL, CASE];

/// A request for code actions.
pub struct ActionQuery {
    pub at: DocumentRange,
    /// The kinds of actions that are requested; `None` for all of them.
    pub only: Option<Vec<String>>,
    /// The user requests the actions, not the editor at each cursor position.
    pub is_invoked: bool,
    /// The diagnostics at the range.
    pub diagnostics: Vec<Diagnostic>,
}

/// An action, and the index of the view that it belongs to.
struct FoundAction {
    action: CodeAction,
    view: usize,
}

/// The inputs for the actions at a range.
struct Actions<'c> {
    documents: &'c Documents,
    client: &'c ClientCapabilities,
    place: ListedAt,
    views: &'c [View],
    file: Option<&'c FileSnapshot>,
    /// The language of new sections.
    #[cfg(feature = "templates")]
    language: String,
}

/// The prompts and the file that actions at a range refer to.
pub struct AtRange {
    /// The prompts at the range.
    views: Vec<View>,
    /// The document, if it has prompts or may have some.
    file: Option<FileSnapshot>,
}

impl Subject for AtRange {
    fn prompts(&self) -> Vec<&PromptSnapshot> {
        self.views.prompts()
    }
}

impl AtRange {
    /// The present state of a range in a document.
    pub fn new(session: &Session, uri: &Uri, range: wire::Range) -> AtRange {
        let documents = &session.documents;
        let views = views_in(documents, uri, range, session.encoding());
        AtRange { views, file: documents.lookup().file(uri) }
    }

    /// The same for an action that was listed before.
    pub fn of(session: &Session, action: &ActionData) -> AtRange {
        AtRange::new(session, &action.place.uri, action.place.range)
    }
}

/// The views of a range: one for each prompt with text in it. If it extends beyond a prompt, views of
/// the document as a sidecar are included.
fn views_in(documents: &Documents, uri: &Uri, range: wire::Range, encoding: Encoding) -> Vec<View> {
    let lookup = documents.lookup();
    let at = |position| Some(lookup.prompt_at(uri, position, encoding)?.index);
    if let (Some(first), Some(last)) = (at(range.start), at(range.end))
        && first == last
    {
        return lookup.views(uri, range.start, encoding);
    }
    let prompts = lookup.prompts(uri).into_iter();
    let prompts = prompts.filter(|prompt| !prompt.bytes_in(range, encoding).is_empty());
    let views = prompts.map(|prompt| View { prompt, file: FileId::PROMPT });
    let mut views: Vec<View> = views.chain(lookup.known_readers(uri)).collect();
    if views.is_empty() {
        views = lookup.views(uri, range.start, encoding);
    }
    views
}

/// The actions for a range.
pub fn code_action(
    context: Context<AtRange>,
    query: ActionQuery,
) -> Result<Option<Vec<ListedAction>>> {
    let DocumentRange { uri, range } = query.at.clone();
    let version = context.session.documents.version(&uri);
    let place = ListedAt { uri, range, version };
    let AtRange { views, file } = &context.subject;
    let has_conflicts = file.as_ref().is_some_and(|it| !it.file.conflicts.is_empty());
    let may_have_some =
        !views.is_empty() || has_conflicts || may_have_values(&convert::path(&place.uri));
    if !may_have_some || !context.client().actions.literals {
        return Ok(None);
    }
    let listed = Actions::new(&context, place).list(&query);
    Ok(Some(listed).filter(|listed| !listed.is_empty() || !views.is_empty()))
}

/// The edits of an action. Fails if the document has changed.
pub fn resolve(
    context: Context<AtRange>,
    ActionData { id, place }: ActionData,
) -> Result<WorkspaceEdits> {
    let documents = &context.session.documents;
    let is_current = || documents.version(&place.uri) == place.version;
    if !is_current() {
        return Err(changed_meanwhile());
    }
    let id = id.parse().map_err(|_| changed_meanwhile())?;
    let edits = Actions::new(&context, place.clone()).edits_of(&id)?;
    // The result of a long computation may be for an old text.
    if !is_current() {
        return Err(changed_meanwhile());
    }
    Ok(edits)
}

impl<'c> Actions<'c> {
    fn new(context: &'c Context<AtRange>, place: ListedAt) -> Actions<'c> {
        let (documents, client) = (&context.session.documents, context.client());
        Actions {
            documents,
            client,
            place,
            views: &context.subject.views,
            file: context.subject.file.as_ref(),
            #[cfg(feature = "templates")]
            language: context.session.preferences.language(),
        }
    }

    /// All actions of the requested kinds.
    fn list(&self, query: &ActionQuery) -> Vec<ListedAction> {
        let is_requested = |kind: &str| {
            query.only.as_ref().is_none_or(|only| only.iter().any(|only| is_of_kind(kind, only)))
        };
        let mut listed = Vec::new();
        if is_requested(QUICK_FIX) || is_requested(REFACTOR) {
            let found = self.found().into_iter();
            let found = found.filter(|found| is_requested(kind(found.action.kind)));
            listed.extend(found.filter_map(|found| self.listed(found, &query.diagnostics)));
        }
        if is_requested(QUICK_FIX) {
            let marks = self.marks().into_iter();
            listed.extend(marks.filter_map(|mark| self.marking(mark, &query.diagnostics)));
        }
        if is_requested(REFACTOR) {
            let values = self.new_prompt_values().into_iter();
            listed.extend(values.filter_map(|value| {
                let action = ListedAction::new(value.title.clone(), REFACTOR);
                self.with_edits(&value.id, action, || self.value_edits(&value))
            }));
        }
        listed.extend(self.sections(query).into_iter().filter_map(|it| self.listed(it, &[])));
        listed.extend(self.conversions(query));
        if is_requested(FIX_ALL) && !self.safe_fixes().is_empty() {
            let title = "Fix everything that has exactly one correct fix".to_owned();
            let action = ListedAction::new(title, FIX_ALL);
            listed.extend(self.with_edits(&ActionName::FixAll.into(), action, || self.edit_all()));
        }
        // An editor with its own command for selecting a case needs no actions for it.
        if is_requested(CASE) && !self.client.offers(PICK_CASE) {
            listed.extend(self.views.iter().flat_map(other_cases).map(show_case));
        }
        if is_requested(stores::STORE) {
            let prompt = self.views.iter().find(|view| view.file == FileId::PROMPT);
            let prompt = prompt.map(|view| &view.prompt);
            listed.extend(
                prompt
                    .into_iter()
                    .flat_map(|prompt| stores::actions(self.documents, self.client, prompt)),
            );
        }
        listed
    }

    /// The actions at the range. Equal actions of several prompts are listed once.
    fn found(&self) -> Vec<FoundAction> {
        let mut all: Vec<FoundAction> = Vec::new();
        for (index, view) in self.views.iter().enumerate() {
            let View { prompt, file } = view;
            let range = view.bytes_in(self.place.range, self.client.encoding);
            let Some(range) = range else { continue };
            let problems = problems_of(prompt);
            let found = code_actions(prompt.snapshot(), &problems, *file, &range, prompt.case);
            let engines = engine::actions(self.documents, prompt, *file, &problems, &range);
            // The dialect and the engine of code follow from its language and its framework.
            let is_requested = |action: &CodeAction| {
                let names_engine = |change: &Change| {
                    let Change::Config(change) = change else { return false };
                    matches!(change, ConfigChange::Dialect(_) | ConfigChange::Engine(_))
                };
                !is_code(prompt.path()) || !action.changes.iter().any(names_engine)
            };
            let new = found.into_iter().chain(engines).filter(is_requested);
            all.extend(new.map(|action| FoundAction { action, view: index }));
        }
        let mut ids = std::collections::HashSet::new();
        all.retain(|found| ids.insert(found.action.id.clone()));
        all
    }

    /// The marks that could select the dialect of a text.
    fn marks(&self) -> Vec<Mark> {
        let file = self.file.into_iter();
        file.flat_map(|file| marks(file, self.place.range, self.client.encoding)).collect()
    }

    fn marking(&self, mark: Mark, known: &[Diagnostic]) -> Option<ListedAction> {
        let fixes = known.iter().filter(|it| mark.fixes_diagnostic(it)).cloned().collect();
        let action = ListedAction { fixes, ..ListedAction::new(mark.title.clone(), QUICK_FIX) };
        self.with_edits(&mark.id(), action, || Ok(self.write(mark)))
    }

    /// The actions that make the value at the range a prompt.
    fn new_prompt_values(&self) -> Vec<NewPromptValue> {
        let ListedAt { uri, range, .. } = &self.place;
        new_prompt_values(self.documents, uri, *range, self.client.encoding)
    }

    fn value_edits(&self, value: &NewPromptValue) -> Result<WorkspaceEdits> {
        let edits = value.edits(self.documents, &self.place.uri, self.client.encoding)?;
        Ok(edits.at_versions(self.documents))
    }

    fn write(&self, mark: Mark) -> WorkspaceEdits {
        let mut edits = WorkspaceEdits::default();
        edits.change(self.place.uri.clone(), mark.edit, None);
        edits.at_versions(self.documents)
    }

    /// The sections that can be inserted, if the request allows them.
    fn sections(&self, query: &ActionQuery) -> Vec<FoundAction> {
        let only = query.only.as_deref();
        let contains = |only: &[String], kind: &str| only.iter().any(|only| only == kind);
        let is_requested = only.is_some_and(|only| contains(only, INSERT));
        let may_be_welcome = query.is_invoked && only.is_none_or(|only| contains(only, REFACTOR));
        if is_requested || may_be_welcome { self.insertable(is_requested) } else { Vec::new() }
    }

    /// Conversions to other dialects, if refactorings are requested and the editor can create
    /// files.
    fn conversions(&self, query: &ActionQuery) -> Vec<ListedAction> {
        let is_above = |only: &String| !only.is_empty() && is_of_kind(CONVERT, only);
        let is_requested = query.only.iter().flatten().any(is_above);
        let prompt = self.views.first().filter(|_| is_requested && self.client.creates_files);
        let found = prompt.map(conversions).unwrap_or_default().into_iter();
        let listed = found.filter_map(|Conversion { id, title }| {
            self.with_edits(&id, ListedAction::new(title, CONVERT), || self.edits_of(&id))
        });
        listed.collect()
    }

    /// The sections that can be inserted, in any line or only in a blank one.
    #[cfg(feature = "templates")]
    fn insertable(&self, in_any_line: bool) -> Vec<FoundAction> {
        let is_prompt = |(_, view): &(usize, &View)| {
            view.file == FileId::PROMPT && view.prompt.snapshot().foreign.is_none()
        };
        let Some((index, view)) = self.views.iter().enumerate().find(is_prompt) else {
            return Vec::new();
        };
        let Some(at) = view.offset(self.place.range.start, self.client.encoding) else {
            return Vec::new();
        };
        let snapshot = view.prompt.snapshot();
        let actions = sections::actions(snapshot, at, in_any_line, &self.language).into_iter();
        actions.map(|action| FoundAction { action, view: index }).collect()
    }

    /// This server was built without templates.
    #[cfg(not(feature = "templates"))]
    fn insertable(&self, _: bool) -> Vec<FoundAction> {
        Vec::new()
    }

    fn listed(&self, found: FoundAction, known: &[Diagnostic]) -> Option<ListedAction> {
        let prompt = &self.views[found.view].prompt;
        let CodeAction { title, kind: sort, fixes, is_preferred, disabled, .. } = &found.action;
        let fixed = fixes.as_ref().and_then(|(code, location)| {
            let range = prompt.location(location, self.client.encoding)?.range;
            Some(known.iter().filter(|known| known.is_at(range, *code)).cloned().collect())
        });
        let action = ListedAction {
            fixes: fixed.unwrap_or_default(),
            is_preferred: *is_preferred,
            ..ListedAction::new(title.clone(), kind(*sort))
        };
        match disabled {
            Some(reason) if self.client.actions.disabled => {
                Some(ListedAction { disabled: Some(reason.clone()), ..action })
            }
            Some(_) => None,
            None if self.is_editor_command(&found.action.changes) => {
                let start = prompt.name().and_then(|_| prompt.whole_range(self.client.encoding));
                let position = start.map(|range| json!(range.start));
                let uri = prompt.uri().map(|uri| json!(uri));
                let arguments = [uri, position].into_iter().flatten().collect();
                let command = CommandCall { title: title.clone(), command: NEW_CASE, arguments };
                Some(ListedAction { command: Some(command), ..action })
            }
            None => {
                let edits = || self.edits(prompt, &found.action.changes);
                self.with_edits(&found.action.id, action, edits)
            }
        }
    }

    /// Adds the edits to an action, or the data to compute them later. `None` if there are no edits.
    fn with_edits(
        &self,
        id: &ActionId,
        action: ListedAction,
        edits: impl FnOnce() -> Result<WorkspaceEdits>,
    ) -> Option<ListedAction> {
        if self.client.actions.resolves_edits {
            let data = ActionData { id: id.to_string(), place: self.place.clone() };
            return Some(ListedAction { data: Some(data), ..action });
        }
        Some(ListedAction { edits: Some(edits().ok()?), ..action })
    }

    /// Returns whether all changes create a case, and the editor has its own command for that. The
    /// command prompts for the name of the case, and opens the file.
    fn is_editor_command(&self, changes: &[Change]) -> bool {
        let is_new_case = |change: &Change| {
            matches!(change, Change::Create(NewFile::Inputs | NewFile::Case { .. }))
        };
        self.client.offers(NEW_CASE) && changes.iter().all(is_new_case) && !changes.is_empty()
    }

    /// The edits of an action. Fails if it is not available any more.
    fn edits_of(&self, id: &ActionId) -> Result<WorkspaceEdits> {
        let found = match id.name {
            ActionName::FixAll => return self.edit_all(),
            ActionName::Convert => {
                let view = self.views.first().ok_or_else(changed_meanwhile)?;
                let edits = converted_edits(self.documents, &view.prompt, &id.subject)?;
                return Ok(edits.at_versions(self.documents));
            }
            ActionName::InsertMark => {
                let mark = self.marks().into_iter().find(|mark| mark.id() == *id);
                return mark.map(|mark| self.write(mark)).ok_or_else(changed_meanwhile);
            }
            ActionName::AddValuePrompt => {
                let values = self.new_prompt_values();
                let value = values.iter().find(|value| value.id == *id);
                return self.value_edits(value.ok_or_else(changed_meanwhile)?);
            }
            ActionName::InsertSection => self.insertable(true),
            _ => self.found(),
        };
        let found = found.into_iter().find(|found| found.action.id == *id);
        let FoundAction { action, view } = found.ok_or_else(changed_meanwhile)?;
        self.edits(&self.views[view].prompt, &action.changes)
    }

    /// The safe fixes in each prompt of the document.
    fn safe_fixes(&self) -> Vec<(PromptSnapshot, Vec<Change>)> {
        let fixes = |prompt: PromptSnapshot| {
            let problems = problems_of(&prompt);
            let own = problems.iter().filter(|it| {
                let Location { file, range } = &it.location;
                *file == FileId::PROMPT && prompt.prompt().is_shown_here(range)
            });
            let changes = fix_all(prompt.snapshot(), own, Sureness::Safe);
            (!changes.is_empty()).then_some((prompt, changes))
        };
        let prompts = self.documents.lookup().prompts(&self.place.uri).into_iter();
        prompts.filter(PromptSnapshot::is_written_here).filter_map(fixes).collect()
    }

    fn edit_all(&self) -> Result<WorkspaceEdits> {
        let mut edits = WorkspaceEdits::default();
        for (prompt, changes) in self.safe_fixes() {
            self.add(&mut edits, &prompt, &changes)?;
        }
        Ok(edits.at_versions(self.documents))
    }

    fn edits(&self, prompt: &PromptSnapshot, changes: &[Change]) -> Result<WorkspaceEdits> {
        let mut edits = WorkspaceEdits::default();
        self.add(&mut edits, prompt, changes)?;
        Ok(edits.at_versions(self.documents))
    }

    fn add(
        &self,
        edits: &mut WorkspaceEdits,
        prompt: &PromptSnapshot,
        changes: &[Change],
    ) -> Result<()> {
        let mut by_file: BTreeMap<FileId, Vec<FileEdit>> = BTreeMap::new();
        let mut in_text: Vec<TextEdit> = Vec::new();
        let declared_in = prompt.snapshot().declarations.file;
        for change in changes {
            match change {
                Change::Text(edit) => {
                    if edit.location.file != FileId::PROMPT {
                        self.documents.project().check_on_disk(prompt, edit.location.file)?;
                    }
                    in_text.push(edit.clone());
                }
                Change::File(file, edit) => by_file.entry(*file).or_default().push(edit.clone()),
                Change::Declare(declaration) => {
                    let path = prompt.prompt().variables_at.clone();
                    let append = FileEdit::Append { path, value: declaration.clone() };
                    by_file.entry(declared_in).or_default().push(append);
                }
                Change::DefineFragment(name) => {
                    let insert = FileEdit::Insert {
                        path: vec!["fragments".to_owned(), name.clone()],
                        value: r#""""#.to_owned(),
                    };
                    by_file.entry(declared_in).or_default().push(insert);
                }
                Change::Create(new) => self.create(edits, prompt, new)?,
                Change::Config(change) => self.configure(edits, prompt, change)?,
            }
        }
        edits.add(prompt, &in_text, |_| None, self.client).map_err(|reason| match reason {
            NotEdited::Gone => changed_meanwhile(),
            NotEdited::CannotWrite(reason) => refused(reason.to_string()),
        })?;
        for (file, changes) in by_file {
            self.documents.project().check_on_disk(prompt, file)?;
            let (text, uri) = prompt.place(file).ok_or_else(changed_meanwhile)?;
            let path = convert::path(&uri);
            let format = Format::of_sidecar(&path);
            let before = text.to_string();
            let after = edit_file(&before, format, &changes).ok_or_else(|| {
                let name = path.file_name().unwrap_or_default().display().to_string();
                refused(format!("{name} cannot be edited automatically; edit it by hand"))
            })?;
            self.change(edits, uri, text, &after);
        }
        Ok(())
    }

    fn change(&self, edits: &mut WorkspaceEdits, uri: Uri, text: &ropey::Rope, after: &str) {
        edits.rewrite(uri, text, after, self.client.encoding);
    }

    fn create(
        &self,
        edits: &mut WorkspaceEdits,
        prompt: &PromptSnapshot,
        new: &NewFile,
    ) -> Result<()> {
        let (path, text) = match new {
            NewFile::Inputs => {
                let text = prompt.file().first_inputs_of(prompt.index);
                (prompt.file().new_case(prompt.prompt(), DEFAULT_CASE), text)
            }
            NewFile::Case { name, like } => {
                let (text, like) = prompt.place(*like).ok_or_else(changed_meanwhile)?;
                let like = convert::path(&like);
                let ending = like.extension().unwrap_or_default();
                let path = prompt
                    .file()
                    .new_case(prompt.prompt(), name)
                    .map(|path| path.with_extension(ending));
                (path, text.to_string())
            }
            NewFile::Variables(text) => {
                (Some(prompt.file().new_variables(prompt.prompt())), text.clone())
            }
        };
        let path = path.ok_or_else(|| refused("no such file is possible beside this prompt"))?;
        edits.create(free(self.documents, &path)?, text);
        Ok(())
    }

    fn configure(
        &self,
        edits: &mut WorkspaceEdits,
        prompt: &PromptSnapshot,
        change: &ConfigChange,
    ) -> Result<()> {
        let (documents, encoding) = (self.documents, self.client.encoding);
        let config = prompt.config().map(|config| &**config);
        change_config(edits, documents, encoding, prompt.path(), config, change).map(|_| ())
    }
}

/// The cases that could be selected instead. In an inputs file, only the cases in it.
fn other_cases(View { prompt, file }: &View) -> Vec<ShowCase<'_>> {
    let Some(uri) = prompt.uri() else { return Vec::new() };
    let cases = prompt.snapshot().cases.iter().enumerate();
    cases
        .filter(|(index, case)| {
            let is_here = *file == FileId::PROMPT || case.inputs.file == *file;
            is_here && prompt.case != Some(*index)
        })
        .map(|(_, case)| ShowCase { uri, prompt: prompt.name(), case: &case.name })
        .collect()
}

/// A case that could be selected for a prompt.
struct ShowCase<'p> {
    uri: &'p Uri,
    /// The name of the prompt among several.
    prompt: Option<&'p str>,
    case: &'p str,
}

fn show_case(ShowCase { uri, prompt, case }: ShowCase<'_>) -> ListedAction {
    let title = format!("Show case {case}");
    let arguments = vec![selection(uri, prompt, case)];
    let command = CommandCall { title: title.clone(), command: SELECT_CASE, arguments };
    ListedAction { command: Some(command), ..ListedAction::new(title, CASE) }
}

/// Returns whether a kind is another one or below it. The empty kind is above all others.
fn is_of_kind(kind: &str, above: &str) -> bool {
    let rest = kind.strip_prefix(above);
    above.is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

fn kind(kind: ActionKind) -> &'static str {
    match kind {
        ActionKind::QuickFix => QUICK_FIX,
        ActionKind::Refactor => REFACTOR,
        ActionKind::Insert => INSERT,
    }
}

/// The problems of a prompt and its files, with locations in the prompt's text.
fn problems_of(prompt: &PromptSnapshot) -> Vec<Problem> {
    prompt.problems_in_text(Scope::AllCases, DEFAULT_MAX_PROBLEMS)
}
