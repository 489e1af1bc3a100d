//! Values against their declarations: what is required and missing, and what breaks a rule.

use crate::declarations::Variable;
use crate::findings::code::Code;
use crate::findings::problem::{FileId, Location};
use crate::given::Given;
use crate::rules::{Failure, FailureKind};
use crate::values::ValueRef;

/// The value that a variable has in a case, and the file it is written in; `None` if it has
/// none, or null.
fn value_of<'a>(
    variable: &'a Variable,
    given: &Given<'a>,
) -> Option<(ValueRef<'a>, Option<FileId>)> {
    let found = given.values.get(&variable.name).filter(|value| !value.is_null());
    found.map(|value| (value, given.values.file())).or_else(|| {
        let default = variable.default.as_ref().filter(|value| !value.is_null());
        default.map(|value| (ValueRef::Value(value), Some(given.declarations.file)))
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
    /// Where the value is written; the start of the prompt for one that is in no file.
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
///
/// ```
/// use promptls_resolver::{Declarations, FileId, Format, Given, broken_rules};
///
/// let text = r#"{"variables": [{"name": "tone", "type": "string"}]}"#;
/// let declarations = Declarations::parse(text, Format::Json, FileId(1)).value.unwrap();
/// let values: promptls_resolver::Object = [("tone", 1)].into_iter().collect();
/// let given = Given::new(&values, &declarations);
/// let broken: Vec<_> = broken_rules(&given).map(|broken| broken.failure.to_string()).collect();
/// assert_eq!(broken.len(), 1, "{broken:?}");
/// ```
pub fn broken_rules<'a>(given: &Given<'a>) -> impl Iterator<Item = BrokenRule<'a>> {
    let given = *given;
    given.declarations.variables.iter().filter_map(move |variable| {
        let (value, file) = value_of(variable, &given)?;
        let value = value.to_value();
        let failure = variable.check(&value)?;
        let nowhere = Location { file: FileId::PROMPT, range: 0..0 };
        let location = value.location(file).unwrap_or(nowhere);
        Some(BrokenRule { variable, location, failure })
    })
}
