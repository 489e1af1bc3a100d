//! `textDocument/codeLens`: a line above each prompt and each sidecar.

use std::collections::BTreeSet;

use promptls_analysis::{DEFAULT_MAX_PROBLEMS, Summary};
use serde_json::{Value, json};
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types as lsp;

use super::lsp_range;
use crate::lsp::abilities::Abilities;
use crate::lsp::backend::work;
use crate::lsp::commands::{CREATE_INPUTS, SELECT_CASE};
use crate::lsp::documents::Documents;
use crate::lsp::moment::{Moment, View};
use crate::workspace::Scope;

/// The editor's own command that shows the preview of a prompt: its URI, and its place if it is one of
/// several.
const OPEN_PREVIEW: &str = "promptls.openPreview";

/// The editor's own command that lets the user choose a case of a prompt: its URI.
const PICK_CASE: &str = "promptls.pickCase";

/// How many prompts are named above a file that they read: as many as fit into a line.
const MOST_READERS: usize = 3;

/// No command: the line is there to be read.
const NOTHING: &str = "";

/// What stands above a prompt: its case, its problems, and what can be done. Above an inputs or
/// variables file, who reads it.
pub async fn answer(
    documents: &Documents,
    abilities: &Abilities,
    uri: lsp::Uri,
) -> Result<Option<Vec<lsp::CodeLens>>> {
    let commands = Commands {
        opens_preview: abilities.commands.iter().any(|command| command == OPEN_PREVIEW),
        picks_case: abilities.commands.iter().any(|command| command == PICK_CASE),
        creates_inputs: abilities.document_changes
            && abilities.creates_files
            && uri.to_file_path().is_some(),
    };
    let moments = documents.moments(&uri);
    if !moments.is_empty() {
        let encoding = abilities.encoding;
        let is_heavy = moments.iter().any(|moment| moment.snapshot().is_heavy());
        let lenses = move || {
            let of_prompt = |moment: &Moment| {
                // Above the first line, wherever that is in the file.
                let range = lsp_range(moment, &(0..0), encoding)?;
                Some(of_prompt(moment, range, &uri, commands))
            };
            Some(moments.iter().filter_map(of_prompt).flatten().collect())
        };
        return work(is_heavy, lenses).await;
    }
    let readers = documents.known_readers(&uri);
    Ok((!readers.is_empty()).then(|| of_sidecar(&readers, commands)))
}

/// What the editor can do at a click.
#[derive(Clone, Copy)]
struct Commands {
    opens_preview: bool,
    picks_case: bool,
    creates_inputs: bool,
}

fn of_prompt(
    moment: &Moment,
    range: lsp::Range,
    uri: &lsp::Uri,
    commands: Commands,
) -> Vec<lsp::CodeLens> {
    let snapshot = moment.snapshot();
    if snapshot.foreign {
        return Vec::new();
    }
    let problems = moment.problems(Scope::OneCase(moment.case), DEFAULT_MAX_PROBLEMS);
    let summary = Summary::new(snapshot, moment.case, &problems);
    let mut lenses = Vec::new();
    if commands.opens_preview {
        // A prompt among others is found by its place.
        let arguments = match moment.name() {
            Some(_) => vec![json!(uri), json!(range.start)],
            None => vec![json!(uri)],
        };
        lenses.push(lens(range, summary.preview_title(), OPEN_PREVIEW, arguments));
    }
    if let Some(case) = summary.case.as_ref().filter(|case| case.count > 1) {
        let title = match (commands.opens_preview, commands.picks_case) {
            (false, _) => case.title() + &summary.problems_title(),
            // The line has said the case and the problems already.
            (true, true) => case.pick_title(),
            (true, false) => case.next_title(),
        };
        lenses.push(match commands.picks_case {
            true => lens(range, title, PICK_CASE, vec![json!(uri)]),
            false => {
                let next = json!({ "uri": uri, "case": &*case.next });
                lens(range, title, SELECT_CASE, vec![next])
            }
        });
    }
    let lacks_inputs = snapshot.awaits_values() || !snapshot.has_inputs();
    let needs_inputs = lacks_inputs && snapshot.has_placeholder();
    if needs_inputs && commands.creates_inputs && moment.index == 0 {
        let title = "Create an inputs file".to_owned();
        lenses.push(lens(range, title, CREATE_INPUTS, vec![json!({ "uri": uri })]));
    }
    lenses
}

fn of_sidecar(readers: &[View], commands: Commands) -> Vec<lsp::CodeLens> {
    let uris: BTreeSet<&lsp::Uri> = readers.iter().filter_map(|view| view.moment.uri()).collect();
    let range = lsp::Range::default();
    let reader = |(index, &uri): (usize, &&lsp::Uri)| {
        let path = uri.to_file_path();
        let name = path.as_deref().and_then(|path| path.file_name()?.to_str());
        let name = name.unwrap_or("a prompt");
        let title = if index == 0 { format!("Read by {name}") } else { name.to_owned() };
        match commands.opens_preview {
            true => lens(range, title, OPEN_PREVIEW, vec![json!(uri)]),
            false => lens(range, title, NOTHING, Vec::new()),
        }
    };
    let mut lenses: Vec<_> = uris.iter().enumerate().take(MOST_READERS).map(reader).collect();
    if uris.len() > MOST_READERS {
        let title = format!("and {} more", uris.len() - MOST_READERS);
        lenses.push(lens(range, title, NOTHING, Vec::new()));
    }
    let [only] = uris.into_iter().collect::<Vec<_>>()[..] else { return lenses };
    // The case in this file, unless it is the one that is shown already.
    let other_case = readers.first().and_then(|View { moment, file }| {
        let cases = &moment.snapshot().cases;
        let case = cases.iter().position(|case| case.inputs.file == *file)?;
        (moment.case != Some(case)).then(|| cases[case].name.clone())
    });
    if let Some(case) = other_case {
        let arguments = vec![json!({ "uri": only, "case": &*case })];
        lenses.push(lens(range, format!("Show case {case}"), SELECT_CASE, arguments));
    }
    lenses
}

fn lens(range: lsp::Range, title: String, command: &str, arguments: Vec<Value>) -> lsp::CodeLens {
    let arguments = (!arguments.is_empty()).then_some(arguments);
    let command = lsp::Command { title, command: command.to_owned(), arguments };
    lsp::CodeLens { range, command: Some(command), data: None }
}
