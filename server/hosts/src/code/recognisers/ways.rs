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
}

/// Those of a dialect; `None` where nobody looks for them.
pub fn ways_of(dialect: Dialect) -> Option<Ways> {
    match dialect {
        Dialect::Adk => Some(Ways {
            kinds: &[AccessKind::OutputKey, AccessKind::State, AccessKind::StateKey],
            but: &["artifact."],
            is_certain: true,
        }),
        // Inputs come from wherever a run is started, and may be a map that nobody has written.
        Dialect::AgentEnsemble => {
            Some(Ways { kinds: &[AccessKind::Input], but: &[], is_certain: false })
        }
        _ => None,
    }
}
