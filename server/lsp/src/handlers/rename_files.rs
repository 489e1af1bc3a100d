//! Renames the inputs and variables files of a prompt together with the prompt.

use std::path::PathBuf;

use promptls_workspace::rebase_file_values;

use crate::client_capabilities::ClientCapabilities;
use crate::session::documents::Documents;
use crate::workspace_edits::WorkspaceEdits;

/// The additional renames, for files with their old and new paths. `None` if there are none, or the
/// editor does not support them.
pub fn edits(
    documents: &Documents,
    client: &ClientCapabilities,
    renamed: &[(PathBuf, PathBuf)],
) -> Option<WorkspaceEdits> {
    if !client.renames_files {
        return None;
    }
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
    (!edits.is_empty()).then(|| edits.at_versions(documents))
}
