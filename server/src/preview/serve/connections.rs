//! Taking connections. There are only so many at once, and none of them may be held without a
//! request: whoever can reach the port could keep all of them.

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

/// How many connections there are at most. Further ones wait. Pages have left HTTP behind, and
/// do not count.
const MAX_CONNECTIONS: u32 = 64;

/// How long a request, or the next one, may take to arrive.
const PATIENCE: Duration = Duration::from_secs(5);

/// Answers requests until `end` becomes `true`, and then those that are under way.
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
    // All places are free once nobody has one.
    let _ = places.acquire_many(MAX_CONNECTIONS).await;
}

/// The next connection, once there is a place for it.
async fn take(
    listener: &mut TcpListener,
    places: &Arc<Semaphore>,
) -> Option<(TcpStream, OwnedSemaphorePermit)> {
    let place = places.clone().acquire_owned().await.ok()?;
    let (stream, _) = Listener::accept(listener).await;
    // It only costs a little time if it fails.
    let _ = stream.set_nodelay(true);
    Some((stream, place))
}

/// Answers the requests on a connection. Who breaks off has no answer.
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
    // It fails where nobody can say so any more, which is the end as well.
    let _ = end.wait_for(|end| *end).await;
}
