//! Checks for files that an edit creates.

use std::path::{Path, PathBuf};

use promptls_workspace::{Entry, Files};

use crate::convert::{self, Uri};
use crate::errors::{Result, no_file_yet, refused};
use crate::session::documents::Documents;
use crate::session::prompt_snapshot::PromptSnapshot;

/// The path of the inputs file for a new case. Fails if the name has invalid characters.
pub fn new_inputs(prompt: &PromptSnapshot, case: &str) -> Result<PathBuf> {
    let path = prompt.file().new_case(prompt.prompt(), case);
    path.ok_or_else(|| refused("the name of a case can contain only letters, digits, `-` and `_`"))
}

/// The URI of a file to create. Fails if the file exists already.
pub fn free(documents: &Documents, path: &Path) -> Result<Uri> {
    let uri = convert::uri(path).ok_or_else(no_file_yet)?;
    let files = documents.files();
    // Editors follow a dangling link when they create the file.
    if files.is_there(path) || files.entry(path) == Entry::Link {
        return Err(refused(format!("{} exists already", file_name(path))));
    }
    check_inside(documents, path)?;
    Ok(uri)
}

/// Fails if an editor that writes this file would follow a link out of the project.
pub fn check_inside(documents: &Documents, path: &Path) -> Result<()> {
    match documents.project().leads_out(path) {
        true => {
            let name = file_name(path);
            Err(refused(format!("{name} is not written: a link leads out of the project")))
        }
        false => Ok(()),
    }
}

/// The name of a file, for display.
pub fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().display().to_string()
}
