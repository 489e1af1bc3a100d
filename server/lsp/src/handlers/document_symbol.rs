//! `textDocument/documentSymbol`

use promptls_analysis::position::Encoding;
use promptls_analysis::{DocumentSymbol, DocumentSymbolKind, document_symbols};
use tower_lsp::ls_types as lsp;

use crate::context::Context;
use crate::convert::Uri;
use crate::errors::Result;
use crate::session::prompt_snapshot::PromptSnapshot;

/// The outline of each prompt. A prompt with a name is a symbol with its outline below.
pub fn document_symbol(
    context: Context<Vec<PromptSnapshot>>,
    params: lsp::DocumentSymbolParams,
) -> Result<Option<lsp::DocumentSymbolResponse>> {
    let prompts = &context.subject;
    if prompts.is_empty() {
        return Ok(None);
    }
    let encoding = context.encoding();
    let trees: Vec<_> = prompts.iter().flat_map(|prompt| trees(prompt, encoding)).collect();
    Ok(Some(match context.client().display.symbol_trees {
        true => lsp::DocumentSymbolResponse::Nested(trees),
        false => {
            let mut flat = Vec::new();
            flatten(trees, None, &params.text_document.uri.into(), &mut flat);
            lsp::DocumentSymbolResponse::Flat(flat)
        }
    }))
}

fn trees(prompt: &PromptSnapshot, encoding: Encoding) -> Vec<lsp::DocumentSymbol> {
    let symbols = document_symbols(prompt.snapshot());
    let children = symbols.into_iter().filter_map(|symbol| tree(prompt, symbol, encoding));
    let children: Vec<_> = children.collect();
    let Some(name) = prompt.name() else { return children };
    let Some(range) = prompt.whole_range(encoding) else { return Vec::new() };
    // The protocol requires a name for each symbol.
    let name = if name.trim().is_empty() { "(no name)" } else { name };
    vec![symbol(name.to_owned(), lsp::SymbolKind::MODULE, range, range, children)]
}

fn tree(
    prompt: &PromptSnapshot,
    tree: DocumentSymbol,
    encoding: Encoding,
) -> Option<lsp::DocumentSymbol> {
    let kind = match tree.kind {
        // The same kind as in editors' own outlines of Markdown.
        DocumentSymbolKind::Section => lsp::SymbolKind::STRING,
        DocumentSymbolKind::Tag => lsp::SymbolKind::FIELD,
        DocumentSymbolKind::Condition => lsp::SymbolKind::BOOLEAN,
        DocumentSymbolKind::Loop => lsp::SymbolKind::ARRAY,
        DocumentSymbolKind::Name => lsp::SymbolKind::VARIABLE,
    };
    let children = tree.children.into_iter();
    Some(symbol(
        tree.name,
        kind,
        prompt.shown_range(&tree.range, encoding)?,
        prompt.shown_range(&tree.selection, encoding)?,
        children.filter_map(|child| self::tree(prompt, child, encoding)).collect(),
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
    uri: &Uri,
    flat: &mut Vec<lsp::SymbolInformation>,
) {
    for tree in trees {
        let lsp::DocumentSymbol { name, kind, range, children, .. } = tree;
        flat.push(lsp::SymbolInformation {
            name: name.clone(),
            kind,
            tags: None,
            deprecated: None,
            location: lsp::Location { uri: uri.clone().into(), range },
            container_name: container.map(str::to_owned),
        });
        flatten(children.unwrap_or_default(), Some(&name), uri, flat);
    }
}
