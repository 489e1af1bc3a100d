//! Texts that were edited on the page, until they are saved.
//!
//! An edit of several files changes all of them or none. This module sends nothing to the language
//! server: [`Texts`] returns the changes to send.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use promptls_analysis::position::{Encoding, Position, nearest_offset};
use promptls_data::difference;
use ropey::Rope;
use tower_lsp::ls_types as lsp;

use crate::output::write;
use promptls_workspace::{DISK, ReadError};
use promptls_writer::WriteError;

/// The maximum number of undo steps.
const MAX_STEPS: usize = 1_000;

/// The maximum size of their texts, in bytes.
const MAX_KEPT: usize = 64 << 20;

/// The texts that differ from their files.
#[derive(Debug, Default)]
pub struct Texts {
    edited: BTreeMap<PathBuf, Edited>,
    /// The undo steps, the newest last.
    steps: Vec<EditStep>,
    /// Whether the newest step can still be extended by typing.
    is_typing: bool,
}

/// A text that differs from its file.
#[derive(Clone, Debug)]
struct Edited {
    text: Arc<str>,
    /// The text of its file when it was read; `None` if the file did not exist.
    saved: Option<Arc<str>>,
}

/// The text of a file before an edit, if it existed, and after it.
type Change = (Option<Arc<str>>, Arc<str>);

/// An edit: the change of each file.
#[derive(Debug)]
struct EditStep(BTreeMap<PathBuf, Change>);

impl EditStep {
    /// Whether the next edit belongs to the same undo step: letters of the same word, at the same
    /// place.
    fn goes_on_with(&self, next: &EditStep) -> bool {
        let (Some((path, (before, between))), Some((other, (Some(_), after)))) =
            (self.only(), next.only())
        else {
            return false;
        };
        if path != other {
            return false;
        }
        let before = before.as_deref().unwrap_or_default();
        let ((was, typed), (at, added)) = (difference(before, between), difference(between, after));
        let end = was.start + typed.len();
        let removed = &between[at.clone()];
        let is_blank = |letter: Option<char>| letter.is_some_and(char::is_whitespace);
        if added.is_empty() {
            let is_correction = at.end == end && at.start >= was.start;
            // Deleting backwards removes a whole word, and then the space before it, in one step.
            let goes_on = typed.is_empty() && at.end == was.start;
            let is_word_gone =
                is_blank(removed.chars().last()) && !is_blank(before[was].chars().next());
            return is_correction || (goes_on && !is_word_gone);
        }
        let is_next_word = is_blank(typed.chars().last()) && !is_blank(added.chars().next());
        removed.is_empty() && at.start == end && !typed.is_empty() && !is_next_word
    }

    fn only(&self) -> Option<(&PathBuf, &Change)> {
        self.0.iter().next().filter(|_| self.0.len() == 1)
    }

    fn join(&mut self, next: EditStep) {
        for (path, (_, after)) in next.0 {
            if let Some((_, last)) = self.0.get_mut(&path) {
                *last = after;
            }
        }
    }
}

/// The current text of a file; `None` for the text on disk.
pub type Now = (PathBuf, Option<Arc<str>>);

/// Why an operation on the texts fails.
#[derive(Debug, thiserror::Error)]
pub enum TextsError {
    #[error("{0} cannot be edited here: it is not a file on this machine")]
    NoFile(String),
    #[error("{name} {}", error.reason())]
    Unreadable { name: String, error: ReadError },
    #[error("{0} exists already")]
    Exists(String),
    #[error("only texts can be edited and created here")]
    Unsupported,
    #[error("{0} has changed; try again")]
    Outdated(String),
    #[error("there is nothing to undo")]
    NothingToUndo,
    #[error("{0} has changed since the last edit, so that edit cannot be undone")]
    Overtaken(String),
    #[error("{}", .0.join("; "))]
    NotSaved(Vec<String>),
}

impl Texts {
    /// The unsaved text of a file.
    pub fn unsaved(&self, path: &Path) -> Option<&Arc<str>> {
        self.edited.get(path).map(|edited| &edited.text)
    }

