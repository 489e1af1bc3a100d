//! `textDocument/codeLens`: a line above each prompt and each sidecar.

use std::collections::BTreeSet;

use promptls_analysis::{DEFAULT_MAX_PROBLEMS, Summary};
use promptls_protocol as wire;
use promptls_protocol::commands::{
    CREATE_INPUTS, DIFF_STORED, NEW_CASE, OPEN_PREVIEW, PICK_CASE, SELECT_CASE,
};
use serde_json::{Value, json};

use crate::context::{Context, DocumentSubject};
use crate::convert::{self, Uri};
use crate::errors::Result;
use crate::handlers::{CommandCall, stores};
use crate::session::prompt_snapshot::{PromptSnapshot, View};
use promptls_workspace::{Scope, default_inputs};

/// The maximum number of prompts named above a file that they read: as many as fit into a line.
const MOST_READERS: usize = 3;

/// No command: the lens only displays text.
const NOTHING: &str = "";

/// The lenses of a document. Above a prompt: its case, its problems and the available commands.
/// Above an inputs or variables file: the prompts that read it.
pub fn code_lens(context: Context<DocumentSubject>, uri: Uri) -> Result<Option<Vec<Lens>>> {
    if !context.session.preferences.code_lens() {
        return Ok(None);
    }
    let client = context.client();
    let commands = Commands {
        opens_preview: client.offers(OPEN_PREVIEW),
        picks_case: client.offers(PICK_CASE),
        creates_cases: client.offers(NEW_CASE),
        creates_inputs: client.makes_edits
            && convert::uri(&default_inputs(&convert::path(&uri))).is_some(),
        compares_stored: client.offers(DIFF_STORED),
    };
    let DocumentSubject { prompts, readers, .. } = &context.subject;
    if prompts.is_empty() {
        return Ok((!readers.is_empty()).then(|| of_sidecar(readers, commands)));
    }
    let of_prompt = |prompt: &PromptSnapshot| {
        // The lens is above the first line of the prompt, wherever that is in the file.
        let start = prompt.whole_range(context.encoding())?.start;
        let range = wire::Range { start, end: start };
        Some(of_prompt(&context, prompt, range, &uri, commands))
    };
    Ok(Some(prompts.iter().filter_map(of_prompt).flatten().collect()))
}

/// A line above a range, which runs a command.
pub struct Lens {
    pub range: wire::Range,
    pub command: CommandCall,
}

/// The client commands that lenses can use.
#[derive(Clone, Copy)]
struct Commands {
    opens_preview: bool,
    picks_case: bool,
    creates_cases: bool,
    creates_inputs: bool,
    compares_stored: bool,
}

fn of_prompt(
    context: &Context<DocumentSubject>,
    prompt: &PromptSnapshot,
    range: wire::Range,
    uri: &Uri,
    commands: Commands,
) -> Vec<Lens> {
    let snapshot = prompt.snapshot();
    if snapshot.foreign.is_some() {
        return Vec::new();
    }
    let problems = prompt.problems(Scope::OneCase(prompt.case), DEFAULT_MAX_PROBLEMS);
    let summary = Summary::new(snapshot, prompt.case, &problems);
    let mut lenses = Vec::new();
    // A prompt among others is identified by its position.
    let position = prompt.name().map(|_| json!(range.start));
    let which = || [Some(json!(uri)), position.clone()].into_iter().flatten().collect();
    if commands.opens_preview {
        lenses.push(lens(range, summary.preview_title(), OPEN_PREVIEW, which()));
    }
    // The lens that shows the case also changes it.
    if let Some(case) = &summary.case {
        let title = case.title() + &summary.problems_title();
        if commands.picks_case {
            lenses.push(lens(range, title, PICK_CASE, which()));
        } else if case.count > 1 {
            let next = selection(uri, prompt.name(), &case.next);
            lenses.push(lens(range, title, SELECT_CASE, vec![next]));
        } else if commands.opens_preview {
            lenses.push(lens(range, title, NOTHING, Vec::new()));
        }
    }
    if let Some(title) = stores::difference(&context.session.documents, prompt) {
        lenses.push(match commands.compares_stored {
            true => lens(range, title, DIFF_STORED, vec![json!(uri)]),
            false => lens(range, title, NOTHING, Vec::new()),
        });
    }
    let has_no_inputs = snapshot.awaits_values() || !snapshot.has_inputs();
    let needs_inputs = has_no_inputs && snapshot.has_placeholder();
    if needs_inputs && commands.creates_inputs && prompt.index == 0 {
        let title = "Create the inputs file".to_owned();
        lenses.push(match commands.creates_cases {
            true => lens(range, title, NEW_CASE, which()),
            false => lens(range, title, CREATE_INPUTS, vec![json!({ "uri": uri })]),
        });
    }
    lenses
}

/// The argument of the command that selects a case of a prompt.
pub fn selection(uri: &Uri, prompt: Option<&str>, case: &str) -> Value {
    let mut argument = json!({ "uri": uri, "case": case });
    if let Some(prompt) = prompt {
        argument["task"] = json!(prompt);
    }
    argument
}

fn of_sidecar(readers: &[View], commands: Commands) -> Vec<Lens> {
    let uris: BTreeSet<&Uri> = readers.iter().filter_map(|view| view.prompt.uri()).collect();
    let range = wire::Range::default();
    let reader = |(index, &uri): (usize, &&Uri)| {
        let path = convert::path(uri);
        let name = path.file_name().and_then(|name| name.to_str());
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
    // The case in this file, unless it is selected already.
    let reader = readers.iter().find_map(|view| Some((&view.prompt, view.case()?)));
    let other_case = reader
        .filter(|(prompt, case)| prompt.case != Some(*case))
        .map(|(prompt, case)| prompt.snapshot().cases[case].name.clone());
    if let Some(case) = other_case {
        let arguments = vec![json!({ "uri": only, "case": &*case })];
        lenses.push(lens(range, format!("Show case {case}"), SELECT_CASE, arguments));
    }
    lenses
}

fn lens(range: wire::Range, title: String, command: &'static str, arguments: Vec<Value>) -> Lens {
    Lens { range, command: CommandCall { title, command, arguments } }
}
