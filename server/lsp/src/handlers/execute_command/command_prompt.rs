//! The prompt that a command is about, by its name or a position.

use promptls_protocol::{CommandArgument, EditedInputs};

use crate::convert::{self, Uri};
use crate::errors::{Result, refused};
use crate::handlers::new_file::file_name;
use crate::session::Session;
use crate::session::edits::Planned;
use crate::session::prompt_snapshot::PromptSnapshot;

/// The file that a command edits, and the response once the edit is applied.
pub type PlannedEdit = Planned<Option<EditedInputs>>;

/// The prompt that a command is about: that of its `task`, else the one at or next to its
/// `position`, else the first. Fails if the file has no prompt, or none of this name: a command
/// that writes must not use another one.
pub fn prompt_of(
    session: &Session,
    uri: &Uri,
    argument: &CommandArgument,
) -> Result<PromptSnapshot> {
    let (name, lookup) = (argument.task.as_deref(), session.documents.lookup());
    let prompt = lookup
        .requested_prompt(uri, name, argument.position, session.encoding())
        .ok_or_else(|| refused("this is not a prompt"))?;
    match name.filter(|name| prompt.file().prompt_or_chat_named(name).is_none()) {
        Some(name) => {
            Err(refused(format!("{} has no prompt `{name}`", file_name(&convert::path(uri)))))
        }
        None => Ok(prompt),
    }
}
