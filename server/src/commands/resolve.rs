//! `promptls resolve`: the text that the engine sends, machine-readable.

mod chat;
mod many;
#[cfg(feature = "parquet")]
mod parquet_output;
mod rows_output;
mod sent_row;

use std::process::ExitCode;

use promptls_analysis::{Role, chat};
use promptls_protocol::ChatMessage;
use promptls_resolver::EngineError;
use promptls_rows::Overlay;

use crate::args::{COULD_NOT_RUN, ResolveArgs, ResolveFormat};
use crate::errors::CommandError;
use crate::opened_prompt::OpenedPrompt;
use crate::output::json::resolve_output;
use crate::output::terminal::complain;
use crate::output::write;

/// Resolves a prompt and prints the result.
pub fn run(args: &ResolveArgs) -> Result<ExitCode, CommandError> {
    let mut opened = OpenedPrompt::open_any(&args.prompt, args.inputs.as_deref())?;
    if args.many.rows.is_some() || args.many.all_cases {
        opened = opened.into_prompt();
    }
    opened.mention_guess();
    opened.mention_unknown_engine();
    match (&args.many.rows, opened.chat()) {
        (Some(table), _) => many::rows(args, &opened, table),
        (None, _) if args.many.all_cases => many::cases(args, &opened),
        (None, Some(chat)) => chat::resolve(args, &opened, chat),
        (None, None) => one(args, &opened),
    }
}

/// Resolves a prompt in one case.
fn one(args: &ResolveArgs, opened: &OpenedPrompt) -> Result<ExitCode, CommandError> {
    let opened_case = opened.choose(args.prompt.case.as_deref())?;
    opened.mention_unusable(&opened_case);
    let is_usable = opened_case.unusable.is_empty();
    let Some(mut given) = opened_case.given(args.max_output) else { return Ok(ExitCode::SUCCESS) };
    let above = many::above(&args.set);
    let overlay = Overlay::new(&above, given.values);
    if !above.is_empty() {
        given.values = &overlay;
    }
    let output = &args.to;
    let template = opened.template(&opened_case);
    let snapshot = &opened_case.snapshot;
    for hole in snapshot.open_holes(given.values) {
        let (written, key) = (&hole.written, hole.key());
        complain(&format!(
            "the program computes `{written}`; an inputs file can set it with the key \"{key}\""
        ));
    }

    let failed = match (args.format.unwrap_or(ResolveFormat::Text), args.partial) {
        (ResolveFormat::Text | ResolveFormat::Messages, _) if !is_usable => true,
        (ResolveFormat::Text, false) => match snapshot.render_with(&template, &given) {
            Ok(text) => {
                write::text_output(output, &text, &opened.files_read())?;
                false
            }
            Err(error) => {
                complain_of(&error);
                true
            }
        },
        (ResolveFormat::Text, true) => {
            let resolution = snapshot.resolve_with(&template, &given);
            if let Some(error) = &resolution.error {
                complain_of(error);
            }
            write::text_output(output, &resolution.text, &opened.files_read())?;
            resolution.error.is_some()
        }
        (ResolveFormat::Messages, is_partial) => {
            let resolution = snapshot.resolve_with(&template, &given);
            if let Some(error) = &resolution.error {
                complain_of(error);
            }
            if is_partial || resolution.error.is_none() {
                let chat = chat(snapshot.dialect(), snapshot.role(), &resolution.text).into_iter();
                let message = |(role, content): (Role, &str)| ChatMessage {
                    role: role.id(),
                    content: content.to_owned(),
                };
                let messages = chat.map(message).collect::<Vec<_>>();
                write::json_output(output, &messages, &opened.files_read())?;
            }
            resolution.error.is_some()
        }
        (ResolveFormat::Json, _) => {
            let mut resolution = snapshot.resolve_with(&template, &given);
            let failed = resolution.error.is_some();
            let problems = opened.problems_of_resolved(&opened_case, &resolution);
            opened.map_in_files(&mut resolution.map);
            let resolved = resolve_output(
                &opened_case.snapshot,
                opened_case.case.clone(),
                resolution,
                opened.file_problems(&problems),
                template.names(),
                &opened.sources,
            );
            write::json_output(output, &resolved, &opened.files_read())?;
            failed
        }
        (format @ (ResolveFormat::Jsonl | ResolveFormat::Parquet), _) => {
            return Err(CommandError::FormatOfOne(format.id()));
        }
    };
    Ok(match (is_usable, failed) {
        (false, _) => ExitCode::from(COULD_NOT_RUN),
        (true, true) => ExitCode::FAILURE,
        (true, false) => ExitCode::SUCCESS,
    })
}

fn complain_of(error: &EngineError) {
    complain(&error.message);
    error.instead.iter().for_each(|line| complain(line));
}
