//! CrewAI for Python: first `str.format`, then its own replacement, name by name in the whole text.
//!
//! The texts of agents and tasks differ in their errors, and in some releases in the replacement.

mod field;
mod known_keys;
mod replacing;

use promptls_syntax::Grammar;

use super::profile::{Field, Language, Profile, Span, Version};
use crate::behaviour::Behaviour;
use crate::dialects::format::{PythonBraces, Stages};
use crate::findings::engine_error::{EngineError, ErrorKind};
use crate::python::formatter::Formatter;
use crate::resolve_context::ResolveContext;
use field::CrewField;
use known_keys::{KnownKeys, ValueTypes};
use replacing::CrewAi;

static FROM_0_27: PythonBraces<Task> =
    PythonBraces::new(Formatter::PYTHON, Task { rewords: false });
static FROM_0_95: PythonBraces<Task> = PythonBraces::new(Formatter::PYTHON, Task { rewords: true });
static FROM_0_114: CrewAi = CrewAi::new(Grammar::CrewAi, CrewField::Description);
static FROM_0_120_1: CrewAi = CrewAi::new(Grammar::CrewAiHyphens, CrewField::Description);

static EXPECTED_OUTPUT: [&dyn Behaviour; 5] = [
    &FROM_0_27,
    &KnownKeys::new(CrewField::ExpectedOutput, ValueTypes::Scalars),
    &KnownKeys::new(CrewField::ExpectedOutput, ValueTypes::All),
    &CrewAi::new(Grammar::CrewAi, CrewField::ExpectedOutput),
    &CrewAi::new(Grammar::CrewAiHyphens, CrewField::ExpectedOutput),
];
static OUTPUT_FILE: [&dyn Behaviour; 5] = [
    &KnownKeys::literal(),
    &KnownKeys::new(CrewField::OutputFile, ValueTypes::Scalars),
    &KnownKeys::new(CrewField::OutputFile, ValueTypes::All),
    &CrewAi::new(Grammar::CrewAi, CrewField::OutputFile),
    &CrewAi::new(Grammar::CrewAiHyphens, CrewField::OutputFile),
];
static OF_AGENT: [&dyn Behaviour; 5] = [
    &FROM_0_27,
    &FROM_0_27,
    &FROM_0_27,
    &CrewAi::new(Grammar::CrewAi, CrewField::OfAgent),
    &CrewAi::new(Grammar::CrewAiHyphens, CrewField::OfAgent),
];

pub(super) static PYTHON: Profile = Profile {
    id: "crewai",
    title: "CrewAI",
    language: Language::Python,
    packages: &["crewai"],
    source: "PyPI crewai, task.py, agents/agent_builder/base_agent.py and utilities/string_utils.py",
    newest: Version([1, 15, 30]),
    fields: &[
        Field { name: "expected_output", behaviours: &EXPECTED_OUTPUT },
        Field { name: "output_file", behaviours: &OUTPUT_FILE },
        Field { name: "role", behaviours: &OF_AGENT },
        Field { name: "goal", behaviours: &OF_AGENT },
        Field { name: "backstory", behaviours: &OF_AGENT },
    ],
    spans: &[
        Span {
            from: Version([0, 27, 0]),
            differs: &[
                "without any inputs, every text stays as written",
                "before 0.95, `output_file` always stays as written",
            ],
            behaviour: &FROM_0_27,
        },
        Span {
            from: Version([0, 95, 0]),
            differs: &[
                "errors have other messages",
                "in `expected_output` and `output_file`, only names with a value are replaced",
            ],
            behaviour: &FROM_0_95,
        },
        Span {
            from: Version([0, 102, 0]),
            differs: &[
                "`expected_output` and `output_file` may be used with lists, objects and null",
            ],
            behaviour: &FROM_0_95,
        },
        Span {
            from: Version([0, 114, 0]),
            differs: &[
                "a name consists of letters, digits and `_`; all other text stays as written",
                "`{{x}}` is sent as the value in braces",
                "a value may contain a later name, which is replaced, too",
            ],
            behaviour: &FROM_0_114,
        },
        Span {
            from: Version([0, 120, 1]),
            differs: &["a name may contain `-`"],
            behaviour: &FROM_0_120_1,
        },
    ],
};

/// `true` if a crew has no inputs at all, so that nothing is replaced.
fn has_no_inputs(given: &ResolveContext<'_>) -> bool {
    given.values.count() == Some(0)
}

/// The description of a task, printed by `str.format`.
struct Task {
    /// `true` if errors have their own messages.
    rewords: bool,
}

impl Stages for Task {
    fn is_literal(&self, given: &ResolveContext<'_>) -> bool {
        has_no_inputs(given)
    }

    fn reworded(&self, error: EngineError) -> EngineError {
        if !self.rewords {
            return error;
        }
        let message = &error.message;
        let starts = |prefixes: &[&str]| prefixes.iter().any(|prefix| message.starts_with(prefix));
        let message = match error.kind {
            // Errors of other classes keep their messages.
            ErrorKind::Missing if !starts(&["list ", "string ind", "'"]) => {
                format!("Missing required template variable '{message}' in description")
            }
            ErrorKind::Missing => return error,
            _ if starts(&["Replacement index", "unsupported format", "%c arg"])
                || message.contains(" too large to convert ") =>
            {
                return error;
            }
            _ => format!("Error interpolating description: {message}"),
        };
        EngineError { message, ..error }
    }
}
