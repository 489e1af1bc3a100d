//! The inputs of a case as a form: names that a prompt reads, declared variables, keys in the file.
//!
//! Each value that can be edited separately has a field. For a name that is read by a path, this is
//! its last step; for a value that is sent or iterated as a whole, all of it. Then follow the parts
//! that the program computes, variables that the prompt does not read, and unused keys. Fragments
//! are not inputs.
//!
//! [`Field::keys`] leads to the present or future position of the value: [`crate::FileEdit::Set`].

use std::collections::HashMap;
use std::ops::Range;

use promptls_resolver::{
    Code, Declarations, FileId, Inputs, Location, Object, Problem, ResolveContext, Severity, Value,
    ValueKind, VariableType, root,
};
use promptls_syntax::{BlockKind, Dialect, TokenKind};
use serde_json::Value as Json;

use super::hover::demands;
use crate::diagnose::is_for_tools;
use crate::dialects::advice;
use crate::needs::Need;
use crate::skeleton::{each_path, needs_of};
use crate::snapshot::Snapshot;
use crate::symbol::{PathStep, Symbol, symbol_of};

/// The inputs of a case.
#[derive(Clone, Debug, PartialEq)]
pub struct InputsForm {
    /// The file that contains them; `None` if there is none yet.
    pub file: Option<FileId>,
    /// The fields, in the order in which the prompt reads them.
    pub fields: Vec<Field>,
}

/// A value that can be edited separately.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// The keys from the root of the inputs; a number is an index into a list.
    pub keys: Vec<String>,
    /// The same path, in the syntax of the prompt.
    pub path: String,
    /// The type of its values.
    pub kind: FieldKind,
    /// The effective value; `None` if there is none, or if it is longer than a megabyte.
    pub value: Option<Json>,
    /// The source of the value.
    pub source: FieldSource,
    /// The location of the value in its source; `None` if it has none.
    pub location: Option<Location>,
    /// The allowed values, if they are restricted.
    pub options: Vec<Json>,
    /// The description in its declaration.
    pub description: Option<String>,
    /// Other constraints of the declaration, each in a few words.
    pub rules: Vec<String>,
    /// The engine does not send the prompt without a value, used or not.
    pub required: bool,
    /// The prompt reads the value.
    pub used: bool,
    /// The problems of the value in this case.
    pub problems: Vec<(Severity, String)>,
}

/// The type of a field's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FieldKind {
    /// A text, also that of a `$file`.
    Text,
    /// A number without a decimal point or an exponent.
    Integer,
    /// A number, with or without a decimal point or an exponent.
    Number,
    /// `true` or `false`, as a JSON boolean.
    Boolean,
    /// A list, whatever the types of its items.
    List,
    /// An object with keys and values.
    Object,
    /// No declaration, value or use determines the type.
    Any,
}

/// The source of a field's value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum FieldSource {
    /// It is in the inputs file.
    Inputs,
    /// It is the default of its declaration.
    Default,
    /// It is the text of another file, with this path in the inputs file.
    File(String),
    /// The application supplies it at run time.
    Runtime,
    /// There is no value, not even a default.
    Missing,
}

