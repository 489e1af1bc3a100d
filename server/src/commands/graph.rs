//! `promptls graph`: prompts, the files they read, and the agents and the code that set their values.

mod collect;
mod dot;
mod mermaid;

use std::process::ExitCode;

use promptls_workspace::{Configs, DiskOnce, Walking, in_parallel};

use crate::args::{COULD_NOT_RUN, GraphArgs, GraphFormat};
use crate::commands::check::walk::walk;
use crate::errors::CommandError;
use crate::output::files_read::FilesRead;
use crate::output::json::to_json;
use crate::output::log_lines::log_lines;
use crate::output::terminal::{complain, warn};
use crate::output::unread::{broken_configs, unread_file, unread_in, without_repeats};
use crate::output::write;
use crate::paths::Paths;

use collect::Collected;

/// Mermaid's default limit of edges.
const MERMAID_EDGES: usize = 500;

pub fn run(args: &GraphArgs) -> Result<ExitCode, CommandError> {
    let mut paths = Paths::new()?;
    let (disk, configs) = (DiskOnce::default(), Configs::default());
    let project = disk.project(&configs);
    let walked = walk(&args.paths, false, &Walking::default(), &mut paths, project);
    let files_read = FilesRead::default();
    files_read.add(walked.files());
    let read = in_parallel(&walked.prompts, |path| match project.read(path) {
        Ok(file) => {
            files_read.add_prompts(&file);
            (Some(Collected::of(&file, |path| paths.shown(path))), unread_in(&file, &paths))
        }
        Err(error) => (None, unread_file(&error, path, project, &paths)),
    });
    let is_nothing = |(found, unread): &(Option<Collected>, Vec<_>)| {
        found.as_ref().is_none_or(Collected::is_empty) && unread.is_empty()
    };
    let without_prompts = walked.without_prompts(&read, is_nothing);
    let mut failures = broken_configs(&walked.files(), project, &paths);
    failures.extend(walked.failures);
    let mut collected = Collected::default();
    for (found, unread) in read {
        found.into_iter().for_each(|found| collected.add(found));
        failures.extend(unread);
    }
    let failures = without_repeats(failures);
    if collected.is_empty() && failures.is_empty() {
        return Err(CommandError::NoPromptsThere);
    }
    let graph = collected.graph();
    let text = match args.format {
        GraphFormat::Dot => log_lines(&dot::text(&graph)).into_owned(),
        GraphFormat::Mermaid => log_lines(&mermaid::text(&graph)).into_owned(),
        GraphFormat::Json => to_json(&graph)?,
    };
    write::text_output(&args.to, &text, &files_read)?;
    if args.format == GraphFormat::Mermaid && graph.edges.len() > MERMAID_EDGES {
        let edges = graph.edges.len();
        warn(&format!(
            "Mermaid draws {MERMAID_EDGES} edges unless `maxEdges` is higher, and this graph has {edges}; name fewer prompts, or use --format dot"
        ));
    }
    for failure in failures.iter().chain(&without_prompts) {
        complain(&format!("promptls: {failure}"));
    }
    Ok(if failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(COULD_NOT_RUN) })
}
