//! A temporary file that takes the place of another one when it is whole.

use std::fs::File;
use std::io::{self, Write};

use cap_std::fs::{Dir, OpenOptions};

use crate::Expected;
use crate::attributes;
use crate::error::WriteError;
use crate::leftovers;
use crate::place::Place;

/// A temporary file, which is removed when this is dropped.
#[derive(Debug)]
pub struct Unfinished {
    folder: Dir,
    name: String,
    /// The file, for its content.
    pub file: File,
    /// Keeps other processes from removing the temporary file.
    _lock: Option<File>,
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        // After a rename, there is nothing of this name.
        let _ = self.folder.remove_file(&self.name);
    }
}

impl Unfinished {
    /// A file with this content, on the disk.
    pub fn with(place: &Place, content: &[u8]) -> Result<Unfinished, WriteError> {
        let mut unfinished = Unfinished::new(place)?;
        unfinished.file.write_all(content)?;
        unfinished.save(place)?;
        Ok(unfinished)
    }

    /// An empty file in the folder of the one that it will become.
    pub fn new(place: &Place) -> Result<Unfinished, WriteError> {
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

    /// Saves the content and the attributes that the file will have.
    fn save(&self, place: &Place) -> io::Result<()> {
        if let Some(existing) = &place.existing {
            attributes::copy(place, existing, &self.file)?;
        }
        self.file.sync_all()
    }

    /// Takes the place of the file.
    pub fn finish(self, place: &Place, expected: Expected<'_>) -> Result<(), WriteError> {
        match expected {
            Expected::Nothing => self.take_free_name(place),
            Expected::Content { before, after } => self.exchange(place, before, after),
            Expected::Anything => {
                self.save(place)?;
                Ok(self.folder.rename(&self.name, &place.folder, &place.name)?)
            }
        }
    }

    fn take_free_name(&self, place: &Place) -> Result<(), WriteError> {
        let taken = match rename::to_free_name(place, &self.name) {
            Some(renamed) => renamed,
            // A second link to the file is made only where the name is free, too.
            None => self.folder.hard_link(&self.name, &place.folder, &place.name),
        };
        taken.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => WriteError::Exists,
            _ => error.into(),
        })
    }

    /// Takes the place of a file that has the content `before`, without a moment in which another
    /// program could save the file unnoticed.
    fn exchange(&self, place: &Place, before: &[u8], after: &[u8]) -> Result<(), WriteError> {
        if !place.has_content(&place.name, before)? {
            return Err(WriteError::Changed);
        }
        match rename::exchange(place, &self.name) {
            Some(exchanged) => exchanged?,
            // Between the comparison and this, some microseconds are left.
            None => return Ok(self.folder.rename(&self.name, &place.folder, &place.name)?),
        }
        let name = self.name.as_ref();
        if place.has_content(name, before)? {
            return Ok(());
        }
        // Another program has saved the file since it was compared, and its text has the temporary
        // name now. Back with it, and with what was saved while that was done.
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

/// Renames that are more than the standard library has; `None` where the system has none.
#[cfg(any(target_os = "linux", target_vendor = "apple"))]
mod rename {
    use std::io;

    use rustix::fs::{RenameFlags, renameat_with};
    use rustix::io::Errno;

    use crate::place::Place;

    /// Gives the file of another name in the folder the name of the place, which must be free.
    pub fn to_free_name(place: &Place, from: &str) -> Option<io::Result<()>> {
        supported(renameat_with(
            &place.folder,
            from,
            &place.folder,
            &place.name,
            RenameFlags::NOREPLACE,
        ))
    }

    /// Exchanges the file of another name in the folder and that of the place.
    pub fn exchange(place: &Place, from: &str) -> Option<io::Result<()>> {
        supported(renameat_with(
            &place.folder,
            from,
            &place.folder,
            &place.name,
            RenameFlags::EXCHANGE,
        ))
    }

    /// Not every file system can do it.
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

    use crate::place::Place;

    pub fn to_free_name(_: &Place, _: &str) -> Option<io::Result<()>> {
        None
    }

    pub fn exchange(_: &Place, _: &str) -> Option<io::Result<()>> {
        None
    }
}
