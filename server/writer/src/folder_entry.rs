//! Resolution of paths: the folder without links, the name in it, and the existing file.
//!
//! The folder is opened once, below the top of its project, and everything else is done by names in
//! the open folder. So a link that replaces a folder after the check has no effect.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use cap_std::ambient_authority;
use cap_std::fs::{Dir, Metadata};

use crate::error::WriteError;
use crate::names::is_version_control;

/// The target of a path.
#[derive(Debug)]
pub enum Destination {
    /// A regular file, or a free name.
    File(Box<FolderEntry>),
    /// A device, a pipe or a socket, which is not replaced.
    Device(PathBuf),
}

/// The handling of missing folders of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Folders {
    /// A missing folder is an error.
    MustExist,
    /// Missing folders are created, including their parents.
    AreMade,
}

/// A name in an open folder.
#[derive(Debug)]
pub struct FolderEntry {
    /// The open folder, in which the file is written.
    pub folder: Dir,
    /// The path of the folder, without links.
    pub path: PathBuf,
    /// The name in the folder.
    pub name: OsString,
    /// The file of that name; `None` if there is none.
    pub existing: Option<Existing>,
}

/// A file that exists, checked before it is replaced.
#[derive(Debug)]
pub struct Existing {
    /// The metadata from the system.
    pub metadata: Metadata,
    is_writable: bool,
}

/// Resolves a path. `project` returns the top of the project that contains a folder.
///
/// Cost: a check of each component of the path.
pub fn find(
    path: &Path,
    project: &dyn Fn(&Path) -> Option<PathBuf>,
    folders: Folders,
) -> Result<Destination, WriteError> {
    let path = std::path::absolute(path)?;
    let Some(real) = without_links(&path, project)? else {
        return Ok(Destination::Device(path));
    };
    match fs::symlink_metadata(&real) {
        Ok(metadata) if metadata.is_dir() => return Err(WriteError::IsFolder),
        Ok(metadata) if !metadata.is_file() => return Ok(Destination::Device(real)),
        _ => {}
    }
    let (parent, name) = split(&real)?;
    let folder = open_folder(parent, project, folders)?;
    let existing = Existing::look(&folder, name)?;
    let path = parent.to_owned();
    let name = name.to_owned();
    Ok(Destination::File(Box::new(FolderEntry { folder, path, name, existing })))
}

/// Resolves the folder of a path, and the entry with the name in it, which may be a link.
pub fn entry(
    path: &Path,
    project: &dyn Fn(&Path) -> Option<PathBuf>,
) -> Result<FolderEntry, WriteError> {
    let path = std::path::absolute(path)?;
    let (parent, name) = split(&path)?;
    let path = without_links(parent, project)?.ok_or(WriteError::NoFolder)?;
    let folder = open_folder(&path, project, Folders::MustExist)?;
    let existing = Existing::look(&folder, name)?;
    Ok(FolderEntry { folder, path, name: name.to_owned(), existing })
}

fn split(path: &Path) -> Result<(&Path, &OsStr), WriteError> {
    path.parent().zip(path.file_name()).ok_or(WriteError::IsFolder)
}

/// The path without links; `None` if its target has no path, such as a pipe of a shell. Fails if a
/// link leads out of its project.
fn without_links(
    path: &Path,
    project: &dyn Fn(&Path) -> Option<PathBuf>,
) -> Result<Option<PathBuf>, WriteError> {
    let mut real = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => {
                real.pop();
            }
            Component::CurDir => {}
            Component::Prefix(_) | Component::RootDir => real.push(component),
            Component::Normal(name) => {
                let link = real.join(name);
                let is_link = fs::symlink_metadata(&link).is_ok_and(|found| found.is_symlink());
                if !is_link {
                    real = link;
                    continue;
                }
                let root = project(&real).map(|root| root.canonicalize()).transpose()?;
                let target = match link.canonicalize() {
                    Ok(target) => target,
                    Err(_) if fs::metadata(&link).is_err() => {
                        return Err(WriteError::Dangling(link));
                    }
                    Err(_) if root.is_none() => return Ok(None),
                    Err(error) => return Err(error.into()),
                };
                if let Some(root) = root {
                    check_target(&link, &target, root)?;
                }
                real = target;
            }
        }
    }
    Ok(Some(real))
}

