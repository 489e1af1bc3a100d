//! Temporary files: their names, and the removal of those that killed processes have left.
//!
//! A process that writes holds a shared lock on the folder. One that removes leftovers lists them
//! first, and removes them if it then gets the exclusive lock: no process was writing when they
//! were listed. No process ever waits for a lock, since other programs may lock the folder, too.

use std::fs::File;
use std::sync::atomic::{AtomicU32, Ordering};

use cap_std::fs::Dir;

const PREFIX: &str = ".promptls-";
const SUFFIX: &str = ".tmp";

/// A unique name for a temporary file of this process.
pub fn new_name() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    format!("{PREFIX}{}-{number}{SUFFIX}", std::process::id())
}

/// `true` if a name is one that [`new_name`] returns, in any process.
fn is_temporary(name: &str) -> bool {
    let numbers = name.strip_prefix(PREFIX).and_then(|rest| rest.strip_suffix(SUFFIX));
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|it| it.is_ascii_digit());
    let numbers = numbers.and_then(|numbers| numbers.split_once('-'));
    numbers.is_some_and(|(process, number)| is_number(process) && is_number(number))
}

/// Prevents sweeps of a folder while the lock is held; `None` if folders cannot be locked, so that
/// files are never removed there.
pub fn keep_sweepers_out(folder: &Dir) -> Option<File> {
    let lock = open(folder)?;
    lock.try_lock_shared().ok()?;
    Some(lock)
}

/// Removes temporary files that no process is writing. What cannot be removed stays.
///
/// Cost: a listing of the folder.
pub fn sweep(folder: &Dir) {
    let entries = folder.entries().into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let leftovers: Vec<String> = names.filter(|name| is_temporary(name)).collect();
    if leftovers.is_empty() {
        return;
    }
    let Some(lock) = open(folder) else { return };
    if lock.try_lock().is_ok() {
        for name in leftovers {
            let _ = folder.remove_file(name);
        }
    }
}

fn open(folder: &Dir) -> Option<File> {
    folder.open(".").ok().map(|folder| folder.into_std())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_temporary_files_are_recognised() {
        assert!(is_temporary(&new_name()));
        for other in [
            ".promptls-.tmp",
            ".promptls-1.tmp",
            ".promptls-a-1.tmp",
            ".promptls-1-1",
            "promptls-1-1.tmp",
        ] {
            assert!(!is_temporary(other), "{other}");
        }
    }
}
