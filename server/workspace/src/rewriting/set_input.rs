//! Changes one value of a case in its source: its inputs file, or the file whose text it is.

use std::path::{Path, PathBuf};

use promptls_analysis::{FileEdit, Snapshot, edit_file};
use promptls_resolver::{FileId, Format, Inputs, Object, Value, ValueKind};
use serde_json::Value as Json;

use crate::files::paths::absolute;
use crate::files::paths::folder_of;

/// The file to change for a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputEdit {
    /// The inputs file, or the file whose text is the value.
    pub path: PathBuf,
    /// The whole text after the change.
    pub text: String,
    /// The offset of the value in this text; `None` if the value was removed.
    pub offset: Option<usize>,
}

/// The reasons why a value cannot be changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CannotSet {
    /// The value is supplied by the application.
    #[error("`{0}` is supplied at run time; remove it from `runtime` in promptls.toml first")]
    Runtime(String),
    /// The value is supplied by the engine.
    #[error("{dialect} itself supplies `{path}`")]
    Injected {
        /// The title of the dialect.
        dialect: &'static str,
        /// The keys, joined by dots.
        path: String,
    },
    /// There is no value to remove.
    #[error("{file} has no `{path}`")]
    NotThere {
        /// The name of the inputs file.
        file: String,
        /// The keys, joined by dots.
        path: String,
    },
    /// There is no case to remove a value from.
    #[error("the case `{0}` has no inputs file")]
    NoCase(String),
    /// The index is not the end of the list.
    #[error("`{parent}` has {count} items in {file}, so there is no `{next}`")]
    NoItem {
        /// The keys of the list.
        parent: String,
        /// The length of the list.
        count: usize,
        /// The name of the inputs file.
        file: String,
        /// The key that is missing.
        next: String,
    },
    /// The parent of the value is neither an object nor a list.
    #[error("`{parent}` is {kind} in {file}, so it cannot have a `{next}`")]
    NoParent {
        /// The keys of the parent.
        parent: String,
        /// The kind of the parent.
        kind: &'static str,
        /// The name of the inputs file.
        file: String,
        /// The key that is missing.
        next: String,
    },
    /// The file that contains the value cannot be read.
    #[error("`{0}` cannot be read, so it is not changed")]
    UnreadableText(String),
    /// The form of the inputs file has no place for the value.
    #[error("{0} cannot be edited automatically; edit it by hand")]
    NoEdit(String),
    /// No new inputs file can contain the value.
    #[error("this value cannot be written")]
    NotWritable,
}

/// Changes a value of a case; without `value`, removes it. `text` is that of the inputs file at
/// `path`, and `keys` lead to the value.
pub fn set_input(
    snapshot: &Snapshot,
    case: usize,
    (path, text): (&Path, &str),
    keys: &[String],
    value: Option<&Json>,
) -> Result<InputEdit, CannotSet> {
    let file = || path.file_name().unwrap_or_default().display().to_string();
    match value_at(&snapshot.cases[case].inputs.root, keys) {
        (Some(Value { kind: ValueKind::File(found), .. }), []) => {
            if let Some(Json::String(new)) = value {
                if found.text.is_none() {
                    return Err(CannotSet::UnreadableText(found.path.to_string()));
                }
                let folder = folder_of(path);
                let path = absolute(folder, Path::new(&*found.path));
                return Ok(InputEdit { path, text: new.clone(), offset: Some(0) });
            }
        }
        (_, []) => {}
        (there, missing) => {
            check_supplied(snapshot, keys)?;
            if value.is_none() {
                return Err(CannotSet::NotThere { file: file(), path: keys.join(".") });
            }
            check_room(there, keys, missing, file)?;
        }
    }
    let new = edit_file(text, Format::of_sidecar(path), &[edit_of(keys, value)]);
    let text = new.ok_or_else(|| CannotSet::NoEdit(file()))?;
    let offset = offset_of(&text, path, keys);
    Ok(InputEdit { path: path.to_owned(), text, offset })
}

/// Creates the inputs file of a case at `path`, with one value.
pub fn set_new_input(
    snapshot: &Snapshot,
    case: &str,
    path: &Path,
    keys: &[String],
    value: Option<&Json>,
) -> Result<InputEdit, CannotSet> {
    check_supplied(snapshot, keys)?;
    if value.is_none() {
        return Err(CannotSet::NoCase(case.to_owned()));
    }
    let text = edit_file("", Format::of_sidecar(path), &[edit_of(keys, value)]);
    let text = text.ok_or(CannotSet::NotWritable)?;
    let offset = offset_of(&text, path, keys);
    Ok(InputEdit { path: path.to_owned(), text, offset })
}

/// The offset of a value in the text of an inputs file.
fn offset_of(text: &str, path: &Path, keys: &[String]) -> Option<usize> {
    let inputs = Inputs::parse(text, Format::of_sidecar(path), FileId::PROMPT).value?;
    let (Some(value), []) = value_at(&inputs.root, keys) else { return None };
    Some(value.span.range().start)
}

fn edit_of(keys: &[String], value: Option<&Json>) -> FileEdit {
    let path = keys.to_vec();
    match value {
        Some(value) => FileEdit::Set { path, value: value.to_string() },
        None => FileEdit::Unset { path },
    }
}

/// Fails for values that the engine supplies, or the application at an unknown place. Those that its
/// code sets may have examples.
fn check_supplied(snapshot: &Snapshot, keys: &[String]) -> Result<(), CannotSet> {
    let Some(first) = keys.first() else { return Ok(()) };
    let path = keys.join(".");
    if snapshot.is_supplied_elsewhere(first) || snapshot.is_supplied_elsewhere(&path) {
        return Err(CannotSet::Runtime(path));
    }
    let dialect = snapshot.dialect();
    if dialect.injects(first) {
        return Err(CannotSet::Injected { dialect: dialect.spec().title, path });
    }
    Ok(())
}

/// Fails if the parent of a new value cannot contain it.
///
/// `there` is the value that `keys` lead to before the `missing` ones, as from [`value_at`].
fn check_room(
    there: Option<&Value>,
    keys: &[String],
    missing: &[String],
    file: impl Fn() -> String,
) -> Result<(), CannotSet> {
    let (Some(there), [next, ..]) = (there, missing) else { return Ok(()) };
    let parent = || keys[..keys.len() - missing.len()].join(".");
    match &there.kind {
        ValueKind::Object(_) | ValueKind::Null => Ok(()),
        ValueKind::List(items) if next.parse() == Ok(items.len()) => Ok(()),
        ValueKind::List(items) => Err(CannotSet::NoItem {
            parent: parent(),
            count: items.len(),
            file: file(),
            next: next.clone(),
        }),
        _ => Err(CannotSet::NoParent {
            parent: parent(),
            kind: there.kind_name(),
            file: file(),
            next: next.clone(),
        }),
    }
}

/// The value that the longest prefix of the keys leads to, and the remaining keys.
fn value_at<'v, 'k>(root: &'v Object, keys: &'k [String]) -> (Option<&'v Value>, &'k [String]) {
    let mut here: Option<&Value> = None;
    for (index, key) in keys.iter().enumerate() {
        let next = match here.map(|value| &value.kind) {
            None => root.get(key).map(|entry| &entry.value),
            Some(ValueKind::Object(object)) => object.get(key).map(|entry| &entry.value),
            Some(ValueKind::List(items)) => key.parse::<usize>().ok().and_then(|at| items.get(at)),
            Some(_) => None,
        };
        if next.is_none() {
            return (here, &keys[index..]);
        }
        here = next;
    }
    (here, &[])
}
