//! Calls that supply the values of prompts.

mod chains;
pub(super) mod contracts;
pub(super) mod elsewhere;
mod ensembles;
mod maps;
mod templates;
