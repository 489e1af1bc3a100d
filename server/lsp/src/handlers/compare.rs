//! `promptls/compare`: what is different between two cases, or between now and a commit, or a store.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use promptls_analysis::compare as compare_texts;
use promptls_protocol::{CompareParams, ComparedPart, ComparedText, Comparison, EngineError, Side};
use promptls_workspace::commit_name;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types as lsp;

use crate::context::Context;
use crate::convert;
use crate::errors::{changed_meanwhile, no_file_yet, refused};
use crate::session::documents::Documents;
use crate::session::prompt_snapshot::PromptSnapshot;
use crate::units::Units;

/// Somebody waits for the answer: what is not compared by then counts as changed.
const TIME: Duration = Duration::from_millis(500);

/// What is asked for, and what stores have for its sides, by their revision.
pub type Asked = (CompareParams, HashMap<String, Arc<str>>);

/// Compares two sides of a prompt. An error says why one of them cannot be had. `None` for a file
/// that is another tool's.
///
/// Cost: resolves both, and compares them; for each commit, a few processes of git.
pub fn compare(
    context: Context<Option<PromptSnapshot>>,
    (params, stored): Asked,
) -> Result<Option<Comparison>> {
    let (encoding, documents) = (context.encoding(), &context.session.documents);
    let prompt = context.subject.as_ref().filter(|prompt| prompt.snapshot().foreign.is_none());
    let Some(prompt) = prompt else { return Ok(None) };
    let uri = convert::document_uri(&params.text_document)?;
    let shown = prompt.shown_case(params.case.as_deref());
    let shown = shown.map(|case| prompt.snapshot().cases[case].name.to_string());
    let resolved = |side: &Side| {
        let name = side.case.as_deref().or(shown.as_deref());
        match &side.revision {
            None => resolved_side(side, prompt, name),
            Some(revision) => {
                let then = match stored.get(revision) {
                    Some(text) => with_text(prompt, documents, &uri, text)?,
                    None => committed(prompt, documents, &uri, revision)?,
                };
                resolved_side(side, &then, name)
            }
        }
    };
    let (left, right) = (resolved(&params.left)?, resolved(&params.right)?);
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

/// The same prompt with another text, and with the inputs of now.
fn with_text(
    now: &PromptSnapshot,
    documents: &Documents,
    uri: &lsp::Uri,
    text: &Arc<str>,
) -> Result<PromptSnapshot> {
    let texts = HashMap::from([(now.path().to_owned(), text.clone())]);
    documents
        .read_with(uri, &documents.files_with(&texts))
        .into_iter()
        .next()
        .ok_or_else(changed_meanwhile)
}

/// The same prompt at a commit.
fn committed(
    now: &PromptSnapshot,
    documents: &Documents,
    uri: &lsp::Uri,
    revision: &str,
) -> Result<PromptSnapshot> {
    if !now.path().is_absolute() {
        return Err(no_file_yet());
    }
    let prompts = documents.committed(uri, revision).map_err(|error| refused(error.to_string()))?;
    let Some(task) = now.name() else {
        return prompts
            .into_iter()
            .next()
            .ok_or_else(|| refused(format!("{} has no prompt there", commit_name(revision))));
    };
    let same = prompts.into_iter().find(|prompt| prompt.name() == Some(task));
    same.ok_or_else(|| refused(format!("prompt `{task}` is not in {}", commit_name(revision))))
}

/// A side in the case of this name; without one, in the first.
fn resolved_side(side: &Side, prompt: &PromptSnapshot, name: Option<&str>) -> Result<ComparedText> {
    let snapshot = prompt.snapshot();
    let case = match name {
        None => snapshot.first_case(),
        Some(name) => Some(snapshot.case_named(name).ok_or_else(|| match &side.revision {
            None => refused(format!("there is no case `{name}`")),
            Some(revision) => refused(format!("case `{name}` is not in {}", commit_name(revision))),
        })?),
    };
    let resolution = snapshot.resolve(case);
    Ok(ComparedText {
        case: case.map(|case| snapshot.cases[case].name.to_string()),
        revision: side.revision.clone(),
        error: resolution.error.map(EngineError::from),
        text: resolution.text,
    })
}
