//! A terminal without a window, and a program that runs in it.
//!
//! The program runs in a real pseudo-terminal, and its output is interpreted like in a terminal. So
//! a test sees what a user would see.

use std::fs::File;
use std::io::{Read, Write};
use std::num::NonZero;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use rustix::fd::OwnedFd;
use rustix::fs::{Mode, OFlags};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

use crate::binary::promptls_path;
use crate::limit::LIMIT;
use crate::process;
use crate::workspace::Workspace;

/// A terminal in which `promptls` runs.
pub struct Terminal {
    child: Child,
    keyboard: File,
    shared: Arc<(Mutex<vt100::Parser>, Condvar)>,
}

impl Terminal {
    /// Runs `promptls` with these arguments, on this many rows and columns.
    ///
    /// # Panics
    ///
    /// If no pseudo-terminal is available.
    #[track_caller]
    pub fn run(workspace: &Workspace, arguments: &[&str], rows: u16, columns: u16) -> Terminal {
        let (ours, theirs) = pair(rows, columns);
        let end = || Stdio::from(theirs.try_clone().expect("an end can be shared"));
        let mut command = Command::new(promptls_path());
        command.args(arguments).current_dir(workspace.root()).env("TERM", "xterm-256color");
        command.env_remove("RUST_LOG").env_remove("NO_COLOR");
        command.stdin(end()).stdout(end()).stderr(end());
        let child = command.spawn().expect("it starts");
        drop((command, theirs));

        let parser = vt100::Parser::new(some(rows), some(columns), 0);
        let shared = Arc::new((Mutex::new(parser), Condvar::new()));
        let mut screen = File::from(ours.try_clone().expect("an end can be shared"));
        let reading = Arc::clone(&shared);
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            // Reading returns an error when the program has ended.
            while let Ok(count @ 1..) = screen.read(&mut bytes) {
                let (parser, changed) = &*reading;
                parser.lock().unwrap_or_else(PoisonError::into_inner).process(&bytes[..count]);
                changed.notify_all();
            }
        });
        Terminal { child, keyboard: File::from(ours), shared }
    }

    /// Sends key presses, as bytes.
    ///
    /// # Panics
    ///
    /// If the program has ended.
    #[track_caller]
    pub fn press(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).expect("keys can be pressed");
    }

    /// Changes the size of the window.
    ///
    /// # Panics
    ///
    /// If the system call fails.
    #[track_caller]
    pub fn resize(&mut self, rows: u16, columns: u16) {
        self.lock().screen_mut().set_size(some(rows), some(columns));
        tcsetwinsize(&self.keyboard, size(rows, columns)).expect("a terminal can be resized");
        // A real terminal would send the signal; this program is no child of a session.
        let pid = i32::try_from(self.child.id()).ok().and_then(rustix::process::Pid::from_raw);
        let pid = pid.expect("a child has an id");
        rustix::process::kill_process(pid, rustix::process::Signal::WINCH).expect("it is told");
    }

    /// The contents of the screen, without trailing spaces and empty lines.
    pub fn screen(&self) -> String {
        seen(&self.lock())
    }

    /// Whether the program currently uses the alternate screen.
    pub fn is_alternate(&self) -> bool {
        self.lock().screen().alternate_screen()
    }

    /// Waits until the screen meets a condition, and returns its contents.
    ///
    /// # Panics
    ///
    /// If it does not meet the condition in time.
    #[track_caller]
    pub fn wait_for(&self, wanted: impl Fn(&str) -> bool) -> String {
        let deadline = Instant::now() + LIMIT;
        let (_, changed) = &*self.shared;
        let mut parser = self.lock();
        loop {
            let screen = seen(&parser);
            if wanted(&screen) {
                return screen;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            assert!(!left.is_zero(), "the screen shows:\n{screen}");
            let waited = changed.wait_timeout(parser, left);
            parser = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Waits for a text on the screen.
    #[track_caller]
    pub fn wait_for_text(&self, text: &str) -> String {
        self.wait_for(|screen| screen.contains(text))
    }

    /// Sends the program a termination signal.
    #[track_caller]
    pub fn terminate(&mut self) {
        let pid = i32::try_from(self.child.id()).ok().and_then(rustix::process::Pid::from_raw);
        let pid = pid.expect("a child has an id");
        rustix::process::kill_process(pid, rustix::process::Signal::TERM).expect("it is told");
    }

    /// Waits for the end of the program: its exit code.
    ///
    /// # Panics
    ///
    /// If it does not end.
    #[track_caller]
    pub fn wait_for_end(&mut self) -> Option<i32> {
        let status = process::wait(&mut self.child, LIMIT).expect("it ends");
        status.code()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, vt100::Parser> {
        self.shared.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // Fails if it has already ended, as intended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn seen(parser: &vt100::Parser) -> String {
    let contents = parser.screen().contents();
    let lines: Vec<&str> = contents.lines().map(str::trim_end).collect();
    lines.join("\n").trim_end().to_owned()
}

fn some(count: u16) -> NonZero<u16> {
    NonZero::new(count).expect("a screen has rows and columns")
}

fn size(rows: u16, columns: u16) -> Winsize {
    Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 }
}

/// Both ends of a new pseudo-terminal.
fn pair(rows: u16, columns: u16) -> (OwnedFd, OwnedFd) {
    let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("there are terminals");
    grantpt(&ours).expect("it may be used");
    unlockpt(&ours).expect("it can be used");
    let name = ptsname(&ours, Vec::new()).expect("it has a name");
    let theirs = rustix::fs::open(&name, OFlags::RDWR | OFlags::NOCTTY, Mode::empty());
    let theirs = theirs.expect("its other end can be opened");
    tcsetwinsize(&ours, size(rows, columns)).expect("a terminal has a size");
    (ours, theirs)
}
