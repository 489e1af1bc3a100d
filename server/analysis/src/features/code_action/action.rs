//! Code actions and their changes, as plain data.

use promptls_resolver::{Code, FileId, Location};
use promptls_syntax::Dialect;

use super::id::ActionId;
use crate::edit::TextEdit;
use crate::file_edit::FileEdit;

/// An action that is offered to the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeAction {
    /// Identifies the action; unique in a list.
    pub id: ActionId,
    /// The title for the user, which nothing compares.
    pub title: String,
    /// The kind of the action.
    pub kind: ActionKind,
    /// The code and location of the problem that the action fixes.
    pub fixes: Option<(Code, Location)>,
    /// Most users prefer this action.
    pub is_preferred: bool,
    /// [`fix_all`](crate::fix_all) includes it even with [`Sureness::Safe`](crate::Sureness::Safe).
    pub is_safe: bool,
    /// The changes; empty if it is disabled.
    pub changes: Vec<Change>,
    /// The reason why an expected action is not available.
    pub disabled: Option<String>,
}

/// The kinds of actions; clients can request a single kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ActionKind {
    /// Fixes a reported problem of the prompt or its files.
    QuickFix,
    /// Changes text without a problem.
    Refactor,
    /// Adds something new, such as a section of a template.
    Insert,
}

/// A single change of an action.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Change {
    /// Replaces text, usually in the prompt.
    Text(TextEdit),
    /// Edits a key or an item of an inputs or variables file.
    File(FileId, FileEdit),
    /// Adds a variable to the file of the declarations: a JSON object.
    Declare(String),
    /// Adds an empty fragment with this name to that file.
    DefineFragment(String),
    /// Creates a file; the caller chooses its path.
    Create(NewFile),
    /// Edits `promptls.toml`; the caller has its path and text.
    Config(ConfigChange),
}

/// A new file, by its role.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum NewFile {
    /// The inputs file of the default case, with all names that are read.
    Inputs,
    /// The inputs file of another case.
    Case {
        /// The name of the case.
        name: String,
        /// The inputs file whose text is copied.
        like: FileId,
    },
    /// The variables file, with this text.
    Variables(String),
}

/// A change of `promptls.toml` for the prompt.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ConfigChange {
    /// This name is supplied at run time.
    Runtime(String),
    /// This name in braces is literal text.
    Literal(String),
    /// The prompt has this dialect, with the meaning of its specification.
    Dialect(Dialect),
    /// The prompt is sent by this engine, in the syntax of a rule.
    Engine(String),
    /// The value at this key path is a prompt of this dialect.
    Value(String, Dialect),
}
