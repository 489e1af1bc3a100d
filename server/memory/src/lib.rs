#![doc = include_str!("../README.md")]

/// The allocator of a program on Linux, with glibc and with musl.
///
/// The allocator of musl serves one thread at a time: `check` took five times as long. That of glibc
/// takes some percent more processor time, and half as much memory again for open documents of code.
#[cfg(target_os = "linux")]
pub type Allocator = mimalloc::MiMalloc;

/// The value of [`Allocator`] to declare as a global allocator.
#[cfg(target_os = "linux")]
pub const ALLOCATOR: Allocator = mimalloc::MiMalloc;

/// Returns free memory to the system: all memory that other threads have freed, too.
///
/// Cost: a walk over the memory of the allocator, some ten milliseconds for 100 MB. May be called by
/// any thread at any time.
#[cfg(target_os = "linux")]
pub fn give_back() {
    // SAFETY: it takes a flag, acquires the allocator's own locks, and touches no memory in use.
    #[allow(unsafe_code, reason = "the crate of the allocator has no safe call for it")]
    unsafe {
        libmimalloc_sys::mi_collect(true);
    }
}

/// Does nothing on this platform.
#[cfg(not(target_os = "linux"))]
pub fn give_back() {}

/// Sets the time after which free memory may be returned to the system, while other memory is used.
/// Without it, that is a second: a server that opens a prompt of 10 MB would keep 40 MB more.
///
/// To be called before other threads are started: the allocator does not synchronize it.
#[cfg(target_os = "linux")]
pub fn give_back_after(milliseconds: u16) {
    /// `mi_option_purge_delay` of version 3, for which the crate has no name.
    const PURGE_DELAY: libmimalloc_sys::mi_option_t = 15;
    // SAFETY: it writes a number, and no other thread is running yet.
    #[allow(unsafe_code, reason = "the crate of the allocator has no safe call for it")]
    unsafe {
        libmimalloc_sys::mi_option_set(PURGE_DELAY, milliseconds.into());
    }
}

/// Does nothing on this platform.
#[cfg(not(target_os = "linux"))]
pub fn give_back_after(_: u16) {}
