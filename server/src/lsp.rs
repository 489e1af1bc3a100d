//! `promptls lsp`: the language server, the only place that knows the protocol.
//!
//! Features are functions of the `analysis` crate; here is what the protocol needs
//! around them. A handler converts, asks, and converts back.
//!
//! Three rules keep it correct. State changes before the first `.await` of a
//! handler, because only that part runs in the order of arrival. A question is
//! answered from the snapshot of the moment it was asked. No handler waits for the
//! editor: what is told to it goes through the [`publisher`].

mod abilities;
mod backend;
mod commands;
mod compare;
mod convert;
mod copied;
mod disk;
mod document;
mod documents;
mod edits;
mod embedded;
mod features;
mod frames;
mod moment;
mod newer;
mod overlay;
mod pages;
mod peers;
mod preferences;
mod preview;
mod publisher;
mod refresher;
mod relatives;
mod size;
mod stdio;
mod units;

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tower_lsp::{Client, ClientSocket, LspService, Server};

use backend::Backend;
pub use embedded::{Asked, Embedded, Questions, uri_of};

/// How many requests may be under way at once. Far more than editors send: the limit must never
/// keep a change or a cancellation waiting behind slow answers.
const CONCURRENCY: usize = 256;

/// The server, and what it says by itself.
fn service(backend: impl FnOnce(Client) -> Backend) -> (LspService<Backend>, ClientSocket) {
    LspService::build(backend)
        .custom_method(frames::UNREADABLE, Backend::unreadable)
        .custom_method("promptls/preview", Backend::preview)
        .custom_method("promptls/size", Backend::size)
        .custom_method("promptls/compare", Backend::compare)
        .custom_method("promptls/inputs", Backend::inputs)
        .custom_method("promptls/cases", Backend::cases)
        .custom_method("promptls/cursor", Backend::cursor)
        .custom_method("promptls/values", Backend::values)
        .custom_method(pages::CONTENT, Backend::page)
        .finish()
}

/// Serves the editor at the other end of stdin and stdout until it says goodbye or goes away.
pub fn run() -> ExitCode {
    // One thread for all messages: handing each to another thread would cost more than most
    // answers do.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = match runtime {
        Ok(runtime) => runtime,
        Err(error) => {
            eprintln!("promptls: cannot start: {error}");
            return ExitCode::from(2);
        }
    };
    let said_shutdown = Arc::new(AtomicBool::new(false));
    let shutdown = said_shutdown.clone();
    let ended = runtime.block_on(async move {
        let (stdin, stdout) = stdio::stdio();
        let frames = frames::Frames::new(stdin);
        let ended = frames.ended();
        let (service, socket) = service(|client| Backend::new(client, shutdown));
        #[cfg(unix)]
        let _listening = peers::listen(service.inner().shared());
        let server = Server::new(frames, stdout, socket).concurrency_level(CONCURRENCY);
        server.serve(newer::Newer(service)).await;
        ended.load(Ordering::Relaxed)
    });
    // Not by returning: tokio may have a thread that waits for stdin, which nothing can interrupt.
    runtime.shutdown_background();
    // An editor that exits without saying shutdown, or simply vanishes, is told so by the code.
    let clean = said_shutdown.load(Ordering::Relaxed) && !ended;
    std::process::exit(i32::from(!clean && !said_shutdown.load(Ordering::Relaxed)));
}
