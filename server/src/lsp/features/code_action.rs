//! Code actions: what can be done at a place, and the edit of the one that is chosen.
//!
//! The analysis says what shall change by role. Here it gets paths and texts, and becomes
//! an edit: at once, or when the editor asks for it. Then the list is made again, and
//! the action is found by its title; if the document is another one by now, there is no
//! edit.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use promptls_analysis::{
    ActionKind, Change, CodeAction, ConfigChange, DEFAULT_MAX_PROBLEMS, FileEdit, NewFile,
    code_actions, edit_file, fix_all, skeleton_of_all,
};
use promptls_resolver::{FileId, Format, Problem};
use serde::{Deserialize, Serialize};
use tower_lsp::jsonrpc::{Error, ErrorCode, Result};
use tower_lsp::ls_types as lsp;

use crate::lsp::abilities::Abilities;
use crate::lsp::backend::{Backend, work};
use crate::lsp::commands::refused;
use crate::lsp::convert;
use crate::lsp::documents::Documents;
use crate::lsp::edits::WorkspaceEdits;
use crate::lsp::moment::{Moment, View};
use crate::workspace::{
    CONFIG_NAME, Disk, Scope, config_home, edit_config, inputs_path, read_from_disk, variables_path,
};

/// Everything that is safe, in the whole document.
const FIX_ALL: lsp::CodeActionKind = lsp::CodeActionKind::new("source.fixAll.promptls");

const FIX_ALL_TITLE: &str = "Fix everything that has one meaning";

/// What the server says of its actions at the start.
pub fn provider() -> lsp::CodeActionProviderCapability {
    let kinds = vec![lsp::CodeActionKind::QUICKFIX, lsp::CodeActionKind::REFACTOR, FIX_ALL];
    lsp::CodeActionProviderCapability::Options(lsp::CodeActionOptions {
        code_action_kinds: Some(kinds),
        resolve_provider: Some(true),
        ..lsp::CodeActionOptions::default()
    })
}

/// What it takes to find an action again; it travels with the action.
#[derive(Debug, Serialize, Deserialize)]
struct Ticket {
    uri: lsp::Uri,
    range: lsp::Range,
    version: Option<i32>,
}

/// An action, and the document in whose eyes it is one.
struct Offer {
    action: CodeAction,
    view: usize,
}

/// A place to act at, at one moment.
struct Desk {
    documents: Arc<Documents>,
    abilities: Abilities,
    ticket: Ticket,
    views: Vec<View>,
}

impl Backend {
    /// Answers `textDocument/codeAction`.
    pub async fn code_actions(
        &self,
        params: lsp::CodeActionParams,
    ) -> Result<Option<lsp::CodeActionResponse>> {
        let lsp::CodeActionParams { text_document, range, context, .. } = params;
        let desk = self.desk(text_document.uri, range);
        if desk.views.is_empty() || !desk.abilities.actions.literals {
            return Ok(None);
        }
        work(desk.is_heavy(), move || Some(desk.list(&context))).await
    }

    /// Answers `codeAction/resolve`.
    pub async fn resolve_code_action(&self, action: lsp::CodeAction) -> Result<lsp::CodeAction> {
        let ticket = action.data.clone().and_then(|data| serde_json::from_value(data).ok());
        let Some(Ticket { uri, range, version }) = ticket else { return Ok(action) };
        let desk = self.desk(uri, range);
        if desk.ticket.version != version {
            return Err(changed_meanwhile());
        }
        let is_heavy = desk.is_heavy();
        let resolve = move || {
            let edit = desk.edit_titled(&action.title)?;
            // What took long may be for a text that is gone by now.
            if desk.documents.version(&desk.ticket.uri) != desk.ticket.version {
                return Err(changed_meanwhile());
            }
            Ok(lsp::CodeAction { edit: Some(edit), ..action })
        };
        work(is_heavy, resolve).await?
    }

