//! Files that are not there yet.

use std::path::{Path, PathBuf};

use promptls_workspace::Files;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types as lsp;

use crate::convert;
use crate::errors::{no_file_yet, refused};
use crate::session::documents::Documents;
use crate::session::prompt_snapshot::PromptSnapshot;

/// Where a new case of a prompt is written.
pub fn new_inputs(prompt: &PromptSnapshot, case: &str) -> Result<PathBuf> {
    let path = prompt.file().new_case(prompt.prompt(), case);
    path.ok_or_else(|| refused("a case is called by letters, digits, `-` and `_`"))
}

/// The address of a file that is not there yet.
pub fn free(documents: &Documents, path: &Path) -> Result<lsp::Uri> {
    let uri = convert::uri(path).ok_or_else(no_file_yet)?;
    let files = documents.files();
    // A link that leads to nothing is followed by editors when they make the file.
    if files.is_there(path) || files.is_link(path) {
        return Err(refused(format!("{} exists already", file_name(path))));
    }
    check_inside(documents, path)?;
    Ok(uri)
}

/// Fails if an editor that writes a file would follow a link out of the project.
pub fn check_inside(documents: &Documents, path: &Path) -> Result<()> {
    match documents.leads_out(path) {
        true => {
            let name = file_name(path);
            Err(refused(format!("{name} is not written: a link leads out of the project")))
        }
        false => Ok(()),
    }
}

/// What a file is called.
pub fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().display().to_string()
}
