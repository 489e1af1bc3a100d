//! `textDocument/references`

use std::collections::HashSet;

use promptls_analysis::references_to;

use crate::context::Context;
use crate::document_range::{DocumentPosition, DocumentRange};
use crate::errors::Result;
use crate::session::cross_prompt::{Sharing, same_in_all_prompts, views_or_readers};
use crate::session::prompt_snapshot::View;

pub struct ReferencesQuery {
    pub at: DocumentPosition,
    pub include_declaration: bool,
}

/// All references to the symbol, in all prompts that share files, without duplicates.
pub fn references(
    context: Context<Vec<View>>,
    ReferencesQuery { at, include_declaration }: ReferencesQuery,
) -> Result<Vec<DocumentRange>> {
    let encoding = context.encoding();
    let documents = &context.session.documents;
    let views = views_or_readers(documents, context.subject, &at, encoding);
    let mut seen = HashSet::new();
    let mut locations = Vec::new();
    for Sharing { prompt, symbols } in same_in_all_prompts(documents, views, at.position, encoding)
    {
        for symbol in &symbols {
            let found = references_to(prompt.snapshot(), symbol);
            let declaration = found.declaration.filter(|_| include_declaration);
            for place in found.uses.iter().chain(&declaration) {
                if let Some(location) = prompt.location(place, encoding)
                    && seen.insert(location.clone())
                {
                    locations.push(location);
                }
            }
        }
    }
    Ok(locations)
}
