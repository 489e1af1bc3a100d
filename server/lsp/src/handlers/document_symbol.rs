//! `textDocument/documentSymbol`

use promptls_analysis::position::Encoding;
use promptls_analysis::{DocumentSymbol, DocumentSymbolKind, document_symbols};
use promptls_protocol as wire;

use crate::context::Context;
use crate::errors::Result;
use crate::session::prompt_snapshot::PromptSnapshot;

/// A symbol of an outline.
pub struct OutlineSymbol {
    pub name: String,
    /// `None` for a whole prompt, which has no kind.
    pub kind: Option<DocumentSymbolKind>,
    pub range: wire::Range,
    /// The range that is selected when the user goes there.
    pub selection: wire::Range,
    pub children: Vec<OutlineSymbol>,
}

/// The outline of each prompt. A prompt with a name is a symbol with its outline below.
pub fn document_symbol(
    context: Context<Vec<PromptSnapshot>>,
    (): (),
) -> Result<Option<Vec<OutlineSymbol>>> {
    let prompts = &context.subject;
    if prompts.is_empty() {
        return Ok(None);
    }
    let encoding = context.encoding();
    Ok(Some(prompts.iter().flat_map(|prompt| trees(prompt, encoding)).collect()))
}

fn trees(prompt: &PromptSnapshot, encoding: Encoding) -> Vec<OutlineSymbol> {
    let symbols = document_symbols(prompt.snapshot());
    let children = symbols.into_iter().filter_map(|symbol| tree(prompt, symbol, encoding));
    let children: Vec<_> = children.collect();
    let Some(name) = prompt.name() else { return children };
    let Some(range) = prompt.whole_range(encoding) else { return Vec::new() };
    // The protocol requires a name for each symbol.
    let name = if name.trim().is_empty() { "(no name)" } else { name };
    let name = name.to_owned();
    vec![OutlineSymbol { name, kind: None, range, selection: range, children }]
}

fn tree(
    prompt: &PromptSnapshot,
    tree: DocumentSymbol,
    encoding: Encoding,
) -> Option<OutlineSymbol> {
    let children = tree.children.into_iter();
    Some(OutlineSymbol {
        name: tree.name,
        kind: Some(tree.kind),
        range: prompt.shown_range(&tree.range, encoding)?,
        selection: prompt.shown_range(&tree.selection, encoding)?,
        children: children.filter_map(|child| self::tree(prompt, child, encoding)).collect(),
    })
}
