//! LlamaIndex for Python: first `str.format`, then its own replacement of each pair of braces.

use promptls_syntax::{Grammar, Missing};

use super::profile::{Language, Profile, Span, Version};
use crate::behaviour::{Behaviour, Facts, Method};
use crate::dialects::format::{
    PythonBraces, Refusal, Stages, facts_of_python, resolve_unless_refused,
};
use crate::findings::engine_error::EngineError;
use crate::outcome::Lookup;
use crate::output::Bounded;
use crate::python::formatter::{Formatter, engine_error, first_text_error, type_name};
use crate::resolution::Resolution;
use crate::resolve_context::ResolveContext;
use crate::template::{Execution, Template};

static FROM_0_10: PythonBraces<Loaded> =
    PythonBraces::new(Formatter { hidden: &PARAMETERS, ..Formatter::PYTHON }, Loaded);
static FROM_0_11_12: LlamaIndex = LlamaIndex {
    facts: Facts {
        method: Method::WholeText { fills_in_keys: false },
        missing: Missing::StaysLiteral,
        ..facts_of_python(Grammar::LlamaIndex)
    },
};

pub(super) static PYTHON: Profile = Profile {
    id: "llamaindex-python",
    title: "LlamaIndex for Python",
    language: Language::Python,
    packages: &["llama-index-core", "llama-index"],
    source: "PyPI llama-index-core, prompts/utils.py and prompts/base.py, PromptTemplate.format",
    newest: Version([0, 14, 25]),
    fields: &[],
    spans: &[
        Span {
            from: Version([0, 10, 0]),
            differs: &["the whole prompt is parsed before any value is looked at"],
            behaviour: &FROM_0_10,
        },
        Span {
            from: Version([0, 11, 12]),
            differs: &[
                "any text in an innermost pair of braces is a name: no paths, conversions or specifications",
                "a name without a value stays as written, and so does all other text",
                "`{{x}}` is sent as the value in braces",
            ],
            behaviour: &FROM_0_11_12,
        },
    ],
};

/// The parameters of `format`, which are no variables.
const PARAMETERS: [&str; 2] = ["llm", "completion_to_prompt"];

struct Loaded;

impl Stages for Loaded {
    fn refusal(&self, execution: Execution<'_>) -> Option<Refusal> {
        let Execution { template, given } = execution;
        let text_error = || {
            let (range, error) = first_text_error(template)?;
            Some(Refusal { error, ranges: vec![range] })
        };
        let refused = || {
            let error = several_values(given, &[("PromptTemplate.format", "self")])?;
            Some(Refusal { error, ranges: Vec::new() })
        };
        text_error().or_else(refused)
    }

    fn after(&self, given: &ResolveContext<'_>) -> Option<EngineError> {
        not_callable(given)
    }
}

/// The error for values that are parameters of a method.
fn several_values(given: &ResolveContext<'_>, parameters: &[(&str, &str)]) -> Option<EngineError> {
    let (method, name) = parameters.iter().find(|(_, name)| given.values.get(name).is_some())?;
    Some(engine_error(format!("{method}() got multiple values for argument '{name}'")))
}

/// The error for a value that is called after the prompt is resolved.
fn not_callable(given: &ResolveContext<'_>) -> Option<EngineError> {
    let value = given.values.get("completion_to_prompt")?.to_value();
    let message = || format!("'{}' object is not callable", type_name(&value));
    (!value.is_null()).then(|| engine_error(message()))
}

struct LlamaIndex {
    facts: Facts,
}

impl LlamaIndex {
    fn refusal(&self, given: &ResolveContext<'_>) -> Option<EngineError> {
        const OWN: [(&str, &str); 2] =
            [("PromptTemplate.format", "self"), ("format_string", "string_to_format")];
        several_values(given, &OWN).or_else(|| not_callable(given))
    }
}

impl Behaviour for LlamaIndex {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn meaning<'a>(&self, name: &str, _: u64, given: &ResolveContext<'a>) -> Lookup<'a> {
        match given.value(name) {
            Some((found, file)) if !PARAMETERS.contains(&name) => self.value_of(found, file),
            _ => Lookup::MISSING,
        }
    }

    fn is_orderly(&self, _: &Template<'_>) -> bool {
        false
    }

    fn render(&self, execution: Execution<'_>, out: Bounded) -> Result<String, EngineError> {
        match self.refusal(execution.given) {
            Some(error) => Err(error),
            None => execution.render_by_placeholder(out),
        }
    }

    fn resolve(&self, execution: Execution<'_>) -> Resolution {
        let refusal = self.refusal(execution.given).map(|error| (0..0, error));
        resolve_unless_refused(execution, refusal)
    }
}
