//! Atomic writing of several files.

use std::fs;
use std::path::Path;

use crate::Writer;
use crate::error::WriteError;

/// The files that may be overwritten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    /// None: all files must be new.
    Nothing,
    /// Existing files may be overwritten, but no folders.
    Files,
}

/// The state of a file before it was written.
enum Before {
    Missing,
    Content(Vec<u8>),
}

impl Writer {
    /// Writes all of these files, or none; the error includes the file that could not be written.
    /// Folders are created for all files but the first.
    pub fn write_all<'f>(
        &self,
        files: &[(&'f Path, &[u8])],
        over: Over,
    ) -> Result<(), (&'f Path, WriteError)> {
        let mut written = Vec::new();
        for (index, &(path, content)) in files.iter().enumerate() {
            let writer = if index == 0 { self.clone() } else { self.making_folders() };
            match writer.write_over(path, content, over) {
                Ok(before) => written.push((path, content, before)),
                Err(error) => {
                    for (path, content, before) in written.into_iter().rev() {
                        // Files that cannot be restored, or were saved since, stay.
                        let _ = self.put_back(path, content, before);
                    }
                    return Err((path, error));
                }
            }
        }
        Ok(())
    }

    fn write_over(&self, path: &Path, content: &[u8], over: Over) -> Result<Before, WriteError> {
        let is_file = fs::metadata(path).is_ok_and(|found| found.is_file());
        let before = match over == Over::Files && is_file {
            true => Before::Content(fs::read(path)?),
            false => Before::Missing,
        };
        match &before {
            Before::Content(before) => self.replace(path, before, content)?,
            Before::Missing => self.create(path, content)?,
        }
        Ok(before)
    }

    fn put_back(&self, path: &Path, content: &[u8], before: Before) -> Result<(), WriteError> {
        match before {
            Before::Content(before) => self.replace(path, content, &before),
            Before::Missing => self.remove(path),
        }
    }
}
