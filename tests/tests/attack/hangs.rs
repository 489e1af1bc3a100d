//! Nothing hangs, and cost grows linearly.
//!
//! Costs are processor time and memory of the program, as counted by the system. Processor time is
//! compared with that of smaller inputs, so that a busy or slow machine does not affect the result.
#![cfg(target_os = "linux")]

mod cost;
mod git;
mod growth;
#[cfg(target_env = "gnu")]
mod memory;
mod watch;