    fn desk(&self, uri: lsp::Uri, range: lsp::Range) -> Desk {
        let abilities = self.abilities().clone();
        let views = self.documents.views(&uri, range.start, abilities.encoding);
        let version = self.documents.version(&uri);
        let ticket = Ticket { uri, range, version };
        Desk { documents: self.documents.clone(), abilities, ticket, views }
    }
}

impl Desk {
    fn is_heavy(&self) -> bool {
        self.views.iter().any(|view| view.moment.snapshot().is_heavy())
    }

    /// All that the editor wants to hear of.
    fn list(&self, context: &lsp::CodeActionContext) -> lsp::CodeActionResponse {
        let is_wanted = |kind: &lsp::CodeActionKind| {
            let kind = kind.as_str();
            let is_below = |only: &lsp::CodeActionKind| {
                let rest = kind.strip_prefix(only.as_str());
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
                    || only.as_str().is_empty()
            };
            context.only.as_ref().is_none_or(|only| only.iter().any(is_below))
        };
        let mut listed = Vec::new();
        if is_wanted(&lsp::CodeActionKind::QUICKFIX) || is_wanted(&lsp::CodeActionKind::REFACTOR) {
            let offers = self.offers().into_iter();
            let offers = offers.filter(|offer| is_wanted(&kind(offer.action.kind)));
            listed.extend(offers.filter_map(|offer| self.offered(offer, &context.diagnostics)));
        }
        if is_wanted(&FIX_ALL) && !self.safe_fixes().is_empty() {
            let action = lsp::CodeAction {
                title: FIX_ALL_TITLE.to_owned(),
                kind: Some(FIX_ALL),
                ..lsp::CodeAction::default()
            };
            listed.extend(self.with_edit(action, || self.edit_all()));
        }
        listed.into_iter().map(lsp::CodeActionOrCommand::CodeAction).collect()
    }

    /// The actions at the range; those of several prompts that say the same count once.
    fn offers(&self) -> Vec<Offer> {
        let mut offers: Vec<Offer> = Vec::new();
        for (index, view) in self.views.iter().enumerate() {
            let View { moment, file } = view;
            let encoding = self.abilities.encoding;
            let Some(start) = view.offset(self.ticket.range.start, encoding) else { continue };
            let end = view.offset(self.ticket.range.end, encoding).unwrap_or(start).max(start);
            let problems = problems_of(moment);
            let range = start..end;
            let found = code_actions(moment.snapshot(), &problems, *file, &range, moment.case);
            let new = found.into_iter().map(|action| Offer { action, view: index });
            offers.extend(new.collect::<Vec<_>>());
        }
        let mut titles = std::collections::HashSet::new();
        offers.retain(|offer| titles.insert(offer.action.title.clone()));
        offers
    }

    fn offered(&self, offer: Offer, known: &[lsp::Diagnostic]) -> Option<lsp::CodeAction> {
        let moment = &self.views[offer.view].moment;
        let CodeAction { title, kind: sort, fixes, is_preferred, disabled, .. } = &offer.action;
        let fixed = fixes.as_ref().and_then(|(code, location)| {
            let range = convert::location(moment, location, self.abilities.encoding)?.range;
            let code = lsp::NumberOrString::String(code.id().to_owned());
            let is_it = |diagnostic: &&lsp::Diagnostic| {
                diagnostic.range == range && diagnostic.code.as_ref() == Some(&code)
            };
            Some(known.iter().filter(is_it).cloned().collect::<Vec<_>>())
        });
        let action = lsp::CodeAction {
            title: title.clone(),
            kind: Some(kind(*sort)),
            diagnostics: fixed.filter(|fixed| !fixed.is_empty()),
            is_preferred: is_preferred.then_some(true),
            ..lsp::CodeAction::default()
        };
        match disabled {
            Some(reason) if self.abilities.actions.disabled => {
                let disabled = Some(lsp::CodeActionDisabled { reason: reason.clone() });
                Some(lsp::CodeAction { disabled, ..action })
            }
            Some(_) => None,
            None => self.with_edit(action, || self.edit(moment, &offer.action.changes)),
        }
    }

