//! Makes a file, or a value of a data file, a prompt by a rule in `promptls.toml`: as a command, and
//! as a code action on the value.

use std::path::Path;

use promptls_analysis::position::Encoding;
use promptls_analysis::{ActionId, ActionName, ConfigChange};
use promptls_protocol::{self as wire, CommandArgument, EditedInputs};
use promptls_syntax::Dialect;
use promptls_workspace::{
    CONFIG_NAME, Configs, DataValue, dialects_of_value, folder_of, may_have_values, value_at,
};

use super::command_prompt::PlannedEdit;
use crate::convert::{self, Uri};
use crate::errors::{Result, invalid_params, refused};
use crate::handlers::config_edit::change_config;
use crate::handlers::new_file::file_name;
use crate::session::Session;
use crate::session::documents::Documents;
use crate::session::edits::Planned;
use crate::session::prompt_snapshot::PromptSnapshot;
use crate::workspace_edits::WorkspaceEdits;

/// The maximum size of a document with such actions, in bytes: it is parsed at each position of the
/// cursor.
const LONGEST: usize = 1 << 18;

/// Adds a rule for a file; in data for the value at the position. Returns the URI of the config.
pub fn add_prompt(session: &Session, uri: Uri, argument: CommandArgument) -> Result<PlannedEdit> {
    let dialect = argument.dialect.as_deref().and_then(Dialect::from_id);
    let dialect = dialect.ok_or_else(|| invalid_params("there is no such dialect"))?;
    let (documents, encoding) = (&session.documents, session.encoding());
    let change = if may_have_values(&convert::path(&uri)) {
        let at = argument.position.map(|at| wire::Range { start: at, end: at });
        let value = at.and_then(|at| value_in(documents, &uri, at, encoding));
        let reason =
            "data is never one prompt as a whole; place the cursor in the value that is one";
        ConfigChange::Value(value.ok_or_else(|| refused(reason))?.path, dialect)
    } else {
        ConfigChange::Dialect(dialect)
    };
    let (edits, rule) = edits(documents, &uri, &change, encoding)?;
    Ok(Planned { edits, answer: Some(EditedInputs { uri: rule.to_string(), position: None }) })
}

/// The edits of `promptls.toml` that make a file or a value a prompt, and the URI of the config.
fn edits(
    documents: &Documents,
    uri: &Uri,
    change: &ConfigChange,
    encoding: Encoding,
) -> Result<(WorkspaceEdits, Uri)> {
    let path = convert::path(uri);
    let config = Configs::default().nearest(&documents.files(), folder_of(&path));
    let config = config.as_deref();
    let is_excluded = config.is_some_and(|config| config.strings_for(&path).is_none());
    if is_excluded && matches!(change, ConfigChange::Value(..)) {
        let name = file_name(&path);
        let reason = format!("{CONFIG_NAME} excludes all strings of {name} (`strings = []`)");
        return Err(refused(reason));
    }
    let mut edits = WorkspaceEdits::default();
    let rule = change_config(&mut edits, documents, encoding, &path, config, change)?;
    Ok((edits, rule))
}

/// The string in a range of a data file; `None` in other files, and where a prompt is already.
fn value_in(
    documents: &Documents,
    uri: &Uri,
    range: wire::Range,
    encoding: Encoding,
) -> Option<DataValue> {
    let (path, lookup) = (convert::path(uri), documents.lookup());
    let text = lookup.text(uri)?;
    let offset = |position| convert::nearest_offset(&text, position, encoding);
    let value = value_at(&path, &text.to_string(), &(offset(range.start)..offset(range.end)))?;
    let is_in_it = |prompt: &PromptSnapshot| {
        let entry = &prompt.prompt().entry;
        entry.start < value.range.end && value.range.start < entry.end
    };
    (!lookup.prompts(uri).iter().any(is_in_it)).then_some(value)
}

/// An action that makes a value a prompt.
pub struct NewPromptValue {
    pub id: ActionId,
    pub title: String,
    change: ConfigChange,
}

/// The actions for the value in a range: one for each dialect that it may have. None for a value
/// without placeholders.
///
/// Cost: parsing the document, and the lock files of the project once.
pub fn new_prompt_values(
    documents: &Documents,
    uri: &Uri,
    range: wire::Range,
    encoding: Encoding,
) -> Vec<NewPromptValue> {
    let path: &Path = &convert::path(uri);
    if !may_have_values(path) || documents.bytes(uri) > LONGEST {
        return Vec::new();
    }
    let Some(value) = value_in(documents, uri, range, encoding) else { return Vec::new() };
    let dialects = dialects_of_value(&value.text, &documents.project().dialects(path));
    let action = |dialect: Dialect| NewPromptValue {
        id: ActionId::new(ActionName::AddValuePrompt, dialect.spec().id),
        title: format!(
            "This value is a prompt ({}): add a rule to {CONFIG_NAME}",
            dialect.spec().title
        ),
        change: ConfigChange::Value(value.path.clone(), dialect),
    };
    dialects.into_iter().map(action).collect()
}

impl NewPromptValue {
    /// The edits of the action. Fails as the command does.
    pub fn edits(
        &self,
        documents: &Documents,
        uri: &Uri,
        encoding: Encoding,
    ) -> Result<WorkspaceEdits> {
        let (edits, _) = edits(documents, uri, &self.change, encoding)?;
        Ok(edits)
    }
}
