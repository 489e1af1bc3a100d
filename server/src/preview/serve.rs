//! `promptls preview --serve`: a page in the browser, for this machine only.
//!
//! [`connections`] accepts requests, [`auth`] authenticates them, [`routes`] defines the addresses.
//! [`socket`] handles one page, and [`editor`] executes the requests of all pages.

mod auth;
mod connections;
mod editor;
mod pages;
mod routes;
mod socket;
mod texts;

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::{mpsc, watch};
use tokio::time::timeout;

use self::auth::Gate;
use self::editor::Editor;
use self::pages::Pages;
use self::routes::{Site, routes};
use crate::args::PreviewArgs;
use crate::errors::CommandError;
use crate::output::terminal;

/// The capacity of the request queue; when it is full, pages wait.
const MAX_QUEUED: usize = 64;

/// The time that pages have to close their connection.
const GOODBYE: Duration = Duration::from_secs(2);

/// Serves the page until the program is interrupted.
pub fn run(args: &PreviewArgs) -> Result<ExitCode, CommandError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| not_served(format!("cannot start: {error}")))?;
    let outcome = runtime.block_on(serve(args));
    // Does not wait for a thread that still computes a response.
    runtime.shutdown_background();
    outcome
}

async fn serve(args: &PreviewArgs) -> Result<ExitCode, CommandError> {
    let pages = Arc::<Pages>::default();
    let editor = Editor::open(&args.prompt, pages.clone()).await?;
    let listener = listen(args.port.unwrap_or(0)).await?;
    let port = listener.local_addr()?.port();
    let gate = Gate::new(port);
    let gate = gate.map_err(|error| not_served(format!("cannot generate the secret: {error}")))?;
    let address = gate.address();
    let ticket = if args.no_open { None } else { gate.ticket().ok() };

    let ended = super::shutdown::ended()?;
    let (end_sender, end) = watch::channel(false);
    let (requests, taken) = mpsc::channel(MAX_QUEUED);
    let name = args.prompt.prompt.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let site = Site { gate, name, pages, requests, end: end.clone() };
    let editor = tokio::spawn(editor.run(taken));
    let server = tokio::spawn(connections::serve(listener, routes(site), end));

    // Printed before the address, so that output with the address shows whether a browser started.
    if let Some(ticket) = ticket
        && let Err(error) = open::that_detached(ticket)
    {
        terminal::complain(&format!("promptls: cannot open a browser ({error}); the address is"));
    }
    terminal::print(&format!("{address}\n"))?;
    ended.await;
    let _ = end_sender.send(true);
    let _ = timeout(GOODBYE, server).await;
    editor.abort();
    Ok(ExitCode::SUCCESS)
}

/// Listens on the loopback address only.
async fn listen(port: u16) -> Result<TcpListener, CommandError> {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    TcpListener::bind(address).await.map_err(|error| match error.kind() {
        io::ErrorKind::AddrInUse => not_served(format!(
            "port {port} is in use; choose another one with --port, or omit it for any free port"
        )),
        io::ErrorKind::PermissionDenied => {
            not_served(format!("port {port} needs special permission; choose one above 1023"))
        }
        _ => not_served(format!("cannot listen on {address}: {error}")),
    })
}

fn not_served(reason: String) -> CommandError {
    CommandError::NotServed(reason)
}