/// Fails if a link leads out of a project, or into version control.
fn check_target(link: &Path, target: &Path, root: PathBuf) -> Result<(), WriteError> {
    let Ok(inside) = target.strip_prefix(&root) else {
        return Err(WriteError::LeadsOut { link: link.to_owned(), root });
    };
    match inside.iter().any(is_version_control) {
        true => Err(WriteError::VersionControl(link.to_owned())),
        false => Ok(()),
    }
}

/// Opens a folder by a path without links. A link that is created meanwhile cannot lead out of the
/// project.
fn open_folder(
    parent: &Path,
    project: &dyn Fn(&Path) -> Option<PathBuf>,
    folders: Folders,
) -> Result<Dir, WriteError> {
    let missing = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => WriteError::NoFolder,
        _ => error.into(),
    };
    // The project of a missing folder is that of its nearest existing ancestor.
    let there = parent.ancestors().find(|folder| folder.exists()).unwrap_or(parent);
    let root = project(there).map(|root| root.canonicalize()).transpose()?;
    let root = root.filter(|root| there.starts_with(root));
    let top = root.as_deref().unwrap_or(there);
    let below = parent.strip_prefix(top).unwrap_or(Path::new(""));
    let top = Dir::open_ambient_dir(top, ambient_authority()).map_err(missing)?;
    if below.as_os_str().is_empty() {
        return Ok(top);
    }
    if folders == Folders::AreMade {
        top.create_dir_all(below)?;
    }
    top.open_dir(below).map_err(missing)
}

impl FolderEntry {
    /// `true` if the file with a name in the folder has exactly this content; `false` if it does
    /// not exist.
    pub fn has_content(&self, name: &OsStr, content: &[u8]) -> io::Result<bool> {
        let file = match self.folder.open(name) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            Err(error) => return Err(error),
        };
        let metadata = file.metadata()?;
        if !metadata.is_file() || metadata.len() != content.len() as u64 {
            return Ok(false);
        }
        let mut found = Vec::with_capacity(content.len() + 1);
        file.take(content.len() as u64 + 1).read_to_end(&mut found)?;
        Ok(found == content)
    }
}

impl Existing {
    fn look(folder: &Dir, name: &OsStr) -> io::Result<Option<Existing>> {
        let metadata = match folder.symlink_metadata(name) {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        // Root may write read-only files, so the permissions count as well.
        let is_writable = !metadata.permissions().readonly() && may_write(folder, name);
        Ok(Some(Existing { metadata, is_writable }))
    }

    /// Fails if replacing the file requires `force`.
    pub fn check_replaceable(&self) -> Result<(), WriteError> {
        match hard_links(&self.metadata) {
            links @ 2.. => Err(WriteError::HardLinks(links)),
            _ if !self.is_writable => Err(WriteError::ReadOnly),
            _ => Ok(()),
        }
    }
}

/// `true` if the system lets this user write the file. It is not opened, so that file watchers
/// report no write.
#[cfg(unix)]
fn may_write(folder: &Dir, name: &OsStr) -> bool {
    use rustix::fs::{Access, AtFlags, accessat};

    accessat(folder, name, Access::WRITE_OK, AtFlags::empty()) != Err(rustix::io::Errno::ACCESS)
}

#[cfg(not(unix))]
fn may_write(_: &Dir, _: &OsStr) -> bool {
    true
}

#[cfg(unix)]
fn hard_links(metadata: &Metadata) -> u64 {
    cap_std::fs::MetadataExt::nlink(metadata)
}

/// One: the standard library does not provide the number of links here.
#[cfg(not(unix))]
fn hard_links(_: &Metadata) -> u64 {
    1
}
