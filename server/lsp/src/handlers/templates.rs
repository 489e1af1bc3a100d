//! New prompts from templates: `promptls/templates`, and the files of a template.

use std::path::Path;

use promptls_analysis::did_you_mean;
use promptls_builder::{Language, Template, builder};
use promptls_protocol::{
    CommandArgument, EditedInputs, TemplateArgument, TemplateItem, TemplateList, TemplatesParams,
};
use promptls_syntax::Dialect;
use promptls_workspace::{
    Configs, NewPrompt, Project, Templates, dialect_of_new, first_inputs, folder_of, new_variables,
    parse_dialect,
};

use super::new_file::{file_name, free};
use crate::convert::{self, Uri};
use crate::errors::{Result, invalid_params, refused};
use crate::session::Session;
use crate::session::edits::Planned;
use crate::workspace_edits::WorkspaceEdits;

/// The templates that are available in a folder.
///
/// Cost: reads the files of the user's templates.
pub fn templates(session: &Session, params: TemplatesParams) -> Result<TemplateList> {
    let TemplatesParams { folder, language } = params;
    let invalid = |_| invalid_params("`folder` is not a URI");
    let folder: Uri = folder.parse().map_err(invalid)?;
    let language = self::language(session, language.as_deref())?;
    let folder = convert::path(&folder);
    let found = in_folder(session, &folder, language);
    // The engines are those around a file.
    let of_project = session.documents.project().dialects(&folder.join("new"));
    let dialect = match of_project[..] {
        [only] => Some(only.spec().id),
        _ => None,
    };
    Ok(TemplateList {
        language: language.tag(),
        dialect,
        templates: found.all().map(|(name, template)| item(name, template)).collect(),
        broken: found.broken().map(ToString::to_string).collect(),
    })
}

fn item(name: &str, template: &Template) -> TemplateItem {
    let argument = |name: &String| {
        let name = name.trim_end_matches("...");
        let variable = template.variables.get(name).cloned().unwrap_or_default();
        let (description, example) = (variable.description, variable.example);
        TemplateArgument { name: name.to_owned(), description, example }
    };
    TemplateItem {
        name: name.to_owned(),
        summary: template.summary.clone(),
        arguments: template.arguments.iter().map(argument).collect(),
    }
}

/// The files of a new prompt. Returns the URI of the prompt.
pub fn new_prompt(
    session: &Session,
    uri: Uri,
    argument: CommandArgument,
) -> Result<Planned<Option<EditedInputs>>> {
    let CommandArgument { dialect, template, arguments, language, .. } = argument;
    let language = self::language(session, language.as_deref())?;
    let path = convert::path(&uri);
    let dialect = self::dialect(session, &path, dialect.as_deref())?;
    let name = template.ok_or_else(|| invalid_params("which `template`?"))?;
    let templates = in_folder(session, folder_of(&path), language);
    let template = templates.find(&name).map_err(|error| refused(error.to_string()))?;

    let built = builder(dialect, language).apply(template, arguments).build();
    let built = built.map_err(|error| refused(error.to_string()))?;
    let NewPrompt { text, variables, inputs } =
        NewPrompt::new(dialect, &built, &template.variables);
    let mut edits = WorkspaceEdits::default();
    edits.create(free(&session.documents, &path)?, text);
    let config = session.documents.project().config_of(&path);
    let config = config.as_deref();
    let sidecars =
        [(new_variables(&path, config), variables), (first_inputs(&path, config), inputs)];
    for (path, text) in sidecars {
        if let Some(text) = text {
            edits.create(free(&session.documents, &path)?, text);
        }
    }
    let answer = Some(EditedInputs { uri: uri.to_string(), position: None });
    Ok(Planned { edits, answer })
}

/// The requested language, or else that of the settings.
fn language(session: &Session, tag: Option<&str>) -> Result<&'static Language> {
    let of_settings = session.preferences.language();
    let tag = tag.unwrap_or(&of_settings);
    Language::find(tag).map_err(|unknown| {
        let hint = did_you_mean(tag, unknown.known.iter().map(String::as_str));
        let known = unknown.known.join(", ");
        refused(format!("unsupported language `{tag}`; supported: {known}{hint}"))
    })
}

/// The dialect of a file to create. Fails if the requested dialect differs from the one that the
/// file would be read as.
fn dialect(session: &Session, path: &Path, requested: Option<&str>) -> Result<Dialect> {
    let requested = requested.map(parse_dialect).transpose().map_err(invalid_params)?;
    let (files, configs) = (session.documents.files(), Configs::default());
    let program = session.documents.code_facts();
    let project = Project { files: &files, configs: &configs, program };
    let found = dialect_of_new(project, path, requested);
    let found = found.map_err(|error| refused(error.to_string()))?;
    found.ok_or_else(|| refused(format!("the dialect of {} is unknown", file_name(path))))
}

fn in_folder(session: &Session, folder: &Path, language: &'static Language) -> Templates {
    Templates::in_folder(&session.documents.files(), &Configs::default(), folder, language)
}
