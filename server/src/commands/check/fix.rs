//! `promptls check --fix`: fixes problems, or shows what that would change.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::ExitCode;

use promptls_analysis::Sureness;
use promptls_resolver::Problem;
use promptls_workspace::{FixOptions, FixedFiles, Project, fixable, in_parallel};

use super::looking::Looking;
use crate::args::{COULD_NOT_RUN, CheckArgs};
use crate::errors::CommandError;
use crate::output::counted::counted;
use crate::output::rewritten::{diffs, write_all};
use crate::output::terminal::{self, complain};
use crate::output::unread::{broken_configs, unread_prompts};
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
    let found_by = looking.configs();
    let project = files.project(&found_by);
    let walked = looking.walk(args, paths, project);
    let is_selected = |problem: &Problem| args.reports(problem.code);
    let configs = || looking.configs();
    let options = FixOptions {
        files: &files,
        program: &files,
        configs: &configs,
        sureness,
        selects: &is_selected,
    };
    let FixedFiles { files: fixed, is_cut_short } = options.fix(&walked.prompts);
    if is_cut_short {
        complain("more can be fixed; run it again");
    }

    // These print no problems, so a file that was not read is reported here.
    let end = |code: ExitCode| {
        let mut failures = broken_configs(&walked.files(), project, paths);
        failures.extend(walked.failures.iter().cloned());
        failures.extend(unread_prompts(&walked.prompts, project, paths));
        failures.iter().for_each(|failure| complain(&format!("promptls: {failure}")));
        let code = if failures.is_empty() { code } else { ExitCode::from(COULD_NOT_RUN) };
        Ok(AfterFixes::End(code))
    };
    if args.fixes.diff {
        terminal::print_text(&diffs(&fixed, paths))?;
        if !args.quiet {
            complain(&format!("{} would change", counted(fixed.len(), "file")));
            if sureness == Sureness::Safe
                && let more @ 1.. = only_unsafe(&walked.prompts, project, &is_selected)
            {
                complain(&more_with_unsafe(more));
            }
        }
        return end(if fixed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE });
    }
    // On stdin, only its own text can be changed, and it is written to stdout.
    if let Some((path, text)) = &looking.stdin {
        terminal::print_text(fixed.get(path).map_or(text, |file| &file.after))?;
        return end(ExitCode::SUCCESS);
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

/// The number of problems in some files that `--fix-unsafe` fixes and `--fix` does not.
///
/// Cost: reads each file, and checks it twice.
fn only_unsafe(
    prompts: &[PathBuf],
    project: Project<'_>,
    is_selected: &(dyn Fn(&Problem) -> bool + Sync),
) -> usize {
    let of_file = |path: &PathBuf| {
        project.read(path).map_or_else(
            |_| BTreeSet::new(),
            |file| {
                let likely = fixable(&file, Sureness::Likely, is_selected);
                &likely - &fixable(&file, Sureness::Safe, is_selected)
            },
        )
    };
    in_parallel(prompts, of_file).into_iter().flatten().collect::<BTreeSet<_>>().len()
}

/// The line about problems that only `--fix-unsafe` fixes.
pub fn more_with_unsafe(problems: usize) -> String {
    format!("{} more with --fix-unsafe", counted(problems, "problem"))
}
