//! `promptls/inputs`: the inputs of a case as a form. The command in `set_input` edits its fields.

use std::path::Path;

use promptls_analysis::position::Encoding;
use promptls_analysis::{
    self as analysis, DEFAULT_MAX_PROBLEMS, FieldKind, FieldSource, inputs_form,
};
use promptls_protocol::{
    self as wire, Field, FieldOrigin, FieldProblem, FieldType, InputsForm, PromptParams,
};
use promptls_resolver::Location;

use crate::context::Context;
use crate::convert;
use crate::errors::Result;
use crate::session::prompt_snapshot::PromptSnapshot;
use promptls_workspace::{Scope, absolute};

/// The form of a prompt in the case with this name, or else in the selected one.
pub fn inputs(
    context: Context<Option<PromptSnapshot>>,
    params: PromptParams,
) -> Result<Option<InputsForm>> {
    let encoding = context.encoding();
    let Some(prompt) = &context.subject else { return Ok(None) };
    Ok(form(prompt, params.case.as_deref(), encoding))
}

fn form(prompt: &PromptSnapshot, case: Option<&str>, encoding: Encoding) -> Option<InputsForm> {
    let snapshot = prompt.snapshot();
    if snapshot.foreign.is_some() {
        return None;
    }
    let case = prompt.shown_case(case);
    let problems = prompt.problems_in_text(Scope::OneCase(case), DEFAULT_MAX_PROBLEMS);
    let form = inputs_form(snapshot, case, &problems);
    let uri = form.file.and_then(|file| prompt.place(file)).map(|(_, uri)| uri);
    let path = uri.as_ref().map(convert::path);
    let folder = path.as_deref().and_then(Path::parent);
    let location = |source: &FieldSource, written: &Location| match (source, folder) {
        // Links to the text itself, not to the name of its file.
        (FieldSource::File(file), Some(folder)) => {
            let uri = convert::uri(&absolute(folder, Path::new(file)))?;
            Some(wire::Location { uri: uri.to_string(), range: wire::Range::default() })
        }
        _ => prompt.location(written, encoding).map(convert::wire_location),
    };
    let field = |field: analysis::Field| Field {
        location: field.location.as_ref().and_then(|written| location(&field.source, written)),
        value_type: field_type(field.kind),
        from: origin(&field.source),
        problems: field
            .problems
            .into_iter()
            .map(|(severity, message)| FieldProblem { severity: severity.into(), message })
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
    let uri = uri.as_ref().map(|uri| uri.to_string());
    let fields = form.fields.into_iter().map(field).collect();
    Some(InputsForm { case: case.map(|case| snapshot.cases[case].name.to_string()), uri, fields })
}

fn field_type(kind: FieldKind) -> FieldType {
    match kind {
        FieldKind::Text => FieldType::Text,
        FieldKind::Integer => FieldType::Integer,
        FieldKind::Number => FieldType::Number,
        FieldKind::Boolean => FieldType::Boolean,
        FieldKind::List => FieldType::List,
        FieldKind::Object => FieldType::Object,
        FieldKind::Any => FieldType::Any,
    }
}

fn origin(source: &FieldSource) -> FieldOrigin {
    match source {
        FieldSource::Inputs => FieldOrigin::Inputs,
        FieldSource::Default => FieldOrigin::Default,
        FieldSource::File(_) => FieldOrigin::File,
        FieldSource::Runtime => FieldOrigin::Runtime,
        FieldSource::Missing => FieldOrigin::Missing,
    }
}