impl FieldKind {
    /// The identifier in JSON output: `text`, `integer`, `any`.
    pub const fn id(self) -> &'static str {
        match self {
            FieldKind::Text => "text",
            FieldKind::Integer => "integer",
            FieldKind::Number => "number",
            FieldKind::Boolean => "boolean",
            FieldKind::List => "list",
            FieldKind::Object => "object",
            FieldKind::Any => "any",
        }
    }

    /// The type of an existing value; `None` for null.
    fn of(value: &Value) -> Option<FieldKind> {
        Some(match &value.kind {
            ValueKind::Null => return None,
            ValueKind::Bool(_) => FieldKind::Boolean,
            ValueKind::Number(number) if number.contains(['.', 'e', 'E']) => FieldKind::Number,
            ValueKind::Number(_) => FieldKind::Integer,
            ValueKind::String(_) | ValueKind::File(_) => FieldKind::Text,
            ValueKind::List(_) => FieldKind::List,
            ValueKind::Object(_) => FieldKind::Object,
        })
    }

    const fn declared(kind: VariableType) -> FieldKind {
        match kind {
            VariableType::String => FieldKind::Text,
            VariableType::Number => FieldKind::Number,
            VariableType::Boolean => FieldKind::Boolean,
            VariableType::Object => FieldKind::Object,
            VariableType::Array => FieldKind::List,
        }
    }

    /// The type of a suitable value.
    fn needed(value: &Json) -> FieldKind {
        match value {
            Json::Bool(_) => FieldKind::Boolean,
            Json::Object(_) => FieldKind::Object,
            Json::Array(_) => FieldKind::List,
            Json::Number(_) => FieldKind::Number,
            Json::String(_) => FieldKind::Text,
            Json::Null => FieldKind::Any,
        }
    }
}

impl FieldSource {
    /// The identifier in JSON output: `inputs`, `default`, `file`, `runtime`, `missing`.
    pub const fn id(&self) -> &'static str {
        match self {
            FieldSource::Inputs => "inputs",
            FieldSource::Default => "default",
            FieldSource::File(_) => "file",
            FieldSource::Runtime => "runtime",
            FieldSource::Missing => "missing",
        }
    }
}

/// The form of a case, by its index; without one, of no inputs at all. `problems` are those in that
/// case.
///
/// Cost: the placeholders, and the problems times the fields.
///
/// ```
/// use promptls_analysis::{Snapshot, inputs_form};
/// use promptls_resolver::{Dialect, FileId, Format, Inputs};
///
/// let inputs = Inputs::parse(r#"{"name": "Ada"}"#, Format::Json, FileId(1)).value.unwrap();
/// let snapshot = Snapshot::new(Dialect::Adk, "{name} of {city}").with_case("default", inputs);
/// let form = inputs_form(&snapshot, Some(0), &[]);
/// let values = form.fields.iter().map(|field| (&*field.path, field.value.is_some()));
/// assert_eq!(values.collect::<Vec<_>>(), [("name", true), ("city", false)]);
/// ```
pub fn inputs_form(snapshot: &Snapshot, case: Option<usize>, problems: &[Problem]) -> InputsForm {
    let alone = snapshot.of_case(case);
    let nothing = Inputs::empty();
    let written = alone.cases.first().map(|case| &*case.inputs);
    let inputs = written.unwrap_or(&nothing);
    let given = &alone.given()[0];
    let whole = &*alone.with_parts();
    let reader = FormBuilder { snapshot: &alone, whole, inputs, given, needs: needs_of(whole) };
    let mut fields = reader.fields();
    reader.add_problems(problems, &mut fields);
    InputsForm { file: written.map(|inputs| inputs.file), fields }
}

/// A field that may still be removed.
struct Draft {
    keys: Vec<String>,
    path: String,
    used: bool,
    /// The prompt uses the value only in conditions.
    is_only_tested: bool,
}

struct FormBuilder<'s> {
    /// The snapshot with only this case.
    snapshot: &'s Snapshot,
    /// The same with the texts of other files.
    whole: &'s Snapshot,
    inputs: &'s Inputs,
    given: &'s ResolveContext<'s>,
    needs: Need,
}

