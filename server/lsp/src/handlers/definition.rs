//! `textDocument/definition` and `textDocument/declaration`

use promptls_analysis::{
    Definition, Snapshot, declaration as declared_at, definition as defined_at,
};
use promptls_resolver::{FileId, Location};
use tower_lsp::ls_types as lsp;

use super::from_all_views;
use crate::context::Context;
use crate::errors::Result;
use crate::session::prompt_snapshot::View;

/// The definitions of a name's values, or the matching tag of a block.
pub fn definition(
    context: Context<Vec<View>>,
    params: lsp::GotoDefinitionParams,
) -> Result<Option<lsp::GotoDefinitionResponse>> {
    let with_links = context.client().definition_links;
    let targets = targets(&context, params.text_document_position_params.position, defined_at);
    Ok(response(targets, with_links))
}

/// The declaration of a name.
pub fn declaration(
    context: Context<Vec<View>>,
    params: lsp::request::GotoDeclarationParams,
) -> Result<Option<lsp::request::GotoDeclarationResponse>> {
    let with_links = context.client().declaration_links;
    let targets = targets(&context, params.text_document_position_params.position, declared_at);
    Ok(response(targets, with_links))
}

/// The results of a feature, each with the range that leads to it.
fn targets(
    context: &Context<Vec<View>>,
    position: lsp::Position,
    feature: fn(&Snapshot, FileId, usize, Option<usize>) -> Option<Definition>,
) -> Vec<(lsp::Range, lsp::Location)> {
    let encoding = context.encoding();
    from_all_views(&context.subject, |view| {
        let View { prompt, file } = view;
        let offset = view.offset(position, encoding)?;
        let Definition { origin, targets } =
            feature(prompt.snapshot(), *file, offset, prompt.case)?;
        let origin = Location { file: *file, range: origin };
        let origin = prompt.location(&origin, encoding)?.range;
        let targets = targets.iter();
        let targets = targets.filter_map(|it| Some((origin, prompt.location(it, encoding)?)));
        Some(targets.collect())
    })
}

/// Converts the results, for an editor with or without support for links.
fn response(
    targets: Vec<(lsp::Range, lsp::Location)>,
    with_links: bool,
) -> Option<lsp::GotoDefinitionResponse> {
    if targets.is_empty() {
        return None;
    }
    if !with_links {
        let locations = targets.into_iter().map(|(_, target)| target).collect();
        return Some(lsp::GotoDefinitionResponse::Array(locations));
    }
    let link = |(origin, target): (lsp::Range, lsp::Location)| lsp::LocationLink {
        origin_selection_range: Some(origin),
        target_uri: target.uri,
        target_range: target.range,
        target_selection_range: target.range,
    };
    Some(lsp::GotoDefinitionResponse::Link(targets.into_iter().map(link).collect()))
}
