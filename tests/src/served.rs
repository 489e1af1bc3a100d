//! The preview in the browser, and its pages without a browser.
//!
//! [`Served`] runs `promptls preview --serve`. A [`Page`] sends the same WebSocket messages as the
//! page in the browser; [`Served::http`] sends arbitrary requests.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::process::Command;
use std::time::Instant;

use serde_json::{Value, json};
use tungstenite::client::IntoClientRequest;
use tungstenite::handshake::client::Request;
use tungstenite::{Error, Message, WebSocket};

use crate::binary::promptls_path;
use crate::client::Transport;
#[cfg(unix)]
use crate::editor::Ended;
use crate::limit::LIMIT;
use crate::process::Process;
use crate::workspace::Workspace;

/// A preview served to browsers.
pub struct Served {
    /// The process ends when this is dropped.
    #[cfg_attr(not(unix), expect(dead_code, reason = "only Unix has Ctrl-C for it"))]
    process: Process,
    address: String,
}

impl Served {
    /// Serves a prompt of a workspace; the other arguments follow it.
    ///
    /// # Panics
    ///
    /// If it does not start.
    #[track_caller]
    pub fn start(workspace: &Workspace, prompt: &str, arguments: &[&str]) -> Served {
        Served::start_in(workspace, prompt, &[&["--no-open"], arguments].concat(), &[])
    }

    /// The same with these environment variables, which set the browser.
    #[track_caller]
    pub fn start_in(
        workspace: &Workspace,
        prompt: &str,
        arguments: &[&str],
        variables: &[(&str, &str)],
    ) -> Served {
        let mut command = Command::new(promptls_path());
        command.args(["preview", prompt, "--serve"]).args(arguments);
        command.envs(variables.iter().copied());
        command.env_remove("RUST_LOG").current_dir(workspace.root());
        command.env("XDG_RUNTIME_DIR", workspace.runtime_folder());
        let (process, ends) = Process::start(command, Transport::Pipes).expect("it starts");
        let mut line = String::new();
        let read = BufReader::new(ends.from_server).read_line(&mut line);
        let address = line.trim_end().to_owned();
        assert!(
            read.is_ok() && address.ends_with('/'),
            "no address: {line:?}; {}",
            process.stderr()
        );
        Served { process, address }
    }

    /// The address of the page.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Host and port, such as `127.0.0.1:7000`.
    pub fn host(&self) -> &str {
        self.address.split('/').nth(2).expect("an address has a host")
    }

    /// The path of another resource of the page.
    pub fn path(&self, name: &str) -> String {
        let token = self.address.split('/').nth(3).expect("an address has a path");
        format!("/{token}/{name}")
    }

    /// Sends the head of a request verbatim, line ends included, and reads the response to its end.
    ///
    /// # Panics
    ///
    /// If there is no connection.
    #[track_caller]
    pub fn http(&self, head: &str) -> String {
        let mut stream = self.connect();
        let head = head.replace('\n', "\r\n") + "connection: close\r\n\r\n";
        stream.write_all(head.as_bytes()).expect("a request can be sent");
        let mut answer = Vec::new();
        // A server that rejects a request may truncate the response.
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// Opens a connection, and sends this text.
    ///
    /// # Panics
    ///
    /// If there is no connection.
    #[track_caller]
    pub fn open_with(&self, start: &str) -> TcpStream {
        let mut stream = self.connect();
        stream.write_all(start.as_bytes()).expect("it can be sent");
        stream
    }

    /// Requests a path as the browser does.
    #[track_caller]
    pub fn get(&self, path: &str) -> String {
        self.http(&format!("GET {path} HTTP/1.1\nhost: {}\n", self.host()))
    }

    #[track_caller]
    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.host()).expect("the page listens");
        stream.set_read_timeout(Some(LIMIT)).expect("a limit can be set");
        stream
    }

    /// Whether the address accepts connections.
    pub fn listens(&self) -> bool {
        TcpStream::connect(self.host()).is_ok()
    }

    /// A page that has started.
    #[track_caller]
    pub fn page(&self) -> Page {
        let mut page = self.silent_page();
        page.start = page.request("page/start", Value::Null);
        page
    }

    /// A page that has sent no message yet.
    #[track_caller]
    pub fn silent_page(&self) -> Page {
        let socket = self.open_socket(|_| ()).expect("a page can connect");
        Page { socket, last_id: 0, notifications: VecDeque::new(), start: Value::Null }
    }

    /// Opens a WebSocket with a request that differs from those of pages; the status code if it is
    /// rejected.
    pub fn open_socket(
        &self,
        change: impl FnOnce(&mut Request),
    ) -> Result<WebSocket<TcpStream>, u16> {
        let host = self.host();
        let request = format!("ws://{host}{}", self.path("socket"));
        let mut request = request.into_client_request().expect("it is an address");
        let origin = format!("http://{host}").parse().expect("it is a header");
        request.headers_mut().insert("origin", origin);
        change(&mut request);
        match tungstenite::client(request, self.connect()) {
            Ok((socket, _)) => Ok(socket),
            Err(tungstenite::HandshakeError::Failure(Error::Http(answer))) => {
                Err(answer.status().as_u16())
            }
            Err(error) => panic!("no WebSocket: {error}"),
        }
    }

    /// Ends the process as Ctrl-C does.
    ///
    /// # Panics
    ///
    /// If it does not end in time, or has panicked.
    #[cfg(unix)]
    #[track_caller]
    pub fn interrupt(&mut self) -> Ended {
        self.process.interrupt();
        let status = self.process.wait(LIMIT).expect("it ends");
        let stderr = self.process.stderr();
        assert!(!stderr.contains("panicked at"), "{stderr}");
        Ended { code: status.code(), stderr }
    }
}

