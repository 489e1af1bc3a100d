//! `textDocument/documentSymbol`

use promptls_analysis::position::Encoding;
use promptls_analysis::{Symbol, SymbolKind, document_symbols};
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types as lsp;

use super::{are_heavy, lsp_range};
use crate::lsp::abilities::Abilities;
use crate::lsp::backend::work;
use crate::lsp::documents::Documents;
use crate::lsp::moment::Moment;

/// The outline of each prompt; of those that have names, below them.
pub async fn answer(
    documents: &Documents,
    abilities: &Abilities,
    uri: lsp::Uri,
) -> Result<Option<lsp::DocumentSymbolResponse>> {
    let moments = documents.moments(&uri);
    if moments.is_empty() {
        return Ok(None);
    }
    let &Abilities { encoding, display, .. } = abilities;
    let is_heavy = are_heavy(&moments);
    let trees = move || moments.iter().flat_map(|moment| trees(moment, encoding)).collect();
    let trees: Vec<lsp::DocumentSymbol> = work(is_heavy, trees).await?;
    Ok(Some(match display.symbol_trees {
        true => lsp::DocumentSymbolResponse::Nested(trees),
        false => {
            let mut flat = Vec::new();
            flatten(trees, None, &uri, &mut flat);
            lsp::DocumentSymbolResponse::Flat(flat)
        }
    }))
}

fn trees(moment: &Moment, encoding: Encoding) -> Vec<lsp::DocumentSymbol> {
    let symbols = document_symbols(moment.snapshot());
    let children = symbols.into_iter().filter_map(|symbol| tree(moment, symbol, encoding));
    let children: Vec<_> = children.collect();
    let Some(name) = moment.name() else { return children };
    let whole = 0..moment.snapshot().text.len_bytes();
    let Some(range) = lsp_range(moment, &whole, encoding) else { return Vec::new() };
    // No symbol may be without a name.
    let name = if name.trim().is_empty() { "(no name)" } else { name };
    vec![symbol(name.to_owned(), lsp::SymbolKind::MODULE, range, range, children)]
}

fn tree(moment: &Moment, tree: Symbol, encoding: Encoding) -> Option<lsp::DocumentSymbol> {
    let kind = match tree.kind {
        // As in editors' own outlines of Markdown.
        SymbolKind::Section => lsp::SymbolKind::STRING,
        SymbolKind::Tag => lsp::SymbolKind::FIELD,
        SymbolKind::Condition => lsp::SymbolKind::BOOLEAN,
        SymbolKind::Loop => lsp::SymbolKind::ARRAY,
        SymbolKind::Name => lsp::SymbolKind::VARIABLE,
    };
    let children = tree.children.into_iter();
    Some(symbol(
        tree.name,
        kind,
        lsp_range(moment, &tree.range, encoding)?,
        lsp_range(moment, &tree.selection, encoding)?,
        children.filter_map(|child| self::tree(moment, child, encoding)).collect(),
    ))
}

#[expect(deprecated, reason = "the field of old clients has no default")]
fn symbol(
    name: String,
    kind: lsp::SymbolKind,
    range: lsp::Range,
    selection_range: lsp::Range,
    children: Vec<lsp::DocumentSymbol>,
) -> lsp::DocumentSymbol {
    let children = (!children.is_empty()).then_some(children);
    lsp::DocumentSymbol {
        name,
        detail: None,
        kind,
        tags: None,
        deprecated: None,
        range,
        selection_range,
        children,
    }
}

#[expect(deprecated, reason = "the field of old clients has no default")]
fn flatten(
    trees: Vec<lsp::DocumentSymbol>,
    container: Option<&str>,
    uri: &lsp::Uri,
    flat: &mut Vec<lsp::SymbolInformation>,
) {
    for tree in trees {
        let lsp::DocumentSymbol { name, kind, range, children, .. } = tree;
        flat.push(lsp::SymbolInformation {
            name: name.clone(),
            kind,
            tags: None,
            deprecated: None,
            location: lsp::Location { uri: uri.clone(), range },
            container_name: container.map(str::to_owned),
        });
        flatten(children.unwrap_or_default(), Some(&name), uri, flat);
    }
}
