//! The program `promptls`; all of it is in the library.

use std::process::ExitCode;

use promptls::Call;

fn main() -> ExitCode {
    ExitCode::from(promptls::run(Call::of_process()))
}