/// A client of the page, connected with a WebSocket.
pub struct Page {
    socket: WebSocket<TcpStream>,
    last_id: u64,
    notifications: VecDeque<(String, Value)>,
    /// The response to its first request.
    pub start: Value,
}

impl Page {
    /// The URI of the prompt in front.
    #[track_caller]
    pub fn front(&self) -> &str {
        self.start["front"]["uri"].as_str().expect("there is a prompt in front")
    }

    /// Sends a request, and waits for the result.
    #[track_caller]
    pub fn request(&mut self, method: &str, params: Value) -> Value {
        let answer = self.try_request(method, params);
        answer.unwrap_or_else(|message| panic!("{method} was refused: {message}"))
    }

    /// Sends a request, and waits for the result or the message of an error.
    #[track_caller]
    pub fn try_request(&mut self, method: &str, params: Value) -> Result<Value, String> {
        self.last_id += 1;
        let id = self.last_id;
        self.send(json!({ "id": id, "method": method, "params": params }).to_string());
        loop {
            let mut message = self.receive().expect("the preview is there");
            if message["id"] == json!(id) {
                return match message["error"]["message"].as_str() {
                    Some(error) => Err(error.to_owned()),
                    None => Ok(message["result"].take()),
                };
            }
            self.keep(message);
        }
    }

    /// The preview of the prompt in front.
    #[track_caller]
    pub fn preview(&mut self) -> Value {
        let params = json!({ "textDocument": { "uri": self.front() } });
        self.request("promptls/preview", params)
    }

    /// Waits until the preview has this text, as a page does: it sends another request after each
    /// notification.
    #[track_caller]
    pub fn wait_for_text(&mut self, text: &str) {
        let deadline = Instant::now() + LIMIT;
        loop {
            let now = self.preview();
            if now["text"] == json!(text) {
                return;
            }
            assert!(Instant::now() < deadline, "the text is {}, not {text:?}", now["text"]);
            self.wait_for("promptls/previewChanged");
        }
    }

    /// Waits for the next notification with this method; returns its params.
    #[track_caller]
    pub fn wait_for(&mut self, method: &str) -> Value {
        loop {
            if let Some(index) = self.notifications.iter().position(|(name, _)| name == method) {
                let (_, params) = self.notifications.remove(index).expect("it was just there");
                return params;
            }
            let message = self.receive().unwrap_or_else(|| panic!("no {method}: it has ended"));
            self.keep(message);
        }
    }

    /// Waits for a notification with this method and these params.
    #[track_caller]
    pub fn wait_for_params(&mut self, method: &str, params: &Value) {
        let deadline = Instant::now() + LIMIT;
        loop {
            let told = self.wait_for(method);
            if told == *params {
                return;
            }
            assert!(Instant::now() < deadline, "the last {method} says {told}");
        }
    }

    /// The next response, to any request.
    #[track_caller]
    pub fn next_answer(&mut self) -> Value {
        loop {
            let message = self.receive().expect("the preview is there");
            if message["method"].is_null() {
                return message;
            }
            self.keep(message);
        }
    }

    /// Sends a text, which need not be a valid message.
    #[track_caller]
    pub fn send(&mut self, text: String) {
        self.socket.send(Message::text(text)).expect("a page can send");
    }

    /// Sends a text that may be rejected, and waits for the end of the connection.
    #[track_caller]
    pub fn send_and_be_left(mut self, text: String) {
        let _ = self.socket.send(Message::text(text));
        while self.receive().is_some() {}
    }

    /// Waits for the end of the connection.
    #[track_caller]
    pub fn wait_for_end(mut self) {
        while self.receive().is_some() {}
    }

    fn keep(&mut self, mut message: Value) {
        if let Some(method) = message["method"].as_str() {
            self.notifications.push_back((method.to_owned(), message["params"].take()));
        }
    }

    /// The next message; `None` at the end.
    #[track_caller]
    fn receive(&mut self) -> Option<Value> {
        loop {
            match self.socket.read() {
                Ok(Message::Text(text)) => {
                    return Some(serde_json::from_str(&text).expect("it says JSON"));
                }
                Ok(Message::Close(_)) => return None,
                Ok(_) => {}
                Err(Error::Io(error)) if error.kind() == ErrorKind::WouldBlock => {
                    panic!("nothing more is said")
                }
                Err(_) => return None,
            }
        }
    }
}
