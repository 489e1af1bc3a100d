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
use promptls_workspace::{Chat, ChatContent, Scope, absolute};

/// The form of a prompt in the case with this name, or else in the selected one.
pub fn inputs(
    context: Context<Option<PromptSnapshot>>,
    params: PromptParams,
) -> Result<Option<InputsForm>> {
    let encoding = context.encoding();
    let Some(prompt) = &context.subject else { return Ok(None) };
    let case = params.case.as_deref();
    Ok(match prompt.file().chat_of(prompt.index) {
        Some(chat) => of_chat(prompt, chat, case, encoding),
        None => form(prompt, case, encoding),
    })
}

/// The form of all messages of a chat, which share their inputs.
fn of_chat(
    prompt: &PromptSnapshot,
    chat: &Chat,
    case: Option<&str>,
    encoding: Encoding,
) -> Option<InputsForm> {
    let messages = chat.prompts().filter(|index| prompt.file().chat_of(*index) == Some(chat));
    let messages = messages.map(|index| PromptSnapshot { index, ..prompt.clone() });
    let mut forms = messages.filter_map(|message| form(&message, case, encoding));
    let mut all = forms.next()?;
    for field in forms.flat_map(|form| form.fields) {
        match all.fields.iter_mut().find(|known| known.keys == field.keys) {
            Some(known) => {
                known.used |= field.used;
                known.required |= field.required;
                known.problems.extend(field.problems);
                known.problems.dedup();
            }
            None => all.fields.push(field),
        }
    }
    for message in &chat.messages {
        let ChatContent::Supplied { name, is_required, .. } = &message.content else { continue };
        let keys = std::slice::from_ref(name);
        let known = all.fields.iter_mut().find(|known| known.keys == keys);
        let field = match known {
            Some(known) => known,
            None => {
                all.fields.push(no_messages(name));
                all.fields.last_mut()?
            }
        };
        (field.used, field.required, field.value_type) = (true, *is_required, FieldType::List);
    }
    // Keys that one message does not read may be read by another.
    all.fields.sort_by_key(|field| !field.used);
    Some(all)
}

/// The field of messages without a value.
fn no_messages(name: &str) -> Field {
    Field {
        keys: vec![name.to_owned()],
        path: name.to_owned(),
        value_type: FieldType::List,
        value: None,
        from: FieldOrigin::Missing,
        location: None,
        options: Vec::new(),
        description: None,
        rules: Vec::new(),
        required: true,
        used: true,
        problems: Vec::new(),
    }
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
