//! Reading of regular files up to a maximum size.
//!
//! Reading a pipe blocks until another program writes, and a device may be endless; even opening
//! either may have side effects. So a path is checked first, and only regular files are opened. If
//! something else replaces the file in between, it is opened without blocking, and read only up to
//! the limit.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Read};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::read_error::ReadError;

/// The default maximum size of a file that is read, in bytes.
pub const DEFAULT_MAX_FILE_BYTES: u64 = 256 << 20;

static MAX_FILE_BYTES: AtomicU64 = AtomicU64::new(DEFAULT_MAX_FILE_BYTES);

/// Sets the maximum size of a file that is read, in bytes, for the whole process.
pub fn set_max_file_bytes(bytes: u64) {
    MAX_FILE_BYTES.store(bytes, Ordering::Relaxed);
}

/// The maximum size of a file that is read, in bytes.
pub fn max_file_bytes() -> u64 {
    MAX_FILE_BYTES.load(Ordering::Relaxed)
}

/// The bytes of a regular file of at most `max` bytes. Blocks only on the disk.
pub fn read(path: &Path, max: u64) -> Result<Vec<u8>, ReadError> {
    let length = check(path, max)?;
    let file = open(path).map_err(|source| ReadError::io(path, source))?;
    read_all(file, usize::try_from(length).unwrap_or_default(), path, max)
}

/// The same for a path that its folder has just listed as a regular file, so that no check is
/// needed before opening.
pub fn read_listed(path: &Path, max: u64) -> Result<Vec<u8>, ReadError> {
    let file = open(path).map_err(|source| ReadError::io(path, source))?;
    let metadata = file.metadata().map_err(|source| ReadError::io(path, source))?;
    let length = check_looks(&metadata, path, max)?;
    read_all(file, usize::try_from(length).unwrap_or_default(), path, max)
}

/// The first bytes of a regular file, at most `count`.
pub fn read_head(path: &Path, count: u64) -> Result<Vec<u8>, ReadError> {
    check(path, u64::MAX)?;
    let file = open(path).map_err(|source| ReadError::io(path, source))?;
    let mut bytes = Vec::new();
    let read = file.take(count).read_to_end(&mut bytes);
    read.map(|_| bytes).map_err(|source| ReadError::io(path, source))
}

/// The length of a file in bytes. Fails if [`read`] would, without opening anything.
pub fn check(path: &Path, max: u64) -> Result<u64, ReadError> {
    let metadata = path.metadata().map_err(|source| ReadError::io(path, source))?;
    check_looks(&metadata, path, max)
}

fn check_looks(metadata: &Metadata, path: &Path, max: u64) -> Result<u64, ReadError> {
    if metadata.is_dir() {
        return Err(ReadError::io(path, io::ErrorKind::IsADirectory.into()));
    }
    if !metadata.is_file() {
        return Err(ReadError::NoFile { path: path.to_owned(), what: what_it_is(metadata) });
    }
    match metadata.len() > max {
        true => Err(ReadError::TooLarge { path: path.to_owned(), max }),
        false => Ok(metadata.len()),
    }
}

/// At most `max` bytes of whatever a path leads to. For paths that the user named: they may be a
/// pipe, for which this waits.
pub fn read_any(path: &Path, max: u64) -> Result<Vec<u8>, ReadError> {
    let file = File::open(path).map_err(|source| ReadError::io(path, source))?;
    read_all(file, 0, path, max)
}

/// The remaining bytes of an open reader, of which `expected` should come; `path` is its name in
/// errors.
///
/// Cost: one call of the system for a file of the expected length.
pub fn read_all(
    mut source: impl Read,
    expected: usize,
    path: &Path,
    max: u64,
) -> Result<Vec<u8>, ReadError> {
    let failed = |source| ReadError::io(path, source);
    // Only at its end, a file returns fewer bytes than requested, so one more byte shows whether it
    // has become longer. Other readers have no length.
    let mut bytes = vec![0; if expected == 0 { 0 } else { expected.saturating_add(1) }];
    let count = match source.read(&mut bytes) {
        Err(error) if error.kind() == io::ErrorKind::Interrupted => 0,
        read => read.map_err(failed)?,
    };
    bytes.truncate(count);
    if count != expected || expected == 0 {
        let rest = max.saturating_add(1).saturating_sub(count as u64);
        source.take(rest).read_to_end(&mut bytes).map_err(failed)?;
    }
    match bytes.len() as u64 > max {
        true => Err(ReadError::TooLarge { path: path.to_owned(), max }),
        false => Ok(bytes),
    }
}

