//! What is special about each engine.

pub(crate) mod adk;
pub(crate) mod agentensemble;
pub mod agentle;
pub mod entaingine;
pub(crate) mod promptpack;
