//! Prompts at other times: the files of a commit, and what a model gets otherwise since then.

pub mod changed_texts;
pub mod git_process;
pub mod git_revision;
pub mod newer_inputs;
pub mod revision_range;
