//! End-to-end tests of promptls: they drive the real binary like an editor or a shell.
//!
//! [`Editor`] speaks the protocol over the server's stdin and stdout. It keeps its own copy of each
//! document, waits for conditions with a [`LIMIT`] and never sleeps. It fails if the server sends a
//! message that the test does not read. [`promptls`] runs one command and collects its output.
//! [`Served`] is a preview in the browser, and [`Page`] one of its pages.
//!
//! Nothing here links the crates under test, so an error in their conversions cannot be hidden by
//! the same error here. The messages are handwritten JSON for the same reason.

mod applying;
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
mod requests;
mod served;
#[cfg(unix)]
mod terminal;
pub mod text;
pub mod vectors;
pub mod wire;
pub mod workloads;
mod workspace;

pub use binary::{Output, Promptls, promptls, promptls_path};
pub use client::{Client, Transport};
pub use editor::{Editor, Ended, RequestId};
pub use limit::LIMIT;
#[cfg(target_os = "linux")]
pub use process::memory_kib;
pub use process::{Ends, Process, wait_for, wait_until};
pub use repository::{Repository, git};
pub use requests::hover_text;
pub use served::{Page, Served};
#[cfg(unix)]
pub use terminal::Terminal;
pub use workspace::Workspace;
