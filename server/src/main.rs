//! The program `promptls`; the library implements it.

use std::process::ExitCode;

use promptls::Call;

fn main() -> ExitCode {
    ExitCode::from(promptls::run(Call::of_process()))
}
