//! Edits of `promptls.toml`.

use std::path::{Path, PathBuf};

use promptls_analysis::ConfigChange;
use promptls_analysis::position::Encoding;
use promptls_workspace::{CONFIG_NAME, Config, config_home, edit_config, is_code};

use crate::convert::Uri;
use crate::errors::{Result, no_file_yet, refused};
use crate::handlers::new_file::{check_inside, free};
use crate::session::documents::Documents;
use crate::workspace_edits::WorkspaceEdits;

/// Adds a setting for a file to its effective config, or to a new one. Unsaved text of the config
/// is used. Returns the URI of the config. Fails for the dialect or the engine of a code file, because
/// a rule never makes all of it one prompt.
pub fn change_config(
    edits: &mut WorkspaceEdits,
    documents: &Documents,
    encoding: Encoding,
    file: &Path,
    config: Option<&Config>,
    change: &ConfigChange,
) -> Result<Uri> {
    let reason = match change {
        ConfigChange::Dialect(_) => Some(
            "code is never one prompt as a whole; \
            use a rule with `strings` in promptls.toml for prompts in code",
        ),
        ConfigChange::Engine(_) => Some(
            "prompts in code have the engine of their framework, in the version of the lock file",
        ),
        _ => None,
    };
    if let Some(reason) = reason.filter(|_| is_code(file)) {
        return Err(refused(reason));
    }
    let path = match config {
        Some(config) => config.path_for(file).to_owned(),
        None => {
            let open = documents.log().folders();
            let open = open.iter().map(PathBuf::as_path);
            config_home(&documents.files(), file, open).join(CONFIG_NAME)
        }
    };
    // A config on disk cannot name a document without a file, such as an earlier version in a diff
    // view.
    if path.is_absolute() != file.is_absolute() {
        return Err(no_file_yet());
    }
    let uri = documents.uri(&path).ok_or_else(no_file_yet)?;
    let text = documents.project().config(&path).map(|(text, _)| text);
    let before = text.as_ref().map(ToString::to_string).unwrap_or_default();
    let after = edit_config(&before, &path, file, change)
        .ok_or_else(|| refused(format!("{CONFIG_NAME} cannot be read; fix it first")))?;
    match text {
        Some(text) => {
            check_inside(documents, &path)?;
            edits.rewrite(uri.clone(), &text, &after, encoding);
        }
        None => edits.create(free(documents, &path)?, after),
    }
    Ok(uri)
}
