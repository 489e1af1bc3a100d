//! The sidecars of prompts: inputs, variables, and the texts that these name.

pub mod loading;
pub mod naming;
pub mod of_prompts;
pub mod orphan;
pub mod owners;
