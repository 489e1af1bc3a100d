//! The engine of each dialect, a file each.

mod adk;
mod agentensemble;
mod agentle;
pub mod entaingine;
mod langfuse;
mod promptpack;

use promptls_syntax::Dialect;

use crate::engine::Engine;

/// What is special about the engine of a dialect.
pub(crate) const fn engine(dialect: Dialect) -> &'static Engine {
    match dialect {
        Dialect::AgentEnsemble => &agentensemble::ENGINE,
        Dialect::Adk => &adk::ENGINE,
        Dialect::Entaingine => &entaingine::ENGINE,
        Dialect::PromptPack => &promptpack::ENGINE,
        Dialect::Agentle => &agentle::ENGINE,
        Dialect::Langfuse => &langfuse::ENGINE,
    }
}
