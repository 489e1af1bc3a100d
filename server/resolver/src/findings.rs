//! Findings about a prompt: problems, and the error that its engine raises.

pub mod broken_rules;
pub mod code;
pub mod engine_error;
pub mod excerpt;
pub mod problem;
pub mod report;
pub mod run_findings;
