//! The pages of `promptls explain` as documents, for editors that link a problem's code.
//!
//! The request is that of LSP 3.18. An editor of an older protocol asks it all the same, and says
//! so at the start.

use promptls_resolver::Code;
use serde::{Deserialize, Serialize};
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types as lsp;

use crate::explain;

/// The name of the request.
pub const CONTENT: &str = "workspace/textDocumentContent";

/// The scheme of the pages' addresses.
const SCHEME: &str = "promptls";

/// `workspace/textDocumentContent`
#[derive(Debug, Deserialize)]
pub struct ContentParams {
    uri: String,
}

/// Its answer.
#[derive(Debug, Serialize)]
pub struct Content {
    text: &'static str,
}

/// The address of the page on a code.
pub fn address(code: Code) -> Option<lsp::Uri> {
    format!("{SCHEME}:{}.md", code.id()).parse().ok()
}

/// The page at an address.
pub fn content(ContentParams { uri }: &ContentParams) -> Result<Content> {
    let id = uri.strip_prefix(SCHEME).and_then(|rest| rest.strip_prefix(':'));
    let id = id.map(|path| path.trim_start_matches('/').trim_end_matches(".md"));
    match id.and_then(Code::from_id) {
        Some(code) => Ok(Content { text: explain::page(code) }),
        None => Err(Error::invalid_params(format!("there is no page at {uri}"))),
    }
}
