//! Converts a prompt to another dialect, in new files beside it.

use promptls_analysis::position::{Encoding, position};
use promptls_analysis::{ActionId, ActionName, NotConverted};
use promptls_protocol::{CommandArgument, EditedInputs};
use promptls_resolver::FileId;
use promptls_syntax::Dialect;
use promptls_workspace::{
    CannotConvert, Configs, Project, Target, convert_files, converted_path, parse_dialect,
};

use crate::convert::{self, Uri};
use crate::errors::{Result, invalid_params, no_file_yet, refused};
use crate::handlers::execute_command::command_prompt::prompt_of;
use crate::handlers::new_file::{file_name, free};
use crate::session::Session;
use crate::session::documents::Documents;
use crate::session::edits::Planned;
use crate::session::prompt_snapshot::{PromptSnapshot, View};
use crate::workspace_edits::WorkspaceEdits;

/// An action that converts a prompt.
pub struct Conversion {
    /// Its id, with the dialect as its subject.
    pub id: ActionId,
    /// Its title, which names the dialect.
    pub title: String,
}

/// The actions that convert the prompt of a view.
pub fn conversions(view: &View) -> Vec<Conversion> {
    let snapshot = view.prompt.snapshot();
    if view.file != FileId::PROMPT || snapshot.foreign.is_some() {
        return Vec::new();
    }
    let others = Dialect::ALL.into_iter().filter(|dialect| *dialect != snapshot.dialect());
    let conversion = |dialect: Dialect| Conversion {
        id: ActionId::new(ActionName::Convert, dialect.spec().id),
        title: format!("Convert to {}", dialect.spec().title),
    };
    others.map(conversion).collect()
}

/// The edits of the action that converts a prompt to a dialect. Fails as the command does.
pub fn converted_edits(
    documents: &Documents,
    prompt: &PromptSnapshot,
    dialect: &str,
) -> Result<WorkspaceEdits> {
    let dialect = parse_dialect(dialect).map_err(invalid_params)?;
    let (edits, _) = edits(documents, prompt, Target { dialect, engine: None })?;
    Ok(edits)
}

/// The files of a prompt in another dialect, and the URI of the new prompt. Fails with the reason
/// if the conversion is impossible, would change the resolved text, or a file exists already.
fn edits(
    documents: &Documents,
    prompt: &PromptSnapshot,
    target: Target,
) -> Result<(WorkspaceEdits, Uri)> {
    let (files, configs) = (documents.files(), Configs::default());
    let path = converted_path(prompt.path(), prompt.name(), target.dialect);
    let project = Project { files: &files, configs: &configs, program: documents.code_facts() };
    let converted = convert_files(project, prompt.file(), prompt.index, target, &path);
    let converted = converted.map_err(|error| match error {
        CannotConvert::Prompt(NotConverted::Unsupported(all)) => {
            let first = all.first();
            let line = first.and_then(|first| prompt.in_document(&first.range));
            let line = line.map(|range| {
                1 + position(prompt.document_text(), range.start, Encoding::Utf8).line
            });
            let reason = first.map(|first| first.reason.clone()).unwrap_or_default();
            match line {
                Some(line) => refused(format!("line {line}: {reason}")),
                None => refused(reason),
            }
        }
        error => refused(error.to_string()),
    })?;
    if let Some(difference) = converted.conversion.differences.first() {
        let case = match &difference.case {
            Some(case) => format!("in case `{case}`"),
            None => "with names as values".to_owned(),
        };
        let dialect = target.dialect.spec().id;
        return Err(refused(format!(
            "{case}, a different text would be sent; run `promptls convert {} --to {dialect}` to compare",
            file_name(prompt.path())
        )));
    }
    let mut edits = WorkspaceEdits::default();
    for file in &converted.files {
        edits.create(free(documents, &file.path)?, file.text.clone());
    }
    Ok((edits, convert::uri(&path).ok_or_else(no_file_yet)?))
}

/// Runs the conversion as a command. Returns the URI of the new prompt.
pub fn convert_prompt(
    session: &Session,
    uri: Uri,
    argument: CommandArgument,
) -> Result<Planned<Option<EditedInputs>>> {
    let dialect = argument.dialect.as_deref().unwrap_or_default();
    let dialect = parse_dialect(dialect).map_err(invalid_params)?;
    let target = Target::new(dialect, argument.engine.as_deref()).map_err(refused)?;
    let prompt = prompt_of(session, &uri, &argument)?;
    let (edits, uri) = edits(&session.documents, &prompt, target)?;
    Ok(Planned { edits, answer: Some(EditedInputs { uri: uri.to_string(), position: None }) })
}
