//! `promptls prompts`: lists the prompts in files and in strings.

use std::process::ExitCode;

use promptls_protocol::{FoundPrompt, PromptEntry, PromptsOutput, UnreadPrompt};
use promptls_resolver::Problem;
use promptls_workspace::{Configs, DiskOnce, Prompt, PromptFile, Walking, in_parallel};

use crate::args::{COULD_NOT_RUN, PromptsArgs, PromptsFormat};
use crate::commands::check::walk::walk;
use crate::errors::CommandError;
use crate::output::columns::{Align, in_columns};
use crate::output::json::to_json;
use crate::output::prompt_address::prompt_address;
use crate::output::terminal;
use crate::output::terminal::complain;
use crate::output::unread::{
    broken_configs, complain_computed, computed_in, unread_file, unread_in, without_repeats,
};
use crate::output::visible::visible_line;
use crate::paths::Paths;

pub fn run(args: &PromptsArgs) -> Result<ExitCode, CommandError> {
    let mut paths = Paths::new()?;
    let (disk, configs) = (DiskOnce::default(), Configs::default());
    let project = disk.project(&configs);
    let walked = walk(&args.paths, false, &Walking::default(), &mut paths, project);
    let read = in_parallel(&walked.prompts, |path| match project.read(path) {
        Ok(file) => {
            let unread = unread_in(&file, &paths);
            (prompts_of(&file, &paths), computed_of(&file, &paths), unread)
        }
        Err(error) => (Vec::new(), Vec::new(), unread_file(&error, path, project, &paths)),
    });
    let is_nothing = |(found, computed, unread): &(Vec<_>, Vec<_>, Vec<_>)| {
        found.is_empty() && computed.is_empty() && unread.is_empty()
    };
    let without_prompts = walked.without_prompts(&read, is_nothing);
    let mut failures = broken_configs(&walked.files(), project, &paths);
    failures.extend(walked.failures);
    let (mut prompts, mut computed) = (Vec::new(), Vec::new());
    for (found, not_read, unread) in read {
        prompts.extend(found);
        computed.extend(not_read);
        failures.extend(unread);
    }
    let failures = without_repeats(failures);
    if prompts.is_empty()
        && computed.is_empty()
        && failures.is_empty()
        && args.format == PromptsFormat::Text
    {
        return Err(CommandError::NoPromptsThere);
    }
    let printed = match args.format {
        PromptsFormat::Text => table(&prompts),
        PromptsFormat::Json => {
            let found = prompts.into_iter().map(PromptEntry::Found);
            let unread = computed.iter().map(|(unread, _)| PromptEntry::Unread(unread.clone()));
            to_json(&PromptsOutput(found.chain(unread).collect()))?
        }
    };
    terminal::print(&printed)?;
    if args.format == PromptsFormat::Text {
        let lines: Vec<String> = computed.into_iter().map(|(_, line)| line).collect();
        complain_computed(&lines);
    }
    for failure in failures.iter().chain(&without_prompts) {
        complain(&format!("promptls: {failure}"));
    }
    Ok(if failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(COULD_NOT_RUN) })
}

fn prompts_of(file: &PromptFile, paths: &Paths) -> Vec<FoundPrompt> {
    let shown = paths.shown(&file.files[0]);
    file.own_prompts().map(|prompt| found(file, prompt, &shown)).collect()
}

/// The prompts of a file whose text only the running program has, each with its line for the user.
fn computed_of(file: &PromptFile, paths: &Paths) -> Vec<(UnreadPrompt, String)> {
    let shown = paths.shown(&file.files[0]);
    let unread = file.computed().into_iter().map(|Problem { message, location, .. }| {
        let range = (location.range.start, location.range.end);
        UnreadPrompt { file: shown.clone(), range, unread: message }
    });
    unread.zip(computed_in(file, paths)).collect()
}

fn found(file: &PromptFile, prompt: &Prompt, shown: &str) -> FoundPrompt {
    let snapshot = &prompt.snapshot;
    let text = snapshot.text.to_string();
    let range = file.range_of(prompt).unwrap_or_default();
    let holes = snapshot.holes().iter();
    FoundPrompt {
        file: shown.to_owned(),
        name: prompt.name.as_deref().map(str::to_owned),
        dialect: snapshot.dialect().spec().id,
        engine: snapshot.engine_name(),
        language: file.language(),
        why: file.why(prompt),
        range: (range.start, range.end),
        map: prompt.map.runs(text.len()),
        holes: holes.map(|hole| (hole.range.start, hole.range.end)).collect(),
        text,
    }
}

/// A line for each prompt: its name on the command line, its dialect or engine, and why it is a
/// prompt.
fn table(prompts: &[FoundPrompt]) -> String {
    let row = |prompt: &FoundPrompt| {
        let kind = prompt.engine.as_deref().unwrap_or(prompt.dialect);
        let address = prompt_address(&prompt.file, prompt.name.as_deref());
        let cells = [address, kind.to_owned(), prompt.why.clone()];
        cells.iter().map(|cell| visible_line(cell)).collect::<Vec<String>>()
    };
    in_columns(&prompts.iter().map(row).collect::<Vec<_>>(), |_| Align::Left)
}
