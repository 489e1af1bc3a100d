#![doc = include_str!("../README.md")]
//!
//! # Design
//!
//! The language server, the only crate that depends on the protocol.
//!
//! Features are functions of the `analysis` crate; this crate adds what the protocol needs.
//! `backend.rs` registers all requests: it converts the params, calls a handler, and converts the
//! result. Types of the protocol are named there, in `convert`, and in `editor.rs`, which sends.
//! Handlers call features with types of our own.
//!
//! Three rules keep it correct. State changes before the first `.await` of a handler, because only
//! that part runs in the order of arrival. A request is answered from the snapshot of the moment
//! when it arrived (`context.rs`). No handler waits for the client: messages to it go through
//! `diagnostics.rs` and `editor/refresh.rs`.

// Followers use Unix sockets; on other platforms, the code for them is unused.
#![cfg_attr(not(unix), allow(dead_code))]

mod backend;
mod client_capabilities;
mod client_process;
mod code_facts_task;
mod context;
mod convert;
mod diagnostics;
mod dialect_marks;
mod disk_polling;
mod document_range;
mod editor;
mod errors;
pub mod followers;
mod handlers;
mod lsp_ext;
mod memory_release;
mod read_large;
mod request_preferences;
mod server_capabilities;
mod session;
mod transport;
mod units;
mod virtual_uri;
mod watched_files;
mod worker;
mod workspace;
mod workspace_edits;

use std::ffi::OsString;
use std::fmt;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use promptls_workspace::{Overrides, end_all_git};
use tokio::io::{AsyncRead, AsyncWrite};

use crate::session::Session;
pub use crate::transport::in_process::{Embedded, FromServer, ServerMessage, uri_of};
use crate::transport::serve::serve;
use crate::transport::stdio;

/// Serves the editor on stdin and stdout until it exits or closes the connection.
///
/// `program` starts this program again, with arguments appended: requests to stores run in their
/// own process. If it is empty, the executable of this process is used.
pub fn run(program: &'static [OsString]) -> ExitCode {
    // One thread for all messages: handing each to another thread would cost more than most answers
    // do.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = match runtime {
        Ok(runtime) => runtime,
        Err(error) => {
            log(format_args!("cannot start: {error}"));
            return ExitCode::from(2);
        }
    };
    let got_shutdown = Arc::new(AtomicBool::new(false));
    let shutdown = got_shutdown.clone();
    runtime.block_on(async move {
        let (stdin, stdout) = stdio::stdio();
        let session = |client| {
            let mut session = Session::new(client, shutdown, Overrides::default());
            session.program = program;
            session
        };
        let (service, socket) = backend::service(session);
        #[cfg(unix)]
        let _listening = followers::listen(service.inner().session().clone());
        let session = service.inner().session().clone();
        let ended = || session.workspace.end_waiting();
        tokio::select! {
            () = serve(lsp_ext::LspExt(service), socket, stdin, stdout, io::stderr(), ended) => {}
            () = session.client_ended.notified() => log(format_args!("the process of the editor has ended")),
        }
    });
    // Do not return: tokio may have a thread that waits for stdin, which nothing can interrupt.
    runtime.shutdown_background();
    // Threads that wait for git end with this process; git would not.
    end_all_git();
    // The exit code is 1 if the editor exits without `shutdown`, or closes the connection.
    std::process::exit(i32::from(!got_shutdown.load(Ordering::Relaxed)));
}

/// Writes a line to stderr, which the editor shows in its log. Errors are ignored.
fn log(line: fmt::Arguments<'_>) {
    let _ = writeln!(io::stderr(), "promptls: {line}");
}

/// Serves an editor on two streams until it leaves. Input that is not a message is reported to
/// `log`.
pub async fn converse(
    input: impl AsyncRead + Unpin,
    output: impl AsyncWrite + Unpin,
    log: impl Write,
) {
    let session = |client| Session::new(client, Arc::default(), Overrides::default());
    let (service, socket) = backend::service(session);
    let session = service.inner().session().clone();
    let ended = || session.workspace.end_waiting();
    serve(lsp_ext::LspExt(service), socket, input, output, log, ended).await;
}
