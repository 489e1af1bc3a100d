//! Fixes for names without a value or a declaration.

use std::cell::{OnceCell, RefCell};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use promptls_resolver::{
    Code, FileId, Location, Problem, Template, ValueKind, VariableType, effective_name, root,
};
use promptls_syntax::{PathStyle, ScopeId, TokenKind, TokenRef};
use serde_json::{Value as Json, json};

use super::action::{Change, CodeAction, ConfigChange, NewFile};
use super::braces;
use super::files::{has_declarations_file, new_case};
use super::fix::{Fix, first_name, preferring_first, replace, replaced_token, token_of};
use super::id::{ActionId, ActionName};
use crate::declarable::{is_undeclared, names_to_declare};
use crate::diagnose::names_read;
use crate::dialects::format::{NestedField, nested_field_at};
use crate::file_edit::FileEdit;
use crate::sample;
use crate::skeleton::skeleton_value;
use crate::snapshot::{Case, Snapshot};
use crate::suggest::{is_slip, nearest};
use crate::symbol::{
    DeadEnd, FirstNames, PathStep, Symbol, dead_end, first_keys_read, flat_key, follow, is_object,
    null_at, object_path, references_in_prompt, symbol_of,
};

/// The maximum number of cases that are offered individually.
const MAX_CASES: usize = 5;

/// The maximum number of names that are offered in a single action.
const MAX_NAMES: usize = 100;

/// Creates the inputs file of the default case.
pub(super) fn create_inputs() -> Fix {
    let title = "Create the inputs file";
    Fix::of(ActionName::CreateInputs, title, Change::Create(NewFile::Inputs))
}

/// The fixes for a name without a value. `problems` are all problems of the prompt: others may have
/// the same cause.
pub(super) fn undefined(snapshot: &Snapshot, problem: &Problem, problems: &[Problem]) -> Vec<Fix> {
    let Some(found) = token_of(snapshot, problem) else {
        return required_elsewhere(snapshot, problem);
    };
    let place = &problem.location.range;
    let nested = nested_field_at(snapshot, &found, place.start);
    if let Some(field) = nested.filter(|field| field.range == *place) {
        return undefined_in_specification(snapshot, problem, &field);
    }
    let symbol = symbol_of(snapshot, found.scope, found.name);
    let path = match symbol {
        Symbol::Value(path) => path,
        Symbol::Fragment(fragment) => return needed_by_fragment(snapshot, problem, fragment),
    };
    let mut fixes: Vec<Fix> = as_object(snapshot, found.name).into_iter().collect();
    let names = MeantNames::new(1);
    fixes.extend(did_you_mean(snapshot, &found, Correct::Everywhere, &names));
    // The name that the engine reads from an escape in braces was not intended.
    if effective_name(snapshot.engine(), found.name) == found.name {
        fixes.extend(add_to_cases(snapshot, problem, &path, found.name));
        fixes.extend(add_all_missing(snapshot, problems));
    }
    if snapshot.cases.is_empty() {
        fixes.push(create_inputs());
    }
    if let Some(mark) = snapshot.dialect().spec().optional_mark
        && found.token.kind == TokenKind::Placeholder
    {
        let end = problem.location.range.end;
        let title = format!("Make `{}` optional", found.name);
        let id = ActionId::new(ActionName::MakeOptional, found.name);
        fixes.push(Fix::of(id, title, replace(FileId::PROMPT, end..end, mark)));
    }
    fixes.extend(first_name(snapshot, problem).and_then(|name| mark_runtime(snapshot, name)));
    fixes.extend(braces::literal(snapshot, problem));
    preferring_first(fixes)
}

/// The fixes for a name without a value in a format specification.
fn undefined_in_specification(
    snapshot: &Snapshot,
    problem: &Problem,
    field: &NestedField,
) -> Vec<Fix> {
    let known = snapshot.cases.iter().flat_map(|case| case.inputs.root.entries());
    let meant = nearest(&field.name, known.map(|entry| &*entry.key)).map(|meant| {
        let change = replace(FileId::PROMPT, field.range.clone(), meant);
        let id = ActionId::new(ActionName::Change, meant);
        Fix::of(id, format!("Change to `{meant}`"), change)
    });
    let mut fixes: Vec<Fix> = meant.into_iter().collect();
    if let Symbol::Value(path) = symbol_of(snapshot, field.scope, &field.name) {
        fixes.extend(add_to_cases(snapshot, problem, &path, &field.name));
    }
    if snapshot.cases.is_empty() {
        fixes.push(create_inputs());
    }
    preferring_first(fixes)
}