#[cfg(unix)]
fn what_it_is(metadata: &Metadata) -> &'static str {
    use std::os::unix::fs::FileTypeExt;

    let kind = metadata.file_type();
    if kind.is_fifo() {
        "a pipe"
    } else if kind.is_socket() {
        "a socket"
    } else {
        "a device"
    }
}

#[cfg(not(unix))]
fn what_it_is(_: &Metadata) -> &'static str {
    "no file"
}

#[cfg(unix)]
fn open(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;

    let flags = rustix::fs::OFlags::NONBLOCK | rustix::fs::OFlags::NOCTTY;
    OpenOptions::new().read(true).custom_flags(flags.bits().cast_signed()).open(path)
}

#[cfg(not(unix))]
fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).open(path)
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    #[test]
    fn only_regular_files_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        std::fs::write(path("file"), "abc").unwrap();
        std::os::unix::fs::symlink("file", path("link")).unwrap();
        std::os::unix::fs::symlink("/dev/zero", path("zero")).unwrap();
        let _listening = std::os::unix::net::UnixListener::bind(path("socket")).unwrap();
        let mode = rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR;
        rustix::fs::mknodat(rustix::fs::CWD, path("pipe"), rustix::fs::FileType::Fifo, mode, 0)
            .unwrap();
        for (name, expected) in [
            ("file", ""),
            ("link", ""),
            ("pipe", "cannot be read: it is a pipe, and only regular files are read"),
            ("socket", "cannot be read: it is a socket, and only regular files are read"),
            ("zero", "cannot be read: it is a device, and only regular files are read"),
            (".", "cannot be read: it is a folder"),
            ("none", "cannot be read: there is no such file"),
        ] {
            let read = read(&path(name), 3);
            // What has replaced a file is not waited for, and has no text.
            let listed = read_listed(&path(name), 3);
            if name != "socket" {
                assert_eq!(
                    listed.map_err(|it| it.reason()),
                    read.as_ref().map_err(|it| it.reason()).cloned()
                );
            }
            let reason = read.as_ref().map_or_else(ReadError::reason, |bytes| {
                assert_eq!(bytes, b"abc", "{name}");
                String::new()
            });
            assert_eq!(reason, expected, "{name}");
        }
    }

    #[test]
    fn files_above_the_size_limit_are_errors() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, "abcd").unwrap();
        let reason = |read: Result<Vec<u8>, ReadError>| read.unwrap_err().reason();
        let expected = "cannot be read: it is larger than 3 bytes, the maximum (`--max-file-size`)";
        assert_eq!(reason(read(&path, 3)), expected);
        assert_eq!(reason(read_any(&path, 3)), expected);
        assert_eq!(reason(read_any(Path::new("/dev/zero"), 3)), expected);
        assert_eq!(read(&path, 4).unwrap(), b"abcd");
        // Files without a length in their metadata, as in /proc.
        assert_eq!(read_all(&b"abcd"[..], 0, &path, 4).unwrap(), b"abcd");
    }

    #[test]
    fn only_the_head_of_a_file_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, "abcd").unwrap();
        assert_eq!(read_head(&path, 3).unwrap(), b"abc");
        assert_eq!(read_head(&path, 9).unwrap(), b"abcd");
        assert!(
            read_head(folder.path(), 9).is_err() && read_head(Path::new("/dev/zero"), 9).is_err()
        );
    }

    #[test]
    fn a_file_whose_length_changes_is_read_to_its_end() {
        for expected in [1, 3, 4, 5, 100] {
            let read = |max| read_all(&b"abcd"[..], expected, Path::new("file"), max);
            assert_eq!(read(4).unwrap(), b"abcd", "{expected}");
            assert!(read(3).is_err(), "{expected}");
        }
    }
}