    /// The files that are not saved.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        self.edited.keys().map(PathBuf::as_path)
    }

    /// The text of a file, saved or not; `None` if the file does not exist.
    fn read(&self, path: &Path) -> Result<Option<Arc<str>>, TextsError> {
        match self.unsaved(path) {
            Some(text) => Ok(Some(text.clone())),
            None => on_disk(path),
        }
    }

    /// Applies an edit, whole or not at all. `version` returns the version of an open file. Returns
    /// the changed texts.
    pub fn apply(
        &mut self,
        edit: lsp::WorkspaceEdit,
        version: impl Fn(&Path) -> Option<i32>,
    ) -> Result<Vec<Now>, TextsError> {
        let mut step = EditStep(BTreeMap::new());
        for change in in_order(edit) {
            match change {
                lsp::DocumentChangeOperation::Op(lsp::ResourceOp::Create(file)) => {
                    let path = path_of(&file.uri)?;
                    if self.read(&path)?.is_some() {
                        return Err(TextsError::Exists(name(&path)));
                    }
                    step.0.insert(path, (None, Arc::default()));
                }
                lsp::DocumentChangeOperation::Op(_) => return Err(TextsError::Unsupported),
                lsp::DocumentChangeOperation::Edit(edit) => {
                    let path = path_of(&edit.text_document.uri)?;
                    // An edit without a version is for the file on disk, not for the open document.
                    // Only a file that the edit itself creates cannot be outdated.
                    let is_new = step.0.contains_key(&path);
                    if !is_new && edit.text_document.version != version(&path) {
                        return Err(TextsError::Outdated(name(&path)));
                    }
                    let before = match step.0.get(&path) {
                        Some((before, _)) => before.clone(),
                        None => self.read(&path)?,
                    };
                    let current = step.0.get(&path).map(|(_, after)| after).or(before.as_ref());
                    let after = edited(current.map_or("", |text| text), edit.edits);
                    step.0.insert(path, (before, after.into()));
                }
            }
        }
        let now = step.0.iter().map(|(path, (_, after))| (path.clone(), Some(after.clone())));
        let now: Vec<_> = now.collect();
        let now = self.take_over(now)?;
        match self.steps.last_mut().filter(|_| self.is_typing) {
            Some(last) if last.goes_on_with(&step) => last.join(step),
            _ => self.steps.push(step),
        }
        self.is_typing = true;
        self.forget_old_steps();
        Ok(now)
    }

    /// Reverts the last edit. Returns the changed texts.
    ///
    /// If another program changed a file after it was saved, undoing all edits does not restore the
    /// text on disk. One more undo does.
    pub fn undo(&mut self) -> Result<Vec<Now>, TextsError> {
        self.is_typing = false;
        let Some(step) = self.steps.last() else {
            let dropped = std::mem::take(&mut self.edited);
            return match dropped.is_empty() {
                true => Err(TextsError::NothingToUndo),
                false => Ok(dropped.into_keys().map(|path| (path, None)).collect()),
            };
        };
        for (path, (_, after)) in &step.0 {
            if self.read(path)?.as_ref() != Some(after) {
                let name = name(path);
                // It cannot become possible again, but the steps before it may be.
                self.steps.pop();
                return Err(TextsError::Overtaken(name));
            }
        }
        let before = step.0.iter().map(|(path, (before, _))| (path.clone(), before.clone()));
        let now = self.take_over(before.collect())?;
        self.steps.pop();
        Ok(now)
    }

    /// Changes the texts of files. A text that equals the file on disk is not unsaved.
    fn take_over(&mut self, texts: Vec<Now>) -> Result<Vec<Now>, TextsError> {
        let mut saved = Vec::with_capacity(texts.len());
        for (path, _) in &texts {
            saved.push(match self.edited.get(path) {
                Some(edited) => edited.saved.clone(),
                None => on_disk(path)?,
            });
        }
        let take_over = |((path, text), saved): (Now, Option<Arc<str>>)| {
            let text = text.filter(|text| Some(text) != saved.as_ref());
            match &text {
                Some(text) => {
                    self.edited.insert(path.clone(), Edited { text: text.clone(), saved })
                }
                None => self.edited.remove(&path),
            };
            (path, text)
        };
        Ok(texts.into_iter().zip(saved).map(take_over).collect())
    }

    /// Writes all files, except those that changed on disk since they were read. Returns the
    /// written files, and the errors of the others.
    pub fn save(&mut self) -> (Vec<PathBuf>, Result<(), TextsError>) {
        self.is_typing = false;
        let writer = write::writer(false);
        let (mut written, mut refused) = (Vec::new(), Vec::new());
        for (path, edited) in &self.edited {
            let text = edited.text.as_bytes();
            let outcome = match &edited.saved {
                None => writer.create(path, text),
                Some(saved) => writer.replace(path, saved.as_bytes(), text),
            };
            match outcome {
                Ok(()) => written.push(path.clone()),
                Err(error) => refused.push(not_saved(path, edited, &error)),
            }
        }
        self.edited.retain(|path, _| !written.contains(path));
        // A created file now exists on disk; undo does not delete it.
        let written_now: HashSet<&PathBuf> = written.iter().collect();
        self.steps.retain(|step| {
            let mut files = step.0.iter();
            !files.any(|(path, (before, _))| before.is_none() && written_now.contains(path))
        });
        let outcome = if refused.is_empty() { Ok(()) } else { Err(TextsError::NotSaved(refused)) };
        (written, outcome)
    }

    fn forget_old_steps(&mut self) {
        let size = |step: &EditStep| {
            let size = |(before, after): &(Option<Arc<str>>, Arc<str>)| {
                before.as_ref().map_or(0, |text| text.len()) + after.len()
            };
            step.0.values().map(size).sum::<usize>()
        };
        let mut kept: usize = self.steps.iter().map(size).sum();
        while self.steps.len() > 1 && (self.steps.len() > MAX_STEPS || kept > MAX_KEPT) {
            kept -= size(&self.steps.remove(0));
        }
    }
}

