//! A server with Langfuse's prompt API, which can simulate failures.
//!
//! It behaves as the API is documented: a new version gets the next number, a label belongs to one
//! version, `latest` to the newest one. A request without a label or version gets `production`.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use percent_encoding::percent_decode_str;
use serde_json::{Value, json};

/// The public key that the server accepts.
pub const PUBLIC_KEY: &str = "pk-lf-test";
/// The secret key that the server accepts.
pub const SECRET_KEY: &str = "sk-lf-secret";

/// Both keys in the form of a request header.
const AUTHORIZATION: &str = "Basic cGstbGYtdGVzdDpzay1sZi1zZWNyZXQ=";

/// A running server. It ends with the process of the test.
#[derive(Clone, Debug)]
pub struct Langfuse {
    address: SocketAddr,
    state: Arc<Mutex<State>>,
}

/// A failure instead of a response.
#[derive(Clone, Debug)]
pub enum Fault {
    /// Sends these bytes, and closes the connection.
    Raw(Vec<u8>),
    /// Sends nothing until the client closes the connection.
    Silence,
    /// Sends a body without end, until the client disconnects; announces 1 GB if `says_so`.
    Huge {
        /// Whether the length is announced.
        says_so: bool,
    },
}

impl Fault {
    /// A response with this status, these headers (each with its line end) and this body.
    pub fn answer(status: &str, headers: &str, body: &str) -> Fault {
        Fault::Raw(answer(status, headers, body).into_bytes())
    }

    /// The first half of a valid response.
    pub fn cut() -> Fault {
        let whole = answer("200 OK", "", &"x".repeat(1000));
        Fault::Raw(whole.as_bytes()[..whole.len() / 2].to_vec())
    }
}

/// A request that the store received.
#[derive(Clone, Debug)]
pub struct Request {
    /// The method, such as `GET`.
    pub method: String,
    /// The path and the query, verbatim.
    pub target: String,
    /// All its headers, a line each.
    pub headers: String,
    /// Its body as JSON; null without a valid one.
    pub body: Value,
}

#[derive(Debug, Default)]
struct State {
    prompts: BTreeMap<String, Vec<Value>>,
    faults: VecDeque<Fault>,
    requests: Vec<Request>,
    /// The number of bytes of huge bodies that were sent.
    sent: usize,
}

