//! The engine that the document of each dialect describes, a file each.

mod adk;
pub(crate) mod agentensemble;
pub(crate) mod agentle;
pub mod entaingine;
mod langfuse;
pub(crate) mod promptpack;

use promptls_syntax::Dialect;

use crate::behaviour::Behaviour;

/// What the document of a dialect says.
pub(crate) const fn documented(dialect: Dialect) -> &'static Behaviour {
    match dialect {
        Dialect::AgentEnsemble => &agentensemble::DOCUMENTED,
        Dialect::Adk => &adk::DOCUMENTED,
        Dialect::Entaingine => &entaingine::DOCUMENTED,
        Dialect::PromptPack => &promptpack::DOCUMENTED,
        Dialect::Agentle => &agentle::DOCUMENTED,
        Dialect::Langfuse => &langfuse::DOCUMENTED,
    }
}
