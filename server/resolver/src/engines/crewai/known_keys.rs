//! The replacement in `expected_output` and `output_file` from 0.95 to 0.113: all braces are escaped,
//! except those around a key of the inputs, and `str.format` prints the rest.

use promptls_syntax::{Grammar, Missing};

use super::field::CrewField;
use super::has_no_inputs;
use crate::behaviour::{Behaviour, Facts, Method};
use crate::dialects::format::{facts_of_python, resolve_unless_refused};
use crate::findings::engine_error::EngineError;
use crate::outcome::Lookup;
use crate::output::{Bounded, has_brace};
use crate::python::formatter::{engine_error, type_name};
use crate::resolution::Resolution;
use crate::resolve_context::ResolveContext;
use crate::source_map::SourceMap;
use crate::template::{Execution, Template};
use crate::value::ValueKind;
use crate::working::Working;

/// Why a key that is no plain name is unpredictable.
const READ_AS_FIELD: &str =
    "CrewAI passes this key to `str.format`, which reads a path or a specification";

/// The types of values that are accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValueTypes {
    /// Only texts, numbers and booleans.
    Scalars,
    All,
}

pub(super) struct KnownKeys {
    facts: Facts,
    field: CrewField,
    types: ValueTypes,
    /// `true` if nothing is replaced at all.
    is_literal: bool,
}

impl KnownKeys {
    pub const fn new(field: CrewField, types: ValueTypes) -> KnownKeys {
        KnownKeys {
            facts: Facts {
                method: Method::WholeText { fills_in_keys: false },
                missing: Missing::StaysLiteral,
                ..facts_of_python(Grammar::LlamaIndex)
            },
            field,
            types,
            is_literal: false,
        }
    }

    /// A path that stays as written.
    pub const fn literal() -> KnownKeys {
        KnownKeys { is_literal: true, ..KnownKeys::new(CrewField::OutputFile, ValueTypes::All) }
    }

    /// The error for a value of another type. A text without braces is returned before.
    fn refusal(&self, text: &str, given: &ResolveContext<'_>) -> Option<EngineError> {
        if self.types == ValueTypes::All || !has_brace(text.as_bytes()) {
            return None;
        }
        let all = given.values.all()?;
        let is_scalar = |kind: &ValueKind| {
            matches!(kind, ValueKind::String(_) | ValueKind::Number(_) | ValueKind::Bool(_))
        };
        let entry = all.entries().iter().find(|entry| !is_scalar(&entry.value.kind))?;
        let (key, found) = (&entry.key, type_name(&entry.value));
        let message = format!(
            "Error during string interpolation: Value for key '{key}' must be a string, integer, or float, got {found}"
        );
        Some(engine_error(self.field.failed(&message)))
    }
}

/// `true` for a key that `str.format` reads as the name of a field.
fn is_plain(key: &str) -> bool {
    !key.contains(['.', '[', '!', ':']) && !key.chars().all(char::is_numeric)
}

impl Behaviour for KnownKeys {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn is_literal(&self, given: &ResolveContext<'_>) -> bool {
        self.is_literal || has_no_inputs(given)
    }

    fn is_orderly(&self, _: &Template<'_>) -> bool {
        false
    }

    fn meaning<'a>(&self, name: &str, _: u64, given: &ResolveContext<'a>) -> Lookup<'a> {
        let Some(found) = given.values.get(name) else { return Lookup::MISSING };
        let lookup = self.value_of(found, given.values.file());
        if is_plain(name) { lookup } else { lookup.unpredictable(READ_AS_FIELD) }
    }

    fn render(&self, execution: Execution<'_>, out: Bounded) -> Result<String, EngineError> {
        let Execution { template, given } = execution;
        match self.refusal(template.text, given) {
            Some(error) => Err(error),
            None if self.is_literal => Ok(template.text.to_owned()),
            None => execution.render_by_placeholder(out),
        }
    }

    fn resolve(&self, execution: Execution<'_>) -> Resolution {
        let Execution { template, given } = execution;
        if self.is_literal {
            let Working { text, runs } = Working::of(template.text);
            return Resolution { text, map: SourceMap { runs }, ..Resolution::default() };
        }
        let refusal = self.refusal(template.text, given).map(|error| (0..0, error));
        resolve_unless_refused(execution, refusal)
    }
}