/// The first name without a value that a fragment needs, directly or indirectly.
fn needed_by_fragment(snapshot: &Snapshot, problem: &Problem, fragment: String) -> Vec<Fix> {
    let declarations = &snapshot.declarations;
    let mut fragments = vec![fragment];
    let mut done = 0;
    while let Some(fragment) = fragments.get(done) {
        let found = declarations.fragment(fragment);
        done += 1;
        let Some(fragment) = found else { continue };
        for name in Template::compile(snapshot.engine(), &fragment.text).path_names() {
            let first = root(snapshot.dialect(), name);
            let has_default =
                declarations.variable(first).is_some_and(|variable| variable.default.is_some());
            match symbol_of(snapshot, ScopeId::ROOT, name) {
                Symbol::Fragment(inner) if !fragments.contains(&inner) => fragments.push(inner),
                Symbol::Value(path) if !has_default && !snapshot.dialect().injects(first) => {
                    let mut fixes = add_to_cases(snapshot, problem, &path, name);
                    if !fixes.is_empty() {
                        fixes.extend(mark_runtime(snapshot, first));
                        return preferring_first(fixes);
                    }
                }
                _ => {}
            }
        }
    }
    Vec::new()
}

pub(super) fn undeclared(snapshot: &Snapshot, problem: &Problem) -> Vec<Fix> {
    let Some(name) = first_name(snapshot, problem) else { return Vec::new() };
    let known = snapshot.declarations.variables.iter().map(|variable| &*variable.name);
    let mut fixes = Vec::new();
    if let Some(meant) = nearest(name, known) {
        let place = problem.location.range.clone();
        let range = place.start..place.start + name.len();
        if snapshot.slice(range.clone()) == name {
            let change = replace(FileId::PROMPT, range, meant);
            let id = ActionId::new(ActionName::Change, meant);
            fixes.push(Fix::of(id, format!("Change to `{meant}`"), change));
        }
    }
    fixes.push(declare(snapshot, name));
    fixes.extend(declare_all(snapshot));
    fixes.extend(mark_runtime(snapshot, name));
    preferring_first(fixes)
}

/// Declares all undeclared names, if there are several.
fn declare_all(snapshot: &Snapshot) -> Option<Fix> {
    let runtime = &snapshot.settings.runtime;
    let names = names_to_declare(snapshot);
    let names = names.into_iter().filter(|name| !runtime.contains(*name));
    let changes: Vec<Change> = names.flat_map(|name| declare(snapshot, name).changes).collect();
    let id = ActionId::new(ActionName::DeclareAll, changes.len().to_string());
    let title = format!("Declare all {} undeclared names", changes.len());
    (changes.len() > 1).then(|| Fix::of_all(id, title, changes))
}

pub(super) fn unknown_fragment(snapshot: &Snapshot, problem: &Problem) -> Vec<Fix> {
    let Some(found) = token_of(snapshot, problem) else { return Vec::new() };
    let fragment = snapshot.fragment_name(found.name);
    let Some(name) = fragment else { return Vec::new() };
    let names = MeantNames::new(1);
    let mut fixes = did_you_mean(snapshot, &found, Correct::Everywhere, &names);
    if has_declarations_file(snapshot) {
        let change = Change::DefineFragment(name.to_owned());
        let id = ActionId::new(ActionName::AddFragment, name);
        fixes.push(Fix::of(id, format!("Add an empty fragment `{name}`"), change));
    }
    preferring_first(fixes)
}

