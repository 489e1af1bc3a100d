//! Diagnostics and hints for each dialect, one file per dialect.

mod adk;
mod agentensemble;
mod agentle;
mod entaingine;
pub(crate) mod format;
mod langfuse;
mod promptpack;

use promptls_syntax::Dialect;

use crate::advice::Advice;

/// The diagnostics and hints that are specific to a dialect.
pub(crate) const fn advice(dialect: Dialect) -> &'static dyn Advice {
    match dialect {
        Dialect::AgentEnsemble => &agentensemble::ADVICE,
        Dialect::Adk => &adk::ADVICE,
        Dialect::Entaingine => &entaingine::ADVICE,
        Dialect::PromptPack => &promptpack::ADVICE,
        Dialect::Agentle => &agentle::ADVICE,
        Dialect::Langfuse => &langfuse::ADVICE,
        Dialect::Format => &format::ADVICE,
    }
}