fn not_saved(path: &Path, edited: &Edited, error: &WriteError) -> String {
    let name = name(path);
    let is_other = !matches!(on_disk(path), Ok(text) if text == edited.saved);
    match is_other {
        true => format!(
            "{name} was not saved: it has changed on disk since it was read; undo the edits here to \
             see its current text"
        ),
        false => format!("{name} was not saved: {error}"),
    }
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn on_disk(path: &Path) -> Result<Option<Arc<str>>, TextsError> {
    match DISK.read(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.is_missing() => Ok(None),
        Err(error) => Err(TextsError::Unreadable { name: name(path), error }),
    }
}

fn path_of(uri: &lsp::Uri) -> Result<PathBuf, TextsError> {
    let path = uri.to_file_path().map(|path| path.into_owned());
    path.ok_or_else(|| TextsError::NoFile(uri.to_string()))
}

/// The operations of an edit, in order.
fn in_order(edit: lsp::WorkspaceEdit) -> Vec<lsp::DocumentChangeOperation> {
    let edits = |edits: Vec<lsp::TextDocumentEdit>| {
        edits.into_iter().map(lsp::DocumentChangeOperation::Edit).collect()
    };
    match edit.document_changes {
        Some(lsp::DocumentChanges::Operations(operations)) => operations,
        Some(lsp::DocumentChanges::Edits(changes)) => edits(changes),
        None => {
            let changes = edit.changes.unwrap_or_default().into_iter();
            edits(
                changes
                    .map(|(uri, changes)| lsp::TextDocumentEdit {
                        text_document: lsp::OptionalVersionedTextDocumentIdentifier {
                            uri,
                            version: None,
                        },
                        edits: changes.into_iter().map(lsp::OneOf::Left).collect(),
                    })
                    .collect(),
            )
        }
    }
}

/// The text after edits, whose ranges all refer to the original text.
fn edited(text: &str, edits: Vec<lsp::OneOf<lsp::TextEdit, lsp::AnnotatedTextEdit>>) -> String {
    let rope = Rope::from_str(text);
    let offset = |at: lsp::Position| {
        let at = Position { line: at.line as usize, column: at.character as usize };
        nearest_offset(&rope, at, Encoding::Utf16)
    };
    let mut edits: Vec<_> = edits
        .into_iter()
        .map(|edit| match edit {
            lsp::OneOf::Left(edit) => edit,
            lsp::OneOf::Right(edit) => edit.text_edit,
        })
        .map(|edit| (offset(edit.range.start)..offset(edit.range.end), edit.new_text))
        .collect();
    // Edits at the same place keep their order.
    edits.sort_by_key(|(range, _)| range.start);
    let mut new = String::with_capacity(text.len());
    let mut done = 0;
    for (range, inserted) in edits {
        let start = range.start.max(done);
        new.push_str(&text[done..start]);
        new.push_str(&inserted);
        done = range.end.max(start);
    }
    new.push_str(&text[done..]);
    new
}

#[cfg(test)]
mod tests {
    use std::fs;

    use serde_json::json;

    use super::*;

    /// An edit that replaces the first line of a file.
    fn edit(path: &Path, columns: u32, text: &str) -> lsp::WorkspaceEdit {
        let range = json!({
            "start": { "line": 0, "character": 0 }, "end": { "line": 0, "character": columns }
        });
        let uri = lsp::Uri::from_file_path(path).unwrap();
        let changes = json!({ uri.to_string(): [{ "range": range, "newText": text }] });
        serde_json::from_value(json!({ "changes": changes })).unwrap()
    }

    fn apply(texts: &mut Texts, path: &Path, columns: u32, text: &str) {
        texts.apply(edit(path, columns, text), |_| None).unwrap();
    }

    #[test]
    fn edits_are_undone_one_by_one_even_after_saving() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        fs::write(&path, "😀x\n").unwrap();
        let mut texts = Texts::default();
        apply(&mut texts, &path, 2, "1");
        apply(&mut texts, &path, 1, "2");
        assert_eq!(&**texts.unsaved(&path).unwrap(), "2x\n");
        assert_eq!(texts.undo().unwrap(), [(path.clone(), Some("1x\n".into()))]);
        texts.save().1.unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "1x\n");
        assert_eq!(texts.files().count(), 0);
        texts.undo().unwrap();
        assert_eq!(&**texts.unsaved(&path).unwrap(), "😀x\n");
        texts.save().1.unwrap();
        assert!(matches!(texts.undo(), Err(TextsError::NothingToUndo)));
    }

    /// Checks the texts of a file while the user types, and after each undo.
    #[track_caller]
    fn check_undo(typed: &[&str], undone: &[&str]) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        fs::write(&path, typed[0]).unwrap();
        let mut texts = Texts::default();
        for pair in typed.windows(2) {
            apply(&mut texts, &path, pair[0].len() as u32, pair[1]);
        }
        let mut back = Vec::new();
        while texts.undo().is_ok() {
            back.push(texts.read(&path).unwrap().unwrap().to_string());
        }
        assert_eq!(back, undone, "{typed:?}");
    }

    #[test]
    fn typed_text_is_undone_by_words() {
        let word = ["(Ada)", "(Ada )", "(Ada B)", "(Ada By)", "(Ada By )", "(Ada By r)"];
        check_undo(&word, &["(Ada By )", "(Ada )", "(Ada)"]);
        // Replaces a selection, with a corrected typo.
        check_undo(&["(Ada)", "(B)", "(Bi)", "(B)", "(By)"], &["(Ada)"]);
        check_undo(&["(a bcd)", "(a bc)", "(a b)", "(a )", "(a)", "()"], &["(a )", "(a bcd)"]);
        // An edit at another place is another step.
        check_undo(&["(a)(b)", "(ax)(b)", "(ax)(by)"], &["(ax)(b)", "(a)(b)"]);
    }

    #[test]
    fn saving_starts_a_new_undo_step() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        fs::write(&path, "(a)").unwrap();
        let mut texts = Texts::default();
        apply(&mut texts, &path, 3, "(ab)");
        texts.save().1.unwrap();
        apply(&mut texts, &path, 4, "(abc)");
        assert_eq!(texts.undo().unwrap(), [(path, None)]);
    }

    #[test]
    fn undo_reverts_to_the_changes_of_another_program() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        fs::write(&path, "0").unwrap();
        let mut texts = Texts::default();
        apply(&mut texts, &path, 1, "1");
        texts.save().1.unwrap();
        texts.undo().unwrap();
        fs::write(&path, "theirs").unwrap();
        assert!(matches!(texts.save().1, Err(TextsError::NotSaved(_))));
        assert_eq!(fs::read_to_string(&path).unwrap(), "theirs");
        assert_eq!(texts.undo().unwrap(), [(path, None)]);
        assert_eq!(texts.files().count(), 0);
    }

    #[test]
    fn an_edit_is_applied_completely_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let (path, gone) = (folder.path().join("a.json"), folder.path().join("gone"));
        fs::write(&path, "0").unwrap();
        fs::create_dir(&gone).unwrap();
        let mut both = edit(&path, 1, "1");
        both.changes.as_mut().unwrap().extend(edit(&gone, 0, "1").changes.unwrap());
        let mut texts = Texts::default();
        assert!(matches!(texts.apply(both, |_| None), Err(TextsError::Unreadable { .. })));
        assert_eq!(texts.files().count(), 0);
        // A text that equals the file on disk is not unsaved.
        apply(&mut texts, &path, 1, "0");
        assert_eq!(texts.files().count(), 0);
    }

    #[cfg(unix)]
    #[test]
    fn saving_keeps_links_and_permissions() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("a.json"), folder.path().join("link.json"));
        fs::write(&path, "0").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&path, &link).unwrap();
        let mut texts = Texts::default();
        apply(&mut texts, &link, 1, "1");
        texts.save().1.unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&path).unwrap(), "1");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
    }
}