/// The actions for a name without problems.
pub(super) fn refactorings(
    snapshot: &Snapshot,
    token: &TokenRef<'_>,
    case: Option<usize>,
) -> Vec<CodeAction> {
    if !token.token.kind.reads() {
        return Vec::new();
    }
    let mut offers = Vec::new();
    // A string without inputs has no problems, so no fix offers this.
    if snapshot.host.is_some() && snapshot.cases.is_empty() {
        offers.push(create_inputs());
    }
    if !has_declarations_file(snapshot) {
        let title = "Create the variables file";
        let create = |text| {
            let change = Change::Create(NewFile::Variables(text));
            Fix::of(ActionName::CreateVariables, title, change)
        };
        offers.extend(declarations_of_all(snapshot).map(create));
    } else if is_undeclared(snapshot, token.name) {
        offers.push(declare(snapshot, root(snapshot.dialect(), token.name)));
    }
    offers.extend(case.and_then(|case| new_case(snapshot, case)));
    offers.into_iter().map(Fix::refactoring).collect()
}

/// Cached results for all corrections in a snapshot.
pub(super) struct MeantNames {
    /// The number of names to correct.
    questions: usize,
    first_names: FirstNames,
    first_keys_read: OnceCell<HashSet<String>>,
    /// The intended name for a name in a scope.
    found: RefCell<HashMap<(ScopeId, String), Option<NameCorrection>>>,
}

/// The intended meaning of a misspelt name.
#[derive(Clone)]
struct NameCorrection {
    end: Rc<DeadEnd>,
    /// The key that replaces the misspelt step.
    key: String,
    /// The result of [`is_certain`] for this correction.
    is_certain: bool,
}

impl MeantNames {
    pub fn new(questions: usize) -> Self {
        MeantNames {
            questions,
            first_names: FirstNames::default(),
            first_keys_read: OnceCell::new(),
            found: RefCell::default(),
        }
    }

    /// The intended name for a token. Cost: the known names, and for a path the distinct uses;
    /// nothing for a repeated name.
    fn meant(&self, snapshot: &Snapshot, found: &TokenRef<'_>) -> Option<NameCorrection> {
        let name = (found.scope, found.name.to_owned());
        if let Some(known) = self.found.borrow().get(&name) {
            return known.clone();
        }
        let end = dead_end(snapshot, found.scope, found.name, &self.first_names);
        let meant = end.and_then(|end| {
            let key = end.nearest(self.questions)?.to_owned();
            let is_certain = is_certain(snapshot, &end, &key, self);
            Some(NameCorrection { end: Rc::new(end), key, is_certain })
        });
        self.found.borrow_mut().insert(name, meant.clone());
        meant
    }
}

/// The correction of a name without a value.
pub(super) fn correction(snapshot: &Snapshot, problem: &Problem, names: &MeantNames) -> Vec<Fix> {
    let found = token_of(snapshot, problem);
    found.map(|found| did_you_mean(snapshot, &found, Correct::Here, names)).unwrap_or_default()
}

/// The scope of a correction.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Correct {
    Here,
    /// The requested position, or all positions.
    Everywhere,
}

/// Converts keys that are written as a path to objects, in all cases.
fn as_object(snapshot: &Snapshot, name: &str) -> Option<Fix> {
    let path = object_path(snapshot.dialect(), name)?;
    let steps: Vec<PathStep> = path.iter().cloned().map(PathStep::Key).collect();
    let nest = |case: usize| {
        let at = flat_key(snapshot, case, name)?.key_span.start as usize;
        // Another value may be in its way.
        let found = follow(snapshot, case, &steps).steps;
        if !is_object(snapshot, case, steps.get(..found).filter(|_| found < steps.len())?) {
            return None;
        }
        let file = snapshot.cases[case].inputs.file;
        Some(Change::File(file, FileEdit::Nest { at, path: path.clone() }))
    };
    let changes: Vec<_> = (0..snapshot.cases.len()).filter_map(nest).collect();
    let title = format!("Write the key `{name}` as an object");
    let id = ActionId::new(ActionName::NestKey, name);
    (!changes.is_empty()).then(|| Fix::of_all(id, title, changes))
}

