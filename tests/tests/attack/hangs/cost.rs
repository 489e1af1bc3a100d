//! The cost of a run of the program.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use promptls_tests::{promptls_path, wait_for};
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

/// The processor time of a run of `promptls` in a folder, of all its threads. Its output is
/// discarded.
///
/// # Panics
///
/// If it ends with another code.
#[track_caller]
pub fn processor_time<S: AsRef<OsStr>>(folder: &Path, arguments: &[S], code: i32) -> Duration {
    after_run(folder, arguments, code, time_of)
}

/// The number of read system calls in a run of `promptls` in a folder: two for each file.
///
/// # Panics
///
/// If it ends with another code.
#[track_caller]
pub fn reads<S: AsRef<OsStr>>(folder: &Path, arguments: &[S], code: i32) -> u64 {
    after_run(folder, arguments, code, reads_of)
}

/// The result of a function for the process of a run that has just ended.
#[track_caller]
fn after_run<S: AsRef<OsStr>, T>(
    folder: &Path,
    arguments: &[S],
    code: i32,
    measure: impl FnOnce(u32) -> T,
) -> T {
    let mut command = Command::new(promptls_path());
    command.args(arguments).current_dir(folder);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().expect("the program starts");
    let id = Pid::from_child(&child);
    // Until its status is collected, the system still has its cost.
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
    waitid(WaitId::Pid(id), options).expect("it is our child");
    let answer = measure(child.id());
    assert_eq!(wait_for(&mut child).code(), Some(code));
    answer
}

/// The number of read system calls of a process so far.
pub fn reads_of(process: u32) -> u64 {
    let io = fs::read_to_string(format!("/proc/{process}/io")).expect("it is there");
    let count = io.lines().find_map(|line| line.strip_prefix("syscr: ")).expect("a line");
    count.parse().expect("a number")
}

/// The processor time of a process so far.
pub fn time_of(process: u32) -> Duration {
    /// The value of `sysconf(_SC_CLK_TCK)` on every current Linux.
    const TICKS_PER_SECOND: u64 = 100;
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).expect("it is there");
    // The name of the program, which may contain any characters, is in round brackets.
    let (_, rest) = stat.rsplit_once(')').expect("a name in brackets");
    let ticks = |field: usize| -> u64 {
        let field = rest.split_whitespace().nth(field - 3).expect("a field");
        field.parse().expect("a number")
    };
    Duration::from_millis((ticks(14) + ticks(15)) * 1_000 / TICKS_PER_SECOND)
}
