//! Requests about the workspace as a whole.

pub mod diagnostic;
pub mod prompts;
pub mod symbol;