/// Replaces the wrong step of a path by a similar valid one: at this position, and wherever the
/// prompt contains that step.
fn did_you_mean(
    snapshot: &Snapshot,
    found: &TokenRef<'_>,
    scope: Correct,
    names: &MeantNames,
) -> Vec<Fix> {
    let Some(NameCorrection { end, key, is_certain }) = names.meant(snapshot, found) else {
        return Vec::new();
    };
    let meant = &*key;
    let name = end.with(found.name, meant);
    let place = snapshot.name_range(found);
    let range = place.start + end.piece.start..place.start + end.piece.end;
    // A key may have a form that no name of this dialect has.
    let token = found.token.range();
    let before = snapshot.slice(token.start..range.start);
    let after = snapshot.slice(range.end..token.end);
    let changed = replaced_token(snapshot, &token, &format!("{before}{meant}{after}"));
    if changed.is_none_or(|changed| changed.kind != found.token.kind) {
        return Vec::new();
    }
    let change = |place| replace(FileId::PROMPT, place, meant);
    let id = ActionId::new(ActionName::Change, &*name);
    let here = Fix::of(id, format!("Change to `{name}`"), change(range));
    let here = Fix { is_safe: is_certain, ..here };
    if scope == Correct::Here {
        return vec![here];
    }
    let mut fixes = vec![here];
    let is_it = |place: &Location| snapshot.slice(place.range.clone()) == end.written;
    let places = references_in_prompt(snapshot, &end.symbol).into_iter().filter(is_it);
    let all: Vec<_> = places.map(|place| change(place.range)).collect();
    if all.len() > 1 {
        let count = all.len().to_string();
        let id = ActionId::of_parts(ActionName::ChangeAll, [&count, &end.written, meant]);
        let title = format!("Change all {count} `{}` to `{meant}`", end.written);
        fixes.push(Fix::of_all(id, title, all));
    }
    fixes.extend(rename_key(snapshot, &end, meant));
    fixes
}

/// The reverse correction: renames an unused key to the name in the prompt.
fn rename_key(snapshot: &Snapshot, end: &DeadEnd, meant: &str) -> Option<Fix> {
    let is_first = matches!(&end.symbol, Symbol::Value(path) if path.len() == 1);
    if !is_first
        || snapshot.cases.iter().any(Case::is_shared)
        || names_read(snapshot).contains(meant)
    {
        return None;
    }
    let keys = snapshot.cases.iter().filter_map(|case| {
        let key = case.inputs.root.get(meant)?.key_span.range();
        Some(Change::File(case.inputs.file, FileEdit::Rename { key, name: end.written.clone() }))
    });
    let changes: Vec<_> = keys.collect();
    let id = ActionId::of_parts(ActionName::RenameKeyInCases, [meant, &end.written]);
    let title = format!("Rename the key `{meant}` to `{}`", end.written);
    (!changes.is_empty()).then(|| Fix::of_all(id, title, changes))
}

/// Returns whether a misspelt step has only one possible correction. It must be a typing slip of
/// exactly one key, which every case has, and which the prompt or the declarations also name.
fn is_certain(snapshot: &Snapshot, end: &DeadEnd, meant: &str, names: &MeantNames) -> bool {
    let Symbol::Value(path) = &end.symbol else { return false };
    let mut right = path.clone();
    right.pop();
    right.push(PathStep::Key(meant.to_owned()));
    let is_declared = right.len() == 1 && snapshot.declarations.variable(meant).is_some();
    let is_in_case = |case| follow(snapshot, case, &right).steps == right.len();
    let is_read = || match right.len() {
        1 => names.first_keys_read.get_or_init(|| first_keys_read(snapshot)).contains(meant),
        _ => !references_in_prompt(snapshot, &Symbol::Value(right.clone())).is_empty(),
    };
    is_slip(&end.written, meant)
        && end.known.count_slips(&end.written) == 1
        && !snapshot.cases.is_empty()
        && (0..snapshot.cases.len()).all(is_in_case)
        && (is_declared || is_read())
}

/// Adds a missing value to all cases without it, or to one of them.
fn add_to_cases(snapshot: &Snapshot, problem: &Problem, path: &[PathStep], name: &str) -> Vec<Fix> {
    let additions = additions(snapshot, problem, path, name);
    let mut fixes = Vec::new();
    if additions.len() > 1 {
        let which = match additions.len() == snapshot.cases.len() {
            true => "",
            false => " without it",
        };
        let changes = additions.iter().cloned().map(|(file, edit)| Change::File(file, edit));
        let title = match additions.len() {
            2 if which.is_empty() => format!("Add `{name}` to both cases"),
            count => format!("Add `{name}` to all {count} cases{which}"),
        };
        let parts = [name, &additions.len().to_string(), which];
        let id = ActionId::of_parts(ActionName::AddValueToCases, parts);
        fixes.push(Fix::of_all(id, title, changes.collect()));
    }
    fixes.extend(additions.into_iter().take(MAX_CASES).map(|(file, edit)| {
        let file_name = snapshot.file_name(file);
        let id = ActionId::of_parts(ActionName::AddValue, [name, file_name]);
        Fix::of(id, format!("Add `{name}` to {file_name}"), Change::File(file, edit))
    }));
    fixes
}

