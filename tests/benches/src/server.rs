//! A client of the two servers, which busy-waits unless the server should have all processors.

use std::hint;
use std::io::{self, BufReader, Read};
use std::os::fd::AsFd;
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use procfs::process::Process;
use rustix::thread::{CpuSet, Pid, sched_getaffinity, sched_setaffinity};
use serde_json::{Value, json};

use crate::programs::Programs;
use crate::report::Figure;
use crate::wire;

/// A language server on pipes. Killed, by its own id, when this is dropped.
pub struct Server {
    child: Child,
    to: ChildStdin,
    from: BufReader<Awake<ChildStdout>>,
}

impl Server {
    fn start(
        program: &Path,
        arguments: &[&str],
        pipe: fn(ChildStdout) -> Awake<ChildStdout>,
    ) -> Server {
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("the server starts");
        let to = child.stdin.take().expect("it is piped");
        let from = BufReader::new(pipe(child.stdout.take().expect("it is piped")));
        Server { child, to, from }
    }

    /// Starts `promptls lsp` on all processors but the first.
    pub fn promptls(programs: &Programs) -> Server {
        let server = Server::start(&programs.promptls, &["lsp"], Awake::new);
        leave_a_processor_to_us(server.child.id());
        server
    }

    /// The same with all processors, for long operations, compared with which the wake-up time is
    /// negligible.
    pub fn promptls_with_all_processors(programs: &Programs) -> Server {
        Server::start(&programs.promptls, &["lsp"], Awake)
    }

    /// The server that does nothing.
    pub fn empty(programs: &Programs) -> Server {
        let server = Server::start(&programs.empty_server, &[], Awake::new);
        leave_a_processor_to_us(server.child.id());
        server
    }

    /// Sends `initialize` and waits for the response.
    pub fn initialize(&mut self, root: &Path) {
        self.initialize_with(root, json!({ "general": { "positionEncodings": ["utf-8"] } }));
    }

    /// The same for an editor with more capabilities.
    pub fn initialize_with(&mut self, root: &Path, capabilities: Value) {
        let params =
            json!({ "processId": null, "rootUri": uri(root), "capabilities": capabilities });
        self.request("initialize", params);
    }

    /// Sends a request, and waits for the result; `null` if it fails.
    pub fn request(&mut self, method: &str, params: Value) -> Value {
        // One at a time; the server's own requests are distinguished by their method.
        let id = 0;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        loop {
            let mut message = self.read();
            if message["id"] == id && message.get("method").is_none() {
                return message["result"].take();
            }
        }
    }

    /// Sends a request with an id other than 0, and does not wait.
    pub fn send_request(&mut self, id: u64, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
    }

    /// Sends a notification, which has no response.
    pub fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// Waits for the problems of a version of a document; returns their number.
    pub fn wait_for_problems(&mut self, uri: &str, version: u64) -> usize {
        loop {
            let message = self.read();
            let params = &message["params"];
            if message["method"] == "textDocument/publishDiagnostics"
                && params["uri"] == uri
                && params["version"] == version
            {
                return params["diagnostics"].as_array().map_or(0, Vec::len);
            }
        }
    }

    /// The memory of the server.
    pub fn memory(&self) -> Memory {
        let process = Process::new(self.child.id() as i32);
        let status = process.and_then(|process| process.status()).expect("the server runs");
        let bytes = |kib: Option<u64>| Figure::Bytes(kib.unwrap_or_default() * 1024);
        Memory { resident: bytes(status.vmrss), peak: bytes(status.vmhwm) }
    }

    fn send(&mut self, message: &Value) {
        wire::write(&mut self.to, message).expect("the server reads");
    }

    /// The next message. Requests of the server are answered with `null`.
    pub fn read(&mut self) -> Value {
        let message =
            wire::read(&mut self.from).expect("the server writes").expect("the server still runs");
        if message.get("method").is_some()
            && let Some(id) = message.get("id")
        {
            self.send(&json!({ "jsonrpc": "2.0", "id": id, "result": null }));
        }
        message
    }
}

/// The memory of a process, as reported by `/proc`.
pub struct Memory {
    /// The current resident memory, from `VmRSS` in `/proc`.
    pub resident: Figure,
    /// The peak resident memory, from `VmHWM` in `/proc`.
    pub peak: Figure,
}

impl Drop for Server {
    fn drop(&mut self) {
        // Fails if it has already ended, as intended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Keeps a server off the first processor: this client, which never sleeps, stays there. Moving
/// either takes longer than a key press. Without a second processor, both share one.
fn leave_a_processor_to_us(server: u32) {
    let server = Pid::from_raw(server as i32);
    let Ok(mut others) = sched_getaffinity(server) else { return };
    if others.count() > 1
        && let Some(first) = (0..CpuSet::MAX_CPU).find(|&number| others.is_set(number))
    {
        others.unset(first);
        let _ = sched_setaffinity(server, &others);
    }
}

/// A pipe whose reader busy-waits.
///
/// An idle processor goes to sleep after a while, and in a virtual machine, waking it takes longer
/// than a key press. A server that responds just before that would appear several times as fast as
/// one that responds just after.
struct Awake<R>(R);

impl<R: AsFd> Awake<R> {
    fn new(pipe: R) -> Self {
        rustix::io::ioctl_fionbio(&pipe, true).expect("a pipe need not block");
        Awake(pipe)
    }
}

impl<R: Read> Read for Awake<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.0.read(buffer) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => hint::spin_loop(),
                result => return result,
            }
        }
    }
}

/// The URI of a file in the temporary folder, whose path needs no escapes.
pub fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}
