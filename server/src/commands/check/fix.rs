//! `promptls check --fix`: fixes problems, or shows what that would change.

use std::process::ExitCode;

use promptls_analysis::Sureness;
use promptls_resolver::Problem;
use promptls_workspace::{FixOptions, FixedFiles};

use super::looking::Looking;
use super::words::counted;
use crate::args::CheckArgs;
use crate::errors::CommandError;
use crate::output::rewritten::{diffs, write_all};
use crate::output::terminal::{self, complain};
use crate::paths::Paths;

/// What follows after fixing files.
pub enum AfterFixes {
    /// Nothing: the call is complete.
    End(ExitCode),
    /// The remaining problems are reported.
    Report {
        /// Whether every file with fixes was written.
        all_written: bool,
    },
}

/// Fixes files, or shows the changes.
pub fn fix(
    args: &CheckArgs,
    sureness: Sureness,
    looking: &Looking,
    paths: &mut Paths,
) -> Result<AfterFixes, CommandError> {
    let disk = looking.disk();
    let files = looking.files(&disk);
    let walked = looking.walk(args, paths, files.project(&looking.configs()));
    let is_selected = |problem: &Problem| args.reports(problem.code);
    let configs = || looking.configs();
    let options = FixOptions {
        files: &files,
        program: &files,
        configs: &configs,
        sureness,
        wants: &is_selected,
    };
    let FixedFiles { files: fixed, is_cut_short } = options.fix(&walked.prompts);
    if is_cut_short {
        complain("more can be fixed; run it again");
    }

    if args.fixes.diff {
        terminal::print(&diffs(&fixed, paths))?;
        if !args.quiet {
            complain(&format!("{} would change", counted(fixed.len(), "file")));
        }
        let code = if fixed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE };
        return Ok(AfterFixes::End(code));
    }
    // On stdin, only its own text can be changed, and it is written to stdout.
    if let Some((path, text)) = &looking.stdin {
        terminal::print_text(fixed.get(path).map_or(text, |file| &file.after))?;
        return Ok(AfterFixes::End(ExitCode::SUCCESS));
    }
    let written = write_all(&fixed, &walked.prompts, paths, args.writing.force);
    for failure in &written.failures {
        complain(&format!("promptls: {failure}"));
    }
    if !args.quiet && written.count > 0 {
        complain(&format!("{} fixed", counted(written.count, "file")));
    }
    Ok(AfterFixes::Report { all_written: written.failures.is_empty() })
}
