//! Reasons why the text of a prompt cannot be edited.

/// The reason why a text cannot be edited in its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CannotEdit {
    /// The edit touches a hole.
    #[error("this part is computed at run time")]
    RunTime,
    /// The edit touches only a part of an indivisible unit: of an escape, or of a fold.
    #[error("this part cannot be edited without the text next to it")]
    PartOfPiece,
    /// The host would have a different meaning.
    #[error("this text cannot be written in this place")]
    NoWay,
    /// The text is that of an anchor, at another place of the file.
    #[error("this prompt is an alias; change it where its anchor is")]
    Alias,
    /// The notation of the string has no source map.
    #[error("edits of a string in this notation are not supported")]
    Notation,
}
