//! `promptls/compare`: the differences between two cases, or between the present text and a commit
//! or a store.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use promptls_analysis::{Snapshot, compare as compare_texts};
use promptls_protocol::{CompareParams, ComparedPart, ComparedText, Comparison, EngineError, Side};
use promptls_resolver::DEFAULT_MAX_OUTPUT;
use promptls_workspace::{GitCalls, commit_name, newer_inputs_note, with_newer_inputs};

use crate::context::Context;
use crate::convert::{self, Uri};
use crate::errors::{Result, changed_meanwhile, no_file_yet, refused};
use crate::session::documents::Documents;
use crate::session::prompt_snapshot::PromptSnapshot;
use crate::units::Units;

/// The time limit of a comparison, because the user waits for it. Text that is not compared by then
/// counts as changed.
const TIME: Duration = Duration::from_millis(500);

/// A request, with the data that its response needs besides the prompt.
pub struct CompareRequest {
    /// The params of the request.
    pub params: CompareParams,
    /// The texts from stores for its sides, by revision.
    pub stored: HashMap<String, Arc<str>>,
    /// The git processes that it starts.
    pub calls: GitCalls,
}

/// Ends the git processes of a request when it is dropped.
#[derive(Default)]
pub struct CancelledOnDrop(pub GitCalls);

impl Drop for CancelledOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// Compares two sides of a prompt. Fails with the reason if one of them is not available. `None`
/// for a file of another tool.
///
/// Cost: resolves and compares both sides; for each commit, a few git processes.
pub fn compare(
    context: Context<Option<PromptSnapshot>>,
    CompareRequest { params, stored, calls }: CompareRequest,
) -> Result<Option<Comparison>> {
    let (encoding, documents) = (context.encoding(), &context.session.documents);
    let prompt = context.subject.as_ref().filter(|prompt| prompt.snapshot().foreign.is_none());
    let Some(prompt) = prompt else { return Ok(None) };
    let uri = convert::document_uri(&params.text_document)?;
    let shown = prompt.shown_case(params.case.as_deref());
    let shown = shown.map(|case| prompt.snapshot().cases[case].name.to_string());
    let then = |side: &Side| match &side.revision {
        None => Ok(None),
        Some(revision) => match stored.get(revision) {
            Some(text) => with_text(prompt, documents, &uri, text).map(Some),
            None => committed(prompt, documents, &uri, (revision, &calls)).map(Some),
        },
    };
    let [left, right] = [&params.left, &params.right];
    let [old_left, old_right] = [then(left)?, then(right)?];
    let left = At { side: left, prompt: old_left.as_ref().unwrap_or(prompt) };
    let right = At { side: right, prompt: old_right.as_ref().unwrap_or(prompt) };
    let newer = if left.side.revision.is_none() { left } else { right };
    let resolved = |at: At<'_>| at.resolved(at.side.case.as_deref().or(shown.as_deref()), newer);
    let (left, right) = (resolved(left)?, resolved(right)?);
    let mut in_left = Units::new(&left.text, encoding);
    let mut in_right = Units::new(&right.text, encoding);
    let deadline = Instant::now() + TIME;
    let parts = compare_texts(&left.text, &right.text, Some(deadline));
    let parts = parts.into_iter().map(|part| ComparedPart {
        same: part.same,
        left: [in_left.before(part.left.start), in_left.before(part.left.end)],
        right: [in_right.before(part.right.start), in_right.before(part.right.end)],
    });
    let parts = parts.collect();
    Ok(Some(Comparison { left, right, parts }))
}

/// The same prompt with another text, and with its present inputs.
fn with_text(
    now: &PromptSnapshot,
    documents: &Documents,
    uri: &Uri,
    text: &Arc<str>,
) -> Result<PromptSnapshot> {
    let texts = HashMap::from([(now.path().to_owned(), text.clone())]);
    let prompts = documents.with_texts(&texts).prompts(uri);
    prompts.into_iter().next().ok_or_else(changed_meanwhile)
}

/// The same prompt at a commit.
fn committed(
    now: &PromptSnapshot,
    documents: &Documents,
    uri: &Uri,
    (revision, calls): (&str, &GitCalls),
) -> Result<PromptSnapshot> {
    if !now.path().is_absolute() {
        return Err(no_file_yet());
    }
    let prompts = documents.unstored().committed(uri, revision, calls);
    let prompts = prompts.map_err(|error| refused(error.to_string()))?;
    let Some(task) = now.name() else {
        return prompts
            .into_iter()
            .next()
            .ok_or_else(|| refused(format!("{} has no prompt there", commit_name(revision))));
    };
    let same = prompts.into_iter().find(|prompt| prompt.name() == Some(task));
    same.ok_or_else(|| refused(format!("prompt `{task}` is not in {}", commit_name(revision))))
}

/// A side of the comparison, with the prompt at its revision.
#[derive(Clone, Copy)]
struct At<'p> {
    side: &'p Side,
    prompt: &'p PromptSnapshot,
}

impl At<'_> {
    /// Resolves the text in the case of this name; without a name, in the first case. A case that
    /// the revision does not have yet uses the inputs of the `newer` side.
    fn resolved(self, name: Option<&str>, newer: At<'_>) -> Result<ComparedText> {
        let snapshot = self.prompt.snapshot();
        let Some(name) = name else {
            return Ok(self.text(snapshot, snapshot.first_case(), None));
        };
        if let Some(case) = snapshot.case_named(name) {
            return Ok(self.text(snapshot, Some(case), None));
        }
        let Some(revision) = self.side.revision.as_deref() else {
            return Err(refused(format!("there is no case `{name}`")));
        };
        let with_inputs = with_newer_inputs(snapshot, newer.prompt.snapshot(), name);
        let with_inputs = with_inputs
            .ok_or_else(|| refused(format!("case `{name}` is not in {}", commit_name(revision))))?;
        let note = newer_inputs_note(name, revision, newer.side.revision.as_deref());
        Ok(self.text(&with_inputs, Some(0), Some(note)))
    }

    fn text(self, snapshot: &Snapshot, case: Option<usize>, note: Option<String>) -> ComparedText {
        let (text, error) = self.resolve(snapshot, case);
        ComparedText {
            case: case.map(|case| snapshot.cases[case].name.to_string()),
            revision: self.side.revision.clone(),
            note,
            error: error.map(EngineError::from),
            text,
        }
    }

    /// The text of the prompt, or of the chat that it is a message of.
    fn resolve(
        self,
        snapshot: &Snapshot,
        case: Option<usize>,
    ) -> (String, Option<promptls_resolver::EngineError>) {
        let file = self.prompt.file();
        let Some(chat) = file.chat_of(self.prompt.index) else {
            let resolution = snapshot.resolve(case);
            return (resolution.text, resolution.error);
        };
        let inputs = case.map(|case| snapshot.cases[case].inputs.clone()).unwrap_or_default();
        let resolved = file.resolve_chat(chat, &inputs, DEFAULT_MAX_OUTPUT);
        (resolved.text, resolved.error)
    }
}