impl FormBuilder<'_> {
    fn declarations(&self) -> &Declarations {
        self.given.declarations
    }

    fn dialect(&self) -> Dialect {
        self.snapshot.dialect()
    }

    fn fields(&self) -> Vec<Field> {
        let mut drafts: Vec<Draft> = Vec::new();
        let mut known: HashMap<Vec<String>, usize> = HashMap::new();
        each_path(self.whole, |name, path, kind| {
            let is_tested = kind == TokenKind::BlockOpen(BlockKind::If);
            for keys in self.keys_of(name, &path) {
                let index = *known.entry(keys.clone()).or_insert_with(|| {
                    let is_it = keys.as_slice() == [name] || is_same_path(&keys, &path);
                    let path = if is_it { name.to_owned() } else { shown(&keys) };
                    drafts.push(Draft { keys, path, used: true, is_only_tested: true });
                    drafts.len() - 1
                });
                drafts[index].is_only_tested &= is_tested;
            }
        });
        // An object used only in conditions needs no field if its members have fields.
        let inner: Vec<Vec<String>> = known.into_keys().collect();
        drafts.retain(|draft| {
            let is_inside = |other: &Vec<String>| {
                other.len() > draft.keys.len() && other.starts_with(&draft.keys)
            };
            !(draft.is_only_tested && inner.iter().any(is_inside))
        });
        let holes = self
            .snapshot
            .holes()
            .iter()
            .filter(|hole| hole.text.is_none() || self.inputs.root.get(&hole.key()).is_some());
        for hole in holes {
            let keys = vec![hole.key()];
            if !drafts.iter().any(|draft| draft.keys == keys) {
                let path = hole.expression().to_owned();
                drafts.push(Draft { keys, path, used: true, is_only_tested: false });
            }
        }
        let names = self.declarations().variables.iter().map(|variable| &*variable.name);
        let keys = self.inputs.root.entries().iter().map(|entry| &*entry.key);
        for name in names.chain(keys.filter(|key| !is_for_tools(key))) {
            if !drafts.iter().any(|draft| draft.keys[0] == *name) {
                let keys = vec![name.to_owned()];
                let path = name.to_owned();
                drafts.push(Draft { keys, path, used: false, is_only_tested: false });
            }
        }
        drafts.into_iter().map(|draft| self.field(draft)).collect()
    }

    /// The keys of the fields for a path.
    fn keys_of(&self, name: &str, path: &[PathStep]) -> Vec<Vec<String>> {
        let root = &self.inputs.root;
        if let Some(outputs) = advice(self.dialect()).outputs()
            && path.len() > 1
        {
            return outputs.fields(path, self.given, &self.needs);
        }
        if self.dialect().spec().whole_path_keys && path.len() > 1 && root.get(name).is_some() {
            return vec![vec![name.to_owned()]];
        }
        let mut keys = Vec::new();
        // Missing objects will be created.
        let mut here = Some(Here::Object(root));
        for step in path {
            let next = match (step, here) {
                (PathStep::Key(key), None) => Some((key.clone(), None)),
                (PathStep::Key(key), Some(here)) => {
                    here.object().map(|object| (key.clone(), object.get(key)))
                }
                (PathStep::Index(index), Some(Here::Value(value))) => {
                    let item = value.as_list().and_then(|items| items.get(*index));
                    keys.extend(item.map(|_| index.to_string()));
                    here = item.map(Here::Value);
                    if item.is_none() {
                        break;
                    }
                    continue;
                }
                // All items of a list, or a missing item, are edited as the whole list.
                _ => None,
            };
            let Some((key, entry)) = next else { break };
            keys.push(key);
            here = entry.map(|it| &it.value).filter(|it| !it.is_null()).map(Here::Value);
        }
        vec![keys]
    }

    /// The value at some keys of the inputs file, and the range of its entry.
    fn written(&self, keys: &[String]) -> Option<(&Value, Range<usize>)> {
        let mut here = Here::Object(&self.inputs.root);
        let mut start = 0;
        for key in keys {
            let value = match here {
                Here::Value(Value { kind: ValueKind::List(items), .. }) => {
                    let item = items.get(key.parse::<usize>().ok()?)?;
                    start = item.span.start;
                    item
                }
                here => {
                    let entry = here.object()?.get(key)?;
                    start = entry.key_span.start;
                    &entry.value
                }
            };
            here = Here::Value(value);
        }
        match here {
            Here::Value(value) => Some((value, start as usize..value.span.range().end)),
            Here::Object(_) => None,
        }
    }

    /// The effective default at some keys.
    fn default(&self, keys: &[String]) -> Option<&Value> {
        let (first, inner) = keys.split_first()?;
        let is_given = self.inputs.root.get(first).is_some_and(|entry| !entry.value.is_null());
        if is_given || !self.dialect().spec().declarations {
            return None;
        }
        let default = self.declarations().variable(first)?.default.as_ref()?;
        let found = inner
            .iter()
            .try_fold(default, |value, key| Some(&value.as_object()?.get(key)?.value))?;
        (!found.is_null()).then_some(found)
    }

    fn field(&self, draft: Draft) -> Field {
        let Draft { keys, path, used, .. } = draft;
        // The declaration of a whole value does not describe its members.
        let declared = self.declarations().variable(&keys[0]).filter(|_| keys.len() == 1);
        let written = self.written(&keys).map(|(value, _)| value);
        let default = self.default(&keys);
        let location = |file, value: &Value| Location { file, range: value.span.range() };
        let at = |value: &Value| Some(location(self.inputs.file, value));
        let is_required = declared.is_some_and(|variable| variable.required);
        let (source, value, place) = match (written, default) {
            (Some(value), None) => {
                // Some engines treat null as a missing value.
                let spec = self.dialect().spec();
                let is_nothing =
                    value.is_null() && (spec.null_is_missing || is_required && spec.declarations);
                let source = match &value.kind {
                    ValueKind::File(file) => FieldSource::File(file.path.to_string()),
                    _ if is_nothing => FieldSource::Missing,
                    _ => FieldSource::Inputs,
                };
                (source, Some(value).filter(|_| !is_nothing), at(value))
            }
            (_, Some(default)) => {
                let place = location(self.declarations().file, default);
                (FieldSource::Default, Some(default), Some(place))
            }
            (None, None) if self.is_hole(&keys) || self.is_supplied(&keys[0], &path) => {
                (FieldSource::Runtime, None, None)
            }
            (None, None) => (FieldSource::Missing, None, None),
        };
        let allowed = declared.and_then(|variable| variable.rules.allowed.as_ref());
        let allowed = allowed.map(|rule| &rule.value[..]).unwrap_or_default();
        let of_declaration = || {
            let variable = declared?;
            let kinds: Vec<_> = allowed.iter().map(FieldKind::of).collect();
            let of_allowed = kinds.first().copied().flatten();
            let of_allowed = of_allowed.filter(|kind| kinds.iter().all(|it| *it == Some(*kind)));
            variable.declared_type.map(FieldKind::declared).or(of_allowed)
        };
        let of_sample = || {
            let variable = declared?;
            FieldKind::of(variable.default.as_ref().or(variable.example.as_ref())?)
        };
        let kind = of_declaration()
            .or_else(|| value.and_then(FieldKind::of))
            .or_else(of_sample)
            .or_else(|| self.is_hole(&keys).then_some(FieldKind::Text))
            .or_else(|| self.needs.value_at(&keys).as_ref().map(FieldKind::needed));
        Field {
            kind: kind.unwrap_or(FieldKind::Any),
            value: value.and_then(as_json),
            source,
            location: place,
            options: allowed.iter().filter_map(as_json).collect(),
            description: declared.and_then(|it| it.description.as_deref()).map(str::to_owned),
            rules: declared.map(|variable| demands(&variable.rules)).unwrap_or_default(),
            required: is_required,
            used,
            problems: Vec::new(),
            keys,
            path,
        }
    }

    /// Returns whether keys are those of a part that the program computes.
    fn is_hole(&self, keys: &[String]) -> bool {
        matches!(keys, [key] if self.snapshot.holes_of(key).next().is_some())
    }

    /// Returns whether the application or the engine supplies the value.
    fn is_supplied(&self, first: &str, path: &str) -> bool {
        let runtime = &self.snapshot.settings.runtime;
        runtime.contains(first) || runtime.contains(path) || self.dialect().injects(first)
    }

    /// Adds problems to the fields that they refer to, without duplicates.
    fn add_problems(&self, problems: &[Problem], fields: &mut [Field]) {
        for problem in problems {
            let Some(field) = self.field_of(problem, fields) else { continue };
            let report = (problem.severity, problem.message.clone());
            if !fields[field].problems.contains(&report) {
                fields[field].problems.push(report);
            }
        }
    }

    /// The index of the field that a problem refers to.
    fn field_of(&self, problem: &Problem, fields: &[Field]) -> Option<usize> {
        let is_of_value = matches!(
            problem.code,
            Code::UndefinedPlaceholder
                | Code::UnusedInput
                | Code::UndeclaredVariable
                | Code::UnusedVariable
                | Code::TypeMismatch
                | Code::InvalidValue
                | Code::InvalidDeclaration
                | Code::InvalidInputs
                | Code::UnreadableFile
                | Code::DuplicateKey
                | Code::ValueReresolved
        );
        if !is_of_value {
            return None;
        }
        let Location { file, range } = &problem.location;
        if *file == FileId::PROMPT {
            // A problem at a text of another file is about a name in it.
            let Some(found) = self.snapshot.token_at(range.start) else {
                let is_it = |field: &Field| problem.names.contains(&field.path);
                return fields.iter().position(is_it);
            };
            let path = match symbol_of(self.snapshot, found.scope, found.name) {
                Symbol::Value(path) => path,
                // The problem also refers to the name that the fragment needs.
                Symbol::Fragment(_) => {
                    let is_needed =
                        |field: &Field| field.used && problem.names.contains(&field.path);
                    return fields.iter().position(is_needed);
                }
            };
            let keys = self.keys_of(found.name, &path).into_iter().next()?;
            let exact = fields.iter().position(|field| field.keys == keys);
            let inside = || fields.iter().position(|field| field.keys.starts_with(&keys));
            return exact.or_else(inside);
        }
        if *file == self.inputs.file {
            let is_here = |field: &Field| match self.written(&field.keys) {
                // For a file that cannot be read, the locations refer to its previous text.
                Some((value, _)) if problem.code.is_unusable_file() => value.span.range() == *range,
                Some((_, extent)) => extent.contains(&range.start),
                None => false,
            };
            let here = fields.iter().enumerate().filter(|(_, field)| is_here(field));
            return here.max_by_key(|(_, field)| field.keys.len()).map(|(index, _)| index);
        }
        let name = problem.names.first()?;
        let first = root(self.dialect(), name);
        fields
            .iter()
            .position(|field| field.path == *name)
            .or_else(|| fields.iter().position(|field| field.keys[0] == first))
    }
}

