//! The fixed set of addresses; none is looked up on disk.

use std::sync::Arc;

use axum::Router;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{Request, State};
use axum::http::header::{CONTENT_TYPE, HeaderName, HeaderValue};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{any, get};
use tokio::sync::{Semaphore, mpsc, watch};

use super::auth::Gate;
use super::editor::PageRequest;
use super::pages::Pages;
use super::socket::{MAX_MESSAGE, converse};
use crate::preview::{html, page};

/// The maximum number of pages at the same time.
const MAX_PAGES: usize = 64;

#[derive(Clone)]
pub struct Site {
    /// Checks the token and the host of each request.
    pub gate: Gate,
    /// The name of the prompt, for titles.
    pub name: String,
    pub pages: Arc<Pages>,
    /// The queue of requests for the editor.
    pub requests: mpsc::Sender<PageRequest>,
    /// Becomes `true` when the program ends.
    pub end: watch::Receiver<bool>,
}

/// The router for all addresses.
pub fn routes(site: Site) -> Router {
    let places = Arc::new(Semaphore::new(MAX_PAGES));
    let (title, socket) = (site.name.clone(), site.clone());
    let path = |name: &str| format!("{}/{name}", site.gate.path());
    Router::new()
        .route(&path(""), get(async move || text("text/html", html::document(&title))))
        .route(&path("page.js"), get(async || text("text/javascript", page::SCRIPT)))
        .route(&path("page.css"), get(async || text("text/css", page::STYLE)))
        .route(
            &path("socket"),
            any(async move |headers: HeaderMap, upgrade: WebSocketUpgrade| {
                if let Err(code) = socket.gate.check_socket(&headers) {
                    return code.into_response();
                }
                let Ok(place) = places.try_acquire_owned() else {
                    return StatusCode::SERVICE_UNAVAILABLE.into_response();
                };
                let outbox = socket.pages.join();
                let upgrade = upgrade.max_message_size(MAX_MESSAGE).max_frame_size(MAX_MESSAGE);
                upgrade.on_upgrade(async move |it| {
                    converse(it, outbox, socket.requests, socket.end).await;
                    drop(place);
                })
            }),
        )
        .layer(from_fn_with_state(Arc::new(site.gate), guard))
}

fn text(kind: &'static str, text: impl Into<String>) -> Response {
    let kind = format!("{kind}; charset=utf-8");
    ([(CONTENT_TYPE, kind)], text.into()).into_response()
}

/// Rejects unauthenticated requests, and sets security headers.
async fn guard(State(gate): State<Arc<Gate>>, request: Request, next: Next) -> Response {
    let host = gate.host(&request).unwrap_or("127.0.0.1").to_owned();
    let mut response = match gate.check(&request) {
        Ok(()) => next.run(request).await,
        Err(_) if gate.take_ticket(&request) => {
            Redirect::to(&format!("{}/", gate.path())).into_response()
        }
        Err(code) => code.into_response(),
    };
    let policy = format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; \
         connect-src ws://{host}; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
    );
    let headers = response.headers_mut();
    if let Ok(policy) = HeaderValue::from_str(&policy) {
        headers.insert("content-security-policy", policy);
    }
    for (name, value) in [
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
        ("cache-control", "no-store"),
    ] {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    response
}
