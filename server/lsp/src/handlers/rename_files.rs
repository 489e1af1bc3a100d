//! Renames the inputs and variables files of a prompt together with the prompt.

use std::path::PathBuf;

use promptls_workspace::rebase_file_values;
use tower_lsp::ls_types as lsp;

use crate::client_capabilities::ClientCapabilities;
use crate::convert;
use crate::session::documents::Documents;
use crate::workspace_edits::WorkspaceEdits;

/// The renames that the editor should report: those of any file, because a rule may make a prompt
/// of it. Folders are excluded: all files in them move as well.
pub fn operations() -> lsp::WorkspaceFileOperationsServerCapabilities {
    let pattern = lsp::FileOperationPattern {
        glob: "**/*".to_owned(),
        matches: Some(lsp::FileOperationPatternKind::File),
        options: None,
    };
    let filter = lsp::FileOperationFilter { scheme: Some("file".to_owned()), pattern };
    let all = lsp::FileOperationRegistrationOptions { filters: vec![filter] };
    lsp::WorkspaceFileOperationsServerCapabilities {
        will_rename: Some(all.clone()),
        did_rename: Some(all),
        ..lsp::WorkspaceFileOperationsServerCapabilities::default()
    }
}

/// The paths before and after the renames.
pub fn paths(params: &lsp::RenameFilesParams) -> Vec<(PathBuf, PathBuf)> {
    let path = |uri: &str| uri.parse().ok().map(|uri| convert::path(&uri));
    let files = params.files.iter();
    files.filter_map(|file| Some((path(&file.old_uri)?, path(&file.new_uri)?))).collect()
}

/// The additional renames; `None` if there are none, or the editor does not support them.
pub fn edit(
    documents: &Documents,
    client: &ClientCapabilities,
    params: &lsp::RenameFilesParams,
) -> Option<lsp::WorkspaceEdit> {
    if !client.renames_files {
        return None;
    }
    let renamed = paths(params);
    let mut edits = WorkspaceEdits::default();
    for (from, to) in
        renamed.iter().flat_map(|(old, new)| documents.project().moved_sidecars(old, new))
    {
        // The user has chosen another name for this sidecar.
        if renamed.iter().any(|(old, _)| *old == from) {
            continue;
        }
        let (Some(from_uri), Some(to_uri)) = (documents.uri(&from), documents.uri(&to)) else {
            continue;
        };
        if let Ok(text) = documents.project().text(&from)
            && let before = text.to_string()
            && let Some(after) = rebase_file_values(&before, &from, &to)
            && after != before
        {
            edits.rewrite(to_uri.clone(), &text, &after, client.encoding);
        }
        edits.rename(from_uri, to_uri);
    }
    (!edits.is_empty()).then(|| edits.finish(documents, client))
}
