//! Conversion of panics into errors, for libraries that read foreign data.
//!
//! Readers of Parquet and Arrow index into data that they have not checked. A file with one wrong
//! byte must not end a process that has other work, nor print a backtrace.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe, catch_unwind};
use std::sync::Once;

thread_local! {
    /// The number of nested calls of [`guarded`] on this thread.
    static GUARDS: Cell<u32> = const { Cell::new(0) };
}

/// Runs a reader of foreign data. A panic in it becomes an error with its message, and is not
/// printed.
///
/// After an error the reader is in an unknown state, and must not be used again.
pub fn guarded<T>(read: impl FnOnce() -> T) -> Result<T, String> {
    hush();
    GUARDS.set(GUARDS.get() + 1);
    let outcome = catch_unwind(AssertUnwindSafe(read));
    GUARDS.set(GUARDS.get() - 1);
    outcome.map_err(|panic| {
        let text = match panic.downcast_ref::<&str>() {
            Some(text) => text,
            None => panic.downcast_ref::<String>().map_or("", String::as_str),
        };
        format!("the data is broken: {}", text.lines().next().unwrap_or("its reader failed"))
    })
}

/// Installs a panic hook that prints only panics outside of guards.
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