    /// The action with its edit, or with what it takes to make it later; `None` if there is none.
    fn with_edit(
        &self,
        action: lsp::CodeAction,
        edit: impl FnOnce() -> Result<lsp::WorkspaceEdit>,
    ) -> Option<lsp::CodeAction> {
        if self.abilities.actions.resolves_edits {
            let data = serde_json::to_value(&self.ticket).ok();
            return Some(lsp::CodeAction { data, ..action });
        }
        Some(lsp::CodeAction { edit: Some(edit().ok()?), ..action })
    }

    fn edit_titled(&self, title: &str) -> Result<lsp::WorkspaceEdit> {
        if title == FIX_ALL_TITLE {
            return self.edit_all();
        }
        let offer = self.offers().into_iter().find(|offer| offer.action.title == title);
        let Offer { action, view } = offer.ok_or_else(changed_meanwhile)?;
        self.edit(&self.views[view].moment, &action.changes)
    }

    /// What is safe, in every prompt of the document.
    fn safe_fixes(&self) -> Vec<(Moment, Vec<Change>)> {
        let fixes = |moment: Moment| {
            let changes = fix_all(moment.snapshot(), &problems_of(&moment), FileId::PROMPT);
            (!changes.is_empty()).then_some((moment, changes))
        };
        self.documents.moments(&self.ticket.uri).into_iter().filter_map(fixes).collect()
    }

    fn edit_all(&self) -> Result<lsp::WorkspaceEdit> {
        let mut edits = WorkspaceEdits::default();
        for (moment, changes) in self.safe_fixes() {
            self.add(&mut edits, &moment, &changes)?;
        }
        self.finish(edits)
    }

    fn edit(&self, moment: &Moment, changes: &[Change]) -> Result<lsp::WorkspaceEdit> {
        let mut edits = WorkspaceEdits::default();
        self.add(&mut edits, moment, changes)?;
        self.finish(edits)
    }

    fn finish(&self, edits: WorkspaceEdits) -> Result<lsp::WorkspaceEdit> {
        let edit = edits.finish(&self.documents, &self.abilities);
        edit.ok_or_else(|| refused("this editor does not let servers create files"))
    }

