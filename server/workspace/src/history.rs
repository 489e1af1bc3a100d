//! Prompts at other times: the files of a commit, and the texts that have changed since.

pub mod changed_texts;
pub mod git_process;
pub mod git_revision;
pub mod newer_inputs;
pub mod revision_range;
