//! Accepts connections. Their number is limited, and a connection without a request is closed:
//! otherwise any client that reaches the port could occupy all of them.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::serve::Listener;
use hyper::server::conn::http1::Builder;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

/// The maximum number of connections; further ones wait. The WebSockets of pages do not count.
const MAX_CONNECTIONS: u32 = 64;

/// The time within which a request, or the next one, must arrive.
const PATIENCE: Duration = Duration::from_secs(5);

/// Answers requests until `end` becomes `true`, then finishes those in progress.
pub async fn serve(mut listener: TcpListener, site: Router, mut end: watch::Receiver<bool>) {
    let places = Arc::new(Semaphore::new(MAX_CONNECTIONS as usize));
    loop {
        let taken = tokio::select! {
            () = over(&mut end) => break,
            taken = take(&mut listener, &places) => taken,
        };
        let Some((stream, place)) = taken else { break };
        let (site, end) = (site.clone(), end.clone());
        tokio::spawn(async move {
            answer(stream, site, end).await;
            drop(place);
        });
    }
    drop(listener);
    // All permits are free once no connection is left.
    let _ = places.acquire_many(MAX_CONNECTIONS).await;
}

/// The next connection, once a permit is free.
async fn take(
    listener: &mut TcpListener,
    places: &Arc<Semaphore>,
) -> Option<(TcpStream, OwnedSemaphorePermit)> {
    let place = places.clone().acquire_owned().await.ok()?;
    let (stream, _) = Listener::accept(listener).await;
    // A failure only costs some latency.
    let _ = stream.set_nodelay(true);
    Some((stream, place))
}

/// Answers the requests on a connection. A client that disconnects gets no response.
async fn answer(stream: TcpStream, site: Router, mut end: watch::Receiver<bool>) {
    let mut http = Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(PATIENCE);
    let service = TowerToHyperService::new(site);
    let connection = http.serve_connection(TokioIo::new(stream), service).with_upgrades();
    let mut connection = pin!(connection);
    let is_over = tokio::select! {
        _ = connection.as_mut() => false,
        () = over(&mut end) => true,
    };
    if is_over {
        connection.as_mut().graceful_shutdown();
        let _ = connection.await;
    }
}

async fn over(end: &mut watch::Receiver<bool>) {
    // Fails if the sender is gone, which is the end as well.
    let _ = end.wait_for(|end| *end).await;
}
