#![doc = include_str!("../README.md")]

mod attributes;
mod error;
mod folder_entry;
mod leftovers;
mod names;
mod together;
mod unfinished;

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use cap_std::fs::Dir;

pub use error::WriteError;
pub use names::{is_hidden, is_version_control};
pub use together::Over;

use folder_entry::{Destination, FolderEntry, Folders};
use unfinished::Unfinished;

/// Writes files.
///
/// Paths may be relative to the current folder. Clones share the state.
#[derive(Clone)]
pub struct Writer {
    project: Arc<ProjectOf>,
    /// The folders whose leftovers are removed. Once is enough, and a listing of a large folder for
    /// each of its files would take quadratic time.
    swept: Arc<Mutex<HashSet<PathBuf>>>,
    folders: Folders,
    force: bool,
}

/// The top folder of the project that a folder is in; `None` if it is in none, where links are
/// followed wherever they lead.
type ProjectOf = dyn Fn(&Path) -> Option<PathBuf> + Send + Sync;

impl std::fmt::Debug for Writer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Writer").field("force", &self.force).finish_non_exhaustive()
    }
}

impl Writer {
    /// A writer that follows no link out of the project that the link lies in. `project` returns
    /// the top folder of the project that a folder is in.
    pub fn new(project: impl Fn(&Path) -> Option<PathBuf> + Send + Sync + 'static) -> Writer {
        let (project, swept) = (Arc::new(project), Arc::default());
        Writer { project, swept, folders: Folders::MustExist, force: false }
    }

    /// A writer for one project, by its top folder. Links outside of it are followed.
    pub fn within(root: &Path) -> Writer {
        let root = root.canonicalize().or_else(|_| std::path::absolute(root));
        let root = root.unwrap_or_default();
        Writer::new(move |folder| folder.starts_with(&root).then(|| root.clone()))
    }

    /// Also replaces read-only files and files with several hard links. The other names of such a
    /// file keep the old text.
    pub fn force(self, force: bool) -> Writer {
        Writer { force, ..self }
    }

    /// Returns a writer that also creates missing folders.
    pub fn making_folders(&self) -> Writer {
        Writer { folders: Folders::AreMade, ..self.clone() }
    }

    /// Writes a new file. Fails if the path exists.
    pub fn create(&self, path: &Path, content: &[u8]) -> Result<(), WriteError> {
        match self.destination(path)? {
            Destination::File(place) if place.existing.is_none() => {
                Unfinished::with(&place, content)?.finish(&place, Expected::Nothing)
            }
            _ => Err(WriteError::Exists),
        }
    }

    /// Replaces the content of a file. Fails if its content is not `before`, even if another
    /// program saves it during the write.
    pub fn replace(&self, path: &Path, before: &[u8], after: &[u8]) -> Result<(), WriteError> {
        self.replace_after(path, before, after, || {})
    }

    /// The same; `between` is called when `after` is on the disk, directly before the files are
    /// compared.
    fn replace_after(
        &self,
        path: &Path,
        before: &[u8],
        after: &[u8],
        between: impl FnOnce(),
    ) -> Result<(), WriteError> {
        let Destination::File(place) = self.replaced(path)? else {
            return Err(WriteError::Changed);
        };
        // Avoids writing if the result is already known.
        if !place.has_content(&place.name, before)? {
            return Err(WriteError::Changed);
        }
        let unfinished = Unfinished::with(&place, after)?;
        between();
        unfinished.finish(&place, Expected::Content { before, after })
    }

    /// Writes a file regardless of its content. A device or a pipe receives the content.
    pub fn put(&self, path: &Path, content: &[u8]) -> Result<(), WriteError> {
        let mut output = self.open(path)?;
        output.write_all(content)?;
        output.finish()
    }

    /// Opens a file for its new content, which becomes effective once it is
    /// [finished](Output::finish).
    pub fn open(&self, path: &Path) -> Result<Output, WriteError> {
        Ok(match self.replaced(path)? {
            Destination::File(place) => {
                let unfinished = Unfinished::new(&place)?;
                Output(OutputKind::File(Box::new((*place, unfinished))))
            }
            Destination::Device(path) => {
                Output(OutputKind::Device(File::options().write(true).open(path)?))
            }
        })
    }

    /// Removes a file; of a link, the link.
    pub fn remove(&self, path: &Path) -> Result<(), WriteError> {
        let entry = folder_entry::entry(path, &*self.project)?;
        Ok(entry.folder.remove_file(entry.name)?)
    }

    /// Removes the temporary files that killed processes have left beside a file.
    pub fn sweep_beside(&self, path: &Path) {
        // A path that cannot be resolved keeps its leftovers.
        if let Ok(entry) = folder_entry::entry(path, &*self.project) {
            self.sweep(&entry.path, &entry.folder);
        }
    }

    fn sweep(&self, path: &Path, folder: &Dir) {
        let mut swept = self.swept.lock().unwrap_or_else(PoisonError::into_inner);
        if !swept.contains(path) {
            swept.insert(path.to_owned());
            leftovers::sweep(folder);
        }
    }

    fn destination(&self, path: &Path) -> Result<Destination, WriteError> {
        let destination = folder_entry::find(path, &*self.project, self.folders)?;
        if let Destination::File(place) = &destination {
            self.sweep(&place.path, &place.folder);
        }
        Ok(destination)
    }

    /// The destination of a file to be replaced. Fails if replacing requires `force`.
    fn replaced(&self, path: &Path) -> Result<Destination, WriteError> {
        let destination = self.destination(path)?;
        if let Destination::File(place) = &destination
            && let Some(existing) = &place.existing
            && !self.force
        {
            existing.check_replaceable()?;
        }
        Ok(destination)
    }
}

/// The precondition for replacing a file.
#[derive(Clone, Copy, Debug)]
enum Expected<'t> {
    /// The file does not exist.
    Nothing,
    /// It still has the content `before`; `after` is its new one.
    Content { before: &'t [u8], after: &'t [u8] },
    /// The file is replaced, whatever its content is.
    Anything,
}

/// A file that is being written. If it is dropped before it is finished, nothing changes.
#[derive(Debug)]
pub struct Output(OutputKind);

#[derive(Debug)]
enum OutputKind {
    File(Box<(FolderEntry, Unfinished)>),
    Device(File),
}

impl Output {
    /// A second handle for the content.
    pub fn handle(&self) -> io::Result<File> {
        match &self.0 {
            OutputKind::File(opened) => opened.1.file.try_clone(),
            OutputKind::Device(device) => device.try_clone(),
        }
    }

    /// `true` if the content goes directly to a device or a pipe.
    pub fn is_device(&self) -> bool {
        matches!(self.0, OutputKind::Device(_))
    }

    /// Moves the content into place.
    pub fn finish(self) -> Result<(), WriteError> {
        match self.0 {
            OutputKind::File(opened) => {
                let (place, unfinished) = *opened;
                unfinished.finish(&place, Expected::Anything)
            }
            OutputKind::Device(mut device) => Ok(device.flush()?),
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            OutputKind::File(opened) => opened.1.file.write(bytes),
            OutputKind::Device(device) => device.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.0 {
            OutputKind::File(opened) => opened.1.file.flush(),
            OutputKind::Device(device) => device.flush(),
        }
    }
}

#[cfg(test)]
mod tests;