/// The edits that give a path a value in each case without one.
fn additions(
    snapshot: &Snapshot,
    problem: &Problem,
    path: &[PathStep],
    name: &str,
) -> Vec<(FileId, FileEdit)> {
    // Null counts as missing only if the problem refers to it.
    let is_no_value = |case: usize| {
        null_at(snapshot, case, path)
            .is_some_and(|null| problem.related.iter().any(|related| related.location == null))
    };
    (0..snapshot.cases.len())
        .filter_map(|case| {
            let steps = match is_no_value(case) {
                true => path.len() - 1,
                false => follow(snapshot, case, path).steps,
            };
            let insert = insertion(snapshot, case, path, steps, name)?;
            Some((snapshot.cases[case].inputs.file, insert))
        })
        .collect()
}

/// Adds the values of all names without one, in all cases, if there are several names. Authors
/// often write names first, and values later. Names that look misspelt are excluded.
fn add_all_missing(snapshot: &Snapshot, problems: &[Problem]) -> Option<Fix> {
    let mut names: Vec<&str> = Vec::new();
    let mut all: Vec<(FileId, FileEdit)> = Vec::new();
    let first_names = FirstNames::default();
    for problem in problems.iter().filter(|it| it.code == Code::UndefinedPlaceholder) {
        let Some(found) = token_of(snapshot, problem) else { continue };
        let Symbol::Value(path) = symbol_of(snapshot, found.scope, found.name) else { continue };
        let is_misspelt = || {
            let end = dead_end(snapshot, found.scope, found.name, &first_names);
            end.is_some_and(|end| end.nearest(1).is_some())
                || effective_name(snapshot.engine(), found.name) != found.name
        };
        if names.contains(&found.name) || is_misspelt() {
            continue;
        }
        let more = additions(snapshot, problem, &path, found.name);
        if more.is_empty() {
            continue;
        }
        names.push(found.name);
        if names.len() > MAX_NAMES {
            return None;
        }
        // A parent of two names is created once, with both.
        let is_new = |addition: &(FileId, FileEdit)| !all.contains(addition);
        all.extend(more.into_iter().filter(is_new).collect::<Vec<_>>());
    }
    let which = match names.len() {
        2 => "both".to_owned(),
        count => format!("all {count}"),
    };
    let place = match &snapshot.cases[..] {
        [only] => snapshot.file_name(only.inputs.file),
        _ => "the cases without them",
    };
    let title = format!("Add {which} missing names to {place}");
    let changes = all.into_iter().map(|(file, edit)| Change::File(file, edit)).collect();
    let id = ActionId::of_parts(ActionName::AddMissingValues, [&which, place]);
    (names.len() > 1).then(|| Fix::of_all(id, title, changes))
}

/// The edit that gives a path a value in a case in which only some of its steps exist. `None` if
/// all exist, or if one new key is not sufficient.
fn insertion(
    snapshot: &Snapshot,
    case: usize,
    path: &[PathStep],
    steps: usize,
    name: &str,
) -> Option<FileEdit> {
    let keys: Vec<String> = path
        .get(..=steps)?
        .iter()
        .map(|step| match step {
            PathStep::Key(key) => Some(key.clone()),
            PathStep::Index(_) | PathStep::Item => None,
        })
        .collect::<Option<_>>()?;
    if !is_object(snapshot, case, &path[..steps]) {
        return None;
    }
    // The value of the first name determines its members.
    let whole: Json = serde_json::from_str(&skeleton_value(snapshot, name)).ok()?;
    let inner = keys[1..].iter().try_fold(&whole, |value, key| value.get(key));
    let value = match inner {
        Some(value) => value.to_string(),
        // A step that stands for all outputs is not a key.
        None if snapshot.dialect().spec().paths == PathStyle::Outputs => return None,
        None => Json::from(sample::text(&keys.join("."))).to_string(),
    };
    Some(FileEdit::Insert { path: keys, value })
}

