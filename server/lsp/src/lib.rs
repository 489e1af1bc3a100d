#![doc = include_str!("../README.md")]
//!
//! # How it is made
//!
//! The language server, the only place that knows the protocol.
//!
//! Features are functions of the `analysis` crate; here is what the protocol needs around them. A
//! handler converts, asks, and converts back. `backend.rs` registers each of them.
//!
//! Three rules keep it correct. State changes before the first `.await` of a handler, because only
//! that part runs in the order of arrival. A request is answered from the snapshot of the moment
//! when it arrived (`context.rs`). No handler waits for the client: what is told to it goes through
//! `diagnostics.rs` and `refresh.rs`.

// Followers come through a Unix socket; elsewhere, nobody asks for what only they need.
#![cfg_attr(not(unix), allow(dead_code))]

mod ask_preferences;
mod backend;
mod client_capabilities;
mod client_process;
mod context;
mod convert;
mod diagnostics;
mod editor_log;
mod errors;
pub mod followers;
mod gather_code;
mod give_back;
mod handlers;
mod lsp_ext;
mod marks;
mod progress;
mod read_large;
mod refresh;
mod session;
mod transport;
mod units;
mod virtual_uri;
mod watch;
mod watched;
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
pub use crate::transport::in_process::{Embedded, FromServer, Message, uri_of};
use crate::transport::serve::serve;
use crate::transport::stdio;

/// Serves the editor at the other end of stdin and stdout until it says goodbye or goes away.
///
/// `program` starts this program again, before arguments: stores are asked in a process of their
/// own. Empty, it is the executable of this process.
pub fn run(program: &'static [OsString]) -> ExitCode {
    // One thread for all messages: handing each to another thread would cost more than most
    // answers do.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = match runtime {
        Ok(runtime) => runtime,
        Err(error) => {
            log(format_args!("cannot start: {error}"));
            return ExitCode::from(2);
        }
    };
    let said_shutdown = Arc::new(AtomicBool::new(false));
    let shutdown = said_shutdown.clone();
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
    // Not by returning: tokio may have a thread that waits for stdin, which nothing can interrupt.
    runtime.shutdown_background();
    // Threads that wait for git end with this process; git would not.
    end_all_git();
    // An editor that exits without shutdown, or simply vanishes, is told so by the code.
    std::process::exit(i32::from(!said_shutdown.load(Ordering::Relaxed)));
}

/// The editor shows the server's stderr in its log, if it still can.
fn log(line: fmt::Arguments<'_>) {
    let _ = writeln!(io::stderr(), "promptls: {line}");
}

/// Serves an editor at the other end of two streams until it leaves. What it says that is no
/// message is written down in `log`.
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
