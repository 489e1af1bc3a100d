//! How much work things are, held by counting: allocations, bytes that are lexed, files that are
//! read, system calls.
//!
//! A stopwatch says something else on each machine, and each time; a count says the same, but for
//! hash tables, which are seeded at random. What is counted stands in `expected.json`; more than a
//! tenth above it fails. Less does not: whoever has made something lighter takes the new counts
//! over, so that it stays so.

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

/// One test, because the program counts for itself on one processor, and the others for their
/// thread: what is counted elsewhere meanwhile would only make it slow.
#[test]
fn nothing_is_more_work_than_it_was() {
    let mut counts = Counts::default();
    engine::count(&mut counts);
    keystroke::count(&mut counts);
    folder::count(&mut counts);
    workspace::count(&mut counts);
    #[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
    program::count(&mut counts);
    counts.compare();
}
