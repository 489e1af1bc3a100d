//! Ending a long command in good order.

use std::io;
use std::process::exit;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crate::output::terminal::complain;
use crate::preview::shutdown::ended;

/// What a shell makes of a program that Ctrl-C has ended.
pub const INTERRUPTED: u8 = 130;

/// Whether somebody wants the program to end, so that it ends with whole rows and no file that is
/// half written. Who asks twice does not wait for that.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Begins to listen. Where that fails, the system ends the program, as it does by itself.
    pub fn listen() -> Interrupt {
        let interrupt = Interrupt::default();
        // Without it, there is nothing to end in good order.
        let _ = interrupt.listen_on_a_thread();
        interrupt
    }

    fn listen_on_a_thread(&self) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        // From here on, and not only once the thread runs.
        let first = runtime.block_on(async { ended() })?;
        let asked = self.0.clone();
        thread::spawn(move || {
            runtime.block_on(first);
            asked.store(true, Ordering::Relaxed);
            complain("promptls: ending with what is under way; Ctrl-C once more ends it at once");
            // Whoever listens now hears the next time.
            if let Ok(second) = runtime.block_on(async { ended() }) {
                runtime.block_on(second);
            }
            exit(i32::from(INTERRUPTED))
        });
        Ok(())
    }

    /// Whether somebody does.
    pub fn is_asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
