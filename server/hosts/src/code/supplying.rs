//! Calls that supply the values of prompts.

pub(super) mod contracts;
pub(super) mod elsewhere;
mod ensembles;
mod maps;
mod templates;
