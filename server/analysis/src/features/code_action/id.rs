//! The ids of code actions, one row each.
//!
//! A client that requests the edit of an action sends its id. The title is only shown, so it may be
//! reworded or translated.

use std::fmt;
use std::str::FromStr;

macro_rules! actions {
    ($($(#[doc = $doc:literal])* $variant:ident = $id:literal;)*) => {
        /// What a code action does.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum ActionName {
            $($(#[doc = $doc])* $variant,)*
        }

        impl ActionName {
            /// All names, in the order of the table.
            pub const ALL: &'static [ActionName] = &[$(ActionName::$variant,)*];

            /// The stable id in the data of an action, such as `add-value`.
            pub const fn id(self) -> &'static str {
                match self { $(ActionName::$variant => $id,)* }
            }
        }
    };
}

actions! {
    /// Replaces the text at a problem. Subject: the new text.
    Change = "change";
    /// Replaces a misspelt step of a path wherever the prompt contains it. Subject: the number of
    /// places, the step, the new step.
    ChangeAll = "change-all";
    /// Removes a tag. Subject: the tag.
    RemoveTag = "remove-tag";
    /// Closes a block. Subject: the closer.
    CloseBlock = "close-block";
    /// Removes a comment of another template language.
    RemoveComment = "remove-comment";
    /// Makes a placeholder optional. Subject: its name.
    MakeOptional = "make-optional";
    /// Sends a placeholder verbatim. Subject: its text.
    SendVerbatim = "send-verbatim";
    /// Separates braces from a placeholder, so that they are sent.
    SeparateBraces = "separate-braces";
    /// Removes braces that are not sent. Subject: the placeholder.
    RemoveBraces = "remove-braces";
    /// Doubles the braces of an object, so that they are sent.
    DoubleBraces = "double-braces";
    /// Separates an escape from the next word.
    SeparateEscape = "separate-escape";
    /// Declares in `promptls.toml` that a name in braces is literal text. Subject: the name.
    MarkLiteral = "mark-literal";
    /// Declares in `promptls.toml` that a name is supplied at run time. Subject: the name.
    MarkRuntime = "mark-runtime";
    /// Sets a dialect in `promptls.toml`. Subject: its id.
    SetDialect = "set-dialect";
    /// Sets an engine in `promptls.toml`. Subject: the engine, the file that it was found in.
    SetEngine = "set-engine";
    /// Declares in `promptls.toml` that a value is a prompt. Subject: the dialect's id.
    AddValuePrompt = "add-value-prompt";
    /// Inserts a comment that selects the dialect of a text in code. Subject: the dialect's id.
    InsertMark = "insert-mark";
    /// Adds a value to an inputs file. Subject: the name, the file.
    AddValue = "add-value";
    /// Adds a value to several cases. Subject: the name, the number of cases, all or some.
    AddValueToCases = "add-value-to-cases";
    /// Adds all missing names to the cases. Subject: the number of names, the place.
    AddMissingValues = "add-missing-values";
    /// Writes all names that the prompt reads to an empty inputs file.
    FillInputs = "fill-inputs";
    /// Removes a key of an inputs file. Subject: the key, the file.
    RemoveKey = "remove-key";
    /// Removes the first of two equal keys. Subject: the key.
    RemoveDuplicate = "remove-duplicate";
    /// Renames the key at a problem. Subject: the new name.
    RenameKey = "rename-key";
    /// Renames a key in all cases. Subject: the old name, the new name.
    RenameKeyInCases = "rename-key-in-cases";
    /// Converts a key that is written as a path to objects. Subject: the key.
    NestKey = "nest-key";
    /// Writes the names of a prompt into their list in code.
    WriteList = "write-list";
    /// Declares a variable. Subject: its name, its type if there is one.
    Declare = "declare";
    /// Declares all undeclared variables. Subject: their number.
    DeclareAll = "declare-all";
    /// Removes a declaration. Subject: the name of the variable.
    RemoveDeclaration = "remove-declaration";
    /// Adds an empty fragment. Subject: its name.
    AddFragment = "add-fragment";
    /// Creates the inputs file of the default case.
    CreateInputs = "create-inputs";
    /// Creates a case with the values of another one. Subject: the other case.
    CreateCase = "create-case";
    /// Creates the variables file, with a declaration of each name.
    CreateVariables = "create-variables";
    /// Inserts a section. Subject: its name.
    InsertSection = "insert-section";
    /// Converts the prompt to another dialect. Subject: the dialect's id.
    Convert = "convert";
    /// Applies all safe fixes in the document.
    FixAll = "fix-all";
}

/// Identifies an action in a list: what it does, and to what.
///
/// In text: `change:name`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ActionId {
    /// The row of the table, which selects the kind of change.
    pub name: ActionName,
    /// What it does it to, as described at each [`ActionName`]; may be empty.
    pub subject: String,
}

impl ActionId {
    /// The id of an action with a subject of one part.
    pub fn new(name: ActionName, subject: impl Into<String>) -> ActionId {
        ActionId { name, subject: subject.into() }
    }

    /// The id of an action with a subject of several parts.
    pub fn of_parts<const N: usize>(name: ActionName, parts: [&str; N]) -> ActionId {
        // A line feed occurs in no name.
        ActionId { name, subject: parts.join("\n") }
    }
}

/// The id of an action that occurs once in a list.
impl From<ActionName> for ActionId {
    fn from(name: ActionName) -> ActionId {
        ActionId { name, subject: String::new() }
    }
}

/// Writes `NAME`, or `NAME:SUBJECT` if there is a subject.
impl fmt::Display for ActionId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name.id())?;
        match self.subject.is_empty() {
            true => Ok(()),
            false => write!(out, ":{}", self.subject),
        }
    }
}

/// The text is not the id of an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown code action")]
pub struct UnknownAction;

impl FromStr for ActionId {
    type Err = UnknownAction;

    fn from_str(text: &str) -> Result<ActionId, UnknownAction> {
        let (id, subject) = text.split_once(':').unwrap_or((text, ""));
        let name = ActionName::ALL.iter().find(|name| name.id() == id).ok_or(UnknownAction)?;
        Ok(ActionId::new(*name, subject))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_round_trips_through_its_string() {
        for name in ActionName::ALL {
            for subject in ["", "user:name", "name\nsupport.inputs.json"] {
                let id = ActionId::new(*name, subject);
                assert_eq!(id.to_string().parse(), Ok(id));
            }
        }
        assert_eq!("change-nothing:x".parse::<ActionId>(), Err(UnknownAction));
    }
}
