//! Calls that supply the values of prompts.

mod chains;
pub(super) mod contracts;
mod ensembles;
mod items;
mod joined;
mod maps;
mod template_names;
mod templates;
#[cfg(test)]
mod tests;
mod uses;
