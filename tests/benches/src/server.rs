//! A client of the two servers, which does not sleep unless the server is to have all processors.

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

    /// `promptls lsp`.
    pub fn promptls(programs: &Programs) -> Server {
        let server = Server::start(&programs.promptls, &["lsp"], Awake::new);
        leave_a_processor_to_us(server.child.id());
        server
    }

    /// The same with all processors, for what takes so long that waking up is nothing beside it.
    pub fn promptls_with_all_processors(programs: &Programs) -> Server {
        Server::start(&programs.promptls, &["lsp"], Awake)
    }

    /// The one that does nothing.
    pub fn empty(programs: &Programs) -> Server {
        let server = Server::start(&programs.empty_server, &[], Awake::new);
        leave_a_processor_to_us(server.child.id());
        server
    }

    /// Sends `initialize` and waits for its answer.
    pub fn initialize(&mut self, root: &Path) {
        self.initialize_with(root, json!({ "general": { "positionEncodings": ["utf-8"] } }));
    }

    /// The same as an editor that can do more.
    pub fn initialize_with(&mut self, root: &Path, capabilities: Value) {
        let params =
            json!({ "processId": null, "rootUri": uri(root), "capabilities": capabilities });
        self.request("initialize", params);
    }

    /// Asks for something, and waits for the result; `null` if it is refused.
    pub fn request(&mut self, method: &str, params: Value) -> Value {
        // One at a time, and the server's own are told by their method.
        let id = 0;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        loop {
            let mut message = self.read();
            if message["id"] == id && message.get("method").is_none() {
                return message["result"].take();
            }
        }
    }

    /// Asks for something by a number other than 0, and does not wait.
    pub fn ask(&mut self, id: u64, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
    }

    /// Tells it that something has happened.
    pub fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// Waits for the problems of a version of a document; returns how many there are.
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

    /// Memory that it holds.
    pub fn memory(&self) -> Memory {
        let process = Process::new(self.child.id() as i32);
        let status = process.and_then(|process| process.status()).expect("the server runs");
        let bytes = |kib: Option<u64>| Figure::Bytes(kib.unwrap_or_default() * 1024);
        Memory { resident: bytes(status.vmrss), peak: bytes(status.vmhwm) }
    }

    fn send(&mut self, message: &Value) {
        wire::write(&mut self.to, message).expect("the server reads");
    }

    /// The next message. Requests are answered with `null` on the way.
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

/// Memory of a process.
pub struct Memory {
    /// What it holds now.
    pub resident: Figure,
    /// The most that it has held.
    pub peak: Figure,
}

impl Drop for Server {
    fn drop(&mut self) {
        // Fails if it has ended by itself, and that is what we want.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Keeps a server off the first processor: this client stays there, for it never sleeps. Moving
/// one or the other takes longer than a keystroke. Without a second one, both share.
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

/// A pipe whose reader does not sleep.
///
/// A processor that has nothing to do goes to sleep after a while, and in a virtual machine it
/// takes longer to wake up than a keystroke takes: a server that answers just before that would
/// look several times as fast as one that answers just behind.
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

/// The address of a file in the temporary folder: its path needs no escapes.
pub fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}
