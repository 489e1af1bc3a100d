//! `promptls/inputs`: the inputs of a case as a form, and `promptls.setInput`, which fills it in.

use std::path::{Path, PathBuf};

use promptls_analysis::position::Encoding;
use promptls_analysis::{Field, FieldSource, FileEdit, edit_file, inputs_form};
use promptls_resolver::{Code, FileId, Inputs, Location, Object, Value, ValueKind};
use ropey::Rope;
use serde::Serialize;
use serde_json::{Value as Json, json};
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types as lsp;

use super::code_action::check_on_disk;
use crate::lsp::backend::{Backend, work};
use crate::lsp::commands::{Argument, SET_INPUT, file_name, format_of, new_inputs, refused};
use crate::lsp::convert;
use crate::lsp::edits::WorkspaceEdits;
use crate::lsp::moment::Moment;
use crate::lsp::preview::PreviewParams;
use crate::workspace::absolute;

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

impl Backend {
    /// Answers `promptls/inputs`.
    pub async fn inputs(&self, params: PreviewParams) -> Result<Option<FormInfo>> {
        let encoding = self.abilities().encoding;
        let Some(moment) = self.prompt_at(&params.text_document.uri, params.position) else {
            return Ok(None);
        };
        let is_heavy = moment.snapshot.is_heavy();
        work(is_heavy, move || form(&moment, params.case.as_deref(), encoding)).await
    }

    /// Changes a value where it is written. The answer says in which file, and where the value is
    /// going to be; the editor changes it when it gets to it.
    pub fn set_input(&self, argument: Argument) -> Result<Option<Json>> {
        let Argument { uri, position, case, keys, value, .. } = argument;
        if keys.is_empty() {
            return Err(Error::invalid_params(format!(
                "`{SET_INPUT}` takes {{ uri, keys, value }}"
            )));
        }
        let moment = self.prompt_at(&uri, position).ok_or_else(|| refused("this is no prompt"))?;
        let snapshot = &moment.snapshot;
        let named = case.as_deref().map(|name| snapshot.case_named(name));
        match named.unwrap_or(moment.case) {
            Some(case) => self.set_in_case(&moment, case, &keys, value),
            None => {
                let case = case.as_deref().unwrap_or("default");
                self.set_in_new_case(&moment, case, &keys, value)
            }
        }
    }

    fn set_in_case(
        &self,
        moment: &Moment,
        case: usize,
        keys: &[String],
        value: Option<Json>,
    ) -> Result<Option<Json>> {
        let inputs = &moment.snapshot.cases[case].inputs;
        let (text, uri) = moment.place(inputs.file).ok_or_else(|| refused("the file is gone"))?;
        let path = uri.to_file_path().ok_or_else(|| refused("the file has no path"))?;
        if let Some(broken) = broken(moment, inputs.file, self.abilities().encoding) {
            return Err(refused(broken));
        }
        check_on_disk(&self.documents, moment, inputs.file)?;
        let (there, missing) = value_at(&inputs.root, keys);
        if let (Some(Value { kind: ValueKind::File(file), .. }), [], Some(Json::String(new))) =
            (there, missing, &value)
        {
            let folder = path.parent().unwrap_or(Path::new("/"));
            if file.text.is_none() {
                return Err(refused(format!(
                    "`{}` cannot be read, so it is not changed",
                    file.path
                )));
            }
            return self.set_text_of(&absolute(folder, Path::new(&*file.path)), new);
        }
        if !missing.is_empty() {
            check_supplied(moment, keys)?;
            if value.is_none() {
                let name = file_name(&path);
                return Err(refused(format!("{name} has no `{}`", keys.join("."))));
            }
            if let Some(items) = there.and_then(Value::as_list)
                && missing[0].parse() != Ok(items.len())
            {
                let name = file_name(&path);
                let whole = keys[..keys.len() - missing.len()].join(".");
                let (count, next) = (items.len(), &missing[0]);
                let reason = format!("`{whole}` has {count} items in {name}, so none is `{next}`");
                return Err(refused(reason));
            }
            if let Some(there) = there
                && there.as_object().is_none()
                && there.as_list().is_none()
                && !there.is_null()
            {
                let (name, kind) = (file_name(&path), there.kind_name());
                let whole = keys[..keys.len() - missing.len()].join(".");
                let member = &missing[0];
                let reason =
                    format!("`{whole}` is {kind} in {name}, so it cannot have a `{member}`");
                return Err(refused(reason));
            }
        }
        let before = text.to_string();
        let format = format_of(&path);
        let edit = edit_of(keys, value.as_ref());
        let after = edit_file(&before, format, &[edit]).ok_or_else(|| {
            let name = file_name(&path);
            refused(format!("{name} is written in a way that only you can edit"))
        })?;
        let position = self.position_of(&after, &path, keys);
        if after != before {
            let mut edits = WorkspaceEdits::default();
            edits.rewrite(uri.clone(), text, &after, self.abilities().encoding);
            self.send_edit(edits)?;
        }
        Ok(Some(json!({ "uri": uri, "position": position })))
    }

    /// Gives another text to a file that a value stands for.
    fn set_text_of(&self, path: &Path, new: &str) -> Result<Option<Json>> {
        let uri = convert::uri(path).ok_or_else(|| refused("the file has no address"))?;
        let text = self.documents.text(path).map_err(|error| refused(error.to_string()))?;
        if text != new {
            let mut edits = WorkspaceEdits::default();
            edits.rewrite(uri.clone(), &text, new, self.abilities().encoding);
            self.send_edit(edits)?;
        }
        Ok(Some(json!({ "uri": uri, "position": lsp::Position::default() })))
    }

