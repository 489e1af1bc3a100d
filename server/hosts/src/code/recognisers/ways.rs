//! How programs give values to the names in prompts.

use promptls_syntax::Dialect;

use crate::flow::AccessKind;

/// How programs give values to prompts of a dialect.
pub struct Ways {
    /// The places that do.
    pub kinds: &'static [AccessKind],
    /// What names begin with whose values come from elsewhere.
    pub but: &'static [&'static str],
    /// Whether a name that stands nowhere in the code has no value.
    pub is_certain: bool,
    /// The calls next to a prompt that give it its values.
    pub calls: Calls,
}

/// Which calls next to a prompt give it its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Calls {
    /// None.
    None,
    /// Methods of the prompt itself: `Prompt.of("…").compile(Map.of("topic", topic))`.
    OfPrompt,
    /// The run of an ensemble that has it as a task:
    /// `Ensemble.builder().task(task).build().run(Map.of("topic", topic))`.
    OfEnsemble,
}

/// Those of a dialect; `None` where nobody looks for them.
pub fn ways_of(dialect: Dialect) -> Option<Ways> {
    match dialect {
        Dialect::Adk => Some(Ways {
            kinds: &[AccessKind::OutputKey, AccessKind::State, AccessKind::StateKey],
            but: &["artifact."],
            is_certain: true,
            calls: Calls::None,
        }),
        // Inputs come from wherever a run is started, and may be a map that nobody has written.
        Dialect::AgentEnsemble => {
            let (kinds, calls) = (&[AccessKind::Input], Calls::OfEnsemble);
            Some(Ways { kinds, but: &[], is_certain: false, calls })
        }
        Dialect::Agentle => {
            Some(Ways { kinds: &[], but: &[], is_certain: false, calls: Calls::OfPrompt })
        }
        _ => None,
    }
}
