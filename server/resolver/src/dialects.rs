//! The documented engines of the dialects, one file each.

mod adk;
pub(crate) mod agentensemble;
pub(crate) mod agentle;
pub mod entaingine;
pub(crate) mod format;
pub(crate) mod langfuse;
pub(crate) mod promptpack;

use promptls_syntax::Dialect;

use crate::behaviour::Behaviour;

/// The engine that the document of a dialect describes.
pub(crate) const fn documented(dialect: Dialect) -> &'static dyn Behaviour {
    match dialect {
        Dialect::AgentEnsemble => &agentensemble::DOCUMENTED,
        Dialect::Adk => &adk::DOCUMENTED,
        Dialect::Entaingine => &entaingine::DOCUMENTED,
        Dialect::PromptPack => &promptpack::DOCUMENTED,
        Dialect::Agentle => &agentle::DOCUMENTED,
        Dialect::Langfuse => &langfuse::DOCUMENTED,
        Dialect::Format => &format::DOCUMENTED,
    }
}
