//! `workspace/textDocumentContent`: documents that no file holds, for editors that link a problem's
//! code, and for finding, comparing and copying a resolved text in an editor's own tab.
//!
//! The request is that of LSP 3.18. An editor of an older protocol asks it all the same, and says
//! so at the start.

use promptls_workspace::explain;
use serde::{Deserialize, Serialize};
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types as lsp;

use super::preview::resolved_text;
use crate::context::Context;
use crate::session::Session;
use crate::session::prompt_snapshot::PromptSnapshot;
use crate::virtual_uri::{Resolved, VirtualDocument};

/// The name of the request.
pub const METHOD: &str = "workspace/textDocumentContent";

/// What is asked for.
#[derive(Debug, Deserialize)]
pub struct ContentParams {
    uri: String,
}

impl ContentParams {
    fn document(&self) -> Result<VirtualDocument> {
        let none = || Error::invalid_params(format!("there is no page at {}", self.uri));
        VirtualDocument::at(&self.uri).ok_or_else(none)
    }
}

/// The answer.
#[derive(Debug, Serialize)]
pub struct Content {
    text: String,
}

/// The prompt that the document is made from, if it is; open or not.
pub fn subject(session: &Session, params: &ContentParams) -> Result<Option<PromptSnapshot>> {
    let VirtualDocument::Resolved(Resolved { prompt, task, .. }) = params.document()? else {
        return Ok(None);
    };
    let no_prompt = || Error::invalid_params(format!("there is no prompt at {prompt}"));
    let uri: lsp::Uri = prompt.parse().map_err(|_| no_prompt())?;
    let prompts = session.documents.prompts_anywhere(&uri).into_iter();
    let mut prompts = prompts.filter(|prompt| prompt.name() == task.as_deref());
    let found = prompts.next().ok_or_else(no_prompt)?;
    // The text as it is now: what changes from here on, the editor hears of.
    session.refresh().content_was_asked(uri, params.uri.clone());
    Ok(Some(found))
}

/// The text of the document.
pub fn content(context: Context<Option<PromptSnapshot>>, params: ContentParams) -> Result<Content> {
    let text = match (params.document()?, &context.subject) {
        (VirtualDocument::Explanation(code), _) => explain::page(code).to_owned(),
        (VirtualDocument::Resolved(Resolved { prompt, case, .. }), Some(found)) => {
            let no_case = |name| Error::invalid_params(format!("{prompt} has no case `{name}`"));
            let case = match case {
                None => found.case,
                Some(name) => {
                    let case = found.snapshot().case_named(&name);
                    Some(case.ok_or_else(|| no_case(name))?)
                }
            };
            resolved_text(found, case)
        }
        (VirtualDocument::Resolved(_), None) => String::new(),
    };
    Ok(Content { text })
}
