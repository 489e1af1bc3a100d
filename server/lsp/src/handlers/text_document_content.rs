//! `workspace/textDocumentContent`: virtual documents. They are the targets of links from
//! diagnostic codes, and show resolved texts in an editor tab for search, comparison and copying.
//!
//! The request is that of LSP 3.18. Editors with an older protocol can also send it; they announce
//! this at the start.

use promptls_workspace::explain;
use serde::{Deserialize, Serialize};

use super::preview::shown_text;
use crate::context::Context;
use crate::convert::Uri;
use crate::errors::{Error, Result, invalid_params};
use crate::session::Session;
use crate::session::prompt_snapshot::PromptSnapshot;
use crate::virtual_uri::{Resolved, VirtualDocument};

/// The name of the request.
pub const METHOD: &str = "workspace/textDocumentContent";

/// The params of the request.
#[derive(Debug, Deserialize)]
pub struct ContentParams {
    uri: String,
}

impl ContentParams {
    fn document(&self) -> Result<VirtualDocument> {
        let none = || invalid_params(format!("there is no page at {}", self.uri));
        VirtualDocument::at(&self.uri).ok_or_else(none)
    }
}

#[derive(Debug, Serialize)]
pub struct DocumentContent {
    text: String,
}

/// The prompts of the document that the virtual one is made from, if it is open. From now on, the
/// editor is notified of changes.
pub fn subject(session: &Session, params: &ContentParams) -> Result<Vec<PromptSnapshot>> {
    let VirtualDocument::Resolved(resolved) = params.document()? else { return Ok(Vec::new()) };
    let uri = address(&resolved)?;
    session.refresh().content_requested(uri.clone(), params.uri.clone());
    Ok(session.documents.lookup().prompts(&uri))
}

fn no_prompt(resolved: &Resolved) -> Error {
    invalid_params(format!("there is no prompt at {}", resolved.prompt))
}

fn address(resolved: &Resolved) -> Result<Uri> {
    resolved.prompt.parse().map_err(|_| no_prompt(resolved))
}

/// The text of the document.
pub fn content(
    context: Context<Vec<PromptSnapshot>>,
    params: ContentParams,
) -> Result<DocumentContent> {
    let text = match params.document()? {
        VirtualDocument::Explanation(code) => explain::page(code).to_owned(),
        VirtualDocument::Resolved(resolved) => resolved_text(context, &resolved)?,
    };
    Ok(DocumentContent { text })
}

fn resolved_text(
    Context { session, subject }: Context<Vec<PromptSnapshot>>,
    resolved: &Resolved,
) -> Result<String> {
    let uri = address(resolved)?;
    let prompts = match subject.is_empty() {
        true => session.documents.unstored().prompts(&uri),
        false => subject,
    };
    let mut prompts = prompts.into_iter();
    let found = prompts
        .find(|prompt| [prompt.name(), prompt.shown_name()].contains(&resolved.task.as_deref()));
    let found = found.ok_or_else(|| no_prompt(resolved))?;
    let case =
        match &resolved.case {
            None => found.case,
            Some(name) => Some(found.snapshot().case_named(name).ok_or_else(|| {
                invalid_params(format!("{} has no case `{name}`", resolved.prompt))
            })?),
        };
    Ok(shown_text(&found, case))
}
