//! Python braces: fields as `str.format` of Python 3.11 prints them.
//!
//! Engine: CPython 3.10 and 3.13, which were executed for the test cases. Document: "Format String
//! Syntax" of the Python documentation.

use std::borrow::Cow;
use std::ops::Range;

use promptls_syntax::{Dialect, Field, FieldError, Grammar};

use crate::behaviour::{Behaviour, Facts, Method, Null};
use crate::findings::code::{Code, Severity};
use crate::findings::engine_error::{EngineError, ErrorKind};
use crate::findings::problem::{FileId, Location, Problem};
use crate::findings::run_findings::{too_long, unpredictable};
use crate::outcome::{Lookup, Outcome};
use crate::output::{Bounded, Mapped, Output, likely_len};
use crate::path;
use crate::python::attributes::PRINTED_ADDRESS;
use crate::python::formatter::{FieldFindings, Formatter, Kind, Target};
use crate::resolution::Resolution;
use crate::resolve_context::ResolveContext;
use crate::string_form::StringForm;
use crate::template::{ChatPart, Execution, Op, Template};
use crate::value::Value;

pub(crate) static DOCUMENTED: PythonBraces<Alone> = PythonBraces::new(Formatter::PYTHON, Alone);

/// The facts of all engines that print values as Python does.
pub(crate) const fn facts_of_python(grammar: Grammar) -> Facts {
    Facts {
        grammar,
        form: StringForm::PYTHON,
        null: Null::Text("None"),
        ..Facts::plain(Dialect::Format)
    }
}

/// An engine that prints fields as Python does, with its stages around that.
pub(crate) struct PythonBraces<S> {
    facts: Facts,
    formatter: Formatter,
    stages: S,
}

/// What an engine does before and after fields are printed.
pub(crate) trait Stages: Sync {
    /// `true` if the whole name must be a key, even if it has a path.
    const NEEDS_KEYS: bool = false;

    /// `true` if the text is sent as written.
    fn is_literal(&self, _: &ResolveContext<'_>) -> bool {
        false
    }

    /// The first error that is raised before any field is printed.
    fn refusal(&self, _: Execution<'_>) -> Option<Refusal> {
        None
    }

    /// The error for a chat before any of its messages is printed.
    fn chat_error(&self, _: &[ChatPart<'_, '_>], _: &ResolveContext<'_>) -> Option<EngineError> {
        None
    }

    /// The error for a value of the messages with a name in a chat.
    fn messages_error(&self, _name: &str, _value: &Value) -> Option<EngineError> {
        None
    }

    /// The message with which a field is refused, whatever the values are.
    fn refused_field(&self, _: Field<'_>) -> Option<String> {
        None
    }

    /// The error that is raised after all fields are printed.
    fn after(&self, _: &ResolveContext<'_>) -> Option<EngineError> {
        None
    }

    /// The error that is raised for one of a field.
    fn reworded(&self, error: EngineError) -> EngineError {
        error
    }
}

/// An error before any field is printed.
pub(crate) struct Refusal {
    pub error: EngineError,
    /// The ranges that are its reason.
    pub ranges: Vec<Range<usize>>,
}

/// No stages: only fields are printed.
pub(crate) struct Alone;

impl Stages for Alone {}

impl<S: Stages> PythonBraces<S> {
    pub const fn new(formatter: Formatter, stages: S) -> PythonBraces<S> {
        let facts = Facts {
            method: Method::WholeText { fills_in_keys: false },
            ..facts_of_python(Grammar::Documented(Dialect::Format))
        };
        PythonBraces { facts, formatter, stages }
    }
}

