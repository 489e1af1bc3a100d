//! Attacks: inputs made to hide problems, to lose files, or to make a program hang or grow.
//!
//! Each module attacks one guarantee. `tests/README.md` lists the bugs that these attacks found.
//! `tests/run attack` runs all of them; `cargo test` does not, because they take minutes of
//! processor time.

/// Unread files are never reported as "no problems".
mod unread;

/// No file, row or kept text is lost, and no link leads a write out of the project.
#[cfg(unix)]
mod lost;

/// Nothing hangs, and cost grows in proportion.
mod hangs;

/// Reports for CI: paths, baselines and fingerprints stay the same.
mod reports;

/// Invalid or large tables are reported as errors or read, and nothing panics.
mod tables;
