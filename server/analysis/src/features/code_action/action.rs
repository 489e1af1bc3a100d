//! What an action is, and what it changes.

use promptls_resolver::{Code, FileId, Location};
use promptls_syntax::Dialect;

use crate::edit::TextEdit;
use crate::file_edit::FileEdit;

/// Something that a user may want done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeAction {
    /// What it does, in the user's words; unique in a list.
    pub title: String,
    /// What sort of action it is.
    pub kind: ActionKind,
    /// The problem that is gone afterwards: its code and place.
    pub fixes: Option<(Code, Location)>,
    /// Whether it is what most people want.
    pub is_preferred: bool,
    /// Whether [`fix_all`](crate::fix_all) does it, too.
    pub is_safe: bool,
    /// What it changes; nothing if it is disabled.
    pub changes: Vec<Change>,
    /// Why it cannot be done, though one may look for it.
    pub disabled: Option<String>,
}

/// The sorts of action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ActionKind {
    /// It mends a problem.
    QuickFix,
    /// It changes what is fine as it is.
    Refactor,
    /// It adds something new.
    Insert,
}

/// One thing that an action changes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Change {
    /// Text in a place, mostly of the prompt.
    Text(TextEdit),
    /// A key or an item of an inputs or variables file.
    File(FileId, FileEdit),
    /// One more variable in the file of the declarations: a JSON object.
    Declare(String),
    /// One more fragment there, still empty.
    DefineFragment(String),
    /// A file that is not there yet.
    Create(NewFile),
    /// Something in `promptls.toml`.
    Config(ConfigChange),
}

/// Files by their role.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum NewFile {
    /// The inputs file of the default case, with all names that are read.
    Inputs,
    /// One more case.
    Case {
        /// What it is called.
        name: String,
        /// The inputs file that has its text.
        like: FileId,
    },
    /// The variables file, with this text.
    Variables(String),
}

/// What `promptls.toml` shall say of the prompt.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ConfigChange {
    /// This name is supplied at run time.
    Runtime(String),
    /// This name is meant to stay in braces.
    Literal(String),
    /// It is in this dialect, and means what the document of it says.
    Dialect(Dialect),
    /// It is sent by this engine, as a rule names it.
    Engine(String),
}
