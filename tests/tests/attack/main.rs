//! Attacks: inputs made to hide problems, to lose files, or to make a program hang or grow.
//!
//! Each module attacks one promise. `tests/README.md` lists the faults that these attacks found.
//! `tests/run attack` runs all of them; `cargo test` does not, because they take minutes of
//! processor time.

/// What was not read is never "no problems".
mod unread;

/// No file, row or kept text is lost, and no link leads a write out of the project.
#[cfg(unix)]
mod lost;

/// Nothing hangs, and cost grows in proportion.
mod hangs;

/// Reports for CI: paths, baselines and fingerprints stay the same.
mod reports;

/// Tables that are broken or large are errors or read, and nothing panics.
mod tables;
