//! `promptls resolve`: the text that the engine sends, for programs.

use std::process::ExitCode;

use crate::chosen::OpenedPrompt;
use crate::cli::{COULD_NOT_RUN, ResolveArgs, ResolveFormat};
use crate::errors::CommandError;
use crate::report::ResolveReport;
use crate::terminal::{self, complain};

/// Resolves a prompt and prints what became of it.
pub fn run(args: &ResolveArgs) -> Result<ExitCode, CommandError> {
    let opened = OpenedPrompt::open(&args.prompt, args.inputs.as_deref())?;
    let chosen = opened.choose(args.prompt.case.as_deref())?;
    opened.mention_guess();
    opened.mention_unusable(&chosen);
    let is_usable = chosen.unusable.is_empty();
    let Some(given) = chosen.given(args.max_output) else { return Ok(ExitCode::SUCCESS) };
    let template = opened.template(&chosen);

    let failed = match (args.format, args.partial) {
        (ResolveFormat::Text, _) if !is_usable => true,
        (ResolveFormat::Text, false) => match template.render(&given) {
            Ok(text) => {
                terminal::print(&text)?;
                false
            }
            Err(error) => {
                complain(&error.message);
                true
            }
        },
        (ResolveFormat::Text, true) => {
            let resolution = template.resolve(&given);
            if let Some(error) = &resolution.error {
                complain(&error.message);
            }
            terminal::print(&resolution.text)?;
            resolution.error.is_some()
        }
        (ResolveFormat::Json, _) => {
            let mut resolution = template.resolve(&given);
            let failed = resolution.error.is_some();
            let problems = opened.in_files(opened.problems_in(&chosen, &resolution));
            opened.map_in_files(&mut resolution.map);
            let report = ResolveReport::new(
                chosen.snapshot.dialect().spec().id,
                chosen.case.clone(),
                resolution,
                &problems,
                template.names(),
                &opened.sources,
            );
            terminal::print_json(&report)?;
            failed
        }
    };
    Ok(match (is_usable, failed) {
        (false, _) => ExitCode::from(COULD_NOT_RUN),
        (true, true) => ExitCode::FAILURE,
        (true, false) => ExitCode::SUCCESS,
    })
}
