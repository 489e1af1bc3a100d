//! Files that are not there yet.

use std::path::{Path, PathBuf};

use promptls_workspace::{Files, inputs_path};
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types as lsp;

use crate::convert;
use crate::errors::refused;
use crate::session::Session;
use crate::session::prompt_snapshot::PromptSnapshot;

/// Where a new case of a prompt is written.
pub fn new_inputs(prompt: &PromptSnapshot, case: &str) -> Result<PathBuf> {
    let prompt = prompt.uri().and_then(|uri| uri.to_file_path());
    let prompt = prompt.ok_or_else(|| refused("save the prompt first, it has no file yet"))?;
    inputs_path(&prompt, case)
        .ok_or_else(|| refused("a case is called by letters, digits, `-` and `_`"))
}

/// The address of a file that is not there yet.
pub fn free(session: &Session, path: &Path) -> Result<lsp::Uri> {
    let uri = convert::uri(path).ok_or_else(|| refused("the file has no address"))?;
    if session.documents.files().is_there(path) {
        return Err(refused(format!("{} exists already", file_name(path))));
    }
    Ok(uri)
}

/// What a file is called.
pub fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().display().to_string()
}
