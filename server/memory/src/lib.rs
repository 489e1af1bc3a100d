#![doc = include_str!("../README.md")]

/// Gives back what is free. Where the C library has no means for it, nothing happens.
///
/// Cost: a walk over what the allocator keeps, some ten milliseconds for 100 MB, while which
/// others wait who want memory of the same arena. May be called by any thread at any time.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub fn give_back() {
    // SAFETY: it is given a number, takes the allocator's own locks, and touches nothing in use.
    #[allow(unsafe_code, reason = "no crate that is well kept has a safe call for it")]
    unsafe {
        libc::malloc_trim(0);
    }
}

/// Does nothing here.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub fn give_back() {}
