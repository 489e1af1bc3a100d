//! `promptls/inputs`: the inputs of a case as a form. `set_input` fills it in.

use std::path::Path;

use promptls_analysis::position::Encoding;
use promptls_analysis::{DEFAULT_MAX_PROBLEMS, Field, FieldSource, inputs_form};
use promptls_resolver::Location;
use serde::Serialize;
use serde_json::Value as Json;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types as lsp;

use crate::context::Context;
use crate::convert;
use crate::handlers::preview::PreviewParams;
use crate::session::prompt_snapshot::PromptSnapshot;
use promptls_workspace::{Scope, absolute};

/// The answer to `promptls/inputs`.
#[derive(Debug, Serialize)]
pub struct FormInfo {
    case: Option<String>,
    /// The inputs file; `None` if there is none yet.
    uri: Option<lsp::Uri>,
    fields: Vec<FieldInfo>,
}

/// See [`Field`].
#[derive(Debug, Serialize)]
struct FieldInfo {
    keys: Vec<String>,
    path: String,
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<Json>,
    from: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    location: Option<lsp::Location>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    options: Vec<Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    rules: Vec<String>,
    required: bool,
    used: bool,
    problems: Vec<FieldProblem>,
}

#[derive(Debug, Serialize)]
struct FieldProblem {
    severity: &'static str,
    message: String,
}

/// The form of a prompt in a case; in the selected one if there is none of that name.
pub fn inputs(
    context: Context<Option<PromptSnapshot>>,
    params: PreviewParams,
) -> Result<Option<FormInfo>> {
    let encoding = context.encoding();
    let Some(prompt) = &context.subject else { return Ok(None) };
    Ok(form(prompt, params.case.as_deref(), encoding))
}

fn form(prompt: &PromptSnapshot, case: Option<&str>, encoding: Encoding) -> Option<FormInfo> {
    let snapshot = prompt.snapshot();
    if snapshot.foreign {
        return None;
    }
    let case = prompt.shown_case(case);
    let problems = prompt.problems(Scope::OneCase(case), DEFAULT_MAX_PROBLEMS);
    let form = inputs_form(snapshot, case, &problems);
    let uri = form.file.and_then(|file| prompt.place(file)).map(|(_, uri)| uri);
    let path = uri.as_ref().and_then(|uri| uri.to_file_path());
    let folder = path.as_deref().and_then(Path::parent);
    let location = |source: &FieldSource, written: &Location| match (source, folder) {
        // The text itself, not its name.
        (FieldSource::File(file), Some(folder)) => {
            let uri = convert::uri(&absolute(folder, Path::new(file)))?;
            Some(lsp::Location { uri, range: lsp::Range::default() })
        }
        _ => prompt.location(written, encoding),
    };
    let info = |field: Field| FieldInfo {
        location: field.location.as_ref().and_then(|written| location(&field.source, written)),
        kind: field.kind.id(),
        from: field.source.id(),
        problems: field
            .problems
            .into_iter()
            .map(|(severity, message)| FieldProblem { severity: severity.id(), message })
            .collect(),
        keys: field.keys,
        path: field.path,
        value: field.value,
        options: field.options,
        description: field.description,
        rules: field.rules,
        required: field.required,
        used: field.used,
    };
    let fields = form.fields.into_iter().map(info).collect();
    Some(FormInfo { case: case.map(|case| snapshot.cases[case].name.to_string()), uri, fields })
}
