//! PromptPack: declared variables with defaults, types and rules, and fragments.

use promptls_syntax::Dialect;

use crate::code::Code;
use crate::declarations::Variable;
use crate::engine_error::{EngineError, ErrorKind};
use crate::lookup::{Lookup, Outcome};
use crate::path::{Step, steps, walk};
use crate::problem::{FileId, Location, Problem};
use crate::resolve::{Found, Given};
use crate::rules::{Failure, FailureKind};
use crate::string_form::StringForm;
use crate::template::Template;
use crate::value::{Value, key_hash};

pub(crate) fn lookup<'a>(name: &str, root_hash: u64, given: &Given<'a>) -> Lookup<'a> {
    let declarations = given.declarations;
    if !declarations.fragments.is_empty() || name.starts_with("fragments.") {
        let fragment = name.strip_prefix("fragments.");
        if let Some(found) = declarations.fragment(fragment.unwrap_or(name)) {
            return Lookup::new(Outcome::Fragment(found), None);
        }
        if fragment.is_some() {
            return Lookup::MISSING;
        }
    }
    let root = &given.inputs.root;
    let file = given.inputs.file;
    let is_path = name.contains(['.', '[']);
    if is_path && let Some(entry) = root.get_hashed(name, || key_hash(name)) {
        if entry.value.is_null() {
            let location = Location { file, range: entry.value.span.range() };
            return Lookup::new(Outcome::Empty, Some(location));
        }
        return Lookup::value(&entry.value, StringForm::Json, file);
    }
    let mut rest = steps(Dialect::PromptPack, name);
    let Some(Step::Key(first)) = rest.next() else { return Lookup::MISSING };
    let entry = root.get_hashed(first, || root_hash);
    if let Some(entry) = entry
        && !entry.value.is_null()
    {
        return match walk(&entry.value, rest) {
            Some(value) if value.is_null() => {
                let location = Location { file, range: value.span.range() };
                Lookup::new(Outcome::Empty, Some(location))
            }
            Some(value) => Lookup::value(value, StringForm::Json, file),
            None => Lookup::MISSING,
        };
    }
    let variable = declarations.variable(first);
    if let Some(default) = variable.and_then(|variable| variable.default.as_ref())
        && !default.is_null()
    {
        return match walk(default, rest) {
            Some(value) if value.is_null() => Lookup::new(Outcome::Empty, None),
            Some(value) => Lookup::value(value, StringForm::Json, declarations.file),
            None => Lookup::MISSING,
        };
    }
    match entry {
        // Null, and no default: nothing, unless it is required or a path goes into it.
        Some(entry) if !is_path && !variable.is_some_and(|variable| variable.required) => {
            let location = Location { file, range: entry.value.span.range() };
            Lookup::new(Outcome::Empty, Some(location))
        }
        _ => Lookup::MISSING,
    }
}

/// The value that a variable has in a case, and the file it is written in; `None` if it has
/// none, or null.
pub(crate) fn value_of<'a>(
    variable: &'a Variable,
    given: &Given<'a>,
) -> Option<(&'a Value, FileId)> {
    let written = given.inputs.root.get(&variable.name).map(|entry| &entry.value);
    written.filter(|value| !value.is_null()).map(|value| (value, given.inputs.file)).or_else(|| {
        let default = variable.default.as_ref().filter(|value| !value.is_null());
        default.map(|value| (value, given.declarations.file))
    })
}

/// The required variables without a value and without a default, in the order of declaration.
pub fn missing_required<'a>(given: &Given<'a>) -> impl Iterator<Item = &'a Variable> {
    let given = *given;
    given
        .declarations
        .variables
        .iter()
        .filter(move |variable| variable.required && value_of(variable, &given).is_none())
}

/// A value that breaks the declaration of its variable.
#[derive(Clone, Debug)]
pub struct BrokenRule<'a> {
    /// The variable.
    pub variable: &'a Variable,
    /// Where the value is written.
    pub location: Location,
    /// Which rule, and how.
    pub failure: Failure,
}

impl BrokenRule<'_> {
    /// The code of the problem it is.
    pub fn code(&self) -> Code {
        match self.failure.kind {
            FailureKind::Type => Code::TypeMismatch,
            FailureKind::Validation => Code::InvalidValue,
        }
    }
}

/// Every variable whose value breaks its declaration, one failure each, in the order of
/// declaration.
pub fn broken_rules<'a>(given: &Given<'a>) -> impl Iterator<Item = BrokenRule<'a>> {
    let given = *given;
    given.declarations.variables.iter().filter_map(move |variable| {
        let (value, file) = value_of(variable, &given)?;
        let failure = variable.check(value)?;
        let location = Location { file, range: value.span.range() };
        Some(BrokenRule { variable, location, failure })
    })
}

pub(crate) struct Failures {
    pub problems: Vec<Problem>,
    pub error: Option<EngineError>,
}

/// What the engine checks once the placeholders are known.
pub(crate) fn failures(template: &Template<'_>, given: &Given<'_>, found: &Found) -> Failures {
    let mut missing = found.missing_names();
    let mut problems = Vec::new();
    for variable in missing_required(given) {
        let is_used = missing
            .iter()
            .any(|name| crate::path::root(template.dialect(), name) == &*variable.name);
        let is_listed = missing.iter().any(|name| *name == *variable.name);
        if !is_listed && !is_used {
            missing.push(variable.name.to_string());
            let location = Location { file: FileId::PROMPT, range: 0..0 };
            let message = format!("`{}` is required and has no value", variable.name);
            problems.push(
                Problem::new(Code::UndefinedPlaceholder, location, message).about(&*variable.name),
            );
        }
    }
    let mut error = (!missing.is_empty()).then(|| EngineError {
        kind: ErrorKind::Missing,
        message: format!("Missing variables: {}", missing.join(", ")),
        names: missing,
    });
    for broken in broken_rules(given) {
        error = error.or_else(|| {
            Some(EngineError {
                kind: match broken.failure.kind {
                    FailureKind::Type => ErrorKind::Type,
                    FailureKind::Validation => ErrorKind::Validation,
                },
                names: vec![broken.variable.name.to_string()],
                message: broken.failure.message.clone(),
            })
        });
        problems.push(
            Problem::new(broken.code(), broken.location.clone(), &*broken.failure.message)
                .about(&*broken.variable.name),
        );
    }
    Failures { problems, error }
}