impl<S: Stages> Behaviour for PythonBraces<S> {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn meaning<'a>(&self, name: &str, _: u64, given: &ResolveContext<'a>) -> Lookup<'a> {
        if S::NEEDS_KEYS && given.value(name).is_none() {
            return Lookup::MISSING;
        }
        let Target { value, location } = match self.formatter.value(name, given) {
            Ok(target) => target,
            Err(error) if error.kind == ErrorKind::Missing => return Lookup::MISSING,
            Err(_) => return Lookup::new(Outcome::WrongType, None),
        };
        match value {
            Kind::Value(Cow::Borrowed(value)) => self.value(value, given.values.file()),
            Kind::Value(Cow::Owned(value)) => {
                Lookup { location, ..self.value(&value, None).into_owned() }
            }
            Kind::Class(name) => {
                Lookup::new(Outcome::Composed(format!("<class '{name}'>")), location)
            }
            Kind::Unpredictable => {
                Lookup::new(Outcome::Empty, location).unpredictable(PRINTED_ADDRESS)
            }
        }
    }

    fn is_orderly(&self, _: &Template<'_>) -> bool {
        false
    }

    fn chat_error(
        &self,
        parts: &[ChatPart<'_, '_>],
        given: &ResolveContext<'_>,
    ) -> Option<EngineError> {
        self.stages.chat_error(parts, given)
    }

    fn messages_error(&self, name: &str, value: &Value) -> Option<EngineError> {
        self.stages.messages_error(name, value)
    }

    fn is_literal(&self, given: &ResolveContext<'_>) -> bool {
        self.stages.is_literal(given)
    }

    fn refused_field(&self, source: &str) -> Option<String> {
        let field = Field::parse(source)?;
        let refused = self.stages.refused_field(field);
        refused.or_else(|| self.formatter.refused(field))
    }

    fn needs_number(&self, source: &str) -> bool {
        Field::parse(source).is_some_and(|field| self.formatter.needs_number(field))
    }

    fn refused_brace(&self, text: &str) -> Option<String> {
        FieldError::at_start_of(text).map(|error| error.message().to_owned())
    }

    fn render(&self, execution: Execution<'_>, mut out: Bounded) -> Result<String, EngineError> {
        let Execution { template, given } = execution;
        if self.stages.is_literal(given) {
            return Ok(template.text.to_owned());
        }
        if let Some(refusal) = self.stages.refusal(execution) {
            return Err(refusal.error);
        }
        let found = self.formatter.write(execution, &mut out);
        let error = found.errors.into_iter().next().map(|(_, error)| self.stages.reworded(error));
        if let Some(error) = error.or_else(|| self.stages.after(given)) {
            return Err(error);
        }
        match out.is_full() {
            true => Err(too_long_error(given)),
            false => Ok(out.text),
        }
    }

    fn resolve(&self, execution: Execution<'_>) -> Resolution {
        let Execution { template, given } = execution;
        let mut out = Mapped::new(given.max_output, likely_len(template.text));
        if self.stages.is_literal(given) {
            out.literal(template.text, 0..template.text.len());
            return Resolution { text: out.out.text, map: out.map, ..Resolution::default() };
        }
        let refusal = self.stages.refusal(execution);
        let FieldFindings { errors, unpredictable: by_chance } =
            self.formatter.write(execution, &mut out);
        let mut problems = Vec::new();
        if let Some(refusal) = &refusal {
            problems.extend(refused(template, refusal));
        }
        let is_refused = |range: &Range<usize>| {
            refusal.as_ref().is_some_and(|refusal| refusal.ranges.contains(range))
        };
        for (range, error) in errors.iter().filter(|(range, _)| !is_refused(range)) {
            problems.push(problem(range.clone(), error));
        }
        problems.extend(by_chance.into_iter().map(|(name, range, why)| {
            let location = Location { file: FileId::PROMPT, range };
            Problem::new(Code::EngineUnpredictable, location, unpredictable(&name, why)).about(name)
        }));
        let raised = errors.into_iter().next().map(|(_, error)| self.stages.reworded(error));
        let mut error = refusal.map(|refusal| refusal.error).or(raised);
        if error.is_none()
            && let Some(after) = self.stages.after(given)
        {
            problems.push(problem(0..0, &after));
            error = Some(after);
        }
        if out.out.is_full() {
            let limit = too_long_error(given);
            problems.push(problem(0..0, &limit));
            error = error.or(Some(limit));
        }
        Resolution { text: out.out.text, map: out.map, problems, error }
    }
}

fn too_long_error(given: &ResolveContext<'_>) -> EngineError {
    EngineError::new(ErrorKind::Limit, Vec::new(), too_long(given.max_output))
}

/// The problems of a refusal: one for each range, or one at the start of the prompt.
fn refused(template: &Template<'_>, refusal: &Refusal) -> Vec<Problem> {
    let error = &refusal.error;
    if error.kind != ErrorKind::Missing {
        let range = refusal.ranges.first().cloned().unwrap_or(0..0);
        return vec![problem(range, error)];
    }
    let names = template.slots().filter(|(range, _)| refusal.ranges.contains(range));
    names
        .map(|(range, name)| {
            let error = EngineError::new(error.kind, vec![name.to_owned()], name.to_owned());
            problem(range.clone(), &error)
        })
        .collect()
}

/// Resolves each placeholder separately; the error of a refusal comes first.
pub(crate) fn resolve_unless_refused(
    execution: Execution<'_>,
    refusal: Option<(Range<usize>, EngineError)>,
) -> Resolution {
    let mut found = execution.resolve_by_placeholder();
    if let Some((range, error)) = refusal {
        found.problems.push(problem(range, &error));
        found.error = Some(error);
    }
    found
}

/// The problem for an error.
pub(crate) fn problem(range: Range<usize>, error: &EngineError) -> Problem {
    let location = Location { file: FileId::PROMPT, range };
    let (code, message) = match error.kind {
        ErrorKind::Missing => {
            let name = error.names.first().map(String::as_str).unwrap_or_default();
            let message = match path::root(Dialect::Format, name) == error.message {
                true => format!("`{name}` has no value"),
                false => format!("`{name}` has no value: {}", error.message),
            };
            (Code::UndefinedPlaceholder, message)
        }
        ErrorKind::Type => (Code::TypeMismatch, error.message.clone()),
        ErrorKind::Declaration => (Code::InvalidDeclaration, error.message.clone()),
        ErrorKind::Limit => (Code::LimitExceeded, error.message.clone()),
        ErrorKind::Engine | ErrorKind::Validation | ErrorKind::Unresolved => {
            (Code::MalformedPlaceholder, error.message.clone())
        }
    };
    let problem = Problem::new(code, location, message);
    Problem { severity: Severity::Error, names: error.names.clone(), ..problem }
}

impl<'t> Template<'t> {
    /// The ranges of placeholders, with their names, in order.
    pub(crate) fn slots(&self) -> impl Iterator<Item = (&Range<usize>, &str)> {
        self.ops.iter().filter_map(|op| match op {
            Op::Slot { source, path, .. } => Some((source, &*self.paths[*path].name)),
            _ => None,
        })
    }
}
