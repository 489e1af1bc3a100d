//! `promptls diff`: the words that differ in the texts sent to a model.
//!
//! Compares two cases of a prompt (`cases.rs`), or two revisions (`since.rs`).

mod cases;
mod since;

use std::process::ExitCode;

use promptls_protocol::DiffOutput;

use crate::args::{COULD_NOT_RUN, DiffArgs, DiffFormat};
use crate::errors::CommandError;
use crate::output::differences;
use crate::output::files_read::FilesRead;
use crate::output::report_root::ReportRoot;
use crate::output::terminal::{Terminal, complain};
use crate::output::write;
use crate::paths::Paths;

/// Compares, and prints the differences.
pub fn run(args: &DiffArgs) -> Result<ExitCode, CommandError> {
    let read = FilesRead::default();
    let (report, failures) = match &args.rev {
        Some(range) => since::compare(args, range, &read)?,
        None => (cases::compare(args, &read)?, Vec::new()),
    };
    print(args, &report, &read)?;
    for failure in &failures {
        complain(&format!("promptls: {failure}"));
    }
    Ok(match (failures.is_empty(), report.differences.is_empty()) {
        (false, _) => ExitCode::from(COULD_NOT_RUN),
        (true, false) => ExitCode::FAILURE,
        (true, true) => ExitCode::SUCCESS,
    })
}

/// The folder that file names in the report are relative to; `None` for names as on the command
/// line.
fn report_root(args: &DiffArgs, paths: &Paths) -> Result<Option<ReportRoot>, CommandError> {
    match &args.relative_to {
        Some(folder) => ReportRoot::folder(paths, folder).map(Some),
        // A comment on a pull request is read next to its list of files.
        None if args.format == DiffFormat::Markdown => Ok(Some(ReportRoot::of_repository(paths))),
        None => Ok(None),
    }
}

fn print(args: &DiffArgs, report: &DiffOutput, read: &FilesRead) -> Result<(), CommandError> {
    let colours = args.to.output.is_none() && Terminal::of_stdout().colours;
    let text = differences::text(args.format, report, colours)?;
    write::output(&args.to, &text, read)?;
    if matches!(args.format, DiffFormat::Human | DiffFormat::Concise) {
        complain(&differences::summary(report));
    }
    Ok(())
}
