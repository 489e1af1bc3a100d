//! `promptls check --fix`: mending what can be mended, or showing what that would change.

use std::process::ExitCode;

use promptls_analysis::Sureness;
use promptls_resolver::Problem;
use promptls_workspace::Mending;

use super::looking::Looking;
use super::words::counted;
use crate::args::CheckArgs;
use crate::errors::CommandError;
use crate::output::rewritten::{diffs, write_all};
use crate::output::terminal::{self, complain};
use crate::paths::Paths;

/// Mends files. `None` if what is left is to be reported; else this was all that was asked for.
pub fn mend(
    args: &CheckArgs,
    sureness: Sureness,
    looking: &Looking,
    paths: &mut Paths,
) -> Result<Option<ExitCode>, CommandError> {
    let disk = looking.disk();
    let files = looking.files(&disk);
    let walked = looking.walk(args, paths, &files, &looking.configs());
    let wants = |problem: &Problem| args.wants(problem.code);
    let configs = || looking.configs();
    let mending = Mending { files: &files, configs: &configs, sureness, wants: &wants };
    let mended = mending.mend(&walked.prompts);

    if args.mending.diff {
        terminal::print(&diffs(&mended, paths))?;
        if !args.quiet {
            complain(&format!("{} would change", counted(mended.len(), "file")));
        }
        return Ok(Some(if mended.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }));
    }
    // Of stdin there is nothing but its text to be changed, and nowhere else to write it.
    if let Some((path, text)) = &looking.stdin {
        terminal::print(mended.get(path).map_or(text, |file| &file.after))?;
        return Ok(Some(ExitCode::SUCCESS));
    }
    write_all(&mended, paths)?;
    if !args.quiet && !mended.is_empty() {
        complain(&format!("{} mended", counted(mended.len(), "file")));
    }
    Ok(None)
}
