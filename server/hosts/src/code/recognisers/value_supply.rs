//! The ways in which programs supply values to prompts.

use promptls_syntax::Dialect;

use super::{CREWAI, langchain};
use crate::code::recogniser::TemplateMethods;
use crate::flow::AccessKind;
use crate::language::Language;

/// The ways in which programs supply values to prompts of a dialect.
pub struct ValueSupply {
    /// The kinds of places that supply values.
    pub kinds: &'static [AccessKind],
    /// Whether a name without any occurrence in the code has no value.
    pub certainty: Certainty,
    /// The calls next to a prompt that supply its values.
    pub calls: Calls,
    /// The label of such a call.
    pub label: &'static str,
}

/// Whether a name without any occurrence in the code has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Certainty {
    /// It may have a value from the caller of a run.
    Never,
    /// It certainly has no value.
    Always,
    /// It has no value if the code supplies other names, and computes no key at run time.
    IfLiteral,
}

/// The calls next to a prompt that supply its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Calls {
    /// No calls are examined; other places supply the values.
    None,
    /// Methods of the prompt itself: `Prompt.of("…").compile(Map.of("topic", topic))`.
    OfPrompt,
    /// Methods of a template, and of a chain that starts with it, by its recogniser:
    /// `template.format(topic=topic)`, `(template | model).invoke({"topic": topic})`.
    OfTemplate,
    /// The run of an ensemble that contains it as a task:
    /// `Ensemble.builder().task(task).build().run(Map.of("topic", topic))`.
    OfEnsemble,
}

/// The ways of a dialect, and of an engine if several share the dialect; `None` if they are not
/// analyzed.
pub fn value_supply(dialect: Dialect, engine: Option<&str>) -> Option<ValueSupply> {
    match dialect {
        Dialect::Adk => Some(ValueSupply {
            kinds: &[
                AccessKind::OutputKey,
                AccessKind::State,
                AccessKind::StateKey,
                AccessKind::Artifact,
            ],
            certainty: Certainty::Always,
            calls: Calls::None,
            label: "",
        }),
        // Inputs come from the caller of a run, and the map may not be written in code.
        Dialect::AgentEnsemble => {
            let (kinds, calls) = (&[AccessKind::Input], Calls::OfEnsemble);
            Some(ValueSupply { kinds, certainty: Certainty::Never, calls, label: "run" })
        }
        // A run fills the prompts of all agents and tasks of a crew.
        Dialect::Format if engine == Some(CREWAI) => Some(ValueSupply {
            kinds: &[AccessKind::Input],
            certainty: Certainty::IfLiteral,
            calls: Calls::None,
            label: "",
        }),
        Dialect::Format => {
            let (certainty, calls) = (Certainty::Never, Calls::OfTemplate);
            Some(ValueSupply { kinds: &[], certainty, calls, label: "call" })
        }
        Dialect::Agentle | Dialect::Langfuse => {
            let calls = Calls::OfPrompt;
            Some(ValueSupply { kinds: &[], certainty: Certainty::Never, calls, label: "compile" })
        }
        _ => None,
    }
}

/// The methods of a language that fill texts of a dialect, without a framework; `None` if it has none.
pub(crate) fn text_methods(
    dialect: Dialect,
    language: Language,
) -> Option<&'static TemplateMethods> {
    (dialect == Dialect::Format && language == Language::Python).then_some(langchain::TEXT_METHODS)
}
