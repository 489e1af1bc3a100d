//! Directory walks: ignored files, and the prompts that are found.

pub mod file_globs;
pub mod may_matter;
pub mod walk;
pub mod walker;