    fn add(&self, edits: &mut WorkspaceEdits, moment: &Moment, changes: &[Change]) -> Result<()> {
        let mut by_file: BTreeMap<FileId, Vec<FileEdit>> = BTreeMap::new();
        let declared_in = moment.snapshot().declarations.file;
        for change in changes {
            match change {
                Change::Text(edit) => {
                    if edit.location.file != FileId::PROMPT {
                        self.check_on_disk(moment, edit.location.file)?;
                    }
                    let added = edits.add(moment, edit, None, &self.abilities);
                    added.ok_or_else(changed_meanwhile)?;
                }
                Change::File(file, edit) => by_file.entry(*file).or_default().push(edit.clone()),
                Change::Declare(declaration) => {
                    let path = moment.prompt().variables_at.clone();
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
                Change::Create(new) => self.create(edits, moment, new)?,
                Change::Config(change) => self.configure(edits, moment, change)?,
            }
        }
        for (file, changes) in by_file {
            self.check_on_disk(moment, file)?;
            let (text, uri) = moment.place(file).ok_or_else(changed_meanwhile)?;
            let path = uri.to_file_path().ok_or_else(|| refused("the file has no path"))?;
            let format = path.to_str().and_then(Format::from_path).unwrap_or(Format::Json);
            let before = text.to_string();
            let after = edit_file(&before, format, &changes).ok_or_else(|| {
                let name = path.file_name().unwrap_or_default().display().to_string();
                refused(format!("{name} is written in a way that only you can edit"))
            })?;
            self.change(edits, uri, text, &after);
        }
        Ok(())
    }

    fn change(&self, edits: &mut WorkspaceEdits, uri: lsp::Uri, text: &ropey::Rope, after: &str) {
        edits.rewrite(uri, text, after, self.abilities.encoding);
    }

    fn check_on_disk(&self, moment: &Moment, file: FileId) -> Result<()> {
        check_on_disk(&self.documents, moment, file)
    }

    fn create(&self, edits: &mut WorkspaceEdits, moment: &Moment, new: &NewFile) -> Result<()> {
        let prompt = prompt_path(moment)?;
        let is_free = |path: &Path| {
            let is_open =
                convert::uri(path).is_some_and(|uri| self.documents.version(&uri).is_some());
            !path.exists() && !is_open
        };
        let (path, text) = match new {
            NewFile::Inputs => {
                let prompts = moment.file().prompts.iter();
                let text = skeleton_of_all(prompts.map(|prompt| &prompt.snapshot));
                (inputs_path(&prompt, "default"), text)
            }
            NewFile::Case { name, like } => {
                let (text, like) = moment.place(*like).ok_or_else(changed_meanwhile)?;
                let like = like.to_file_path().ok_or_else(changed_meanwhile)?;
                let ending = like.extension().unwrap_or_default();
                let path = inputs_path(&prompt, name).map(|path| path.with_extension(ending));
                (path, text.to_string())
            }
            NewFile::Variables(text) => (Some(variables_path(&prompt)), text.clone()),
        };
        let path = path.ok_or_else(|| refused("no such file can stand beside this prompt"))?;
        if !is_free(&path) {
            let name = path.file_name().unwrap_or_default().display().to_string();
            return Err(refused(format!("{name} exists already")));
        }
        let uri = convert::uri(&path).ok_or_else(|| refused("the file has no address"))?;
        edits.create(uri, text);
        Ok(())
    }

    fn configure(
        &self,
        edits: &mut WorkspaceEdits,
        moment: &Moment,
        change: &ConfigChange,
    ) -> Result<()> {
        let prompt = prompt_path(moment)?;
        let path = match moment.config() {
            Some(config) => config.path.clone(),
            None => config_home(&Disk::default(), &prompt).join(CONFIG_NAME),
        };
        let uri = convert::uri(&path).ok_or_else(|| refused("promptls.toml has no address"))?;
        // What is typed there and not saved counts.
        let text = self.documents.config(&path).map(|(text, _)| text);
        let before = text.as_ref().map(ToString::to_string).unwrap_or_default();
        let after = edit_config(&before, &path, &prompt, change).ok_or_else(|| {
            refused(format!("{CONFIG_NAME} cannot be read as it is; mend it first"))
        })?;
        match text {
            Some(text) => self.change(edits, uri, &text, &after),
            None => edits.create(uri, after),
        }
        Ok(())
    }
}

/// An edit of a file that is not open is for what is on disk now.
pub fn check_on_disk(documents: &Documents, moment: &Moment, file: FileId) -> Result<()> {
    let (text, uri) = moment.place(file).ok_or_else(changed_meanwhile)?;
    if documents.version(&uri).is_some() {
        return Ok(());
    }
    let now = uri.to_file_path().and_then(|path| read_from_disk(&path).ok());
    if now.is_some_and(|now| *text == *now) { Ok(()) } else { Err(changed_meanwhile()) }
}

fn kind(kind: ActionKind) -> lsp::CodeActionKind {
    match kind {
        ActionKind::QuickFix => lsp::CodeActionKind::QUICKFIX,
        ActionKind::Refactor => lsp::CodeActionKind::REFACTOR,
    }
}

/// The problems of a prompt and its files, with places in the prompt's text.
fn problems_of(moment: &Moment) -> Vec<Problem> {
    moment.problems(Scope::AllCases, DEFAULT_MAX_PROBLEMS)
}

fn prompt_path(moment: &Moment) -> Result<std::path::PathBuf> {
    let uri = moment.uri();
    let path = uri.and_then(|uri| Some(uri.to_file_path()?.into_owned()));
    path.ok_or_else(|| refused("save the prompt first, it has no file yet"))
}

fn changed_meanwhile() -> Error {
    let message = "the text has changed meanwhile; ask again".into();
    Error { code: ErrorCode::ContentModified, message, data: None }
}
