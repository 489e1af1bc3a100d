//! Allocations of this thread.

use std::hint::black_box;

use allocation_counter::measure;

/// What something has asked the allocator for. To grow is to ask again.
#[derive(Clone, Copy, Debug, Default)]
pub struct Allocated {
    pub times: u64,
    pub bytes: u64,
}

/// What `work` allocates. What it returns is freed behind it.
pub fn allocated<T>(work: impl FnOnce() -> T) -> Allocated {
    let info = measure(|| drop(black_box(work())));
    Allocated { times: info.count_total, bytes: info.bytes_total }
}
