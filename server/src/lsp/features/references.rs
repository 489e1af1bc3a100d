//! `textDocument/references`

use std::collections::HashSet;
use std::sync::Arc;

use promptls_analysis::references_to;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types as lsp;

use crate::lsp::abilities::Abilities;
use crate::lsp::backend::work;
use crate::lsp::convert;
use crate::lsp::documents::Documents;
use crate::lsp::relatives::{Relative, may_have_more, relatives, views_or_readers};

/// All places about the same, in all prompts that share files; each once.
pub async fn references(
    documents: &Arc<Documents>,
    abilities: &Abilities,
    params: lsp::ReferenceParams,
) -> Result<Option<Vec<lsp::Location>>> {
    let at = params.text_document_position;
    let encoding = abilities.encoding;
    let views = documents.views(&at.text_document.uri, at.position, encoding);
    let is_heavy =
        may_have_more(&views) || views.iter().any(|view| view.moment.snapshot().is_heavy());
    let documents = documents.clone();
    let with_declaration = params.context.include_declaration;
    let places = move || {
        let views = views_or_readers(&documents, views, &at.text_document.uri);
        let mut seen = HashSet::new();
        let mut locations = Vec::new();
        for Relative { moment, subjects } in relatives(&documents, views, at.position, encoding) {
            for subject in &subjects {
                let found = references_to(moment.snapshot(), subject);
                let declaration = found.declaration.filter(|_| with_declaration);
                for place in found.uses.iter().chain(&declaration) {
                    if let Some(location) = convert::location(&moment, place, encoding)
                        && seen.insert(location.clone())
                    {
                        locations.push(location);
                    }
                }
            }
        }
        locations
    };
    Ok(Some(work(is_heavy, places).await?))
}
