//! The ways in which programs supply values to prompts.

use promptls_syntax::Dialect;

use crate::flow::AccessKind;

/// The ways in which programs supply values to prompts of a dialect.
pub struct ValueSupply {
    /// The kinds of places that supply values.
    pub kinds: &'static [AccessKind],
    /// `true` if a name without any occurrence in the code certainly has no value.
    pub is_certain: bool,
    /// The calls next to a prompt that supply its values.
    pub calls: Calls,
}

/// The calls next to a prompt that supply its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Calls {
    /// No calls are examined; other places supply the values.
    None,
    /// Methods of the prompt itself: `Prompt.of("…").compile(Map.of("topic", topic))`.
    OfPrompt,
    /// The run of an ensemble that contains it as a task:
    /// `Ensemble.builder().task(task).build().run(Map.of("topic", topic))`.
    OfEnsemble,
}

/// The ways of a dialect; `None` if they are not analyzed.
pub fn value_supply(dialect: Dialect) -> Option<ValueSupply> {
    match dialect {
        Dialect::Adk => Some(ValueSupply {
            kinds: &[
                AccessKind::OutputKey,
                AccessKind::State,
                AccessKind::StateKey,
                AccessKind::Artifact,
            ],
            is_certain: true,
            calls: Calls::None,
        }),
        // Inputs come from the caller of a run, and the map may not be written in code.
        Dialect::AgentEnsemble => {
            let (kinds, calls) = (&[AccessKind::Input], Calls::OfEnsemble);
            Some(ValueSupply { kinds, is_certain: false, calls })
        }
        Dialect::Agentle | Dialect::Langfuse => {
            Some(ValueSupply { kinds: &[], is_certain: false, calls: Calls::OfPrompt })
        }
        _ => None,
    }
}
