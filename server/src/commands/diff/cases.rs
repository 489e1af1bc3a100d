//! Two cases of one prompt.

use promptls_protocol::{DIFF_OUTPUT_VERSION, DiffOutput};
use promptls_resolver::DEFAULT_MAX_OUTPUT;
use promptls_workspace::SentText;

use super::report_root;
use crate::args::{DiffArgs, PromptArgs};
use crate::errors::CommandError;
use crate::opened_prompt::{OpenedCase, OpenedPrompt};
use crate::output::differences::{Side, difference};
use crate::output::files_read::FilesRead;
use crate::paths::Paths;

/// Compares the two cases that the command line names.
pub fn compare(args: &DiffArgs, read: &FilesRead) -> Result<DiffOutput, CommandError> {
    let ([path], [left, right]) = (&args.paths[..], &args.cases[..]) else {
        return Err(CommandError::WhatToCompare);
    };
    let opened = OpenedPrompt::open_any(&PromptArgs::of(path, args.task.as_deref()), None)?;
    read.add_prompts(opened.file());
    let (left, right) = (opened.choose(Some(left))?, opened.choose(Some(right))?);
    opened.mention_guess();
    for opened_case in [&left, &right] {
        opened.mention_unusable(opened_case);
        if !opened_case.unusable.is_empty() {
            return Err(CommandError::UnusableCase(opened_case.case.clone().unwrap_or_default()));
        }
    }
    let sent = |of: &OpenedCase| match opened.chat() {
        Some(chat) => {
            let resolved = opened.file().resolve_chat(chat, &of.inputs(), DEFAULT_MAX_OUTPUT);
            SentText { text: resolved.text, error: resolved.error }
        }
        None => SentText::of(&of.snapshot, (!of.snapshot.cases.is_empty()).then_some(0)),
    };
    let (sent_left, sent_right) = (sent(&left), sent(&right));
    let name = match report_root(args, &Paths::new()?)? {
        Some(root) => root.name(opened.path()),
        None => opened.name.clone(),
    };
    let mut differences = Vec::new();
    if sent_left != sent_right {
        differences.push(difference(
            name,
            opened.task().map(str::to_owned),
            &side(&sent_left, &left),
            &side(&sent_right, &right),
            opened.snapshot().settings.encoding,
        ));
    }
    Ok(DiffOutput { version: DIFF_OUTPUT_VERSION, from: None, to: None, compared: 2, differences })
}

fn side<'s>(sent: &'s SentText, of: &'s OpenedCase) -> Side<'s> {
    Side { sent: Some(sent), case: of.case.as_deref(), revision: None, note: None }
}
