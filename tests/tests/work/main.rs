//! The amount of work, verified by counting: allocations, lexed bytes, read files, system calls.
//!
//! Times differ between machines and between runs; counts are the same, except for hash tables,
//! which have random seeds. The accepted counts are in `expected.json`; more than a tenth above one
//! fails. They only fall: after an optimization, the new counts are accepted, so that it is not
//! lost. A count that must rise has a row in `raised.json`, with the reason and the times before and
//! after.

mod allocated;
mod counting;
mod counts;
mod engine;
mod folder;
mod keystroke;
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod program;
mod workspace;

use counts::Counts;

/// One test, because the program counts its own work on one processor, and the others that of their
/// thread: concurrent tests would only slow it down.
#[test]
fn work_does_not_exceed_the_recorded_counts() {
    let mut counts = Counts::default();
    engine::count(&mut counts);
    keystroke::count(&mut counts);
    folder::count(&mut counts);
    workspace::count(&mut counts);
    #[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
    program::count(&mut counts);
    counts.compare();
}
