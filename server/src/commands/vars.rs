//! `promptls vars`: the names that a prompt uses.

mod python;

use std::process::ExitCode;

use promptls_analysis::{UsedName, inputs_schema, used_names};
use promptls_protocol::{FilePlace, UsedVariable, VarsOutput};

use crate::args::{COULD_NOT_RUN, VarsArgs, VarsFormat};
use crate::errors::CommandError;
use crate::opened_prompt::OpenedPrompt;
use crate::output::columns::{self, Align};
use crate::output::json::file_range;
use crate::output::prompt_address::prompt_address;
use crate::output::terminal;
use crate::output::visible::visible_line;

/// Prints each name of a prompt, its declaration, and where it is used. Declarations that cannot be
/// read are reported, and nothing is printed without them.
pub fn run(args: &VarsArgs) -> Result<ExitCode, CommandError> {
    let opened = OpenedPrompt::open(&args.prompt)?;
    opened.mention_guess();
    if args.prompt.case.is_some() {
        opened.choose(args.prompt.case.as_deref())?;
    }
    let mut without_cases = opened.without_cases();
    let cases = opened.file().broken_cases();
    without_cases.unusable.retain(|why| !cases.iter().any(|(_, file)| *file == why.location.file));
    if !without_cases.unusable.is_empty() {
        opened.mention_unusable(&without_cases);
        return Ok(ExitCode::from(COULD_NOT_RUN));
    }
    let snapshot = opened.snapshot();
    let schema = || inputs_schema(snapshot, |_| false);
    let print_module = |style: &python::Style| {
        terminal::print_text(&python::module(&schema(), &full_name(&opened), style))
    };
    match args.format {
        VarsFormat::Json => {
            let (dialect, engine) = (snapshot.dialect().spec().id, snapshot.engine_name());
            let variables = used_variables(&opened);
            terminal::print_json(&VarsOutput { dialect, engine, variables })
        }
        VarsFormat::JsonSchema => {
            let mut schema = schema();
            if let Some(keys) = schema.as_object_mut() {
                // promptls does not read its own files as data of an application.
                keys.shift_insert(1, "$comment".to_owned(), origin(&opened).into());
            }
            terminal::print_text(&format!("{schema:#}\n"))
        }
        VarsFormat::Python => print_module(&python::TYPED_DICT),
        VarsFormat::Pydantic => print_module(&python::PYDANTIC),
        VarsFormat::Text => terminal::print(&in_columns(&used_variables(&opened))),
    }?;
    Ok(ExitCode::SUCCESS)
}

/// The remark of a JSON Schema about its origin.
fn origin(opened: &OpenedPrompt) -> String {
    format!("Inputs of {}, written by `promptls vars --format json-schema`.", full_name(opened))
}

/// The file of a use, and the name in it.
fn full_name(opened: &OpenedPrompt) -> String {
    prompt_address(&opened.name, opened.task())
}

fn used_variables(opened: &OpenedPrompt) -> Vec<UsedVariable> {
    let names = used_names(opened.snapshot()).into_iter();
    names.map(|used| used_variable(opened, used)).collect()
}

fn used_variable(opened: &OpenedPrompt, used: UsedName<'_>) -> UsedVariable {
    let place = |location| {
        let location = opened.place_in_files(location)?;
        let file = opened.sources.name(location.file).to_owned();
        Some(FilePlace { file, range: file_range(&location, &opened.sources) })
    };
    let declared = used.declared;
    UsedVariable {
        name: used.name,
        required: used.is_required,
        declared_type: declared.and_then(|it| it.declared_type).map(|it| it.id()),
        description: declared.and_then(|it| it.description.as_deref()).map(str::to_owned),
        uses: used.uses.into_iter().filter_map(place).collect(),
    }
}

/// `name   required   string   a.adk.prompt:1:7, a.adk.prompt:3:2`
fn in_columns(variables: &[UsedVariable]) -> String {
    let row = |variable: &UsedVariable| {
        let place = |FilePlace { file, range }: &FilePlace| {
            format!("{}:{}:{}", file, range.start.line + 1, range.start.character + 1)
        };
        let places: Vec<String> = variable.uses.iter().map(place).collect();
        let uses = match places.is_empty() {
            true => "never used".to_owned(),
            false => places.join(", "),
        };
        let required = if variable.required { "required" } else { "optional" };
        let declared = variable.declared_type.unwrap_or("-");
        [variable.name.clone(), required.to_owned(), declared.to_owned(), uses]
            .map(|column| visible_line(&column))
            .to_vec()
    };
    columns::in_columns(&variables.iter().map(row).collect::<Vec<_>>(), |_| Align::Left)
}
