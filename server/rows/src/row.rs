//! Outcomes of the rows of a chunk.

use std::fmt;

use promptls_resolver::{EngineError, Object, Values};

use crate::overlay::Overlay;
use crate::prompt::RowPrompt;

/// The outcome of a row.
pub type Outcome = Result<String, RowError>;

/// The reason why a row has no text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RowError {
    /// The engine raises an error.
    Engine(EngineError),
    /// The row cannot be read or converted; the text is the reason.
    NoRow(String),
}

impl fmt::Display for RowError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RowError::Engine(error) => error.fmt(out),
            RowError::NoRow(reason) => out.write_str(reason),
        }
    }
}

/// The values of a row of a table.
pub trait RowValues: Values {
    /// The reason why a value that was read is invalid; `None` if all of them are valid.
    fn refused(&self) -> Option<String> {
        None
    }
}

/// A row of JSON lines.
impl RowValues for Object {}

/// Takes the rows of a chunk, one after the other.
pub type TakesRow<'t> = &'t mut dyn FnMut(Result<&dyn RowValues, RowError>);

/// A prompt, and values that override those of any row.
#[derive(Clone, Copy, Debug)]
pub struct Resolver<'a> {
    /// The compiled prompt, which all rows share.
    pub prompt: &'a RowPrompt,
    /// Values that override those of every row.
    pub above: &'a Object,
}

impl Resolver<'_> {
    /// The outcome of a row with these values.
    pub fn outcome(&self, row: &dyn Values) -> Outcome {
        let outcome = match self.above.is_empty() {
            true => self.prompt.render(row),
            false => self.prompt.render(&Overlay::new(self.above, row)),
        };
        outcome.map_err(RowError::Engine)
    }
}
