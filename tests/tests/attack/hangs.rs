//! Nothing hangs, and cost grows in proportion.
//!
//! Costs are processor time and memory of the program as the system counts them. Processor time is
//! compared with that of less of the same, so that a busy or slow machine changes nothing.
#![cfg(target_os = "linux")]

mod cost;
mod git;
mod growth;
#[cfg(target_env = "gnu")]
mod memory;
mod watch;
