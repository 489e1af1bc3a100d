//! Converts places that a request leads to, and the names and outlines of documents.

use promptls_analysis::DocumentSymbolKind;
use promptls_protocol as wire;
use promptls_workspace::SymbolKind;
use tower_lsp::ls_types as lsp;

use super::{Uri, document_position, lsp_location, lsp_range};
use crate::document_range::DocumentRange;
use crate::handlers::definition::DefinitionTarget;
use crate::handlers::document_link::DocumentLink;
use crate::handlers::document_symbol::OutlineSymbol;
use crate::handlers::references::ReferencesQuery;
use crate::handlers::rename::NameRange;
use crate::handlers::typing::linked_editing_range::WORD_PATTERN;
use crate::handlers::workspace::symbol::{FoundSymbol, SymbolPlace, SymbolRange};

/// Converts definitions, for an editor with or without support for links.
pub fn definitions(
    targets: Vec<DefinitionTarget>,
    with_links: bool,
) -> Option<lsp::GotoDefinitionResponse> {
    if targets.is_empty() {
        return None;
    }
    if !with_links {
        let locations = targets.into_iter().map(|it| lsp_location(it.target)).collect();
        return Some(lsp::GotoDefinitionResponse::Array(locations));
    }
    let link = |DefinitionTarget { origin, target }: DefinitionTarget| {
        let lsp::Location { uri, range } = lsp_location(target);
        lsp::LocationLink {
            origin_selection_range: Some(lsp_range(origin)),
            target_uri: uri,
            target_range: range,
            target_selection_range: range,
        }
    };
    Some(lsp::GotoDefinitionResponse::Link(targets.into_iter().map(link).collect()))
}

/// Converts a request for references.
pub fn references_query(params: lsp::ReferenceParams) -> ReferencesQuery {
    let include_declaration = params.context.include_declaration;
    ReferencesQuery { at: document_position(params.text_document_position), include_declaration }
}

/// Converts the name that can be renamed.
pub fn renamable(NameRange { range, name }: NameRange) -> lsp::PrepareRenameResponse {
    let (range, placeholder) = (lsp_range(range), name);
    lsp::PrepareRenameResponse::RangeWithPlaceholder { range, placeholder }
}

/// Converts the other uses of a name.
pub fn highlights(ranges: Vec<wire::Range>) -> Vec<lsp::DocumentHighlight> {
    let highlight = |range| lsp::DocumentHighlight { range: lsp_range(range), kind: None };
    ranges.into_iter().map(highlight).collect()
}

/// Converts ranges, each inside the next; `None` if there are none.
pub fn selection_range(ranges: Vec<wire::Range>) -> Option<lsp::SelectionRange> {
    let outwards = |parent: Option<lsp::SelectionRange>, range| {
        Some(lsp::SelectionRange { range: lsp_range(range), parent: parent.map(Box::new) })
    };
    ranges.into_iter().rev().fold(None, outwards)
}

/// Converts ranges that are edited together.
pub fn linked_ranges(ranges: Vec<wire::Range>) -> lsp::LinkedEditingRanges {
    let ranges = ranges.into_iter().map(lsp_range).collect();
    lsp::LinkedEditingRanges { ranges, word_pattern: Some(WORD_PATTERN.to_owned()) }
}

pub fn document_link(DocumentLink { range, target }: DocumentLink) -> lsp::DocumentLink {
    let (range, target) = (lsp_range(range), Some(target.into()));
    lsp::DocumentLink { range, target, tooltip: None, data: None }
}

/// Converts an outline: a tree, or a list for an editor without support for trees.
pub fn outline(
    symbols: Vec<OutlineSymbol>,
    uri: &Uri,
    as_tree: bool,
) -> lsp::DocumentSymbolResponse {
    if as_tree {
        let trees = symbols.into_iter().map(outline_symbol).collect();
        return lsp::DocumentSymbolResponse::Nested(trees);
    }
    let mut flat = Vec::new();
    flatten(symbols, None, uri, &mut flat);
    lsp::DocumentSymbolResponse::Flat(flat)
}

