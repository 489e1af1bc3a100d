//! Who may ask: only pages that know the token, and only under an address of this machine.
//!
//! The token keeps out other users and other programs. `Host` and `Origin` keep out web
//! pages that have their name lead to this machine, or that guess the port.
//!
//! Everybody on a machine may see with which address a browser was started. So that one
//! has a ticket, which leads to the page once.

use std::fmt::Write;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::Request;
use axum::http::header::{HOST, ORIGIN};
use axum::http::{HeaderMap, Method, StatusCode};

/// Bytes of the token: nobody guesses 192 bits.
const SECRET_BYTES: usize = 24;

/// How long a ticket may be used.
const TICKET: Duration = Duration::from_secs(120);

/// What a request must say.
#[derive(Clone, Debug)]
pub struct Gate {
    port: u16,
    token: String,
    ticket: Arc<Mutex<Option<(String, Instant)>>>,
}

impl Gate {
    /// A gate with a new token. Fails where the system has no randomness to give.
    pub fn new(port: u16) -> Result<Gate, getrandom::Error> {
        Ok(Gate { port, token: secret()?, ticket: Arc::default() })
    }

    /// An address that leads to the page once, and not for long.
    pub fn ticket(&self) -> Result<String, getrandom::Error> {
        let ticket = secret()?;
        let address = format!("http://127.0.0.1:{}/{ticket}/", self.port);
        let until = Instant::now() + TICKET;
        *self.ticket.lock().unwrap_or_else(PoisonError::into_inner) = Some((ticket, until));
        Ok(address)
    }

    /// Takes the ticket of a request, if it has the one that there is.
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

    /// The first part of all paths.
    pub fn path(&self) -> String {
        format!("/{}", self.token)
    }

    /// Lets a request in, or says why not.
    pub fn check(&self, request: &Request) -> Result<(), StatusCode> {
        let host = self.host(request).ok_or(StatusCode::MISDIRECTED_REQUEST)?;
        if !is_first(request.uri().path(), &self.token) {
            return Err(StatusCode::NOT_FOUND);
        }
        // Browsers send it with all but plain loads of their own page.
        match request.headers().get(ORIGIN) {
            Some(origin) if origin.as_bytes() != format!("http://{host}").as_bytes() => {
                Err(StatusCode::FORBIDDEN)
            }
            _ => Ok(()),
        }
    }

    /// Lets a page talk to us: it must say where it comes from. [`Gate::check`] has seen the
    /// request.
    pub fn check_socket(&self, headers: &HeaderMap) -> Result<(), StatusCode> {
        match headers.contains_key(ORIGIN) {
            true => Ok(()),
            false => Err(StatusCode::FORBIDDEN),
        }
    }

    /// The name that the request has for us, if it is one of ours.
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
        // Writing to a string does not fail.
        let _ = write!(secret, "{byte:02x}");
    }
    Ok(secret)
}

/// Whether a path starts with a secret. All of it is compared, so that the time it takes tells
/// nothing.
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
    fn only_who_has_the_token_and_comes_from_here_is_let_in() {
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
    fn a_ticket_is_good_once() {
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
    fn no_two_tokens_are_the_same() {
        let [a, b] = [Gate::new(1).unwrap(), Gate::new(1).unwrap()];
        assert_eq!(a.token.len(), 48);
        assert_ne!(a.token, b.token);
    }
}
