//! Validation of values: missing required ones, and violated rules.

use crate::declarations::Variable;
use crate::declarations::rules::{Failure, FailureKind};
use crate::findings::code::Code;
use crate::findings::problem::{FileId, Location};
use crate::resolve_context::ResolveContext;
use crate::values::ValueRef;

/// The value of a variable in a case, and its file; `None` if it is missing or null.
fn value_of<'a>(
    variable: &'a Variable,
    given: &ResolveContext<'a>,
) -> Option<(ValueRef<'a>, Option<FileId>)> {
    let found = given.values.get(&variable.name).filter(|value| !value.is_null());
    found.map(|value| (value, given.values.file())).or_else(|| {
        let default = variable.default.as_ref().filter(|value| !value.is_null());
        default.map(|value| (ValueRef::Value(value), Some(given.declarations.file)))
    })
}

/// The required variables without a value and without a default, in the order of declaration.
pub fn missing_required<'a>(given: &ResolveContext<'a>) -> Vec<&'a Variable> {
    let variables = given.declarations.variables.iter();
    let required = variables.filter(|variable| variable.required);
    required.filter(|variable| value_of(variable, given).is_none()).collect()
}

/// A value that an engine rejects for its variable, or a declaration that it rejects.
#[derive(Clone, Debug)]
pub struct BrokenRule<'a> {
    /// The variable whose value or declaration is rejected.
    pub variable: &'a Variable,
    /// The location of the value; the start of the prompt for a value that is in no file.
    pub location: Location,
    /// The violated rule, with the message.
    pub failure: Failure,
}

impl BrokenRule<'_> {
    /// The code of the corresponding problem.
    pub fn code(&self) -> Code {
        match self.failure.kind {
            FailureKind::Type => Code::TypeMismatch,
            FailureKind::Validation => Code::InvalidValue,
            FailureKind::Declaration => Code::InvalidDeclaration,
        }
    }
}

/// Every variable whose value violates its declaration, one failure each, in the order of
/// declaration.
pub fn broken_rules<'a>(given: &ResolveContext<'a>) -> Vec<BrokenRule<'a>> {
    let broken = given.declarations.variables.iter().filter_map(|variable| {
        let (value, file) = value_of(variable, given)?;
        let value = value.to_value();
        let failure = variable.check(&value)?;
        let nowhere = Location { file: FileId::PROMPT, range: 0..0 };
        let location = value.location(file).unwrap_or(nowhere);
        Some(BrokenRule { variable, location, failure })
    });
    broken.collect()
}
