//! promptls seen from outside: the real binary, driven as an editor or a shell drives it.
//!
//! [`Editor`] speaks the protocol over the server's stdin and stdout. It keeps
//! its own copy of each document, waits for conditions with a [`LIMIT`] and never
//! sleeps, and fails if the server said something that the test did not look at.
//! [`promptls`] runs one command and collects what it printed. [`Served`] is a preview
//! in the browser, and [`Page`] one of its pages.
//!
//! Nothing here links the crates under test, so a mistake in their conversions
//! can not hide behind the same mistake in ours. The messages are JSON written by
//! hand for the same reason.

mod applying;
mod asking;
mod awaiting;
mod binary;
mod client;
pub mod code_workload;
mod connection;
mod editing;
mod editor;
mod inbox;
pub mod langfuse;
pub mod letter;
mod limit;
mod problems;
mod process;
mod record;
mod repository;
mod served;
#[cfg(unix)]
mod terminal;
pub mod text;
pub mod vectors;
pub mod wire;
pub mod workloads;
mod workspace;

pub use asking::hover_text;
pub use binary::{Output, Promptls, promptls, promptls_path};
pub use client::{Client, Transport};
pub use editor::{Editor, Ended, RequestId};
pub use limit::LIMIT;
#[cfg(target_os = "linux")]
pub use process::memory_kib;
pub use process::{Ends, Process, wait_for, wait_until};
pub use repository::{Repository, git};
pub use served::{Page, Served};
#[cfg(unix)]
pub use terminal::Terminal;
pub use workspace::Workspace;
