//! The private folder of sockets through which programs of one user find each other.
//!
//! Each running language server has a socket there. Messages are JSON objects, one per line;
//! `server.rs` documents them.

use std::io;
use std::path::{Path, PathBuf};

use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncReadExt};
use tokio::net::UnixStream;

const ENDING: &str = "sock";

/// Returns the folder and creates it if it is missing. Fails if other users could access it.
pub fn folder() -> io::Result<PathBuf> {
    use std::os::unix::fs::{DirBuilderExt, MetadataExt};

    let user = rustix::process::geteuid().as_raw();
    let folder = match std::env::var_os("XDG_RUNTIME_DIR").filter(|folder| !folder.is_empty()) {
        Some(folder) => PathBuf::from(folder).join("promptls"),
        None => std::env::temp_dir().join(format!("promptls-{user}")),
    };
    match std::fs::DirBuilder::new().mode(0o700).create(&folder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    // Links are not followed: another user may have created one.
    let found = std::fs::symlink_metadata(&folder)?;
    let is_private = found.is_dir() && found.uid() == user && found.mode() & 0o077 == 0;
    match is_private {
        true => Ok(folder),
        false => Err(io::Error::other(format!("{} is not private", folder.display()))),
    }
}

/// The path of this process's socket.
pub fn own_socket(folder: &Path) -> PathBuf {
    folder.join(format!("{}.{ENDING}", std::process::id()))
}

/// The paths of all sockets in the folder.
pub fn sockets(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let paths = entries.map(|entry| entry.path());
    paths.filter(|path| path.extension().is_some_and(|ending| ending == ENDING)).collect()
}

/// Connects to a socket. Removes the socket if it refuses the connection, because its server has
/// ended.
pub async fn connect(socket: &Path) -> io::Result<UnixStream> {
    UnixStream::connect(socket).await.inspect_err(|error| {
        if error.kind() == io::ErrorKind::ConnectionRefused {
            // Another process may have removed it already.
            let _ = std::fs::remove_file(socket);
        }
    })
}

/// Reads a line of at most `longest` bytes; `None` at the end, and for a longer line. Not cancel
/// safe.
pub async fn read_line(reader: &mut (impl AsyncBufRead + Unpin), longest: u64) -> Option<Vec<u8>> {
    let mut line = Vec::new();
    reader.take(longest).read_until(b'\n', &mut line).await.ok()?;
    (line.pop() == Some(b'\n')).then_some(line)
}