    fn set_in_new_case(
        &self,
        moment: &Moment,
        case: &str,
        keys: &[String],
        value: Option<Json>,
    ) -> Result<Option<Json>> {
        let path = new_inputs(moment, case)?;
        // A file that has never been read is no case, but may be there.
        let broken =
            moment.file_at(&path).and_then(|file| broken(moment, file, self.abilities().encoding));
        if let Some(broken) = broken {
            return Err(refused(broken));
        }
        check_supplied(moment, keys)?;
        if value.is_none() {
            return Err(refused(format!("the case `{case}` has no inputs file")));
        }
        let uri = self.free(&path)?;
        let text = edit_file("", format_of(&path), &[edit_of(keys, value.as_ref())]);
        let text = text.ok_or_else(|| refused("no such value can be written"))?;
        let position = self.position_of(&text, &path, keys);
        let mut edits = WorkspaceEdits::default();
        edits.create(uri.clone(), text);
        self.send_edit(edits)?;
        Ok(Some(json!({ "uri": uri, "position": position })))
    }

    /// Where a value stands in the text of an inputs file.
    fn position_of(&self, text: &str, path: &Path, keys: &[String]) -> Option<lsp::Position> {
        let inputs = Inputs::parse(text, format_of(path), FileId::PROMPT).value?;
        let (Some(value), []) = value_at(&inputs.root, keys) else { return None };
        let start = value.span.range().start;
        Some(convert::lsp_position(&Rope::from_str(text), start, self.abilities().encoding))
    }
}

fn edit_of(keys: &[String], value: Option<&Json>) -> FileEdit {
    let path = keys.to_vec();
    match value {
        Some(value) => FileEdit::Set { path, value: value.to_string() },
        None => FileEdit::Unset { path },
    }
}

/// Refuses what the application or the engine brings.
fn check_supplied(moment: &Moment, keys: &[String]) -> Result<()> {
    let path = keys.join(".");
    let runtime = &moment.snapshot.settings.runtime;
    if runtime.iter().any(|name| *name == keys[0] || *name == path) {
        let reason = "is supplied at run time; take it out of `runtime` in promptls.toml first";
        return Err(refused(format!("`{path}` {reason}")));
    }
    let dialect = moment.snapshot.dialect();
    if dialect.injects(&keys[0]) {
        return Err(refused(format!("{} itself brings `{path}`", dialect.spec().title)));
    }
    Ok(())
}

/// The value that keys lead to, as far as they do, and those that lead nowhere.
fn value_at<'v, 'k>(root: &'v Object, keys: &'k [String]) -> (Option<&'v Value>, &'k [String]) {
    let mut here: Option<&Value> = None;
    for (index, key) in keys.iter().enumerate() {
        let next = match here.map(|value| &value.kind) {
            None => root.get(key).map(|entry| &entry.value),
            Some(ValueKind::Object(object)) => object.get(key).map(|entry| &entry.value),
            Some(ValueKind::List(items)) => key.parse::<usize>().ok().and_then(|at| items.get(at)),
            Some(_) => None,
        };
        if next.is_none() {
            return (here, &keys[index..]);
        }
        here = next;
    }
    (here, &[])
}

/// Why a file cannot be edited as it is, and where.
fn broken(moment: &Moment, file: FileId, encoding: Encoding) -> Option<String> {
    let snapshot = &moment.snapshot;
    let problem = snapshot.file_problems.iter().find(|problem| {
        // A text that one of its values stands for may be missing: that breaks nothing else.
        problem.code == Code::InvalidInputs
            && problem.location.file == file
            && !is_whole(moment, file)
    })?;
    let location = convert::location(moment, &problem.location, encoding)?;
    let lsp::Position { line, character } = location.range.start;
    let name = snapshot.file_name(file);
    let message = &problem.message;
    Some(format!("{name}:{}:{}: {message}; mend it first", line + 1, character + 1))
}

/// Whether an inputs file can be read as it is.
fn is_whole(moment: &Moment, file: FileId) -> bool {
    moment.place(file).is_some_and(|(text, uri)| {
        let path = uri.to_file_path().map_or_else(PathBuf::new, |path| path.into_owned());
        Inputs::parse(&text.to_string(), format_of(&path), file).value.is_some()
    })
}

fn form(moment: &Moment, case: Option<&str>, encoding: Encoding) -> Option<FormInfo> {
    let snapshot = &moment.snapshot;
    if snapshot.foreign {
        return None;
    }
    let case = case.and_then(|case| snapshot.case_named(case)).or(moment.case);
    let form = inputs_form(snapshot, case);
    let uri = form.file.and_then(|file| moment.place(file)).map(|(_, uri)| uri);
    let path = uri.as_ref().and_then(|uri| uri.to_file_path());
    let folder = path.as_deref().and_then(Path::parent);
    let location = |source: &FieldSource, written: &Location| match (source, folder) {
        // The text itself, not its name.
        (FieldSource::File(file), Some(folder)) => {
            let uri = convert::uri(&absolute(folder, Path::new(file)))?;
            Some(lsp::Location { uri, range: lsp::Range::default() })
        }
        _ => convert::location(moment, written, encoding),
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
