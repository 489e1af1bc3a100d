//! The rejection of a value by an engine that checks values.

use crate::declarations::Variable;
use crate::declarations::rules::{Failure, FailureKind};
use crate::findings::broken_rules::BrokenRule;
use crate::findings::code::Code;
use crate::findings::engine_error::{EngineError, ErrorKind};
use crate::findings::problem::{FileId, Location, Problem};
use crate::findings::run_findings::{MissingUse, unpredictable};
use crate::resolve_context::ResolveContext;
use crate::template::{Op, Template};
use promptls_data::Span;

/// A variable that an engine rejects, because of its value or its declaration.
pub(super) struct Refusal<'a> {
    pub variable: &'a Variable,
    pub kind: ErrorKind,
    /// The message of the engine.
    pub message: String,
    /// The location of the cause; the start of the prompt for a value that is in no file.
    pub location: Location,
}

/// The check of one variable.
pub(super) struct VariableCheck<'g, 'a> {
    pub variable: &'a Variable,
    pub given: &'g ResolveContext<'a>,
    /// `true` if it is undecided whether its value matches its pattern.
    pub is_undecided: bool,
}

impl<'a> VariableCheck<'_, 'a> {
    /// The refusal of its value, at a location.
    pub fn refused_value(
        &self,
        kind: ErrorKind,
        message: String,
        location: Option<Location>,
    ) -> Refusal<'a> {
        let nowhere = Location { file: FileId::PROMPT, range: 0..0 };
        let location = location.unwrap_or(nowhere);
        Refusal { variable: self.variable, kind, message, location }
    }

    /// The refusal of its declaration.
    pub fn refused_declaration(&self, kind: ErrorKind, message: String, span: Span) -> Refusal<'a> {
        let location = Location { file: self.given.declarations.file, range: span.range() };
        Refusal { variable: self.variable, kind, message, location }
    }
}

impl<'a> Refusal<'a> {
    /// The error that the engine raises.
    pub fn error(&self) -> EngineError {
        EngineError::new(self.kind, vec![self.variable.name.to_string()], self.message.clone())
    }

    /// The same as a broken rule of other engines; `None` if there is no value.
    fn broken_rule(self) -> Option<BrokenRule<'a>> {
        let kind = match self.kind {
            ErrorKind::Missing => return None,
            ErrorKind::Type => FailureKind::Type,
            ErrorKind::Declaration | ErrorKind::Engine => FailureKind::Declaration,
            ErrorKind::Validation | ErrorKind::Limit | ErrorKind::Unresolved => {
                FailureKind::Validation
            }
        };
        let failure = Failure { kind, message: self.message, rule_span: None };
        Some(BrokenRule { variable: self.variable, location: self.location, failure })
    }

    /// The refusal as a problem.
    pub fn problem(self) -> Problem {
        let code = match self.kind {
            ErrorKind::Missing => Code::UndefinedPlaceholder,
            ErrorKind::Type => Code::TypeMismatch,
            ErrorKind::Declaration | ErrorKind::Engine => Code::InvalidDeclaration,
            ErrorKind::Validation | ErrorKind::Limit | ErrorKind::Unresolved => Code::InvalidValue,
        };
        Problem::new(code, self.location, self.message).about(&*self.variable.name)
    }
}

/// The check of a variable by an engine.
pub(super) type Check = for<'a> fn(&mut VariableCheck<'_, 'a>) -> Option<Refusal<'a>>;

/// The results for all variables, in the order of declaration.
pub(super) struct ValueChecks<'a> {
    pub refusals: Vec<Refusal<'a>>,
    /// The variables for which it is undecided whether their values match their patterns.
    undecided: Vec<&'a Variable>,
}

impl<'a> ValueChecks<'a> {
    pub fn of(given: &ResolveContext<'a>, check: Check) -> ValueChecks<'a> {
        let mut checked = ValueChecks { refusals: Vec::new(), undecided: Vec::new() };
        for variable in &given.declarations.variables {
            let mut current = VariableCheck { variable, given, is_undecided: false };
            checked.refusals.extend(check(&mut current));
            if current.is_undecided {
                checked.undecided.push(variable);
            }
        }
        checked
    }

    /// The error that is raised for the first refusal.
    pub fn error(&self) -> Option<EngineError> {
        self.refusals.first().map(Refusal::error)
    }

    /// The variables without a value.
    pub fn missing(self) -> Vec<&'a Variable> {
        let refusals = self.refusals.into_iter();
        let missing = refusals.filter(|refusal| refusal.kind == ErrorKind::Missing);
        missing.map(|refusal| refusal.variable).collect()
    }

    /// The violated rules and rejected declarations; missing values are not included.
    pub fn broken(self) -> Vec<BrokenRule<'a>> {
        self.refusals.into_iter().filter_map(Refusal::broken_rule).collect()
    }

    /// All problems; a name without a value that is in `missing` is already reported there.
    pub fn problems(self, template: &Template<'_>, missing: &[MissingUse]) -> Vec<Problem> {
        let is_reported = |refusal: &Refusal<'_>| {
            let name = &*refusal.variable.name;
            refusal.kind == ErrorKind::Missing && missing.iter().any(|missing| missing.name == name)
        };
        let refusals = self.refusals.into_iter().filter(|refusal| !is_reported(refusal));
        let undecided = self.undecided.into_iter().map(|variable| {
            let range = template.ops.iter().find_map(|op| match op {
                Op::Slot { source, path, .. } => {
                    (*template.paths[*path].name == *variable.name).then(|| source.clone())
                }
                _ => None,
            });
            let location = Location { file: FileId::PROMPT, range: range.unwrap_or(0..0) };
            let message = unpredictable(&variable.name, UNDECIDED);
            Problem::new(Code::EngineUnpredictable, location, message).about(&*variable.name)
        });
        refusals.map(Refusal::problem).chain(undecided).collect()
    }
}

const UNDECIDED: &str = "whether it matches its pattern depends on the regular expressions of the engine's language, and promptls cannot evaluate this one";
