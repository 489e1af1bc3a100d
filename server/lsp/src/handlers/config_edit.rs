//! Changes of `promptls.toml`.

use std::path::Path;

use promptls_analysis::ConfigChange;
use promptls_analysis::position::Encoding;
use promptls_workspace::{CONFIG_NAME, Config, config_home, edit_config, is_code};
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types as lsp;

use crate::errors::{no_file_yet, refused};
use crate::handlers::new_file::{check_inside, free};
use crate::session::documents::Documents;
use crate::workspace_edits::WorkspaceEdits;

/// Says something of a file in the config that counts for it, or in a new one. The answer is where
/// that is. What is typed in the config and not saved counts.
pub fn say_in_config(
    edits: &mut WorkspaceEdits,
    documents: &Documents,
    encoding: Encoding,
    file: &Path,
    config: Option<&Config>,
    change: &ConfigChange,
) -> Result<lsp::Uri> {
    if is_code(file) {
        let reason = "a rule for this file would make all of it one prompt; \
            one with `strings` in promptls.toml is for prompts in code";
        return Err(refused(reason));
    }
    let path = match config {
        Some(config) => config.path_for(file).to_owned(),
        None => config_home(&documents.files(), file).join(CONFIG_NAME),
    };
    // Of an older version nothing can be said, only of the file.
    if path.is_absolute() != file.is_absolute() {
        return Err(no_file_yet());
    }
    let uri = documents.uri(&path).ok_or_else(no_file_yet)?;
    let text = documents.config(&path).map(|(text, _)| text);
    let before = text.as_ref().map(ToString::to_string).unwrap_or_default();
    let after = edit_config(&before, &path, file, change)
        .ok_or_else(|| refused(format!("{CONFIG_NAME} cannot be read as it is; mend it first")))?;
    match text {
        Some(text) => {
            check_inside(documents, &path)?;
            edits.rewrite(uri.clone(), &text, &after, encoding);
        }
        None => edits.create(free(documents, &path)?, after),
    }
    Ok(uri)
}
