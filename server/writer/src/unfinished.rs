//! A temporary file that replaces another one when it is complete.

use std::fs::File;
use std::io::{self, Write};

use cap_std::fs::{Dir, OpenOptions};

use crate::Expected;
use crate::attributes;
use crate::error::WriteError;
use crate::folder_entry::FolderEntry;
use crate::leftovers;

/// A temporary file, which is removed when this is dropped.
#[derive(Debug)]
pub struct Unfinished {
    folder: Dir,
    name: String,
    /// The open file, for its content.
    pub file: File,
    /// Keeps other processes from removing the temporary file.
    _lock: Option<File>,
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        // After a rename, no file has this name.
        let _ = self.folder.remove_file(&self.name);
    }
}

impl Unfinished {
    /// Creates a file with this content, synced to disk.
    pub fn with(place: &FolderEntry, content: &[u8]) -> Result<Unfinished, WriteError> {
        let mut unfinished = Unfinished::new(place)?;
        unfinished.file.write_all(content)?;
        unfinished.save(place)?;
        Ok(unfinished)
    }

    /// Creates an empty file in the folder of its target.
    pub fn new(place: &FolderEntry) -> Result<Unfinished, WriteError> {
        let folder = place.folder.try_clone()?;
        let lock = leftovers::keep_sweepers_out(&folder);
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        attributes::open_as(&mut options, place.existing.as_ref());
        loop {
            let name = leftovers::new_name();
            match folder.open_with(&name, &options) {
                Ok(file) => {
                    let file = file.into_std();
                    return Ok(Unfinished { folder, name, file, _lock: lock });
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Syncs the content and the final attributes to disk.
    fn save(&self, place: &FolderEntry) -> io::Result<()> {
        if let Some(existing) = &place.existing {
            attributes::copy(place, existing, &self.file)?;
        }
        self.file.sync_all()
    }

    /// Moves the file to its target.
    pub fn finish(self, place: &FolderEntry, expected: Expected<'_>) -> Result<(), WriteError> {
        match expected {
            Expected::Nothing => self.take_free_name(place),
            Expected::Content { before, after } => self.exchange(place, before, after),
            Expected::Anything => {
                self.save(place)?;
                Ok(self.folder.rename(&self.name, &place.folder, &place.name)?)
            }
        }
    }

    fn take_free_name(&self, place: &FolderEntry) -> Result<(), WriteError> {
        let taken = match rename::to_free_name(place, &self.name) {
            Some(renamed) => renamed,
            // A hard link is created only if the name is free, too.
            None => self.folder.hard_link(&self.name, &place.folder, &place.name),
        };
        taken.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => WriteError::Exists,
            _ => error.into(),
        })
    }

    /// Replaces a file that has the content `before`, with no moment in which another program could
    /// save the file unnoticed.
    fn exchange(&self, place: &FolderEntry, before: &[u8], after: &[u8]) -> Result<(), WriteError> {
        if !place.has_content(&place.name, before)? {
            return Err(WriteError::Changed);
        }
        match rename::exchange(place, &self.name) {
            Some(exchanged) => exchanged?,
            // A race of some microseconds remains between the comparison and this.
            None => return Ok(self.folder.rename(&self.name, &place.folder, &place.name)?),
        }
        let name = self.name.as_ref();
        if place.has_content(name, before)? {
            return Ok(());
        }
        // Another program has saved the file since it was compared, and its text now has the
        // temporary name. It is exchanged back, together with what was saved in the meantime.
        let mut put = after.to_vec();
        let mut saved = place.folder.read(name)?;
        loop {
            rename::exchange(place, &self.name).unwrap_or(Ok(()))?;
            if place.has_content(name, &put)? {
                return Err(WriteError::Changed);
            }
            put = std::mem::replace(&mut saved, place.folder.read(name)?);
        }
    }
}

/// Renames beyond the standard library; `None` if the system has none.
#[cfg(any(target_os = "linux", target_vendor = "apple"))]
mod rename {
    use std::io;

    use rustix::fs::{RenameFlags, renameat_with};
    use rustix::io::Errno;

    use crate::folder_entry::FolderEntry;

    /// Renames a file in the folder to the name of the place, which must be free.
    pub fn to_free_name(place: &FolderEntry, from: &str) -> Option<io::Result<()>> {
        supported(renameat_with(
            &place.folder,
            from,
            &place.folder,
            &place.name,
            RenameFlags::NOREPLACE,
        ))
    }

    /// Exchanges a file in the folder with that of the place.
    pub fn exchange(place: &FolderEntry, from: &str) -> Option<io::Result<()>> {
        supported(renameat_with(
            &place.folder,
            from,
            &place.folder,
            &place.name,
            RenameFlags::EXCHANGE,
        ))
    }

    /// `None` if the file system does not support it.
    fn supported(done: Result<(), Errno>) -> Option<io::Result<()>> {
        match done {
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => None,
            done => Some(done.map_err(io::Error::from)),
        }
    }
}

#[cfg(not(any(target_os = "linux", target_vendor = "apple")))]
mod rename {
    use std::io;

    use crate::folder_entry::FolderEntry;

    pub fn to_free_name(_: &FolderEntry, _: &str) -> Option<io::Result<()>> {
        None
    }

    pub fn exchange(_: &FolderEntry, _: &str) -> Option<io::Result<()>> {
        None
    }
}
