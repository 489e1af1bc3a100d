//! `promptls check --fix`: mending what can be mended, or showing what that would change.

use std::process::ExitCode;

use promptls_analysis::Sureness;
use promptls_resolver::Problem;
use promptls_workspace::{DiskOnce, Mended, Mending};
use similar::TextDiff;

use super::looking::Looking;
use super::words::counted;
use crate::args::CheckArgs;
use crate::errors::CommandError;
use crate::output::terminal::{self, complain};
use crate::output::visible::visible_line;
use crate::output::write;
use crate::paths::Paths;

/// Lines that are shown around each change.
const AROUND: usize = 3;

/// Mends files. `None` if what is left is to be reported; else this was all that was asked for.
pub fn mend(
    args: &CheckArgs,
    sureness: Sureness,
    looking: &Looking,
    paths: &mut Paths,
) -> Result<Option<ExitCode>, CommandError> {
    let disk = DiskOnce::default();
    let files = looking.files(&disk);
    let walked = looking.walk(args, paths, &files, &looking.configs());
    let wants = |problem: &Problem| args.wants(problem.code);
    let configs = || looking.configs();
    let mending = Mending { files: &files, configs: &configs, sureness, wants: &wants };
    let mended = mending.mend(&walked.prompts);

    if args.mending.diff {
        let diffs = mended.iter().map(|(path, file)| diff(&paths.shown(path), file));
        terminal::print(&diffs.collect::<String>())?;
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
    for (path, Mended { before, after }) in &mended {
        write::replace(path, before, after)
            .map_err(|source| CommandError::NotWritten { path: paths.shown(path), source })?;
    }
    if !args.quiet && !mended.is_empty() {
        complain(&format!("{} mended", counted(mended.len(), "file")));
    }
    Ok(None)
}

/// The change of a file as `patch` takes it.
fn diff(name: &str, Mended { before, after }: &Mended) -> String {
    let name = visible_line(name);
    let diff = TextDiff::from_lines(&**before, &**after);
    let (old, new) = (format!("a/{name}"), format!("b/{name}"));
    diff.unified_diff().context_radius(AROUND).header(&old, &new).to_string()
}
