//! Runs the promptls program on the command line.

use std::env;
use std::ffi::{OsStr, OsString};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use crate::limit::LIMIT;
use crate::process;

/// The program under test: `$PROMPTLS_BIN`, or what cargo built next to this test.
///
/// # Panics
///
/// If there is none. Cargo does not build the binary of another package for a test, so the message
/// contains the command for that.
#[track_caller]
pub fn promptls_path() -> PathBuf {
    if let Some(path) = env::var_os("PROMPTLS_BIN") {
        return path.into();
    }
    let test = env::current_exe().expect("a running test knows its own path");
    // The test is target/<profile>/deps/<test>-<hash>.
    let profile = test.parent().and_then(Path::parent).expect("cargo puts tests into a folder");
    let path = profile.join(format!("promptls{}", env::consts::EXE_SUFFIX));
    assert!(
        path.is_file(),
        "{} is missing: run `cargo build` first, with the profile and the target folder of this \
         test, or set PROMPTLS_BIN",
        path.display()
    );
    path
}

/// A run of `promptls` with these arguments.
#[track_caller]
pub fn promptls<S: AsRef<OsStr>>(arguments: &[S]) -> Promptls {
    Promptls::at(promptls_path(), arguments)
}

/// A command that has not run yet.
#[derive(Debug)]
pub struct Promptls {
    program: PathBuf,
    arguments: Vec<OsString>,
    variables: Vec<(String, String)>,
    stdin: Vec<u8>,
    folder: Option<PathBuf>,
}

/// The result of a command.
#[derive(Debug, PartialEq, Eq)]
pub struct Output {
    /// The exit code; `None` if a signal ended it.
    pub code: Option<i32>,
    /// As text; invalid UTF-8 is shown as `\u{fffd}`.
    pub stdout: String,
    /// As text; invalid UTF-8 is shown as `\u{fffd}`.
    pub stderr: String,
}

impl Promptls {
    /// A run of the program at this path.
    pub fn at<S: AsRef<OsStr>>(program: impl Into<PathBuf>, arguments: &[S]) -> Self {
        Self {
            program: program.into(),
            arguments: arguments.iter().map(|argument| argument.as_ref().into()).collect(),
            variables: Vec::new(),
            stdin: Vec::new(),
            folder: None,
        }
    }

    /// Its stdin; empty by default.
    #[must_use]
    pub fn stdin(mut self, text: impl Into<Vec<u8>>) -> Self {
        self.stdin = text.into();
        self
    }

    /// Its working directory; by default that of the test.
    #[must_use]
    pub fn cwd(mut self, folder: impl Into<PathBuf>) -> Self {
        self.folder = Some(folder.into());
        self
    }

    /// Sets an additional environment variable for this run.
    #[must_use]
    pub fn env(mut self, name: &str, value: &str) -> Self {
        self.variables.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Runs the program until it ends.
    ///
    /// # Panics
    ///
    /// If it can not start, runs longer than [`LIMIT`], or panics itself.
    #[track_caller]
    pub fn run(self) -> Output {
        let mut command = Command::new(&self.program);
        // The developer's settings for logs and colours must not affect the test.
        command.env_remove("RUST_LOG").env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
        command.args(&self.arguments).envs(self.variables);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(folder) = self.folder {
            command.current_dir(folder);
        }
        let mut child = command
            .spawn()
            .unwrap_or_else(|error| panic!("{} does not start: {error}", self.program.display()));

        // Each end has its own thread, so that neither side waits for the other.
        let mut to_child = child.stdin.take().expect("stdin was asked for as a pipe");
        let text = self.stdin;
        // It may end without reading its input, which is no error.
        thread::spawn(move || to_child.write_all(&text));
        let stdout = collect(child.stdout.take().expect("stdout was asked for as a pipe"));
        let stderr = collect(child.stderr.take().expect("stderr was asked for as a pipe"));

        let Some(status) = process::wait(&mut child, LIMIT) else {
            let _ = child.kill();
            let _ = child.wait();
            panic!("promptls {:?} still runs after {LIMIT:?}", self.arguments);
        };
        let [stdout, stderr] = [stdout, stderr].map(|thread| {
            let bytes = thread.join().expect("reading bytes does not panic");
            String::from_utf8_lossy(&bytes.expect("the output can be read")).into_owned()
        });
        assert!(!stderr.contains("panicked at"), "promptls {:?}: {stderr}", self.arguments);
        Output { code: status.code(), stdout, stderr }
    }
}

fn collect(
    mut output: impl Read + Send + 'static,
) -> thread::JoinHandle<Result<Vec<u8>, io::Error>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        output.read_to_end(&mut bytes).map(|_| bytes)
    })
}