/// The present position on the way to a value.
#[derive(Clone, Copy)]
enum Here<'v> {
    Object(&'v Object),
    Value(&'v Value),
}

impl<'v> Here<'v> {
    fn object(self) -> Option<&'v Object> {
        match self {
            Here::Object(object) => Some(object),
            Here::Value(value) => value.as_object(),
        }
    }
}

fn as_json(value: &Value) -> Option<Json> {
    match value.as_text() {
        Some(text) => Some(text.into()),
        None => serde_json::from_str(&value.to_json()).ok(),
    }
}

fn is_same_path(keys: &[String], path: &[PathStep]) -> bool {
    let is_same = |(key, step): (&String, &PathStep)| match step {
        PathStep::Key(other) => key == other,
        PathStep::Index(index) => *key == index.to_string(),
        PathStep::Item => false,
    };
    keys.len() == path.len() && keys.iter().zip(path).all(is_same)
}

/// Keys as a path, with brackets around indexes.
fn shown(keys: &[String]) -> String {
    keys.iter().enumerate().fold(String::new(), |path, (index, key)| match index {
        0 => key.clone(),
        _ if key.parse::<usize>().is_ok() => format!("{path}[{key}]"),
        _ => format!("{path}.{key}"),
    })
}

#[cfg(test)]
mod tests;