#[expect(deprecated, reason = "the field of old clients has no default")]
fn outline_symbol(symbol: OutlineSymbol) -> lsp::DocumentSymbol {
    let children: Vec<_> = symbol.children.into_iter().map(outline_symbol).collect();
    lsp::DocumentSymbol {
        name: symbol.name,
        detail: None,
        kind: outline_kind(symbol.kind),
        tags: None,
        deprecated: None,
        range: lsp_range(symbol.range),
        selection_range: lsp_range(symbol.selection),
        children: (!children.is_empty()).then_some(children),
    }
}

#[expect(deprecated, reason = "the field of old clients has no default")]
fn flatten(
    symbols: Vec<OutlineSymbol>,
    container: Option<&str>,
    uri: &Uri,
    flat: &mut Vec<lsp::SymbolInformation>,
) {
    for OutlineSymbol { name, kind, range, children, .. } in symbols {
        flat.push(lsp::SymbolInformation {
            name: name.clone(),
            kind: outline_kind(kind),
            tags: None,
            deprecated: None,
            location: lsp_location(DocumentRange { uri: uri.clone(), range }),
            container_name: container.map(str::to_owned),
        });
        flatten(children, Some(&name), uri, flat);
    }
}

fn outline_kind(kind: Option<DocumentSymbolKind>) -> lsp::SymbolKind {
    let Some(kind) = kind else { return lsp::SymbolKind::MODULE };
    match kind {
        // The same kind as in editors' own outlines of Markdown.
        DocumentSymbolKind::Section => lsp::SymbolKind::STRING,
        DocumentSymbolKind::Tag => lsp::SymbolKind::FIELD,
        DocumentSymbolKind::Condition => lsp::SymbolKind::BOOLEAN,
        DocumentSymbolKind::Loop => lsp::SymbolKind::ARRAY,
        DocumentSymbolKind::Name => lsp::SymbolKind::VARIABLE,
    }
}

/// Converts names of the workspace.
pub fn workspace_symbols(found: Vec<FoundSymbol>) -> lsp::WorkspaceSymbolResponse {
    let symbol = |FoundSymbol { name, kind, container, place }: FoundSymbol| {
        let (location, data) = match place {
            SymbolPlace::File { uri, range } => (
                lsp::OneOf::Right(lsp::WorkspaceLocation { uri: uri.into() }),
                serde_json::to_value(range).ok(),
            ),
            SymbolPlace::Range(range) => (lsp::OneOf::Left(lsp_location(range)), None),
        };
        let (kind, container_name) = (workspace_kind(kind), Some(container));
        lsp::WorkspaceSymbol { name, kind, tags: None, container_name, location, data }
    };
    lsp::WorkspaceSymbolResponse::Nested(found.into_iter().map(symbol).collect())
}

/// The file of a symbol, and its bytes there; `None` if its range is known already.
pub fn unresolved(symbol: &lsp::WorkspaceSymbol) -> Option<(Uri, SymbolRange)> {
    let lsp::OneOf::Right(location) = &symbol.location else { return None };
    let range = serde_json::from_value(symbol.data.clone()?).ok()?;
    Some((location.uri.clone().into(), range))
}

/// The kind of a symbol, among those that every editor supports.
fn workspace_kind(kind: SymbolKind) -> lsp::SymbolKind {
    match kind {
        SymbolKind::Prompt => lsp::SymbolKind::MODULE,
        SymbolKind::Case => lsp::SymbolKind::ENUM,
        SymbolKind::Variable => lsp::SymbolKind::VARIABLE,
        SymbolKind::Fragment => lsp::SymbolKind::STRING,
        SymbolKind::Key => lsp::SymbolKind::PROPERTY,
    }
}
