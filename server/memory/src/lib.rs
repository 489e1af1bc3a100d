#![doc = include_str!("../README.md")]

/// Returns free memory to the system. Does nothing if the C library has no function for it.
///
/// Cost: a walk over the memory of the allocator, some ten milliseconds for 100 MB. Meanwhile,
/// threads that allocate from the same arena wait. May be called by any thread at any time.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub fn give_back() {
    // SAFETY: it takes a number, acquires the allocator's own locks, and touches no memory in use.
    #[allow(unsafe_code, reason = "no crate that is well kept has a safe call for it")]
    unsafe {
        libc::malloc_trim(0);
    }
}

/// Does nothing on this platform.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub fn give_back() {}
