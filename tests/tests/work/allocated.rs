//! Allocations of this thread.

use std::hint::black_box;

use allocation_counter::measure;

/// The number and size of allocations. Growing counts as allocating again.
#[derive(Clone, Copy, Debug, Default)]
pub struct Allocated {
    pub times: u64,
    pub bytes: u64,
}

/// The allocations of `work`. Its result is dropped after counting.
pub fn allocated<T>(work: impl FnOnce() -> T) -> Allocated {
    let info = measure(|| drop(black_box(work())));
    Allocated { times: info.count_total, bytes: info.bytes_total }
}
