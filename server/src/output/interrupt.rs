//! Orderly termination of long commands.

use std::io::{self, PipeReader, PipeWriter, Read};
use std::process::exit;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crate::output::terminal::complain;
use crate::preview::shutdown::ended;

/// The exit code that shells report for a program ended by Ctrl-C.
pub const INTERRUPTED: u8 = 130;

/// Ends the program at the first Ctrl-C or termination signal, after calling `end`, which removes
/// what would remain. If no signal handler can be installed, the system ends the program without
/// `end`.
pub fn on_interrupt(end: impl FnOnce() + Send + 'static) {
    let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else {
        return;
    };
    // Installs the handler now, not only once the thread runs.
    let Ok(interrupted) = runtime.block_on(async { ended() }) else { return };
    thread::spawn(move || {
        runtime.block_on(interrupted);
        end();
        exit(i32::from(INTERRUPTED))
    });
}

/// Whether the user has interrupted the program, so that it ends with whole rows and without
/// partially written files. A second interrupt ends the program at once.
#[derive(Clone, Debug, Default)]
pub struct Interrupt {
    is_requested: Arc<AtomicBool>,
    /// Closed at the first interrupt, for callers that also wait for other events.
    #[cfg_attr(not(unix), expect(dead_code, reason = "there, nothing else can be waited for"))]
    end: Option<Arc<PipeReader>>,
}

impl Interrupt {
    /// Installs the signal handler. If that fails, the system ends the program at a signal.
    pub fn listen() -> Interrupt {
        // Without a handler, nothing can be ended in order.
        Interrupt::on_a_thread().unwrap_or_default()
    }

    fn on_a_thread() -> io::Result<Interrupt> {
        let (end, writer) = io::pipe()?;
        let interrupt = Interrupt { is_requested: Arc::default(), end: Some(Arc::new(end)) };
        interrupt.listen_until(writer)?;
        Ok(interrupt)
    }

    fn listen_until(&self, end: PipeWriter) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        // Installs the handler now, not only once the thread runs.
        let first = runtime.block_on(async { ended() })?;
        let is_requested = self.is_requested.clone();
        thread::spawn(move || {
            runtime.block_on(first);
            is_requested.store(true, Ordering::Relaxed);
            drop(end);
            complain("promptls: finishing the current work; press Ctrl-C again to stop at once");
            // A new handler receives the second interrupt.
            if let Ok(second) = runtime.block_on(async { ended() }) {
                runtime.block_on(second);
            }
            exit(i32::from(INTERRUPTED))
        });
        Ok(())
    }

    /// Whether the program was interrupted.
    pub fn is_requested(&self) -> bool {
        self.is_requested.load(Ordering::Relaxed)
    }

    /// Wraps an input that may block. After an interrupt, reading it returns an error.
    pub fn reading<R>(&self, input: R) -> Interrupted<R> {
        Interrupted { input, interrupt: self.clone() }
    }
}

/// An input whose reads fail after an interrupt; see [`Interrupt::reading`].
pub struct Interrupted<R> {
    input: R,
    interrupt: Interrupt,
}

impl<R: Read> Interrupted<R> {
    fn read_unless_interrupted(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.interrupt.is_requested() {
            true => Err(io::Error::other("interrupted")),
            false => self.input.read(buffer),
        }
    }
}

#[cfg(unix)]
impl<R: Read + std::os::fd::AsFd> Read for Interrupted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        use rustix::event::{PollFd, PollFlags, poll};

        if let Some(end) = &self.interrupt.end {
            let mut both =
                [PollFd::new(&self.input, PollFlags::IN), PollFd::new(end, PollFlags::IN)];
            rustix::io::retry_on_intr(|| poll(&mut both, None))?;
        }
        self.read_unless_interrupted(buffer)
    }
}

/// Outside Unix, a blocked read continues until data arrives.
#[cfg(not(unix))]
impl<R: Read> Read for Interrupted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.read_unless_interrupted(buffer)
    }
}
