//! Panics of libraries that read data of others, as errors.
//!
//! Readers of Parquet and Arrow index into data that they have not checked. A file with one wrong
//! byte must not end a process that has other work, nor print a backtrace.

use std::any::Any;
use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe, catch_unwind};
use std::sync::Once;

thread_local! {
    /// How many calls of [`guarded`] this thread is in.
    static GUARDS: Cell<u32> = const { Cell::new(0) };
}

/// Runs a reader of foreign data. A panic in it is an error with its message, and is not printed.
///
/// What the reader holds is in an unknown state after an error, and must not be used again.
pub fn guarded<T>(read: impl FnOnce() -> T) -> Result<T, String> {
    hush();
    GUARDS.set(GUARDS.get() + 1);
    let outcome = catch_unwind(AssertUnwindSafe(read));
    GUARDS.set(GUARDS.get() - 1);
    outcome.map_err(|panic| format!("the data is broken: {}", message(&*panic)))
}

/// Has the hook of panics print only those that no guard catches.
fn hush() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let print = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if GUARDS.get() == 0 {
                print(panic);
            }
        }));
    });
}

/// The first line of a panic's message.
fn message(panic: &(dyn Any + Send)) -> &str {
    let text = match panic.downcast_ref::<&str>() {
        Some(text) => text,
        None => panic.downcast_ref::<String>().map_or("", String::as_str),
    };
    text.lines().next().unwrap_or("its reader gave up")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_error_and_the_next_call_works() {
        let broken: Result<(), String> = guarded(|| panic!("at byte {}\nand more", 3));
        assert_eq!(broken, Err("the data is broken: at byte 3".to_owned()));
        assert_eq!(guarded(|| 1), Ok(1));
        assert_eq!(GUARDS.get(), 0);
    }
}
