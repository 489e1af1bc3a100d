//! Authentication: requests need the token and an address of this machine.
//!
//! The token excludes other users and programs. `Host` and `Origin` exclude web pages that resolve
//! their own name to this machine, or guess the port.
//!
//! All users of a machine can see the address with which a browser was started. That address
//! therefore has a ticket, which opens the page once.

use std::fmt::Write;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::Request;
use axum::http::header::{HOST, ORIGIN};
use axum::http::{HeaderMap, Method, StatusCode};

/// Bytes of the token: 192 bits cannot be guessed.
const SECRET_BYTES: usize = 24;

/// The lifetime of a ticket.
const TICKET: Duration = Duration::from_secs(120);

/// The requirements for a request.
#[derive(Clone, Debug)]
pub struct Gate {
    port: u16,
    token: String,
    ticket: Arc<Mutex<Option<(String, Instant)>>>,
}

impl Gate {
    /// A gate with a new token. Fails if the system has no randomness.
    pub fn new(port: u16) -> Result<Gate, getrandom::Error> {
        Ok(Gate { port, token: secret()?, ticket: Arc::default() })
    }

    /// A single-use address of the page, valid for [`TICKET`].
    pub fn ticket(&self) -> Result<String, getrandom::Error> {
        let ticket = secret()?;
        let address = format!("http://127.0.0.1:{}/{ticket}/", self.port);
        let until = Instant::now() + TICKET;
        *self.ticket.lock().unwrap_or_else(PoisonError::into_inner) = Some((ticket, until));
        Ok(address)
    }

    /// Consumes the ticket if the request has the current one. Returns whether it does.
    pub fn take_ticket(&self, request: &Request) -> bool {
        let mut ticket = self.ticket.lock().unwrap_or_else(PoisonError::into_inner);
        let is_it = |(ticket, until): &mut (String, Instant)| {
            *until >= Instant::now() && is_first(request.uri().path(), ticket)
        };
        request.method() == Method::GET
            && self.host(request).is_some()
            && ticket.take_if(is_it).is_some()
    }

    /// The address of the page.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/{}/", self.port, self.token)
    }

    /// The first component of all paths.
    pub fn path(&self) -> String {
        format!("/{}", self.token)
    }

    /// Accepts a request, or returns the status of its rejection.
    pub fn check(&self, request: &Request) -> Result<(), StatusCode> {
        let host = self.host(request).ok_or(StatusCode::MISDIRECTED_REQUEST)?;
        if !is_first(request.uri().path(), &self.token) {
            return Err(StatusCode::NOT_FOUND);
        }
        // Browsers send `Origin` with all requests except plain loads of their own page.
        match request.headers().get(ORIGIN) {
            Some(origin) if origin.as_bytes() != format!("http://{host}").as_bytes() => {
                Err(StatusCode::FORBIDDEN)
            }
            _ => Ok(()),
        }
    }

    /// Accepts a WebSocket, which must send `Origin`. [`Gate::check`] has already checked the
    /// request.
    pub fn check_socket(&self, headers: &HeaderMap) -> Result<(), StatusCode> {
        match headers.contains_key(ORIGIN) {
            true => Ok(()),
            false => Err(StatusCode::FORBIDDEN),
        }
    }

    /// The `Host` of the request, if it is a name of this machine with this port.
    pub fn host<'r>(&self, request: &'r Request) -> Option<&'r str> {
        let mut hosts = request.headers().get_all(HOST).iter();
        let (Some(host), None) = (hosts.next(), hosts.next()) else { return None };
        let host = host.to_str().ok()?;
        let is_ours = |host: &str| {
            let (name, port) = host.rsplit_once(':').unwrap_or((host, "80"));
            ["127.0.0.1", "localhost"].contains(&name) && port == self.port.to_string()
        };
        let in_line = request.uri().authority().map(|authority| authority.as_str());
        (is_ours(host) && in_line.is_none_or(is_ours)).then_some(host)
    }
}

fn secret() -> Result<String, getrandom::Error> {
    let mut bytes = [0; SECRET_BYTES];
    getrandom::fill(&mut bytes)?;
    let mut secret = String::with_capacity(2 * SECRET_BYTES);
    for byte in bytes {
        // Writing to a string never fails.
        let _ = write!(secret, "{byte:02x}");
    }
    Ok(secret)
}

/// Whether a path starts with a secret. Compares all bytes, so that the time reveals nothing.
fn is_first(path: &str, secret: &str) -> bool {
    let first = path.strip_prefix('/').unwrap_or_default();
    let first = first.split('/').next().unwrap_or_default().as_bytes();
    let pairs = first.iter().zip(secret.as_bytes());
    first.len() == secret.len() && pairs.fold(0, |all, (a, b)| all | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use axum::body::Body;

    use super::*;

    #[test]
    fn requests_need_the_token_and_a_local_origin() {
        let gate = Gate { port: 7000, token: "secret".to_owned(), ticket: Arc::default() };
        let check = |path: &str, headers: &[(&str, &str)]| {
            let mut request = Request::builder().uri(path);
            for (name, value) in headers {
                request = request.header(*name, *value);
            }
            let code = gate.check(&request.body(Body::empty()).unwrap());
            code.map_or_else(|code| code.as_u16(), |()| 200)
        };
        let host = ("host", "127.0.0.1:7000");
        assert_eq!(check("/secret/", &[host]), 200);
        assert_eq!(check("/secret/", &[("host", "localhost:7000")]), 200);
        assert_eq!(check("http://127.0.0.1:7000/secret/", &[host]), 200);
        assert_eq!(check("/secret/", &[host, ("origin", "http://127.0.0.1:7000")]), 200);
        for path in ["/", "/Secret/", "/secre/", "/secrets/", "//secret/", "/%73ecret/"] {
            assert_eq!(check(path, &[host]), 404, "{path}");
        }
        for name in
            ["127.0.0.1", "127.0.0.1:80", "evil.example:7000", "127.0.0.1:7000.evil.example"]
        {
            assert_eq!(check("/secret/", &[("host", name)]), 421, "{name}");
        }
        assert_eq!(check("/secret/", &[]), 421);
        assert_eq!(check("/secret/", &[host, host]), 421);
        assert_eq!(check("http://evil.example/secret/", &[host]), 421);
        for origin in
            ["http://evil.example", "null", "https://127.0.0.1:7000", "http://localhost:7000"]
        {
            assert_eq!(check("/secret/", &[host, ("origin", origin)]), 403, "{origin}");
        }
    }

    #[test]
    fn a_ticket_is_valid_once() {
        let gate = Gate::new(7000).unwrap();
        let ticket = gate.ticket().unwrap();
        let request = |method: &str, host: &str| {
            let request = Request::builder().method(method).uri(&*ticket).header("host", host);
            request.body(Body::empty()).unwrap()
        };
        assert!(!gate.take_ticket(&request("GET", "evil.example:7000")));
        assert!(!gate.take_ticket(&request("HEAD", "127.0.0.1:7000")));
        assert!(gate.take_ticket(&request("GET", "127.0.0.1:7000")));
        assert!(!gate.take_ticket(&request("GET", "127.0.0.1:7000")));
        assert!(!gate.take_ticket(&Request::new(Body::empty())));
    }

    #[test]
    fn tokens_are_unique() {
        let [a, b] = [Gate::new(1).unwrap(), Gate::new(1).unwrap()];
        assert_eq!(a.token.len(), 48);
        assert_ne!(a.token, b.token);
    }
}
