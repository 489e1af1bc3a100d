//! The types of the protocol library stop at the conversion: other files of the language server use
//! types of their own, so that an update of the library changes few files.

use std::collections::BTreeSet;

use super::source::crates;

/// The name of the library in the sources.
const LIBRARY: &str = "tower_lsp";

/// The folder of the language server.
const SERVER: &str = "server/lsp/src/";

/// The files that convert to and from the library, or register with it; a path that ends in `/` is
/// for all files of a folder.
const CONVERSION: [&str; 7] = [
    "backend.rs",
    "client_capabilities.rs",
    "convert.rs",
    "convert/",
    "lsp_ext.rs",
    "server_capabilities.rs",
    "transport/",
];

/// Files that still name types of the library. The list may only become shorter.
const REMAINING: [&str; 39] = [
    "ask_preferences.rs",
    "diagnostics.rs",
    "diagnostics/store.rs",
    "diagnostics/style.rs",
    "dialect_marks.rs",
    "followers/server.rs",
    "handlers/code_action.rs",
    "handlers/code_lens.rs",
    "handlers/definition.rs",
    "handlers/document_highlight.rs",
    "handlers/document_link.rs",
    "handlers/document_symbol.rs",
    "handlers/execute_command.rs",
    "handlers/folding_range.rs",
    "handlers/hover.rs",
    "handlers/inlay_hint.rs",
    "handlers/references.rs",
    "handlers/rename.rs",
    "handlers/rename_files.rs",
    "handlers/selection_range.rs",
    "handlers/semantic_tokens.rs",
    "handlers/stores.rs",
    "handlers/typing/completion.rs",
    "handlers/typing/formatting.rs",
    "handlers/typing/linked_editing_range.rs",
    "handlers/typing/on_type_formatting.rs",
    "handlers/workspace/diagnostic.rs",
    "handlers/workspace/prompts.rs",
    "handlers/workspace/symbol.rs",
    "progress.rs",
    "refresh.rs",
    "session.rs",
    "session/cross_prompt.rs",
    "session/document.rs",
    "session/documents/lookup.rs",
    "session/documents/sync.rs",
    "session/last_tokens.rs",
    "session/prompt_snapshot.rs",
    "workspace_edits.rs",
];

#[test]
fn protocol_types_stop_at_the_conversion() {
    let converts = |file: &str| {
        CONVERSION.iter().any(|path| file == *path || path.ends_with('/') && file.starts_with(path))
    };
    let mut users: BTreeSet<String> = BTreeSet::new();
    for module in crates().iter().flat_map(|sources| sources.modules()) {
        let Some(file) = module.file.strip_prefix(SERVER).filter(|file| !converts(file)) else {
            continue;
        };
        if module.paths().any(|(path, _)| path[0] == LIBRARY) {
            users.insert(file.to_owned());
        }
    }
    let remaining: BTreeSet<String> = REMAINING.iter().map(|file| (*file).to_owned()).collect();
    let new: Vec<&String> = users.difference(&remaining).collect();
    assert!(new.is_empty(), "these files name `{LIBRARY}`; convert in `convert` instead: {new:?}");
    let gone: Vec<&String> = remaining.difference(&users).collect();
    assert!(gone.is_empty(), "remove these files from the list: {gone:?}");
}
