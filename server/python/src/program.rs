//! The program `promptls`, in a Python process.

use std::ffi::OsString;

use promptls::Call;
use pyo3::prelude::*;

/// Runs the program with these arguments, the first of which is its name, and ends the process with
/// its exit code. `program` starts it again, before arguments.
///
/// Python's own exit is skipped: the program has written all output, and may leave threads that
/// wait for input.
#[pyfunction]
#[pyo3(name = "_run")]
pub fn run(py: Python<'_>, arguments: Vec<OsString>, program: Vec<OsString>) {
    let code = py.detach(|| promptls::run(Call { arguments, program }));
    std::process::exit(i32::from(code))
}
