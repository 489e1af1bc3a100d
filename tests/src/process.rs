//! A server process: its stdin and stdout, its stderr, its end.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::client::Transport;
use crate::limit::LIMIT;

/// The test's ends of the process's stdin and stdout.
pub struct Ends {
    /// The stdin of the process.
    pub to_server: Box<dyn Write + Send>,
    /// The stdout of the process.
    pub from_server: Box<dyn Read + Send>,
}

/// A running process. Killed, by its own id, if it still runs when this is dropped.
pub struct Process {
    child: Child,
    stderr: Arc<Mutex<String>>,
    stderr_reader: Option<JoinHandle<()>>,
}

impl Process {
    /// Starts it, with pipes or sockets.
    pub fn start(mut command: Command, transport: Transport) -> io::Result<(Self, Ends)> {
        command.stderr(Stdio::piped());
        let (mut child, ends) = match transport {
            Transport::Pipes => with_pipes(command)?,
            #[cfg(unix)]
            Transport::Sockets => with_sockets(command)?,
        };
        let stderr = Arc::new(Mutex::new(String::new()));
        let stderr_reader = child.stderr.take().map(|output| {
            let stderr = Arc::clone(&stderr);
            thread::spawn(move || collect_lines(output, &stderr))
        });
        Ok((Self { child, stderr, stderr_reader }, ends))
    }

    /// The process id, valid until the process is waited for.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Interrupts the process, as Ctrl-C in its terminal does.
    #[cfg(unix)]
    pub fn interrupt(&self) {
        let pid = i32::try_from(self.child.id()).ok().and_then(rustix::process::Pid::from_raw);
        let pid = pid.expect("a child has an id");
        // It fails if the process has already ended, which the test will notice.
        let _ = rustix::process::kill_process(pid, rustix::process::Signal::INT);
    }

    /// What the process has written to stderr so far.
    pub fn stderr(&self) -> String {
        self.stderr.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Waits for the end of the process and of its stderr; `None` if it still runs after `limit`.
    pub fn wait(&mut self, limit: Duration) -> Option<ExitStatus> {
        let status = wait(&mut self.child, limit)?;
        // Ends with the process: it has no child processes that could keep its stderr open.
        if let Some(reader) = self.stderr_reader.take() {
            let _ = reader.join();
        }
        Some(status)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Fails if it has already ended, as intended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Waits for the end of a process that a test has started.
///
/// # Panics
///
/// If it still runs after [`LIMIT`]; then it is killed.
#[track_caller]
pub fn wait_for(child: &mut Child) -> ExitStatus {
    wait(child, LIMIT).unwrap_or_else(|| {
        let _ = child.kill();
        let _ = child.wait();
        panic!("a program still runs after {LIMIT:?}")
    })
}

/// Waits for a condition without notifications.
///
/// # Panics
///
/// If it does not hold after [`LIMIT`].
#[track_caller]
pub fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let deadline = Instant::now() + LIMIT;
    while !is_so() {
        assert!(Instant::now() < deadline, "{what}: not after {LIMIT:?}");
        thread::park_timeout(Duration::from_millis(2));
    }
}

/// The memory of a running process, in KiB, without its program, which is loaded in parts.
///
/// # Panics
///
/// If the process has ended.
#[cfg(target_os = "linux")]
pub fn memory_kib(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).expect("it runs");
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).expect("it says so");
    let number = line.trim().trim_end_matches("kB").trim();
    number.parse().expect("it is a number")
}

/// Waits for the end of a process; `None` if it still runs after `limit`.
pub fn wait(child: &mut Child, limit: Duration) -> Option<ExitStatus> {
    // The standard library can wait for a process or for a time, but not for the first of both, so
    // this polls. It is the only place that does.
    let deadline = Instant::now() + limit;
    loop {
        if let Some(status) = child.try_wait().expect("our own child can be waited for") {
            return Some(status);
        }
        if Instant::now() > deadline {
            return None;
        }
        thread::park_timeout(Duration::from_millis(2));
    }
}

fn with_pipes(mut command: Command) -> io::Result<(Child, Ends)> {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let ends = Ends {
        to_server: Box::new(child.stdin.take().expect("stdin was asked for as a pipe")),
        from_server: Box::new(child.stdout.take().expect("stdout was asked for as a pipe")),
    };
    Ok((child, ends))
}

#[cfg(unix)]
fn with_sockets(mut command: Command) -> io::Result<(Child, Ends)> {
    use std::os::fd::OwnedFd;
    use std::os::unix::net::UnixStream;

    let (to_server, stdin) = UnixStream::pair()?;
    let (from_server, stdout) = UnixStream::pair()?;
    let child = command.stdin(OwnedFd::from(stdin)).stdout(OwnedFd::from(stdout)).spawn()?;
    // `command` holds copies of the server's ends and is dropped here: otherwise the server's
    // output would never end.
    drop(command);
    Ok((child, Ends { to_server: Box::new(to_server), from_server: Box::new(from_server) }))
}

fn collect_lines(output: impl Read, collected: &Mutex<String>) {
    let mut output = BufReader::new(output);
    let mut line = Vec::new();
    while output.read_until(b'\n', &mut line).is_ok_and(|bytes| bytes > 0) {
        let text = String::from_utf8_lossy(&line);
        collected.lock().unwrap_or_else(PoisonError::into_inner).push_str(&text);
        line.clear();
    }
}
