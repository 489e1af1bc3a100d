//! Walking through folders: what is left out, and which prompts are found.

pub mod file_globs;
pub mod may_matter;
pub mod walk;
pub mod walker;