impl Langfuse {
    /// Starts a server without any prompts.
    ///
    /// # Panics
    ///
    /// If no port is free.
    #[expect(clippy::new_without_default, reason = "a server is started, not made up")]
    pub fn new() -> Langfuse {
        let listener = TcpListener::bind("127.0.0.1:0").expect("there is a free port");
        let address = listener.local_addr().expect("it listens");
        let server = Langfuse { address, state: Arc::default() };
        let clone = server.clone();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let server = clone.clone();
                // Errors of closed connections are ignored.
                thread::spawn(move || server.serve(&stream));
            }
        });
        server
    }

    /// The URL of the server.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Adds a version to a text prompt.
    pub fn add(&self, name: &str, text: &str, labels: &[&str]) {
        self.add_json(json!({"type": "text", "name": name, "prompt": text, "labels": labels}));
    }

    /// Adds a version from the JSON of a request.
    pub fn add_json(&self, version: Value) -> Value {
        let mut state = self.state();
        let name = version["name"].as_str().expect("it has a name").to_owned();
        let versions = state.prompts.entry(name).or_default();
        let mut version = version;
        version["version"] = json!(versions.len() + 1);
        let labels = version["labels"].as_array().cloned().unwrap_or_default();
        for other in versions.iter_mut() {
            let stay = |label: &&Value| !labels.contains(label);
            let left: Vec<Value> =
                other["labels"].as_array().into_iter().flatten().filter(stay).cloned().collect();
            other["labels"] = json!(left);
        }
        version["labels"] = json!(labels);
        versions.push(version.clone());
        version
    }

    /// The newest version of a prompt.
    pub fn newest(&self, name: &str) -> Option<Value> {
        self.state().prompts.get(name)?.last().cloned()
    }

    /// Makes the next request fail; further faults apply to the requests after it, in order.
    pub fn fail(&self, fault: Fault) {
        self.state().faults.push_back(fault);
    }

    /// The requests since the last call.
    pub fn requests(&self) -> Vec<Request> {
        std::mem::take(&mut self.state().requests)
    }

    /// The number of bytes of huge bodies that were sent.
    pub fn sent(&self) -> usize {
        self.state().sent
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Responds to one request, and closes the connection.
    fn serve(&self, stream: &TcpStream) -> io::Result<()> {
        let Some(request) = read_request(stream)? else { return Ok(()) };
        let fault = {
            let mut state = self.state();
            state.requests.push(request.clone());
            state.faults.pop_front()
        };
        let mut to = stream;
        match fault {
            None => {
                let (status, body) = self.answer(&request);
                let body = if body.is_null() { String::new() } else { body.to_string() };
                to.write_all(answer(status, "", &body).as_bytes())
            }
            Some(Fault::Raw(bytes)) => to.write_all(&bytes),
            Some(Fault::Silence) => to.read_to_end(&mut Vec::new()).map(|_| ()),
            Some(Fault::Huge { says_so }) => {
                const GIGABYTE: usize = 1 << 30;
                let length = match says_so {
                    true => format!("Content-Length: {GIGABYTE}\r\n"),
                    false => String::new(),
                };
                to.write_all(
                    format!("HTTP/1.1 200 OK\r\n{length}Connection: close\r\n\r\n").as_bytes(),
                )?;
                let piece = [b' '; 64 << 10];
                for _ in 0..GIGABYTE / piece.len() {
                    to.write_all(&piece)?;
                    self.state().sent += piece.len();
                }
                Ok(())
            }
        }
    }

    fn answer(&self, request: &Request) -> (&'static str, Value) {
        if !request.headers.lines().any(|line| line.ends_with(AUTHORIZATION)) {
            return ("401 Unauthorized", json!({"message": "Invalid credentials."}));
        }
        // Requests to a proxy contain the whole URL.
        let target = match request.target.strip_prefix("http://") {
            Some(rest) => &rest[rest.find('/').unwrap_or(rest.len())..],
            None => &request.target,
        };
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let query: BTreeMap<String, String> =
            query.split('&').filter_map(|it| it.split_once('=')).map(decode_pair).collect();
        let not_found = ("404 Not Found", json!({"message": "Prompt not found"}));
        let Some(rest) = path.strip_prefix("/api/public/v2/prompts") else { return not_found };
        let name = decode(rest.trim_start_matches('/'));
        match (&*request.method, &*name) {
            ("GET", "") => ("200 OK", self.list(&query)),
            ("POST", "") => ("201 Created", self.add_json(request.body.clone())),
            ("GET", name) => match self.find(name, &query) {
                Some(version) => ("200 OK", version),
                None => not_found,
            },
            ("DELETE", name) => match self.delete(name, &query) {
                true => ("204 No Content", Value::Null),
                false => not_found,
            },
            _ => ("405 Method Not Allowed", Value::Null),
        }
    }

    fn find(&self, name: &str, query: &BTreeMap<String, String>) -> Option<Value> {
        let state = self.state();
        let versions = state.prompts.get(name)?;
        is_meant_in(versions, query).into_iter().next_back().cloned()
    }

    fn delete(&self, name: &str, query: &BTreeMap<String, String>) -> bool {
        let mut state = self.state();
        let Some(versions) = state.prompts.get_mut(name) else { return false };
        let gone: Vec<Value> = match query.is_empty() {
            true => versions.clone(),
            false => is_meant_in(versions, query).into_iter().cloned().collect(),
        };
        versions.retain(|version| !gone.contains(version));
        if versions.is_empty() {
            state.prompts.remove(name);
        }
        !gone.is_empty()
    }

    fn list(&self, query: &BTreeMap<String, String>) -> Value {
        let number = |key: &str, usual| query.get(key).map_or(usual, |it| it.parse().unwrap_or(1));
        let (page, limit) = (number("page", 1), number("limit", 10));
        let state = self.state();
        let all: Vec<Value> = state
            .prompts
            .iter()
            .map(|(name, versions)| {
                let numbers: Vec<&Value> =
                    versions.iter().map(|version| &version["version"]).collect();
                let labels: BTreeSet<&str> = versions
                    .iter()
                    .flat_map(|version| version["labels"].as_array().into_iter().flatten())
                    .filter_map(Value::as_str)
                    .chain(["latest"])
                    .collect();
                json!({"name": name, "type": "text", "versions": numbers, "labels": labels,
                       "tags": [], "lastConfig": {}, "lastUpdatedAt": "2026-01-01T00:00:00Z"})
            })
            .collect();
        let data: Vec<&Value> = all.iter().skip((page - 1) * limit).take(limit).collect();
        let pages = all.len().div_ceil(limit);
        json!({"data": data, "meta":
            {"page": page, "limit": limit, "totalItems": all.len(), "totalPages": pages}})
    }
}

/// The versions that match a query.
fn is_meant_in<'v>(versions: &'v [Value], query: &BTreeMap<String, String>) -> Vec<&'v Value> {
    if let Some(number) = query.get("version") {
        let number = number.parse::<u64>().ok();
        return versions.iter().filter(|it| it["version"].as_u64() == number).collect();
    }
    match query.get("label").map_or("production", String::as_str) {
        "latest" => versions.last().into_iter().collect(),
        label => {
            let has = |it: &&Value| {
                it["labels"].as_array().is_some_and(|labels| labels.contains(&json!(label)))
            };
            versions.iter().filter(has).collect()
        }
    }
}

fn decode(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

fn decode_pair((key, value): (&str, &str)) -> (String, String) {
    (decode(key), decode(&value.replace('+', " ")))
}

fn answer(status: &str, headers: &str, body: &str) -> String {
    format!(
        "HTTP/1.1 {status}\r\n{headers}Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    )
}

fn read_request(stream: &TcpStream) -> io::Result<Option<Request>> {
    let mut reader = BufReader::new(stream);
    let mut first = String::new();
    reader.read_line(&mut first)?;
    let mut words = first.split_whitespace();
    let (Some(method), Some(target)) = (words.next(), words.next()) else { return Ok(None) };
    let (mut headers, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 || line.trim().is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().unwrap_or(0);
        }
        headers.push_str(&line.replace("\r\n", "\n"));
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let body = serde_json::from_slice(&body).unwrap_or_default();
    let (method, target) = (method.to_owned(), target.to_owned());
    Ok(Some(Request { method, target, headers, body }))
}