/// Fixes for a required variable that the prompt does not use, with the problem at its declaration.
fn required_elsewhere(snapshot: &Snapshot, problem: &Problem) -> Vec<Fix> {
    let declarations = &snapshot.declarations;
    let Some(variable) = problem.names.first().and_then(|name| declarations.variable(name)) else {
        return Vec::new();
    };
    if problem.location.file != declarations.file {
        return Vec::new();
    }
    let path = [PathStep::Key(variable.name.to_string())];
    let mut fixes = add_to_cases(snapshot, problem, &path, &variable.name);
    let remove = FileEdit::Remove { at: variable.span.start as usize };
    let title = format!("Remove the declaration of `{}`", variable.name);
    let id = ActionId::new(ActionName::RemoveDeclaration, &*variable.name);
    fixes.push(Fix::of(id, title, Change::File(declarations.file, remove)));
    preferring_first(fixes)
}

fn mark_runtime(snapshot: &Snapshot, name: &str) -> Option<Fix> {
    // A text that cannot be a name is not supplied at run time.
    let dialect = snapshot.dialect();
    let is_name = effective_name(snapshot.engine(), name) == name
        && !name.contains(['{', '}'])
        && dialect.spec().item != Some(name);
    let title = format!("Mark `{name}` as supplied at run time, in promptls.toml");
    let id = ActionId::new(ActionName::MarkRuntime, name);
    is_name.then(|| Fix::of(id, title, Change::Config(ConfigChange::Runtime(name.to_owned()))))
}

fn declare(snapshot: &Snapshot, name: &str) -> Fix {
    let declaration = declaration(snapshot, name);
    let kind = declaration["type"].as_str();
    let id = ActionId::of_parts(ActionName::Declare, [name, kind.unwrap_or_default()]);
    let title = match kind {
        Some(kind @ ("array" | "object")) => format!("Declare `{name}` as an {kind}"),
        Some(kind) => format!("Declare `{name}` as a {kind}"),
        None => format!("Declare `{name}`"),
    };
    Fix::of(id, title, Change::Declare(declaration.to_string()))
}

/// A declaration with the type of the values, or else of the type that the prompt needs. Without a
/// type if the cases disagree.
fn declaration(snapshot: &Snapshot, name: &str) -> Json {
    let values = snapshot.cases.iter().filter_map(|case| case.inputs.root.get(name));
    let mut types: Vec<VariableType> =
        values.filter_map(|entry| type_of(&entry.value.kind)).collect();
    types.sort();
    types.dedup();
    let found = match types[..] {
        [only] => Some(only),
        [] => Some(needed_type(snapshot, name)),
        _ => None,
    };
    match found {
        Some(found) => json!({"name": name, "type": found.id()}),
        None => json!({"name": name}),
    }
}

fn needed_type(snapshot: &Snapshot, name: &str) -> VariableType {
    match serde_json::from_str(&skeleton_value(snapshot, name)) {
        Ok(Json::Object(_)) => VariableType::Object,
        Ok(Json::Array(_)) => VariableType::Array,
        Ok(Json::Bool(_)) => VariableType::Boolean,
        Ok(Json::Number(_)) => VariableType::Number,
        _ => VariableType::String,
    }
}

fn type_of(kind: &ValueKind) -> Option<VariableType> {
    match kind {
        ValueKind::Null => None,
        ValueKind::Bool(_) => Some(VariableType::Boolean),
        ValueKind::Number(_) => Some(VariableType::Number),
        ValueKind::String(_) | ValueKind::File(_) => Some(VariableType::String),
        ValueKind::List(_) => Some(VariableType::Array),
        ValueKind::Object(_) => Some(VariableType::Object),
    }
}

/// The text of a variables file that declares every name of the prompt; `None` without any.
fn declarations_of_all(snapshot: &Snapshot) -> Option<String> {
    let names = names_to_declare(snapshot);
    let variables: Vec<Json> = names.iter().map(|name| declaration(snapshot, name)).collect();
    (!variables.is_empty()).then(|| format!("{:#}\n", json!({ "variables": variables })))
}
