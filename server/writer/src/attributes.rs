//! Attributes that a file keeps when its content is replaced: permissions, owner, group, extended
//! attributes.

use std::fs::File;
use std::io;

use cap_std::fs::OpenOptions;

use crate::folder_entry::{Existing, FolderEntry};

/// The permissions of a new file, before the umask of the user is applied.
#[cfg(unix)]
const NEW: u32 = 0o666;

/// The permissions of a temporary file: only its owner may read it until it gets the permissions of
/// the replaced file.
#[cfg(unix)]
const PRIVATE: u32 = 0o600;

/// The permission bits to keep: all but setuid and setgid, which belong to the old content.
#[cfg(unix)]
const KEPT: u32 = 0o1777;

/// Sets the permissions with which a temporary file is opened.
#[cfg(unix)]
pub fn open_as(options: &mut OpenOptions, existing: Option<&Existing>) {
    use cap_std::fs::OpenOptionsExt;

    options.mode(if existing.is_some() { PRIVATE } else { NEW });
}

#[cfg(not(unix))]
pub fn open_as(_: &mut OpenOptions, _: Option<&Existing>) {}

/// Copies the attributes of another file.
///
/// The owner and the group are kept if the system permits: always for root. Otherwise, the file
/// belongs to the user that writes it, as with every program that replaces files.
#[cfg(unix)]
pub fn copy(place: &FolderEntry, existing: &Existing, to: &File) -> io::Result<()> {
    use cap_std::fs::{MetadataExt, PermissionsExt};
    use rustix::fs::{Gid, Mode, Uid, fchmod, fchown};

    let metadata = &existing.metadata;
    let (user, group) = (Uid::from_raw(metadata.uid()), Gid::from_raw(metadata.gid()));
    if fchown(to, Some(user), Some(group)).is_err() {
        let _ = fchown(to, None, Some(group));
    }
    // A file that is writable but not readable is replaced as well.
    if let Ok(from) = place.folder.open(&place.name) {
        copy_extended(&from.into_std(), to);
    }
    // Last, since each of the others may change the bits.
    let bits = metadata.permissions().mode() & KEPT;
    Ok(fchmod(to, Mode::from_raw_mode(bits as rustix::fs::RawMode))?)
}

/// Copies extended attributes, including access control lists, except for capabilities: like
/// setuid, they belong to the old content. Attributes that the user may not set are set by the
/// system itself.
#[cfg(unix)]
fn copy_extended(from: &File, to: &File) {
    use xattr::FileExt;

    const CAPABILITY: &str = "security.capability";
    for name in from.list_xattr().into_iter().flatten().filter(|name| name != CAPABILITY) {
        if let Ok(Some(value)) = from.get_xattr(&name) {
            let _ = to.set_xattr(&name, &value);
        }
    }
}

#[cfg(not(unix))]
pub fn copy(_: &FolderEntry, existing: &Existing, to: &File) -> io::Result<()> {
    let mut permissions = to.metadata()?.permissions();
    permissions.set_readonly(existing.metadata.permissions().readonly());
    to.set_permissions(permissions)
}
